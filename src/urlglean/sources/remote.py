"""Files that lie elsewhere: paths that are URLs of fsspec, such as `s3://bucket/mail/`, `https://h.example/box.mbox`.

This needs fsspec, which the extra `remote` installs, and the package of the protocol: s3fs, gcsfs, aiohttp ...
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from pathlib import PurePosixPath
from typing import IO, Any, cast

from msgspec import Struct

from urlglean.bounds import Bounds
from urlglean.errors import UnreadableError
from urlglean.records import Trouble
from urlglean.remote_urls import as_path, cause_of_fault
from urlglean.sources.folders import (
    LINK_TO_FOLDER,
    UNDELIVERED,
    UNIQUE_NAME,
    by_number,
    is_one_message,
    left_out,
    special,
)
from urlglean.sources.http_content import Read, unpacked
from urlglean.sources.items import Opened, Skipped
from urlglean.sources.streams import HEAD, Stream

_VERSION = ("size", "ETag", "etag", "md5Hash", "mtime", "LastModified", "last_modified", "created")
"""The details of a file that change with it; each file system has some."""

_VERSION_FIELDS = ("Content-Length", "ETag", "Last-Modified")
"""Those of them that a web server tells with the file (RFC 9110 8.6, 8.8)."""

_FIELDS_OF_END = ("Content-Length", "Transfer-Encoding")
"""The fields that tell where an answer ends (RFC 9112 6.3 (4), (6))."""

_PATIENCE = 60.0
"""Seconds to wait for a connection to a web server, for an answer that tells of a file, and for each stretch of one."""

_WATCH = "raise_for_status"
"""The argument by which aiohttp is given something to call with an answer, before the answer is read."""

_BLOCK = 1 << 22
"""Octets that are asked for at a time. Some file systems would keep 50 MB in memory by default."""


class RemoteFile(Struct, frozen=True):
    """A file elsewhere.

    Attributes:
        path: its URL.
        size: how many octets it has; None if its file system does not tell.
        one_message: whether its folder keeps each message in its own file.
        version: what its file system told of it before it was opened, as in `items.Opened`.
        folder: the URL of the folder under which it was found; "" if its own was given.
        name: how the file system of that folder names it.
    """

    path: str
    size: int | None
    one_message: bool
    version: str = ""
    folder: str = ""
    name: str = ""


def remote_files(url: str) -> Iterator[RemoteFile | Skipped | Trouble]:
    """The files at and under a URL, in the order in which those of a folder are read. It does not raise."""
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415  an extra
    except ImportError:
        yield Trouble(url, "it lies elsewhere; to read it, install the package fsspec")
        return
    try:
        system, name = url_to_fs(url)
        # Over HTTP these are two requests, if the answer to the first is not enough.
        details = system.info(name, **({"timeout": 2 * _PATIENCE} if _is_http(url) else {}))
        if details["type"] != "directory":
            yield RemoteFile(url, details.get("size"), is_one_message(PurePosixPath(name).parts), _version(details))
            return
        found = system.find(name, detail=True)
    except Exception as error:  # noqa: BLE001  each protocol has exceptions of its own
        yield Trouble(url, cause_of_fault(error))
        return
    files = map(PurePosixPath, found)
    # `new` and `tmp` are usual names of other folders as well, so a message must be in `new`, as in `folders`.
    maildirs = {each.parent for each in files if each.parent.name != "new" or UNIQUE_NAME.match(each.name)}
    for below, details in sorted(found.items(), key=lambda each: [by_number(part) for part in each[0].split("/")]):
        where = system.unstrip_protocol(below)
        parts = PurePosixPath(below.removeprefix(name)).parts
        folder = PurePosixPath(below).parent
        in_maildir = folder.name == "tmp" and not maildirs.isdisjoint({folder.parent / "cur", folder.parent / "new"})
        one_message = is_one_message(PurePosixPath(below).parts)
        file = RemoteFile(where, details.get("size"), one_message, _version(details), url, below)
        cause = _no_file(where) if details.get("type") == "other" else UNDELIVERED if in_maildir else None
        cause = cause or left_out(parts, partial(_head, file))
        yield Skipped(where, cause) if cause else file


def _no_file(where: str) -> str | None:
    """Why something that is no file to fsspec is not read, such as a FIFO, which would be waited for.

    None if it is read: a link to a file is none to fsspec, and opening a link that leads nowhere tells the cause.
    """
    path = as_path(where)
    if path == where:
        return "neither a file nor a folder"
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except OSError:
        return None
    return LINK_TO_FOLDER if stat.S_ISDIR(mode) else special(mode)


def _head(file: RemoteFile) -> bytes:
    """The first bytes of a file elsewhere; none if they cannot be read."""
    try:
        with opened_remote(file) as lying:
            return lying.read(HEAD)
    except Exception:  # noqa: BLE001  each protocol has exceptions of its own
        return b""


def opened_remote(file: RemoteFile) -> IO[bytes]:
    """A file elsewhere, open for reading.

    Raises:
        Exception: it cannot be opened; each protocol has exceptions of its own.
    """
    from fsspec.core import url_to_fs  # noqa: PLC0415

    # What was found is not opened by its URL: "::" in its name would divide two file systems.
    system, name = url_to_fs(file.folder or file.path)
    name = file.name or name
    if not _is_over_http(file):
        lying = system.open(name, "rb", block_size=_BLOCK)
        with suppress(AttributeError):
            lying.fs = system  # that of an archive closes the archive when nobody holds it any more
        return cast("IO[bytes]", lying)
    lying = system.open(name, "rb", **_of_one_answer(file, system))
    if lying.r.status == HTTPStatus.PARTIAL_CONTENT:
        lying.close()
        raise UnreadableError("the server gives a part of it, for which nobody has asked")
    return cast("IO[bytes]", lying)


def remote_as_opened(file: RemoteFile, lying: Any) -> Opened:
    """What is told of an open file elsewhere: over HTTP by the answer itself, else where it was found."""
    version = _told(lying.r.headers, _VERSION_FIELDS) if _is_over_http(file) else file.version
    return Opened(file.path, file.size or 0, version)


def remote_stream(file: RemoteFile, lying: Any, bounds: Bounds) -> Stream:
    """The stream of an open file elsewhere. What fails while it is read becomes a trouble of the stream."""
    if not _is_over_http(file):
        least = file.size or 0
        return Stream(file.path, lying.read, one_message=file.one_message, file=lying, least=least, bounds=bounds)
    read: Read = partial(lying.kwargs[_WATCH].read, lying)
    least = file.size or 0
    if coding := lying.r.headers.get("Content-Encoding"):
        read, least = unpacked(read, coding), 0  # its size is told of what is not packed, and is unknown then
    return Stream(file.path, read, one_message=file.one_message, least=least, bounds=bounds)


class _Watch:
    """Learns why the connection of an answer over HTTP ends, if the answer does not tell its own end.

    Then it ends where the connection does (RFC 9112 6.3 (8)). To aiohttp it is whole, even if the connection broke.
    """

    def __init__(self) -> None:
        self._closed: Any = None

    async def __call__(self, answer: Any) -> None:
        """Called by aiohttp when it has read the header. Later it would not tell any more how the connection ended."""
        if answer.connection and not any(field in answer.headers for field in _FIELDS_OF_END):
            self._closed = getattr(answer.connection.protocol, "closed", None)  # aiohttp has it since its version 3.12
            if self._closed is not None:
                self._closed.add_done_callback(_fault_of)  # else asyncio would print a fault that nobody asks for

    def read(self, lying: Any, size: int) -> bytes:
        octets: bytes = lying.read(size)
        if not octets and self._closed is not None and (fault := _fault_of(self._closed)):
            raise fault
        return octets


def _fault_of(closed: Any) -> BaseException | None:
    return None if closed.cancelled() or not closed.done() else closed.exception()


def _is_over_http(file: RemoteFile) -> bool:
    return _is_http(file.folder or file.path)


def _is_http(url: str) -> bool:
    return url.startswith(("http://", "https://"))


def _of_one_answer(file: RemoteFile, system: Any) -> dict[str, Any]:
    """How a file is opened over HTTP so that it is read from one answer, as the server sends it.

    If it were asked for in ranges, each might be of another version of it, or not what was asked for.
    """
    from aiohttp import ClientTimeout  # noqa: PLC0415  it is there if the file system is

    return {
        "block_size": 0,
        "size": file.size or -1,  # without one, the server would be asked for it once more
        "headers": {**system.kwargs.get("headers", {}), "Accept-Encoding": "identity"},
        "auto_decompress": False,
        _WATCH: _Watch(),
        "timeout": ClientTimeout(total=None, sock_connect=_PATIENCE, sock_read=_PATIENCE),
    }


def _version(details: Mapping[str, object]) -> str:
    return _told(details, _VERSION)


def _told(details: Mapping[str, object], keys: Iterable[str]) -> str:
    return " ".join(str(details[key]) for key in keys if details.get(key) is not None)
