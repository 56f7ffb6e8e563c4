"""Files as streams of blocks, read once from front to back.

Not memory maps: a mailbox that shrinks while it is mapped ends the process (SIGBUS), and pipes and compressed files
have no map. Blocks cost one copy, and one way of reading serves them all.
"""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Callable, Iterator

HEAD = 1 << 16
"""Bytes at the front of a file by which its kind is judged."""

BLOCK = 1 << 20
"""Bytes asked for at a time."""

MAX_DOCUMENT = 1 << 27
"""Bytes of one message or text that are kept; what is longer is cut, and a trouble says so."""

_FAULTS = (OSError, EOFError, ValueError, MemoryError, zlib.error, lzma.LZMAError)


class Stream:
    """The bytes of one file. What stops them early goes to `troubles`, and then they end; reading never raises.

    Attributes:
        path: where they come from.
        head: the first bytes, at most `HEAD`; they are read again with the rest.
        count: how many bytes were taken from below so far.
        layers: how many compressions were undone above the file itself.
        troubles: causes, shared with the streams below.
    """

    def __init__(self, path: str, read1: Callable[[int], bytes], below: Stream | None = None) -> None:
        """Wrap `read1`, which gives at most so many bytes, and none at the end."""
        self.path = path
        self.count = 0
        self.layers: int = below.layers + 1 if below else 0
        self.troubles: list[str] = below.troubles if below else []
        self._read1 = read1
        self._ended = False
        head = bytearray()
        while len(head) < HEAD and (block := self._take(HEAD - len(head))):
            head += block
        self.head = bytes(head)
        self._ahead = self.head

    def read(self, size: int) -> bytes:
        """Give at most `size` bytes, and none at the end: what the decompressors ask for."""
        if self._ahead:
            block, self._ahead = self._ahead[:size], self._ahead[size:]
            return block
        return self._take(size)

    def blocks(self) -> Iterator[bytes]:
        """Give all bytes in order, in blocks that are never empty."""
        while block := self.read(BLOCK):
            yield block

    def whole(self) -> bytes:
        """Give all bytes as one, or the first `MAX_DOCUMENT` of them."""
        parts, size = [], 0
        for block in self.blocks():
            parts.append(block[: MAX_DOCUMENT - size])
            size += len(block)
            if size > MAX_DOCUMENT:
                self.troubles.append(f"longer than {MAX_DOCUMENT:,} bytes; only those were read")
                break
        return b"".join(parts)

    def _take(self, size: int) -> bytes:
        if self._ended:
            return b""
        block = b""
        try:
            block = self._read1(size)
        except _FAULTS as error:
            cause = getattr(error, "strerror", None) or str(error) or type(error).__name__
            self.troubles.append(f"reading stopped after {self.count:,} bytes: {cause}")
        self._ended = not block
        self.count += len(block)
        return block
