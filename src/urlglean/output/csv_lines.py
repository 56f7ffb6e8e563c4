r"""Writes comma-separated values (RFC 4180), in UTF-8: a header with the names of `COLUMNS`, then one record a row.

    "url","scheme","host", ... ,"rivals", ... ,"message", ...
    "http://host/","http","host", ... ,"[""http://h/""]", ... ,7, ...

Text and lists are always quoted, and nothing else is. So an empty text, `""`, differs from an absent value, which is an
empty cell without quotes; PostgreSQL's COPY reads them in this way. Booleans are `true` and `false`. Lists are JSON
arrays in their cell. Lone surrogates become U+FFFD, as in JSON lines; a path that is not UTF-8 is a file URI.

Values are the same as in the mail: a spreadsheet program reads one that begins with "=" as a formula. `safe_lines` puts
an apostrophe before such, as OWASP advises (https://owasp.org/www-community/attacks/CSV_Injection).
"""

from __future__ import annotations

from collections.abc import Sequence

from urlglean.columns import COLUMNS, Value
from urlglean.occurrence import Occurrence
from urlglean.output.delimited import delimited
from urlglean.output.jsonl import SURROGATE, encoded

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""How a cell begins that a spreadsheet program may read as a formula (OWASP, CSV Injection)."""


def lines(occurrences: Sequence[Occurrence]) -> list[bytes]:
    r"""A record for each occurrence, ending in "\r\n"."""
    return delimited(occurrences, _cell, b",", b"\r\n")


def safe_lines(occurrences: Sequence[Occurrence]) -> list[bytes]:
    """The same for people who open it in a spreadsheet program: no cell is a formula."""
    return delimited(occurrences, _safe_cell, b",", b"\r\n")


def _safe_cell(value: Value) -> bytes:
    return _cell(f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value)


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
