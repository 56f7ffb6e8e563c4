"""A catalogue that somebody has changed, or that is damaged, gives an error: never a traceback, never other results."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from catalogues import catalog, mbox, message
from urlglean.archive.catalogue import Catalogue
from urlglean.archive.database import catalogue
from urlglean.cli import main
from urlglean.errors import CatalogueError
from urlglean.output.tables import CATALOGUE, create

WRAPPED = "http://www.example.org/a/long/path/that/goes/on/and/on/until/the/line/ends/"
WHOLE_TABLES = (("settle", "{db}"), ("settle", "-n", "{db}"), ("seeds", "{db}"), ("report", "{db}", "-o", "{out}"))
LOOKED_UP = (("scan", "--jobs", "1", "--evidence", "{db}", "{mail}"), ("catalog", "--jobs", "1", "{db}", "{mail}"))
NOT_OURS = "is not what urlglean wrote"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalogue with rows in every table, of the mail beside it."""
    folder = tmp_path_factory.mktemp("whole")
    mail = folder / "mail"
    mail.mkdir()
    texts = [f"see {WRAPPED}\nindex.html or http:///bad, http://h.example/{number}|x" for number in range(1, 5)]
    texts += [f"whole {WRAPPED}index.html here, <http://h.example/[{number}>" for number in range(5, 9)]
    messages = [
        message(number, text, subject=f"on birds {number}").replace("a@b", f"a{number}@b")
        for number, text in enumerate(texts, 1)
    ]
    (mail / "box").write_bytes(mbox(*messages))
    (mail / "bad").write_bytes(
        b"From: a@b.example\nContent-Type: text/plain; charset=utf-8\n\n\xff http://q.example/\n"
    )
    db = folder / "urls.db"
    catalog(db, mail)
    assert run(("settle", "{db}"), db).exit_code == 0
    return db


def run(command: tuple[str, ...], db: Path) -> Result:
    """Run a command on a catalogue and the mail beside it."""
    places = {"db": db, "out": db.with_suffix(".html"), "mail": db.parent / "mail"}
    return CliRunner().invoke(main, [argument.format(**places) for argument in command])


def refused(command: tuple[str, ...], db: Path) -> str:
    """What a command says that refuses a catalogue."""
    done = run(command, db)
    assert isinstance(done.exception, SystemExit), (command, done.exception)
    assert done.exit_code == 2
    assert f"urlglean: {db}: " in done.output
    return done.output


def columns() -> Iterator[tuple[str, str, str, bool]]:
    """Each column of each table, with its type, and whether it must have a value."""
    with closing(sqlite3.connect(":memory:")) as connection:
        create(connection, CATALOGUE)
        for (table,) in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%fts%'"
        ).fetchall():
            for name, kind, needed in connection.execute(
                'SELECT name, type, "notnull" FROM pragma_table_info(?)', (table,)
            ):
                yield table, name, kind, bool(needed)


def changed(whole: Path, table: str, column: str, value: object, *, every: bool = False) -> Path:
    """A copy of a catalogue in which the last row of a table, or `every` one, has another value.

    Whatever the table demands.
    """
    db = whole.parent / "changed.db"
    shutil.copy(whole, db)
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        (made,) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
        connection.execute(_SET_SQL, (made.replace(" NOT NULL", ""), table))
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        key = connection.execute("SELECT group_concat(name) FROM pragma_table_info(?) WHERE pk", (table,)).fetchone()[0]
        first = f"({key}) = (SELECT {key} FROM {table} ORDER BY {key} DESC LIMIT 1)"
        done = connection.execute(f'UPDATE {table} SET "{column}" = ? WHERE {first if not every else 1}', (value,))
        assert done.rowcount, f"{table} has no row"
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(_SET_SQL, (made, table))
    return db


_SET_SQL = "UPDATE sqlite_schema SET sql = ? WHERE name = ?"


OTHERS = {
    "TEXT": (b"\xff\0", b"abc"),
    "INTEGER": ("a", "", b"", -1, 1.5, 1e300),
    "REAL": ("a", b"", -0.1, 1.1, 1e300),
}


