"""Signs of emphasis that are open before a URL: a phrase is emphasized, and the URL ends it, as in `*see http://...*`."""

from __future__ import annotations

from urlglean.text.signs import BRACKETS, EMPHASIS

LOOK = 200
"""In so many characters before a URL, such a sign is searched: in the URL's line and in the one above."""

_NEAR_END = 8
"""In so many characters at the end of a URL's run, such a sign may be closing."""

_BEFORE_PHRASE = frozenset({"", *" \t\r\n\"'>", *BRACKETS, *EMPHASIS})
_BEGINS_PHRASE = frozenset({'"', "'", *BRACKETS, *EMPHASIS})


def opened_before(text: str, start: int, end: int) -> str:
    """The signs of emphasis near the end of the run `text[start:end]` that are open before it.

    The last such sign there opens a phrase. Behind a slash, one stands for names of files.
    """
    near_end = text[max(start, end - _NEAR_END) : end]
    some = (sign for sign in EMPHASIS if sign in near_end and f"/{sign}" not in near_end)
    return "".join(sign for sign in some if _is_open(text, start, sign))


def _is_open(text: str, start: int, sign: str) -> bool:
    at = text.rfind(sign, max(0, start - LOOK), max(0, start - 1))
    if at < 0 or text.count("\n", at, start) > 1 or text[at - 1 : at] not in _BEFORE_PHRASE:
        return False
    behind = text[at + 1]
    return behind.isalnum() or behind in _BEGINS_PHRASE
