"""Makes rows of findings, and files of rows.

A format turns each occurrence into one complete line of bytes. Lines need no shared state, so that any process can make
them, and an interrupted run leaves complete rows. For a file that is not a sequence of lines (SQLite, Parquet), the one
process that writes it receives JSON lines and converts them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

from urlglean.occurrence import Occurrence
from urlglean.output import csv_lines, document_lines, jsonl, text, tsv_lines, urls
from urlglean.output.files import Target

Lines = Callable[[Sequence[Occurrence]], list[bytes]]


class Sink(Protocol):
    """Something to which lines are written."""

    def write(self, lines: bytes, /) -> object:
        """Write any number of complete lines."""


class Format(NamedTuple):
    """A format of rows.

    Attributes:
        lines: returns a line for each occurrence. What occurrences of one part share is rendered once, if they follow
            each other.
        endings: the endings of file names that ask for this format.
        header: precedes the first line.
        terminal: as `lines`, for `terminal`, which shows them to people; None if the format is for programs.
        safe: as `lines`, but no value is a formula to a spreadsheet program; None if the format has no such form.
        file: opens a file that is not a sequence of lines, and converts lines for it; the arguments are `path` and
            `ours` of `files.part_file`. None if the file consists of the lines themselves. Such a file cannot be
            resumed.
        of_documents: whether the file tells of all documents, also of those without a URL. `lines` are then parts of
            `document_lines`, of which `file` makes tables.
        repeats_header: whether each line has what the header of its message says.
    """

    lines: Lines
    endings: tuple[str, ...]
    header: bytes = b""
    safe: Lines | None = None
    terminal: Lines | None = None
    file: Callable[..., AbstractContextManager[Sink]] | None = None
    of_documents: bool = False
    repeats_header: bool = False


def _database(path: Path, *, ours: bool = False) -> AbstractContextManager[Sink]:
    from urlglean.output.sqlite import table_file  # noqa: PLC0415  few runs write a database

    return table_file(path, ours=ours)


def _parquet(path: Target, *, ours: bool = False) -> AbstractContextManager[Sink]:
    from urlglean.output.parquet import table_file  # noqa: PLC0415

    return table_file(path, ours=ours)


FORMATS: dict[str, Format] = {
    "text": Format(text.lines, (".txt", ""), terminal=text.terminal_lines),
    "urls": Format(urls.lines, ()),
    "jsonl": Format(jsonl.lines, (".jsonl", ".ndjson"), repeats_header=True),
    "csv": Format(csv_lines.lines, (".csv",), csv_lines.HEADER, csv_lines.safe_lines, repeats_header=True),
    "tsv": Format(tsv_lines.lines, (".tsv",), tsv_lines.HEADER, repeats_header=True),
    "sqlite": Format(document_lines.findings, (".db", ".sqlite", ".sqlite3"), file=_database, of_documents=True),
    "parquet": Format(jsonl.table_lines, (".parquet",), file=_parquet, repeats_header=True),
}


def format_for(ending: str) -> str | None:
    """The name of the format that a file name's ending (".jsonl"; "" for none) asks for; None if no format does."""
    return next((name for name, form in FORMATS.items() if ending.lower() in form.endings), None)
