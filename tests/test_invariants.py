"""Every invariant of a finding, over dialects, levels of joins and kinds of flowed text, as one property."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from invariants import Asked, hold_in_text
from urlglean.records import LEVELS, Dialect, Flowed

# Pieces that the scanner looks for, and signs at which rules of ends, joins and mends apply.
FRAGMENTS = """
    http:// https://a.example/ HTTP://A.EXAMPLE ftp://ftp.example.org/pub/ gopher://g.example/1 a://a.aa snews:a@ news:
    mailto:jo@a.example urn:isbn:1 magnet:?xt=urn:btih:abc tel:+15550100 data:, sip:a@b geo:1,1 doi:10.1/x file:/
    view-source: http:/ http:www.a.example www.a.example/ ftp.a.example URL: <URL: <URL:http:// < > " ' ( ) [ ] { } {id}
    %s %2 %41 # ? & = - -- ... . , ; : / // @ * _ ~ | ^ \\_ \\~{} &gt; a b1 archive= /c.html .htmlThe xn--a :80 例 é 。
    ht tp://a.example/ f ile:/// ‾ ～a \xad ‑b \u202e \ufe0f \u034f \ud800 \0 \x1b
    """.split()  # noqa: SIM905 - a column of words reads worse
BREAKS = ["\n", "\r\n", "\r", " \n", "=\n", "=\r\n", "-\n", "'\n'", "=\n> ", "\n> ", "\n>> ", "\n| ", "\n\n", "\f"]
BLANKS = [" ", "\t"]
LONG = ["a" * 60, "b" * 76, "word " * 11]
PAGE = ["\n\nDoe   Informational   [Page 7]\n\f\nRFC 9999   Things   May 2001\n\n"]
TEXTS = st.lists(st.sampled_from([*FRAGMENTS, *BREAKS, *BLANKS, *LONG, *PAGE]), max_size=24).map("".join)

ASKED = st.builds(
    Asked,
    dialect=st.sampled_from(get_args(Dialect)),
    joins=st.sampled_from(LEVELS),
    flowed=st.sampled_from(get_args(Flowed)),
    strict=st.booleans(),
    schemes=st.sampled_from([(), ("doi",), ("a", "about")]),
    bare_hosts=st.booleans(),
)


@settings(max_examples=800)
@given(TEXTS, ASKED)
def test_every_invariant_holds_for_every_finding(text: str, asked: Asked) -> None:
    """The invariants hold for any text and any options."""
    hold_in_text(text, asked)


URLS = st.sampled_from(
    ["http://a.example/", "ftp://ftp.example.org/pub/", "http://h.example/archive", "mailto:a@b.example"]
)
GLUE = st.sampled_from(
    ["=\n", "=\r\n", "=\n> ", "=\n=\n", "\n", "-\n", " \n", " ", "/", "=", "", ">", "\n>", '"', "?u="]
)
OPENING = st.sampled_from(["", "<", "<URL:", '"', "URL:", "URL: ", "> ", "lines=\n", "a=3D=\n", f"{'x' * 75}=\n"])


@settings(max_examples=800)
@given(st.lists(st.tuples(OPENING, URLS, GLUE), min_size=2, max_size=6), ASKED)
def test_urls_that_soft_breaks_run_together_do_not_overlap(places: list[tuple[str, str, str]], asked: Asked) -> None:
    """With soft breaks, wrappers and line ends between several URLs, none is found twice and none inside another."""
    hold_in_text("".join(before + url + behind for before, url, behind in places), asked)


EXAMPLES = {
    "a quote mark behind a flowed line": ("a://a.aa \n>", Asked(flowed="delsp")),
    "a wrapper with a soft break": ("<URL:http://=\n " + "a" * 68 + "=", Asked()),
    "an address without a domain": ("snews:a@\0", Asked("rfc1738")),
    "a URL behind a soft break": (
        "... lines=\nhttp://h.example/archive=\nftp://ftp.example.org/pub/ ok\n",
        Asked(),
    ),
    "an entity that ends a word before a control": ("see http://a.example/b?c&lt=5&gt\x1a=2", Asked()),
    "a line end in quotation marks of source code": ("see http://a.example/ <URL:'\n'> b", Asked()),
    "strings of source code that share a mark": ("<URL:http://h.example/a'\n'\n'b>", Asked()),
    "empty strings of source code": ("<URL:http://h.example/a'\n''\n'b'\n'\n'> <URL:http:''\n'//h.example/'>", Asked()),
    "a host in a script without spaces": ("http://h.例/>", Asked()),
    "less effort left by the slow path": (
        "\"http://a.exampel/\"g/vanna/h'ws://=%ws://'ws://=%ws://'tp://h.le/^{-\n-",
        Asked(),
    ),
    "a whole that is left because the effort is over": (
        "'ws://=%ws://'ws://=%ws://'wst://h.le/^{-}\udcff{-}{\n-",
        Asked(),
    ),
    "much work between rejected candidates": ("[?http://[bh?ttp://thttp://t" * 33, Asked()),
    "soft breaks alone behind a URL": ("a=3D\nhttp://h.example/archive=\n=\n", Asked()),
    "soft breaks alone before the next URL": ("a=3D\nhttp://h.example/b=\n=\nftp://ftp.example.org/ ok\n", Asked()),
    "a doubled URL in an open wrapper": ("<URL:http://ftp://ftp.example.org/pub/", Asked()),
    "an open wrapper with a doubtful end": ("<http://www.exam$ple.org/s/www.example.org/start-x.ht of it.", Asked()),
    "more readings than are tried, of which the first is no URL": (
        "<URL:http://www.w3-\n.org/a-\nb-\nc-\nd-\ne>",
        Asked(),
    ),
}


@pytest.mark.parametrize(("text", "asked"), EXAMPLES.values(), ids=EXAMPLES)
def test_texts_that_once_broke_an_invariant(text: str, asked: Asked) -> None:
    """Each of these texts once broke an invariant."""
    for flowed in get_args(Flowed):
        for joins in LEVELS:
            hold_in_text(text, Asked(asked.dialect, joins, flowed))
