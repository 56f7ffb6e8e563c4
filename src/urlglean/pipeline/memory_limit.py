"""Limits the memory that reading a document may take, so that a hostile one does not take all that the machine has.

It is the last bound: `Bounds` are such that all but hostile documents take less. The system enforces it for the whole
process (setrlimit, Linux): exceeding it raises `MemoryError`. On other systems there is no limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_STATM = Path("/proc/self/statm")

_LEAST = 16_000_000
"""Bytes that a document may always take, whatever the process has already."""


@contextmanager
def memory_limit(size: int) -> Iterator[None]:
    """Limit the resident memory of the process in the block to so many bytes; 0 means no limit."""
    if not size or not _STATM.exists():
        yield
        return
    import resource  # noqa: PLC0415  POSIX only

    soft, hard = before = resource.getrlimit(resource.RLIMIT_DATA)
    resident, data = _in_use(resource.getpagesize())
    # The system counts allocated memory, used or not, so the limit is relative to the present use.
    most = data + max(size - resident, _LEAST)
    known = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([most, *known]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _in_use(page: int) -> tuple[int, int]:
    """How many bytes of this process are in memory, and how many are allocated for data (proc(5))."""
    fields = _STATM.read_bytes().split()
    return int(fields[1]) * page, int(fields[5]) * page
