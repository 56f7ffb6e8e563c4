"""Files of rows. A file gets its name only when it is complete."""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple


class FileId(NamedTuple):
    """The identity of a file, which is the same under all its names."""

    device: int
    inode: int


def file_id(where: str | Path | int) -> FileId | None:
    """The identity of the regular file at a path or descriptor; None if there is nothing or something else."""
    try:
        found = os.stat(where)  # noqa: PTH116  a descriptor has no Path
    except (OSError, ValueError):  # ValueError: a name with a NUL character
        return None
    return FileId(found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def part_of(path: Path) -> Path:
    """The path of the file that holds the rows for `path` until all are written. A symbolic link is followed first."""
    target = path.resolve()
    return target.with_name(f"{target.name}.part")


def is_row_file(path: Path) -> bool:
    """Whether rows for `path` are written to a part file first: only if it is a regular file or does not exist."""
    return path.is_file() or not path.exists()


@contextmanager
def row_file(path: Path, *, keep: int = 0) -> Iterator[BinaryIO]:
    """Open a stream for rows, each of which ends in a line feed.

    Rows are written to `path.part`, which replaces `path` when the block ends. If an error or Ctrl-C ends the block,
    `path` stays as it was and `path.part` keeps the rows so far, cut after the last complete one. What is not a regular
    file (a device, a named pipe) is written directly.

    Args:
        path: the file.
        keep: how many bytes of an existing `path.part` to keep, which an earlier run has written. The rest is cut off.

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
        os.fsync(stream.fileno())  # otherwise the new name might reach the disk before the rows
        stream.close()
    except BaseException:
        with suppress(OSError):  # report the first error, not this one
            stream.close()
        _cut_torn_row(part)
        raise
    part.replace(path.resolve())
    sync_folder(part.parent)


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder have reached the disk."""
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
