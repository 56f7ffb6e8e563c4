"""Follows the frames of zstd data, to know whether the last one is whole: the library takes any end for the end."""

from __future__ import annotations

from collections.abc import Generator

from urlglean.sources.streams import Stream

_SKIPPABLE = range(0x184D2A50, 0x184D2A60)
_RLE = 1


class ZstdFrames:
    """Zstd data (RFC 8878 3.1) that can be read like a file. What is no zstd data is left to the decompressor."""

    def __init__(self, below: Stream) -> None:
        """Read from the stream of the data."""
        self._below = below
        self._steps = _steps()
        self._left, self._is_frame = next(self._steps)
        self._held = b""

    @property
    def whole(self) -> bool:
        """Whether what was read ends where a frame ends."""
        return self._is_frame and not self._held

    def read(self, size: int = -1, /) -> bytes:
        """Return at most `size` bytes, and none at the end."""
        block = self._below.read(size)
        at = 0
        while at < len(block):
            taken = block[at : at + self._left]
            at += len(taken)
            self._left -= len(taken)
            self._held = (self._held + taken)[:_LONGEST]
            while not self._left:
                self._left, self._is_frame = self._steps.send(self._held)
                self._held = b""
        return block


_LONGEST = 4
"""How many bytes a step needs to know of those that it asks for, at most."""


def _steps() -> Generator[tuple[int, bool], bytes, None]:
    """Ask for one stretch of bytes after another: how many, and whether a frame begins there. Gets the stretch."""
    while True:
        magic = int.from_bytes((yield 4, True), "little")
        if magic in _SKIPPABLE:  # 3.1.2
            yield int.from_bytes((yield 4, False), "little"), False
            continue
        descriptor = (yield 1, False)[0]  # 3.1.1.1.1
        single, checksum = descriptor >> 5 & 1, descriptor >> 2 & 1
        content_size = (single, 2, 4, 8)[descriptor >> 6]
        yield 1 - single + (0, 1, 2, 4)[descriptor & 3] + content_size, False
        last = 0
        while not last:  # 3.1.1.2
            header = int.from_bytes((yield 3, False), "little")
            last, kind, size = header & 1, header >> 1 & 3, header >> 3
            yield 1 if kind == _RLE else size, False
        if checksum:
            yield 4, False
