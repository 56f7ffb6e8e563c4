"""Line breaks and blanks inside a candidate -> readings: what is taken out between two pieces, and by which rule.

RFC 1738's appendix: all white space in a wrapper is ignored, and a hyphen before a line break "may or may not actually
be part of the URL". Quote prefixes, page breaks and soft breaks are what this comes to in mail, news and RFCs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations, islice

from msgspec import Struct

from urlglean.records import Join, JoinRule, Reading, Span
from urlglean.text.pages import page_break
from urlglean.text.quotation import LINE_BREAK, Margin, margin_at, resume

LEVELS = ("never", "evident", "likely")
"""How far to go in joining: not at all, where the text leaves no doubt, where it is more likely than not."""

MAX_READINGS = 16
"""Readings of one candidate; each hyphen before a line break doubles their number."""


class Gap(Struct, frozen=True):
    """White space between two pieces, with what mail or a printer put into it; `marks`: where a quote prefix stands."""

    span: Span
    before: str
    line_break: bool
    page_break: bool = False
    marks: Span | None = None


class GapRule(Struct, frozen=True):
    """A row: which gaps it names, and whether the character before the gap may have been put in when breaking."""

    rule: JoinRule
    source: str
    holds: Callable[[Gap], bool]
    doubtful: JoinRule | None = None


# The first row that holds names a gap.
GAP_RULES = (
    GapRule(JoinRule.PAGE_BREAK, "guess", lambda gap: gap.page_break),
    GapRule(
        JoinRule.HYPHEN_KEPT,
        "RFC 1738 appendix",
        lambda gap: gap.line_break and gap.before == "-",
        doubtful=JoinRule.HYPHEN_DROPPED,
    ),
    GapRule(
        JoinRule.WHITESPACE,
        "RFC 2045 6.7 (5)",
        lambda gap: gap.line_break and gap.before == "=",
        doubtful=JoinRule.SOFT_BREAK,
    ),
    GapRule(JoinRule.WHITESPACE, "RFC 1738 appendix", lambda _: True),
)

_WHITE = re.compile(r"\s+")
_MARK = re.compile(r"[^\s]")


def gaps(text: str, span: Span) -> Iterator[Gap]:
    """The gaps of a wrapper's content, in order."""
    pos, margin = span.start, None
    while found := _WHITE.search(text, pos, span.end):
        start = found.start()
        before = text[start - 1]
        line = LINE_BREAK.search(text, start, found.end())
        if line is None:
            gap = Gap(Span(start, found.end()), before, line_break=False)
        elif (after_page := page_break(text, start)) is not None:
            gap = Gap(Span(start, after_page), before, line_break=True, page_break=True)
        else:
            margin = margin_at(text, span.start) if margin is None else margin
            gap = _line_gap(text, start, before, line.end(), margin)
        yield gap
        pos = gap.span.end


def _line_gap(text: str, start: int, before: str, line_start: int, margin: Margin) -> Gap:
    end = resume(text, line_start, margin)
    mark = _MARK.search(text, line_start, end)
    return Gap(Span(start, end), before, line_break=True, marks=Span(mark.start(), end) if mark else None)


def readings(text: str, span: Span, found: tuple[Gap, ...]) -> Iterator[Reading]:
    """All readings of a wrapper's content, the appendix's plain one (every hyphen kept) first.

    Each hyphen before a line break doubles them, fewest dropped first. A text is quoted-printable throughout or not at
    all, so the `=` of soft breaks go together.
    """
    rules = [next(row for row in GAP_RULES if row.holds(gap)) for gap in found]
    soft = tuple(n for n, row in enumerate(rules) if row.doubtful is JoinRule.SOFT_BREAK)
    units = [(n,) for n, row in enumerate(rules) if row.doubtful is JoinRule.HYPHEN_DROPPED] + ([soft] if soft else [])
    for count in range(len(units) + 1):
        for chosen in combinations(units, count):
            yield _reading(text, span, found, rules, {n for unit in chosen for n in unit})


def first_readings(text: str, span: Span, found: tuple[Gap, ...]) -> tuple[list[Reading], bool]:
    """The readings up to the bound, and whether there are more."""
    some = list(islice(readings(text, span, found), MAX_READINGS + 1))
    return some[:MAX_READINGS], len(some) > MAX_READINGS


def _reading(text: str, span: Span, found: tuple[Gap, ...], rules: list[GapRule], dropped: set[int]) -> Reading:
    pieces: list[Span] = []
    joins: list[Join] = []
    pos = span.start
    for n, gap in enumerate(found):
        end, rule, doubtful = gap.span.start, rules[n].rule, rules[n].doubtful
        if n in dropped and doubtful is not None:
            end -= 1
            joins.append(Join(Span(end, end + 1), doubtful))
            rule = JoinRule.WHITESPACE
        if end > pos:
            pieces.append(Span(pos, end))
        joins += _joins_of(gap, rule)
        pos = gap.span.end
    if span.end > pos:
        pieces.append(Span(pos, span.end))
    return Reading("".join(text[piece.start : piece.end] for piece in pieces), tuple(pieces), tuple(joins))


def _joins_of(gap: Gap, rule: JoinRule) -> list[Join]:
    if gap.marks is None:
        return [Join(gap.span, rule)]
    return [Join(Span(gap.span.start, gap.marks.start), rule), Join(gap.marks, JoinRule.QUOTE_PREFIX)]
