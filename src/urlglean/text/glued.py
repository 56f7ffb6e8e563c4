"""What is glued to a URL behind it, although its characters could all be the URL's: guesses, a row each.

The rules of `ends` look at single signs on the way; these look at the whole run of a URL's characters.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from urlglean.lazy import pattern


class GlueRule(Struct, frozen=True):
    """A row: where in the run of a URL's characters, `start` to `end`, something else begins, or else `end`."""

    name: str
    begins: Callable[[str, int, int], int]


# What a bracket that opens in the run, and does not close there, holds: words, in the same line.
_CLOSES_BEHIND = {
    "(": pattern(r"[ \t]++[^\r\n()]{0,100}\)"),
    "[": pattern(r"[ \t]++[^\r\n\[\]]{0,100}\]"),
}
_CLOSERS = {"(": ")", "[": "]"}
# A bracket behind these belongs to the URL, and a blank to what it holds: `/Lamp_(oil lamp)`, `?q=(oil lamp)`.
_HOLDS_ON = frozenset("_=+:")


def _remark_in_brackets(text: str, start: int, end: int) -> int:
    """Where a bracket opens around words that go on behind the run."""
    for sign, behind in _CLOSES_BEHIND.items():
        at = text.rfind(sign, start, end)
        if at > start and text[at - 1] not in _HOLDS_ON and text.find(_CLOSERS[sign], at, end) < 0:
            return at if behind.match(text, end) else end
    return end


GLUE_RULES = (GlueRule("remark-in-brackets", _remark_in_brackets),)


def glued_at(text: str, start: int, end: int) -> tuple[int, str] | None:
    """Where what is glued to a URL begins, and the name of the rule that tells so; None where nothing is.

    Args:
        text: the whole text.
        start: where the URL begins.
        end: where its run of characters ends.
    """
    name = None
    for rule in GLUE_RULES:
        if (at := rule.begins(text, start, end)) < end:
            end, name = at, rule.name
    return None if name is None else (end, name)
