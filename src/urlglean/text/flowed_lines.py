"""Puts the lines of format=flowed with DelSp together, as they were before a program broke them (RFC 3676 4).

The blank that ends a soft line, its line end, and the quote marks and the stuffing of the next line are no text. A URL
is read without them, as in one line, and then gets its place among the lines.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from urlglean.lazy import pattern
from urlglean.records import Join, JoinRule, Mend, Span
from urlglean.text.confidence import confidence_of
from urlglean.text.finding import Finding, moved
from urlglean.text.scheme_triggers import FIRST_LABEL, OPAQUE, URL_AHEAD
from urlglean.text.soft_lines import SOFT_END, SoftBreak, soft_break

# A word of prose, not the end of a URL.
_WORD = pattern(r"(?:\A|[\s(\[<\"'*_>])[^\W\d_]{2,40}+[.,;:!?)]{0,3}+\Z")
_LONGEST_WORD = 50
_BEGINS_URL = pattern(rf"{URL_AHEAD}|{OPAQUE}|{FIRST_LABEL}\.[a-z0-9]", re.IGNORECASE)


class Unfolded(Struct, frozen=True):
    """A text without its soft line ends.

    Attributes:
        text: what is left.
        breaks: the soft line ends that were taken out, in order.
        places: where each of them was, in what is left.
        removed: how many code points were taken out with the breaks before each of them, and with all.
    """

    text: str
    breaks: tuple[SoftBreak, ...]
    places: tuple[int, ...]
    removed: tuple[int, ...]

    def begin(self, place: int) -> int:
        """The place in the text of what begins at a place of what is left."""
        return place + self.removed[bisect_right(self.places, place)]

    def end(self, place: int) -> int:
        """The same of what ends there."""
        return place + self.removed[bisect_left(self.places, place)]

    def span(self, span: Span) -> Span:
        """The same of a stretch that is not empty."""
        return Span(self.begin(span.start), self.end(span.end))

    def within(self, span: Span) -> range:
        """The numbers of the breaks that were within a stretch of what is left."""
        return range(bisect_right(self.places, span.start), bisect_left(self.places, span.end))


def unfolded(text: str) -> Unfolded:
    """A text without its soft line ends.

    A guess: the one blank between a word and a URL is the writer's, if a program announces DelSp and adds none.
    """
    breaks: list[SoftBreak] = []
    for found in SOFT_END.finditer(text):
        soft = soft_break(text, found.start())
        if soft and not _is_between_words(text, breaks[-1].end if breaks else 0, soft):
            breaks.append(soft)
    removed = tuple(accumulate((each.end - each.start for each in breaks), initial=0))
    places = tuple(each.start - before for each, before in zip(breaks, removed, strict=False))
    ends = (0, *(each.end for each in breaks))
    starts = (*(each.start for each in breaks), len(text))
    kept = "".join(text[begin:end] for begin, end in zip(ends, starts, strict=True))
    return Unfolded(kept, tuple(breaks), places, removed)


def _is_between_words(text: str, begin: int, soft: SoftBreak) -> bool:
    """Whether a URL begins the line behind a soft line end, and a word stands before that.

    What stands at `begin`, behind the last soft line end, may be the rest of a URL.
    """
    if _BEGINS_URL.match(text, soft.end) is None:
        return False
    return _WORD.search(text, max(begin, soft.start - _LONGEST_WORD), soft.start) is not None


def folded(finding: Finding, lines: Unfolded) -> Finding:
    """A finding of what is left, with its place in the text.

    If it goes on over soft line ends, it is no surer than other URLs that do, and what was between its lines are joins.
    """
    inside = lines.within(finding.span)
    if not inside:
        return moved(finding, lines.begin(finding.span.start) - finding.span.start)
    joins = [Join(lines.span(join.at), join.rule) for join in finding.joins]
    mends = tuple(Mend(lines.span(mend.at), mend.rule) for mend in finding.mends)
    places = (*(join.at for join in finding.joins), *(mend.at for mend in finding.mends))
    taken = {number for place in places for number in lines.within(place)}
    joins += [join for number in inside if number not in taken for join in _joins_of(lines.breaks[number])]
    kind = "bare-joined" if finding.wrapper in {"bare", "url-prefix"} else "wrapper-joined"
    return replace(
        finding,
        span=lines.span(finding.span),
        pieces=tuple(piece for whole in finding.pieces for piece in _pieces_of(whole, lines)),
        joins=tuple(sorted(joins, key=lambda join: join.at.start)),
        mends=mends,
        certainty="inferred" if finding.certainty == "plain" else finding.certainty,
        confidence=min(finding.confidence, confidence_of(kind)),
    )


def _joins_of(soft: SoftBreak) -> Iterator[Join]:
    """What is between two lines of a URL: the line end, and the quote marks of the next line."""
    yield Join(Span(soft.start, soft.line if soft.is_quoted else soft.end), JoinRule.FLOWED)
    if soft.is_quoted:
        yield Join(Span(soft.line, soft.end), JoinRule.QUOTE_PREFIX)


def _pieces_of(whole: Span, lines: Unfolded) -> Iterator[Span]:
    """The pieces of a stretch of what is left, in the lines of the text."""
    ends = [lines.places[number] for number in lines.within(whole)]
    for begin, end in zip((whole.start, *ends), (*ends, whole.end), strict=True):
        yield lines.span(Span(begin, end))
