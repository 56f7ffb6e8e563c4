"""Tables whose cells are divided by commas or semicolons (RFC 4180), with URLs without quotation marks in them.

A comma may belong to a URL. It does not if the line above or below has as many cells and a URL, or the title of such a
column, in the same place. All this is a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from urlglean.lazy import pattern
from urlglean.text.scheme_triggers import SCHEME

SEPARATORS = ",;"

_LONGEST = 500
"""Longer lines are no rows."""

# Behind a sign: a number or a date (not behind a digit, because names of pages have such numbers too), words, nothing.
_CELL = pattern(rf"[{SEPARATORS}](?:(?<![0-9].)[0-9][0-9.: -]*|[^\W\d_][\w '’-]*|)(?=[{SEPARATORS}\r\n]|\Z)")
_URL = pattern(rf"{SCHEME}://", re.IGNORECASE)
_REFERENCE = pattern(r"&(?:[A-Za-z]{2,10}|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});")
_TITLE = pattern(r"(?:[a-z]{1,20}[ _-]?){0,2}(?:url|uri|link|href|web ?site|home ?page)s?\r?\Z", re.IGNORECASE)


def may_be_cell(text: str, at: int) -> bool:
    """Whether a cell, and no more of the URL, may stand behind a sign: URLs have parameters and names behind it."""
    return _CELL.match(text, at, at + _LONGEST) is not None


@lru_cache(maxsize=1)  # a URL may have many commas
def separators_at(text: str, start: int) -> str:
    """The signs that divide the cells of the line in which a URL begins, if that is a row of a table; else ""."""
    low = max(0, start - 2 * _LONGEST)
    above, begins, before = text[low:start].rpartition("\n")
    if low and not begins:
        return ""
    above = above.rpartition("\n")[2] if not low or "\n" in above else ""
    line = before + line_from(text, start)
    below = line_from(text, start - len(before) + len(line) + 1)
    return "".join(sign for sign in SEPARATORS if _divides(sign, before, line, (above, below)))


def line_from(text: str, start: int) -> str:
    """The rest of a line from an offset on; what is longer than a row is left out."""
    return text[start : start + _LONGEST].partition("\n")[0]


def _divides(sign: str, before: str, line: str, others: Iterable[str]) -> bool:
    """Whether a sign divides the cells of a line in which a URL stands behind `before`, and of a line beside it."""
    if (before and not before.endswith(sign)) or (sign == ";" and _REFERENCE.search(line)):
        return False
    cells, column = line.split(sign), before.count(sign)
    for theirs in (other.split(sign) for other in others):
        if len(theirs) != len(cells) or column + 1 == len(cells):
            continue
        # Lists of URLs with commas begin with URLs too, but they have no blank behind the first comma.
        is_row = column or " " in cells[1] + theirs[1]
        if _TITLE.match(theirs[column]) or (is_row and _URL.match(theirs[column])):
            return True
    return False
