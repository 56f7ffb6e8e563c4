"""Undoes the folds and backslashes of text/calendar (RFC 5545 3.1, 3.3.11) and of vCards (RFC 6350 3.2, 3.4)."""

from __future__ import annotations

import re

from urlglean.lazy import pattern

DIRECTORY = frozenset({"text/calendar", "text/directory", "text/vcard", "text/x-vcalendar", "text/x-vcard"})
"""The types that are written so."""

# Before a colon a backslash means nothing, but Apple's address book wrote it there.
_WRITTEN = pattern(r"\r?\n[ \t]|\\([\\,;:nN])")
_LINE_ENDS = frozenset("nN")


def unescaped(text: str) -> str:
    """A text with its long lines whole, and without the backslashes before signs of the syntax."""
    return _WRITTEN.sub(_meant, text)


def _meant(written: re.Match[str]) -> str:
    sign = written[1] or ""
    return "\n" if sign in _LINE_ENDS else sign
