"""The entries at a path, here or elsewhere, and what is read from each: files, repositories, stdin."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import IO, cast

from msgspec import Struct

from urlglean.bounds import Bounds
from urlglean.records import STDIN, Trouble
from urlglean.remote_urls import cause_of_fault, is_remote
from urlglean.sources.changes import CHANGED, Watch, watched_input
from urlglean.sources.detect import read
from urlglean.sources.folders import File, Repository, walk
from urlglean.sources.globs import EXCLUDED, Choice
from urlglean.sources.items import FromPath, Opened, Skipped
from urlglean.sources.public_inbox import read_repository
from urlglean.sources.remote import (
    RemoteFile,
    opened_remote,
    remote_as_opened,
    remote_files,
    remote_stream,
)
from urlglean.sources.streams import Stream


class Stdin(Struct, frozen=True):
    """Standard input."""

    path: str = STDIN


_ANY_BLOB = "\1" * 40
"""Stands for the name of any message in a repository, to which no pattern refers but one for all."""

Entry = File | RemoteFile | Repository | Stdin | Trouble | Skipped
"""Where documents are, or why there are none: plain data that can be sent to another process."""


def entries(path: str, *, by_name: bool, choice: Choice | None = None, stdin_name: str = STDIN) -> Iterator[Entry]:
    """The entries at and under a path, in the order of a scan.

    Args:
        path: a file, a folder, a URL of fsspec, or "-" for stdin.
        by_name: whether indexes and caches that are known by name are left out.
        choice: which files are read. A file that it does not include is an entry too, because it may be an archive.
        stdin_name: the path of what comes from stdin.
    """
    if path == STDIN:
        yield Stdin(stdin_name) if sys.stdin is not None else Trouble(stdin_name, "stdin is closed")
        return
    for entry in remote_files(path) if is_remote(path) else walk(path, by_name=by_name, choice=choice):
        is_repository = isinstance(entry, Repository)
        member = _ANY_BLOB if is_repository and entry.path != path else None
        cause = choice.left_out(entry.path, member) if choice else None
        if cause and (is_repository or (isinstance(entry, RemoteFile) and cause == EXCLUDED)):
            yield Skipped(entry.path, cause)
        else:
            yield entry


def read_entry(entry: Entry, kind: str | None, bounds: Bounds, choice: Choice | None = None) -> Iterator[FromPath]:
    """What is at an entry, as in `sources.bundled`. An article that is in several groups is read in each of them."""
    match entry:
        case File() | RemoteFile():
            try:
                lying = opened_file(entry)
            except Exception as error:  # noqa: BLE001  each protocol has exceptions of its own
                cause = choice.left_out(entry.path) if choice else None
                yield Skipped(entry.path, cause) if cause else Trouble(entry.path, cause_of_fault(error))
                return
            with lying:
                told = as_opened(entry, lying)
                yield told
                watch = watched(entry, lying)
                try:
                    yield from _read_watched(stream_of(entry, lying, told, bounds, watch), watch, kind, choice)
                except Exception as error:  # noqa: BLE001  the other files can still be read
                    yield Trouble(entry.path, cause_of_fault(error))
        case Repository():
            yield from read_repository(entry.path, bounds)
        case Stdin():
            yield from _read_stdin(entry.path, kind, bounds, choice)
        case _:
            yield entry


def _read_stdin(path: str, kind: str | None, bounds: Bounds, choice: Choice | None) -> Iterator[FromPath]:
    standard_input = cast("io.BufferedReader", sys.stdin.buffer)
    if (known := watched_input(standard_input)) is None:
        yield from read(Stream(path, standard_input.read1, bounds=bounds), kind, choice)
        return
    watch, left = known
    yield from _read_watched(Stream(path, watch.read, least=left, bounds=bounds), watch, kind, choice)


def _read_watched(stream: Stream, watch: Watch | None, kind: str | None, choice: Choice | None) -> Iterator[FromPath]:
    """What is in a stream, and a trouble if another program has written into its file meanwhile."""
    yield from read(stream, kind, choice)
    if watch and not stream.troubles and watch.has_changed():
        yield Trouble(stream.path, CHANGED)


_OF_PROCESS = ("/dev/fd/", "/proc/")
"""Where paths have a meaning for one process alone, such as `/dev/fd/63`. In `/dev` itself they have too."""


def looked_at(entry: Entry) -> tuple[int, bool]:
    """What the file system tells of an entry before it is opened.

    Returns:
        How many octets a file has, as far as it tells; 0 for everything else. And whether only this process can read
        it, and only once, such as a pipe.
    """
    if isinstance(entry, RemoteFile):
        return entry.size or 0, False
    if not isinstance(entry, File):
        return 0, False
    try:
        found = os.stat(entry.path)  # noqa: PTH116 -- Path('') would be the current directory
    except (OSError, ValueError):
        return 0, False
    return found.st_size, not stat.S_ISREG(found.st_mode) or _is_of_process(entry.path)


def _is_of_process(path: str) -> bool:
    folder = path[: path.rfind("/") + 1]
    absolute = _absolute(folder if folder.startswith("/") else f"{os.getcwd()}/{folder}")  # noqa: PTH109
    return absolute == "/dev/" or absolute.startswith(_OF_PROCESS)


@lru_cache(maxsize=1)
def _absolute(folder: str) -> str:
    """A folder without dots, with a slash at its end. Most files lie in the same folder as the one before."""
    return f"{os.path.abspath(folder)}/".replace("//", "/")  # noqa: PTH100 - two slashes at the beginning are kept


def number_of(lying: IO[bytes]) -> int | None:
    """The number by which its file system knows an open file, whatever its name (inode); None if there is none."""
    try:
        return os.fstat(lying.fileno()).st_ino
    except (OSError, AttributeError):
        return None


def opened_file(entry: File | RemoteFile) -> IO[bytes]:
    """A file, open for reading. It can seek if it is a regular file, or if its file system can read ranges.

    Raises:
        Exception: it cannot be opened; each protocol has exceptions of its own.
    """
    # A Path takes longer to make than a small file to read, and a buffer that nobody needs a third of the time to open.
    return open(entry.path, "rb", buffering=0) if isinstance(entry, File) else opened_remote(entry)  # noqa: PTH123


def as_opened(entry: File | RemoteFile, lying: IO[bytes]) -> Opened:
    """What is told of an open file."""
    if isinstance(entry, RemoteFile):
        return remote_as_opened(entry, lying)
    found = os.fstat(lying.fileno())
    size = found.st_size if stat.S_ISREG(found.st_mode) else 0
    return Opened(entry.path, size, f"{found.st_ino} {found.st_size} {found.st_mtime_ns}")


def watched(entry: File | RemoteFile, lying: IO[bytes]) -> Watch | None:
    """What tells whether an open file changes while it is read; None of a file elsewhere."""
    return Watch(lying) if isinstance(entry, File) else None


def stream_of(
    entry: File | RemoteFile, lying: IO[bytes], told: Opened, bounds: Bounds, watch: Watch | None = None
) -> Stream:
    """The stream of an open file, from its first octet. A file that has fewer octets than were told is a trouble.

    What is read of it in order is read through `watch`, if there is one.
    """
    if isinstance(entry, RemoteFile):
        return remote_stream(entry, lying, bounds)
    read1 = watch.read if watch else lying.read
    return Stream(entry.path, read1, one_message=entry.one_message, file=lying, least=told.size, bounds=bounds)
