"""Writes a Parquet file with the columns of `COLUMNS`. Lists are lists; the metadata of each column has its meaning.

This needs pyarrow, which the extra `parquet` installs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from urlglean.output.files import Target, named_errors, part_file
from urlglean.output.remote_file import remote_file

_GROUP = 1 << 23
"""The bytes of JSON from which one row group is made (about). Its rows are in memory until the group is full."""


class ParquetFile:
    """A Parquet file to which rows are being written."""

    def __init__(self, writer: Any, table_of: Callable[[bytes], Any]) -> None:
        """Write with a `pyarrow.parquet.ParquetWriter` what `arrow_tables.table_of` makes of lines."""
        self._writer, self._table_of = writer, table_of
        self._lines: list[bytes] = []
        self._held = 0

    def write(self, lines: bytes, /) -> None:
        """Add rows, given as JSON lines."""
        self._lines.append(lines)
        self._held += len(lines)
        if self._held >= _GROUP:
            self.flush()

    def flush(self) -> None:
        """Write the rows in memory as a row group."""
        lines, self._lines, self._held = b"".join(self._lines), [], 0
        if lines:
            self._writer.write_table(self._table_of(lines))


@contextmanager
def table_file(path: Target, *, ours: bool = False) -> Iterator[ParquetFile]:
    """Open a Parquet file for writing. It gets the name `path` when the block ends.

    If an exception ends the block, `path.part` has the rows so far; of a file elsewhere nothing is left.

    Args:
        path: the file.
        ours: as in `files.part_file`.

    Raises:
        MissingExtraError: pyarrow is not installed.
        OutputError: as in `files.part_file`.
        OSError: the file cannot be made or written.
    """
    from urlglean.output.arrow_tables import SCHEMA, table_of  # noqa: PLC0415  pyarrow takes 100 ms to import

    parquet = import_module("pyarrow.parquet")
    with remote_file(path) if isinstance(path, str) else part_file(path, ours=ours) as stream:
        writer = parquet.ParquetWriter(stream, SCHEMA, compression="zstd")
        file = ParquetFile(writer, table_of)
        try:
            yield file
        except BaseException:
            # Report the first error, not these: pyarrow refuses to go on with a file whose disk was full.
            with suppress(OSError, ValueError):
                file.flush()
            with suppress(OSError, ValueError):
                writer.close()
            raise
        with named_errors(path):
            file.flush()
            writer.close()
