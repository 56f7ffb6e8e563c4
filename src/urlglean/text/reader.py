"""A candidate -> its readings, ranked -> a finding."""

from __future__ import annotations

import re

from msgspec import Struct

from urlglean.records import Certainty, Finding, Problem, Reading, Span
from urlglean.text.ends import TAILS, end_of, reach
from urlglean.text.found import BLANK, Evidence, Found
from urlglean.text.joins import MAX_READINGS, Gap, first_readings, gaps, is_quoted_printable
from urlglean.text.judge import Judge
from urlglean.text.remarks import remark_start
from urlglean.text.scan import MAX_SCHEME
from urlglean.text.wraps import NEVER, Context, wrapped_gaps

_ENDS_LINE = re.compile(r"\r?\n")

_LEADING_SCHEME = re.compile(r"(?<![A-Za-z])[a-z][a-z0-9+.-]*+:\Z")
_MIGHT_FOLLOW = frozenset("|\\`{}^")

UNCLOSED = "unclosed-wrapper"
TOO_MANY = "too-many-readings"


class _Read(Struct, frozen=True):
    """A candidate with its readings, best first as far as the candidate itself can tell."""

    found: Found
    readings: tuple[Reading, ...]
    certainty: Certainty
    notes: tuple[Problem, ...] = ()


class Reader:
    """Reads the candidates of one text.

    Args:
        text: the whole text.
        evidence: what else was found in it.
        judge: the judge of the dialect asked for.
        joins: how far to go in joining, one of `records.LEVELS`.
        flowed: "flowed" or "delsp" where the text is format=flowed (RFC 3676), without or with DelSp; "" elsewhere.
    """

    def __init__(self, text: str, evidence: Evidence, judge: Judge, joins: str, flowed: str) -> None:
        self.text, self.judge = text, judge
        self.context = Context(text, joins, flowed, judge.valid, evidence)

    def finding(self, found: Found, *, rejected: bool) -> Finding | None:
        """The best reading: valid over invalid, then what stands whole elsewhere in the text, then as they came.

        None when it is not valid, unless `rejected` ones are wanted too: their problems cost more than all the rest.
        """
        read = self.bare(found) if found.wrapper in {"bare", "url-prefix"} else self.wrapped(found)
        valid = tuple(reading for reading in read.readings if self.judge.valid(reading.text))
        if len(valid) > 1:
            # A reading of one piece is itself among those that stand whole.
            whole = self.context.evidence.counts
            valid = tuple(sorted(valid, key=lambda reading: whole[reading.text] <= (len(reading.pieces) == 1)))
        if valid or rejected:
            ranked = valid or read.readings[:1]
            return judged(found, ranked, read.certainty, read.notes, self.judge, valid=bool(valid))
        return None

    def bare(self, found: Found) -> _Read:
        """A bare candidate, with the lines over which it goes on."""
        span = found.span
        notes = (_note_unclosed(span),) if found.unclosed else ()
        alone = Reading(found.of(self.text), (span,), ())
        if TAILS.issuperset(found.cut_by):
            over = wrapped_gaps(self.text, span.start, found.run_end, self.context)
            if over and (joined := self.over(found, over)):
                rivals = (alone,) if self.judge.valid(alone.text) else ()
                return _Read(found, (*joined, *rivals), "inferred", notes)
        if (end := self._before_soft_break(span.end)) < span.end:
            return _Read(found, (Reading(alone.text[:-1], (Span(span.start, end),), ()),), "inferred", notes)
        if found.cut_by or notes or _glued(self.text, found):
            return _Read(found, (alone,), "inferred", notes)
        return _Read(found, (alone,), "stated" if found.wrapper == "url-prefix" else "plain")

    def over(self, found: Found, seen: tuple[Gap, ...]) -> list[Reading]:
        """The valid readings of a bare URL that goes on over the gaps."""
        end = self._before_soft_break(reach(self.text, seen[-1].span.end))
        read, _ = first_readings(self.text, Span(found.span.start, end), seen)
        return [reading for reading in map(_trimmed, read) if self.judge.valid(reading.text)]

    def _before_soft_break(self, end: int) -> int:
        """The end of a URL without the "=" of a soft break behind which it does not go on (RFC 2045 6.7)."""
        at_break = self.text[end - 1] == "=" and _ENDS_LINE.match(self.text, end)
        return end - 1 if at_break and is_quoted_printable(self.text, end) else end

    def wrapped(self, found: Found) -> _Read:
        """A candidate in a wrapper, with all that the appendix leaves open."""
        span = found.span
        stated: Certainty = "inferred" if found.cut_by else "stated"
        content = found.of(self.text)
        if not BLANK.search(content):
            return _Read(found, (Reading(content, (span,), ()),), stated)
        seen = tuple(gaps(self.text, span))
        if self.context.level == NEVER:
            return _cut(self.text, found, seen, 0)
        remark = remark_start(self.text, span, seen, found.wrapper)
        if remark is not None and self.judge.valid((cut := _cut(self.text, found, seen, remark)).readings[0].text):
            return cut
        read, more = first_readings(self.text, span, seen)
        if not any(self.judge.valid(reading.text) for reading in read):
            return _cut(self.text, found, seen, 0)
        return _Read(found, tuple(read), stated, (_note_too_many(read[0]),) if more else ())


