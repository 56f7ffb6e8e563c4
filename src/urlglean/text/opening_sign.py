"""The sign before a URL that may open a wrapper."""

from __future__ import annotations

from urlglean.lazy import pattern
from urlglean.text.quote_prefix import BREAK

MAX_BLANKS = 80
"""The most characters of white space and quote prefix between a "<" and the URL or prefix behind it."""

_QUOTED = pattern(rf"<[ \t]*+{BREAK}[ \t]*+(?:>[ \t]*+)++\Z")


def opener(text: str, start: int, done: int) -> str:
    """The sign before `start` that may open a wrapper.

    It is "<" if a "<" precedes, even with white space between, or with a line break and a quote prefix; else the
    character before `start`, or "".

    Args:
        text: the whole text.
        start: the beginning of the URL, or of its prefix.
        done: the end of the last candidate; the text before it is ignored.
    """
    before = text[max(start - 1 - MAX_BLANKS, done) : start]
    if "<" in before and (before.rstrip().endswith("<") or _QUOTED.search(before)):
        return "<"
    return before[-1:]
