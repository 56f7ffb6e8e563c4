"""What the comparison is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Found(NamedTuple):
    """A URL that a tool finds in a text.

    `start` and `end` are half-open, in code points of the text; `url` is what the tool's user gets. `joined` says that
    it is put together of pieces; `wrapper` is as in `urlglean.Finding`, "" for the other tools, which tell of none.
    """

    start: int
    end: int
    url: str
    joined: bool = False
    wrapper: str = ""


Find = Callable[[str], list[Found]]
"""The URLs in a text, in its order."""


class Disagreement(NamedTuple):
    """A place where a tool finds other URLs than ours: at least one of `ours` and `other` is not empty.

    `rejected` is the code of the first problem for which urlglean refused what the other tool found, "" if it did not
    see it at all or found something there.
    """

    text: str
    ours: tuple[Found, ...]
    other: tuple[Found, ...]
    rejected: str = ""

    @property
    def start(self) -> int:
        """Where the first of its URLs begins."""
        return min(found.start for found in self.ours + self.other)

    @property
    def end(self) -> int:
        """Where the last of its URLs ends."""
        return max(found.end for found in self.ours + self.other)
