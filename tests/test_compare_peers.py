"""The other finders: those that are installed find what each must, and say where; filters by made-up programs."""

from __future__ import annotations

import sys

import pytest

from comparison.filters import Filter, GaveUpError, MissingError
from comparison.peers import LINKIFY_IT, PEERS, URI_FIND, URLEXTRACT, Peer
from comparison.records import Found

ECHO = """
import sys
print("1.0", flush=True)
while line := sys.stdin.buffer.readline():
    text = sys.stdin.buffer.read(int(line)).decode()
    if "die" in text:
        sys.exit("it was too much")
    at = text.find("x:")
    print("" if at < 0 else f"{at}:{at + 4}", flush=True)
"""


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_each_tool_that_is_here_says_where_the_urls_stand(peer: Peer) -> None:
    """Offsets are code points, also behind what is not ASCII, a lone surrogate and a sign that is no character."""
    try:
        find = peer.start(bare=False).find
    except MissingError as why:
        pytest.skip(str(why))
    texts = ["see http://www.example.com/a there", "no é", "é \udcff\ufdd0 http://www.example.org/b é www.example.net"]
    assert [find(text) for text in texts] == [
        [Found(4, 28, "http://www.example.com/a")],
        [],
        [Found(5, 29, "http://www.example.org/b")],
    ]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_each_tool_finds_hosts_without_a_scheme_where_it_is_asked_to(peer: Peer) -> None:
    """The host ends its line, since one of the tools looks for it there alone."""
    try:
        find = peer.start(bare=True).find
    except MissingError as why:
        pytest.skip(str(why))
    assert find("see www.example.com\n") == [Found(4, 19, "www.example.com")]


def test_what_uri_find_joins_in_brackets_is_placed_where_it_stands() -> None:
    """It takes white space out of `<...>` and tells no places: they are counted in what is no white space."""
    try:
        find = URI_FIND.start(bare=False).find
    except MissingError as why:
        pytest.skip(str(why))
    assert find("< a b > <ftp://h.example/\n  b>, http://i.example/ .") == [
        Found(9, 29, "ftp://h.example/b"),
        Found(32, 49, "http://i.example/"),
    ]


def test_a_tool_is_held_to_the_schemes_that_it_looks_for() -> None:
    """Some name them, others take whatever stands before two slashes."""
    urls = ["http://a.example/", "gopher://a.example/", "mailto:a@b.example", "news:a.b", "www.a.example"]
    assert [LINKIFY_IT.looks_for(url) for url in urls] == [True, False, True, False, False]
    assert [URLEXTRACT.looks_for(url) for url in urls] == [True, True, False, False, False]


def test_a_filter_answers_text_by_text() -> None:
    """Its places become the URLs in the text, their white space taken out."""
    program = Filter([sys.executable, "-c", ECHO])
    assert program.version == "1.0"
    assert [program.find(text) for text in ("é x:ab", "none\nat all", "x:\nb")] == [
        [Found(2, 6, "x:ab")],
        [],
        [Found(0, 4, "x:b")],
    ]


def test_a_filter_that_dies_of_a_text_is_started_again() -> None:
    """The text is given up with what it said; the next one is read."""
    program = Filter([sys.executable, "-c", ECHO])
    with pytest.raises(GaveUpError, match="it was too much"):
        program.find("die")
    assert program.find("x:ab") == [Found(0, 4, "x:ab")]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["no-such-program-anywhere"], "no-such-program-anywhere: No such file"),
        ([sys.executable, "-c", "raise SystemExit('\\nno such module\\nat all')"], "no such module"),
        ([sys.executable, "-c", ""], "ended without a word"),
    ],
)
def test_a_filter_that_cannot_be_run_says_why(command: list[str], why: str) -> None:
    """It is not there, it ends with a message, or without one."""
    with pytest.raises(MissingError, match=why):
        Filter(command)
