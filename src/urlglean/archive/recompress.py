"""Packs octets as a file was packed: the other direction of `sources.compressed`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from tempfile import TemporaryFile
from typing import BinaryIO, cast

_MTIME = slice(4, 8)
"""Where the time stands in the header of gzip (RFC 1952 2.3)."""


def packed(name: str, head: bytes, out: BinaryIO) -> AbstractContextManager[BinaryIO]:
    """A stream of what is to be packed; all of it is in `out` when the block of this context ends.

    Args:
        name: the name of a row of `sources.compressed.COMPRESSIONS`. Its packages are there, because it was unpacked.
        head: the first octets of the file that was unpacked.
        out: where to write.
    """
    return _PACKERS[name](head, out)


def _gzip(head: bytes, out: BinaryIO) -> BinaryIO:
    import gzip  # noqa: PLC0415 - here and below, because most files are not compressed

    # The time that the file had is kept, so that the same input always gives the same octets.
    return cast("BinaryIO", gzip.GzipFile("", "wb", fileobj=out, mtime=int.from_bytes(head[_MTIME], "little")))


def _bzip2(_head: bytes, out: BinaryIO) -> BinaryIO:
    import bz2  # noqa: PLC0415

    return cast("BinaryIO", bz2.BZ2File(out, "wb"))


def _xz(_head: bytes, out: BinaryIO) -> BinaryIO:
    import lzma  # noqa: PLC0415

    return cast("BinaryIO", lzma.LZMAFile(out, "wb"))


def _lzma(_head: bytes, out: BinaryIO) -> BinaryIO:
    import lzma  # noqa: PLC0415

    return cast("BinaryIO", lzma.LZMAFile(out, "wb", format=lzma.FORMAT_ALONE))


def _zstd(_head: bytes, out: BinaryIO) -> BinaryIO:
    import zstandard  # noqa: PLC0415 - an extra

    return cast("BinaryIO", zstandard.ZstdCompressor().stream_writer(out, closefd=False))


@contextmanager
def _lzw(_head: bytes, out: BinaryIO) -> Iterator[BinaryIO]:
    import ncompress  # type: ignore[import-untyped]  # noqa: PLC0415 - an extra

    # The library packs a whole file at once.
    with TemporaryFile() as spooled, TemporaryFile() as coded:
        yield cast("BinaryIO", spooled)
        spooled.seek(0)
        ncompress.compress(spooled, coded)
        coded.seek(0)
        shutil.copyfileobj(coded, out)


_PACKERS: Mapping[str, Callable[[bytes, BinaryIO], AbstractContextManager[BinaryIO]]] = {
    "gzip": _gzip,
    "bzip2": _bzip2,
    "xz": _xz,
    "lzma": _lzma,
    "zstd": _zstd,
    "compress": _lzw,
}
