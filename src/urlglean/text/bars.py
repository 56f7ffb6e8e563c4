"""What a bar may be by the signs before the URL: a part of it, the end of its cell, or the sign before its label.

Mail gateways and servers of fonts divide the values of a search by bars that should be encoded. Slack and wikis put a
bar between a URL and its label, and tables and templates put one behind a cell or a field. All rules are guesses.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from urlglean.lazy import LazyPattern, pattern
from urlglean.records import Span
from urlglean.text.rows import line_from
from urlglean.text.scheme_triggers import FIRST_LABEL, URL_AHEAD
from urlglean.text.shell_commands import IN_COMMAND
from urlglean.text.signs import LOOK_BACK

_LONGEST_LABEL = 500
"""The most characters behind a bar that are searched for a blank, or for another value of the search."""

_SCHEME = "[A-Za-z][A-Za-z0-9+.-]{0,30}:"
# Netscape's form of a drive (RFC 8089 E.2.2): `file:///C|/dir/x`.
_DRIVE = pattern(r"file:(?://(?:localhost)?)?/[a-z]", re.IGNORECASE)
# A number, a date, the method of a request, or nothing.
_LAST_CELL = pattern(r"\|(?:[0-9][0-9.:TZ+-]*|NULL|GET|POST|)\Z")
# A name before a value, as in `label:S`.
_NAME_OF_VALUE = pattern(rf"{_SCHEME}(?![0-9])")
# A row of a table without bars around it, as sqlite3 and psql write it, has another with as many cells above or below.
_BEGINS_ROW = pattern(rf"{_SCHEME}//", re.IGNORECASE)
_NEVER = pattern("(?!)")
_HOST = pattern(r"[A-Za-z][A-Za-z0-9+.-]*+://(?P<name>[^/?#\s]{1,255}+)")
# In a path: a single letter, or text with a digit or a sign of URLs, but no plain word and no other URL.
_VALUE = (
    rf"\|++(?!{_SCHEME}|{FIRST_LABEL}\.)"
    r"(?=[A-Za-z]{0,30}+(?:[0-9/=&;%?#_~-]|\.[A-Za-z0-9])|[A-Za-z](?![A-Za-z|]))"
)
# In a search: anything but another URL or a label of prose, as in `?family=Serif:400|Sans:400` and `=a:b|label:S`.
_IN_SEARCH = rf"\|++(?=[A-Za-z0-9%])(?!{_SCHEME}(?![A-Za-z0-9])|(?i:(?:{_SCHEME})?(?:{URL_AHEAD}|{FIRST_LABEL}\.)))"
# Before another value of the search. A label may repeat the URL.
_BEFORE_VALUE = (
    rf"\|++(?!{_SCHEME}//|{FIRST_LABEL}\.)"
    rf"(?=(?:[^\s<>\"\[\]{{}}&]|&(?![A-Za-z][A-Za-z0-9_]*+=)){{0,{_LONGEST_LABEL}}}+&)"
)
# A label often has blanks; a line end may break a URL in angle brackets.
_NO_BLANK_BEHIND = rf"{_IN_SEARCH}(?!{FIRST_LABEL}\.|[^\s<>]{{0,{_LONGEST_LABEL}}}+[ \t]++[^\s<>])"


class Around(Struct, frozen=True):
    """What stands around a URL: the bars that belong to the URL there, each with those directly behind it.

    Attributes:
        in_path: the pattern of those before the URL's first "?".
        in_search: the pattern of those behind it.
    """

    in_path: LazyPattern[str, re.Match[str]]
    in_search: LazyPattern[str, re.Match[str]]


BARE = Around(in_path=pattern(_VALUE), in_search=pattern(f"{_VALUE}|{_IN_SEARCH}"))
"""Nothing that a bar may close or divide."""

_IN_BRACKETS = Around(in_path=_NEVER, in_search=BARE.in_search)
# A link or picture of a wiki: `[[http://host/x|label]]`, `{{http://host/x.png?200|title}}`.
_IN_LINK = Around(in_path=_NEVER, in_search=pattern(_BEFORE_VALUE))
# A command, a cell of a table, or a field of a wiki's template: `{{cite|url=http://...|title=...}}`.
_IN_CELL = Around(in_path=_NEVER, in_search=_NEVER)
# A link of Slack, `<http://host/x|label>`; as a wrapper, the brackets may hold any other URL too.
_IN_ANGLE = Around(in_path=_NEVER, in_search=pattern(f"{_BEFORE_VALUE}|{_NO_BLANK_BEHIND}"))

OPENED_BY = (
    (pattern(r"(?:\A|\s)\||\|(?:\s|\Z|[\w-]{1,30}[ \t]*=)"), _IN_CELL),
    # A command of a shell, in which a bar without quotation marks is a pipe.
    (pattern(rf"{IN_COMMAND}\Z"), _IN_CELL),
    # A picture of Jira: `!http://host/x.png|width=300!`.
    (pattern(r"(?:\A|[\s(])!\Z"), _IN_LINK),
    # TeX puts the arguments of its commands in braces, and BibTeX the values of its fields.
    (pattern(r"\[\Z|(?<![A-Za-z0-9*=\]{}$\\])(?<!= )\{{1,2}\Z"), _IN_LINK),
    (pattern(r"\(\Z"), _IN_BRACKETS),
)
"""What stands around a URL that has no wrapper, by the pattern of the text before it in its line. The first counts."""


LONGEST_SEARCH = 2000
"""In so many code points before a bar, a "?" shows that the bar is in the search of a URL."""


class Divider(Struct, frozen=True):
    """The place of a bar between a URL and its label, and whether the bar may as well belong to the URL."""

    at: int
    is_doubtful: bool


def over(text: str, start: int, at: int, around: Around | None = None) -> int:
    """The position behind the bars at `at` that belong to the URL from `start`; `at` if the URL ends there.

    `around` is the row for what surrounds the URL; without it, the text before the URL decides.
    """
    if text.startswith("|/", at) and _DRIVE.fullmatch(text, start, at):
        return at + 1
    if around is None:
        before = text[max(0, start - LOOK_BACK) : start].rpartition("\n")[2]
        around = _IN_CELL if not before and _is_row(text, start) else _around(before)
    is_in_search = text.rfind("?", max(start, at - LONGEST_SEARCH), at) >= 0
    own = (around.in_search if is_in_search else around.in_path).match(text, at)
    if own is None:
        return at
    # Behind a number, `Title:` is more likely a label.
    if _NAME_OF_VALUE.match(text, own.end()) and _value_before(text, start, at).isdigit():
        return at
    # A label may repeat the URL without its scheme.
    host = _HOST.match(text, start, at)
    return at if host and text.startswith(host["name"], own.end()) else own.end()


def _value_before(text: str, start: int, at: int) -> str:
    """The value of the URL's search that ends at `at`, or its end."""
    low = max(start, at - LOOK_BACK)
    return text[max(low, text.rfind("=", low, at) + 1, text.rfind("|", low, at) + 1) : at]


