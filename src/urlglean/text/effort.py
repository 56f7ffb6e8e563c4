"""Bounds the work that the readings of a text take, so that hostile text costs no more than a few times as much.

Weighing a line break takes as long as scanning 200 characters, and one URL may meet 32 breaks; a rejected candidate is
tried in many ways. Mail needs this rarely, so text pays for it in advance: each code point allows a little work. Where
the work so far exceeds what the text before it allows, a candidate is read in the simplest way only.
"""

from __future__ import annotations

FREE = 50_000
"""The most work that a text allows besides, whatever its length."""

FREE_RATE = 6.0
"""What is free of a short text, for each of its code points. A URL of many signs that is broken over ten lines needs as
much; a short text may hold several, and many short texts may be hostile."""

LEAST_FREE = 1_000
"""What is free of any text. Of 41,000 real texts with broken URLs of usual length, one needs 209."""

RATE = 2.0
"""The work that each code point of the text before a candidate allows."""

OWN_RATE = 16
"""The work that each code point of a URL allows for this URL, besides: as one of 2,000 with many signs needs that is
broken over 30 lines. The next ones are read in the simplest way then, until there is enough text before one."""

SIMPLE = 30
"""The work of finding a candidate and reading it in the simplest way."""

STEP = 30
"""The work of weighing one line break, apart from reading the URL before it."""

SIGN = 2
"""The work of looking at one sign at which a rule may end a URL, each time that a line break is weighed."""

PATH = 30
"""The work of reading a URL along one path over line breaks, apart from its forms."""

FORM = 12
"""The work of trying one form of a reading, apart from reading it."""

PIECE = 4
"""The work of one piece of a form."""

SALVAGE = 16
"""The work of searching a rejected reading for the signs of frames, apart from reading it twice."""

PROBLEMS = 30
"""The work of explaining why a URL is rejected."""

PER_UNIT = 8
"""Code points of a URL that are read by one unit of work."""

AGAIN = 2
"""Code points of a run that are searched for another candidate by one unit of work. Each bracket in it takes longer."""

SEARCH = 20
"""The work of such a search, apart from reading the run."""

LONGEST = 1 << 14
"""The most code points of a URL that is read in several ways. Real URLs that line breaks cut have 2,500 at most."""


class Effort:
    """Counts the work for one text.

    A unit is about a microsecond (Python 3.11, fitted to lists of broken URLs and to random hostile texts). In the
    worst hostile texts that were found it is four.

    Args:
        length: of the text, in code points; 0 if the work is only counted.

    Attributes:
        spent: the work so far.
    """

    __slots__ = ("_free", "spent")

    def __init__(self, length: int = 0) -> None:
        self.spent = 0
        self._free = max(LEAST_FREE, min(FREE, FREE_RATE * length))

    def spend(self, units: int, length: int = 0) -> None:
        """Add `units` of work, and the work of reading `length` code points of a URL."""
        self.spent += units + length // PER_UNIT

    def search_again(self, length: int, signs: int) -> None:
        """Add the work of searching `length` code points of a run, with so many signs, for candidates within it."""
        self.spent += SEARCH + length // AGAIN + SIGN * signs

    def is_over(self, at: int, own: int = 0) -> bool:
        """Whether the work so far exceeds what the text before the code point `at` allows.

        `own` is the length of the URL that is being read, in code points.
        """
        return self.spent > self._free + RATE * at + OWN_RATE * own
