r"""Writes tab-separated values, in UTF-8: a header with the names of `COLUMNS`, then one line for each row.

    url	scheme	host	 ... 	rivals	 ... 	message	 ...
    http://host/	http	host	 ... 	["http://h/"]	 ... 	7	 ...

Nothing is quoted, and no value holds a tab or a line end, so that `cut` and `awk -F'\t'` read it. In a value, a
backslash is `\\`, a tab `\t`, a line feed `\n` and a carriage return `\r`; an absent value is `\N`. This is the text
format of PostgreSQL's COPY (https://www.postgresql.org/docs/current/sql-copy.html, "Text Format"), and what MySQL's
LOAD DATA reads by default. Booleans are `true` and `false`, lists are JSON arrays. Lone surrogates and paths are as in
`csv_lines`.
"""

from __future__ import annotations

from collections.abc import Sequence

from urlglean.columns import COLUMNS, Value
from urlglean.occurrence import Occurrence
from urlglean.output.delimited import delimited
from urlglean.output.jsonl import SURROGATE, encoded

HEADER = b"\t".join(column.name.encode() for column in COLUMNS) + b"\n"
"""The first line: the names of the columns."""

_ESCAPES = ((b"\\", b"\\\\"), (b"\t", b"\\t"), (b"\n", b"\\n"), (b"\r", b"\\r"))
"""What is written for a character; the backslash first, because the others add some."""


def lines(occurrences: Sequence[Occurrence]) -> list[bytes]:
    r"""A line for each occurrence, ending in "\n"."""
    return delimited(occurrences, _cell, b"\t", b"\n")


def _cell(value: Value) -> bytes:
    if value is None:
        return rb"\N"
    cell = SURROGATE.sub("\ufffd", value).encode() if isinstance(value, str) else encoded(value)
    for octets, escaped in _ESCAPES:
        cell = cell.replace(octets, escaped)
    return cell
