"""The content of an answer by HTTP: taken out of its chunks (RFC 9112 7.1) if it was archived with them, and unpacked.

`warcio` does this too, but it holds a chunk of any length in memory; it and `aiohttp` pass over in silence what is cut
off. What is packed by gzip, compress or zstd is not unpacked here: it is recognised by its first octets, as a file is.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any, Protocol

from urlglean.errors import UnreadableError
from urlglean.lazy import pattern

_LONGEST_LINE = 1 << 12
"""Octets of the line before a chunk: its size, and extensions."""

_BLOCK = 1 << 14
"""How many packed octets to read at a time."""

_SIZE = pattern(rb"([0-9A-Fa-f]{1,16})[ \t]*+(?:;[^\r\n]*+)?\r\n")

_UNREADABLE = "br"
"""A coding (RFC 7932) that is not unpacked here, and that nobody can recognise by its first octets."""


class Source(Protocol):
    """The octets of an answer behind its header."""

    def read(self, size: int, /) -> bytes:
        """At most so many octets; none at the end."""

    def readline(self, size: int, /) -> bytes:
        """The octets up to and with a line feed, at most so many."""


Read = Callable[[int], bytes]
"""Returns at most as many octets as it is asked for, and none at the end. It raises `UnreadableError`."""


def content_of(source: Source, headers: Any | None) -> tuple[Read, int]:
    """What reads the content of an answer, and how many octets that must have at least.

    Args:
        source: where its octets come from.
        headers: its header, as warcio reads it; None if it is no answer by HTTP.
    """
    coding, transfer, length = ((headers.get_header(name) if headers else None) or "" for name in _FIELDS)
    if "chunked" in _members(transfer):
        return unpacked(_Chunks(source).read, coding), 0
    read = unpacked(source.read, coding)
    return read, int(length[:16]) if length.isdecimal() and read == source.read else 0


_FIELDS = ("Content-Encoding", "Transfer-Encoding", "Content-Length")


def unpacked(read: Read, coding: str) -> Read:
    """What reads content of a coding, the value of the field Content-Encoding (RFC 9110 8.4)."""
    packings = _members(coding)
    if _UNREADABLE in packings:
        return _refused
    return _Deflated(read).read if "deflate" in packings else read


def _members(value: str) -> list[str]:
    """The members of a list in the value of a field (RFC 9110 5.6.1), in lower case."""
    return [member.strip().lower() for member in value.split(",")]


def _refused(_size: int) -> bytes:
    raise UnreadableError(f"its content is packed by {_UNREADABLE}, which is not read")


class _Chunks:
    """Takes content out of its chunks. What has none, though its header says so, is read as it is."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._left: int | None = 0
        """How many octets of the chunk were not read yet; None if there are no chunks."""
        self._line: bytes | None = None
        """The line before the next chunk; without chunks, the beginning of the content; None before anything was read.
        """

    def read(self, size: int) -> bytes:
        if self._line is None:
            self._line = self._source.readline(_LONGEST_LINE)
            if self._line and not _SIZE.fullmatch(self._line):
                self._left = None
        if self._left is None:
            block, self._line = self._line[:size], self._line[size:]
            return block or self._source.read(size)
        if not self._left:
            self._left = self._size()
            if not self._left:
                return b""
        block = self._source.read(min(size, self._left))
        if not block:
            raise UnreadableError("its content is cut off in a chunk")
        self._left -= len(block)
        if not self._left:
            if self._source.read(2) != b"\r\n":
                raise UnreadableError("a chunk of its content is longer or shorter than it says")
            self._line = self._source.readline(_LONGEST_LINE)
        return block

    def _size(self) -> int:
        """The size of the next chunk; 0 for the last one."""
        if not self._line:
            raise UnreadableError("its content is cut off before its last chunk")
        size = _SIZE.fullmatch(self._line)
        if not size:
            raise UnreadableError("a chunk of its content tells no size")
        return int(size[1], 16)


class _Deflated:
    """Unpacks what is packed by "deflate": with the frame of zlib (RFC 9110 8.4.1.2), or, by some servers, without it.

    What is not packed, though its header says so, is read as it is.
    """

    def __init__(self, read: Read) -> None:
        self._packed = read
        self._ahead: bytes | None = None
        """What was read and is not unpacked yet; None before anything was read."""
        self._unpack: zlib._Decompress | None = None

    def read(self, size: int) -> bytes:
        if self._ahead is None:
            ahead = self._ahead = self._packed(_BLOCK)
            self._unpack = next((one for bits in _FRAMES if (one := _begun(ahead, bits))), None)
        if self._unpack is None:
            block, self._ahead = self._ahead[:size], self._ahead[size:]
            return block or self._packed(size)
        while not self._unpack.eof:
            packed = self._ahead or self._packed(_BLOCK)
            if not packed:
                raise UnreadableError("its content is packed, and cut off")
            try:
                block = self._unpack.decompress(packed, size)
            except zlib.error as error:
                raise UnreadableError(f"its content is packed, and broken: {error}") from error
            self._ahead = self._unpack.unconsumed_tail
            if block:
                return block
        return b""


_FRAMES = (zlib.MAX_WBITS, -zlib.MAX_WBITS)
"""How zlib is told that there is a frame, and that there is none."""


def _begun(packed: bytes, bits: int) -> zlib._Decompress | None:
    """What unpacks data that begin so; None if they are not packed in this way."""
    try:
        zlib.decompressobj(bits).decompress(packed, _BLOCK)
    except zlib.error:
        return None
    return zlib.decompressobj(bits) if packed else None
