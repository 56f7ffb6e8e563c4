"""Patterns that are compiled when they are first used. They are for patterns that many texts and messages do not need.

All other patterns are compiled on import, because each use of a pattern from here costs 20 ns more.
"""

# Measured (Python 3.11): a run on one message takes 82 ms, and 93 ms if all patterns are compiled and `regex` imported.

# The compiled pattern is one of `re` or of `regex`, which share no type; the methods below declare the result types.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from sys import maxsize
from typing import TYPE_CHECKING, Any, AnyStr, Generic, TypeVar

from urlglean.expressions import compiled

if TYPE_CHECKING:
    import regex

Match = TypeVar("Match")

_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split")


class LazyPattern(Generic[AnyStr, Match]):
    """The methods of a compiled pattern, with the meaning and the errors that `re` or `regex` gives them.

    The first call compiles the pattern. From then on the compiled pattern's own methods are this object's.
    """

    def __init__(self, compiles: Callable[[], object]) -> None:
        """Stores `compiles`, which compiles the pattern; an error in the pattern is raised at the first call."""
        self._compiles = compiles

    def match(self, string: AnyStr, pos: int = 0, endpos: int = maxsize) -> Match | None:
        """The match that begins at `pos`; None if there is none."""
        return self._own("match")(string, pos, endpos)

    def fullmatch(self, string: AnyStr, pos: int = 0, endpos: int = maxsize) -> Match | None:
        """The match of the whole string from `pos` to `endpos`; None if there is none."""
        return self._own("fullmatch")(string, pos, endpos)

    def search(self, string: AnyStr, pos: int = 0, endpos: int = maxsize) -> Match | None:
        """The first match; None if there is none."""
        return self._own("search")(string, pos, endpos)

    def finditer(self, string: AnyStr, pos: int = 0, endpos: int = maxsize) -> Iterator[Match]:
        """All matches, in order."""
        return self._own("finditer")(string, pos, endpos)

    def findall(self, string: AnyStr, pos: int = 0, endpos: int = maxsize) -> list[Any]:
        """The texts of all matches, or of their groups."""
        return self._own("findall")(string, pos, endpos)

    def sub(self, repl: AnyStr | Callable[[Match], AnyStr], string: AnyStr, count: int = 0) -> AnyStr:
        """The text with its matches replaced."""
        return self._own("sub")(repl, string, count)

    def subn(self, repl: AnyStr | Callable[[Match], AnyStr], string: AnyStr, count: int = 0) -> tuple[AnyStr, int]:
        """The text with its matches replaced, and their number."""
        return self._own("subn")(repl, string, count)

    def split(self, string: AnyStr, maxsplit: int = 0) -> list[Any]:
        """The texts between the matches, with their groups."""
        return self._own("split")(string, maxsplit)

    def _own(self, name: str) -> Callable[..., Any]:
        """The compiled pattern's method of that name; compiles the pattern at the first call."""
        own = vars(self)
        if name not in own:  # a caller may hold a method of this class that it took before the pattern was compiled
            made = self._compiles()
            own.update((each, getattr(made, each)) for each in _METHODS)
        method: Callable[..., Any] = own[name]
        return method


def pattern(source: AnyStr, flags: int = 0) -> LazyPattern[AnyStr, re.Match[AnyStr]]:
    """The pattern that `compiled` would return, compiled at its first use."""
    return LazyPattern(partial(compiled, source, flags))


def unicode_pattern(source: str) -> LazyPattern[str, regex.Match[str]]:
    """The pattern that `regex` would compile in its version 1, which has Unicode properties and set operations."""
    return LazyPattern(partial(_by_regex, source))


def _by_regex(source: str) -> regex.Pattern[str]:
    import regex  # noqa: PLC0415 - importing it takes 7 ms, and few texts need it

    return regex.compile(source, regex.V1)
