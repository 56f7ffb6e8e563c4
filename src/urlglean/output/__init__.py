"""Findings to rows, and rows to files.

A format turns each occurrence into one whole line of bytes, which any process can do: lines keep no state, so that an
interrupted run leaves whole rows. Where a file is no sequence of lines, the one process that writes it is handed them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

from urlglean.occurrence import Occurrence
from urlglean.output import csv_lines, jsonl, text, urls

Lines = Callable[[Sequence[Occurrence]], list[bytes]]


class Sink(Protocol):
    """Where lines go, any number of whole ones at a time."""

    def write(self, lines: bytes, /) -> object:
        """Take lines in."""


class Format(NamedTuple):
    """A way to write rows, and the file name endings that ask for it.

    `lines` are those of the occurrences; what those in one part share is rendered once, if they follow one another.
    `header` goes before the first line. `file` makes a file of another kind out of lines; it can only be written whole.
    """

    lines: Lines
    endings: tuple[str, ...]
    header: bytes = b""
    file: Callable[[Path], AbstractContextManager[Sink]] | None = None


def _database(path: Path) -> AbstractContextManager[Sink]:
    from urlglean.output.sqlite import table_file  # noqa: PLC0415  few runs need it

    return table_file(path)


def _parquet(path: Path) -> AbstractContextManager[Sink]:
    from urlglean.output.parquet import table_file  # noqa: PLC0415

    return table_file(path)


FORMATS: dict[str, Format] = {
    "text": Format(text.lines, (".txt", "")),
    "urls": Format(urls.lines, ()),
    "jsonl": Format(jsonl.lines, (".jsonl", ".ndjson")),
    "csv": Format(csv_lines.lines, (".csv",), header=csv_lines.HEADER),
    "sqlite": Format(jsonl.lines, (".db", ".sqlite", ".sqlite3"), file=_database),
    "parquet": Format(jsonl.lines, (".parquet",), file=_parquet),
}


def format_for(ending: str) -> str | None:
    """The name of the format that a file name's ending (".jsonl"; "" for none) asks for; None if no format does."""
    return next((name for name, form in FORMATS.items() if ending.lower() in form.endings), None)
