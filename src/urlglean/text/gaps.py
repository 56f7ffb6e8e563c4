"""Line breaks and blanks inside a candidate, and the readings that result if they are removed by the rules.

RFC 1738's appendix: all white space in a wrapper is ignored, and a hyphen before a line break "may or may not actually
be part of the URL". In mail, news and RFCs, the white space contains quote prefixes, page breaks and soft breaks too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations, islice

from msgspec import Struct
from msgspec.structs import replace

from urlglean.lazy import pattern
from urlglean.records import Join, JoinRule, Reading, Span
from urlglean.text.effort import LONGEST
from urlglean.text.page_breaks import page_break
from urlglean.text.quote_prefix import BREAK, LINE_BREAK, behind_prefix, margin_at, resume

MAX_READINGS = 16
"""The most readings of one candidate; each hyphen before a line break doubles their number."""


class Gap(Struct, frozen=True):
    """White space between two pieces, including a quote prefix or page break inside it.

    Attributes:
        span: its place in the text.
        before: the character in front of it.
        line_break: whether it contains a line break.
        page_break: whether it contains a page break.
        strings: whether it divides two strings of source code, whose quotation marks belong to it.
        soft: whether `before` belongs to the break: it is the "=" of a soft break of quoted-printable text that was
            never decoded, or a hyphen that a formatter has put into a scheme.
        own: whether `before` belongs to the URL: it is the "=" behind the name of a value in a search.
        marks: the place of a quote prefix inside it; None if it has none.
        wrap: the rule by which a bare URL goes on behind the gap; None inside a wrapper.
    """

    span: Span
    before: str
    line_break: bool
    page_break: bool = False
    strings: bool = False
    soft: bool = False
    own: bool = False
    marks: Span | None = None
    wrap: JoinRule | None = None


class GapRule(Struct, frozen=True):
    """A row: a rule by which gaps are removed.

    Attributes:
        rule: its name.
        source: the document and section; "guess" if there is none.
        holds: whether the rule applies to a gap.
        doubtful: the rule by which the character before the gap is removed too, if the program that broke the line may
            have inserted it; None if that cannot be.
    """

    rule: JoinRule
    source: str
    holds: Callable[[Gap], bool]
    doubtful: JoinRule | None = None


# The first row that applies to a gap is used.
GAP_RULES = (
    GapRule(JoinRule.PAGE_BREAK, "guess", lambda gap: gap.page_break),
    GapRule(JoinRule.STRINGS, "guess", lambda gap: gap.strings),
    GapRule(JoinRule.SOFT_BREAK, "RFC 2045 6.7 (5)", lambda gap: gap.soft),
    GapRule(
        JoinRule.HYPHEN_KEPT,
        "RFC 1738 appendix",
        lambda gap: gap.line_break and gap.before == "-" and gap.wrap is not JoinRule.FLOWED,
        doubtful=JoinRule.HYPHEN_DROPPED,
    ),
    GapRule(
        JoinRule.WHITESPACE,
        "RFC 2045 6.7 (5)",
        lambda gap: gap.line_break and gap.before == "=" and gap.wrap is None and not gap.own,
        doubtful=JoinRule.SOFT_BREAK,
    ),
    GapRule(JoinRule.FLOWED, "RFC 3676 4.2", lambda gap: gap.wrap is JoinRule.FLOWED),
    GapRule(JoinRule.HARD_WRAP, "guess", lambda gap: gap.wrap is JoinRule.HARD_WRAP),
    GapRule(JoinRule.WHITESPACE, "RFC 1738 appendix", lambda _: True),
)

_LONGEST_LINE = 300
_STRING = "'"
"""The mark around strings of source code. A compiler joins those that only white space divides."""

CONTINUES = "\\"
"""The sign before a line end behind which a string in double quotation marks goes on."""

_WHITE = pattern(r"\s+")
_MARK = pattern(r"[^\s]")
# The escapes of quoted-printable for "=", for blanks at line ends and for letters outside ASCII.
# In a search at a line end, `page=20` is a value.
_ESCAPE = pattern(
    rf"(?P<value>[?&;][\w.-]{{1,40}}+=(?:20|09)(?={BREAK}|\Z))"
    rf"|=(?:3D|(?:20|09)(?={BREAK}|\Z)|A0|[C-F][0-9A-F]=[89AB][0-9A-F])"
)
# Headers that somebody has forwarded hold encoded words (RFC 2047 4.2), whatever the text around is.
_ENCODED_WORD = pattern(r"=\?[\w-]{1,40}\?[Qq]\?[^?\s]{0,75}\?=")
RAW_SIGN = pattern(r"=(?![0-9A-Fa-f]{2}|\Z)")
"""The pattern of an "=" that quoted-printable would have written as "=3D"; not of the last character."""
_OWN_SIGN = pattern(rf"=(?![0-9A-Fa-f]{{2}}|[ \t]*{BREAK}|\Z)")
# A soft break stands behind no "=", as the end of a ruler does.
_GOES_ON = pattern(rf"(?<!=)=(?={BREAK}|\Z)")
LONGEST_NAME = 40
"""The most code points of a name in a search that is told before its "="."""

_NAME_OF_VALUE = pattern(rf"[?&;][\w.-]{{1,{LONGEST_NAME}}}\Z")
LONGEST_ENCODED_LINE = 76
"""The greatest length of a line of quoted-printable in code points, including the "=" of a soft break.

