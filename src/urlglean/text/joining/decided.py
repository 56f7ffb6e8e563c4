"""Tells which row of the tables decides a break, so that no evidence has to be weighed."""

from __future__ import annotations

from functools import lru_cache

from urlglean.text.joining.break_record import Break
from urlglean.text.joining.layouts import LAYOUTS
from urlglean.text.joining.standards import STANDARDS, Decided


def decided(at: Break) -> Decided | None:
    """The first row that holds for a break, standards first; None if the evidence has to be weighed."""
    for row in _rows_at(at.ends):
        if row.holds(at):
            return row
    return None


@lru_cache(maxsize=1 << 12)
def _rows_at(ends: str) -> tuple[Decided, ...]:
    """The rows that may hold for a break with these `ends`."""
    rows = (*STANDARDS, *LAYOUTS)
    return tuple(row for row in rows if ends[0] in (row.last or ends) and ends[1] in (row.first or ends))
