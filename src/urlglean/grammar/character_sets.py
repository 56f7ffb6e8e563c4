"""Sets of characters as sorted, disjoint ranges of code points, for computing first sets and classes of patterns."""

from __future__ import annotations

import re

CharSet = tuple[tuple[int, int], ...]


def union(*sets: CharSet) -> CharSet:
    """All characters of the sets; adjacent ranges are merged."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(pair for chars in sets for pair in chars):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def disjoint(one: CharSet, other: CharSet) -> bool:
    """Whether no character is in both sets."""
    return all(high < low2 or high2 < low for low, high in one for low2, high2 in other)


def without(chars: CharSet, other: CharSet) -> CharSet:
    """The characters of the first set that are not in the other."""
    left = list(chars)
    for low, high in other:
        left = [
            pair
            for first, last in left
            for pair in ((first, min(last, low - 1)), (max(first, high + 1), last))
            if pair[0] <= pair[1]
        ]
    return tuple(left)


def class_of(chars: CharSet, ceiling: int) -> str:
    """A pattern for `re` of the characters of the set up to `ceiling`: a class, or the character itself if it is one.

    It never matches if no character is left.
    """
    chars = tuple((low, min(high, ceiling)) for low, high in chars if low <= ceiling)
    if not chars:
        return "(?!)"
    if len(chars) == 1 and chars[0][0] == chars[0][1]:
        return re.escape(chr(chars[0][0]))
    return "[" + "".join(_range(low, high) for low, high in chars) + "]"


def _range(low: int, high: int) -> str:
    return _escape(low) if low == high else f"{_escape(low)}-{_escape(high)}"


def _escape(code: int) -> str:
    return re.escape(chr(code)) if code < 128 else f"\\U{code:08x}"


def has(chars: CharSet, code: int) -> bool:
    """Whether the code point is in the set."""
    return any(low <= code <= high for low, high in chars)
