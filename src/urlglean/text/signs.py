"""Tables of the signs of text that surround URLs. Other modules make their patterns from these tables."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from urlglean.text.file_extension import EXTENSION_LIKE

STOPS = ".,;:!?"
"""The punctuation that ends or divides a sentence."""

BRACKETS = {"(": ")", "[": "]"}
"""By opening bracket: the closing one. URLs contain these brackets in pairs, and text puts them around URLs."""

PAIRS = {**BRACKETS, "{": "}"}
"""By opening bracket: the closing one, for all kinds of brackets."""

EMPHASIS = "*_~"
"""Signs that emphasize the text between two of them."""


LOOK_BACK = 1000
"""So many code points before a URL, or before a sign in it, are searched for what opens something around it."""

_RANGES = {"0-9": "0123456789", "A-Z": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "a-z": "abcdefghijklmnopqrstuvwxyz"}


def one_of(signs: Iterable[str]) -> str:
    """A pattern of any one of the signs; it never matches if `signs` is empty."""
    given = set(signs)
    whole = [(written, members) for written, members in _RANGES.items() if given.issuperset(members)]
    alone = sorted(given.difference(*(members for _, members in whole)))
    inside = "".join(written for written, _ in whole) + re.escape("".join(alone))
    return f"[{inside}]" if inside else "(?!)"


def passing(signs: str, rules: Iterable[SignRule]) -> str:
    """A pattern of any one of the signs, in a place where none of these rules may apply.

    It never matches if there is no such sign.
    """
    alike: dict[str, str] = {}
    rules = tuple(rules)
    for sign in signs:
        onlys = [rule.only for rule in rules if sign in rule.signs]
        if all(onlys):
            behind = f"(?!{_any(onlys)})" if onlys else ""
            alike[behind] = alike.get(behind, "") + sign
    return "|".join(one_of(same) + behind for behind, same in alike.items()) or "(?!)"


def _any(patterns: list[str]) -> str:
    """A pattern that matches if one of the patterns does. What some begin with, `EXTENSION_LIKE`, is matched once."""
    behind = [each.removeprefix(EXTENSION_LIKE) for each in patterns if each.startswith(EXTENSION_LIKE)]
    others = [each for each in patterns if not each.startswith(EXTENSION_LIKE)]
    return "|".join([*others, f"{EXTENSION_LIKE}(?:{'|'.join(behind)})"] if behind else others)


class SignRule(Struct, frozen=True, kw_only=True):
    """The base of the rules about the end of a URL: the places in which a rule may apply.

    Attributes:
        name: its name.
        signs: the signs at which it may apply; none is a letter or a digit of ASCII.
        only: a pattern; the rule may apply only if it matches directly behind the sign. "" if anything may follow.
        before: the rule may apply only if one of these signs precedes the URL; "" if anything may precede it.
    """

    name: str
    signs: str
    only: str = ""
    before: str = ""

    def may_hold_behind(self, before: str) -> bool:
        """Whether the rule may apply to a URL behind the sign `before`, which is "" at the start of a text."""
        return not self.before or (before != "" and before in self.before)
