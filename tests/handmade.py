"""Catalogues made by hand: the tables of `output/schema.sql`, filled with what a test tells."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from urlglean import validate
from urlglean.output.tables import CATALOGUE, create


class Held(Struct, frozen=True, kw_only=True):
    """A finding. `joins` are (start, end, rule), `problems` (code, rule, message), `readings` (url, confidence)."""

    url: str
    confidence: float = 0.99
    wrapper: str = "bare"
    certainty: str = "plain"
    valid: bool = True
    joins: tuple[tuple[int, int, str], ...] = ()
    problems: tuple[tuple[str, str, str], ...] = ()
    readings: tuple[tuple[str, float], ...] = ()
    settled: int | None = None
    start: int = 0
    end: int = 0
    part: str | None = None
    field: str | None = None


class Letter(Struct, frozen=True, kw_only=True):
    """A document with one copy at one place. `rejects` are findings whose `problems` say why."""

    holds: tuple[Held, ...] = ()
    rejects: tuple[Held, ...] = ()
    date: str | None = None
    subject: str | None = None
    newsgroups: tuple[str, ...] | None = None
    path: str = "mail.mbox"
    offset: int = 0
    length: int = 0
    kind: str = "message"
    digest: str | None = None


def filled(path: Path, letters: Iterable[Letter], *, troubles: Iterable[tuple[str, str]] = (), **run: object) -> Path:
    """Make the catalogue `path` of these documents. `troubles` are (path, cause); `run` are columns of its run."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = OFF")
        create(connection, CATALOGUE)
        insert(connection, "runs", {"id": 1, "version": "0", "options": "{}", "started": "2001-01-01T00:00:00Z", **run})
        for number, letter in enumerate(letters, 1):
            _add(connection, number, letter)
        for where, cause in troubles:
            insert(connection, "troubles", {"run": 1, "path": where, "cause": cause})
        connection.execute(
            "UPDATE urls SET (documents, first_date, last_date) ="
            " (SELECT count(DISTINCT document), min(date), max(date) FROM findings"
            " JOIN documents ON documents.id = document WHERE url = urls.id)"
        )
        connection.execute("INSERT INTO urls_fts (urls_fts) VALUES ('rebuild')")
        connection.execute("INSERT INTO documents_fts (documents_fts) VALUES ('rebuild')")
        connection.commit()
    return path


def insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> int:
    """Insert a row, and give its number."""
    columns = ", ".join(f'"{name}"' for name in row)
    marks = ", ".join("?" * len(row))
    number = connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", tuple(row.values())).lastrowid
    assert number is not None
    return number


def _add(connection: sqlite3.Connection, number: int, letter: Letter) -> None:
    digest = letter.digest or f"digest {number}"
    envelope = {
        "date": letter.date,
        "subject": letter.subject,
        "newsgroups": None if letter.newsgroups is None else json.dumps(letter.newsgroups),
    }
    where = {"path": letter.path, "offset": letter.offset or number * 1000, "length": letter.length}
    document = {"id": number, "identity": digest, "kind": letter.kind, "digest": digest, **where, **envelope}
    insert(connection, "documents", document)
    insert(connection, "copies", {"id": number, "document": number, "digest": digest, "run": 1, **envelope})
    insert(connection, "places", {"copy": number, "window": 0, "run": 1, "message": number, **where})
    for held in letter.holds:
        _add_finding(connection, number, held)
    for held in letter.rejects:
        problems = json.dumps(
            [{"code": code, "start": 0, "end": 1, "rule": rule, "message": told} for code, rule, told in held.problems]
        )
        insert(connection, "rejects", {"url": held.url, "copy": number, "problems": problems, **_place(held)})


def _place(held: Held) -> dict[str, Any]:
    end = held.end or held.start + len(held.url)
    return {
        "part": held.part, "field": held.field, "start": held.start, "end": end, "line": 1, "wrapper": held.wrapper
    }  # fmt: skip


def _add_finding(connection: sqlite3.Connection, number: int, held: Held) -> None:
    known = connection.execute("SELECT id FROM urls WHERE url = ?", (held.url,)).fetchone()
    url = known[0] if known else insert(connection, "urls", _url_row(held.url))
    row = {
        "url": url, "document": number, "copy": number, "certainty": held.certainty, "confidence": held.confidence,
        "valid": held.valid, "cautions": "[]", "settled": held.settled, **_place(held),
    }  # fmt: skip
    finding = insert(connection, "findings", row)
    for position, (start, end, rule) in enumerate(held.joins):
        insert(
            connection,
            "joins",
            {"finding": finding, "position": position, "start": start, "end": end, "rule": rule},
        )
    for position, (other, confidence) in enumerate(held.readings):
        insert(
            connection,
            "readings",
            {"finding": finding, "position": position, "url": other, "confidence": confidence},
        )
    for position, (code, rule, message) in enumerate(held.problems):
        what = {"code": code, "start": 0, "end": 1, "rule": rule, "message": message}
        insert(connection, "problems", {"finding": finding, "position": position, **what})


def _url_row(url: str) -> dict[str, Any]:
    """A row of `urls`; the registered domain are the last two labels of the host, and the SURT its labels reversed."""
    href = validate(url, "web").href
    pieces = urlsplit(href or "")
    labels = (pieces.hostname or "").split(".")
    return {
        "url": url,
        "scheme": url.partition(":")[0].lower(),
        "host": pieces.hostname,
        "domain": ".".join(labels[-2:]) if pieces.hostname else None,
        "surt": f"{','.join(reversed(labels))}){pieces.path}" if pieces.hostname else None,
        "href": href,
    }
