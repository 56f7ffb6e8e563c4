"""Decides whether a bare URL goes on behind a raw sign, which should be encoded in a URL. All rules are guesses.

`|` and a backquote surround URLs in tables and code far more often than they belong to a URL. Emoji before and behind a
URL are often decoration.
"""

from __future__ import annotations

from urlglean.lazy import pattern, unicode_pattern
from urlglean.text import bars
from urlglean.text.invisible import INVISIBLE_CHARACTER
from urlglean.text.scheme_triggers import NEXT_URL, URL_AHEAD
from urlglean.text.search_terms import LONGEST_SCHEME
from urlglean.text.signs import LOOK_BACK

FRAMING = frozenset("|`")
"""The signs of ASCII among them."""

# A backquote before the URL begins code.
_BACKQUOTE = pattern(r"`(?=[a-z0-9/])")
UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
"""The pattern of a letter of scripts that are written without spaces, or (Hangul) with particles directly behind a
word: prose may directly follow a URL."""

LEAVES_DOUBT = FRAMING | frozenset("\\{}^")
"""Signs that may as well belong to the URL if they directly follow it; so may letters outside ASCII."""

# The scheme and host. Neither signs of `FRAMING` nor emoji belong to a host; an emoji behind its slash is decoration.
_SCHEME = rf"[A-Za-z][A-Za-z0-9+.-]{{0,{LONGEST_SCHEME - 1}}}+:"
_HOST = pattern(rf"{_SCHEME}(?://[^/?#\s]{{0,255}}+)?")
_ADDRESS = pattern(rf"{_SCHEME}[^/?#@\s]{{1,64}}+@[^/?#\s]{{0,255}}+")
EMOJI = r"[\p{Extended_Pictographic}--[©®™]][\p{Extended_Pictographic}\u200d\ufe0f\U0001f3fb-\U0001f3ff]*+"
"""The pattern of emoji."""

_EMOJI = unicode_pattern(EMOJI)
# Letters of an address that an archive of mail has masked.
_MASKED = pattern("··+(?=[.@A-Za-z0-9])")
# Characters that are shown as nothing, with the host going on behind them: who reads it sees one host. Letters of
# scripts without spaces are prose, between whose words such characters stand.
_UNSEEN = unicode_pattern(
    rf"{INVISIBLE_CHARACTER}++(?=[[\p{{L}}\p{{N}}]--{UNSPACED}]|[-._@][\p{{L}}\p{{N}}]|[/:?\#](?![<>\"])[!-~])"
)
# No registered name of the last label has an emoji (RFC 5892), so another label follows. Behind the end of a sentence,
# the next one begins with a capital.
_NEXT_LABEL = unicode_pattern(
    r"[A-Za-z0-9_\-\u200d\ufe0f\p{Extended_Pictographic}]{0,62}+\.(?:[a-z]|(?<=//[^.\s]{1,62}\.)[A-Z]{2})"
)
# What ends a stretch in a direction of its own (Unicode Standard Annex 9), by what begins it: chats enclose URLs so.
_BEGINS_DIRECTION = {"\u2069": "\u2066\u2067\u2068", "\u202c": "\u202a\u202b\u202d\u202e"}
_IN_URL = pattern(r"[\w%/=&~-]")
_NUMBER_OF_LABEL = pattern(r"[0-9][a-z0-9-]*\.[a-z]")
_LABEL_BEFORE = pattern(r"[.@]")
_LONGEST_LABEL = 64
_CAPITALS = pattern(r"[A-Z]{2,}(?![A-Za-z])")
_GOES_ON = pattern(rf"(?!(?i:{URL_AHEAD}))(?:[/.?&=#_-]?[a-z0-9]|[/?])")
_NEVER_LAST = frozenset("/=?&#_.-")


def over(text: str, start: int, at: int) -> int:
    """The position behind a raw sign at `at` that belongs to the URL from `start`; `at` if the URL ends there.

    The sign at `at` is one of `FRAMING`, or a character outside ASCII.
    """
    return (_over_framing if text[at] in FRAMING else _over_wide)(text, start, at)


def _over_framing(text: str, start: int, at: int) -> int:
    """The same for a sign of `FRAMING`; none belongs to a host."""
    host = _HOST.match(text, start, at)
    if host and host.end() == at:
        return at
    return bars.over(text, start, at) if text[at] == "|" else _over_backquote(text, start, at)


def _over_backquote(text: str, start: int, at: int) -> int:
    own = _BACKQUOTE.match(text, at)
    before = text[max(0, start - LOOK_BACK) : start].rpartition("\n")[2]
    return at if own is None or "`" in before else own.end()


def _over_wide(text: str, start: int, at: int) -> int:
    """The same for a character outside ASCII: masked letters, some emoji, and what is not seen in a host belong to it.

    These are emoji behind which the URL goes on, and emoji behind a sign that does not end a URL.
    """
    host = _HOST.match(text, start, at)
    host_end = host.end() if host else start
    address = _ADDRESS.match(text, start, at)
    address_end = address.end() if address else start
    if at in {host_end, address_end} and (unseen := _UNSEEN.match(text, at)):
        behind = unseen.end()
        is_within = _host_goes_on(text, start, at) if at == host_end else _address_goes_on(text, at, behind)
        return behind if is_within else at
    run = _EMOJI.match(text, at)
    if run is None:
        masked = _MASKED.match(text, at)
        return masked.end() if masked else at
    if at in {host_end, address_end}:
        return run.end() if _NEXT_LABEL.match(text, run.end()) else at
    # Behind a host alone, the sign before them may end its path, or a question.
    ends = "/" if _IN_URL.match(text, run.end()) else "/?"
    is_at_home = text[at - 1] in ends and host_end == at - 1
    is_inside = text[at - 1] in _NEVER_LAST and not is_at_home and not NEXT_URL.match(text, run.end())
    return run.end() if is_inside or _GOES_ON.match(text, run.end()) else at


def _host_goes_on(text: str, start: int, at: int) -> bool:
    """Whether what is not seen at `at` belongs to the host: not if it ends the direction that begins before the URL."""
    return not start or text[start - 1] not in _BEGINS_DIRECTION.get(text[at], "")


def _address_goes_on(text: str, at: int, behind: int) -> bool:
    """The same for the host of an address. No program sends a message to more than the address.

    It goes on behind its "@", behind a dot with a label that no sentence begins with, and before a hyphen or a dot with
    a small letter.
    """
    if text[at] in _BEGINS_DIRECTION:
        return False
    last, sign, letter = text[at - 1], text[behind], text[behind + 1 : behind + 2]
    if last == ".":
        is_label = sign.islower() or _NUMBER_OF_LABEL.match(text, behind) is not None
        label = _LABEL_BEFORE.split(text[max(0, at - _LONGEST_LABEL) : at - 1])[-1]
        return is_label or (label.isupper() and _CAPITALS.match(text, behind) is not None)
    return last == "@" or (sign in "-." and letter.islower())
