"""The table of features: an example and a counterexample for each row, the weights, and values for any text."""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import structs

from breaks import way
from urlglean.text.joining.break_record import Break, Context
from urlglean.text.joining.decision import RIVAL
from urlglean.text.joining.features import FACTORS, FEATURES, PRODUCTS, Product
from urlglean.text.joining.weights import Scale, weights

URL = "http://a.example/b"
LENGTH = len(URL)


class Example(NamedTuple):
    """A text whose break has the feature, a similar text without it, and the index of the break."""

    holds: str
    lacks: str
    step: int = 0


def prose(width: int, lines: int) -> str:
    """Lines of prose, all of the same width."""
    return (("so " * width)[: width - 1] + "n\n") * lines


def sized(length: int) -> str:
    """A URL with a given number of characters."""
    return URL + "b" * (length - LENGTH)


def cut(before: str, behind: str) -> str:
    """A URL whose path ends its line, and the next line."""
    return f"http://a.example/{before}\n{behind}"


def two_lines(first: int, second: int) -> str:
    """A URL that continues in a line of its own, both of given lengths, and a word below."""
    return f"{sized(first)}\n{'c' * second}\nand"


LINES = {
    "line of 0 to 39": Example(cut("b" * 22, "and"), cut("b" * 23, "and")),
    "line of 40 to 49": Example(f"{sized(49)}\nand", f"{sized(50)}\nand"),
    "line of 50 to 57": Example(f"{sized(57)}\nand", f"{sized(58)}\nand"),
    "line of 68 to 71": Example(f"{sized(71)}\nand", f"{sized(72)}\nand"),
    "line of 72 to 73": Example(f"{sized(73)}\nand", f"{sized(74)}\nand"),
    "line of 76 to 76": Example(f"{sized(76)}\nand", f"{sized(75)}\nand"),
    "line of 77 to 78": Example(f"{sized(77)}\nand", f"{sized(76)}\nand"),
    "line of 82 to 99": Example(f"{sized(82)}\nand", f"{sized(81)}\nand"),
    "line of 100 to more": Example(f"{sized(100)}\nand", f"{sized(99)}\nand"),
    "room of -3 to -1": Example(f"{prose(60, 3)}{sized(61)}\nand", f"{prose(60, 3)}{sized(60)}\nand"),
    "room of 6 to 11": Example(f"{prose(60, 3)}{sized(54)}\nand", f"{prose(60, 3)}{sized(55)}\nand"),
    "room of 12 to more": Example(f"{prose(60, 3)}{sized(48)}\nand", f"{prose(60, 3)}{sized(49)}\nand"),
    "line under 58": Example(f"see {sized(53)}\nand", f"see {sized(54)}\nand"),
    "line of 72 to 80": Example(f"see {sized(76)}\nand", f"see {sized(77)}\nand"),
    "next word would have fitted": Example(f"{prose(60, 3)}{sized(56)}\nand", f"{prose(60, 3)}{sized(57)}\nand"),
    "no room for the next word": Example(f"{prose(60, 3)}{sized(57)}\nand", f"{prose(60, 3)}{sized(56)}\nand"),
    "longest line near by": Example(f"{URL}\n{'c' * LENGTH}", f"{URL}\n{'c' * (LENGTH + 1)}"),
    "many longer near by": Example(f"{prose(60, 4)}{URL}\nand", f"{prose(60, 3)}{URL}\nand"),
    "another just as long": Example(f"{prose(LENGTH + 4, 1)}see {URL}\nand", f"{prose(LENGTH + 5, 1)}see {URL}\nand"),
    "others just as long": Example(f"{prose(LENGTH + 4, 2)}see {URL}\nand", f"{prose(LENGTH + 4, 1)}see {URL}\nand"),
    "begins its line": Example(f"> {URL}\n> and", f"> x {URL}\n> and"),
    "indented": Example(f"  {URL}\nand", f"> {URL}\nand"),
    "bracket or quote before": Example(f"({URL}\nand", f"(see {URL}\nand"),
    "next line longer": Example(f"{URL}\n{'c' * (LENGTH + 4)}", f"{URL}\n{'c' * LENGTH}"),
    "next line shorter": Example(f"{URL}\n{'c' * (LENGTH - 1)}", f"{URL}\n{'c' * LENGTH}"),
    "next line just as long": Example(f"{sized(50)}\n{prose(50, 1)}", f"{sized(50)}\n{prose(49, 1)}"),
}