def _glued(text: str, found: Found) -> bool:
    """Whether something stands right before or behind a bare URL that might as well be its own.

    Before it that is a letter, a digit, or a scheme such as `jdbc:`; a label such as `See:` is none.
    """
    start, after = found.span.start, text[found.span.end : found.span.end + 1]
    before = text[max(0, start - MAX_SCHEME) : start]
    if found.wrapper == "bare" and (before[-1:].isalnum() or (before.endswith(":") and _LEADING_SCHEME.search(before))):
        return True
    return after in _MIGHT_FOLLOW or (after > "\x7f" and not after.isspace())


def _cut(text: str, found: Found, seen: tuple[Gap, ...], at: int) -> _Read:
    """A wrapper read up to a gap only: what follows is a remark, or makes no URL of it."""
    (first, *_), _ = first_readings(text, Span(found.span.start, seen[at].span.start), seen[:at])
    return _Read(found, (_trimmed(first),), "inferred")


def _trimmed(reading: Reading) -> Reading:
    """The reading without the punctuation behind it, as far as its last piece goes."""
    *before, last = reading.pieces
    length = max(end_of(reading.text, 0, "").at, len(reading.text) - (last.end - last.start - 1))
    end = last.end - (len(reading.text) - length)
    return Reading(reading.text[:length], (*before, Span(last.start, end)), reading.joins)


def judged(  # noqa: PLR0913 - all that it is made of
    found: Found,
    ranked: tuple[Reading, ...],
    certainty: Certainty,
    notes: tuple[Problem, ...],
    judge: Judge,
    *,
    valid: bool,
) -> Finding:
    """The finding whose readings are these, best first; `valid` is the judge's yes or no to the first."""
    chosen = ranked[0]
    return Finding(
        chosen.text,
        Span(chosen.pieces[0].start, chosen.pieces[-1].end) if chosen.pieces else found.span,
        found.wrapper,
        chosen.pieces,
        chosen.joins,
        tuple(dict.fromkeys(reading.text for reading in ranked[1:] if reading.text != chosen.text)),
        certainty,
        valid,
        notes if valid else judge(chosen.text).problems + notes,
        judge,
    )


def _note_unclosed(span: Span) -> Problem:
    at = Span(span.end - span.start, span.end - span.start)
    return Problem(UNCLOSED, at, "RFC 1738 appendix", 'the wrapper opens with "<" but nothing closes it; read as bare')


def _note_too_many(reading: Reading) -> Problem:
    at = Span(0, len(reading.text))
    return Problem(TOO_MANY, at, "RFC 1738 appendix", f"hyphens at line ends allow more than {MAX_READINGS} readings")
