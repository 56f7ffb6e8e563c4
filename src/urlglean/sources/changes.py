"""Finds that another program has written into a file while it was read.

Mail programs write a mailbox anew in place, when messages are read or removed: then what lies behind them moves, and a
reader misses some or sees them twice. What is only appended moves nothing.
"""

from __future__ import annotations

import os
import stat
from array import array
from typing import IO
from zlib import crc32

from msgspec import Struct

CHANGED = "it was changed while it was read; some of it may be missing, or read twice"

_STRIDE = 61
"""Of so many octets one is compared. It is a prime number, because lines may have one length."""


class Watch:
    """A file that is read from front to back, and what tells whether another program has changed that since.

    It ends where it ended when all was read that it had at first: what grows as fast as it is read, as by the list of
    what is found in it, would never end.
    """

    def __init__(self, file: IO[bytes], start: int = 0) -> None:
        """Watch a file from the offset on at which it will be read."""
        self._file = file
        found = _stat_of(file)
        self._version = _version_in(found)
        self._size = found.st_size if found else 0
        self._start = self._at = start
        self._end: int | None = None
        self._sizes = array("Q")
        self._digest = 0

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """As that of a file; reading begins there."""
        self._start = self._at = self._file.seek(offset, whence)
        return self._start

    def read(self, size: int) -> bytes:
        """As that of a file."""
        if self._at >= self._size > 0:
            if self._end is None:
                found = _stat_of(self._file)
                self._end = found.st_size if found else 0
            size = max(0, min(size, self._end - self._at))
        block = self._file.read(size)
        self._at += len(block)
        if self._version:
            self._sizes.append(len(block))
            self._digest = crc32(block[::_STRIDE], self._digest)
        return block

    def has_changed(self) -> bool:
        """Whether the octets that were read are others now. They are compared if the file has been written since."""
        # Who reads an archive in place closes it.
        if self._file.closed or _version_in(_stat_of(self._file)) == self._version:
            return False
        self._file.seek(self._start)
        digest = 0
        for size in self._sizes:
            digest = crc32(self._file.read(size)[::_STRIDE], digest)
        return digest != self._digest


def _version_in(found: os.stat_result | None) -> tuple[int, int] | None:
    """When a regular file, and what is told of it, was last changed, in nanoseconds; None of any other file.

    Mail programs set the first time back when they have written a mailbox. Nobody can set the second.
    """
    return (found.st_mtime_ns, found.st_ctime_ns) if found else None


def _stat_of(file: IO[bytes]) -> os.stat_result | None:
    """What the system tells of a regular file; None of anything else."""
    try:
        found = os.fstat(file.fileno())
    except (OSError, AttributeError):  # it is none of the system's
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def watched_input(file: IO[bytes]) -> tuple[Watch, int] | None:
    """A watch of what is left of an open file, such as stdin, and how many octets are left.

    None if it is no regular file, or nothing is left.
    """
    if not (found := _stat_of(file)):
        return None
    start = file.tell()
    return (Watch(file, start), found.st_size - start) if start < found.st_size else None


class Sample(Struct, frozen=True):
    """What lay at a place of a file here: how many octets at which offset, and their CRC-32."""

    at: int
    size: int
    digest: int

    def lies_in(self, file: IO[bytes]) -> bool:
        """Whether the same octets are there now."""
        return sample_of(file, self.at, self.size) == self


def sample_of(file: IO[bytes], at: int, size: int) -> Sample:
    """A sample of a file here."""
    return Sample(at, size, crc32(os.pread(file.fileno(), size, at)))
