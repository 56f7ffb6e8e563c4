"""What a rule is by which a bare URL ends before its run of characters does, and what the rules ask about that run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from urlglean.lazy import LazyPattern, pattern
from urlglean.text.signs import SignRule

Cuts = Callable[[str, int, Counter[str]], int | None]
"""The function of a rule: see `CutRule.cuts`."""


class CutRule(SignRule, frozen=True, kw_only=True):
    """A row: a rule by which a URL ends before its run of characters does.

    Attributes:
        behind_file: whether it may apply only directly behind a file's extension.
        cuts: gets the text, the place of the sign, and the number of open brackets by opening bracket; returns the
            place where the URL ends, which may be before the sign, or None if the rule does not apply.
    """

    cuts: Cuts
    behind_file: bool = False


_Pattern = LazyPattern[str, re.Match[str]]


def at_match(written: _Pattern, within: _Pattern | None = None) -> Cuts:
    """The function for `CutRule.cuts` that ends the URL at the sign if the pattern matches there.

    With `within`, only in this part of the URL (`is_in`).
    """
    return lambda text, at, _open: (
        at if written.match(text, at) and (within is None or is_in(within, text, at)) else None
    )


def at_sign(_text: str, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL at the sign, wherever `only` of the row matches."""
    return at


IN_PATH = pattern(r"://[^\s/?#]*+/[^\s?#]*+\Z")
"""Matches from the end of a scheme to a place in the path."""
LOOK = 1000
"""So many code points before a sign are searched for the beginning of the URL and of a comment."""


def scheme_end(text: str, at: int) -> int:
    """The end of the scheme of the URL in which a sign stands; -1 if none is near."""
    return text.rfind("://", max(0, at - LOOK), at)


def run_before(text: str, at: int) -> str:
    """What stands before a sign without white space, behind the last "://" in it; the last `LOOK` code points."""
    return "".join(text[max(0, at - LOOK) : at].rsplit(maxsplit=1)[-1:]).rpartition("://")[2]


def is_in(part: _Pattern, text: str, at: int) -> bool:
    """Whether a sign stands in a part of a URL."""
    begin = scheme_end(text, at)
    return begin >= 0 and part.match(text, begin, at) is not None
