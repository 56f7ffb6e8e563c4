"""The fast path may only miss: what it takes, the plain path reads the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simulator
from urlglean import Finding, extract, validate
from urlglean.text import plain
from urlglean.text.extract import read_whole
from urlglean.text.scan import scan

CORPUS = Path(__file__).parent.parent / "corpus" / "texts"

PIECES = st.sampled_from(
    [
        *(
            "http://",
            "https://",
            "ftp://",
            "HTTP://",
            "http:",
            "a.example",
            "h-1.example.com",
            "-a.b.example",
            "a--b.ex",
        ),
        *(":80", ":", "/", "/a", "/a/b.html", "?x=1", "&y=2", "&gt;", "&lt", "&#60;", "#f", "#", "%41", "%4", "%", "~"),
        *("_", ".", ",", ")", "(", "'", '"', "*", "<", ">", " ", "  ", "\n", "\r\n", "\n\n", "\t", "> ", "URL:", "x"),
        *(
            "s",
            "'s",
            "a" * 63,
            "1.2.3.4",
            "a.b.c",
            "[::1]",
            "user@",
            "user:pw@",
            "é",
            "例",
            "--",
            "====",
            "!",
            "$",
            "+",
        ),
        *("=", ";", "@"),
    ]
)


def both(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Finding], list[Finding]]:
    """The findings with the fast path and without."""
    fast = extract(text)
    with monkeypatch.context() as patch:
        patch.setattr(plain, "DIALECTS", frozenset())
        return fast, extract(text)


@settings(max_examples=1000)
@given(st.lists(PIECES, max_size=30).map("".join))
def test_the_fast_path_reads_what_the_plain_path_reads(text: str) -> None:
    """Any text of URL pieces, signs and white space."""
    with pytest.MonkeyPatch.context() as patch:
        fast, slow = both(text, patch)
    assert fast == slow


@settings(max_examples=1000)
@given(
    st.lists(PIECES, max_size=12).map("".join), st.sampled_from(["http://", "https://a.example/", "http://a.b:1/?", ""])
)
def test_the_fast_path_judges_a_whole_as_the_judge_does(text: str, before: str) -> None:
    """Any attribute's value of the same pieces."""
    fast = read_whole(before + text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain, "DIALECTS", frozenset())
        assert fast == read_whole(before + text)


def test_the_fast_path_agrees_on_the_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every marked text."""
    for path in sorted(CORPUS.glob("*.txt")):
        fast, slow = both(path.read_bytes().decode("utf-8", "surrogateescape"), monkeypatch)
        assert fast == slow, path.name


@pytest.mark.parametrize("kind", simulator.KINDS)
def test_the_fast_path_agrees_on_simulated_mail(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every way of breaking, and of not breaking."""
    for case in simulator.cases(kind, 150, seed=30):
        fast, slow = both(case.text, monkeypatch)
        assert fast == slow


def test_the_fast_path_is_taken() -> None:
    """A URL in the middle of its line comes as its span alone, and is valid."""
    text = "See http://www.example.org/a/b.html?x=1&y=%20#top and more."
    (span,) = scan(text, fast=True)
    assert not hasattr(span, "wrapper")
    assert validate(text[span.start : span.end]).valid
