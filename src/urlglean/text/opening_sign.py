"""The sign before a URL that may open a wrapper."""

from __future__ import annotations

from urlglean.lazy import pattern

MAX_BLANKS = 80
"""Characters of white space that may stand between a "<" and what it wraps."""

_OPENED = pattern(rf"<\s{{0,{MAX_BLANKS}}}\Z")


def opener(text: str, start: int, done: int) -> str:
    """The wrapper's sign before `start`: "<" even with white space between, else the character itself.

    Args:
        text: the whole text.
        start: where the URL, or its prefix, begins.
        done: the end of the last candidate; nothing before it counts.
    """
    before = text[max(start - 1, done) : start]
    if before.isspace() and _OPENED.search(text, max(start - 1 - MAX_BLANKS, done), start):
        return "<"
    return before
