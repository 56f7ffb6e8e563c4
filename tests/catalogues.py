"""Makes mail and catalogues of it, and reads what a catalogue holds: to compare it with rows and other catalogues."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from urlglean.cli import main
from urlglean.output.file_names import as_text
from urlglean.pipeline.run import Settings

LISTS = ("rivals", "problems", "cautions", "newsgroups")

CONTENT = {
    "documents": """SELECT identity, kind, path, member, "offset", length, digest, message_id, date, sender, subject,
        newsgroups FROM documents""",
    "copies": """SELECT identity, copies.digest, copies.message_id, copies.date, copies.sender, copies.subject,
        copies.newsgroups FROM copies JOIN documents ON documents.id = document""",
    "places": """SELECT digest, path, member, "offset", length, message, "window"
        FROM places JOIN copies ON copies.id = copy""",
    "urls": "SELECT url, scheme, host, domain, surt, href, first_date, last_date, documents FROM urls",
    "findings": """SELECT urls.url, digest, part, field, "start", "end", line, wrapper, certainty, confidence, valid,
        cautions, settled,
        (SELECT json_group_array(json_array(position, url, confidence)) FROM readings WHERE finding = findings.id),
        (SELECT json_group_array(json_array(position, "start", "end", rule)) FROM joins WHERE finding = findings.id),
        (SELECT json_group_array(json_array(position, code, "start", "end", rule, message))
            FROM problems WHERE finding = findings.id)
        FROM findings JOIN urls ON urls.id = findings.url JOIN copies ON copies.id = copy""",
    "rejects": """SELECT rejects.url, digest, part, field, "start", "end", line, wrapper, problems
        FROM rejects JOIN copies ON copies.id = copy""",
    "troubles": "SELECT path, member, message, digest, cause FROM troubles LEFT JOIN copies ON copies.id = copy",
}
"""All that a catalogue tells, by table, without the numbers by which rows refer to each other, and without the runs."""

MISCOUNTED = """
SELECT url FROM urls WHERE documents != (SELECT count(DISTINCT document) FROM findings WHERE findings.url = urls.id)
    OR first_date IS NOT
        (SELECT min(date) FROM findings JOIN documents ON documents.id = document WHERE findings.url = urls.id)
    OR last_date IS NOT
        (SELECT max(date) FROM findings JOIN documents ON documents.id = document WHERE findings.url = urls.id)
"""
"""The URLs whose counts and dates are not those of the documents that hold them."""


def message(number: int, text: str, *, fields: str = "", subject: str = "on birds") -> str:
    """A message of the n-th day."""
    return (
        f"From: a@b.example\nMessage-ID: <{number}@list.example>\nDate: {number % 28 + 1} May 1997 10:00:00 +0000\n"
        f"{fields}Subject: {subject}\n\n{text}\n"
    )


def mbox(*messages: str) -> bytes:
    """A mailbox."""
    envelope = "From a@b.example Thu May  1 10:00:00 1997\n"
    return "".join(f"{envelope}{each}\n" for each in messages).encode()


MAY = mbox(message(1, "http://a.example/1"), message(2, "none"), message(3, "http://a.example/1 ftp://b.example/x"))
JUNE = mbox(message(4, "http://a.example/1"), message(5, "<URL:http://c.example/a\n/b> http://:x/ <URL:http://:x/>"))


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Where a catalogue may be made."""
    return tmp_path / "urls.db"


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    """A folder with two mailboxes."""
    folder = tmp_path / "mail"
    folder.mkdir()
    (folder / "may").write_bytes(MAY)
    (folder / "june").write_bytes(JUNE)
    return folder


def catalog(*arguments: object, settings: Settings | None = None) -> Result:
    """Run `urlglean catalog` in this process."""
    arguments = ("catalog", *arguments) if "--jobs" in arguments else ("catalog", "--jobs", 1, *arguments)
    return CliRunner().invoke(main, [str(argument) for argument in arguments], obj=settings)


def ask(db: Path, statement: str) -> list[Any]:
    """The rows that a database answers; of rows with one column, the values."""
    with closing(sqlite3.connect(db)) as connection:
        rows = connection.execute(statement).fetchall()
    return [row[0] if len(row) == 1 else row for row in rows]


def content(db: Path) -> dict[str, Counter[Any]]:
    """All that a catalogue tells, after a check that it agrees with itself."""
    with closing(sqlite3.connect(db)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute(MISCOUNTED).fetchall() == []
        for table in ("urls_fts", "documents_fts"):  # raises if the index is not that of its table
            connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
        connection.rollback()
        return {table: Counter(connection.execute(statement).fetchall()) for table, statement in CONTENT.items()}


def fresh(mail: Path, settings: Settings | None = None) -> dict[str, object]:
    """What a catalogue that is made now of a folder tells."""
    other = mail.parent / "fresh.db"
    other.unlink(missing_ok=True)
    catalog(other, mail, settings=settings)
    return dict(content(other))


def rows(db: Path) -> Counter[str]:
    """The rows of the view `rows`, each as JSON."""
    with closing(sqlite3.connect(db)) as connection:
        connection.row_factory = sqlite3.Row
        return Counter(map(_as_json, connection.execute("SELECT * FROM rows")))


def _as_json(row: sqlite3.Row) -> str:
    values = dict(row)
    for name in LISTS:
        values[name] = None if values[name] is None else json.loads(values[name])
    return json.dumps(values | {"valid": bool(values["valid"])})


def scanned(*paths: Path | str, arguments: Iterable[str] = ()) -> Counter[str]:
    """The rows of a scan that writes JSON lines, each as JSON whose path is as in tables."""
    result = CliRunner().invoke(main, ["scan", "--jobs", "1", "--format", "jsonl", *arguments, *map(str, paths)])
    found = (json.loads(line) for line in result.stdout_bytes.splitlines())
    return Counter(json.dumps(row | {"path": as_text(row["path"])}) for row in found)
