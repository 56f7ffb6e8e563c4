"""Opens a catalogue that is there: a database of the shape of `output/schema.sql`, with what urlglean writes to it.

SQLite keeps any value in any column, and whoever wrote a catalogue may have turned off all that its tables demand. So a
command that reads all of it has it checked first; the others check what they read.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from urlglean.errors import CatalogueError
from urlglean.lazy import pattern
from urlglean.output.file_names import sqlite_uri
from urlglean.output.table_values import OTHER
from urlglean.output.tables import CATALOGUE, ROWS, SHAPE, create

_PATIENCE = 10.0
"""Seconds to wait for another process that writes the same catalogue."""

_LONGEST = 1 << 26
"""Octets of a value or row that is read; a longer one is an error, because some copies of it are made."""


@contextmanager
def catalogue(path: Path, *, write: bool = False, whole: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a catalogue, and close it when the block ends. What was not committed by then is undone.

    The connection is in autocommit mode: a block that needs one view of all tables, or that writes, begins a
    transaction itself.

    Args:
        path: the file. It is never created.
        write: whether it will be written. Otherwise nothing can be, not even by mistake.
        whole: whether all of it will be read, so that all of it is checked: half a second for 100 MB (measured).

    Raises:
        CatalogueError: there is no such file, it is no database, it is not one of ours, it has another shape than this
            version writes, or, from anywhere in the block, SQLite cannot read or write it, or what is in it is not what
            urlglean wrote.
    """
    if not path.is_file():
        raise CatalogueError(path, "there is no such file")
    target = path.resolve()
    # Where no file can be made beside it, SQLite must be told that nobody writes it: its log would need one. But
    # if there is a log, somebody writes it, or was killed: what stands in the log alone would not be seen then.
    alone = "" if write or os.access(target.parent, os.W_OK) or _has_log(target) else "&immutable=1"
    where = sqlite_uri(target, f"mode={'rw' if write else 'ro'}{alone}")
    try:
        with (
            no_log_left(target),
            closing(sqlite3.connect(where, uri=True, isolation_level=None, timeout=_PATIENCE)) as connection,
        ):
            if not write:
                connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            _refuse_others(path, connection)
            if whole and (place := _damaged(connection)):
                raise CatalogueError(path, OTHER.format(place))
            connection.execute("PRAGMA foreign_keys = ON")
            yield connection
    except sqlite3.Error as error:
        raise CatalogueError(path, str(error)) from error


@contextmanager
def no_log_left(target: Path) -> Iterator[None]:
    """Remove the log that connections of the block have made or used which may not write, and so may not remove it.

    The last connection that may write does so when it is closed, and moves what stands in the log to the database. It
    is not the last one if another process reads.
    """
    try:
        yield
    finally:
        if _log_of(target).exists():
            with (
                suppress(sqlite3.Error),
                closing(sqlite3.connect(sqlite_uri(target, "mode=rw"), uri=True)) as connection,
            ):
                connection.execute("PRAGMA user_version")


def _log_of(target: Path) -> Path:
    """SQLite's write-ahead log beside a database."""
    return target.with_name(f"{target.name}-wal")


def _has_log(target: Path) -> bool:
    """Whether a database has a write-ahead log with something in it."""
    log = _log_of(target)
    return log.exists() and log.stat().st_size > 0


def _refuse_others(path: Path, connection: sqlite3.Connection) -> None:
    """Check that this is a database that we can read.

    Raises:
        CatalogueError: it is not.
    """
    try:
        (application_id,) = connection.execute("PRAGMA application_id").fetchone()
        foreign = _foreign(connection)
    except UnicodeDecodeError as error:  # in what SQLite says of a broken schema
        raise CatalogueError(path, "its tables cannot be read") from error
    if application_id not in {CATALOGUE, ROWS}:
        raise CatalogueError(path, "it is a database, but not one that urlglean wrote")
    (shape,) = connection.execute("PRAGMA user_version").fetchone()
    if shape != SHAPE:
        raise CatalogueError(path, f"its tables have shape {shape}; this version of urlglean knows shape {SHAPE}")
    if foreign:
        raise CatalogueError(path, f"it is not as urlglean writes it: {foreign}")


def _foreign(connection: sqlite3.Connection) -> str | None:
    """What makes reading or writing our tables run something of whoever made the database; None if nothing does.

    A view in the place of a table, a column that is computed, or a trigger may take for ever, or all memory or disk.
    """
    with closing(sqlite3.connect(":memory:")) as ours:
        create(ours, CATALOGUE)
        known = _made(ours)
    there = _made(connection)
    if any(kind == "trigger" for kind, _ in there.values()):
        return "it has triggers"
    other = next((name for name, made in known.items() if there.get(name) != made), None)
    return other and f"{other} is not made as it makes it"


def _made(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    """The kind of each table, view and trigger, and the SQL that made it, without comments and layout.

    SQLite ignores the case of names. The tables inside those for full text are made by SQLite itself, each version in
    its own way.
    """
    return {
        name.lower(): (kind, "" if "_fts_" in name else " ".join(_COMMENT.sub("", sql).split()))
        for name, kind, sql in connection.execute(_MADE)
    }


_COMMENT = pattern(r"--[^\n]*")
_MADE = "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view', 'trigger')"
_KINDS = """
SELECT name, type, upper(substr(sql, 1, 14)) = 'CREATE VIRTUAL' FROM sqlite_master
WHERE type IN ('table', 'view', 'trigger')
"""


def _damaged(connection: sqlite3.Connection) -> str | None:
    """The first table with a value that it cannot have, or with a reference to nothing; None if there is none."""
    with closing(sqlite3.connect(":memory:")) as ours:
        create(ours, CATALOGUE)
        tables = {
            name: ours.execute(_COLUMNS, (name,)).fetchall()
            for name, kind, virtual in ours.execute(_KINDS).fetchall()
            if kind == "table" and not virtual and "_fts_" not in name
        }
    for table, columns in tables.items():
        wrong = " OR ".join(
            _WRONG[kind].format(name) + (_MISSING.format(name) if needed else "") for name, kind, needed in columns
        )
        if connection.execute(f"SELECT 1 FROM {table} WHERE {wrong} LIMIT 1").fetchone():  # noqa: S608  our own names
            return str(table)
    for statement in ("PRAGMA foreign_key_check", _COPIES_WITHOUT_PLACE):
        if found := connection.execute(statement).fetchone():
            return str(found[0])
    return None


_MISSING = """ OR ("{0}" = '') IS NULL"""
"""SQLite believes that a column which is NOT NULL is not, and does not look at its values for `"{0}" IS NULL`."""

# Comparisons, because a call of typeof() takes twice as long. By https://www.sqlite.org/datatype3.html 4.1, NULL is
# neither less nor greater than anything; numbers are less than texts, and those less than blobs. All our numbers are
# counts, places and confidences.
_WRONG = {
    "TEXT": """"{0}" < '' OR "{0}" >= x''""",
    "INTEGER": """"{0}" < 0 OR "{0}" >= '' OR "{0}" <> CAST("{0}" AS INTEGER)""",
    "REAL": """"{0}" < 0 OR "{0}" > 1""",
}
_COLUMNS = 'SELECT name, type, "notnull" FROM pragma_table_info(?)'
_COPIES_WITHOUT_PLACE = "SELECT 'copies' FROM copies WHERE id NOT IN (SELECT copy FROM places) LIMIT 1"
