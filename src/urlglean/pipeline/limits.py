"""Limits the time and the memory that work on one document may take, in commands that do all of it at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from urlglean.pipeline.glean import cause_of
from urlglean.pipeline.memory_limit import memory_limit
from urlglean.pipeline.scan_task import MEMORY, SECONDS
from urlglean.pipeline.time_limit import TimeLimitError, given_up, seconds_for, time_limit


class Limits(Struct, frozen=True):
    """How much the work on a document may take.

    Attributes:
        seconds: of processor time, and as many again for each megabyte of it; 0 means no limit.
        memory: how many bytes the process may have; 0 means no limit.
    """

    seconds: float = SECONDS
    memory: int = MEMORY


class GivenUpError(Exception):
    """The work took too much; the message is the cause for a trouble."""


@contextmanager
def limited(octets: int, limits: Limits) -> Iterator[None]:
    """Limit the work in the block, which is on documents of so many octets.

    Raises:
        GivenUpError: it took too much.
    """
    seconds = seconds_for(limits.seconds, octets)
    try:
        with time_limit(seconds), memory_limit(limits.memory):
            yield
    except TimeLimitError:
        raise GivenUpError(given_up(seconds)) from None
    except MemoryError as error:
        raise GivenUpError(cause_of(error)) from None
