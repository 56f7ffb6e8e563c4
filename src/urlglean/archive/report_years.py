"""Divides the years of a catalogue into the periods of a chart: never too many, whatever the dates say."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate

Counts = Mapping[int, Mapping[int | None, int]]

MOST = 40
"""How many periods there are at most between the two ends."""

FAR_OFF = 0.005
"""The share of all that is counted that may be in the years before the first period, and behind the last one. A clock
that was wrong gives such years, and each of them would make the chart wider."""

STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""How many years a period may have."""

NO_DATE = "no date"


def by_period(counts: Counts) -> dict[str, dict[int, int]]:
    """Counts by year as counts by period.

    Args:
        counts: by the number of what is counted, how many in each year (None: without a date), of 4 digits at most.

    Returns:
        By the name of a period, in the order of time, how many by the number of what is counted. Years with nothing
        have a period too. What is before or behind the periods is counted together, as is what has no date.
    """
    totals: dict[int, int] = {}
    for each in counts.values():
        for year, times in each.items():
            if year is not None:
                totals[year] = totals.get(year, 0) + times
    first, last = _ends(totals)
    step = next((step for step in STEPS if last // step - first // step < MOST), STEPS[-1])
    first -= first % step
    last += step - 1 - last % step
    names = {start: _name(start, step) for start in range(first, last + 1, step)} if totals else {}
    labels = [f"before {first}", *names.values(), f"after {last}", NO_DATE]
    periods = {label: dict.fromkeys(counts, 0) for label in labels}
    for what, each in counts.items():
        for year, times in each.items():
            if year is None:
                label = NO_DATE
            elif year < first:
                label = f"before {first}"
            else:
                label = f"after {last}" if year > last else names[year - (year - first) % step]
            periods[label][what] += times
    kept = set(names.values())
    return {label: each for label, each in periods.items() if label in kept or any(each.values())}


def _name(start: int, step: int) -> str:
    """The years of a period, with the century of the last one only if it differs: 1995–99, 1999–2000."""
    last = start + step - 1
    if step == 1:
        return str(start)
    return f"{start}–{last % 100:02}" if start // 100 == last // 100 else f"{start}–{last}"


def _ends(totals: Mapping[int, int]) -> tuple[int, int]:
    """The first and the last year of the periods, by the totals of the years; (0, 0) if there are none."""
    if not totals:
        return 0, 0
    return _first_of_weight(sorted(totals), totals), _first_of_weight(sorted(totals, reverse=True), totals)


def _first_of_weight(years: list[int], totals: Mapping[int, int]) -> int:
    """The first of the years with which more is counted, together with those before it, than is far off."""
    summed = accumulate(totals[year] for year in years)
    allowed = FAR_OFF * sum(totals.values())
    return next((year for year, so_far in zip(years, summed, strict=True) if so_far > allowed), years[0])
