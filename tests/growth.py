"""How the work for a text grows with its length, as a ratio of processor times.

Counting would need no clock, but nothing counts what matters here: a pattern's steps and a search in a string happen in
C, where neither a trace nor a wrapper around the call sees whether it looked at ten characters or at all that follow.
So processor time is compared with processor time of the same process, and the bound lies far from both answers: of
sixteen times the length a linear reader takes about 16 times the time, a quadratic one about 256. A machine that is
busy lengthens either side by chance, never by a factor of four each time; a ratio beyond the bound is measured again,
and the least time of each side counts.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import process_time

SHORT = 10_000
"""Code points: so many take a millisecond where they take least."""

TIMES = 16
BOUND = 64.0
"""The geometric mean of 16 and 256."""

TRIES = 4


def seconds(read: Callable[[str], object], text: str) -> float:
    """The processor's time for one reading, that of the collector of garbage left out."""
    gc.disable()
    try:
        begun = process_time()
        read(text)
        return process_time() - begun
    finally:
        gc.enable()


def growth(read: Callable[[str], object], make: Callable[[int], str], short: int = SHORT) -> float:
    """How many times as long `read` takes for a text of `TIMES` the length.

    It is measured again, up to `TRIES` times, while it is beyond `BOUND` by less than a factor of two.

    Args:
        read: what is measured.
        make: gives the text of about a length, in code points.
        short: the length of the shorter text.
    """
    little, much = make(short), make(TIMES * short)
    read(little)  # compiles what is compiled when it is first needed
    once = many = float("inf")
    for _ in range(TRIES):
        once = min(once, *(seconds(read, little) for _ in range(3)))
        many = min(many, seconds(read, much))
        if not BOUND * once < many < 2 * BOUND * once:
            break
    return many / once