# All of these are about the second break: the URL went on over the first.
BEFORE = {
    "went on in a scrap of a line": Example(two_lines(60, 4), two_lines(60, 5), step=1),
}

MARGINS = {
    "depth falls": Example(f"> {URL}\nand", f"> {URL}\n> and"),
    "depth rises": Example(f"> {URL}\n>> and", f"> {URL}\n> and"),
    "prefix lost for one line": Example(f"> {URL}\nand\n> so", f"> {URL}\nand\nso"),
}

ENDS = {
    "ends in a letter": Example(cut("b", "and"), cut("b1", "and")),
    "ends in a slash": Example(cut("b/", "and"), cut("/b", "and")),
    "ends in a letter or digit": Example(cut("b1", "and"), cut("b1/", "and")),
    "ends in a separator": Example(cut("b_", "and"), cut("b~", "and")),
    "a host and its slash": Example("http://a.example/\nand", "http://a.example/b/\nand"),
    "host unfinished": Example("http://www.example.\ncom/b", "http://www.example.com\n/and"),
    "in a search": Example(cut("b?c", "and"), cut("b&c", "and")),
    "in a fragment": Example(cut("b#c", "and"), cut("b%23c", "and")),
    "ends in an extension": Example(cut("b.php", "and"), cut("b/php", "and")),
    "extension cut": Example(cut("b.ht", "ml"), cut("b.ht", "me")),
    "URL of 60 and more": Example(f"{sized(60)}\nand", f"see {sized(59)}\nand"),
    "not valid with the token": Example(cut("b", "c%zd"), cut("b", "c%2d")),
    "stands whole elsewhere": Example(f"{URL}\nand {URL} too", f"{URL}\nand {URL}c too"),
    "stands whole elsewhere with the token": Example(f"{URL}\nc and {URL}c too", f"{URL}\nc and {URL}d too"),
    "another name behind it elsewhere": Example(cut("b/", "c\n" + cut("b/", "d")), cut("b/", "c\n" + cut("b/", "c"))),
    "last name long": Example(cut("b" * 16, "and"), cut("b" * 15, "and")),
}

TOKENS = {
    "token: an opening bracket first": Example(cut("b", "(c"), cut("b", "c(")),
    "token: capitalized word": Example(cut("b", "Hello,"), cut("b", "HELLO,")),
    "token: number with signs": Example(cut("b", "$1,000"), cut("b", "x1,000")),
    "token: setting": Example(cut("b", "PATH=/c"), cut("b", "Path=/c")),
    "token: hexadecimal": Example(cut("b/", "7d0c2f5"), cut("b/", "7d0c2fg")),
    "token: telephone": Example(cut("b", "+1-555-0100"), cut("b", "+1-555-010x")),
    "token: label": Example(cut("b", "Note:"), cut("b", "Note")),
    "token: list item": Example(cut("b", "c) d"), cut("b", "cd) e")),
    "token: ruler": Example(cut("b", "----"), cut("b", "-c-")),
    "token: signs that URLs do not hold": Example(cut("b", "c{d"), cut("b", "c(d")),
    "token: sign and letter": Example(cut("b", "?c"), cut("b", "c?")),
    "token: top of a host": Example("http://www.example.\ncom/b", "http://www.example.\ncom_b"),
    "token holds slash at its end": Example(cut("b/", "cd/"), cut("b/", "c/d")),
    "token holds value of a search": Example(cut("b?c", "d=e"), cut("b?c", "d=")),
    "token holds name of a search": Example(cut("b?c", "&d="), cut("b?c", "&d")),
    "token holds odd signs inside": Example(cut("b", "c,d"), cut("b", "cd,")),
    "token holds sign of a URL": Example(cut("b/", "c#d"), cut("b/", "cd#")),
    "token holds change of case": Example(cut("b", "cD"), cut("b", "Cd")),
    "token holds four digits": Example(cut("b", "1c2d34"), cut("b", "1c2d3e")),
    "token holds four words": Example(cut("b", "ab-cd_e/fg.hi"), cut("b", "ab-cd_e/fg.h1")),
    "token holds an extension": Example(cut("b", "c.html"), cut("b", "c/html")),
    "token: letter or digit first": Example(cut("b", "1,"), cut("b", ",1")),
    "token: a word": Example(cut("b", "Word"), cut("b", "W0rd")),
    "token: a common word": Example(cut("b", "and"), cut("b", "ant")),
    "token without letter or digit": Example(cut("b", "+++"), cut("b", "++c")),
    "token of 1 or 2": Example(cut("b", "cd."), cut("b", "cde")),
    "token of 3 to 5": Example(cut("b", "cdefg,"), cut("b", "cdefgh")),
    "token of 25 and more": Example(cut("b", "c" * 25), cut("b", "c" * 24)),
    "token closes the bracket": Example(cut("b_(c", "d)"), cut("b_(c)", "d)")),
    "token closes a sentence": Example(cut("b", "c."), cut("b", ".c")),
}

