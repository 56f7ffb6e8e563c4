"""Writes a Parquet file with the columns of `COLUMNS`. Lists are lists; the metadata of each column has its meaning.

This needs pyarrow, which the extra `parquet` installs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from urlglean.columns import COLUMNS, PROBLEM_FIELDS
from urlglean.errors import MissingExtraError
from urlglean.output.files import named_errors, part_file

_GROUP = 1 << 23
"""The bytes of JSON from which one row group is made (about). Its rows are in memory until the group is full."""


class ParquetFile:
    """A Parquet file to which rows are being written."""

    def __init__(self, arrow: Any, schema: Any, writer: Any) -> None:
        """Write with `writer`, a `pyarrow.parquet.ParquetWriter` for `schema`; `arrow` is the module pyarrow."""
        self._arrow, self._schema, self._writer = arrow, schema, writer
        self._rows: list[dict[str, Any]] = []
        self._held = 0
        self._decode = msgspec.json.Decoder(dict[str, Any]).decode_lines

    def write(self, lines: bytes, /) -> None:
        """Add rows, given as JSON lines."""
        self._rows += self._decode(lines)
        self._held += len(lines)
        if self._held >= _GROUP:
            self.flush()

    def flush(self) -> None:
        """Write the rows in memory as a row group."""
        if self._rows:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, self._schema))
            self._rows, self._held = [], 0


@contextmanager
def table_file(path: Path, *, ours: bool = False) -> Iterator[ParquetFile]:
    """Open a Parquet file for writing. It gets the name `path` when the block ends.

    If an exception ends the block, `path.part` has the rows so far.

    Args:
        path: the file.
        ours: as in `files.part_file`.

    Raises:
        MissingExtraError: pyarrow is not installed.
        OutputError: as in `files.part_file`.
        OSError: the file cannot be made or written.
    """
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingExtraError("Parquet needs the package pyarrow: pip install pyarrow") from error
    schema = _schema(arrow)
    with part_file(path, ours=ours) as stream:
        writer = parquet.ParquetWriter(stream, schema, compression="zstd")
        file = ParquetFile(arrow, schema, writer)
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


def _schema(arrow: Any) -> Any:
    types = {"text": arrow.string(), "integer": arrow.int64(), "number": arrow.float64(), "boolean": arrow.bool_()}
    types["texts"] = arrow.list_(types["text"])
    types["problems"] = arrow.list_(arrow.struct([(name, types[kind]) for name, kind in PROBLEM_FIELDS]))
    return arrow.schema(
        [arrow.field(column.name, types[column.type], metadata={"meaning": column.meaning}) for column in COLUMNS]
    )
