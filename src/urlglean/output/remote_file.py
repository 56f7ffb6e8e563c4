"""Files elsewhere, named by a URL of fsspec, to which rows are written. Such a file is there when it is complete.

In an object store a file appears as a whole when its upload is completed, and an upload that is not is invisible. File
systems without such a thing are asked to write to a temporary name. If they cannot do that either, what was written is
deleted where writing fails.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EIO
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from urlglean.errors import MissingExtraError
from urlglean.remote_urls import cause_of_fault

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_PART = 1 << 25
"""Octets that are sent at a time. They are in memory, two or three times; S3 takes 10,000 such parts, so 335 GB."""


@contextmanager
def remote_file(url: str) -> Iterator[BinaryIO]:
    """Open a file elsewhere for writing. It is there when the block ends; if an exception ends it, it is not.

    A file that was there before is replaced then, and stays as it was otherwise.

    Raises:
        MissingExtraError: fsspec is not installed.
        OSError: the file cannot be made or written; it has the URL as its file name, and a cause.
    """
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415  an extra
    except ImportError:
        raise MissingExtraError(f"{url} lies elsewhere; to write it, install the package fsspec") from None
    with _told(url):
        system, name = url_to_fs(url, skip_instance_cache=True)  # the transaction is that of this file alone
        system.start_transaction()  # so that no file appears before it is committed
        file = system.open(name, "wb", block_size=_PART)
    try:
        with _told(url):
            _begin(file)
        yield cast("BinaryIO", _Writer(file, url))
        with _told(url):
            file.close()
            getattr(file, "commit", _nothing)()
    except BaseException:
        with suppress(Exception):  # report the first error, not this one
            getattr(file, "discard", lambda: system.rm_file(name))()
        with suppress(AttributeError):  # otherwise it would be written when it is forgotten
            file.closed = True
        raise


def _nothing() -> None: ...


def _begin(file: Any) -> None:
    """Begin the upload, if the file has such a thing: what is denied is told now, not after the first part."""
    if getattr(file, "offset", 0) is None:
        file.offset = 0
        file._initiate_upload()  # noqa: SLF001  the method that the classes of fsspec's file systems define


class _Writer(io.RawIOBase):
    """A file elsewhere as a stream whose errors are those of the system; pyarrow asks for all of `RawIOBase`."""

    def __init__(self, file: Any, url: str) -> None:
        self._file, self._url, self._size = file, url, 0

    def writable(self) -> bool:
        return True

    def write(self, octets: ReadableBuffer, /) -> int:
        with _told(self._url):
            self._file.write(octets)
        size = memoryview(octets).nbytes
        self._size += size
        return size

    def tell(self) -> int:
        return self._size


@contextmanager
def _told(url: str) -> Iterator[None]:
    """Raise each exception of the block as an `OSError` with the URL and the cause.

    Each protocol has exceptions of its own; and a broken connection is not the closed pipe of a reader who has enough.
    """
    try:
        yield
    except Exception as error:
        raise OSError(EIO, cause_of_fault(error), url) from error
