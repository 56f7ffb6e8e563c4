"""Decides whether a bare URL goes on behind a raw sign, which should be encoded in a URL. All rules are guesses.

`|` and a backquote surround URLs in tables and code far more often than they belong to a URL. Emoji before and behind a
URL are often decoration.
"""

from __future__ import annotations

import re

from msgspec import Struct

from urlglean.lazy import LazyPattern, pattern, unicode_pattern
from urlglean.text.invisible import INVISIBLE_CHARACTER
from urlglean.text.scheme_triggers import FIRST_LABEL
from urlglean.text.search_terms import LONGEST_SCHEME

LOOK = 200
"""This many characters before a URL are searched for a sign that opens a frame around it."""


class Frame(Struct, frozen=True):
    """A row: a sign that often surrounds URLs.

    Attributes:
        own: the pattern of the sign, and of what follows it, if it may belong to the URL.
        opened: a pattern in the line before the URL; if it is found, the sign closes a frame around the URL.
    """

    own: LazyPattern[str, re.Match[str]]
    opened: LazyPattern[str, re.Match[str]]


FRAMING = {
    # A bar may belong to the URL if a single letter follows it, or text with a digit or a sign of URLs, but not if a
    # plain word or another URL follows. It closes a frame if the URL is in a cell of a table, or in a field of a wiki
    # template: `{{cite|url=http://...|title=...}}`.
    "|": Frame(
        pattern(
            rf"\|++(?![A-Za-z][A-Za-z0-9+.-]{{0,30}}:|{FIRST_LABEL}\.)"
            r"(?=[A-Za-z]{0,30}+(?:[0-9/=&;%?#_~-]|\.[A-Za-z0-9])|[A-Za-z](?![A-Za-z|]))"
        ),
        pattern(r"(?:\A|\s)\||\|(?:\s|\Z|[\w-]{1,30}[ \t]*=)"),
    ),
    # A backquote before the URL begins code.
    "`": Frame(pattern(r"`(?=[a-z0-9/])"), pattern("`")),
}
UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
"""The pattern of a letter of scripts that are written without spaces, or (Hangul) with particles directly behind a
word: prose may directly follow a URL."""

LEAVES_DOUBT = frozenset(FRAMING) | frozenset("\\{}^")
"""Signs that may as well belong to the URL if they directly follow it; so may letters outside ASCII."""

# In a search, anything but another URL may follow a bar: `?family=Serif:400|Sans:400`.
_IN_SEARCH = pattern(r"\|++(?=[A-Za-z0-9%])(?![A-Za-z][A-Za-z0-9+.-]{0,30}:(?![0-9]))")
_OPENERS = ("[", "(")
_OPENER_OF_WIKIS = "["
"""The sign before a link with a label, `[http://...|label]`, which may also stand behind a search."""
# The scheme and host. Neither signs of `FRAMING` nor emoji belong to a host; an emoji behind its slash is decoration.
_HOST = pattern(rf"[A-Za-z][A-Za-z0-9+.-]{{0,{LONGEST_SCHEME - 1}}}+:(?://[^/?#\s]{{0,255}}+)?")
_EMOJI = unicode_pattern(
    r"[\p{Extended_Pictographic}--[©®™]][\p{Extended_Pictographic}\u200d\ufe0f\U0001f3fb-\U0001f3ff]*+"
)
# Letters of an address that an archive of mail has masked.
_MASKED = pattern("··+(?=[.@A-Za-z0-9])")
# Characters that are shown as nothing, with the host going on behind them: who reads it sees one host. Letters of
# scripts without spaces are prose, between whose words such characters stand.
_UNSEEN = unicode_pattern(
    rf"{INVISIBLE_CHARACTER}++(?=[[\p{{L}}\p{{N}}]--{UNSPACED}]|[-._@][\p{{L}}\p{{N}}]|[/:?\#](?![<>\"])[!-~])"
)
_GOES_ON = pattern(r"[/.?&=#_-]?[a-z0-9]|[/?]")
_NEVER_LAST = frozenset("/=?&#_.-")


def over(text: str, start: int, at: int) -> int:
    """The position behind a raw sign at `at` that belongs to the URL from `start`; `at` if the URL ends there.

    The sign at `at` is one of `FRAMING`, or a character outside ASCII.
    """
    return (_over_framing if text[at] in FRAMING else _over_wide)(text, start, at)


def _over_framing(text: str, start: int, at: int) -> int:
    """The same for a sign of `FRAMING`; it does not belong to the URL if a frame opens before the URL in its line."""
    frame = FRAMING[text[at]]
    signs, in_search = frame.own.match(text, at), text.find("?", start, at) >= 0
    if signs is None and in_search:
        signs = _IN_SEARCH.match(text, at)
    before = text[max(0, start - LOOK) : start].rpartition("\n")[2]
    if signs is None or frame.opened.search(before) or before.endswith(_OPENER_OF_WIKIS if in_search else _OPENERS):
        return at
    host = _HOST.match(text, start, at)
    return at if host and host.end() == at else signs.end()


def _over_wide(text: str, start: int, at: int) -> int:
    """The same for a character outside ASCII: masked letters, some emoji, and what is not seen in a host belong to it.

    These are emoji behind which the URL goes on, and emoji behind a sign that does not end a URL.
    """
    if (unseen := _UNSEEN.match(text, at)) and (host := _HOST.match(text, start, at)) and host.end() == at:
        return unseen.end()
    run = _EMOJI.match(text, at)
    if run is None:
        masked = _MASKED.match(text, at)
        return masked.end() if masked else at
    if _GOES_ON.match(text, run.end()):
        return run.end()
    host = _HOST.match(text, start, at)
    return run.end() if text[at - 1] in _NEVER_LAST and not (host and host.end() == at - 1) else at
