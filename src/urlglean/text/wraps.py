"""Bare URLs that a line break cut: when to go on in the next line. All of it guesses, each a row with a name.

A mail program cuts a word that is too long at its own column; a formatter breaks behind a `/` or a hyphen when the next
stretch would not fit. Far more often a URL simply ends its line. So a break has to be argued for: nothing may speak
against it (`looks.OTHER_THINGS`, `VETOES`), and something must speak for it (`REASONS`). A false join is worse than a
missed one.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from urlglean.records import LEVELS, JoinRule
from urlglean.text import looks
from urlglean.text.ends import reach
from urlglean.text.extension import ends_in_one, goes_through_one
from urlglean.text.found import Evidence
from urlglean.text.joins import Gap, is_quoted_printable, line_gap
from urlglean.text.layout import ENDS_LINE, Columns, LineEnd
from urlglean.text.quotation import QUOTE_MARKS, depth_of, line_start, margin_at

NEVER, EVIDENT, LIKELY = LEVELS

MAX_BREAKS = 32
"""Line breaks in one bare URL; a text that seems to go on longer is no URL any more."""

COMMON_COLUMNS, COMMONEST_COLUMN = range(64, 81), 76
"""Where lines end when the text around is too short to tell its own column."""

STICKS_OUT = 4
"""A line of one long word is cut a little farther out than lines of prose are wrapped."""

SHORT_OF_COLUMN = 6
"""So much shorter than its neighbours a full line may be, where what follows is plainly of a URL."""

LONGEST_SCRAP = 2
"""More letters than that alone in a line are a word of their own as likely as the rest of another."""

NARROWEST, WIDEST = 60, 100
"""Columns that text is wrapped at: shorter lines are lists and verse, longer ones were not wrapped at all."""


class Context:
    """What is known of a whole text.

    Args:
        text: the text.
        level: how far to go in joining, one of `records.LEVELS`.
        flowed: "flowed" or "delsp" where the text is format=flowed (RFC 3676), without or with DelSp; "" elsewhere.
        valid: the judge's yes or no.
        evidence: the URLs that stand unbroken in it.
    """

    def __init__(self, text: str, level: str, flowed: str, valid: Callable[[str], bool], evidence: Evidence) -> None:
        self.level, self.flowed, self.valid, self.evidence = level, flowed, valid, evidence
        self.columns = Columns(text)


class Cut(Struct):
    """A break to be judged.

    Attributes:
        url: the URL as read so far.
        at: the line end it stands at.
        context: what is known of the whole text.
        cut_at: the length of the line before, where the URL went on over its end already.
    """

    url: str
    at: LineEnd
    context: Context
    cut_at: int | None = None
    _inside: bool | None = None

    @property
    def inside(self) -> bool:
        """Whether the next line's token looks like the inside of a URL: many rows ask it."""
        if self._inside is None:
            self._inside = looks.is_inside_of_url(self.at.token, alone=self.at.alone, search="?" in self.url)
        return self._inside

    @property
    def joined(self) -> str:
        """The URL with the next line's token."""
        return self.url + self.at.token


class Veto(Struct, frozen=True):
    """A row: what speaks against going on."""

    name: str
    holds: Callable[[Cut], bool]


class Reason(Struct, frozen=True):
    """A row: what speaks for going on, how far one has to trust it, and the rule that the join is named after."""

    name: str
    level: str
    holds: Callable[[Cut], bool]
    rule: JoinRule = JoinRule.HARD_WRAP


_ASSIGNMENT = re.compile(r"[ \t]*[=:]{1,2}[ \t]+\S")
_MAILBOX = re.compile(r"mailto:[^?]+\Z", re.IGNORECASE)
_HOST_ONLY = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#]*\Z", re.IGNORECASE)
_UNFINISHED_HOST = re.compile(r"[a-z][a-z0-9+.-]*://(?:www[0-9]?|ftp|[a-z0-9.-]+[.-]|[a-z0-9-]+)\Z", re.IGNORECASE)
_HOST_GOES_ON = re.compile(r"\.?(?:[a-z0-9-]+\.)*[a-z]{2,6}(?::[0-9]+)?(?:/|[.,;:)>]*\Z)")
# An "=" that quoted-printable would have encoded.
_RAW_SIGN = re.compile(r"=(?![0-9A-Fa-f]{2}|\Z)")
_CUT_ESCAPE = re.compile(r"%[0-9A-Fa-f]?\Z")
_HEX_DIGITS = re.compile(r"[0-9A-Fa-f]+\Z")
# What breaks a line behind a hyphen, or behind a slash, would break it at the next of the same.
_PIECES = {"-": re.compile(r"[^-]*-?"), "/": re.compile(r"[^/]*/?")}
_ANY_PIECE = re.compile(r"[^/?&=#_.%-]*[/?&=#_.%-]?")
_OPEN_END = "?&=%_-+#~"
_SEPARATOR = _OPEN_END + "/."
_CLOSING = ".,;:!?)>"


