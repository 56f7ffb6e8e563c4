"""The marks that mail and news put at the start of a line: quote marks, initials, bars, marks of diffs and comments.

RFC 1738 does not mention quotation; these are habits of news readers and mail programs (RFC 3676 4.5 describes the one
with ">"). All modules that need a quote prefix take it from here: `MARK` is one mark, `PREFIX` is everything that may
precede a quoted line's own text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from os.path import commonprefix

from urlglean.lazy import pattern

BREAK = r"\r*+\n"
LINE_BREAK = pattern(BREAK)
"""The pattern of one line break: CR LF or LF; or CR CR LF, which a copy as text on DOS makes of CR LF. No CR stands
alone here (see `line_ends.py`)."""

# HTML indents lines with no-break spaces, Chinese and Japanese text with ideographic ones.
_SPACES = " \t\xa0\u3000"
MARGIN_BLANK = f"[{_SPACES}]"
"""The pattern of a blank that may stand before and behind the marks of a line."""

_BLANK_SIGNS = frozenset(_SPACES)
# Angles are always quote marks, and a name may precede them; bars and colons may also belong to a table.
_ANGLES = ">›»＞"
_BARS = "|｜│┃"
_COLONS = ":"
QUOTE_MARKS = _ANGLES + _BARS + _COLONS
"""The signs of quotation. Other marks belong to lists, comments and diffs."""

_ANGLE = f"[{_ANGLES}]"
# A name may only precede angles, because "http:" is no mark. Of 4,083 messages, 20 quote with names: 17 with one to
# three initials, all in capitals, and 3 with a first name of 5 to 8 letters. Four letters allow initials like "JvdM".
_WRITER = r"(?:[^\W\d_]{1,4}+|[A-ZÀ-ÞΑ-ΩЀ-Я][a-zß-ÿά-ώа-џ]{4,11}+)"
MARK = rf"(?:{_ANGLE}|{_WRITER}{_ANGLE}|(?!://)[{_BARS}{_COLONS}])"
"""The pattern of one quote mark; the name of the quoted writer may precede it. In `://` the colon is of a URL."""

# Without a line above that begins in the same way, letters before an angle may belong to the text, such as the end of
# a tag, and a colon may belong to a scheme; so a blank must follow.
_NAMED = rf"{_WRITER}{_ANGLE}++(?=[{_SPACES}\r\n]|\Z)"
PREFIX = rf"(?:[{_SPACES}{_BARS}{_ANGLES}]++|{_NAMED}|[{_COLONS}]++(?=[{_SPACES}\r\n{_BARS}{_ANGLES}]|\Z))*+"
"""The pattern of all quote marks and blanks at the start of a line; it matches the empty text if there are none."""

_PREFIX = pattern(PREFIX)
# The lines of a comment in C begin with the asterisk only.
_COMMENT_IN_C = rf"(?:/\*?(?=\*{MARGIN_BLANK}))?+"
# A diff puts its mark directly before the text. A minus sign there may as well begin an item of a list (`_in_hunk`).
_MARK = pattern(rf"{MARGIN_BLANK}*+{_COMMENT_IN_C}({MARK}|//++!?|[#!*;%<-](?={MARGIN_BLANK})|\+)")
# Outside a wrapper, the next line may begin with such a mark as the next item of a list. A word is a mark only together
# with the blank behind it: another word may begin with it.
_COMMENT = rf"//++!?|[^\w\s>]{{1,4}}+(?={MARGIN_BLANK})|(?:dnl|REM|[Rr]em|[Cc]|@c(?:omment)?){MARGIN_BLANK}|[+-]"
_MARK_IN_WRAPPER = pattern(rf"{MARGIN_BLANK}*+{_COMMENT_IN_C}({MARK}|{_COMMENT})")
# What may as well begin a word, a list or a quotation is a mark only if two lines begin with it.
_OF_BOTH = r"#{2,4}+|#['.:~|,!]#?+|;{2,4}+|%{2,4}+|--|!!|[.']?\\?\"|['}\]]|dnl|REM|[Rr]em|[Cc]|@c(?:omment)?"
_MARK_OF_BOTH = pattern(rf"{MARGIN_BLANK}*+({_OF_BOTH})(?={MARGIN_BLANK})")
# Signs of comments, as some people write them, but no number and no escape. Outside a wrapper, a URL may begin its next
# line with such a sign.
_GLUED = r"(?:#{1,4}+(?![0-9])|%{1,4}+(?![0-9][0-9A-Fa-f]|[A-F][0-9A-F])|[;!*']{1,4}+)(?=\S)"
# Outside a wrapper, any name before an angle may be the prompt of a program. With a dot in it, it may be the end of a
# file's name, and of the wrapper that the line above opened. R, Fortran and COBOL mark comments by a sign and an angle.
_BEFORE_ANGLE_OF_BOTH = r"\w[\w'-]{0,19}|(?:\w\.-?){1,4}|[#!*%;]{1,2}"
_MARK_OF_BOTH_IN_WRAPPER = pattern(
    rf"{MARGIN_BLANK}*+((?:{_OF_BOTH}|(?:{_BEFORE_ANGLE_OF_BOTH}){_ANGLE})(?={MARGIN_BLANK})|{_GLUED})"
)
_LONGEST_MARK = 30
"""Room for a name of two or three words, in code points."""

# The longest piece that ends in a sign before a blank.
_ENDS_IN_SIGN = pattern(rf"(\S(?:.*[^\w\s])?)(?<!\w){MARGIN_BLANK}")
_BLANKS = pattern(f"{MARGIN_BLANK}*")
DEEPER = rf"(?:(?:{_ANGLE}|{_NAMED}){MARGIN_BLANK}*+)*+"
"""The pattern of further quote marks in a continuation line. No URL goes on with them: a program quoted the text and
wrapped it again, or another quotation begins. Bars and colons are not among them: they may begin a table or a list."""

# Inside a wrapper, marks that the opening line does not have are a prefix only if the same line has another ">" that
# can close the wrapper; or one of the next lines has, and all up to that have marks and hold one piece. Letters before
# a ">" are more likely the end of the URL than a name.
_ANGLES_OF_LINE = rf"(?:{_ANGLE}{MARGIN_BLANK}*+)++"
_MORE_MARKS = pattern(
    rf"{_ANGLES_OF_LINE}(?=(?:[^\s<>]++{MARGIN_BLANK}*+\r*+\n{MARGIN_BLANK}*+{_ANGLES_OF_LINE}){{0,6}}[^\s<>]+>)"
)
_DEEPER = pattern(DEEPER)
_LONGEST_HUNK = 2000
"""So many code points above a line are searched for the head of its hunk: a screenful of lines."""

_LONGEST_PREFIX = 100
"""No hunk is quoted behind more code points than these."""

_APOSTROPHE = "'"

_CHANGED = frozenset("+-")
_DIFF_MARK = pattern(rf"[!+-](?={MARGIN_BLANK})")

_ALSO_OF_URL = frozenset({"-", "+", ":", "//"})

_BEFORE_BLANK = " "
"""Behind a sign of a margin: a blank, a tab or the line's end must follow the sign in other lines too."""

