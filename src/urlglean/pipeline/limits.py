"""What the work on one document may take; and how commands that do all of it at once keep to that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from urlglean.pipeline.glean import cause_of, trouble_of
from urlglean.pipeline.memory_limit import memory_limit
from urlglean.pipeline.time_limit import TimeLimitError, given_up, seconds_for, time_limit
from urlglean.records import Document, Trouble

SECONDS = 30.0
"""Default limit of processor time for a document, and again for each megabyte of it. A document that takes longer is
assumed to hang or to be hostile: 128 MB of nothing but broken URLs take 1.6 seconds a megabyte (measured, Python 3.11),
texts made to be slow about 100."""

MEMORY = 512_000_000
"""Default limit of the memory, in bytes, of the process that reads a document."""


class Limits(Struct, frozen=True):
    """How much the work on a document may take. One that takes more becomes a trouble.

    Attributes:
        seconds: of processor time, and as many again for each megabyte of it; 0 means no limit.
        memory: how many bytes the process that reads it may have; 0 means no limit.
    """

    seconds: float = SECONDS
    memory: int = MEMORY


class GivenUpError(Exception):
    """The work on a document took too much; `trouble` says so."""

    def __init__(self, document: Document, cause: str) -> None:
        super().__init__(cause)
        self.trouble: Trouble = trouble_of(document.origin, cause)


@contextmanager
def limited(document: Document, limits: Limits) -> Iterator[None]:
    """Limit the work in the block, which is on this document.

    Raises:
        GivenUpError: it took too much.
    """
    seconds = seconds_for(limits.seconds, len(document.data))
    try:
        with time_limit(seconds), memory_limit(limits.memory):
            yield
    except TimeLimitError:
        raise GivenUpError(document, given_up(seconds)) from None
    except MemoryError as error:
        raise GivenUpError(document, cause_of(error)) from None
