"""Fills databases of the shape of `output/schema.sql` for tests, from plain descriptions of documents."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from urlglean.output.tables import CATALOGUE, create
from urlglean.text.confidence import confidence_of

WHOLE = round(confidence_of("bare"), 4)
"""The confidence of a URL in the midst of a line."""


class Found(NamedTuple):
    """A finding. A doubtful one has `rivals`: other readings with their confidences, best first."""

    url: str
    rivals: Mapping[str, float] = {}
    confidence: float = WHOLE
    certainty: str = "plain"
    wrapper: str = "bare"
    joins: tuple[tuple[int, int, str], ...] = ()
    valid: bool = True
    cautions: tuple[str, ...] = ()
    problems: tuple[tuple[str, int, int], ...] = ()


class Mail(NamedTuple):
    """A document with its findings. One without a sender is a text."""

    sender: str | None
    findings: tuple[Found, ...] = ()
    subject: str | None = None
    date: str | None = "2001-01-01T00:00:00Z"
    path: str = "mail.mbox"


def broken(url: str, rivals: Mapping[str, float], confidence: float = 0.9) -> Found:
    """A finding that was read over a line break."""
    return Found(url, rivals, confidence, "inferred", joins=((10, 11, "hard-wrap"),))


def unjoined(url: str, rivals: Mapping[str, float], confidence: float = 0.7) -> Found:
    """A finding that was read up to the end of its line."""
    return Found(url, rivals, confidence, "inferred")


def whole(
    url: str, sender: str | None = "bert@example.org", subject: str | None = "Another thing", **more: Any
) -> Mail:
    """A document in which a URL stands whole."""
    return Mail(sender, (Found(url),), subject, **more)


def database(path: Path, documents: Iterable[Mail]) -> Path:
    """Make a database of these documents at `path`, in which nothing is settled. Their ids count from 1."""
    with closing(sqlite3.connect(path)) as connection:
        create(connection, CATALOGUE)
        day = "2026-01-01T00:00:00Z"
        connection.execute("INSERT INTO runs (version, options, started, ended) VALUES ('0', '{}', ?, ?)", (day, day))
        connection.commit()
    return grown(path, documents)


def grown(path: Path, documents: Iterable[Mail]) -> Path:
    """Add documents to a database."""
    with closing(sqlite3.connect(path)) as connection:
        (first,) = connection.execute("SELECT ifnull(max(id), 0) + 1 FROM documents").fetchone()
        for number, mail in enumerate(documents, first):
            _add(connection, number, mail)
        connection.execute(
            "UPDATE urls SET (documents, first_date, last_date) = (SELECT count(*), min(date), max(date)"
            " FROM documents WHERE id IN (SELECT document FROM findings WHERE findings.url = urls.id))"
        )
        connection.execute("INSERT INTO urls_fts (urls_fts) VALUES ('rebuild')")
        connection.commit()
    return path


def content(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables, but those by which SQLite searches texts."""
    with closing(sqlite3.connect(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {
            name: sorted(connection.execute(f'SELECT * FROM "{name}"'), key=repr)
            for name in names
            if "_fts" not in name
        }


def first(path: Path) -> tuple[str, float, int | None, list[str]]:
    """The first finding: its URL, confidence, `settled`, and its other readings."""
    with closing(sqlite3.connect(path)) as connection:
        url, confidence, settled = connection.execute(
            "SELECT urls.url, confidence, settled FROM findings AS f JOIN urls ON urls.id = f.url WHERE f.id = 1"
        ).fetchone()
        rivals = connection.execute("SELECT url FROM readings WHERE finding = 1 ORDER BY position").fetchall()
    return url, confidence, settled, [rival for (rival,) in rivals]


def _add(connection: sqlite3.Connection, number: int, mail: Mail) -> None:
    digest, kind = f"digest-{number}", "message" if mail.sender else "text"
    connection.execute(
        'INSERT INTO documents (id, identity, kind, path, "offset", length, digest, date, sender, subject)'
        " VALUES (?, ?, ?, ?, 0, 1, ?, ?, ?, ?)",
        (number, digest, kind, mail.path, digest, mail.date, mail.sender, mail.subject),
    )
    connection.execute(
        "INSERT INTO copies (id, document, digest, run, date, sender, subject) VALUES (?, ?, ?, 1, ?, ?, ?)",
        (number, number, digest, mail.date, mail.sender, mail.subject),
    )
    connection.execute(
        'INSERT INTO places (copy, path, "offset", length, "window", run) VALUES (?, ?, ?, 1, 0, 1)',
        (number, mail.path, number),
    )
    for found in mail.findings:
        _find(connection, number, found)


def _find(connection: sqlite3.Connection, document: int, found: Found) -> None:
    connection.execute("INSERT OR IGNORE INTO urls (url) VALUES (?)", (found.url,))
    finding = connection.execute(
        'INSERT INTO findings (url, document, copy, "start", "end", line, wrapper, certainty, confidence, valid,'
        " cautions) VALUES ((SELECT id FROM urls WHERE url = ?), ?, ?, 0, ?, 1, ?, ?, ?, ?, ?)",
        (
            found.url,
            document,
            document,
            len(found.url),
            found.wrapper,
            found.certainty,
            found.confidence,
            found.valid,
            json.dumps(found.cautions),
        ),
    ).lastrowid
    for table, rows in (("readings", found.rivals.items()), ("joins", found.joins)):
        for position, row in enumerate(rows):
            marks = ", ".join("?" * (2 + len(row)))
            connection.execute(f"INSERT INTO {table} VALUES ({marks})", (finding, position, *row))
    for position, (code, start, end) in enumerate(found.problems):
        connection.execute(
            "INSERT INTO problems VALUES (?, ?, ?, ?, ?, 'rule', 'message')", (finding, position, code, start, end)
        )
