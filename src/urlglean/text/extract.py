"""Text -> findings: the one composition of scan, readings and judge."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING, get_args

from urlglean.errors import UnknownNameError
from urlglean.lazy import pattern
from urlglean.records import LEVELS, Finding, Flowed, Join, JoinRule, Judge, Reading, Span
from urlglean.text import plain
from urlglean.text.confidence import CERTAIN, Kind, confidence_of
from urlglean.text.found import Evidence, Found
from urlglean.text.judge import judge_of
from urlglean.text.scan import scan
from urlglean.text.sought import USUAL, sought

if TYPE_CHECKING:
    from urlglean.text.reader import Reader

_FLOWED = get_args(Flowed)
_UNBROKEN = pattern(r"[^\t\r\n]+")


def extract(  # noqa: PLR0913 - each is asked for by itself, and others call it
    text: str | bytes,
    dialect: str = "current",
    joins: str = "likely",
    *,
    invalid: bool = False,
    strict: bool = False,
    flowed: str = "",
    schemes: Iterable[str] = (),
    bare_hosts: bool = False,
) -> list[Finding]:
    """The URLs that stand in a text, in its order.

    Args:
        text: free text. Bytes are read as UTF-8; octets that are not become lone surrogates (PEP 383), and offsets
            count the code points of that reading.
        dialect: which standard judges: "current", "rfc1738", "early", "web".
        joins: how far to go in joining what line breaks cut: "never", "evident", "likely".
        invalid: whether candidates that were judged and rejected come too, with their problems.
        strict: whether what the dialect refuses, though browsers take it and a reader would copy it, is rejected too.
        flowed: "flowed" or "delsp" for the text of a format=flowed part (RFC 3676), without or with DelSp.
        schemes: names of schemes whose bare URLs are looked for too, with "//" and without: "magnet", "doi".
        bare_hosts: whether `www.host/...` and `ftp.host/...` without a scheme are looked for too. Their `url` begins
            with the scheme that a reader would put there, "http" or "ftp"; span and pieces are of what stands there.

    Returns:
        A list of `Finding`; spans are half-open, in code points of `text`, in order and without overlap.

    Raises:
        UnknownNameError: there is no such dialect, level of joins or kind of flowed text.
        SchemeNameError: one of `schemes` can be no scheme's name (RFC 3986 3.1).
        TypeError: `text` is neither str nor bytes, or `schemes` is one str.
    """
    if isinstance(text, bytes | bytearray | memoryview):
        text = bytes(text).decode("utf-8", "surrogateescape")
    if not isinstance(text, str):
        raise TypeError(f"text must be str or bytes, not {type(text).__name__}")
    if joins not in LEVELS:
        raise UnknownNameError("joins level", joins, LEVELS)
    if flowed not in _FLOWED:
        raise UnknownNameError("kind of flowed text", flowed, _FLOWED)
    judge = judge_of(dialect)
    asked = sought(schemes, bare_hosts=bare_hosts) if schemes or bare_hosts else USUAL
    found = list(scan(text, fast=plain.takes(dialect, flowed), sought=asked))
    evidence = Evidence(text, found)
    findings: list[Finding] = []
    reader: Reader | None = None
    done = 0
    for at in found:
        # A URL that goes on over a line break may hold another, as in `?to=http://...`.
        if (at if isinstance(at, Span) else at.span).start < done:
            continue
        finding = _plainly_read(text, at, judge)
        if finding is None and isinstance(at, Found):
            if reader is None:
                # Its tables of patterns take 10 ms to compile, and many texts need none of them.
                from urlglean.text.policy import Policy  # noqa: PLC0415
                from urlglean.text.reader import Reader  # noqa: PLC0415

                reader = Reader(text, evidence, Policy(dialect, strict=strict), joins, flowed)
            finding = reader.finding(at, rejected=invalid)
        if finding is not None:
            findings.append(finding)
            done = finding.span.end
    return findings


def _plainly_read(text: str, at: Found | Span, judge: Judge) -> Finding | None:
    """The finding of what took the fast path (see `plain`): it has one reading, a valid one; None for all else."""
    if isinstance(at, Span):
        url = text[at.start : at.end]
        sure = confidence_of("bare")
        return Finding(url, at, "bare", (at,), (), (), "plain", sure, valid=True, problems=(), judge=judge)
    url, span = at.of(text), at.span
    if not at.certainty:
        return None
    sure = confidence_of(at.kind)
    return Finding(url, span, at.wrapper, (span,), (), (), at.certainty, sure, valid=True, problems=(), judge=judge)


def read_whole(text: str, dialect: str = "current", *, strict: bool = False) -> Finding:
    """A text that is one URL as a whole, such as an attribute's value in HTML.

    White space at its ends is left out, tabs and line ends anywhere (as the URL standard of the WHATWG does, 4.1).

    Args:
        text: the attribute's value, entities decoded.
        dialect: which standard judges.
        strict: as in `extract`.

    Returns:
        A `Finding`, which may be rejected.

    Raises:
        UnknownNameError: there is no such dialect.
    """
    if dialect in plain.DIALECTS and plain.is_url(text):
        whole = Span(0, len(text))
        judge = judge_of(dialect)
        return Finding(text, whole, "quoted", (whole,), (), (), "stated", CERTAIN, valid=True, problems=(), judge=judge)
    from urlglean.text.choosing import Choice, judged  # noqa: PLC0415
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
    return judged(found, (choice,), "stated", (), policy)
