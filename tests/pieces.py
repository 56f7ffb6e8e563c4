"""A finding put together again from the text that it was found in."""

from __future__ import annotations

from urlglean.records import STANDS_FOR, Finding, JoinRule, Span


def _parts(finding: Finding) -> list[tuple[Span, JoinRule | None]]:
    """Its pieces and joins in the order of the text; a piece has no rule."""
    parts = [*((piece, None) for piece in finding.pieces), *((join.at, join.rule) for join in finding.joins)]
    return sorted(parts, key=lambda part: part[0].start)


def rebuilt(text: str, finding: Finding) -> str:
    """The pieces, and between them what the URL has in the place of what was taken out."""
    return "".join(
        text[span.start : span.end] if rule is None else STANDS_FOR.get(rule, "") for span, rule in _parts(finding)
    )


def is_tiled(finding: Finding) -> bool:
    """Whether pieces and joins cover the span without a gap."""
    spans = [span for span, _ in _parts(finding)]
    bounds = [at for span in spans for at in (span.start, span.end)]
    return bounds[1:-1:2] == bounds[2:-1:2] and bounds[:1] + bounds[-1:] in ([], [finding.span.start, finding.span.end])
