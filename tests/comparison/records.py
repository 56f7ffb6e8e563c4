"""The records of the comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Found(NamedTuple):
    """A URL that a tool finds in a text.

    `start` and `end` are half-open offsets in code points of the text; `url` is the string that the tool's user gets.
    `joined` says whether it was joined from pieces. `wrapper` is as in `urlglean.Finding`; it is "" for the other
    tools, which report no wrapper.
    """

    start: int
    end: int
    url: str
    joined: bool = False
    wrapper: str = ""


Find = Callable[[str], list[Found]]
"""Returns the URLs in a text, in text order."""


class Disagreement(NamedTuple):
    """A place where a tool finds other URLs than ours. `ours` and `other` are not both empty.

    `rejected` is the code of the first problem for which urlglean rejected the other tool's URL. It is "" if urlglean
    found a URL there, or no candidate at all.
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
