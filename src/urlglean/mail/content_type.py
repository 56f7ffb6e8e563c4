"""Reads Content-Type fields in the forms that mailers write, beyond those that the library's parser knows."""

from __future__ import annotations

import re
from collections.abc import Iterable

from urlglean.lazy import pattern

# RFC 822 3.1.4 allows blanks and comments between all tokens. A bracket inside a token, or behind a quotation mark that
# nothing closes, is no comment.
_COMMENT = pattern(r"(\"(?:[^\"\\]|\\.)*+(?:\"|\\?\Z))|(?<![^\s;/])\((?:[^()]|\([^()]*+\))*+\)", re.DOTALL)
_TYPE = pattern(r"\s*+\"?\s*+([A-Za-z]++)\s*+/\s*+([A-Za-z0-9.+-]++)\"?")
_BOUNDARY = pattern(r"\s*+multipart/[^;]*+;(?:.*?;)?\s*+boundary\s*+=\s*+\"?([^\";\r\n]++)", re.IGNORECASE | re.DOTALL)
_DELIMITER = pattern(rb"^--([^\r\n]++)", re.MULTILINE)


def usual(value: str) -> str:
    """An unfolded Content-Type without comments, and without blanks and quotation marks in its type."""
    if "(" in value:
        value = _COMMENT.sub(r"\1", value)
    found = _TYPE.match(value)
    return f"{found[1]}/{found[2]}{value[found.end() :]}" if found else value


def proven(values: Iterable[bytes], body: bytes) -> bytes | None:
    """Of the Content-Type fields of a message or part, the multipart whose boundary comes first in its body.

    None if none does. Gateways add a field of their own before or behind that of the message.
    """
    written = ((value, _BOUNDARY.match(usual(value.decode("latin-1")))) for value in values)
    of_boundary = {found[1].rstrip().encode("latin-1"): value for value, found in written if found}
    if not of_boundary:
        return None
    lines = (found[1].rstrip() for found in _DELIMITER.finditer(body))
    return next((of_boundary[line] for line in lines if line in of_boundary), None)
