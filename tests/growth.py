"""Measures how the work for a text grows with its length, as a ratio of processor times.

Counting steps would need no clock, but the steps of a pattern and of a search in a string happen in C: neither a trace
nor a wrapper sees whether a call looked at ten characters or at all that follow. So two processor times of the same
process are compared, and the bound is far from both answers: for sixteen times the length a linear reader takes about
16 times as long, a quadratic one about 256 times. A busy machine lengthens either time by chance, but not by a factor
of four each time. A ratio beyond the bound is therefore measured again, and the least time of each side is used.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import process_time
from typing import AnyStr

SHORT = 5_000
"""In code points or octets. The fastest reader takes about half a millisecond for such a text."""

TIMES = 16
BOUND = 64.0
"""The geometric mean of 16 and 256."""

TRIES = 4


def seconds(read: Callable[[AnyStr], object], text: AnyStr) -> float:
    """The processor time for one reading, in seconds, without garbage collection."""
    taken = 0.0
    gc.disable()
    try:
        while taken <= 0:  # the clock of a virtual machine that was stopped may stand still
            begun = process_time()
            read(text)
            taken = process_time() - begun
    finally:
        gc.enable()
    return taken


def growth(read: Callable[[AnyStr], object], make: Callable[[int], AnyStr], short: int = SHORT) -> float:
    """How many times as long `read` takes for a text of `TIMES` the length.

    A ratio that exceeds `BOUND` by less than a factor of two is measured again, up to `TRIES` times.

    Args:
        read: the function that is measured.
        make: returns a text of about a given length, in code points or octets.
        short: the length of the shorter text.
    """
    little, much = make(short), make(TIMES * short)
    read(little)  # compiles the patterns that are compiled at first use
    once = many = float("inf")
    for _ in range(TRIES):
        once = min(once, *(seconds(read, little) for _ in range(3)))
        many = min(many, seconds(read, much))
        if not BOUND * once < many < 2 * BOUND * once:
            break
    return many / once
