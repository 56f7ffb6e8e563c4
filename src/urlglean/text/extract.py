"""Text -> findings: the one composition of scan, ends, joins and judge, and the ranking of readings."""

from __future__ import annotations

import re
from collections import Counter

from msgspec import Struct

from urlglean.errors import UnknownNameError
from urlglean.records import Certainty, Finding, Problem, Reading, Span
from urlglean.text.ends import TAILS, end_of, reach
from urlglean.text.joins import LEVELS, MAX_READINGS, Gap, first_readings, gaps
from urlglean.text.judge import Judge, judge_of
from urlglean.text.layout import Columns
from urlglean.text.remarks import remark_start
from urlglean.text.scan import Found, scan
from urlglean.text.wraps import NEVER, Context, wrapped_gaps

_BLANK = re.compile(r"\s")

UNCLOSED = "unclosed-wrapper"
TOO_MANY = "too-many-readings"


class _Read(Struct, frozen=True):
    """A candidate with its readings, best first as far as the candidate itself can tell."""

    found: Found
    readings: tuple[Reading, ...]
    certainty: Certainty
    notes: tuple[Problem, ...] = ()


def extract(
    text: str | bytes, dialect: str = "current", joins: str = "likely", *, invalid: bool = False, flowed: str = ""
) -> list[Finding]:
    """The URLs that stand in a text, in its order.

    Args:
        text: free text. Bytes are read as UTF-8; octets that are not become lone surrogates (PEP 383), and offsets
            count the code points of that reading.
        dialect: which standard judges: "current", "rfc1738".
        joins: how far to go in joining what line breaks cut: "never", "evident", "likely".
        invalid: whether candidates that were judged and rejected come too, with their problems.
        flowed: "flowed" or "delsp" for the text of a format=flowed part (RFC 3676), without or with DelSp.

    Returns:
        A list of `Finding`; spans are half-open, in code points of `text`, in order and without overlap.

    Raises:
        UnknownNameError: there is no such dialect or level of joins.
        TypeError: `text` is neither str nor bytes.
    """
    if isinstance(text, bytes | bytearray | memoryview):
        text = bytes(text).decode("utf-8", "surrogateescape")
    if not isinstance(text, str):
        raise TypeError(f"text must be str or bytes, not {type(text).__name__}")
    if joins not in LEVELS:
        raise UnknownNameError("joins level", joins, LEVELS)
    judge = judge_of(dialect)
    candidates = list(scan(text))
    # What stands unbroken in the text is evidence for what is broken in it.
    whole = Counter(content for found in candidates if not _BLANK.search(content := found.of(text)))
    reader = _Reader(text, judge, Context(joins, flowed, judge.valid, sorted(whole), Columns(text)))
    read = [reader.read(found) for found in candidates]
    findings = (_finding(one, whole, judge) for one in read)
    return [finding for finding in findings if finding.valid or invalid]


def read_whole(text: str, dialect: str = "current") -> Finding:
    """A text that is one URL as a whole, such as an attribute's value in HTML: white space at its ends is left out.

    Args:
        text: the attribute's value, entities decoded.
        dialect: which standard judges.

    Returns:
        A `Finding`, which may not be valid.
    """
    start = len(text) - len(text.lstrip())
    span = Span(start, start + len(text.strip()))
    judge = judge_of(dialect)
    reading = Reading(text[span.start : span.end], (span,), ())
    return _judged(Found(span, "quoted", "", span.end), (reading,), "stated", (), judge)


class _Reader:
    """Reads the candidates of one text."""

    def __init__(self, text: str, judge: Judge, context: Context) -> None:
        self.text, self.judge, self.context = text, judge, context

    def read(self, found: Found) -> _Read:
        """The candidate with its readings."""
        if found.wrapper in {"bare", "url-prefix"}:
            return self.bare(found)
        return self.wrapped(found)

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
        if found.cut_by or notes:
            return _Read(found, (alone,), "inferred", notes)
        return _Read(found, (alone,), "stated" if found.wrapper == "url-prefix" else "plain")

    def over(self, found: Found, seen: tuple[Gap, ...]) -> list[Reading]:
        """The valid readings of a bare URL that goes on over the gaps."""
        end = reach(self.text, seen[-1].span.end)
        read, _ = first_readings(self.text, Span(found.span.start, end), seen)
        return [reading for reading in map(_trimmed, read) if self.judge.valid(reading.text)]

    def wrapped(self, found: Found) -> _Read:
        """A candidate in a wrapper, with all that the appendix leaves open."""
        span = found.span
        stated: Certainty = "inferred" if found.cut_by else "stated"
        content = found.of(self.text)
        if not _BLANK.search(content):
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


def _finding(read: _Read, whole: Counter[str], judge: Judge) -> Finding:
    """Ranks the readings: valid over invalid, then those that stand whole elsewhere in the text, then as they came."""
    ranked = read.readings
    if len(ranked) > 1:
        valid = [reading for reading in ranked if judge.valid(reading.text)] or list(ranked[:1])
        # A reading of one piece is itself among those that stand whole.
        elsewhere = {reading.text: whole[reading.text] > (len(reading.pieces) == 1) for reading in valid}
        ranked = tuple(sorted(valid, key=lambda reading: not elsewhere[reading.text]))
    return _judged(read.found, ranked, read.certainty, read.notes, judge)


def _judged(
    found: Found, ranked: tuple[Reading, ...], certainty: Certainty, notes: tuple[Problem, ...], judge: Judge
) -> Finding:
    chosen = ranked[0]
    valid = judge.valid(chosen.text)
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