BYTE_ORDER_MARK = "\ufeff"
"""It may stand before the first line of a text, or where two texts were joined, and has no width."""

Margin = tuple[str, ...]

_LINE_ABOVE = 200
"""So many code points at the end of the line above are searched for an opening angle or quotation mark."""

_LONGEST_LINE = 2000
_MOST_ABOVE = 8
"""So many lines above a line are searched for the wrapper of which it may hold the rest."""

# A piece of a URL, behind a margin.
_PIECE = pattern(rf"(?:{MARGIN_BLANK}|[^\w\s<>\"]{{1,4}}(?={MARGIN_BLANK})|{MARK})*+[^\s<>\"]++[ \t]*+\r*+\Z")
# No blank stands in quotation marks.
_BEGUN_URL = pattern(r"<[ \t]*+[a-z][a-z0-9+.-]*+:|\"[a-z][a-z0-9+.-]*+:[^\s\"]*+\r*+\Z", re.IGNORECASE)
_BEFORE_ANGLE = pattern(r"[ \t]++>")

_MOST_EXAMINED = 3
"""So many marks of a line are examined, whether they are the rest of a URL: a writer's name and a sign are two."""

MOST_MISSING = 4
"""At most this many marks of a margin may be missing in a continuation line. It limits the time for deep margins."""


