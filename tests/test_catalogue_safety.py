"""Which databases `catalog` writes to: not those with another way of reading, of other programs, or harmful ones."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from catalogues import MAY, catalog, rows, scanned
from commands import run
from urlglean.archive.database import catalogue
from urlglean.errors import CatalogueError
from urlglean.output.tables import CATALOGUE, create


@pytest.mark.parametrize(
    ("first", "then", "told"),
    [
        ((), ("--dialect", "web"), "--dialect current, not web"),
        (("--joins", "never"), (), "--joins never, not likely"),
        (("--strict",), ("--www",), "--strict on, not off; --www off, not on"),
        (("--scheme", "x-a", "--scheme", "x-b"), (), "--scheme x-a,x-b, not none"),
    ],
)
def test_a_catalogue_has_one_way_of_reading(
    tmp_path: Path, first: tuple[str, ...], then: tuple[str, ...], told: str
) -> None:
    """Another is refused, with the difference, and changes nothing; what does not concern findings may differ."""
    db, may = tmp_path / "urls.db", tmp_path / "may"
    may.write_bytes(MAY)
    catalog(db, may, *first)
    before = db.read_bytes()
    refused = catalog(db, may, *then)
    assert refused.exit_code == 2
    assert refused.stderr == f"urlglean: {db}: it was made with {told}: one catalogue has one way of reading\n"
    assert db.read_bytes() == before
    assert catalog(db, may, *first, "--as", "mbox", "--time-limit", 0, "--memory-limit", 0, "-v").exit_code == 0


@pytest.mark.parametrize("more", [("--least", "0.5"), ("--rejects", "rejects")])
def test_nothing_is_added_to_what_a_scan_has_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    """Though a scan that writes rejects reads as a catalogue does: the next scan would replace it."""
    monkeypatch.chdir(tmp_path)
    Path("may").write_bytes(MAY)
    run("scan", "may", "-o", "urls.db", *more)
    before = Path("urls.db").read_bytes()
    refused = catalog(Path("urls.db"), "may")
    told = "urls.db: `scan -o` has made it, which would replace it again: give the catalogue another name"
    assert (refused.exit_code, refused.stderr) == (2, f"urlglean: {told}\n")
    assert Path("urls.db").read_bytes() == before


def foreign(path: Path, what: str) -> None:
    """Write a file that is no catalogue."""
    if what == "notes":
        path.write_text("notes on a journey, which are no database\n" * 40)
        return
    with closing(sqlite3.connect(path)) as connection:
        if what == "old":
            connection.execute(f"PRAGMA application_id = {CATALOGUE}")
        connection.execute("CREATE TABLE findings (id INTEGER PRIMARY KEY, url TEXT)")
        connection.commit()


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("notes", "file is not a database"),
        ("other", "it is a database, but not one that urlglean wrote"),
        ("old", "its tables have shape 0; this version of urlglean knows shape 2"),
    ],
)
def test_what_is_no_catalogue_is_left_alone(tmp_path: Path, what: str, told: str) -> None:
    """To the last byte, and nothing is left beside it."""
    db, may = tmp_path / "urls.db", tmp_path / "may"
    may.write_bytes(MAY)
    foreign(db, what)
    before = db.read_bytes()
    refused = catalog(db, may)
    assert (refused.exit_code, refused.stderr) == (2, f"urlglean: {db}: {told}\n")
    assert db.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["may", "urls.db"]


def test_an_empty_file_becomes_a_catalogue(tmp_path: Path) -> None:
    """As mktemp leaves one, or a kill before the tables were made."""
    db, may = tmp_path / "urls.db", tmp_path / "may"
    may.write_bytes(MAY)
    db.touch()
    assert catalog(db, may).exit_code == 0
    assert rows(db) == scanned(may)


def test_whoever_may_only_read_sees_what_is_in_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run goes on, or was killed, and left a log; its folder may not be written."""
    db = tmp_path / "a.db"
    (tmp_path / "may").write_bytes(MAY)
    catalog(db, tmp_path / "may")
    with closing(sqlite3.connect(db)) as writer:
        writer.execute("UPDATE documents SET subject = 'in the log'")
        writer.commit()
        monkeypatch.setattr(os, "access", lambda *_arguments: False)
        with catalogue(db) as connection:
            assert connection.execute("SELECT DISTINCT subject FROM documents").fetchall() == [("in the log",)]


@pytest.mark.parametrize(
    "harm",
    [
        "DROP TABLE urls; CREATE VIEW urls AS SELECT id, sender AS url FROM documents",
        "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM documents; END",
        "ALTER TABLE urls ADD COLUMN more AS (zeroblob(900000000))",
    ],
)
@pytest.mark.parametrize("write", [False, True])
def test_a_catalogue_that_runs_something_is_refused(tmp_path: Path, harm: str, write: bool) -> None:  # noqa: FBT001
    """What a stranger put into it would run for ever, or fill the disk."""
    db = tmp_path / "a.db"
    with closing(sqlite3.connect(db)) as connection:
        create(connection, CATALOGUE)
        connection.executescript(harm)
    with pytest.raises(CatalogueError, match="not as urlglean writes it"), catalogue(db, write=write):
        pass


def test_a_value_that_fills_the_memory_is_an_error(tmp_path: Path) -> None:
    """It is not read."""
    db = tmp_path / "a.db"
    with closing(sqlite3.connect(db)) as connection:
        create(connection, CATALOGUE)
        connection.execute("INSERT INTO urls (url) VALUES (CAST(zeroblob(100000000) AS TEXT))")
        connection.commit()
    with pytest.raises(CatalogueError, match="too big"), catalogue(db) as connection:
        connection.execute("SELECT url FROM urls").fetchall()
