"""The header of an answer by HTTP, and its content, taken out of its chunks (RFC 9112 7.1) and unpacked.

`warcio` does this too, but it takes the first header for the last, and it holds a chunk of any length in memory; it and
`aiohttp` pass over in silence what is cut off. What is packed by gzip, compress or zstd is not unpacked here: it is
recognised by its first octets, as a file is.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, Protocol

from urlglean.errors import UnreadableError
from urlglean.lazy import pattern

_LONGEST_LINE = 1 << 12
"""Octets of the line before a chunk: its size, and extensions."""

_BLOCK = 1 << 14
"""How many packed octets to read at a time."""

# Behind the last chunk, fields may stand (RFC 9112 7.1.2).
_TRAILER = pattern(rb"(?:[!-9;-~]++:(?!//)[^\n]*+(?:\n|\Z)(?:[ \t][^\n]*+(?:\n|\Z))*+)*+\s*+")
_SIZE = pattern(rb"([0-9A-Fa-f]{1,16})[ \t]*+(?:;[^\r\n]*+)?\r?\n")
"""The line before a chunk (RFC 9112 7.1). A lone LF ends a line too (2.2)."""

_UNREADABLE = "br"
"""A coding (RFC 7932) that is not unpacked here, and that nobody can recognise by its first octets."""

_DEFLATE = "deflate"
_PACKINGS = frozenset({_UNREADABLE, _DEFLATE, "gzip", "x-gzip", "compress", "x-compress", "zstd"})
"""The codings that are known (RFC 9110 8.4.1, RFC 8878 7.2, RFC 7932); others are taken for none."""


class Source(Protocol):
    """The octets of an answer behind its header."""

    def read(self, size: int, /) -> bytes:
        """At most so many octets; none at the end."""

    def readline(self, size: int, /) -> bytes:
        """The octets up to and with a line feed, at most so many."""


Read = Callable[[int], bytes]
"""Returns at most as many octets as it is asked for, and none at the end. It raises `UnreadableError`."""


def header_of(source: Source, most: int) -> tuple[Any | None, bytes]:
    """The header of the last answer in a record, as warcio reads it, and the octets that were read beyond it.

    Answers of the class 1xx come before the one that was asked for (RFC 9110 15.2), but for 101, behind which another
    protocol begins. HTTP/0.9 has no header: then it is None, and the octets are the front of the content.

    Args:
        source: the octets of the record.
        most: how many octets all these headers may have.

    Raises:
        UnreadableError: they have more.
    """
    parser = import_module("warcio.statusandheaders").StatusAndHeadersParser((), verify=False)
    lines = _HeaderLines(source, most)
    while True:
        first = source.readline(_LONGEST_LINE)
        if not _STATUS_LINE.match(first):
            return None, first
        header = parser.parse(lines, first)
        if not _INTERIM.match(header.get_statuscode()):
            return header, b""


_STATUS_LINE = pattern(rb"HTTP/[0-9.]++[ \t]++[0-9]{3}(?![0-9])")
_INTERIM = pattern(r"1(?!01)")


class _HeaderLines:
    """The lines of headers, which together may have a number of octets at most."""

    def __init__(self, source: Source, most: int) -> None:
        self._source, self._most, self._left = source, most, most

    def readline(self) -> bytes:
        line = self._source.readline(self._left)
        self._left -= len(line)
        if not self._left:
            raise UnreadableError(f"a header longer than {self._most:,} bytes")
        return line


def content_of(source: Source, header: Any | None, front: bytes = b"") -> tuple[Read, int]:
    """What reads the content of an answer, and how many octets that must have at least.

    Args:
        source: where its octets come from.
        header: its header, as warcio reads it; None if it has none.
        front: the octets before those of the source; only content without a header has them.
    """
    if header is None:
        return _PutBack(front, source.read).read, 0
    coding, transfer, length = (_value_of(header, name) for name in _FIELDS)
    if "chunked" in _members(transfer):
        return unpacked(_Chunks(source).read, coding), 0
    read = unpacked(source.read, coding)
    lengths = _members(length)  # several equal ones are one (RFC 9110 8.6)
    is_stated = len(set(lengths)) == 1 and lengths[0].isdecimal() and read == source.read
    return read, int(lengths[0][:16]) if is_stated else 0


_FIELDS = ("content-encoding", "transfer-encoding", "content-length")


def _value_of(header: Any, name: str) -> str:
    """The values of all fields of a name as one list (RFC 9110 5.3)."""
    return ", ".join(value for field, value in header.headers if field.lower() == name)


def unpacked(read: Read, coding: str) -> Read:
    """What reads content of a coding, the value of the field Content-Encoding (RFC 9110 8.4)."""
    packings = [packing for packing in _members(coding) if packing in _PACKINGS]
    if _UNREADABLE in packings or _DEFLATE in packings[:-1]:  # then it is packed once more, by the last one
        return partial(_refuse, ", ".join(packings))
    return _Deflated(read).read if _DEFLATE in packings else read


def _members(value: str) -> list[str]:
    """The members of a list in the value of a field (RFC 9110 5.6.1), in lower case."""
    return [member.strip().lower() for member in value.split(",")]


def _refuse(packings: str, _size: int) -> bytes:
    raise UnreadableError(f"its content is packed by {packings}, which is not read")


class _PutBack:
    """Octets that were read already, and those behind them."""

    def __init__(self, front: bytes, behind: Read) -> None:
        self._front, self._behind = front, behind

    def read(self, size: int) -> bytes:
        block, self._front = self._front[:size], self._front[size:]
        return block or self._behind(size)


class _Chunks:
    """Takes content out of its chunks. What has none, though its header says so, is read as it is."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._left = 0
        """How many octets of the chunk were not read yet."""
        self._line: bytes | None = None
        """The line before the next chunk; None before anything was read."""
        self._end = b"\r\n"
        """How that line ended; the chunk does too."""
        self._plain: _PutBack | None = None
        """The content, if there are no chunks."""

    def read(self, size: int) -> bytes:
        if self._line is None:
            self._line = self._source.readline(_LONGEST_LINE)
            if self._line and not _SIZE.fullmatch(self._line):
                self._plain = _PutBack(self._line, self._source.read)
        if self._plain:
            return self._plain.read(size)
        if not self._left:
            self._left = self._size()
            if not self._left:
                if not _TRAILER.fullmatch(self._source.read(_BLOCK)):
                    raise UnreadableError("octets stand behind its last chunk, which are not read")
                return b""
        block = self._source.read(min(size, self._left))
        if not block:
            raise UnreadableError("its content is cut off in a chunk")
        self._left -= len(block)
        if not self._left:
            if self._source.read(len(self._end)) != self._end:
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
        self._end = b"\r\n" if self._line.endswith(b"\r\n") else b"\n"
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
            # Fewer octets may begin both packed data and a text.
            ahead = self._ahead = self._at_least(_FEWEST)
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
        rest = self._unpack.unused_data
        most = max(_CHECKSUMS)
        while (len(rest) <= most or _is_no_text(rest)) and (block := self._packed(_BLOCK)):
            rest = rest[:most] + rest[most:].strip(_PADDING) + block
        if not _is_no_text(rest):
            raise UnreadableError("its content is packed, and octets stand behind that, which are not read")
        return b""

    def _at_least(self, size: int) -> bytes:
        """The first octets, so many at least if there are."""
        front = b""
        while len(front) < size and (block := self._packed(_BLOCK)):
            front += block
        return front


_FEWEST = 64
"""Octets that show whether content is packed."""

_TEXT = pattern(rb"[\t\n\r\x1b -~\x80-\xff]*+")
_CHECKSUMS = (4, 8)
"""The octets behind the data in the frames of zlib and gzip, of which some servers cut off the beginning only."""

_PADDING = b"\0 \t\r\n"


def _is_no_text(rest: bytes) -> bool:
    """Whether nothing but a checksum and padding stands behind packed content."""
    return any(len(rest) >= size and not rest[size:].strip(_PADDING) for size in (0, *_CHECKSUMS))


_FRAMES = (zlib.MAX_WBITS, -zlib.MAX_WBITS)
"""How zlib is told that there is a frame, and that there is none."""


def _begun(packed: bytes, bits: int) -> zlib._Decompress | None:
    """What unpacks data that begin so; None if they are not packed in this way."""
    trial = zlib.decompressobj(bits)
    try:
        trial.decompress(packed, _BLOCK)
    except zlib.error:
        return None
    # Some texts begin as data without a frame do, which end at once.
    is_text = bits < 0 and trial.unused_data.strip() != b"" and _TEXT.fullmatch(packed) is not None
    return zlib.decompressobj(bits) if packed and not is_text else None
