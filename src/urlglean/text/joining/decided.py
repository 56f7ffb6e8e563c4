"""Tells which row of the tables decides a break, so that no evidence has to be weighed."""

from __future__ import annotations

from urlglean.text.joining.break_record import Break
from urlglean.text.joining.layouts import LAYOUTS
from urlglean.text.joining.standards import STANDARDS, Decided, first_of

_by_standard = first_of(*STANDARDS)
_by_layout = first_of(*LAYOUTS)


def decided(at: Break) -> Decided | None:
    """The first row that holds for a break, standards first; None if the evidence has to be weighed."""
    return _by_standard(at) or (None if _is_cut_at_one_column(at) else _by_layout(at))


def _is_cut_at_one_column(at: Break) -> bool:
    """Whether a program cuts the URL at one column: three lines end there, the URL's and those before or the next.

    Then the layout is that of the program, and the last sign of the line and the first of the next say nothing.
    """
    more = len(at.cuts) + (at.next_length == at.length)
    return more > 1 and not at.rest and {at.length} == {*at.cuts}
