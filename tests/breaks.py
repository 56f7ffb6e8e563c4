"""Makes records of line breaks out of small texts, for tests."""

from __future__ import annotations

from urlglean.text.candidates import Evidence, Found
from urlglean.text.joining.break_record import Break
from urlglean.text.joining.breaks import Surroundings
from urlglean.text.joining.decision import Step, steps
from urlglean.text.joining.line_geometry import LineGeometry
from urlglean.text.policy import Policy
from urlglean.text.scanner import scan_text


def way(text: str, flowed: str = "") -> list[Step]:
    """The steps on the way of the first bare URL that reaches the end of its line, including the hopeless ones."""
    found = list(scan_text(text, fast=False))
    around = Surroundings(text, LineGeometry(text), Evidence(text, found), Policy("current").joins, flowed)
    bare = (each for each in found if isinstance(each, Found) and each.run_end)
    return next((held for each in bare if (held := steps(around, each.span.start, each.run_end, whole=True))), [])


def first_break(text: str) -> Break:
    """The first break on that way."""
    return way(text)[0].at
