"""The rows of a message repeat fields of its header, but never so much that a small message fills a disk."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from urlglean.cli import main
from urlglean.pipeline.repeated_header import CUT, GROUPS, RATIO, SHORT

LONG = "\1" * 4000
HEADER = f'From: "{LONG}" <a@b.example>\nSubject: {LONG}\nMessage-ID: <{LONG}@x>\nNewsgroups: a,b,c,d,{LONG[:3900]}\n\n'


def scanned(path: Path) -> tuple[list[bytes], str]:
    """The rows, and what is told. The exit status is 2 if that is a trouble."""
    result = CliRunner().invoke(main, ["scan", "--format", "jsonl", str(path)])
    assert result.exit_code == (2 if CUT in result.stderr else 0)
    return result.stdout_bytes.splitlines(keepends=True), result.stderr


@pytest.mark.parametrize("copies", [1, 3])
def test_the_rows_of_many_urls_repeat_less_of_a_long_header(tmp_path: Path, copies: int) -> None:
    """No URL is missing, and each message that is affected is told."""
    message = HEADER + "ftp://a " * 2000
    path = tmp_path / "a.mbox"
    path.write_text("".join(f"From a@b.example Thu Jan  1 00:00:00 2004\n{message}\n\n" for _ in range(copies)))
    rows, told = scanned(path)
    assert (len(rows), told.count(CUT)) == (2000 * copies, copies)
    assert sum(map(len, rows)) < 2 * RATIO * copies * len(message)
    row = json.loads(rows[-1])
    assert {len(row[name]) for name in ("subject", "sender", "message_id")} == {SHORT}
    assert len(row["newsgroups"]) == GROUPS


def test_the_rows_of_a_long_message_are_short_too(tmp_path: Path) -> None:
    """They are made in pieces."""
    path = tmp_path / "a.eml"
    path.write_text(HEADER + "ftp://a.example/ and more text\n" * 60_000)
    rows, told = scanned(path)
    lengths = {len(json.loads(row)["subject"]) for row in rows}
    assert (len(rows), lengths, told.count(CUT)) == (60_000, {SHORT}, 1)


def test_few_rows_have_all_of_a_long_header(tmp_path: Path) -> None:
    """Usual mail has far shorter headers."""
    path = tmp_path / "a.eml"
    path.write_text(f"{HEADER}ftp://a.example/ {'text ' * 2000}")
    (row,), told = scanned(path)
    assert (json.loads(row)["subject"], told.count(CUT)) == (LONG, 0)


@pytest.mark.parametrize("form", ["text", "urls"])
def test_rows_without_a_header_repeat_nothing(tmp_path: Path, form: str) -> None:
    """They are all as they were asked for; but rejects are lines of JSON."""
    path = tmp_path / "a.eml"
    path.write_text(HEADER + "ftp://a ftp://a:b " * 1000)
    result = CliRunner().invoke(main, ["scan", "--format", form, str(path)])
    assert (result.exit_code, result.stderr.count(CUT)) == (0, 0)
    rejects = tmp_path / "rejects"
    CliRunner().invoke(main, ["scan", "--format", form, str(path), "--rejects", str(rejects)])
    assert {len(json.loads(row)["subject"]) for row in rejects.read_text().splitlines()} == {SHORT}


@pytest.mark.parametrize("form", ["text", "urls", "sqlite"])
def test_only_rejects_count_where_rows_have_no_header(tmp_path: Path, form: str) -> None:
    """A few have all of it; the rows of many are short. A database tells the header once."""
    path, rejects, rows = tmp_path / "a.eml", tmp_path / "rejects", tmp_path / "rows"
    for count, length in ((1, 4000), (1000, SHORT)):
        path.write_text(HEADER + "ftp://a.example/ " * 1000 + "ftp://a:b " * count)
        ask = ["scan", "--format", form, str(path), "--rejects", str(rejects), "-o", str(rows), "--overwrite"]
        result = CliRunner().invoke(main, ask)
        assert (result.exit_code, CUT in result.stderr) == ((0, False) if count == 1 else (2, True))
        assert [len(json.loads(row)["subject"]) for row in rejects.read_text().splitlines()] == [length] * count
        if form == "sqlite":
            with closing(sqlite3.connect(rows)) as database:
                assert database.execute("SELECT length(subject) FROM documents").fetchall() == [(4000,)]


def test_a_text_without_a_header_is_not_affected(tmp_path: Path) -> None:
    """However many URLs it has."""
    path = tmp_path / "a.txt"
    path.write_text("ftp://a " * 20_000)
    rows, told = scanned(path)
    assert (len(rows), told.count(CUT)) == (20_000, 0)


def test_a_database_has_all_of_the_header(tmp_path: Path) -> None:
    """It tells the header of a message once, and its findings repeat nothing."""
    path, rows = tmp_path / "a.eml", tmp_path / "a.db"
    path.write_text(HEADER + "ftp://a " * 2000)
    result = CliRunner().invoke(main, ["scan", str(path), "-o", str(rows)])
    assert (result.exit_code, CUT in result.stderr) == (0, False)
    with closing(sqlite3.connect(rows)) as database:
        assert database.execute("SELECT length(subject) FROM documents").fetchall() == [(4000,)]
