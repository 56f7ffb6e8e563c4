"""The fast path may only miss: what it takes, the plain path reads the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simulator
from urlglean import Finding, extract, validate
from urlglean.records import LEVELS, Span
from urlglean.text import plain
from urlglean.text.extension import LONGEST, NAMES
from urlglean.text.extract import read_whole
from urlglean.text.found import Found
from urlglean.text.scan import scan

CORPUS = Path(__file__).parent.parent / "corpus" / "texts"

_SIGNS = """
    http:// https:// ftp:// HTTP:// http: mailto: MAILTO: news: URL: <URL: <url:
    a.example h-1.example.com -a.b.example a--b.ex 1.2.3.4 a.b.c [::1] user@ user:pw@ jo@ jo.b+c@a.example
    :80 : / /a /a/b.html .h .ht .g tm if ?x=1 ?subject=x ? &y=2 &gt; &lt &#60; #f # %41 %4 % ~ _ . , ,b ; ) ( ] [ ' "
    * < > | ! $ + = @ é 例 -- ==== s 's and so, word word: 7 </a> <b> <host> {x}
    """.split()  # noqa: SIM905 - a column of words reads worse
_WHITE = [" ", "  ", "\n", "\r\n", "\n\n", "\t", "> ", "| ", "- ", "\n> and so ", "\nif we ", " \nor a", "\ntext is "]
_BELOW = ["\n15. b", "\n[2] c", "\n> Date: d", "\nA: e", "\nhttp://b.example", "\n----\n", "\n- f", "\n| g", "\n| if h"]
PIECES = st.sampled_from([*_SIGNS, *_WHITE, *_BELOW, "a" * 63])
URLS = st.sampled_from(
    """
    http://a.example/ https://a.example/b/c.html ftp://a.example/x.h http://a.example/b?c=d&e=f;g,h http://www.a
    http://a.example mailto:jo@a.example mailto:jo@a.example?subject=x%20y&body= http://a.example/%41 http://a.example/b-
    http://a.example/b=
    """.split()  # noqa: SIM905
)


def both(text: str, monkeypatch: pytest.MonkeyPatch, joins: str = "likely", flowed: str = "") -> list[list[Finding]]:
    """The findings with the fast path and without."""
    fast = extract(text, joins=joins, flowed=flowed)
    with monkeypatch.context() as patch:
        patch.setattr(plain, "DIALECTS", frozenset())
        return [fast, extract(text, joins=joins, flowed=flowed)]


@settings(max_examples=1000)
@given(st.lists(PIECES, max_size=30).map("".join))
def test_the_fast_path_reads_what_the_plain_path_reads(text: str) -> None:
    """Any text of URL pieces, signs and white space."""
    with pytest.MonkeyPatch.context() as patch:
        fast, slow = both(text, patch)
    assert fast == slow


@settings(max_examples=1000)
@given(
    st.lists(st.tuples(PIECES, URLS, st.lists(PIECES, max_size=3).map("".join)), min_size=1, max_size=5),
    st.sampled_from(LEVELS),
    st.sampled_from(["", "flowed", "delsp"]),
)
def test_the_fast_path_reads_urls_alike_whatever_is_around_them(
    places: list[tuple[str, str, str]], joins: str, flowed: str
) -> None:
    """Whole URLs, some of them more than once, with signs and line ends at both sides."""
    text = "".join(before + url + after for before, url, after in places)
    with pytest.MonkeyPatch.context() as patch:
        fast, slow = both(text, patch, joins, flowed)
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


@pytest.mark.parametrize("around", ["see {}, and", "({}) so", "<{}>", "<URL:{}>", '"{}"', "> {}\n> and so on", "{}.\n"])
@pytest.mark.parametrize("url", ["http://www.example.org/a/b.html?x=1&y=%20#top", "mailto:jo@example.org"])
def test_the_fast_path_is_taken(url: str, around: str) -> None:
    """What most URLs in mail stand in is told at once, and they are valid."""
    (found,) = scan(around.format(url), fast=True)
    assert isinstance(found, Found)
    assert found.certainty
    assert found.of(around.format(url)) == url
    assert validate(url).valid


def test_most_urls_come_as_spans() -> None:
    """Blanks around: there is nothing more to say of it."""
    (span,) = scan("See http://www.example.org/ and more.", fast=True)
    assert isinstance(span, Span)


@given(st.from_regex(NAMES, fullmatch=True))
def test_no_extension_is_longer_than_the_longest(extension: str) -> None:
    """Of longer ones the first character would not be seen before the break."""
    assert len(f".{extension}") <= LONGEST
