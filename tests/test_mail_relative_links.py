"""Relative links joined to the base of their page."""

from __future__ import annotations

import re

import pytest
from ada_url import URL
from hypothesis import given
from hypothesis import strategies as st

from urlglean.mail.relative_links import joined

BASE = "http://a/b/c/d;p?q"
EXAMPLES = {
    "g": "http://a/b/c/g",
    "./g": "http://a/b/c/g",
    "g/": "http://a/b/c/g/",
    "/g": "http://a/g",
    "//g": "http://g",
    "?y": "http://a/b/c/d;p?y",
    "g?y": "http://a/b/c/g?y",
    "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s",
    "g?y#s": "http://a/b/c/g?y#s",
    ";x": "http://a/b/c/;x",
    "g;x": "http://a/b/c/g;x",
    "g;x?y#s": "http://a/b/c/g;x?y#s",
    "": "http://a/b/c/d;p?q",
    ".": "http://a/b/c/",
    "./": "http://a/b/c/",
    "..": "http://a/b/",
    "../": "http://a/b/",
    "../g": "http://a/b/g",
    "../..": "http://a/",
    "../../": "http://a/",
    "../../g": "http://a/g",
    "../../../g": "http://a/g",
    "../../../../g": "http://a/g",
    "/./g": "http://a/g",
    "/../g": "http://a/g",
    "g.": "http://a/b/c/g.",
    ".g": "http://a/b/c/.g",
    "g..": "http://a/b/c/g..",
    "..g": "http://a/b/c/..g",
    "./../g": "http://a/b/g",
    "./g/.": "http://a/b/c/g/",
    "g/./h": "http://a/b/c/g/h",
    "g/../h": "http://a/b/c/h",
    "g;x=1/./y": "http://a/b/c/g;x=1/y",
    "g;x=1/../y": "http://a/b/c/y",
    "g?y/./x": "http://a/b/c/g?y/./x",
    "g?y/../x": "http://a/b/c/g?y/../x",
    "g#s/./x": "http://a/b/c/g#s/./x",
    "g#s/../x": "http://a/b/c/g#s/../x",
}


@pytest.mark.parametrize(("link", "url"), EXAMPLES.items())
def test_the_examples_of_the_standard(link: str, url: str) -> None:
    """RFC 3986 5.4.1 and 5.4.2, but for those with a scheme."""
    assert joined(BASE, link) == url


@pytest.mark.parametrize(
    ("base", "link", "url"),
    [
        # An empty part is not an absent one (RFC 3986 5.3).
        ("http://h.example/a/c.html", "#", "http://h.example/a/c.html#"),
        ("http://h.example/a/c.html", "?", "http://h.example/a/c.html?"),
        ("http://h.example/a/c.html", "d.cgi?#x", "http://h.example/a/d.cgi?#x"),
        ("http://h.example/a/c.html", "d;", "http://h.example/a/d;"),
        ("http://h.example/?#f", "", "http://h.example/?"),
        # So is an empty segment (5.2.4).
        ("http://h.example/a//b", "/web/2001/http://g.example/", "http://h.example/web/2001/http://g.example/"),
        ("http://h.example/a//b", "c", "http://h.example/a//c"),
        # Nothing is escaped, decoded or put in another case, but the scheme.
        ("HTTP://H.example/", "%7ea ä", "http://H.example/%7ea ä"),
        # To a scheme that is not special, a backslash is a sign like others.
        ("gopher://h.example/1", r"a\b", r"gopher://h.example/a\b"),
        ("file:///a/b", "c", "file:///a/c"),
        ("x:/a/b", "../c", "x:/c"),
        ("x:/a/b", "//g.example/", "x://g.example/"),
        # These mean no place.
        ("mailto:a@b.example", "c", "c"),
        ("http://h.example/", "//", "//"),
        ("http://h.example/", r"c:\d", r"c:\d"),
    ],
)
def test_what_is_joined(base: str, link: str, url: str) -> None:
    """The documents and sections stand beside the rows."""
    assert joined(base, link) == url


BASES = st.sampled_from(
    [
        "http://h.example",
        "https://h.example/",
        "http://h.example/a/c.html",
        "ftp://h.example/a//b/",
        "http:\\\\h.example\\a\\",
        "http:/h.example/x/../y/?q#f",
        "http:h.example/a",
        "HTTP://h.example/a/b/.",
        "http://h.example/a/b/..",
        "http://h.example?q",
        "http://h.example/a?x/y/",
        "ws://h.example//",
    ]
)
PIECES = [
    "a",
    "b/",
    "/",
    "//",
    "\\",
    "..",
    "../",
    ".",
    "./",
    "?",
    "#",
    "x=1",
    ";",
    "&",
    "g.example",
    ":",
    "%20",
    "~",
    "@",
]
LINKS = st.lists(st.sampled_from(PIECES), max_size=7).map("".join).filter(lambda link: not re.match("[A-Za-z]+:", link))


@given(BASES, LINKS)
def test_links_lead_where_browsers_go(base: str, link: str) -> None:
    """URL Standard 4.4: backslashes and any number of slashes before a host. Compared with the library of the judge."""

    def href(url: str, on: str | None = None) -> str | None:
        try:
            return str(URL(url, on).href)
        except ValueError:
            return None

    assert href(joined(base, link)) == href(link, base)
