"""Tells which row of the tables decides a break, so that no evidence has to be weighed."""

from __future__ import annotations

from urlglean.text.joining.layouts import LAYOUTS
from urlglean.text.joining.standards import STANDARDS, first_of

decided = first_of(*STANDARDS, *LAYOUTS)
"""Gives the first row that holds for a break, standards first; None if the evidence has to be weighed."""
