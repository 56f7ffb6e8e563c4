"""Files as streams of blocks, read once from front to back.

Files are not mapped into memory: if a mapped file shrinks, the process is killed (SIGBUS), and pipes and compressed
files cannot be mapped. Reading blocks costs one copy and works in the same way for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING

from urlglean.bounds import DEFAULT, Bounds
from urlglean.errors import UnreadableError
from urlglean.sources.usage import Usage

if TYPE_CHECKING:
    import tempfile

HEAD = 1 << 16
"""How many bytes at the front of a file are examined to recognise its kind."""

LONGEST_HEAD = 1 << 24
"""How many bytes are examined, at most, if the first `HEAD` of them are nothing but the beginning of a row of ours."""

_BEYOND = 1 << 12
"""How many bytes are asked for beyond the known size of a file, which may have grown.

More room would take long to get, for nearly nothing: 13 us of 30 for a file of 1.3 kB (measured, Python 3.11).
"""

_IN_MEMORY = 1 << 23
"""How many bytes of a temporary file are kept in memory before it goes to disk."""


class Stream:
    """The bytes of one file. Reading never raises: an error adds its cause to `troubles`, and the bytes end there.

    Attributes:
        path: the path of the file.
        member: the path inside the archive file; None outside of one.
        one_message: whether the folder of the file keeps one message in each file (Maildir). Then the file is one
            message, whatever its body looks like.
        head: the first bytes, at most `HEAD` unless `look_further` was called. `read` and `blocks` return them again.
        count: how many bytes were read so far from the source of the stream.
        least: how many bytes it must have: the size of a file when it was opened, or the length that is told of it.
        layers: how many compressions and archives were opened to reach this stream.
        spent: what the file on disk has used so far, shared by all streams inside that file.
        bounds: the limits for it.
        troubles: the causes of what stopped reading.
        date: as in `Document`.
        start: how many octets of the file are before this stream, if it is a range of one.
        messages: how many messages of the file are before it.
        members: which members of a zip archive are read, by their numbers in its directory, half-open; None: all.
    """

    def __init__(  # noqa: PLR0913 - the source, and what is known about it
        self,
        path: str,
        read1: Callable[[int], bytes],
        below: Stream | None = None,
        *,
        member: str | None = None,
        one_message: bool = False,
        file: IO[bytes] | None = None,
        least: int = 0,
        bounds: Bounds = DEFAULT,
    ) -> None:
        """Wrap `read1`, which returns at most as many bytes as it is asked for, and none at the end.

        Args:
            path: the path of the file.
            read1: the source of the bytes.
            below: the stream in which this stream was found. Its bounds hold for this stream too.
            member: the path inside the archive file.
            one_message: whether the folder of the file keeps one message in each file.
            file: the file itself.
            least: as the attribute.
            bounds: the limits, if there is no `below`.
        """
        self.path = path
        self.member = member
        self.one_message = one_message
        self.count = 0
        self.layers: int = below.layers + 1 if below else 0
        self.spent: Usage = below.spent if below else Usage(bounds)
        self.bounds = self.spent.bounds
        self.troubles: list[str] = []
        self.date: str | None = below.date if below else None
        self.start = 0
        self.messages = 0
        self.members: tuple[int, int] | None = None
        self._is_file = below is None
        self._file = file
        self.least = least
        self._read1 = read1
        self._ended = False
        self._given = 0
        """How many bytes of the head `read` has returned."""
        self.head = b""
        self._look(HEAD)

    def look_further(self) -> bool:
        """Make the head twice as long, before anything is read; whether it is longer now."""
        before = len(self.head)
        self._look(min(2 * before, LONGEST_HEAD))
        return len(self.head) > before

    def _look(self, size: int) -> None:
        blocks, held = [self.head] if self.head else [], len(self.head)
        while held < size and (block := self._take(size - held)):
            blocks.append(block)
            held += len(block)
        self.head = b"".join(blocks)

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes, and none at the end. Decompressors call this."""
        if self._given < len(self.head):
            block = self.head[self._given : self._given + size]
            self._given += len(block)
            return block
        return self._take(size)

    def blocks(self) -> Iterator[bytes]:
        """Yield all bytes in order, in blocks that are never empty."""
        while block := self.read(self.bounds.block):
            yield block

    def whole(self) -> bytes:
        """All bytes as one; if there are more than `Bounds.document`, only so many of them, with a trouble."""
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
        """A file that can seek: the file itself, or a temporary copy, which is deleted when it is closed.

        Raises:
            UnreadableError: the copy would be longer than `Bounds.spooled`.
            OSError: there is no room for the copy.
        """
        if self._file is not None and self._file.seekable():
            self.spent.taken = self.least
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
        if self.least:
            size = min(size, max(self.least - self.count, 0) + _BEYOND)
        try:
            block = self._read1(size)
        except Exception as error:  # noqa: BLE001 - a caller's file may raise anything
            cause = getattr(error, "strerror", None) or str(error) or type(error).__name__
            self.troubles.append(f"reading stopped after {self.count:,} bytes: {cause}")
        self.count += len(block)
        # The octets of a file are all there at once: fewer than were asked for, behind its known size, are the last.
        self._ended = not block or (self._is_file and len(block) < size and self.count >= self.least > 0)
        if self._ended and self.count < self.least and not self.troubles:
            self.troubles.append(f"cut off while it was read: {self.count:,} bytes of {self.least:,}")
        if self._is_file:
            self.spent.taken += len(block)
        return block


def spool() -> tempfile.SpooledTemporaryFile[bytes]:
    """An empty temporary file without a name. It is in memory up to `_IN_MEMORY` bytes, then on disk."""
    import tempfile  # noqa: PLC0415 - only some packed files need it

    return tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)
