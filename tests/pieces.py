"""Puts a finding together again from the text in which it was found."""

from __future__ import annotations

from urlglean.records import STANDS_FOR, Span
from urlglean.text.finding import Finding


def _parts(text: str, finding: Finding) -> list[tuple[Span, str]]:
    """Its pieces, joins and mends in the order of the text, each with what the URL has in its place."""
    parts = [(piece, text[piece.start : piece.end]) for piece in finding.pieces]
    parts += [(join.at, "") for join in finding.joins]
    parts += [(mend.at, STANDS_FOR[mend.rule]) for mend in finding.mends]
    return sorted(parts, key=lambda part: part[0].start)


def rebuilt(text: str, finding: Finding) -> str:
    """The pieces, with what the URL has in the place of joins and mends between them."""
    return "".join(held for _, held in _parts(text, finding))


def is_tiled(finding: Finding) -> bool:
    """Whether pieces, joins and mends cover the span without a gap."""
    spans = [span for span, _ in _parts("", finding)]
    bounds = [at for span in spans for at in (span.start, span.end)]
    return bounds[1:-1:2] == bounds[2:-1:2] and bounds[:1] + bounds[-1:] in ([], [finding.span.start, finding.span.end])
