"""Patterns that are compiled when they are first used, for those that not every text and message needs.

The others are compiled at once: through here each use costs 20 ns more.
"""

# Measured (Python 3.11): a run on one message takes 82 ms so, 93 with all patterns compiled and `regex` imported.

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, AnyStr, cast

if TYPE_CHECKING:
    import regex

_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split")


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, but later; a pattern that is none is told no sooner."""
    return cast("re.Pattern[AnyStr]", _Lazy(partial(re.compile, source, flags)))


def unicode_pattern(source: str) -> regex.Pattern[str]:
    """The same by `regex`, in its version 1, which knows the properties of characters and sets of them."""
    return cast("regex.Pattern[str]", _Lazy(partial(_by_regex, source)))


def _by_regex(source: str) -> regex.Pattern[str]:
    import regex  # noqa: PLC0415 - 7 ms; few texts need it

    return regex.compile(source, regex.V1)


class _Lazy:
    """A pattern's methods: the compiled one's own, as soon as one of them was called."""

    def __init__(self, compiled: Callable[[], object]) -> None:
        self._compiled = compiled

    def __getattr__(self, name: str) -> Callable[..., object]:
        if name not in _METHODS:
            raise AttributeError(name)

        def late(*given: Any, **named: Any) -> object:
            own = vars(self)
            if name not in own:  # it may have been kept, by a table, since before it was compiled
                compiled = self._compiled()
                own.update((each, getattr(compiled, each)) for each in _METHODS)
            return own[name](*given, **named)

        return late
