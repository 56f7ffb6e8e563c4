"""Tables whose cells are divided by commas or semicolons (RFC 4180), with URLs without quotation marks in them.

A comma may belong to a URL. It does not if the line above or below has as many cells and a URL, or the title of such a
column, in the same place. All this is a guess.
"""

from __future__ import annotations

import re
from functools import lru_cache

from urlglean.lazy import pattern
from urlglean.text.scheme_triggers import FIRST_LABEL, OPAQUE, SCHEME

SEPARATORS = ",;"

_LONGEST = 500
"""Longer lines are no rows."""

_LONGEST_TABLE = 20_000
"""So many code points above a row are searched for the title of its column."""

# A sign that belongs to the URL, though it stands in a row: before a parameter, or in the name of a page that ends in a
# number (`/0,1895,7-33,00.html`). RFC 4180 2 asks for quotation marks around a cell that holds the sign.
_OF_URL = pattern(
    rf"[{SEPARATORS}](?:[^\s={SEPARATORS}]*+=|(?:[0-9.-]*+[{SEPARATORS}])*+[0-9-]++\.(?i:s?html?|php|aspx?|jsp|cfm)\b)"
)
# Between those of a map: `@48.8534,2.3488,15z`.
_COORDINATE = pattern(rf"[{SEPARATORS}]-?[0-9]++(?:\.[0-9]{{3}}|z(?!\w)|\.[0-9]++z(?!\w))")
_DECIMAL_BEFORE = pattern(r"[0-9]\.[0-9]++\Z")
# Of the name of a page that begins with a number and is any file, if nothing follows (`/1,2,3.wbp`).
_END_OF_PAGE = pattern(rf"[{SEPARATORS}](?:[\w.@-]*+[{SEPARATORS}])*+[0-9]++\.[A-Za-z]{{2,6}}(?!\S)")
_NUMBER_OF_PAGE = pattern(rf"[0-9]++(?:[{SEPARATORS}]|\Z)")
# The title of a page has capitals (`Portland,_Oregon`), a name of a cell seldom (`_blank`).
_TITLE_OF_PAGE = pattern(r"[A-Z][^\W\d_A-Z]")
_GOES_ON = pattern(rf"[{SEPARATORS}]_[^\W\d_a-z][^\W\d_A-Z]")
_BLANK = pattern(r"[ \t]")
# A title; not the rest of a path before a remark.
_WORDS = pattern(r"\S[ \t]++[^\s(\[]|\A[ \t]*+[A-Z][^\W\d_]*+[ \t]++\S")
_URL = pattern(rf"{SCHEME}://|{FIRST_LABEL}\.", re.IGNORECASE)
_OPAQUE_URL = pattern(OPAQUE, re.IGNORECASE)
_REFERENCE = pattern(r"&(?:[A-Za-z]{2,10}|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});")
_MAILTO = pattern("mailto:", re.IGNORECASE)
_ADDRESS_BEHIND = pattern(r",[^\s,;@]{1,64}+@")
_MEDIA_TYPE = pattern(r"data:[^,]*+\Z", re.IGNORECASE)
_TITLE = pattern(
    r"\ufeff?\"?(?:[a-z]{1,20}[ _-]?){0,2}(?:url|uri|link|href|web[ _-]?site|home[ _-]?page)s?\"?\r?\Z", re.IGNORECASE
)


def is_next_cell(text: str, start: int, at: int) -> bool:
    """Whether a sign of `SEPARATORS` at `at`, in the URL that begins at `start`, divides cells of a table."""
    if is_own_comma(text, start, at):
        return False
    by_title, by_row = _separators_at(text, start)
    return text[at] in by_title or (text[at] in by_row and not _is_of_url(text, start, at))


def is_own_comma(text: str, start: int, at: int) -> bool:
    """Whether a sign divides the media type of a data URL or that from its data (RFC 2397 3), or two addresses.

    These are the addresses of a mailto URL (RFC 6068 2).
    """
    if _MEDIA_TYPE.match(text, start, at):
        return True
    return _ADDRESS_BEHIND.match(text, at) is not None and _MAILTO.match(text, start) is not None


