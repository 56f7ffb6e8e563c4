"""Signs that are open before a URL, and that the same sign closes behind it.

A phrase may be emphasized, and the URL ends it, as in `*see http://...*`. Or markup encloses the URL alone, as in
`==http://...==`.
"""

from __future__ import annotations

import re

from urlglean.lazy import pattern
from urlglean.text.signs import BRACKETS, EMPHASIS, LOOK_BACK, STOPS

_WORD = pattern(r"\w")
_BEHIND_MARKUP = STOPS + ")]'" + EMPHASIS
_UNIX = pattern(r"\*(?:n[iu]x|bsd)\b", re.IGNORECASE)

_NEAR_END = 8
"""In so many characters at the end of a URL's run, such a sign may be closing."""

_EMPHASIS = frozenset(EMPHASIS)
_BEFORE_PHRASE = frozenset({"", *" \t\r\n\"'>", *BRACKETS, *EMPHASIS})
_BEGINS_PHRASE = frozenset({'"', "'", *BRACKETS, *EMPHASIS})

ENCLOSING = {"=": "=", "+": "+", "@": "@", "$": "$", "^": "$"}
"""By the sign of markup that stands directly before a URL: the one that closes it. Wikis and formats of documents mark
headings, code, inserted and highlighted text so (MediaWiki, Textile, AsciiDoc, Markdown), TeX formulas; `^` and `$` are
the beginning and the end of a regular expression."""

_ANGLES_OF_TEX = ("$<", "$\\langle")
"""Angle brackets are formulas in TeX: `$<$http://...$>$`."""

_BEFORE_MARKUP = _BEFORE_PHRASE | {"`"}
_ASSIGNMENT = "="
"""One such sign before a URL assigns it to something, and the URL may end in one too, but seldom behind a slash.

Several are markup.
"""


def opened_before(text: str, start: int, end: int) -> str:
    """The signs that may close something behind the run `text[start:end]`, because it is open before it.

    They are signs of emphasis, and those that close what directly precedes the run (`ENCLOSING`), as many of them as
    open it. The last sign of emphasis before the run opens a phrase. Behind a slash, one asterisk stands for names of
    files, unless a line begins with the one that opens.
    """
    before = text[start - 1 : start] if start else ""
    directly = before if before in _EMPHASIS else _closing(text, start, end)
    near_end = text[max(start, end - _NEAR_END) : end]
    if _EMPHASIS.isdisjoint(near_end):
        return directly
    is_glob = "/*" in near_end and "/**" not in near_end and not _begins_line(text, start)
    some = (sign for sign in EMPHASIS if sign in near_end and not (sign == "*" and is_glob))
    return directly + "".join(sign for sign in some if _is_open(text, start, sign))


def _closing(text: str, start: int, end: int) -> str:
    """The signs that close what the signs directly before a URL open, if these begin a word; else ""."""
    opens = text[start - 1 : start] if start else ""
    if (closing := ENCLOSING.get(opens)) is None:
        return ""
    low = start - 1
    while low and text[low - 1] == opens:
        low -= 1
    count = start - low
    before = text[low - 1 : low]
    begins_word = before in _BEFORE_MARKUP or before > "\x7f" or text.endswith(_ANGLES_OF_TEX, 0, low)
    is_markup = begins_word and (count > 1 or opens != _ASSIGNMENT or _ends_in_path(text, start, end))
    return closing * count if is_markup else ""


def _ends_in_path(text: str, start: int, end: int) -> bool:
    """Whether a run ends in an equals sign behind the slash of a path."""
    run = text[start:end].rstrip(_BEHIND_MARKUP)
    return run.endswith("/=") and "?" not in run


def _begins_line(text: str, start: int) -> bool:
    """Whether the last asterisk before a URL begins the text of its line, and not the name of a system."""
    low = max(0, start - LOOK_BACK)
    asterisk = max(low, text.rfind("*", low, start))
    return not _WORD.search(text[low:asterisk].rpartition("\n")[2]) and not _UNIX.match(text, asterisk)


def _is_open(text: str, start: int, sign: str) -> bool:
    low = max(0, start - LOOK_BACK)
    at = text.rfind(sign, low, max(0, start - 1))
    if at < 0 or text.count("\n", at, start) > 1:
        return False
    # Underscores are signs of names too: several of them may close one, as in `__init__(`.
    begin = low + len(text[low:at].rstrip("_")) if sign == "_" else at
    if text[begin - 1 : begin] not in _BEFORE_PHRASE:
        return False
    behind = text[at + 1]
    return (
        behind.isalnum() or behind in _BEGINS_PHRASE or (behind in ENCLOSING and not text[at + 1 : start].strip(behind))
    )