@pytest.mark.parametrize(("table", "column", "kind", "needed"), list(columns()))
def test_no_column_may_hold_what_it_cannot(whole: Path, table: str, column: str, kind: str, needed: bool) -> None:  # noqa: FBT001
    """A value of another type, a number that is none of ours, or nothing where something is needed."""
    for value in (*OTHERS[kind], *([None] if needed else [])):
        try:
            db = changed(whole, table, column, value)
        except sqlite3.IntegrityError:  # in spite of all: a key is an integer, or must have a value
            assert column in {"id", "finding"} or value is None
            continue
        with pytest.raises(CatalogueError, match=f"what is in its .* {NOT_OURS}"), catalogue(db, whole=True):
            pass


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("findings", "confidence", "high"),
        ("urls", "url", b"http://h.example/"),
        ("readings", "url", b"http://h.example/"),
        ("places", "offset", "far"),
        ("runs", "options", None),
    ],
)
def test_every_command_that_reads_all_of_it_refuses_it(whole: Path, table: str, column: str, value: object) -> None:
    """With exit status 2 and the name of the file; what is there is not written."""
    db = changed(whole, table, column, value)
    before = db.read_bytes()
    for command in WHOLE_TABLES:
        assert NOT_OURS in refused(command, db)
    assert db.read_bytes() == before


@pytest.mark.parametrize("value", ["{", "null", "[1]", "[[1]]", '[["http://h.example/","a"]]', "[[0,1,2]]", "[" * 5000])
@pytest.mark.parametrize("column", ["readings", "joins"])
def test_lists_in_it_are_checked_when_they_are_read(whole: Path, column: str, value: str) -> None:
    """They are JSON, of which SQLite knows nothing. Nothing is settled then."""
    db = changed(whole, "own_readings", column, value)
    before = db.read_bytes()
    assert NOT_OURS in refused(("settle", "{db}"), db)
    assert db.read_bytes() == before


@pytest.mark.parametrize(
    ("table", "column", "value", "command"),
    [
        ("runs", "options", "{", LOOKED_UP[1]),
        ("runs", "options", "[]", LOOKED_UP[1]),
        ("runs", "folder", b"/", LOOKED_UP[1]),
        ("troubles", "cause", b"x", LOOKED_UP[1]),
        ("documents", "sender", b"x", LOOKED_UP[0]),
        ("documents", "date", b"x", LOOKED_UP[0]),
        ("documents", "path", None, LOOKED_UP[0]),
    ],
)
def test_what_is_looked_up_is_checked(
    whole: Path, table: str, column: str, value: object, command: tuple[str, ...]
) -> None:
    """Commands that read little of a catalogue check what they read. A scan says it of each document that asks."""
    db = changed(whole, table, column, value, every=True)
    done = run(command, db)
    assert done.exit_code == 2
    assert f"{db}: what is in its {table} {NOT_OURS}" in done.output


@pytest.mark.parametrize("table", ["copies", "documents", "places", "urls", "findings", "runs"])
def test_references_to_nothing_are_refused(whole: Path, table: str) -> None:
    """Rows that somebody has deleted."""
    db = whole.parent / "deleted.db"
    shutil.copy(whole, db)
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        connection.execute(f"DELETE FROM {table}")
    for command in WHOLE_TABLES:
        assert NOT_OURS in refused(command, db)


def test_an_empty_catalogue_is_one(tmp_path: Path) -> None:
    """A run may be killed before it has written anything."""
    db = tmp_path / "urls.db"
    (tmp_path / "mail").mkdir()
    with closing(sqlite3.connect(db)) as connection:
        create(connection, CATALOGUE)
    for command in (*WHOLE_TABLES, *LOOKED_UP):
        done = run(command, db)
        assert isinstance(done.exception, SystemExit | None), (command, done.exception)


