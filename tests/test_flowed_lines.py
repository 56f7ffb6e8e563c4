"""Text in format=flowed with DelSp is read as its writer wrote it, however a program broke its lines (RFC 3676 4)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pieces import is_tiled, rebuilt
from urlglean import extract
from urlglean.records import Join, JoinRule, Span
from urlglean.text.extract import Extractor
from urlglean.text.flowed_lines import unfolded
from urlglean.windows import WindowSize

H = "http://h.example"
# Each is one line of a writer.
LINES = [
    f"see {H}/a/b.html and ftp://ftp.a.example/x, or not",
    f"詳しくは {H}/aaaをご覧ください",
    f"{H}/aaa,{H}/bbb;{H}/ccc",
    f"*{H}/aaa* and /*{H}/x*/ and =={H}/y==",
    f"{H}/x.pdfThere are {H}/a(12kB) and {H}/~jo(Old Mill)",
    f"&lt;{H}/aaa&gt; and {H}/a->b and {H}/a...but",
    f"[a]({H}/wiki/O_\\(clay\\_oven\\)) and {H}/\\~ann/x",
    f"<URL:{H}/a b/c> and <URL: {H}/a > and <{H}/x -- two words>",
    f"url: http://[2001:db8::1]/x and {H}/{{id}} and {H}/%s",
    f"{H}/a%20b%u1234c and {H}/?a=20%&b=1 and http://jo@h.example/",
    "git+https://github.example/x.git and news:comp.lang.c and urn:isbn:0451450523 and tel:+1-555-1234",
    "mailto:jo@a.example?subject=x%20y&body=z and snews:1234$ab@a.example",
    f"see http://www.h.example/. The {H}/what? And '{H}/x', 'y'",
]
MARGINS = ["", "> ", ">> ", "> > "]


def broken(line: str, places: list[int], margin: str = "", end: str = "\n") -> str:
    """A line, broken by DelSp before the characters at some places, of which none is a blank or a mark."""
    begins = [0, *sorted({place for place in places if 0 < place < len(line) and line[place] not in " >"})]
    pieces = [line[begin:stop] for begin, stop in zip(begins, [*begins[1:], len(line)], strict=True)]
    return margin + f" {end}{margin}".join(pieces) + end


def readings(text: str, flowed: str) -> list[tuple[str, bool, tuple[str, ...], tuple[str, ...]]]:
    """What is read: of each finding the URL, whether it is valid, its rivals, and the codes of its problems."""
    found = extract(text, flowed=flowed, invalid=True)  # type: ignore[arg-type]
    return [(each.url, each.valid, each.rivals, tuple(problem.code for problem in each.problems)) for each in found]


@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("line", LINES)
def test_a_soft_line_end_anywhere_changes_no_reading(line: str, margin: str) -> None:
    """Not within a scheme, between slashes, in an escape, in a wrapper, before punctuation or before another URL."""
    expected = readings(f"{margin}{line}\n", "flowed")
    for place in range(1, len(line)):
        for end in ("\n", "\r\n"):
            assert readings(broken(line, [place], margin, end), "delsp") == expected, line[place:]


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from(LINES), min_size=1, max_size=3),
    st.lists(st.integers(1, 120), max_size=12),
    st.sampled_from(MARGINS),
)
def test_findings_have_their_places_among_the_lines(lines: list[str], places: list[int], margin: str) -> None:
    """The pieces give the URL, and what is between them is told."""
    text = "".join(broken(line, places, margin) for line in lines)
    whole = extract("".join(f"{margin}{line}\n" for line in lines), flowed="flowed")
    found = extract(text, flowed="delsp")
    assert [each.url for each in found] == [each.url for each in whole]
    for each, unbroken in zip(found, whole, strict=True):
        assert rebuilt(text, each) == each.url
        assert is_tiled(each)
        assert each.confidence <= unbroken.confidence
        assert each.certainty != "plain" or not each.joins


@given(
    st.lists(st.sampled_from(["a", "b", " \n", " \r\n", "\n", "> ", ">", "-- ", " ", "\t"]), max_size=30).map("".join)
)
def test_places_are_those_of_the_characters(text: str) -> None:
    """What is left has them in the same order, and nothing but soft line ends is taken out."""
    lines = unfolded(text)
    for place, sign in enumerate(lines.text):
        assert text[lines.begin(place)] == sign
        assert text[lines.end(place + 1) - 1] == sign
    for soft, place in zip(lines.breaks, lines.places, strict=True):
        assert (lines.end(place), lines.begin(place)) == (soft.start, soft.end)
    taken = "".join(text[soft.start : soft.end] for soft in lines.breaks)
    assert len(lines.text) + len(taken) == len(text)
    assert re.fullmatch(r"(?: \r*\n(?:[> ]*))*", taken)


def test_what_is_between_the_lines_is_told() -> None:
    """The blank and the line end, and the quote marks."""
    (found,) = extract(f"> see {H}/a \n> /b\n", flowed="delsp")
    assert found.pieces == (Span(6, 24), Span(28, 30))
    assert found.joins == (Join(Span(24, 26), JoinRule.FLOWED), Join(Span(26, 28), JoinRule.QUOTE_PREFIX))
    (found,) = extract(f">see {H}/a \n>/b\n", flowed="delsp")
    assert found.joins == (Join(Span(23, 25), JoinRule.FLOWED), Join(Span(25, 26), JoinRule.QUOTE_PREFIX))
    (found,) = extract(f"see {H}/a \n b\n", flowed="delsp")
    assert found.joins == (Join(Span(22, 25), JoinRule.FLOWED),)
    assert (found.certainty, round(found.confidence, 2)) == ("inferred", 0.99)


def test_joins_of_both_kinds_are_in_the_order_of_the_text() -> None:
    """A wrapper may have line ends of the writer too."""
    text = f"<URL:{H}/a \n/b\n/c \n/d>\n"
    (found,) = extract(text, flowed="delsp")
    assert [join.rule for join in found.joins] == [JoinRule.FLOWED, JoinRule.WHITESPACE, JoinRule.FLOWED]
    assert is_tiled(found)


def test_an_angle_behind_a_stuffed_blank_quotes_nothing() -> None:
    """RFC 3676 4.4. Only if both lines begin so, a program has quoted them."""
    assert not extract(f"x {H}/<id \n >/y z\n", flowed="delsp")
    (found,) = extract(f" > see {H}/a \n > /b\n", flowed="delsp")
    assert found.url == f"{H}/a/b"


def test_a_sign_that_is_mended_may_be_broken() -> None:
    """Then the line end is within its place."""
    text = rf"{H}/?a=1\u00" + " \n" + "26b=2 is\n"
    (found,) = extract(text, flowed="delsp")
    assert (found.url, rebuilt(text, found)) == (f"{H}/?a=1&b=2",) * 2
    assert is_tiled(found)


@pytest.mark.parametrize(
    "text",
    [
        "a \n\nb", "a \n \nb", "> a \n>\n> b", "> a \n>> b", ">> a \n> b", "-- \na", "a \n-- \nb", "> -- \n> a",
        "> a \n> -- \n", "a\t\nb", "a\nb", " \nb", "> \n> b", "a \n", "a ", "> a \n> > b", "> > a \n>> b",
    ],
)  # fmt: skip
def test_other_line_ends_are_those_of_the_writer(text: str) -> None:
    """RFC 3676: of empty lines, other depths of quotation (4.5), signatures (4.3) and lines without a last blank."""
    assert unfolded(text).text == text


@pytest.mark.parametrize("url", ["mailto:jo@h.example", "news:a.b.c", "http://h.example/", "urn:isbn:0451450523"])
@pytest.mark.parametrize("word", ["and", "see", "(at", "mail:", "書く"])
def test_a_url_behind_a_word_and_one_blank_is_found(url: str, word: str) -> None:
    """Some program that announces DelSp may not add its own blank."""
    assert [each.url for each in extract(f"so {word} \n{url} is\n", flowed="delsp")] == [url]
    # Here the standard decides; `aaa` is the rest of the first URL.
    assert [each.url for each in extract(f"{H}/ \naaa \nwww.h.example\n", flowed="delsp")] == [f"{H}/aaawww.h.example"]
    for begun in ("http://h.example/?u=", "http://h.example/and", "http://h.example/x "):
        text = f"{begun}{url}" if begun[-1] != " " else begun
        assert extract(f"{begun} \n{url} is\n", flowed="delsp")[0].url == extract(f"{text} is\n")[0].url


def test_windows_are_those_of_the_lines_that_are_put_together() -> None:
    """So a long text gives what it gives whole, and as sure."""
    text = "".join(broken(line, [7, 20, 33, 60], margin) for margin in MARGINS for line in LINES) * 8
    small = Extractor("current", "likely", window=WindowSize(own=4000, margin=6000, run=8000))
    assert len(list(small.windows(text, "delsp"))) > 4
    assert small(text, "delsp") == extract(text, flowed="delsp")


def test_the_line_ends_stay_if_nothing_may_be_joined() -> None:
    """The first line is read, and its confidence says that more follows."""
    (found,) = extract(f"see {H}/a \n/b\n", flowed="delsp", joins="never")
    assert (found.url, found.joins) == (f"{H}/a", ())
    assert found.confidence < 0.01
    (found,) = extract(f"see {H}/a \n  (but\n", flowed="delsp", joins="never")
    assert (found.url, found.certainty) == (f"{H}/a", "plain")
