"""Whether a text is flowed (RFC 3676): a blank at a line's end then means that the next line goes on with it."""

from __future__ import annotations

import re

from urlglean.lazy import pattern
from urlglean.records import Flowed

_FORMAT = pattern(rb";\s*+format\s*+=\s*+\"?flowed\b", re.IGNORECASE)
_DELSP = pattern(rb";\s*+delsp\s*+=\s*+\"?yes\b", re.IGNORECASE)


def flowed(content_type: bytes) -> Flowed:
    """What the parameters of a text/plain part say (RFC 3676 section 4): `delsp` if that blank is to go as well."""
    if b"lowed" not in content_type.lower() or not _FORMAT.search(content_type):
        return ""
    return "delsp" if _DELSP.search(content_type) else "flowed"