def depth_of(margin: Margin) -> int:
    """The number of quote marks in the margin: how many times the line is quoted."""
    return sum(mark[-1] in QUOTE_MARKS for mark in margin)


def margin_at(
    text: str, at: int, line: int | None = None, *, wrapped: bool = False, below: int | None = None
) -> Margin:
    """The marks at the start of the line that contains position `at`; only those that end at or before `at`.

    Args:
        text: the whole text.
        at: a position.
        line: where its line begins, if the caller knows it.
        wrapped: whether a wrapper opens before `at`.
        below: where the next line begins, if a mark counts that both lines must have.
    """
    marks: list[str] = []
    begin = pos = line_start(text, at) if line is None else line
    opened: int | None = None
    examined = 0
    written = _MARK_IN_WRAPPER if wrapped else _MARK
    while True:
        if (mark := written.match(text, pos, at + 1)) and mark.end() <= at:
            if examined < _MOST_EXAMINED and _may_be_rest(text, mark[1], mark.end()):
                examined += 1
                opened = _opened_above(text, begin) if opened is None else opened
                if opened >= 0 and _is_rest(text, begin, tuple(marks), mark[1]):
                    break
            pos = mark.end()
            is_of_diff = _of_diff(mark[1], text, pos) and (below is None or text.startswith(text[begin:pos], below))
            is_apart = _is_sign(mark[1][-1]) and text[pos] in _BLANK_SIGNS and not is_of_diff
            marks.append(mark[1] + _BEFORE_BLANK if is_apart else mark[1])
        elif (start := behind_blanks(text, pos)) < at and text[start] == "-" and _in_hunk(text, start):
            pos = start + 1
            marks.append("-")
        else:
            break
    if below is not None:
        mark = (_MARK_OF_BOTH_IN_WRAPPER if wrapped else _MARK_OF_BOTH).match(text, pos, at + 1)
        if mark and not _closes(text, pos, mark[1][-1]):
            marks += _of_both(text, mark, below, tuple(marks))
        elif wrapped:
            marks += _of_three(text, pos, at, below, tuple(marks))
    return tuple(marks)


def _of_both(text: str, mark: re.Match[str], below: int, before: Margin) -> Margin:
    """A mark behind those before it, if the next line, which begins at `below`, has it too."""
    again = mark.re.match(text, behind_margin(text, below, before))
    if not again or again[1] != mark[1]:
        return ()
    if text[mark.end()] in _BLANK_SIGNS:
        return (mark[1] + _BEFORE_BLANK,)
    line = line_start(text, mark.start())
    is_mark = _is_of_comment(text, line, below, before, mark[1]) and not _is_rest(text, line, before, mark[1])
    return (mark[1],) if is_mark else ()


def _of_three(text: str, pos: int, at: int, below: int, before: Margin) -> Margin:
    """A mark of any form from `pos` on, if the next line has it too, and a third one above or below.

    It ends in a sign before a blank: people quote with arrows, with whole names, and with initials in brackets.
    """
    start, again = behind_blanks(text, pos), behind_margin(text, below, before)
    line, here = line_start(text, pos), text[start : min(at, start + _LONGEST_MARK)]
    for third in _third_lines(text, line, below, before):
        # Not of paths, but of any strings.
        common = commonprefix([here, *(text[begin : begin + _LONGEST_MARK] for begin in (again, third))])  # noqa: RUF071
        if found := _ENDS_IN_SIGN.match(common):
            return () if _is_rest(text, line, before, found[1], in_row=True) else (found[1] + _BEFORE_BLANK,)
    return ()


def _is_of_comment(text: str, line: int, below: int, before: Margin, sign: str) -> bool:
    """Whether a third line, above or below two that begin with a sign of comments, begins with it too.

    Elsewhere, it may begin a fragment or an escape of the URL, or a string of source code that ends in it too.
    """
    if sign == _APOSTROPHE and text[max(line, below - _LINE_ABOVE) : below].rstrip().endswith(_APOSTROPHE):
        return False
    return _is_of_third(text, line, below, before, sign)


