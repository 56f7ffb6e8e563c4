"""Puts the URL of a body that lies elsewhere together again, which its Content-Type holds in words or in pieces.

White space in it is none of the URL (RFC 2017 3.1), and it may be divided into parameters (RFC 2231 3):

    Content-Type: message/external-body; access-type=URL; URL="http://host/a/
        b"
    Content-Type: message/external-body; access-type=URL; URL*0="http://host/a/"; URL*1="b"
"""

from __future__ import annotations

import re
from itertools import count, takewhile

from urlglean.lazy import pattern

_OF_TYPE = pattern(r"\s*+message/external-body(?![^\s;])", re.IGNORECASE)
# A piece; or a value in quotation marks, in which none is.
_PIECE = pattern(
    r"(?<=[;\s])url\*([0-9]{1,3})\s*+=\s*+(?:\"([^\"]*+)\"?|([^\s;\"]*+))|\"(?:[^\"\\]++|\\.)*+\"?", re.IGNORECASE
)
_URL = pattern(r"(?<=[;\s])(url\s*+=\s*+\")([^\"]++)", re.IGNORECASE)
_EXTENDED = pattern(r"[;\s]url(?:\*[0-9]{1,3})?\*\s*+=", re.IGNORECASE)


def is_external(header: bytes) -> bool:
    """Whether a header may hold the Content-Type of an external body. It is a fast test, which may say so of others."""
    return b"external-body" in header.lower()


def with_whole_url(value: str) -> str:
    """The value of a Content-Type, unfolded, with its URL whole; unchanged if it is no external body with a URL."""
    if not _OF_TYPE.match(value):
        return value
    return _URL.sub(lambda found: found[1] + "".join(found[2].split()), _of_one_piece(value))


def _of_one_piece(value: str) -> str:
    """The value with the pieces of its URL as one parameter, where the first one of them is.

    The order of parameters means nothing (RFC 2045 5). What follows a missing number is none of the value.
    """
    found = [piece for piece in _PIECE.finditer(value) if piece[1]]
    pieces = {int(piece[1]): piece[2] or piece[3] or "" for piece in found}
    whole = "".join(pieces[number] for number in takewhile(pieces.__contains__, count()))
    if not whole:
        return value
    places = [0, *(at for piece in found for at in piece.span()), len(value)]
    before, *others = (value[start:end] for start, end in zip(places[::2], places[1::2], strict=True))
    return "".join([before, f'URL="{whole}"', *others])


def flaw_of(value: str) -> str | None:
    """The cause if an external body has a URL in the extended form of RFC 2231 4, which is not read; else None."""
    named = _EXTENDED.search(value) if _OF_TYPE.match(value) else None
    return "the URL of its external body is in the extended form of RFC 2231, not read" if named else None
