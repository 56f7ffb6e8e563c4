"""Explains why a bare URL goes on behind a line break or does not: what decided each break that it meets."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from urlglean.records import Dialect, Flowed
from urlglean.text.candidates import Evidence, Found
from urlglean.text.joining.breaks import Surroundings
from urlglean.text.joining.decision import HOPELESS, Step, steps
from urlglean.text.joining.line_geometry import LineGeometry
from urlglean.text.joining.terms import BreakExplanation, Term
from urlglean.text.joining.weights import terms, weights
from urlglean.text.line_ends import without_lone_cr
from urlglean.text.policy import Policy
from urlglean.text.scanner import scan_text
from urlglean.text.search_terms import USUAL, SearchTerms


def weighed(
    text: str,
    starts: Collection[int],
    dialect: Dialect = "current",
    flowed: Flowed = "",
    search_terms: SearchTerms = USUAL,
) -> dict[int, tuple[BreakExplanation, ...]]:
    """What decided the breaks that bare URLs meet: by the start of each URL, its breaks in order.

    Args:
        text: the whole text.
        starts: where the URLs begin, in code points. A URL that reaches no line end has no entry in the result.
        dialect: the dialect that judges.
        flowed: as for `urlglean.extract`.
        search_terms: the schemes and hosts that the scan looks for.
    """
    text = without_lone_cr(text)
    found = list(scan_text(text, fast=False, search_terms=search_terms))
    around = Surroundings(text, LineGeometry(text), Evidence(text, found), Policy(dialect).joins, flowed)
    bare = (each for each in found if isinstance(each, Found) and each.run_end and each.span.start in starts)
    ways = {
        each.span.start: steps(around, each.begin, each.run_end, whole=True, assumed=each.lead(text))
        for each in bare
        if not around.effort.is_over(each.span.start)
    }
    return {start: tuple(map(_explained, _hopeful(way))) for start, way in ways.items() if way}


def _hopeful(way: list[Step]) -> Iterator[Step]:
    """The steps up to the first hopeless one, which is included."""
    for step in way:
        yield step
        if step.log_odds < HOPELESS:
            return


def _explained(step: Step) -> BreakExplanation:
    if step.decided:
        return BreakExplanation(step.end, step.log_odds, (), f"{step.decided.name}, {step.decided.source}")
    constant = Term("constant", weights().constant)
    strongest = sorted([constant, *terms(step.at)], key=lambda term: -abs(term.log_odds))
    return BreakExplanation(step.end, step.log_odds, tuple(strongest))
