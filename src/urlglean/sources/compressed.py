"""Unpacks compressed files while they are read. The bounds stop files that unpack to an enormous size."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, Protocol, cast

from msgspec import Struct

from urlglean.errors import UnreadableError
from urlglean.lazy import LazyPattern, pattern
from urlglean.sources.streams import Stream, spool
from urlglean.sources.zstd_frames import ZstdFrames

_BLOCK = 1 << 13
"""How many compressed bytes to read at a time."""

_PIECE = 1 << 14
"""How many bytes to unpack at a time. Where the packed ones are damaged, so many may be lost before the damage."""

_BZIP2_FEED = 64
"""How many compressed bytes a decompressor of bzip2 gets at a time. The sum of a block stands at its end; the block is
right if the decompressor asks for more. So these are few, of one block or two."""

_BESIDE_DICTIONARY = 100_000
"""How many bytes liblzma may take beside the dictionary. It takes more than 65,536 (measured, version 5.4)."""


class Reader(Protocol):
    """A decompressor that can be read like a file."""

    def read1(self, size: int = ..., /) -> bytes:
        """Return at most `size` bytes, and none at the end."""


class Compression(Struct, frozen=True):
    """A row of `COMPRESSIONS`.

    Attributes:
        name: the name of the compression.
        first: the octets with which such a file may begin.
        magic: matches the first bytes of such a file.
        open: returns the decompressor for a stream.
    """

    name: str
    first: bytes
    magic: LazyPattern[bytes, re.Match[bytes]]
    open: Callable[[Stream], Reader]


def _file(stream: Stream) -> IO[bytes]:
    # The decompressors call only read(size), which Stream has. Their type stubs demand a complete file object.
    return cast("IO[bytes]", stream)


def _gzip(below: Stream) -> Reader:
    import gzip  # noqa: PLC0415 - imported here and below, because most files are not compressed

    return gzip.GzipFile(fileobj=_file(below), mode="rb")


def _bzip2(below: Stream) -> Reader:
    import bz2  # noqa: PLC0415

    return _Concatenated(below, bz2.BZ2Decompressor, _BZIP2_FEED)


def _lzma(below: Stream) -> Reader:
    import lzma  # noqa: PLC0415

    return _Concatenated(below, partial(lzma.LZMADecompressor, memlimit=below.bounds.dictionary + _BESIDE_DICTIONARY))


class _Decompressor(Protocol):
    """The methods of `bz2.BZ2Decompressor` and `lzma.LZMADecompressor`."""

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""

    @property
    def needs_input(self) -> bool:
        """Whether nothing more can be returned without more data."""

    @property
    def unused_data(self) -> bytes:
        """What stood behind the end."""

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Return at most `max_length` bytes; what is left is returned by the next calls."""


class _Concatenated:
    """A reader of compressed streams that stand one behind another, with NULs between and behind them.

    The readers of the standard library take whatever else stands there for the end, and do not tell it.
    """

    def __init__(self, below: Stream, new: Callable[[], _Decompressor], feed: int = 0) -> None:
        """Read `below` with decompressors made by `new`, which get `feed` bytes at a time.

        With 0 they get `_BLOCK` bytes, and all that they return is right.
        """
        self._below, self._new, self._one = below, new, new()
        self._ready = memoryview(b"")
        self._feed, self._is_checked = feed or _BLOCK, not feed
        self._right, self._waiting = deque[bytes](), deque[bytes]()
        self._cut: EOFError | None = None

    def read1(self, size: int = -1, /) -> bytes:
        if not self._ready:
            self._ready = memoryview(self._next())
        end = len(self._ready) if size < 0 else size
        block, self._ready = bytes(self._ready[:end]), self._ready[end:]
        return block

    def _next(self) -> bytes:
        """The next bytes that are surely right; none at the end. Where data are cut off, what came before is right."""
        while not self._right and self._cut is None:
            try:
                block = self._unpacked()
            except EOFError as error:
                self._cut = error
            else:
                if not block:
                    return b""
                self._waiting.append(block)
            if self._is_checked or self._one.needs_input or self._one.eof or self._cut:
                self._right, self._waiting = self._waiting, self._right
        if self._cut and not self._right:
            raise self._cut
        return self._right.popleft()

    def _unpacked(self) -> bytes:
        """The next `_PIECE` bytes at most, however many are asked for: so a fault is at one place; none at the end."""
        while True:
            if self._one.eof:
                data = self._one.unused_data.lstrip(b"\0")
                while not data:
                    if not (data := self._below.read(self._feed)):
                        return b""
                    data = data.lstrip(b"\0")
                self._one = self._new()
            elif not self._one.needs_input:
                data = b""
            elif not (data := self._below.read(self._feed)):
                raise EOFError("Compressed file ended before the end-of-stream marker was reached")
            if block := self._one.decompress(data, _PIECE):
                return block


