"""Opens a catalogue that is there: a database of the shape of `output/schema.sql`."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from urlglean.errors import CatalogueError
from urlglean.output.tables import APPLICATION_ID, SHAPE

_PATIENCE = 10.0
"""Seconds to wait for another process that writes the same catalogue."""


@contextmanager
def catalogue(path: Path, *, write: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a catalogue, and close it when the block ends. What was not committed by then is undone.

    The connection is in autocommit mode: a block that needs one view of all tables, or that writes, begins a
    transaction itself.

    Args:
        path: the file. It is never created.
        write: whether it will be written. Otherwise nothing can be, not even by mistake.

    Raises:
        CatalogueError: there is no such file, it is no database, it is not one of ours, it has another shape than this
            version writes, or, from anywhere in the block, SQLite cannot read or write it.
    """
    if not path.is_file():
        raise CatalogueError(path, "there is no such file")
    # Where no file can be made beside it, SQLite must be told that nobody writes it: its log would need one.
    alone = "" if write or os.access(path.resolve().parent, os.W_OK) else "&immutable=1"
    # SQLite takes the octets of a name for UTF-8; a URI can name any file (https://www.sqlite.org/uri.html).
    where = f"file:{quote(os.fsencode(path.resolve()))}?mode={'rw' if write else 'ro'}{alone}"
    try:
        with closing(sqlite3.connect(where, uri=True, isolation_level=None, timeout=_PATIENCE)) as connection:
            _refuse_others(path, connection)
            connection.execute("PRAGMA foreign_keys = ON")
            yield connection
    except sqlite3.Error as error:
        raise CatalogueError(path, str(error)) from error


def _refuse_others(path: Path, connection: sqlite3.Connection) -> None:
    """Check that this is a database that we can read.

    Raises:
        CatalogueError: it is not.
    """
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    if application_id != APPLICATION_ID:
        raise CatalogueError(path, "it is a database, but not one that urlglean wrote")
    (shape,) = connection.execute("PRAGMA user_version").fetchone()
    if shape != SHAPE:
        raise CatalogueError(path, f"its tables have shape {shape}; this version of urlglean knows shape {SHAPE}")
