"""Puts the URL of a body that lies elsewhere together again, which its Content-Type holds in words or in pieces.

White space in it is none of the URL (RFC 2017 3.1), and it may be divided into parameters (RFC 2231 3):

    Content-Type: message/external-body; access-type=URL; URL="http://host/a/
        b"
    Content-Type: message/external-body; access-type=URL; URL*0="http://host/a/"; URL*1="b"
"""

from __future__ import annotations

import re

from urlglean.lazy import pattern

_OF_TYPE = pattern(r"\s*+message/external-body(?![^\s;])", re.IGNORECASE)
# Between two pieces. It begins behind a value, so that the blanks of a run are passed over once.
_SEAM = pattern(r"(?:\"|(?<!\s))\s*+;\s*+url\*[1-9][0-9]{0,2}\s*+=\s*+\"?", re.IGNORECASE)
_URL = pattern(r"(?<=[;\s])(url(?:\*0)?\s*+=\s*+\")([^\"]++)", re.IGNORECASE)
_EXTENDED = pattern(r"[;\s]url(?:\*[0-9]{1,3})?\*\s*+=", re.IGNORECASE)


def with_whole_url(value: str) -> str:
    """The value of a Content-Type, unfolded, with its URL whole; unchanged if it is no external body with a URL."""
    if not _OF_TYPE.match(value):
        return value
    return _URL.sub(lambda found: found[1] + "".join(found[2].split()), _SEAM.sub("", value))


def flaw_of(value: str) -> str | None:
    """The cause if an external body has a URL in the extended form of RFC 2231 4, which is not read; else None."""
    named = _EXTENDED.search(value) if _OF_TYPE.match(value) else None
    return "the URL of its external body is in the extended form of RFC 2231, not read" if named else None
