"""Tells which row of the tables decides a break, so that no evidence has to be weighed."""

from __future__ import annotations

from urlglean.text.joining.break_record import Break
from urlglean.text.joining.layouts import LAYOUTS
from urlglean.text.joining.standards import STANDARDS, Decided, first_of
from urlglean.text.line_lengths import SHORT

_first = first_of(*STANDARDS, *LAYOUTS)
_first_at_a_column = first_of(*STANDARDS, *(row for row in LAYOUTS if not row.by_signs))


def decided(at: Break) -> Decided | None:
    """The first row that holds for a break, standards first; None if the evidence has to be weighed."""
    return _first_at_a_column(at) if _is_cut_at_one_column(at) else _first(at)


def _is_cut_at_one_column(at: Break) -> bool:
    """Whether a program cuts the URL at one column: three lines end there, the URL's and those before or below it.

    Such a program cuts before and behind any sign.
    """
    if at.rest:
        return False
    if not at.cuts:
        return SHORT <= at.length == at.next_length == at.below_length and " " not in at.below
    return {at.length} == {*at.cuts} and (len(at.cuts) > 1 or at.next_length == at.length)