AROUND = {
    "nothing behind": Example(cut("b", "c \nd"), cut("b", "c d")),
    "nothing below": Example(cut("b", "c d"), cut("b", "c\nd")),
    "sign behind": Example(cut("b", "c (d)"), cut("b", "c d")),
    # Four words behind, and two; the value for exactly three is not fixed here.
    "four words behind": Example(cut("b", "and so it goes on"), cut("b", "and so it")),
    "URL behind": Example(cut("b", "c http://c.example/"), cut("b", "c\nhttp://c.example/")),
    "URL below": Example(cut("b", "c\nhttp://c.example/"), cut("b", "c http://c.example/")),
    "sentence ends above": Example(f"Look here.\n{URL}\nand", f"Look here\n{URL}\nand"),
    "the same in brackets behind": Example(cut("b", f"c <{URL}>"), cut("b", "c <http://c.example/b>")),
}

BOTH = {
    "one word was cut": Example(cut("Febr", "uary"), cut("history", "for")),
    # Almost any letters at the end of a word are a little surprising; the value is 0 only if there are none.
    "no word ends so": Example(cut("Febr", "uary"), cut("Febr1", "uary")),
    "a slash between names": Example(f"{prose(60, 3)}{sized(58)}\n/cde", f"{prose(60, 3)}{sized(58)}\n-cde"),
    "within a name": Example(cut("b", "1"), cut("b", "-1")),
    "case changes": Example(cut("b", "C"), cut("B", "C")),
    "letter, then digit": Example(cut("b", "1"), cut("1", "b")),
    "digits on both sides": Example(cut("b1", "2c"), cut("b1", "c2")),
}

EXAMPLES: dict[str, Example] = {**LINES, **BEFORE, **MARGINS, **ENDS, **TOKENS, **AROUND, **BOTH}

VALUES = {row.name: row.of for row in FEATURES}
WEIGHTS = {weight.feature: weight.log_odds for weight in weights().features}

