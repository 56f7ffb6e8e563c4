"""Signs of text that stand around URLs, one table each, from which patterns are made wherever one has to know them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from urlglean.text.file_extension import EXTENSION_LIKE

STOPS = ".,;:!?"
"""The signs that end or part a sentence."""

BRACKETS = {"(": ")", "[": "]"}
"""Brackets that URLs hold in pairs, and that close around URLs: what opens, and what closes it."""

PAIRS = {**BRACKETS, "{": "}"}
"""All that open and close."""

EMPHASIS = "*_~"
"""Signs that emphasize what stands between two of them."""


_RANGES = {"0-9": "0123456789", "A-Z": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "a-z": "abcdefghijklmnopqrstuvwxyz"}


def one_of(signs: Iterable[str]) -> str:
    """A pattern of one of the signs; it never matches where there is none."""
    given = set(signs)
    whole = [(written, members) for written, members in _RANGES.items() if given.issuperset(members)]
    alone = sorted(given.difference(*(members for _, members in whole)))
    inside = "".join(written for written, _ in whole) + re.escape("".join(alone))
    return f"[{inside}]" if inside else "(?!)"


def passing(signs: str, rules: Iterable[SignRule]) -> str:
    """A pattern of one of the signs, at which none of these rules may hold; it never matches where there is none."""
    alike: dict[str, str] = {}
    rules = tuple(rules)
    for sign in signs:
        onlys = [rule.only for rule in rules if sign in rule.signs]
        if all(onlys):
            behind = f"(?!{_any(onlys)})" if onlys else ""
            alike[behind] = alike.get(behind, "") + sign
    return "|".join(one_of(same) + behind for behind, same in alike.items()) or "(?!)"


def _any(patterns: list[str]) -> str:
    """A pattern of any of them; what all of them begin with is looked at once."""
    rest = [each.removeprefix(EXTENSION_LIKE) for each in patterns]
    if all(each.startswith(EXTENSION_LIKE) for each in patterns):
        return f"{EXTENSION_LIKE}(?:{'|'.join(rest)})"
    return "|".join(patterns)


class SignRule(Struct, frozen=True, kw_only=True):
    """What the rows have in common that say where a URL ends: they are asked at no other place.

    Attributes:
        name: what it is.
        signs: those at which it may hold, of ASCII, none of them a letter or a digit.
        only: a pattern of what stands right behind such a sign wherever it may hold; "" where that is anything.
        before: one of these stands before the URL; "" where that may be anything.
    """

    name: str
    signs: str
    only: str = ""
    before: str = ""

    def may_hold_behind(self, before: str) -> bool:
        """Whether it may hold for a URL behind this sign, "" at the start of a text."""
        return not self.before or (before != "" and before in self.before)
