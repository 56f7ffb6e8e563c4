"""What a rule is by which a bare URL ends before its run of characters does, and what the rules ask about that run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from urlglean.lazy import LazyPattern, pattern
from urlglean.text.scheme_triggers import has_no_scheme
from urlglean.text.signs import LOOK_BACK, SignRule

Cuts = Callable[[str, int, int, Counter[str]], int | None]
"""The function of a rule: see `CutRule.cuts`."""


class CutRule(SignRule, frozen=True, kw_only=True):
    """A row: a rule by which a URL ends before its run of characters does.

    Attributes:
        behind_file: whether it may apply only directly behind a file's extension.
        cuts: gets the text, the beginning of the URL, the place of the sign, and the number of open brackets by
            opening bracket; returns the place where the URL ends, which may be before the sign, or None if the rule
            does not apply.
    """

    cuts: Cuts
    behind_file: bool = False


_Pattern = LazyPattern[str, re.Match[str]]


def at_match(written: _Pattern, within: _Pattern | None = None) -> Cuts:
    """The function for `CutRule.cuts` that ends the URL at the sign if the pattern matches there.

    With `within`, only in this part of the URL (`is_in`).
    """
    return lambda text, start, at, _open: (
        at if written.match(text, at) and (within is None or is_in(within, text, start, at)) else None
    )


def at_sign(_text: str, _start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL at the sign, wherever `only` of the row matches."""
    return at


IN_PATH = pattern(r"[^\s/?#]*+/[^\s?#]*+\Z")
"""Matches from the beginning of a host to a place in the path."""


def host_at(text: str, start: int, at: int) -> int:
    """Where the host begins of the URL at `start`, or of the last URL that it holds, before a sign at `at`.

    It is -1 if the URL has no "//", or if it is too far away.
    """
    slashes = text.rfind("://", max(start, at - LOOK_BACK), at)
    if slashes >= 0:
        return slashes + len("://")
    return start if at - start <= LOOK_BACK and has_no_scheme(text, start) else -1


def run_before(text: str, start: int, at: int) -> str:
    """What stands before a sign behind the last "://" of its URL, or in the whole; the last `LOOK_BACK` code points."""
    return text[max(start, at - LOOK_BACK) : at].rpartition("://")[2]


def is_in(part: _Pattern, text: str, start: int, at: int) -> bool:
    """Whether a sign stands in a part of a URL, which the pattern matches from the host on."""
    host = host_at(text, start, at)
    return host >= 0 and part.match(text, host, at) is not None
