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


@contextmanager
def row_file(path: Path) -> Iterator[BinaryIO]:
    """A stream for rows, each of which ends in a line feed.

    They go to `path.part`, which takes the place of `path` when the block ends. Where it is left early, by an error or
    by Ctrl-C, `path` stays as it was and `path.part` keeps the rows so far, cut after the last whole one. What is no
    regular file (a device, a named pipe) is written straight.

    Raises:
        OSError: the file cannot be made or written.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    part = part_of(path)
    stream = part.open("wb")
    try:
        yield stream
        stream.close()
    except BaseException:
        with suppress(OSError):  # the first cause is the one to tell
            stream.close()
        _cut_torn_row(part)
        raise
    part.replace(path.resolve())


def _cut_torn_row(part: Path) -> None:
    with part.open("r+b") as stream:
        if os.fstat(stream.fileno()).st_size:  # an empty file cannot be mapped
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as held:
                whole = held.rfind(b"\n") + 1
            stream.truncate(whole)
