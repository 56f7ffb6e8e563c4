"""Writes an SQLite database: a table of findings, and a table for each column that holds lists.

    findings(id, url, scheme, host, wrapper, ..., rivals, ...)     a row for each finding, in order, `id` from 1
    rivals(finding, position, value)                               a row for each item; `position` from 0
    problems(finding, position, code, start, end, rule, message)

In `findings`, a column that holds lists has the number of items in the other table, or NULL if there is no list.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import EIO, ENOSPC
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from urlglean.columns import COLUMNS, PROBLEM_FIELDS, Column
from urlglean.output.files import part_file, part_of

if TYPE_CHECKING:
    from sqlite3 import Connection

_TYPES = {
    "text": "TEXT",
    "integer": "INTEGER",
    "number": "REAL",
    "boolean": "INTEGER",
    "texts": "INTEGER",
    "problems": "INTEGER",
}
_ITEMS = {"texts": (("value", "TEXT"),), "problems": tuple((name, _TYPES[kind]) for name, kind in PROBLEM_FIELDS)}
"""The columns (name, SQL type) of the table of a list, after the finding and the position of the item."""

APPLICATION_ID = int.from_bytes(b"UGLN")
"""Marks the file as a database of findings, at octet 68 (https://www.sqlite.org/fileformat2.html 1.3.14)."""

SHAPE = 1
"""The shape of `schema.sql`, which the database has as its `user_version`. A change of the tables makes it another."""

_LISTS = tuple(column for column in COLUMNS if column.type in _ITEMS)


class Database:
    """A database to which rows are being written."""

    def __init__(self, connection: Connection) -> None:
        """Create the tables in an empty database."""
        self._connection = connection
        self._count = 0
        self._decode = msgspec.json.Decoder(dict[str, Any]).decode_lines
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        columns = ", ".join(f'"{column.name}" {_TYPES[column.type]}' for column in COLUMNS)
        connection.execute(f"CREATE TABLE findings (id INTEGER PRIMARY KEY, {columns})")
        for column in _LISTS:
            items = ", ".join(f'"{name}" {kind}' for name, kind in _ITEMS[column.type])
            connection.execute(
                f'CREATE TABLE "{column.name}" (finding INTEGER REFERENCES findings, position INTEGER, {items},'
                " PRIMARY KEY (finding, position)) WITHOUT ROWID"
            )

    def write(self, lines: bytes, /) -> None:
        """Add rows, given as JSON lines."""
        rows = list(enumerate(self._decode(lines), self._count + 1))
        self._count += len(rows)
        self._insert("findings", [(number, *map(_scalar, row.values())) for number, row in rows])
        for column in _LISTS:
            self._insert(column.name, [item for number, row in rows for item in _items(column, number, row)])

    def _insert(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self._connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)  # noqa: S608  our own names


@contextmanager
def table_file(path: Path, *, ours: bool = False) -> Iterator[Database]:
    """Open a database for writing. It gets the name `path` when the block ends.

    If an exception ends the block, `path.part` has the rows so far.

    Args:
        path: the file.
        ours: as in `files.part_file`.

    Raises:
        OutputError: as in `files.part_file`.
        OSError: the file cannot be made or written.
    """
    import sqlite3  # noqa: PLC0415  some Pythons are built without it
    from urllib.parse import quote  # noqa: PLC0415

    with part_file(path, ours=ours) as stream:
        try:
            # This process alone has the file, so that SQLite need not lock it, which it cannot do on every NFS mount.
            where = quote(os.fsencode(part_of(path)))
            with closing(sqlite3.connect(f"file:{where}?nolock=1", uri=True)) as connection:
                # The file gets its name only when it is complete. A journal would only help to repair one that is not.
                # It is brought to the disk as a whole at the end.
                connection.execute("PRAGMA journal_mode = OFF")
                connection.execute("PRAGMA synchronous = OFF")
                try:
                    database = Database(connection)
                except sqlite3.Error:
                    os.ftruncate(stream.fileno(), 0)  # it has no row yet
                    raise
                try:
                    yield database
                except BaseException:
                    with suppress(sqlite3.Error):  # report the first error, not this one
                        connection.commit()
                    raise
                connection.commit()
        except sqlite3.Error as error:
            full = error.sqlite_errorcode == sqlite3.SQLITE_FULL
            raise OSError(ENOSPC if full else EIO, os.strerror(ENOSPC) if full else str(error), str(path)) from error


def _scalar(value: Any) -> Any:
    return len(value) if isinstance(value, list) else value


def _items(column: Column, number: int, row: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    for position, item in enumerate(row[column.name] or ()):
        yield (number, position, *(item.values() if isinstance(item, dict) else (item,)))
