"""A limit on the processor time that reading a document may take, so that one that hangs does not hang the run.

Processor time is counted, not the clock's: a busy or suspended machine makes no document look slow. It needs a signal
(POSIX, `setitimer`) and a process's main thread; elsewhere nothing is limited.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TimeLimitError(BaseException):
    """The time is over. It is no `Exception`: whoever reads a document catches those and goes on with its next part."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Give what is done inside so many seconds of processor time; 0 for no limit.

    Raises:
        TimeLimitError: inside, when they are over.
    """
    if not seconds or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _end(_signal: int, _frame: FrameType | None) -> None:
    raise TimeLimitError
