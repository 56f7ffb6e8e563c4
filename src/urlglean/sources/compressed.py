"""Compressed files, undone as they are read: nothing is written to disk, and bombs are stopped by bounds."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from collections.abc import Callable
from typing import IO, cast

from msgspec import Struct

from urlglean.errors import UnreadableError
from urlglean.sources.streams import Stream

MAX_LAYERS = 4
"""Compressions within one another that are undone."""

MAX_UNPACKED = 1 << 36
"""Bytes that one compressed file may unpack to."""

MAX_RATIO = 200
"""Bytes that each compressed byte may unpack to; mail unpacks to 3 to 20."""

FREE = 1 << 26
"""Bytes below which the ratio is not asked after: small files of one letter are harmless."""


class Compression(Struct, frozen=True):
    """A row: a compression's name, the bytes that such a file starts with, and what undoes it."""

    name: str
    magic: re.Pattern[bytes]
    open: Callable[[IO[bytes]], gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile]


COMPRESSIONS = (
    # RFC 1952 2.3.1; 8 is deflate, the only method there is.
    Compression("gzip", re.compile(rb"\x1f\x8b\x08"), lambda below: gzip.GzipFile(fileobj=below, mode="rb")),
    # The level, then the magic of the first block or, where there is none, of the end.
    Compression("bzip2", re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), bz2.BZ2File),
    Compression("xz", re.compile(rb"\xfd7zXZ\0"), lzma.LZMAFile),
)


def compression(head: bytes) -> Compression | None:
    """Give the compression that a file's first bytes show."""
    return next((row for row in COMPRESSIONS if row.magic.match(head)), None)


def unpacked(below: Stream, row: Compression) -> Stream:
    """Give the stream that lies in a compressed one.

    Broken or cut data end the stream with a trouble, after all that could be unpacked; so do the bounds above.
    """
    # The decompressors only ever call read(size), which Stream has; their stubs ask for a whole file.
    opened = row.open(cast("IO[bytes]", below))
    unpacked_so_far = 0

    def read1(size: int) -> bytes:
        nonlocal unpacked_so_far
        if unpacked_so_far > MAX_UNPACKED:
            raise UnreadableError(f"{row.name} data unpack to more than {MAX_UNPACKED:,} bytes")
        if unpacked_so_far > max(FREE, MAX_RATIO * below.count):
            raise UnreadableError(f"{row.name} data unpack to more than {MAX_RATIO} times their size")
        block = opened.read1(size)
        unpacked_so_far += len(block)
        return block

    return Stream(below.path, read1, below)
