"""Over which line breaks a bare URL goes on: the paths that it may have taken, the likeliest first.

A URL that reaches the end of its line may end there, or go on over one break, or over two, and so on. The log-odds of
each of these paths are the sum over its breaks, so that a scrap of a line between two full ones does not end the URL.
The probabilities of all paths add up to 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

from msgspec import Struct

from urlglean.records import JoinRule
from urlglean.text.ends import TAILS, end_of
from urlglean.text.joining.breaks import (
    CLOSING,
    Break,
    NextLine,
    Place,
    Surroundings,
    break_at,
    next_line,
    place_of,
    told_of,
)
from urlglean.text.joining.standards import Decided, decided
from urlglean.text.joining.weights import scale
from urlglean.text.joins import Gap, line_gap
from urlglean.text.runs import reach

CLOSES = CLOSING + "]\"'"
"""A token of these alone closes what stands around a URL."""

MAX_BREAKS = 32
"""Line breaks in one bare URL; a text that seems to go on longer is no URL any more."""

HOPELESS = -3.0
"""No path goes on behind a break of smaller log-odds (1 to 20)."""

IDLE = 0.1
"""A path that is less likely is no rival of the one that is taken."""

UNLIKELY = 0.01
"""No path of a smaller probability is looked at, but the one that ends in the first line."""

NO_ZERO = 1e-6
"""What no standard leaves to the first line has this probability all the same: somebody may have written it so."""

RIVAL = math.log(IDLE / (1 - IDLE))
"""The log-odds of a break behind which a path is no longer idle: below it nothing more need be known of one."""

LEAST: Mapping[str, float] = {"never": math.inf, "evident": 0.98, "likely": 0.5}
"""How likely it has to be that a URL goes on behind a line break, by the level of joins; see `records.LEVELS`."""


class Path(Struct, frozen=True):
    """One way that a URL may go.

    Attributes:
        gaps: the line breaks over which it goes on; none where it ends in its line.
        probability: that it does so, and ends behind the last of them.
        goes_on: the probability that it goes on over all of them, whether it ends behind the last or farther on.
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
        decided: the standard that decided it, if one did.
        log_odds: else, what the evidence gives.
    """

    at: Break
    end: int
    line: NextLine
    decided: Decided | None
    log_odds: float

    def gap(self, text: str) -> Gap:
        """What is taken out where the URL goes on."""
        rule = self.decided.rule if self.decided and self.decided.rule else JoinRule.HARD_WRAP
        return line_gap(text, self.end, self.line.start, self.line.resume, rule)


def paths(around: Surroundings, start: int, end: int, assumed: str = "") -> list[Path]:
    """The paths of a bare URL whose run of characters goes from `start` to `end`, the likeliest first.

    Left out are those that are idle and less likely than to end in the first line. Nothing where no break had to be
    weighed.
    """
    way = steps(around, start, end, assumed=assumed)
    if not way:
        return []
    # The log-odds of each path against the one that ends in the first line; none ends where a standard joins.
    odds = [0.0]
    for step in way:
        odds.append(odds[-1] + step.log_odds)
        if step.decided:
            odds[-2] = -math.inf
    most = max(odds)
    shares = [math.exp(each - most) for each in odds]
    for count in range(len(way), 0, -1):
        if _adds_nothing(way[count - 1].at):  # to end behind it is to end before it
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
    """Whether the token only closes what stands around the URL, and no bracket of its own."""
    return not at.token.strip(CLOSES) and (")" not in at.token or at.url.count("(") <= at.url.count(")"))


def steps(around: Surroundings, start: int, end: int, *, whole: bool = False, assumed: str = "") -> list[Step]:
    """The breaks on the way of a URL, in order, up to one that a standard ends it at, or that is hopeless.

    `whole` goes on behind hopeless ones, and has all told of each, for whoever fits or explains. What is `assumed` is
    read before the URL (`Found.assumed`).
    """
    text, place = around.text, place_of(around.text, start, end, assumed)
    way: list[Step] = []
    while len(way) < MAX_BREAKS and (line := next_line(text, place)) is not None:
        piece_end = reach(text, line.resume)
        if piece_end == line.resume:
            break
        at = break_at(around, place, line)
        by = decided(at)
        if by and by.rule is None:
            break
        if whole:
            at = told_of(around, place, at)
        odds = 0.0 if by else scale().log_odds(at, RIVAL, partial(told_of, around, place))
        way.append(Step(at, place.end, line, by, odds))
        if odds < HOPELESS and not whole:
            break
        url = place.url[:-1] if by and by.rule is JoinRule.SOFT_BREAK else place.url
        cuts = (*place.cuts, place.end - place.line)
        url += text[line.resume : piece_end]
        if not TAILS.issuperset(end_of(url, 0, "").cut_by):
            break  # it ends within that piece
        place = Place(url, line.resume, piece_end, line.start, place.margin, cuts)
    return way
