"""Undoes folds, backslashes and encodings in text/calendar (RFC 5545 3.1, 3.3.11) and vCards (RFC 6350 3.2, 3.4)."""

from __future__ import annotations

import re

from urlglean.charsets import decode
from urlglean.lazy import pattern
from urlglean.mail.transfer_encoding import undo

DIRECTORY = frozenset({"text/calendar", "text/directory", "text/vcard", "text/x-vcalendar", "text/x-vcard"})
"""The types that are written so."""

_CARD = pattern(r"^(?=begin:v(?:card|calendar)\b)", re.IGNORECASE | re.MULTILINE)
_OLD = pattern(r"^version:(?:2\.1|1\.0)[ \t]*+\r?$", re.IGNORECASE | re.MULTILINE)
_FOLD = pattern(r"\r?\n[ \t]")
# Simple programs count octets and fold within a character of UTF-8, the default charset (RFC 5545 3.1, 3.1.4).
_FOLD_IN_CHARACTER = pattern(rb"(?<=[\xc2-\xf4])([\x80-\xbf]{0,2})\r?\n[ \t](?=[\x80-\xbf])")
# Before a colon a backslash means nothing, but Apple's address book wrote it there.
_ESCAPE = pattern(r"\\([\\,;:nN])")
_LINE_ENDS = frozenset("nN")
# A value in quoted-printable, with its soft line breaks.
_ENCODED = pattern(
    r"^(?=[^\r\n:]*;(?:encoding=)?quoted-printable[;:])([^\r\n:]++:)((?:[^\r\n]*=\r?\n)*+[^\r\n]*+)",
    re.IGNORECASE | re.MULTILINE,
)


def with_whole_characters(octets: bytes) -> bytes:
    """The octets of a text without folds within a character. The others stand in the decoded text as well."""
    return octets if octets.isascii() else _FOLD_IN_CHARACTER.sub(rb"\1", octets)


def as_meant(text: str) -> str:
    """A text with its long lines whole, its values decoded, and no backslashes before signs of the syntax."""
    return without_backslashes(unfolded(text))


def unfolded(text: str) -> str:
    """A text with its long lines whole, and its values decoded."""
    return "".join(map(_unfolded, _CARD.split(text)))


def without_backslashes(text: str) -> str:
    """An unfolded text, or a value of it, without the backslashes before signs of the syntax."""
    return _ESCAPE.sub(_sign, text)


def _unfolded(card: str) -> str:
    # The versions before 3.0 fold as RFC 822 3.1.1 does: the blank belongs to the text. Only they encode values, but
    # programs write both in one.
    fold = " " if _OLD.search(card) else ""
    return _FOLD.sub(fold, _ENCODED.sub(_decoded, card))


def _sign(escape: re.Match[str]) -> str:
    return "\n" if escape[1] in _LINE_ENDS else escape[1]


def _decoded(value: re.Match[str]) -> str:
    return value[1] + decode(undo(value[2].encode("utf-8"), "quoted-printable").octets).text