def _zstd(below: Stream) -> Reader:
    try:
        import zstandard  # noqa: PLC0415 - an extra
    except ImportError:
        raise UnreadableError("compressed by zstd; to read it, install the package zstandard") from None
    decompressor, frames = zstandard.ZstdDecompressor(max_window_size=below.bounds.dictionary), ZstdFrames(below)
    reader = decompressor.stream_reader(cast("IO[bytes]", frames), read_across_frames=True)
    return _Zstd(reader, frames, zstandard.ZstdError)


class _Zstd:
    """A reader of zstd that raises `UnreadableError` instead of zstd's own exception, and if the last frame is cut."""

    def __init__(self, reader: Reader, frames: ZstdFrames, fault: type[Exception]) -> None:
        self._reader, self._frames, self._fault = reader, frames, fault

    def read1(self, size: int = -1, /) -> bytes:
        try:
            block = self._reader.read1(size)
        except self._fault as error:
            raise UnreadableError(str(error)) from error
        if not block and not self._frames.whole:
            raise UnreadableError("Compressed file ended before the end of its last frame")
        return block


class _Lzw:
    """A reader for files of compress(1).

    The library unpacks the whole file at once. It writes to this object, which keeps the bytes in a temporary file and
    raises `UnreadableError` if they exceed the bounds.
    """

    def __init__(self, below: Stream) -> None:
        try:
            import ncompress  # type: ignore[import-untyped]  # noqa: PLC0415 - an extra
        except ImportError:
            raise UnreadableError("compressed by compress; to read it, install the package ncompress") from None
        self._spent = below.spent
        self._fault: ValueError | OSError | None = None
        self._spooled = spool()
        try:
            ncompress.decompress(below, self)
        except (ValueError, OSError) as error:
            self._fault = error
        self._spooled.seek(0)

    def write(self, block: bytes) -> int:
        size = self._spooled.tell() + len(block)
        if size > min(self._spent.bounds.spooled, self._spent.unpackable):
            raise UnreadableError(f"unpacks to more than {size - len(block):,} bytes")
        return self._spooled.write(block)

    def read1(self, size: int = -1, /) -> bytes:
        block = self._spooled.read(size)
        if not block:
            self._spooled.close()
            if self._fault:
                raise self._fault
        return block


COMPRESSIONS = (
    # RFC 1952 2.3.1; 8 is deflate, the only method.
    Compression("gzip", b"\x1f", pattern(rb"\x1f\x8b\x08"), _gzip),
    # The level, then the magic of the first block or, if there is no block, of the end.
    Compression("bzip2", b"B", pattern(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), _bzip2),
    Compression("xz", b"\xfd", pattern(rb"\xfd7zXZ\0"), _lzma),
    # The format before xz has no magic (The .lzma File Format 1.1, in the source of xz). It is told by the properties
    # that programs choose, a dictionary of whole 64 KiB, an unpacked size that is unknown or less than 1 TiB, and the
    # first octet of the data, which is always 0.
    Compression("lzma", b"]", pattern(rb"(?s:\]\0\0(?!\0\0)..(?:\xff{8}|.{5}\0{3})\0)"), _lzma),
    # RFC 8878 3.1.1: a frame, or a skippable frame (3.1.2), which holds the index of a seekable file, for example.
    Compression("zstd", b"(PQRSTUVWXYZ[\\]^_", pattern(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"), _zstd),
    # compress(1): the longest code has 9 to 16 bits; the high bit means block mode.
    Compression("compress", b"\x1f", pattern(rb"\x1f\x9d[\x09-\x10\x89-\x90]"), _Lzw),
)


def unpacked(row: Compression, below: Stream) -> Iterator[Stream]:
    """Yield the unpacked stream of a compressed one. Nothing, and a trouble in `below`, if it cannot be unpacked here.

    If the data are broken or cut off, or exceed the bounds, the stream ends with a trouble, after everything that could
    be unpacked.
    """
    try:
        reader = row.open(below)
    except UnreadableError as error:
        below.troubles.append(str(error))
        return

    def read1(size: int) -> bytes:
        if cause := below.spent.excess():
            raise UnreadableError(f"{row.name} data: {cause}")
        block = reader.read1(size)
        below.spent.unpacked += len(block)
        return block

    yield Stream(below.path, read1, below, member=below.member, one_message=below.one_message)
