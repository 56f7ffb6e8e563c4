"""The sign before a URL that may open a wrapper."""

from __future__ import annotations

MAX_BLANKS = 80
"""The most characters of white space between a "<" and the URL or prefix behind it."""


def opener(text: str, start: int, done: int) -> str:
    """The sign before `start` that may open a wrapper.

    It is "<" if a "<" precedes, even with white space between; else the character before `start`, or "".

    Args:
        text: the whole text.
        start: the beginning of the URL, or of its prefix.
        done: the end of the last candidate; the text before it is ignored.
    """
    before = text[max(start - 1 - MAX_BLANKS, done) : start]
    return "<" if before.rstrip().endswith("<") else before[-1:]
