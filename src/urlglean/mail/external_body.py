"""Puts the URL of a body that lies elsewhere together again, which its Content-Type holds in words or in pieces.

White space in it is none of the URL (RFC 2017 3.1), and it may be in pieces (`parameters`):

    Content-Type: message/external-body; access-type=URL; URL="http://host/a/
        b"
"""

from __future__ import annotations

import re

from urlglean.lazy import pattern
from urlglean.mail.parameters import with_whole_parameters

_OF_TYPE = pattern(r"\s*+message/external-body(?![^\s;])", re.IGNORECASE)
_URL = pattern(r"(?<=[;\s])(url\s*+=\s*+\")([^\"]++)", re.IGNORECASE)
_EXTENDED = pattern(r"[;\s]url(?:\*[0-9]{1,3})?\*\s*+=", re.IGNORECASE)


def is_external(header: bytes) -> bool:
    """Whether a header may hold the Content-Type of an external body. It is a fast test, which may say so of others."""
    return b"external-body" in header.lower()


def with_whole_url(value: str) -> str:
    """The value of a Content-Type or Content-Disposition, unfolded, with its parameters whole.

    The URL of an external body then has no white space.
    """
    value = with_whole_parameters(value)
    return _URL.sub(lambda found: found[1] + "".join(found[2].split()), value) if _OF_TYPE.match(value) else value


def flaw_of(value: str) -> str | None:
    """The cause if an external body has a URL in the extended form of RFC 2231 4, which is not read; else None."""
    named = _EXTENDED.search(value) if _OF_TYPE.match(value) else None
    return "the URL of its external body is in the extended form of RFC 2231, not read" if named else None
