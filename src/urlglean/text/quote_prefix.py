"""What mail and news put at the start of a line: quote marks, initials, bars, the margins of diffs and comments.

None of it is in RFC 1738, which knows no quotation; these are the habits of news readers and mail programs (RFC 3676
4.5 writes down the one with ">"). Whatever has to know a quote prefix takes it from here: `MARK` is one mark, `PREFIX`
all that may stand before a quoted line's own text.
"""

from __future__ import annotations

from urlglean.lazy import pattern

BREAK = r"(?:\r\n|\n|\r)"
LINE_BREAK = pattern(BREAK)
"""One line break of any of the three kinds."""

_BLANK_SIGNS = frozenset(" \t")
# Angles quote wherever they stand, and may have a name before them; of the others a line of a table may be full.
_ANGLES = ">›»"
_BARS = "|"
_COLONS = ":"
QUOTE_MARKS = _ANGLES + _BARS + _COLONS
"""The marks that quote; others set off lists, comments and diffs."""

_ANGLE = f"[{_ANGLES}]"
# Before angles alone: "http:" is no mark. Of 4,083 messages 20 quote so: 17 by initials, one to three, all in capitals,
# and 3 by a first name of 5 to 8 letters. Four letters are for initials such as "JvdM".
_WHO = "(?:[A-Za-z]{1,4}+|[A-Z][a-z]{4,11}+)"
MARK = rf"(?:{_ANGLE}|{_WHO}{_ANGLE}|[{_BARS}{_COLONS}])"
"""The pattern of one quote mark, whoever wrote the line named before it."""

# Where no line above began so, letters may be the text's own, such as the end of a tag, and a colon may be that of a
# scheme, unless a blank follows.
_NAMED = rf"{_WHO}{_ANGLE}++(?=[ \t\r\n]|\Z)"
PREFIX = rf"(?:[ \t{_BARS}{_ANGLES}]++|{_NAMED}|[{_COLONS}]++(?=[ \t\r\n{_BARS}{_ANGLES}]|\Z))*+"
"""The pattern of all marks and blanks at the start of a line; it takes nothing where there are none."""

_PREFIX = pattern(PREFIX)
_MARK = pattern(rf"{MARK}|//|[#!*;%+<-](?=[ \t])")
_BLANKS = pattern(r"[ \t]*")
# A bar or a colon that no line above has may begin a table or a list.
_DEEPER = pattern(rf"(?:(?:{_ANGLE}|{_NAMED})[ \t]*+)++")
# More marks than the opening line had are a prefix only when the same line goes on to a sign that can close the
# wrapper. Letters before a ">" are rather the last of the URL.
_MORE_MARKS = pattern(rf"(?:{_ANGLE}[ \t]*+)++(?=[^\s<>]+>)")
_DIFF_MARK = pattern(r"[!+-](?=[ \t])")

Margin = tuple[str, ...]

MOST_MISSING = 4
"""So many marks of a margin may be missing in a continuation line: no line is compared with a whole deep margin."""


def depth_of(margin: Margin) -> int:
    """How many times the line is quoted."""
    return sum(mark[-1] in QUOTE_MARKS for mark in margin)


def margin_at(text: str, at: int) -> Margin:
    """The marks at the start of the line that holds position `at`, none of them from `at` on."""
    marks = []
    pos = behind_blanks(text, line_start(text, at))
    while pos < at and (mark := _MARK.match(text, pos, at + 1)) and mark.end() <= at:
        marks.append(mark.group())
        pos = behind_blanks(text, mark.end())
    return tuple(marks)


def behind_prefix(line: str) -> int:
    """Where a line's own text begins, behind its quote marks and blanks."""
    found = _PREFIX.match(line)
    return found.end() if found else 0


def line_start(text: str, at: int) -> int:
    """Where the line that holds position `at` begins."""
    size = 256
    # Farther and farther back: a text may have only one of the two signs, or none.
    while True:
        low = max(0, at - size)
        found = max(text.rfind("\n", low, at), text.rfind("\r", low, at))
        if found >= 0 or low == 0:
            return found + 1
        size *= 4


def resume(text: str, start: int, margin: Margin, *, wrapped: bool) -> int:
    """Where a broken URL goes on, in the line that begins at `start`, its margin and indentation passed over.

    Args:
        text: the whole text.
        start: the first character of the continuation line.
        margin: the marks of the line on which the URL opened; each is passed over once, if it is there.
        wrapped: whether a wrapper is open; then the mark of a diff, and more quote marks than before, are no content
            either. Outside one they are the sign of a list item, or of something else that begins.
    """
    pos = behind_blanks(text, _behind_diff_mark(text, start) if wrapped else start)
    missing = 0
    for mark in margin:
        if text.startswith(mark, pos):
            pos = behind_blanks(text, pos + len(mark))
        elif (missing := missing + 1) > MOST_MISSING:
            break
    if not wrapped:
        # No URL begins with them: a quotation was wrapped again, or this is another one.
        return found.end() if (found := _DEEPER.match(text, pos)) else pos
    if more := _MORE_MARKS.match(text, pos):
        pos = more.end()
    return behind_blanks(text, _behind_diff_mark(text, pos))


def _behind_diff_mark(text: str, at: int) -> int:
    return at + 1 if _DIFF_MARK.match(text, at) else at


def behind_blanks(text: str, at: int) -> int:
    """The place behind the spaces and tabs at `at`."""
    # Most places have none, which is told five times as fast without a search.
    found = _BLANKS.match(text, at) if text[at : at + 1] in _BLANK_SIGNS else None
    return found.end() if found else at