The source is RFC 2045 6.7 (5).
"""

_FULL_LINE = range(LONGEST_ENCODED_LINE - 6, LONGEST_ENCODED_LINE + 1)
"""The lengths of lines that an encoder of quoted-printable broke because they were full."""

NEAR = 3000
"""The length in code points of a stretch of text. A stretch and its two neighbours show if it is quoted-printable."""


def gaps(text: str, span: Span) -> Iterator[Gap]:
    """The gaps of a wrapper's content, in order."""
    pos, margin, may_be_soft = span.start, None, None
    while found := _WHITE.search(text, pos, span.end):
        start = found.start()
        before = text[start - 1]
        line = LINE_BREAK.search(text, start, found.end())
        if line is None:
            gap = Gap(Span(start, found.end()), before, line_break=False)
        elif (after_page := page_break(text, start)) is not None:
            gap = Gap(Span(start, after_page), before, line_break=True, page_break=True)
        else:
            margin = margin_at(text, span.start, wrapped=True, below=line.end()) if margin is None else margin
            gap = line_gap(text, start, line.end(), resume(text, line.end(), margin, wrapped=True))
            if pos < start - 1 and _divides_strings(text, gap.span) and _is_in_string(text, span.start):
                gap = Gap(Span(start - 1, gap.span.end + 1), text[start - 2], line_break=True, strings=True)
            elif before == CONTINUES and pos < start - 1 and _is_continued(text, span.start):
                gap = Gap(Span(start - 1, gap.span.end), text[start - 2], line_break=True, strings=True)
            elif before == "=":
                # Quoted-printable would have encoded any other "=" of the URL.
                may_be_soft = not _OWN_SIGN.search(text, span.start, span.end) if may_be_soft is None else may_be_soft
                soft = may_be_soft and is_quoted_printable(text, start)
                gap = replace(gap, soft=soft, own=not soft and ends_name_of_value(text, start - 1))
        yield gap
        pos = gap.span.end


def _is_continued(text: str, start: int) -> bool:
    """Whether the string that begins before `start` is one that a backslash before a line end continues."""
    return text[start - 1 : start] == '"'


def _is_in_string(text: str, start: int) -> bool:
    """Whether a string of source code may begin in the line before `start`."""
    return _STRING in text[max(0, start - _LONGEST_LINE) : start].rpartition("\n")[2]


def _divides_strings(text: str, white: Span) -> bool:
    return text[white.start - 1] == _STRING == text[white.end : white.end + 1]


def line_gap(text: str, start: int, line_start: int, end: int, wrap: JoinRule | None = None) -> Gap:
    """The gap from `start`, over a line break, to `end` in the line that begins at `line_start`.

    `wrap` is the rule by which a bare URL goes on behind it; None inside a wrapper.
    """
    mark = _MARK.search(text, line_start, end)
    marks = Span(mark.start(), end) if mark else None
    soft = wrap is JoinRule.SOFT_BREAK
    return Gap(Span(start, end), text[start - 1], line_break=True, soft=soft, marks=marks, wrap=wrap)


def is_quoted_printable(text: str, at: int) -> bool:
    """Whether the text around `at` looks like quoted-printable that was never decoded (RFC 2045 6.7).

    The stretch of `NEAR` code points that contains `at` and its two neighbours are examined, as in `LineGeometry`.
    """
    stretch = at // NEAR
    return has_quoted_printable(text[max(0, stretch - 1) * NEAR : (stretch + 2) * NEAR])