# Pieces that the rows look for, so that hypothesis soon generates breaks with a line behind them.
FRAGMENTS = st.sampled_from(
    [
        *("\n", "\r\n", "\r", "\n> ", "\n>> ", "\n| ", "\n  ", " \n", " ", "\t", "http://", "b.example", "www.", "://"),
        *("/", "-", "=", "=\n", "%", "%2", "0", "?c=", "&", "#", "(", ")", "[", "]", "{", "<", ">", ".", ",", ":", ";"),
        *("and", "And", "Febr", "uary", ".ht", "ml", "1", "2024", "例", "é", "Ⅷ", "²", "\u0660", "\ud800", "\x0b"),
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(FRAGMENTS, max_size=30).map("".join))


def breaks_of(each: Example) -> tuple[Break, Break]:
    """The break of an example that has the feature, and the one that does not."""
    return way(each.holds)[each.step].at, way(each.lacks)[each.step].at


@pytest.mark.parametrize(("name", "each"), EXAMPLES.items(), ids=EXAMPLES)
def test_a_feature_holds_in_its_example_only(name: str, each: Example) -> None:
    """The value is not 0 in the example, and 0 in the similar text."""
    holds, lacks = breaks_of(each)
    assert VALUES[name](holds) != 0
    assert VALUES[name](lacks) == 0


def test_each_feature_has_an_example() -> None:
    """The examples have the names of the rows of the table, and no others."""
    assert set(EXAMPLES) == {row.name for row in FEATURES}


def _asked(_at: Break) -> Context:
    raise AssertionError("asked")


def test_names_of_rows_are_unique() -> None:
    """No two rows of both tables share a name, and every factor is the name of a feature."""
    names = [*(row.name for row in FEATURES), *(row.name for row in PRODUCTS)]
    assert len(names) == len(set(names))
    assert {factor for row in PRODUCTS for factor in row.factors} <= VALUES.keys()


def test_a_factor_is_one_or_zero() -> None:
    """The products are looked up by the factors that hold, whatever their values."""
    factors = {factor for row in PRODUCTS for factor in row.factors}
    breaks = [at for each in EXAMPLES.values() for at in breaks_of(each)]
    assert {VALUES[factor](at) for factor in factors for at in breaks} == {0.0, 1.0}


def test_weights_and_rows_belong_together() -> None:
    """Every weight is that of one row; every row has one, or multiplies others in a product that has one."""
    rows = VALUES.keys() | {row.name for row in PRODUCTS}
    factors = {factor for row in PRODUCTS if row.name in WEIGHTS for factor in row.factors}
    assert len(WEIGHTS) == len(weights().features)
    assert WEIGHTS.keys() <= rows
    assert rows - WEIGHTS.keys() == FACTORS
    assert factors >= FACTORS


@pytest.mark.parametrize("each", EXAMPLES.values(), ids=EXAMPLES)
def test_the_terms_add_up_to_the_log_odds(each: Example) -> None:
    """The log-odds are the sum of the constant and the terms; each term is the row's weight times its value."""
    scale = Scale(weights())
    for at in breaks_of(each):
        terms = {term.feature: term.log_odds for term in scale.terms(at)}
        total = weights().constant + math.fsum(terms.values())
        assert math.isclose(scale.log_odds(at, 0.0, _asked), total, rel_tol=1e-9, abs_tol=1e-9)
        values = {name: value(at) for name, value in VALUES.items()}
        values |= {row.name: math.prod(values[factor] for factor in row.factors) for row in PRODUCTS}
        for name, weight in WEIGHTS.items():
            assert math.isclose(terms.get(name, 0.0), weight * values[name], abs_tol=1e-12)


@pytest.mark.parametrize("row", PRODUCTS, ids=lambda row: row.name)
def test_each_product_is_met_in_an_example(row: Product) -> None:
    """All its factors hold together at one break at least; otherwise its term would never be tested."""
    breaks = [at for each in EXAMPLES.values() for at in breaks_of(each)]
    assert any(all(VALUES[factor](at) for factor in row.factors) for at in breaks)


@settings(deadline=None)
@given(TEXTS, TEXTS)
@example("", "\n\ud800")
def test_a_value_is_a_finite_number_in_any_text(before: str, behind: str) -> None:
    """For any text around a URL, nothing raises, and each feature's value is a finite number."""
    for text in ("x http://a.example/b" + behind, f"{before}\nx http://a.example/b\n{behind}"):
        for step in way(text):
            for row in FEATURES:
                assert math.isfinite(row.of(step.at)), row.name


@pytest.mark.parametrize("each", EXAMPLES.values(), ids=EXAMPLES)
def test_the_context_is_read_if_it_could_make_a_rival(each: Example) -> None:
    """A sum that is given without the context stays below the bound with any context."""
    scale = Scale(weights())

    for at in breaks_of(each):
        full = scale.log_odds(at, RIVAL, _asked)
        try:
            early = scale.log_odds(structs.replace(at, context=None), RIVAL, _asked)
        except AssertionError:
            continue
        assert early < RIVAL
        assert full < RIVAL


def test_a_group_has_one_row_at_most_that_holds() -> None:
    """Otherwise the bound on the sum of their terms would be wrong."""
    for each in EXAMPLES.values():
        for at in breaks_of(each):
            held = [row.group for row in FEATURES if row.group and row.of(at)]
            assert len(held) == len(set(held))