def _fills_line(cut: Cut) -> bool:
    """Whether the line was full: what comes next, up to its first place to break, would not have fitted."""
    last = cut.url[-1]
    if last not in _SEPARATOR:
        return _at_column(cut)
    piece = _PIECES.get(last, _ANY_PIECE).match(cut.at.token)
    column = COMMONEST_COLUMN if cut.at.column is None else max(NARROWEST, cut.at.column)
    return column < cut.at.length + (len(piece.group()) if piece else 0) and column < WIDEST


def _at_column(cut: Cut) -> bool:
    """Whether the line ends at the column itself, or sticks out to one that mail programs cut at."""
    if cut.at.column is None:
        return cut.at.length in COMMON_COLUMNS
    farthest = max(COMMON_COLUMNS[-1], cut.at.column + STICKS_OUT)
    return max(NARROWEST, cut.at.column) <= cut.at.length <= farthest < WIDEST


def _nearly_full(cut: Cut) -> bool:
    """Whether a line that a token plainly of a URL follows is about as long as those around."""
    column = COMMON_COLUMNS[0] if cut.at.column is None else cut.at.column - SHORT_OF_COLUMN
    return looks.is_plainly_of_url(cut.at.token) and NARROWEST <= column <= cut.at.length < WIDEST


def _cut_like_before(cut: Cut) -> bool:
    """Whether this line of a URL is as long as the one before it, or the next is as long as this one."""
    return cut.at.length >= NARROWEST and cut.at.length in (cut.cut_at, cut.at.next_length)


def _cut_again(cut: Cut) -> bool:
    """Whether the URL went on over the end of a line as long as this: twice at the same column is no chance."""
    return cut.at.length == cut.cut_at and cut.at.length >= NARROWEST and not looks.NAME_OR_BRACKET.match(cut.at.token)


def _depth_unexplained(cut: Cut) -> bool:
    """A change of quote depth is explained only where a re-wrapped quotation lost its prefix for one short line."""
    depth = depth_of(cut.at.margin)
    if cut.at.next_depth == depth:
        return False
    prefix_again = not cut.at.line_after or cut.at.line_after.lstrip()[:1] in QUOTE_MARKS
    return not (depth and cut.at.next_depth == 0 and prefix_again)


def _goes_on_host(cut: Cut) -> bool:
    """A host that is cut: no URL, or none that anybody means, until the next line's labels are put to it."""
    return (
        _UNFINISHED_HOST.match(cut.url) is not None
        and _HOST_GOES_ON.match(cut.at.token) is not None
        and cut.context.valid(cut.joined.rstrip(_CLOSING))
        and ("/" in cut.at.token or cut.at.alone or cut.url[-1] in ".-")
        and _fills_line(cut)
    )


def _closes_bracket(cut: Cut) -> bool:
    return any(
        cut.url.count(opener) > cut.url.count(closer) and closer in cut.at.token.rstrip(".,;:!?")
        for opener, closer in ("()", "[]")
    )


def _cut_escape(cut: Cut) -> bool:
    tail = _CUT_ESCAPE.search(cut.url)
    return tail is not None and _HEX_DIGITS.match(cut.at.token[: 3 - len(tail.group())]) is not None


def _soft_flowed_line(cut: Cut) -> bool:
    """A soft break under DelSp: exactly one blank ends the line, and it is none of the text's (RFC 3676 4.2)."""
    return cut.context.flowed == "delsp" and cut.at.break_at - cut.at.end == 1


