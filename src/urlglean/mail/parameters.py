"""Puts the parameters of a Content-Type or Content-Disposition together that are divided into pieces (RFC 2231 3).

    Content-Disposition: attachment; filename*0="http://host/a/"; filename*1="b"

Pieces in the extended form (RFC 2231 4) are encoded, and stay as they are.
"""

from __future__ import annotations

import re
from itertools import count, takewhile

from urlglean.lazy import pattern

_QUOTED = r"\"((?:[^\"\\]++|\\.)*+)\"?"
# A piece; or a value in quotation marks, in which none is.
_PIECE = pattern(
    rf"(?<=[;\s])([^\s;=\"*]{{1,60}})\*([0-9]{{1,3}})\s*+=\s*+(?:{_QUOTED}|([^\s;\"]*+))|{_QUOTED}", re.DOTALL
)


def with_whole_parameters(value: str) -> str:
    """The value of a field, unfolded, with the pieces of each parameter as one, where the first of them is.

    The order of parameters means nothing (RFC 2045 5). What follows a missing number is none of the value.
    """
    pieces: dict[str, dict[int, str]] = {}
    for found in _PIECE.finditer(value):
        if found[1]:
            pieces.setdefault(found[1].lower(), {})[int(found[2])] = found[3] or found[4] or ""
    whole = {
        name: "".join(numbered[number] for number in takewhile(numbered.__contains__, count()))
        for name, numbered in pieces.items()
        if 0 in numbered
    }
    written: set[str] = set()

    def one(found: re.Match[str]) -> str:
        name = (found[1] or "").lower()
        if name not in whole:
            return found[0]
        is_first = name not in written
        written.add(name)
        return f'{found[1]}="{whole[name]}"' if is_first else ""

    return _PIECE.sub(one, value) if whole else value