def test_damaged_octets_give_an_error_or_nothing(whole: Path) -> None:
    """Anywhere in the file behind its header, also in the names of its tables."""
    chance, octets = random.Random("damage"), whole.read_bytes()
    db = whole.parent / "damaged.db"
    for number in range(40):
        damaged = bytearray(octets)
        for _ in range(50):
            damaged[chance.randrange(100, 8000 if number % 2 else len(damaged))] = chance.randrange(256)
        db.write_bytes(damaged)
        for command in (*WHOLE_TABLES, *LOOKED_UP):
            done = run(command, db)
            assert isinstance(done.exception, SystemExit | None), (command, done.exception)


@pytest.mark.parametrize(
    "script",
    [
        "DROP VIEW rows; ALTER TABLE urls RENAME TO old_urls; CREATE VIEW URLS AS SELECT * FROM old_urls",
        "PRAGMA writable_schema=1; UPDATE sqlite_schema SET sql = replace(sql, 'url TEXT', 'url TEXT CHECK (1 < 2)')",
        "CREATE TRIGGER more AFTER INSERT ON urls BEGIN SELECT 1; END",
    ],
)
def test_tables_that_run_something_of_somebody_else_are_refused(whole: Path, script: str) -> None:
    """A view in the place of a table, whatever the case of its name; a check; a trigger."""
    db = whole.parent / "other.db"
    shutil.copy(whole, db)
    with closing(sqlite3.connect(db)) as connection:
        connection.executescript(script)
    for command in (*WHOLE_TABLES, *LOOKED_UP):
        assert "it is not as urlglean writes it" in refused(command, db)


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_catalogue_that_is_removed_during_the_run_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_replaced: bool
) -> None:
    """Its rows have no name any more."""
    db, mail = tmp_path / "urls.db", tmp_path / "mail"
    mail.write_bytes(mbox(message(1, "see http://h.example/")))
    read = Catalogue.read

    def removing(*given: Any, **options: Any) -> None:
        read(*given, **options)
        db.unlink()
        if is_replaced:
            db.write_bytes(b"of another")

    monkeypatch.setattr(Catalogue, "read", removing)
    done = run(("catalog", "--jobs", "1", "{db}", "{mail}"), db)
    assert done.exit_code == 2
    assert done.stderr.splitlines() == [f"urlglean: {db} was removed or replaced while it was written"]


def test_what_a_writer_left_in_the_log_is_in_the_catalogue(tmp_path: Path) -> None:
    """Somebody read it when the writer ended; the next reader moves it there, so that the file alone is whole."""
    db, mail = tmp_path / "urls.db", tmp_path / "mail"
    mail.write_bytes(mbox(message(1, "see http://h.example/1")))
    catalog(db, mail)
    with catalogue(db) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM documents").fetchone()
        mail.write_bytes(mbox(message(1, "see http://h.example/1"), message(2, "see http://h.example/2")))
        catalog(db, mail)
    assert not db.with_name("urls.db-wal").exists()
    copy = tmp_path / "copy.db"
    shutil.copy(db, copy)
    with catalogue(copy) as connection:
        assert connection.execute("SELECT count(*) FROM documents").fetchone() == (2,)


@pytest.mark.parametrize(
    "command",
    [
        ("seeds", "{db}"),
        ("report", "{db}", "-o", "{out}"),
        ("scan", "--jobs", "1", "--evidence", "{db}", "{mail}"),
        ("scan", "--jobs", "2", "--evidence", "{db}", "{mail}"),
    ],
)
def test_who_only_reads_a_catalogue_leaves_nothing_beside_it(command: tuple[str, ...], whole: Path) -> None:
    """But a log in which something stands, or which somebody else reads."""

    def beside() -> list[str]:
        return [path.name for path in whole.parent.glob("urls.db-*")]

    before = whole.read_bytes()
    assert beside() == []
    assert run(command, whole).exit_code in {0, 2}
    assert beside() == []
    with catalogue(whole):
        run(command, whole)
        assert beside() != []
    assert beside() == []
    with closing(sqlite3.connect(f"file:{whole}?mode=ro", uri=True)) as other:
        other.execute("SELECT count(*) FROM urls").fetchone()
        run(command, whole)
    assert beside() != []  # as another reader has left it
    run(command, whole)
    assert beside() == []
    assert whole.read_bytes() == before
