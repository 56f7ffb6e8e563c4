"""Whether a bare URL goes on over a sign that should be encoded there but stands raw. Guesses.

`|` and a backquote frame URLs in tables and code far more often than they stand in one, and emoji adorn them.
"""

from __future__ import annotations

import re

from msgspec import Struct

from urlglean.lazy import LazyPattern, pattern, unicode_pattern
from urlglean.text.scheme_triggers import FIRST_LABEL
from urlglean.text.search_terms import LONGEST_SCHEME

LOOK = 200
"""So many characters before a URL are looked at, for what opens around it."""


class Frame(Struct, frozen=True):
    """A row: when a sign that frames URLs is the URL's own, and what opens before a URL that it frames."""

    own: LazyPattern[str, re.Match[str]]
    opened: LazyPattern[str, re.Match[str]]


FRAMING = {
    # Behind a bar something that no label is: one letter, or what holds a digit or a sign of a URL, but is no other
    # URL. Before it a cell of a table, or the field of a template: `{{cite|url=http://...|title=...}}`.
    "|": Frame(
        pattern(
            rf"\|++(?![A-Za-z][A-Za-z0-9+.-]{{0,30}}:|{FIRST_LABEL}\.)"
            r"(?=[A-Za-z]{0,30}+(?:[0-9/=&;%?#_~-]|\.[A-Za-z0-9])|[A-Za-z](?![A-Za-z|]))"
        ),
        pattern(r"(?:\A|\s)\||\|(?:\s|\Z|[\w-]{1,30}[ \t]*=)"),
    ),
    # A backquote is one of code.
    "`": Frame(pattern(r"`(?=[a-z0-9/])"), pattern("`")),
}
LEAVES_DOUBT = frozenset(FRAMING) | frozenset("\\{}^")
"""Signs right behind a URL that might as well be its own, as letters outside ASCII might."""

# In a search a bar may stand before anything but another URL.
_IN_SEARCH = pattern(r"\|++(?=[A-Za-z0-9%])(?![A-Za-z][A-Za-z0-9+.-]{0,30}:)")
_OPENERS = frozenset("[(")
# None of the two stands in a host, and an emoji behind its slash adorns the URL.
_HOST = pattern(rf"[A-Za-z][A-Za-z0-9+.-]{{0,{LONGEST_SCHEME - 1}}}+:(?://[^/?#\s]{{0,255}}+)?")
_EMOJI = unicode_pattern(
    r"[\p{Extended_Pictographic}--[©®™]][\p{Extended_Pictographic}\u200d\ufe0f\U0001f3fb-\U0001f3ff]*+"
)
# Letters of an address that an archive of mail has masked.
_MASKED = pattern("··+(?=[.@A-Za-z0-9])")
_GOES_ON = pattern(r"[/.?&=#_-]?[a-z0-9]|[/?]")
_OPEN = frozenset("/=?&#_.-")


def over(text: str, start: int, at: int) -> int:
    """Where the URL from `start` goes on if a raw sign of its own stands at `at`; `at` where it ends there.

    One of `FRAMING` stands there, or one outside ASCII.
    """
    return (_over_framing if text[at] in FRAMING else _over_wide)(text, start, at)


def _over_framing(text: str, start: int, at: int) -> int:
    """Over a sign that opens nothing before the URL in its line."""
    frame = FRAMING[text[at]]
    signs = frame.own.match(text, at)
    if signs is None and text.find("?", start, at) >= 0:
        signs = _IN_SEARCH.match(text, at)
    before = text[max(0, start - LOOK) : start].rpartition("\n")[2]
    if signs is None or frame.opened.search(before) or before[-1:] in _OPENERS:
        return at
    host = _HOST.match(text, start, at)
    return at if host and host.end() == at else signs.end()


def _over_wide(text: str, start: int, at: int) -> int:
    """Over masked letters, and emoji that stand where something has to follow, or that a URL goes on behind."""
    run = _EMOJI.match(text, at)
    if run is None:
        masked = _MASKED.match(text, at)
        return masked.end() if masked else at
    if _GOES_ON.match(text, run.end()):
        return run.end()
    host = _HOST.match(text, start, at)
    return run.end() if text[at - 1] in _OPEN and not (host and host.end() == at - 1) else at
