"""Recognises flowed text (RFC 3676), in which a blank at the end of a line says that the next line continues it."""

from __future__ import annotations

import re

from urlglean.lazy import pattern
from urlglean.records import Flowed

_FORMAT = pattern(rb";\s*+format\s*+=\s*+\"?flowed\b", re.IGNORECASE)
_DELSP = pattern(rb";\s*+delsp\s*+=\s*+\"?yes\b", re.IGNORECASE)


def flowed(content_type: bytes) -> Flowed:
    """Whether the Content-Type of a text/plain part says that its text is flowed (RFC 3676 section 4).

    Returns:
        "flowed"; "delsp" if the blank at the line end has to be deleted too (DelSp=yes); "" if the text is not flowed.
    """
    if b"lowed" not in content_type.lower() or not _FORMAT.search(content_type):
        return ""
    return "delsp" if _DELSP.search(content_type) else "flowed"
