"""Reads a text that is exactly one URL."""

from __future__ import annotations

import itertools

from urlglean.lazy import pattern
from urlglean.records import Dialect, Join, JoinRule, Reading, Span
from urlglean.text import fast_path
from urlglean.text.candidates import Found
from urlglean.text.confidence import CERTAIN, Kind, confidence_of
from urlglean.text.finding import Finding

_UNBROKEN = pattern(r"[^\t\r\n]+")


def read_whole(text: str, dialect: Dialect = "current", *, strict: bool = False) -> Finding:
    """The finding of a text that is exactly one URL, such as an attribute's value in HTML.

    White space at both ends, and all tabs and line ends, are removed (as in the URL Standard of the WHATWG, 4.1).

    Args:
        text: the attribute's value, with entities decoded.
        dialect: the standard that judges.
        strict: as in `extract`.

    Returns:
        A `Finding`, which may be rejected.

    Raises:
        UnknownNameError: there is no such dialect.
    """
    if dialect in fast_path.DIALECTS and fast_path.is_url(text):
        whole = Span(0, len(text))
        return Finding(
            text, whole, "quoted", (whole,), (), (), "stated", CERTAIN, valid=True, problems=(), dialect=dialect
        )
    from urlglean.text.choosing import NOT_VALID, Choice, judged  # noqa: PLC0415
    from urlglean.text.policy import Policy  # noqa: PLC0415 - see extract

    start = len(text) - len(text.lstrip())
    span = Span(start, start + len(text.strip()))
    pieces = tuple(Span(*piece.span()) for piece in _UNBROKEN.finditer(text, span.start, span.end))
    joins = tuple(Join(Span(one.end, other.start), JoinRule.WHITESPACE) for one, other in itertools.pairwise(pieces))
    reading = Reading("".join(text[piece.start : piece.end] for piece in pieces), pieces, joins)
    found, policy = Found(span, "quoted", span.end), Policy(dialect, strict=strict)
    kind: Kind = (
        "quoted" if policy.valid(reading.text) else "raw" if policy.raw_as_a_whole(reading.text) else "rejected"
    )
    choice = Choice(reading, kind, confidence_of(kind) if kind == "rejected" else CERTAIN)
    problems = policy.problems(reading.text) if kind in NOT_VALID else ()
    return judged(found, (choice,), "stated", problems, dialect)
