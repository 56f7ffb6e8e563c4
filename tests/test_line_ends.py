"""Texts mean the same whatever ends their lines: LF, CR LF, or CR as in old Macintosh files."""

from __future__ import annotations

import pytest
from hypothesis import given

from broken_texts import broken
from urlglean import extract

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


@pytest.mark.parametrize("ends", ["\n\r\r", "\r\n\r", "\r\r\n\r\r"], ids=ascii)
def test_several_kinds_in_one_text(ends: str) -> None:
    """A text that several programs have written has line ends of several kinds."""
    text = f"<URL:http://h.example/a{ends[0]}b> x{ends}http://h.example/c\n"
    assert [finding.url for finding in extract(text)] == ["http://h.example/ab", "http://h.example/c"]
