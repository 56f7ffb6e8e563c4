"""Files as streams of blocks, read once from front to back.

Not memory maps: a mailbox that shrinks while it is mapped ends the process (SIGBUS), and pipes and compressed files
have no map. Blocks cost one copy, and one way of reading serves them all.
"""

from __future__ import annotations

import io
import lzma
import os
import zlib
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING

from urlglean.bounds import DEFAULT, Bounds
from urlglean.errors import UnreadableError
from urlglean.sources.usage import Usage

if TYPE_CHECKING:
    import tempfile

HEAD = 1 << 16
"""Bytes at the front of a file by which its kind is judged."""

_IN_MEMORY = 1 << 23
"""Bytes of a spooled file that are kept in memory before the disk is used."""

_FAULTS = (OSError, EOFError, ValueError, MemoryError, zlib.error, lzma.LZMAError)


class Stream:
    """The bytes of one file. What stops them early goes to `troubles`, and then they end; reading never raises.

    Attributes:
        path: where they come from.
        member: the path inside the archive file, None outside of one.
        one_message: the file lies where each file is one message (Maildir), whatever stands in its body.
        head: the first bytes, at most `HEAD`; they are read again with the rest.
        count: how many bytes were taken so far.
        layers: how many compressions and archives were opened above the file itself.
        spent: what the file itself has come to, shared by all streams that lie in it.
        bounds: what it may come to.
        troubles: causes.
    """

    def __init__(  # noqa: PLR0913 - what it is read from, and what is known of it
        self,
        path: str,
        read1: Callable[[int], bytes],
        below: Stream | None = None,
        *,
        member: str | None = None,
        one_message: bool = False,
        file: IO[bytes] | None = None,
        bounds: Bounds = DEFAULT,
    ) -> None:
        """Wrap `read1`, which gives at most so many bytes, and none at the end; `file` is there if it can seek.

        A stream that lies in another has the bounds of that.
        """
        self.path = path
        self.member = member
        self.one_message = one_message
        self.count = 0
        self.layers: int = below.layers + 1 if below else 0
        self.spent: Usage = below.spent if below else Usage(bounds)
        self.bounds = self.spent.bounds
        self.troubles: list[str] = []
        self._is_file = below is None
        self._file = file
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
        while block := self.read(self.bounds.block):
            yield block

    def whole(self) -> bytes:
        """Give all bytes as one, or the first `Bounds.document` of them."""
        most = self.bounds.document
        parts, size = [], 0
        for block in self.blocks():
            parts.append(block[: most - size])
            size += len(block)
            if size > most:
                self.troubles.append(f"longer than {most:,} bytes; only those were read")
                break
        return b"".join(parts)

    def seekable(self) -> IO[bytes]:
        """Give a file to seek in: the file itself, or a copy that is gone when it is closed.

        Raises:
            UnreadableError: the copy would pass `Bounds.spooled`.
            OSError: there is no room for it.
        """
        if self._file is not None:
            self.spent.taken = os.fstat(self._file.fileno()).st_size
            return self._file
        spooled = spool()
        for block in self.blocks():
            if spooled.tell() + len(block) > self.bounds.spooled:
                spooled.close()
                raise UnreadableError(f"longer than {self.bounds.spooled:,} bytes where it cannot be read in place")
            spooled.write(block)
        spooled.seek(0)
        return spooled

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
        if self._is_file:
            self.spent.taken += len(block)
        return block


def spool() -> tempfile.SpooledTemporaryFile[bytes]:
    """Give an empty temporary file without a name: in memory while it is small, on disk after."""
    import tempfile  # noqa: PLC0415 - only some packed files need it

    return tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)


def opened(path: str, file: io.BufferedReader, bounds: Bounds, *, one_message: bool = False) -> Stream:
    """Give the stream of a file that lies on disk, or of a pipe."""
    return Stream(path, file.read1, one_message=one_message, file=file if file.seekable() else None, bounds=bounds)
