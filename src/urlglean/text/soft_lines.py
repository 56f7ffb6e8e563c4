"""Knows the soft line ends of format=flowed with DelSp (RFC 3676 4), at which a program broke a line of the writer."""

from __future__ import annotations

from msgspec import Struct

from urlglean.lazy import pattern
from urlglean.text.quote_prefix import BREAK

SOFT_END = pattern(rf" {BREAK}")
"""The pattern of the blank that ends a soft line, and of the line end behind it."""

# Only ">" at the beginning of a line quotes it (4.5), and one blank behind that stuffs it (4.4).
_LEAD = pattern(">*+ ?+")
# But programs that know nothing of this quote with "> > ", or all lines with " > ".
_OTHER_LEAD = pattern(r">*+(?: >++)++ ?+")
_EMPTY = pattern(r"[ \t]*+(?:[\r\n]|\Z)")
_BEFORE_SIGNATURE = pattern(rf"-- (?:{BREAK}|\Z)")


class SoftBreak(Struct, frozen=True, gc=False):
    """A soft line end.

    Attributes:
        start: where the blank stands that ends the line.
        line: where the next line begins.
        end: where the text of that line begins, behind its quote marks and its stuffing.
        is_quoted: whether it has quote marks.
    """

    start: int
    line: int
    end: int
    is_quoted: bool


def soft_break(text: str, start: int) -> SoftBreak | None:
    """The soft line end at `start`, the place of a blank; None if there is none.

    Both lines are quoted as often (4.5), and neither is empty or the one before a signature (4.3).
    """
    found = SOFT_END.match(text, start)
    if found is None:
        return None
    line, below = text.rfind("\n", 0, start) + 1, found.end()
    is_other = _OTHER_LEAD.match(text, below) and (text[below] == ">" or _OTHER_LEAD.match(text, line))
    lead = _OTHER_LEAD if is_other else _LEAD
    own, other = lead.match(text, line), lead.match(text, below)
    if own is None or other is None or own[0].rstrip() != other[0].rstrip() or own.end() > start:
        return None
    is_signature = _BEFORE_SIGNATURE.match(text, own.end()) or _BEFORE_SIGNATURE.match(text, other.end())
    if is_signature or _EMPTY.match(text, other.end()):
        return None
    return SoftBreak(start, below, other.end(), is_quoted=other[0].startswith(">"))