def _is_of_third(text: str, line: int, below: int, before: Margin, mark: str) -> bool:
    """Whether the line above the one that begins at `line`, or the one below the next one, begins with a mark."""
    return any(text.startswith(mark, third) for third in _third_lines(text, line, below, before))


def _third_lines(text: str, line: int, below: int, before: Margin) -> Iterator[int]:
    """Where the text behind a margin begins, in the line below the one at `below`, and in the one above `line`."""
    if third := text.find("\n", below, below + _LONGEST_LINE) + 1:
        yield behind_margin(text, third, before)
    if line > 0:
        above = text.rfind("\n", max(0, line - _LONGEST_LINE), line - 1) + 1
        yield behind_margin(text, above, before)


def _may_be_rest(text: str, mark: str, behind: int) -> bool:
    """Whether a mark that ends at `behind` may be of the rest of a URL in the wrapper that the line above opened.

    So may a sign without a blank behind it, one before the angle that closes the wrapper, and a name before one.
    """
    if mark[-1] in _ANGLES:
        return mark[0] not in _ANGLES
    is_glued = mark in _ALSO_OF_URL and not text[behind : behind + 1].isspace()
    return is_glued or _BEFORE_ANGLE.match(text, behind) is not None


def _in_hunk(text: str, at: int) -> bool:
    """Whether the line whose own text begins at `at` is one of a hunk of a unified diff, below its head.

    A line that begins with a minus sign alone may as well be an item of a list.
    """
    line = line_start(text, at)
    if at - line > _LONGEST_PREFIX:
        return False
    prefix = text[line:at]
    head = text.rfind(f"\n{prefix}@@ -", max(0, line - _LONGEST_HUNK), line) + 1
    return text.startswith(f"{prefix}@@ -", head) and line <= _end_of_hunk(text, head, prefix)


@lru_cache(maxsize=1)  # a hunk may have many lines with URLs
def _end_of_hunk(text: str, head: int, prefix: str) -> int:
    """Where the lines end that have the marks of a hunk, behind its head and before the next one."""
    marks = tuple(prefix + mark for mark in " +-\\")
    # A program may have removed the blank of an empty line.
    empty = {prefix, prefix.rstrip()}
    first, *lines = text[head : head + _LONGEST_HUNK].split("\n")
    end = head + len(first) + 1
    for line in lines:
        if not line.startswith(marks) and line.rstrip("\r") not in empty:
            break
        end += len(line) + 1
    return end


def _closes(text: str, at: int, last: str) -> bool:
    """Whether a name before an angle is the end of a wrapper that the line above the one at `at` has opened."""
    return last in _ANGLES and _open_angle(text, max(text.rfind("\n", 0, at), 0)) >= 0


def _open_angle(text: str, end: int) -> int:
    """Where the last angle opens of a line that ends at `end`, if none closes behind it; else -1."""
    low = max(0, end - _LINE_ABOVE)
    begin = max(low, text.rfind("\n", low, end) + 1)
    angle = text.rfind("<", begin, end)
    return angle if angle > text.rfind(">", begin, end) else -1


def _is_rest(text: str, line: int, before: Margin, mark: str, *, in_row: bool = False) -> bool:
    """Whether a mark behind those before it in a line is of the rest of a URL in a wrapper that a line above opened.

    The margin of a text is in the line that opened the first of several such wrappers too.

    Args:
        text: the whole text.
        line: where the line begins.
        before: the marks before the one that is asked for.
        mark: that mark.
        in_row: the answer for a row of more than `_MOST_ABOVE` such wrappers, whose first line is not looked at.
    """
    for _ in range(_MOST_ABOVE):
        line = _opened_above(text, line)
        if line < 0:
            return False
        at = behind_margin(text, line, before)
        is_item = mark == "-" and text[at + 1] in _BLANK_SIGNS and not _in_hunk(text, at)
        if is_item or not text.startswith(mark, at):
            return True
    return in_row


