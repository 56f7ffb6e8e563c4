"""Writes a new SQLite database with the tables of `schema.sql`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import EIO, ENOSPC
from pathlib import Path
from typing import TYPE_CHECKING

from urlglean.output.file_names import sqlite_uri
from urlglean.output.files import part_file, part_of
from urlglean.output.tables import ROWS, Tables, create

if TYPE_CHECKING:
    from sqlite3 import Error


@contextmanager
def table_file(path: Path, *, ours: bool = False) -> Iterator[Tables]:
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

    with part_file(path, ours=ours) as stream:
        try:
            # This process alone has the file, so that SQLite need not lock it, which it cannot do on every NFS mount.
            where = sqlite_uri(part_of(path), "nolock=1")
            with closing(sqlite3.connect(where, uri=True, isolation_level=None)) as connection:
                # The file gets its name only when it is complete. A journal would only help to repair one that is not.
                # It is brought to the disk as a whole at the end.
                connection.execute("PRAGMA journal_mode = OFF")
                connection.execute("PRAGMA synchronous = OFF")
                try:
                    create(connection, ROWS)
                except sqlite3.Error:
                    os.ftruncate(stream.fileno(), 0)  # it has no row yet
                    raise
                connection.execute("BEGIN")
                tables = Tables(connection, grows=False)
                try:
                    yield tables
                except BaseException:
                    with suppress(sqlite3.Error):  # report the first error, not this one
                        connection.execute("COMMIT")
                    raise
                tables.end()
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise failure(error, path) from error


def failure(error: Error, path: Path) -> OSError:
    """An error of SQLite as one of the system, with the name of the file."""
    import sqlite3  # noqa: PLC0415

    full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return OSError(ENOSPC if full else EIO, os.strerror(ENOSPC) if full else str(error), str(path))
