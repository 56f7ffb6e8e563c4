"""Findings to rows, and rows to files.

A format turns a sighting into one whole line of bytes, which any process can do: lines keep no state, so that an
interrupted run leaves whole rows. Where a file is no sequence of lines, the one process that writes it is handed them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

from urlglean.output import csv_lines, jsonl, parquet, sqlite, text
from urlglean.records import Sighting


class Sink(Protocol):
    """Where lines go, any number of whole ones at a time."""

    def write(self, lines: bytes, /) -> object:
        """Take lines in."""


class Format(NamedTuple):
    """A way to write rows, and the file name endings that ask for it.

    `header` goes before the first line. `file` makes a file of another kind out of lines; it can only be written whole.
    """

    line: Callable[[Sighting], bytes]
    endings: tuple[str, ...]
    header: bytes = b""
    file: Callable[[Path], AbstractContextManager[Sink]] | None = None


FORMATS: dict[str, Format] = {
    "text": Format(text.line, (".txt", "")),
    "jsonl": Format(jsonl.line, (".jsonl", ".ndjson")),
    "csv": Format(csv_lines.line, (".csv",), header=csv_lines.HEADER),
    "sqlite": Format(jsonl.line, (".db", ".sqlite", ".sqlite3"), file=sqlite.table_file),
    "parquet": Format(jsonl.line, (".parquet",), file=parquet.table_file),
}


def format_for(ending: str) -> str | None:
    """The name of the format that a file name's ending (".jsonl"; "" for none) asks for; None if no format does."""
    return next((name for name, form in FORMATS.items() if ending.lower() in form.endings), None)