# A wrapper may have very many gaps, and all gaps in one stretch need the same answer.
@lru_cache(maxsize=4)
def has_quoted_printable(near: str) -> bool:
    """Whether a stretch of text looks like quoted-printable: it has escapes, or full lines that end in a soft break."""
    near = _ENCODED_WORD.sub("", near)
    if any(not found["value"] for found in _ESCAPE.finditer(near)):
        return True
    # Where text is wrapped, the "=" of a search may end a line too.
    signs = [sign.end() for sign in _GOES_ON.finditer(near) if not ends_name_of_value(near, sign.start())]
    lengths = [_own_length(near, end) for end in signs]
    return len(lengths) > 1 and any(length in _FULL_LINE for length in lengths)


def ends_name_of_value(text: str, at: int) -> bool:
    """Whether the name of a value of a search ends at `at`, before its "="."""
    return _NAME_OF_VALUE.search(text, max(0, at - LONGEST_NAME - 1), at) is not None


def _own_length(text: str, end: int) -> int:
    """The length of the line that ends at `end`, without its quote prefix."""
    line = text[text.rfind("\n", 0, end) + 1 : end]
    return len(line) - behind_prefix(line)


def readings(text: str, span: Span, found: tuple[Gap, ...], assumed: str = "") -> Iterator[Reading]:
    """All readings of a wrapper's content. The first is the one of RFC 1738's appendix that keeps every hyphen.

    Each hyphen before a line break doubles their number; readings that drop fewer hyphens come first. A text is
    quoted-printable either everywhere or nowhere, so the `=` of all doubtful soft breaks are dropped together.
    `assumed` is a scheme that is put before each reading.
    """
    rules = [next(row for row in GAP_RULES if row.holds(gap)) for gap in found]
    soft = tuple(n for n, row in enumerate(rules) if row.doubtful is JoinRule.SOFT_BREAK)
    units = [(n,) for n, row in enumerate(rules) if row.doubtful is JoinRule.HYPHEN_DROPPED] + ([soft] if soft else [])
    for count in range(len(units) + 1):
        for chosen in combinations(units, count):
            pieces, joins = _taken_apart(span, found, rules, {n for unit in chosen for n in unit})
            yield Reading(assumed + "".join(text[piece.start : piece.end] for piece in pieces), pieces, joins)


def first_readings(text: str, span: Span, found: tuple[Gap, ...], assumed: str = "") -> tuple[list[Reading], bool]:
    """The first `MAX_READINGS` readings, only the first of a long candidate, and whether there are more."""
    most = MAX_READINGS if span.end - span.start <= LONGEST else 1
    some = list(islice(readings(text, span, found, assumed), most + 1))
    return some[:most], len(some) > most


def _taken_apart(
    span: Span, found: tuple[Gap, ...], rules: list[GapRule], dropped: set[int]
) -> tuple[tuple[Span, ...], tuple[Join, ...]]:
    """The pieces of a reading, and the stretches that were removed between them; nothing behind the last is."""
    pieces: list[Span] = []
    joins: list[Join] = []
    pos = span.start
    for n, gap in enumerate(found):
        end, rule = gap.span.start, rules[n].rule
        sign = JoinRule.SOFT_BREAK if gap.before == "=" else JoinRule.HYPHEN_DROPPED
        taken = sign if gap.soft else rules[n].doubtful if n in dropped else None
        if taken is not None:
            end -= 1
            joins.append(Join(Span(end, end + 1), taken))
            rule = JoinRule.WHITESPACE
        if end > pos:
            pieces.append(Span(pos, end))
        joins += _joins_of(gap, rule)
        pos = gap.span.end
    if span.end > pos:
        pieces.append(Span(pos, span.end))
    first, last = (pieces[0].end, pieces[-1].start) if pieces else (span.end, span.start)
    return tuple(pieces), tuple(join for join in joins if first <= join.at.start and join.at.end <= last)


def _joins_of(gap: Gap, rule: JoinRule) -> list[Join]:
    if gap.marks is None:
        return [Join(gap.span, rule)]
    return [Join(Span(gap.span.start, gap.marks.start), rule), Join(gap.marks, JoinRule.QUOTE_PREFIX)]
