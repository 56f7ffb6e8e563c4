r"""Comma-separated values (RFC 4180), in UTF-8: a header with the names of `COLUMNS`, then one record a row.

    "url","scheme","host", ... ,"rivals", ... ,"message", ...
    "http://host/","http","host", ... ,"[""http://h/""]", ... ,7, ...

Text is always quoted and nothing else is, so that an empty text `""` is not an absent one, which is nothing at all
(PostgreSQL's COPY reads it so). Booleans are `true` and `false`; lists are JSON arrays in their cell, as in JSON lines.
Lone surrogates become U+FFFD, as there. Values are as they stood in the mail: a spreadsheet that opens the file may
take one that begins with "=" for a formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from urlglean.columns import COLUMNS, Value
from urlglean.occurrence import Occurrence, of_finding, of_part
from urlglean.output.jsonl import SURROGATE, encoded


def lines(occurrences: Sequence[Occurrence]) -> list[bytes]:
    r"""Occurrences as records, each with its "\r\n"."""
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
"""The first record."""
