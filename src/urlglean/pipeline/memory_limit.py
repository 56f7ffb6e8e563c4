"""Limits the memory that reading a document may take, so that a hostile one does not take all that the machine has.

It is the last bound: `Bounds` are such that all but hostile documents take less. The system enforces it for the whole
process (setrlimit, Linux): exceeding it raises `MemoryError`. On other systems there is no limit.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_STATM = "/proc/self/statm"

_LEAST = 16_000_000
"""Bytes that a document may always take, whatever the process has already."""


@contextmanager
def memory_limit(size: int) -> Iterator[None]:
    """Limit the resident memory of the process in the block to so many bytes; 0 means no limit."""
    in_use = _in_use() if size else None
    if in_use is None:
        yield
        return
    import resource  # noqa: PLC0415  POSIX only

    soft, hard = before = resource.getrlimit(resource.RLIMIT_DATA)
    resident, data = [pages * resource.getpagesize() for pages in in_use]
    # The system counts allocated memory, used or not, so the limit is relative to the present use.
    most = min(data + max(size - resident, _LEAST), sys.maxsize)  # the call takes no larger number
    known = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([most, *known]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _in_use() -> tuple[int, int] | None:
    """How many pages of this process are in memory, and how many are allocated for data (proc(5)); None if not told."""
    try:
        with open(_STATM, "rb", buffering=0) as file:  # noqa: PTH123  a Path takes longer to make than this file to read
            fields = file.read().split()
    except FileNotFoundError:
        return None
    return int(fields[1]), int(fields[5])
