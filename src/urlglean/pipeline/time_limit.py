"""Limits the processor time for reading a document, so that a document that hangs does not stop the whole run.

The limit is processor time, not clock time, so that no document looks slow because the machine is busy or suspended. It
needs a signal (POSIX, `setitimer`) and the main thread of a process; without these there is no limit.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class TimeLimitError(BaseException):
    """The time is over. This is not an `Exception`, because the code that reads documents catches every `Exception`."""


def seconds_for(seconds: float, octets: int) -> float:
    """How many seconds documents of so many octets may take: `seconds`, and as many again for each megabyte."""
    return seconds * (1 + octets / 1e6)


def given_up(seconds: float) -> str:
    """The cause for the trouble of a document that took longer than so many seconds."""
    return f"given up after {seconds:.3g} seconds of processor time"


_MOST = 1e6
"""In seconds (eleven days). Longer limits mean no limit, because timers refuse some of them."""


_LEAST = 1e-6
"""The least number of seconds that is set, because 0 would mean no limit."""


@contextmanager
def time_limit(seconds: float) -> Iterator[Callable[[], float]]:
    """Limit the processor time of the block to so many seconds; 0 means no limit.

    Returns:
        A function that returns, after the block, how many of the seconds are left; 0 if there is no limit.

    Raises:
        TimeLimitError: in the block, when the time is over.
    """
    if not seconds or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield lambda: seconds
        return
    left = min(seconds, _MOST)
    before = signal.signal(signal.SIGVTALRM, _end)
    signal.setitimer(signal.ITIMER_VIRTUAL, left)
    try:
        yield lambda: left
    finally:
        left = max(signal.setitimer(signal.ITIMER_VIRTUAL, 0)[0], _LEAST)
        signal.signal(signal.SIGVTALRM, before)


def _end(_signal: int, _frame: FrameType | None) -> None:
    raise TimeLimitError