def _is_of_url(text: str, start: int, at: int) -> bool:
    """Whether the sign at `at` belongs to the URL, though a row beside it shows that it may divide cells."""
    if _OF_URL.match(text, at, at + _LONGEST):
        return True
    before = text[max(start, at - _LONGEST) : at]
    name = before[max(before.rfind("/"), before.rfind("=")) + 1 :]
    if _TITLE_OF_PAGE.match(name) and _GOES_ON.match(text, at):
        return True
    if _DECIMAL_BEFORE.search(name) and _COORDINATE.match(text, at):
        return True
    return _NUMBER_OF_PAGE.match(name) is not None and _END_OF_PAGE.match(text, at, at + _LONGEST) is not None


@lru_cache(maxsize=1)  # a URL may have many commas
def _separators_at(text: str, start: int) -> tuple[str, str]:
    """The signs that divide the cells of the line in which a URL begins, as a title or another row beside it shows."""
    low = max(0, start - 2 * _LONGEST)
    above, begins, before = text[low:start].rpartition("\n")
    if low and not begins:
        return "", ""
    above = above.rpartition("\n")[2] if not low or "\n" in above else ""
    line = before + line_from(text, start)
    below = line_from(text, start - len(before) + len(line) + 1)
    head = _first_line(text, start - len(before))
    by_title = by_row = ""
    for sign in SEPARATORS:
        cells, column = line.split(sign), before.count(sign)
        beside = _rows_beside(sign, before, line, (above, below))
        if any(_is_title(theirs, column) for theirs in _rows_beside(sign, before, line, (above, head))):
            by_title += sign
        for theirs in beside:
            # Lists of URLs with commas begin with URLs too, but no words stand behind the first comma. In prose, some
            # stand between the URL and that.
            is_title = any(map(_WORDS.search, (cells[1], theirs[1]))) and not _BLANK.search(theirs[0].strip())
            # URLs without slashes have commas and semicolons of their own, behind which words may stand.
            is_url = _URL.match(theirs[column]) or (column and _OPAQUE_URL.match(theirs[column]))
            if (column or is_title) and is_url:
                by_row += sign
    if _ends_text(before, line, (above, below)):
        by_row += ";"
    return by_title, by_row


def _is_title(cells: list[str], column: int) -> bool:
    """Whether a row has the title of a column of URLs at this place. In prose, a blank follows each comma."""
    others = [*cells[:column], *cells[column + 1 :]]
    titles = _TITLE.match(cells[column]) is not None
    return titles and any(map(str.strip, others)) and not any(map(_BLANK.match, cells))


def _first_line(text: str, line: int) -> str:
    """The first line of a table in which a line begins at `line`, behind an empty line; "" if it is too far above."""
    low = max(0, line - _LONGEST_TABLE)
    above = max(text.rfind(empty, low, line) for empty in ("\n\n", "\n\r\n"))
    if above < 0 < low:
        return ""
    return line_from(text, text.find("\n", above + 1) + 1 if above >= 0 else 0)


def _rows_beside(sign: str, before: str, line: str, others: tuple[str, ...]) -> list[list[str]]:
    """The cells of the lines beside that of a URL that have as many, if the URL stands in a cell before the last."""
    count = line.count(sign)
    if before[-1:] not in {"", sign} or before.count(sign) == count or (sign == ";" and _REFERENCE.search(line)):
        return []
    return [other.split(sign) for other in others if other.count(sign) == count]


def _ends_text(before: str, line: str, others: tuple[str, ...]) -> bool:
    """Whether semicolons divide cells, and that of a URL holds words before it: two of the lines have as many.

    Behind a semicolon between cells no blank stands, as it does in prose, and a row does not begin with one. References
    of HTML hold semicolons too. Lines with as many commas may be those of a log, whose times and URLs hold them.
    """
    _, begins, words = before.rpartition(";")
    if not begins or not words.strip() or not words[-1].isspace() or line[0].isspace() or _REFERENCE.search(line):
        return False
    rows = (row for row in (line, *others) if row.count(";") == line.count(";"))
    return sum("; " not in row for row in rows) > 1


def line_from(text: str, start: int) -> str:
    """The rest of a line from an offset on; what is longer than a row is left out."""
    return text[start : start + _LONGEST].partition("\n")[0]