def _opened_above(text: str, line: int) -> int:
    """Where the line above the one that begins at `line` begins, if a wrapper with a URL is open at its end; else -1.

    The line may have opened the wrapper, or may hold only a piece of the URL. Lines of more than `_LONGEST_LINE` code
    points are not looked at.
    """
    above = -1
    for _ in range(_MOST_ABOVE):
        end = max(line - 1, 0)
        low = max(0, end - _LONGEST_LINE)
        line = text.rfind("\n", low, end) + 1
        if line < low or line >= end:
            break
        above = line if above < 0 else above
        openers = (_open_angle(text, end), text.rfind('"', max(line, end - _LINE_ABOVE), end))
        if any(at >= 0 and _BEGUN_URL.match(text, at, end) for at in openers):
            return above + text.startswith(BYTE_ORDER_MARK, above)
        if not _PIECE.match(text, line, end):
            break
    return -1


def _is_sign(last: str) -> bool:
    """Whether the last character of a mark makes it a sign of a list, diff or comment.

    Where such a sign has a blank behind it in a margin, the same sign without a blank belongs to the text of another
    line, as in `*/` and `-archive`.
    """
    return not last.isalnum() and not last.isspace() and last not in QUOTE_MARKS + "/"


def _of_diff(mark: str, text: str, behind: int) -> bool:
    """Whether a mark is one of a diff, so that the blanks behind it belong to the line that changed.

    An item of a list seldom begins with a plus sign, and has one blank behind a minus sign. Where it is known, the next
    line of a diff has the same mark in the same column.
    """
    return mark == "+" or (mark == "-" and (text.startswith("  ", behind) or _in_hunk(text, behind - 1)))


def behind_prefix(line: str) -> int:
    """The position in a line where its own text begins, behind its quote marks and blanks."""
    found = _PREFIX.match(line)
    return found.end() if found else 0


def line_start(text: str, at: int) -> int:
    """The beginning of the line that contains position `at`, behind a byte order mark."""
    line = text.rfind("\n", 0, at) + 1
    return line + text.startswith(BYTE_ORDER_MARK, line, at)


def resume(text: str, start: int, margin: Margin, *, wrapped: bool) -> int:
    """The position where a broken URL goes on in the line that begins at `start`, behind its margin and indentation.

    Args:
        text: the whole text.
        start: the first character of the continuation line.
        margin: the marks of the line on which the URL began; each is skipped once, if it is there.
        wrapped: whether a wrapper is open. Then the mark of a diff is skipped too, before a blank or in a hunk; outside
            a wrapper it may begin a list item. Further quote marks are skipped in both cases, but by other patterns.
    """
    is_of_diff = wrapped and not (margin and text.startswith(margin[0].rstrip(_BEFORE_BLANK), start))
    pos = behind_margin(text, _behind_diff_mark(text, start) if is_of_diff else start, margin)
    if not wrapped:
        return found.end() if (found := _DEEPER.match(text, pos)) else pos
    if more := _MORE_MARKS.match(text, pos):
        pos = more.end()
    pos = behind_blanks(text, _behind_diff_mark(text, pos))
    return pos + 1 if text[pos : pos + 1] in _CHANGED and _in_hunk(text, pos) else pos


def behind_margin(text: str, start: int, margin: Margin) -> int:
    """The position behind blanks and the marks of a margin in the line that begins at `start`.

    A mark that is not there is passed over; so is a sign without the blank that it has in the margin.
    """
    pos = behind_blanks(text, start)
    missing = 0
    for mark in margin:
        sign = mark.rstrip(_BEFORE_BLANK)
        behind = pos + len(sign)
        if text.startswith(sign, pos) and (sign == mark or not text[behind : behind + 1].strip()):
            pos = behind_blanks(text, behind)
        elif (missing := missing + 1) > MOST_MISSING:
            break
    return pos


def _behind_diff_mark(text: str, at: int) -> int:
    return at + 1 if _DIFF_MARK.match(text, at) else at


def behind_blanks(text: str, at: int) -> int:
    """The position behind the spaces and tabs that begin at `at`."""
    # Most places have none, and the test without a pattern takes less than half the time.
    found = _BLANKS.match(text, at) if text[at : at + 1] in _BLANK_SIGNS else None
    return found.end() if found else at
