"""The other finders: installed ones find certain URLs and their places; filters are tested with made-up programs."""

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
def test_each_installed_tool_gives_the_places_of_urls(peer: Peer) -> None:
    """Offsets are code points, also behind characters outside ASCII, a lone surrogate and a noncharacter."""
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
def test_each_tool_finds_hosts_without_a_scheme_with_bare(peer: Peer) -> None:
    """The host ends its line, because one of the tools looks for it only there."""
    try:
        find = peer.start(bare=True).find
    except MissingError as why:
        pytest.skip(str(why))
    assert find("see www.example.com\n") == [Found(4, 19, "www.example.com")]


def test_urls_that_uri_find_joins_have_their_places_in_the_text() -> None:
    """URI::Find removes white space in `<...>` and gives no places, so they are counted in the other characters."""
    try:
        find = URI_FIND.start(bare=False).find
    except MissingError as why:
        pytest.skip(str(why))
    assert find("< a b > <ftp://h.example/\n  b>, http://i.example/ .") == [
        Found(9, 29, "ftp://h.example/b"),
        Found(32, 49, "http://i.example/"),
    ]


def test_each_tool_knows_the_schemes_that_it_looks_for() -> None:
    """Some tools have a list of schemes, others take any word before two slashes."""
    urls = ["http://a.example/", "gopher://a.example/", "mailto:a@b.example", "news:a.b", "www.a.example"]
    assert [LINKIFY_IT.looks_for(url) for url in urls] == [True, False, True, False, False]
    assert [URLEXTRACT.looks_for(url) for url in urls] == [True, True, False, False, False]


def test_a_filter_answers_text_by_text() -> None:
    """The places that it writes become the URLs in the text, without white space."""
    program = Filter([sys.executable, "-c", ECHO])
    assert program.version == "1.0"
    assert [program.find(text) for text in ("é x:ab", "none\nat all", "x:\nb")] == [
        [Found(2, 6, "x:ab")],
        [],
        [Found(0, 4, "x:b")],
    ]


def test_a_filter_that_dies_of_a_text_is_started_again() -> None:
    """Its message is the reason why the text is given up, and the next text is read."""
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
    """The error gives the reason if the program is missing, or ends at once, with or without a message."""
    with pytest.raises(MissingError, match=why):
        Filter(command)