def _lost_prefix(cut: Cut) -> bool:
    """One short line without the prefix of the lines around it: the overflow of a quotation that was wrapped again."""
    return (
        depth_of(cut.at.margin) > 0
        and cut.at.next_depth == 0
        and cut.at.alone
        and not looks.NAME_OR_BRACKET.match(cut.at.token)
    )


def _hangs(cut: Cut) -> bool:
    """Whether the URL stands alone in its line, and what stands alone in the next is indented more."""
    before = cut.at.text[cut.at.line : cut.at.start]
    return cut.at.alone and before.isspace() and cut.at.resume - cut.at.next_line > len(before)


def _search_goes_on(cut: Cut) -> bool:
    """Whether the token is of a search, which nothing else looks like: `&name=value`, or `name=value` behind a `?`."""
    pattern = looks.NAME_AND_VALUE if cut.url[-1] in "?&" else looks.QUERY
    return pattern.match(cut.at.token) is not None


def _is_scrap(cut: Cut) -> bool:
    """Whether the token is the last letter or two of a word that was cut, or the rest of a number."""
    token = cut.at.token.rstrip(_CLOSING)
    return cut.url[-1].isalnum() and (
        (len(token) <= LONGEST_SCRAP and token.isalnum() and token.islower())
        or (token.isdigit() and cut.url[-1].isdigit())
    )


def _is_overflow(cut: Cut) -> bool:
    """Whether a URL stands alone in its line, and below it nothing but what may be its end, and then a blank line."""
    displayed = not cut.at.text[cut.at.line : cut.at.start].strip(" \t" + QUOTE_MARKS)
    blank_after = not cut.at.line_after.strip(" \t" + QUOTE_MARKS)
    return displayed and blank_after and looks.is_end_of_path(cut.at.token, behind_slash=cut.url[-1] == "/")


def _cut_extension(cut: Cut) -> bool:
    """Whether the break goes through the extension of a file's name."""
    # ".htm" is one as it is; but what should an "l" alone in the next line be?
    return goes_through_one(cut.url, cut.at.token[: looks.LOOK]) and (cut.at.alone or not ends_in_one(cut.url))


def _ends_in_extension(cut: Cut) -> bool:
    """Whether the URL ends in a whole file name, and the token does not begin with a sign that goes on behind one."""
    return ends_in_one(cut.url) and cut.at.token[0].isalnum() and not _cut_extension(cut)


def _whole_elsewhere(cut: Cut) -> bool:
    """Whether a URL that stands unbroken in the text is, or begins with, what is read so far and the next token."""
    joined = cut.joined.rstrip(_CLOSING)
    return len(joined) > len(cut.url) and cut.context.evidence.begins(joined)


def _soft_break(cut: Cut) -> bool:
    """A soft break of quoted-printable text that was never decoded (RFC 2045 6.7), or its rest without the prefix."""
    if cut.url[-1] != "=" or _RAW_SIGN.search(cut.url) or _RAW_SIGN.search(cut.at.token):
        return False
    # In a search an "=" is more likely the URL's own.
    return is_quoted_printable(cut.at.text, cut.at.end) or ("?" not in cut.url and _lost_prefix(cut))


def _blank_below(cut: Cut) -> bool:
    return cut.at.text[cut.at.next_line].isspace()


VETOES = (
    # Format=flowed breaks lines only where a blank stands (RFC 3676 4.2); any other line end is the writer's own.
    Veto("flowed", lambda cut: cut.context.flowed != "" and not _soft_flowed_line(cut)),
    # A blank behind a soft break is the text's own: the URL ended before it.
    Veto("soft-break-then-blank", lambda cut: _soft_break(cut) and _blank_below(cut)),
    # A blank before the break is the writer's, unless a formatter that breaks behind separators left it.
    Veto(
        "blank", lambda cut: cut.at.break_at > cut.at.end and cut.url[-1] not in _SEPARATOR and not cut.context.flowed
    ),
    Veto("depth", _depth_unexplained),
    Veto("label", lambda cut: not cut.at.alone and looks.LABEL.match(cut.at.token) is not None),
    Veto("address-is-whole", lambda cut: _MAILBOX.match(cut.url) is not None and cut.context.valid(cut.url)),
    Veto("bracket", lambda cut: cut.at.token[0] in "([" and cut.url[-1] not in _OPEN_END),
    # `.html` ends a name: what is put right behind it is no part of it.
    Veto("complete-file", _ends_in_extension),
    Veto("assignment", lambda cut: _ASSIGNMENT.match(cut.at.rest) is not None),
    Veto("address", lambda cut: looks.ADDRESS.match(cut.at.token) is not None and cut.url[-1] not in _OPEN_END),
    Veto("other-host", lambda cut: not _HOST_ONLY.match(cut.url) and looks.is_host(cut.at.token)),
)

