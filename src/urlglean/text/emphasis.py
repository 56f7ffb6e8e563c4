"""Signs of emphasis that are open before a URL: a phrase is emphasized, and the URL ends it, as in `*see http://...*`."""

from __future__ import annotations

from urlglean.text.signs import BRACKETS, EMPHASIS

LOOK = 200
"""In so many characters before a URL, such a sign is searched: in the URL's line and in the one above."""

_BEFORE_PHRASE = frozenset({"", *" \t\r\n\"'>", *BRACKETS, *EMPHASIS})
_BEGINS_PHRASE = frozenset({'"', "'", *BRACKETS, *EMPHASIS})


def opened_before(text: str, start: int, end_of_run: str) -> str:
    """The signs of emphasis in `end_of_run` that are open before `start`: their last one there opens a phrase.

    Behind a slash, such a sign stands for names of files.
    """
    some = (sign for sign in EMPHASIS if sign in end_of_run and f"/{sign}" not in end_of_run)
    return "".join(sign for sign in some if _is_open(text, start, sign))


def _is_open(text: str, start: int, sign: str) -> bool:
    at = text.rfind(sign, max(0, start - LOOK), max(0, start - 1))
    if at < 0 or text.count("\n", at, start) > 1 or text[at - 1 : at] not in _BEFORE_PHRASE:
        return False
    behind = text[at + 1]
    return behind.isalnum() or behind in _BEGINS_PHRASE
