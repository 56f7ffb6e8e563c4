"""Decides over which line breaks a bare URL goes on.

A URL that reaches the end of its line may end there, go on over one break, over two, and so on. Each of these is a
path. The log-odds of a path are the sum over its breaks, so that one unlikely break (behind a scrap of a line, say)
does not end a URL that surely goes on behind it. The probabilities of all paths add up to 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from urlglean.expressions import compiled
from urlglean.records import JoinRule
from urlglean.text.effort import LONGEST, SIGN, STEP
from urlglean.text.gaps import Gap, line_gap
from urlglean.text.joining.break_record import CLOSING, Break
from urlglean.text.joining.breaks import Surroundings, break_at, context_of
from urlglean.text.joining.columns import columns
from urlglean.text.joining.decided import decided
from urlglean.text.joining.divided_names import divided_name
from urlglean.text.joining.places import NextLine, Place, next_line, place_of
from urlglean.text.joining.standards import Decided
from urlglean.text.joining.weights import scale
from urlglean.text.tail_rules import TAILS
from urlglean.text.url_characters import OF_A_RUN, reach
from urlglean.text.url_end import end_of, signs_in

CLOSES = CLOSING + "]\"'"
"""A token made only of these signs closes a bracket or a sentence around the URL."""

MAX_BREAKS = 32
"""The most line breaks in one bare URL."""

HOPELESS = -3.0
"""The search for paths ends at a break with smaller log-odds than this (1 to 20)."""

IDLE = 0.1
"""A path with a smaller probability is no rival of the path that is taken."""

UNLIKELY = 0.01
"""A path with a smaller probability is left out, unless it is the one that ends in the first line."""

NO_ZERO = 1e-6
"""The least probability of a path. Where a standard decides against the first line, that path keeps this much."""

RIVAL = math.log(IDLE / (1 - IDLE))
"""The log-odds that belong to `IDLE`: below them the exact sum makes no difference."""

# A line that long would be read to its end once for each way to read the URL.
_TOO_LONG = compiled(rf"\S{{{LONGEST}}}")

LEAST: Mapping[str, float] = {"never": math.inf, "evident": 0.98, "likely": 0.5}
"""By level of joins (`records.LEVELS`): how likely it must be that the URL goes on behind a break."""


class Path(Struct, frozen=True):
    """One way to read a URL: over which line breaks it goes on.

    Attributes:
        gaps: the line breaks that it goes on over; empty if it ends in its first line.
        probability: that it goes on over exactly these.
        goes_on: the probability that it goes on over all of these, and perhaps over more.
    """

    gaps: tuple[Gap, ...]
    probability: float
    goes_on: float


class Step(Struct, frozen=True):
    """A break on the way of a URL.

    Attributes:
        at: its record.
        end: where the line of the URL ends.
        line: the line behind it.
        decided: the row that decided it; None if the evidence did.
        log_odds: that the URL goes on, from the evidence or from a guess of a row; 0 if nothing is doubtful.
    """

    at: Break
    end: int
    line: NextLine
    decided: Decided | None
    log_odds: float

    def gap(self, text: str) -> Gap:
        """The gap to take out of the text if the URL goes on."""
        rule = self.decided.rule if self.decided and self.decided.rule else JoinRule.HARD_WRAP
        return line_gap(text, self.end, self.line.start, self.line.resume, rule)


def paths(around: Surroundings, start: int, end: int, assumed: str = "") -> list[Path]:
    """The paths of the bare URL that reaches from `start` to `end` in its first line, the likeliest first.

    A path is left out if its probability is below `IDLE` and below that of ending in the first line. The list is empty
    if the URL meets no break that can be decided.
    """
    way = steps(around, start, end, assumed=assumed)
    if not way:
        return []
    # Nearly always the first break is hopeless. What follows would give the same: no other path is as likely as `IDLE`.
    if way[0].log_odds < HOPELESS:
        ends = 1.0 if _adds_nothing(way[0].at) else 1 / (1 + math.exp(way[0].log_odds))
        return [Path((), ends, 1.0)]
    # The log-odds of each path against the one that ends in the first line. A path cannot end where a standard joins.
    odds = [0.0]
    for step in way:
        odds.append(odds[-1] + step.log_odds)
        if step.decided and not step.log_odds:
            odds[-2] = -math.inf
    most = max(odds)
    shares = [math.exp(each - most) for each in odds]
    for count in range(len(way), 0, -1):
        if _adds_nothing(way[count - 1].at):  # ending behind this token and ending before it is the same
            shares[count - 1] += shares[count]
            shares[count] = 0.0
    whole = math.fsum(shares)
    least = min(IDLE, max(shares[0] / whole, UNLIKELY))
    found = [
        Path(
            tuple(step.gap(around.text) for step in way[:count]),
            max(share / whole, NO_ZERO),
            math.fsum(shares[count:]) / whole,
        )
        for count, share in enumerate(shares)
        if not count or share >= least * whole
    ]
    return sorted(found, key=lambda path: -path.probability)


def _adds_nothing(at: Break) -> bool:
    """Whether the token only closes a bracket or sentence around the URL, not a bracket that the URL opened."""
    return not at.token.strip(CLOSES) and (")" not in at.token or at.url.count("(") <= at.url.count(")"))


def steps(around: Surroundings, start: int, end: int, *, whole: bool = False, assumed: str = "") -> list[Step]:
    """The breaks that a URL meets, in order, until a standard ends the URL or the log-odds fall below `HOPELESS`.

    With `whole`, the list goes on behind hopeless breaks and every break has its context; fitting and explaining need
    that. `assumed` is a scheme that is put before the URL (`Found.assumed`).
    """
    text, place = around.text, place_of(around.text, start, end, assumed)
    way: list[Step] = []
    signs = signs_in(place.url, 0, len(place.url))
    while len(way) < MAX_BREAKS and len(place.url) <= LONGEST and (line := next_line(text, place)) is not None:
        around.effort.spend(STEP + SIGN * signs, len(place.url))
        if _TOO_LONG.match(text, line.resume) or (way and not whole and around.effort.is_over(start, len(place.url))):
            break
        # Most tokens begin with a sign of a run, so where it ends need not be known yet.
        if text[line.resume] not in OF_A_RUN and reach(text, line.resume) == line.resume:
            break
        at = break_at(around, place, line)
        by = decided(at)
        if by and by.rule is None:
            break
        if whole:
            at = replace(at, context=context_of(around, place, at))
        odds = 0.0
        if by is None:
            odds = scale().log_odds(at, RIVAL, partial(context_of, around, place))
            if (name := divided_name(at)) and name.log_odds > odds:
                by, odds = name, name.log_odds
        way.append(Step(at, place.end, line, by, odds))
        if odds < HOPELESS and not whole:
            break
        url = place.url[:-1] if by and by.rule is JoinRule.SOFT_BREAK else place.url
        cuts = (*place.cuts, columns(text[place.line : place.end]))
        piece_end = reach(text, line.resume)
        url += text[line.resume : piece_end]
        signs += signs_in(text, line.resume, piece_end)
        if not TAILS.issuperset(end_of(url, 0).cut_by):
            break  # the URL ends within that piece
        place = Place(url, line.resume, piece_end, line.start, place.margin, cuts)
    return way
