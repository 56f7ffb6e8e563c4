"""Texts mean the same whatever ends their lines: LF, CR LF, or CR as in old Macintosh files."""

from __future__ import annotations

import pytest
from hypothesis import given

from broken_texts import broken
from urlglean import extract
from urlglean.text.joining.explanation import weighed
from urlglean.windows import line_ends

WITH_LF = broken("ht", "tp://h.example/a", "=\n", "|", "| ", "-\n", "<", "#", "//").map(
    lambda made: made.replace("\r", "")
)


@given(WITH_LF)
def test_cr_alone_ends_a_line_as_lf_does(text: str) -> None:
    """The findings are equal, with all their places."""
    assert extract(text.replace("\n", "\r"), invalid=True) == extract(text, invalid=True)


@given(WITH_LF)
def test_cr_lf_ends_a_line_as_lf_does(text: str) -> None:
    """The URLs are equal, and so is how sure they are."""
    long, short = (extract(each, invalid=True) for each in (text.replace("\n", "\r\n"), text))
    assert [(f.url, f.confidence) for f in long] == [(f.url, f.confidence) for f in short]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=ascii)
def test_a_bracket_of_another_paragraph_is_no_mouth(end: str) -> None:
    """An empty line ends a paragraph, whatever ends lines."""
    assert extract(f"({end}{end}http://h.example/a=)")[0].url == "http://h.example/a"


def test_cr_cr_lf_is_one_line_end() -> None:
    """A copy as text on DOS makes it of CR LF. Two would be an empty line, over which no URL goes on."""
    (found,) = extract("<URL:http://h.example/a\r\r\nb>\r\r\n")
    assert found.url == "http://h.example/ab"


def test_an_explanation_knows_cr_alone() -> None:
    """It is of the same breaks."""
    text = "It is at http://www.example.org/library/collections/reports/quarterly/sum\nmaries/may.html now.\n"
    assert weighed(text.replace("\n", "\r"), {9}) == weighed(text, {9}) != {}


@pytest.mark.parametrize("ends", ["\n\r\r", "\r\n\r", "\r\r\n\r\r"], ids=ascii)
def test_several_kinds_in_one_text(ends: str) -> None:
    """A text that several programs have written has line ends of several kinds."""
    text = f"<URL:http://h.example/a{ends[0]}b> x{ends}http://h.example/c\n"
    assert [finding.url for finding in extract(text)] == ["http://h.example/ab", "http://h.example/c"]


@given(WITH_LF)
def test_all_kinds_of_line_ends_count_as_one_line(text: str) -> None:
    """So lines have the numbers that other programs give them."""
    for end in ("\n", "\r", "\r\n", "\r\r\n"):
        ended = text.replace("\n", end)
        assert line_ends(ended, 0, len(ended)) == text.count("\n")