@lru_cache(maxsize=1)
def _is_row(text: str, start: int) -> bool:
    """Whether the line that begins at `start` is one of two rows of URLs and as many bars.

    Searches whose values are divided by bars may stand below each other too. They have no blanks, and seldom end so.
    """
    line = line_from(text, start)
    bars = line.count("|")
    above = text[max(0, start - _LONGEST_LABEL) : start].split("\n")[-2:-1]
    below = line_from(text, start + len(line) + 1)
    rows = [line, *(other for other in (*above, below) if _BEGINS_ROW.match(other) and other.count("|") == bars)]
    is_table = bars == 1 and all(_LAST_CELL.search(row) for row in rows)
    return len(rows) > 1 and (is_table or any("?" not in row.partition("|")[0] or " " in row for row in rows))


@lru_cache(maxsize=1)  # a URL may have many bars
def _around(before: str) -> Around:
    """What surrounds a URL, by the text before it in its line."""
    return next((row for opened, row in OPENED_BY if opened.search(before)), BARE)


def divider(text: str, span: Span) -> Divider | None:
    """The bar between a URL and its label in angle brackets; None if they hold no label."""
    first = at = text.find("|", span.start, span.end)
    while at >= 0:
        behind = over(text, span.start, at, _IN_ANGLE)
        if behind == at:
            return Divider(at, is_doubtful=False)
        at = text.find("|", behind, span.end)
    return Divider(first, is_doubtful=True) if text.count("|", span.start, span.end) == 1 else None
