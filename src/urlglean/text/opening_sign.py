"""The sign before a URL that may open a wrapper."""

from __future__ import annotations

from urlglean.lazy import pattern
from urlglean.text.quote_prefix import BREAK, behind_margin, margin_at

MAX_BLANKS = 80
"""The most characters of white space and quote prefix between a "<" and the URL or prefix behind it."""

_QUOTED = pattern(rf"<[ \t]*+{BREAK}[ \t]*+(?:>[ \t]*+)++\Z")
_AT_LINE_END = pattern(rf"<[ \t]*+({BREAK})[^\n<]*+\Z")


def opener(text: str, start: int, done: int) -> str:
    """The sign before `start` that may open a wrapper.

    It is "<" if a "<" precedes, even with white space between, or with a line break and a quote prefix, or with the
    margin that both lines have; else the character before `start`, or "".

    Args:
        text: the whole text.
        start: the beginning of the URL, or of its prefix.
        done: the end of the last candidate; the text before it is ignored.
    """
    before = text[max(start - 1 - MAX_BLANKS, done) : start]
    if "<" in before and (
        before.rstrip().endswith("<") or _QUOTED.search(before) or _is_behind_margin(text, start, len(before))
    ):
        return "<"
    return before[-1:]


def _is_behind_margin(text: str, start: int, length: int) -> bool:
    """Whether a "<" ends the line above, and only the margin of that line stands before `start`.

    So many code points before `start` are looked at.
    """
    above = _AT_LINE_END.search(text, start - length, start)
    if above is None:
        return False
    margin = margin_at(text, above.start(), wrapped=True, below=above.end(1))
    return behind_margin(text, above.end(1), margin) == start
