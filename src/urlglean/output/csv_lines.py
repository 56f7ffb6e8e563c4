r"""Writes comma-separated values (RFC 4180), in UTF-8: a header with the names of `COLUMNS`, then one record a row.

    "url","scheme","host", ... ,"rivals", ... ,"message", ...
    "http://host/","http","host", ... ,"[""http://h/""]", ... ,7, ...

Text and lists are always quoted, and nothing else is. So an empty text, `""`, differs from an absent value, which is an
empty cell without quotes; PostgreSQL's COPY reads them in this way. Booleans are `true` and `false`. Lists are JSON
arrays in their cell. Lone surrogates become U+FFFD, as in JSON lines. Values are the same as in the mail: a spreadsheet
program may read one that begins with "=" as a formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from urlglean.columns import COLUMNS, Value
from urlglean.occurrence import Occurrence, of_finding, of_part
from urlglean.output.jsonl import SURROGATE, encoded


def lines(occurrences: Sequence[Occurrence]) -> list[bytes]:
    r"""A record for each occurrence, ending in "\r\n"."""
    written, part, origin, shared = [], None, None, b""
    for each in occurrences:
        if each.part is not part or each.origin is not origin:
            part, origin = each.part, each.origin
            shared = b"," + _cells(of_part(each)) + b"\r\n"
        written.append(_cells(of_finding(each)) + shared)
    return written


def _cells(values: Iterable[Value]) -> bytes:
    return b",".join([_cell(value) for value in values])


def _cell(value: Value) -> bytes:
    match value:
        case None:
            return b""
        case str():
            return _quoted(SURROGATE.sub("\ufffd", value).encode())
        case bool() | int() | float():
            return encoded(value)
        case _:
            return _quoted(encoded(value))


def _quoted(text: bytes) -> bytes:
    return b'"' + text.replace(b'"', b'""') + b'"'


HEADER = b",".join(_quoted(column.name.encode()) for column in COLUMNS) + b"\r\n"
"""The first record: the names of the columns."""
