"""Undoes folds, backslashes and encodings in text/calendar (RFC 5545 3.1, 3.3.11) and vCards (RFC 6350 3.2, 3.4)."""

from __future__ import annotations

import re

from urlglean.charsets import decode
from urlglean.lazy import pattern
from urlglean.mail.transfer_encoding import undo

DIRECTORY = frozenset({"text/calendar", "text/directory", "text/vcard", "text/x-vcalendar", "text/x-vcard"})
"""The types that are written so."""

# The versions before 3.0 fold as RFC 822 3.1.1 does: the blank that begins a line belongs to the text.
_OLD = pattern(r"^version:(?:2\.1|1\.0)[ \t]*+\r?$", re.IGNORECASE | re.MULTILINE)
# Only they encode values.
_ENCODED = pattern(
    r"^(?=[^\r\n:]*;(?:encoding=)?quoted-printable[;:])([^\r\n:]++:)((?:[^\r\n]*=\r?\n)*+[^\r\n]*+)",
    re.IGNORECASE | re.MULTILINE,
)
# Before a colon a backslash means nothing, but Apple's address book wrote it there.
_WRITTEN = pattern(r"\r?\n[ \t]|\\([\\,;:nN])")
_LINE_ENDS = frozenset("nN")


def as_meant(text: str) -> str:
    """A text with its long lines whole, its values decoded, and no backslashes before signs of the syntax."""
    is_old = _OLD.search(text) is not None
    fold = " " if is_old else ""

    def meant(written: re.Match[str]) -> str:
        sign = written[1] or fold
        return "\n" if sign in _LINE_ENDS else sign

    whole = _WRITTEN.sub(meant, text)
    return _ENCODED.sub(_decoded, whole) if is_old else whole


def _decoded(value: re.Match[str]) -> str:
    return value[1] + decode(undo(value[2].encode("utf-8"), "quoted-printable").octets).text
