"""Files of rows: whole, or not there."""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple


class FileId(NamedTuple):
    """What tells one file from all others, whatever it is called."""

    device: int
    inode: int


def file_id(where: str | Path | int) -> FileId | None:
    """The identity of the regular file at a path or descriptor; None for anything else, or where nothing is."""
    try:
        found = os.stat(where)  # noqa: PTH116  a descriptor has no Path
    except (OSError, ValueError):  # ValueError: a name with a NUL character
        return None
    return FileId(found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def part_of(path: Path) -> Path:
    """Where the rows for `path` stand until all of them are written: a symbolic link is followed first."""
    target = path.resolve()
    return target.with_name(f"{target.name}.part")


def is_row_file(path: Path) -> bool:
    """Whether rows for `path` are kept in a part file first: what is no regular file is written straight."""
    return path.is_file() or not path.exists()


@contextmanager
def row_file(path: Path, *, keep: int = 0) -> Iterator[BinaryIO]:
    """A stream for rows, each of which ends in a line feed.

    They go to `path.part`, which takes the place of `path` when the block ends. Where it is left early, by an error or
    by Ctrl-C, `path` stays as it was and `path.part` keeps the rows so far, cut after the last whole one. What is no
    regular file (a device, a named pipe) is written straight.

    Args:
        path: the file.
        keep: bytes of `path.part` that a run before has written and that stay; what follows them goes.

    Raises:
        OSError: the file cannot be made or written.
    """
    if not is_row_file(path):
        with path.open("wb") as straight:
            yield straight
        return
    part = part_of(path)
    stream: BinaryIO = part.open("r+b" if keep else "wb")
    try:
        stream.truncate(keep)
        stream.seek(keep)
        yield stream
        stream.flush()
        os.fsync(stream.fileno())  # a name that reached the disk before the rows would be that of an empty file
        stream.close()
    except BaseException:
        with suppress(OSError):  # the first cause is the one to tell
            stream.close()
        _cut_torn_row(part)
        raise
    part.replace(path.resolve())
    sync_folder(part.parent)


def sync_folder(folder: Path) -> None:
    """See to it that the names in a folder reach the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _cut_torn_row(part: Path) -> None:
    with part.open("r+b") as stream:
        if os.fstat(stream.fileno()).st_size:  # an empty file cannot be mapped
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as held:
                whole = held.rfind(b"\n") + 1
            stream.truncate(whole)
