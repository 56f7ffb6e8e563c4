"""Long documents reach a catalogue in pieces: all of them count, or none."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from catalogues import ask, catalog, content, rows, scanned
from urlglean.output import document_lines, jsonl
from urlglean.output.tables import CATALOGUE, Tables, create
from urlglean.pipeline.chunk_result import PIECE


def line(number: int, *, url: int = 0, last: bool = True, limited: bool = False, found: int = 1) -> bytes:
    """A line of a document, with findings."""
    found_url = f"http://a.example/{url or number}"
    finding = [
        found_url,
        "http",
        "a.example",
        "bare",
        "plain",
        0.9,
        True,
        [],
        [],
        [],
        1,
        9,
        1,
        None,
        None,
        None,
        [],
        [],
    ]
    envelope = [f"{number}@x", None, None, "s", None]
    where = ["mbox", None, number, 9, number + 1, 0]
    troubles = ["given up"] if limited else []
    values = [
        "document",
        f"{number:032}",
        None,
        "message",
        *where,
        envelope,
        [finding] * found,
        [],
        troubles,
        limited,
        last,
    ]
    return jsonl.encoded(values) + b"\n"


@pytest.mark.parametrize(
    "end",
    [
        line(2, limited=True),
        jsonl.encoded(["trouble", "mbox", None, 3, "the process died"]) + b"\n",
        line(3),
        b"",
    ],
    ids=["limit", "death", "next", "end"],
)
@pytest.mark.parametrize("together", [True, False])
def test_a_long_document_is_known_when_its_last_piece_came(tmp_path: Path, end: bytes, *, together: bool) -> None:
    """Else nothing of it is, whatever pieces came before; what stood before and comes behind it stays."""
    db = tmp_path / "urls.db"
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        create(connection, CATALOGUE)
        connection.execute("BEGIN")
        tables = Tables(connection, grows=True)
        tables.write(document_lines.run_line("1", {}))
        pieces = [line(1), line(2, last=False), line(2, last=False), end, line(4, url=2), line(5, last=False), line(5)]
        for piece in [b"".join(pieces)] if together else pieces:
            tables.write(piece)
        tables.end()
        connection.execute("COMMIT")
    known = ["1@x", "4@x", "5@x"] if end != line(3) else ["1@x", "3@x", "4@x", "5@x"]
    assert ask(db, "SELECT message_id FROM documents ORDER BY 1") == known
    assert ask(db, "SELECT count(*) FROM urls") == [len(known)]
    assert ask(db, "SELECT count(*) FROM findings") == [len(known) + 1]
    assert tables.findings == len(known) + 1
    content(db)


def test_a_document_with_many_findings_is_written_in_pieces(tmp_path: Path) -> None:
    """All of them, or none."""
    db, text = tmp_path / "urls.db", tmp_path / "text"
    text.write_text("".join(f"http://a.example/{number % 5}\n" for number in range(PIECE // 100)))
    catalog(db, text)
    assert rows(db) == scanned(text)
    assert ask(db, "SELECT documents FROM urls") == [1] * 5
