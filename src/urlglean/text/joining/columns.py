"""The columns that a line takes on a terminal, by which programs wrap it.

Wide characters, such as those of Chinese, Japanese and Korean, take two (UAX 11).
"""

from __future__ import annotations

from urlglean.lazy import unicode_pattern

WIDEST = 100
"""Lines of more columns were not wrapped, or by a program that counts code points."""

_WIDE = unicode_pattern(r"[\p{EA=W}\p{EA=F}]")


def columns(line: str) -> int:
    """How many columns the beginning of a line takes; its code points if it takes more than `WIDEST` columns."""
    if "\t" in line:
        line = line.expandtabs()
    if line.isascii():
        return len(line)
    width = len(line) + len(_WIDE.findall(line))
    return width if width <= WIDEST else len(line)


def has_wide(line: str) -> bool:
    """Whether a line has a wide character: a program may wrap between two of them, where no blank is."""
    return not line.isascii() and _WIDE.search(line) is not None
