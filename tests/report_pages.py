"""Pages of `urlglean report` for tests: how they are made and read, and the catalogue of some."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import html5lib

from handmade import Held, Letter, filled
from urlglean.archive.report import page


def page_of(database: Path) -> str:
    """The page about a catalogue."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        return page(connection, database.name)


def parsed(html: str) -> Any:
    """The tree of a page, by a parser that raises for each error of the HTML Standard."""
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(html)
    for element in tree.iter():
        element.tag = element.tag.rpartition("}")[2]  # of SVG
    return tree


def words(element: Any) -> str:
    """All text in an element, with single spaces."""
    return " ".join("".join(element.itertext()).split())


def cells(html: str, name: str) -> list[list[str]]:
    """The body of the table of that name, as text; no row if there is no such table."""
    for table in parsed(html).iter("table"):
        if table.find("caption").get("id") == f"t-{name}":
            return [[words(cell) for cell in row] for row in table.find("tbody")]
    return []


MAIL = [
    Letter(
        holds=(
            Held(url="http://www.example.org/a", wrapper="url-angle", certainty="stated", confidence=0.999),
            Held(
                url="http://www.example.org/broken", confidence=0.97, joins=((5, 8, "hard-wrap"),), certainty="inferred"
            ),
            Held(url="gopher://gopher.example.net/1"),
        ),
        rejects=(Held(url="http:", problems=(("incomplete", "RFC 1738 5", "something is missing"),)),),
        date="1994-05-01T00:00:00Z",
        subject="The first letter",
        newsgroups=("misc.test",),
    ),
    Letter(
        holds=(
            Held(url="http://www.example.org/broken", confidence=0.999),
            Held(url="http://www.example.com/x", confidence=0.6, joins=((5, 8, "hyphen-kept"),), settled=3),
            Held(url="ftp://ftp.example.com/ä", valid=False, problems=(("not-ascii", "RFC 1738 2.2", "a character"),)),
        ),
        date="1996-05-01T00:00:00Z",
    ),
    Letter(holds=(Held(url="http://www.example.org/a"),)),
]


def of_mail(path: Path) -> Path:
    """Make the catalogue `path` of `MAIL`."""
    troubles = [("a.mbox", "cut"), ("b.mbox", "cut")]
    return filled(path, MAIL, troubles=troubles, files=3, messages=4, octets=1_500_000)
