"""The destinations of links, whose syntax states where they end."""

from __future__ import annotations

import pytest

from urlglean import extract
from urlglean.text.destinations import _LONGEST, DESTINATIONS

H = "http://www.example.org"
AROUND = {
    "CommonMark 6.3": "see [it]({}) and",
    "Org manual, Link Format": "see [[{}][it]] and",
    "LaTeX, hyperref": "see \\href{{{}}}{{it}} and",
}


@pytest.mark.parametrize(
    "around", [*AROUND.values(), "![it]({})", '[it]({} "of it")', "[[{}]].", "\\url{{{}}},", "\\nolinkurl{{{}}}"]
)
@pytest.mark.parametrize("end", ["Apple_Inc.", "Yahoo!", "Who?", "a__", "Hawai'i", "C言語", "A–B", "a.", "a/", "b"])
def test_a_destination_ends_where_its_link_says(around: str, end: str) -> None:
    """Also in signs that end a URL in prose."""
    assert [each.url for each in extract(around.format(f"{H}/wiki/{end}"))] == [f"{H}/wiki/{end}"]


def test_each_syntax_has_a_text() -> None:
    """Each row of the table is tested above."""
    assert set(AROUND) == {row.source for row in DESTINATIONS}


@pytest.mark.parametrize("around", ["[[{}]]", "[it]({})", "\\url{{{}}}"])
@pytest.mark.parametrize("between", [",", ";", "、", "或", "—"])
def test_several_urls_are_no_destination(around: str, between: str) -> None:
    """In other languages, brackets hold lists."""
    assert [each.url for each in extract(around.format(f"{H}/a{between}{H}/b"))] == [f"{H}/a", f"{H}/b"]


@pytest.mark.parametrize(
    "sign", ["\x1b[0m", "\0", "\u200b", "\ufeff", "\u202c", "\ufffd", "”", "’", "`", "&quot;", "&gt;"]
)
def test_signs_that_are_no_part_of_a_destination(sign: str) -> None:
    """Nobody sees some of them, and others belong to the text around the link."""
    assert extract(f"[it]({H}/a{sign}) b")[0].url == f"{H}/a"


def test_a_destination_has_a_bound() -> None:
    """What is longer is read as prose."""
    for length, end in ((_LONGEST - len(H) - 3, "."), (_LONGEST, "")):
        name = "a" * length
        assert extract(f"[it]({H}/{name}.) b")[0].url == f"{H}/{name}{end}"


def test_a_text_that_begins_with_a_url_is_no_value() -> None:
    """A bracket is closed in it that was opened before it."""
    assert extract(f'"line": "{H}/a)."')[0].url == f"{H}/a)"


def test_a_destination_may_have_brackets_in_pairs() -> None:
    """CommonMark 6.3 says so."""
    assert extract(f"[it]({H}/a_(b).) c")[0].url == f"{H}/a_(b)."


@pytest.mark.parametrize(
    "text",
    [
        "[it](see {}.)",
        "[it]({}, of it)",
        "({}.)",
        "[{}.]",
        "{{{}.}}",
        "[it]({}.",
        "[it]({}.\n)",
        "[it]({}.|a)",
        "[it]({}...)",
    ],
)
def test_in_other_brackets_a_url_ends_as_in_prose(text: str) -> None:
    """They are those of a sentence, or nothing closes them."""
    assert extract(text.format(f"{H}/a"))[0].url == f"{H}/a"


@pytest.mark.parametrize(("text", "end"), [('<a href="{}">', "."), ('{{"u": "{}"}}', "."), ('he typed "{}"', "")])
def test_the_value_of_an_attribute_or_a_member_is_whole(text: str, end: str) -> None:
    """In other quotation marks, American usage puts the full stop of the sentence."""
    assert extract(text.format(f"{H}/Inc."))[0].url == f"{H}/Inc{end}"
    assert extract(text.format(f"{H}/Inc..."))[0].url == f"{H}/Inc"
    assert extract(text.format(f"{H}/A_(Inc.)."))[0].url == f"{H}/A_(Inc.){end}"


@pytest.mark.parametrize("before", ["def __init__(self):  # ", "[`__str__()`] and ", "__all__, "])
def test_underscores_that_close_a_name_open_no_emphasis(before: str) -> None:
    """Names of Python stand between two of them."""
    assert extract(f"{before}{H}/model.html#object.__get__\n")[0].url.endswith("__get__")
    assert extract(f"__see {H}/a__ b")[0].url == f"{H}/a"
    assert extract(f"——**see {H}/a** b")[0].url == f"{H}/a"
