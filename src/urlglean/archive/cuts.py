"""Stretches that are cut out of a text, and places in it before and after."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, pairwise

from msgspec.structs import astuple, replace

from urlglean.records import Stretch, Window

Cuts = list[tuple[int, int]]
"""Stretches of a text, `start` and `end` of each, in order and without overlap."""


def before(cut: Cuts, stretches: Cuts) -> Cuts:
    """Stretches of a text from which others were cut, as places in the text before that."""
    if not cut:
        return stretches
    lost = [0, *accumulate(end - start for start, end in cut)]
    places = [start - gone for (start, _), gone in zip(cut, lost, strict=False)]  # where the cuts are now

    def place(at: int) -> int:
        return at + lost[bisect_right(places, at)]

    return [(place(start), place(end - 1) + 1) for start, end in stretches]


def united(stretches: Cuts) -> Cuts:
    """The stretches in order; those that touch or overlap are one."""
    result: Cuts = []
    for start, end in sorted(stretches):
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((start, end))
    return result


def without(text: str, cut: Cuts) -> str:
    """The text with the stretches cut out."""
    if not cut:
        return text
    places = [0, *(place for stretch in cut for place in stretch), len(text)]
    return "".join(text[start:end] for (start, end) in list(pairwise(places))[::2])


def shortened(stretch: Stretch, cut: Cuts, octets: bytes) -> Stretch:
    """The stretch of a window from which something was cut, and which has these octets now."""
    first = stretch.window.first

    def place(at: int) -> int:
        return at - sum(min(end + first, at) - start - first for start, end in cut if start + first < at)

    return replace(stretch, window=Window(*map(place, astuple(stretch.window))), octets=len(octets))
