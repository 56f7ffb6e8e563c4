"""The records that explain a decision on a line break."""

from __future__ import annotations

from msgspec import Struct


class Term(Struct, frozen=True, gc=False):
    """One feature of a line break, and what it adds to the log-odds that a URL goes on behind the break."""

    feature: str
    log_odds: float


class BreakExplanation(Struct, frozen=True, gc=False):
    """The decision on a line break behind a bare URL.

    Attributes:
        at: the end of the line, in code points of the text.
        log_odds: that the URL goes on behind the break rather than ends before it.
        terms: the terms of which `log_odds` is the sum, the strongest first; one of them is the constant.
        standard: the name and source of the standard that decided instead; "" if the evidence was weighed.
    """

    at: int
    log_odds: float
    terms: tuple[Term, ...]
    standard: str = ""