# What the text says of itself: no look of the next line speaks against it.
DECISIVE = (
    Reason("soft-flowed-line", EVIDENT, _soft_flowed_line, JoinRule.FLOWED),
    Reason("soft-break", EVIDENT, lambda cut: _soft_break(cut) and not _blank_below(cut), JoinRule.SOFT_BREAK),
)

REASONS = (
    Reason("whole-elsewhere", EVIDENT, _whole_elsewhere),
    Reason("cut-escape", EVIDENT, lambda cut: _cut_escape(cut) and _fills_line(cut)),
    Reason("cut-host", EVIDENT, _goes_on_host),
    Reason("same-cut", EVIDENT, lambda cut: _cut_again(cut) or (cut.inside and _cut_like_before(cut))),
    Reason("lost-prefix", EVIDENT, lambda cut: _lost_prefix(cut) and _fills_line(cut)),
    Reason("cut-extension", EVIDENT, lambda cut: _cut_extension(cut) and _at_column(cut)),
    Reason("url-at-column", EVIDENT, lambda cut: cut.at.alone and cut.inside and _at_column(cut)),
    Reason("url-in-full-line", LIKELY, lambda cut: cut.inside and (_fills_line(cut) or _nearly_full(cut))),
    # Nothing but the rest of a URL begins with ".html" or "?id=".
    Reason(
        "starts-within",
        LIKELY,
        lambda cut: cut.at.length >= NARROWEST and looks.WITHIN.match(cut.at.token) is not None and cut.inside,
    ),
    Reason("hanging-rest", LIKELY, lambda cut: _hangs(cut) and looks.QUERY_SIGNS.search(cut.at.token) is not None),
    Reason("query", LIKELY, _search_goes_on),
    Reason("open-bracket", LIKELY, lambda cut: _closes_bracket(cut) and _fills_line(cut)),
    Reason(
        "open-end",
        LIKELY,
        lambda cut: cut.url[-1] in _OPEN_END and not looks.CAPITALIZED.match(cut.at.token) and _fills_line(cut),
    ),
    Reason(
        "rest-alone",
        LIKELY,
        lambda cut: cut.at.alone and (_is_scrap(cut) or _is_overflow(cut)) and _at_column(cut),
    ),
)


def reason_to_go_on(cut: Cut) -> Reason | None:
    """Why a URL at the end of its line goes on in the next; None when it does not, or not by the level asked for."""
    if not cut.at.token:
        return None
    if decisive := next((row for row in DECISIVE if row.holds(cut)), None):
        return decisive
    if looks.OTHER.match(cut.at.token) or any(veto.holds(cut) for veto in VETOES):
        return None
    return next((row for row in REASONS if row.level in (EVIDENT, cut.context.level) and row.holds(cut)), None)


def wrapped_gaps(text: str, start: int, end: int, context: Context) -> tuple[Gap, ...]:
    """The line breaks over which a bare URL goes on, in order; none when it ends where its run of characters does.

    Args:
        text: the whole text.
        start: where the URL begins.
        end: where the run of characters that could be its own ends.
        context: what is known of the text.
    """
    if context.level == NEVER or ENDS_LINE.match(text, end) is None:
        return ()
    line = line_start(text, start)
    margin = margin_at(text, start)
    found: list[Gap] = []
    url, cut_at = text[start:end], None
    while len(found) < MAX_BREAKS and ENDS_LINE.match(text, end):
        at = LineEnd(context.columns, start, end, margin, line)
        reason = reason_to_go_on(Cut(url, at, context, cut_at))
        if reason is None:
            break
        found.append(line_gap(text, end, at.next_line, at.resume, reason.rule))
        if found[-1].soft:
            url = url[:-1]
        end, line, cut_at = reach(text, at.resume), at.next_line, at.length
        url += text[at.resume : end]
    return tuple(found)
