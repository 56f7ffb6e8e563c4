"""Files of rows. A file gets its name only when it is complete, and one process alone writes it.

Whoever writes a file has its part file locked, also who writes it in its place.
"""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import ENOLCK, ENOSYS, EOPNOTSUPP
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeGuard

from urlglean.errors import OutputError
from urlglean.output.remote_file import remote_file
from urlglean.remote_urls import as_path

Cut = Callable[[int], None]
"""Cuts off what is torn at the end of an open file, given by its descriptor."""


class DiscardError(Exception):
    """Ends the block of `part_file` without an error: what was written is deleted, and `path` stays as it was."""


class FileId(NamedTuple):
    """The identity of a file, which is the same under all its names."""

    device: int
    inode: int


def file_id(where: str | Path | int) -> FileId | None:
    """The identity of the regular file at a path, a URL of a file here, or a descriptor.

    None if there is nothing or something else.
    """
    try:
        found = os.stat(as_path(where) if isinstance(where, str) else where)  # noqa: PTH116  a descriptor has no Path
    except (OSError, ValueError):  # ValueError: a name with a NUL character
        return None
    return FileId(found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


Target = Path | str
"""A file to write: a path here, or a URL of fsspec, whose file lies elsewhere."""


def part_of(path: Path) -> Path:
    """The path of the file that holds the rows for `path` until all are written. A symbolic link is followed first."""
    target = path.resolve()
    return target.with_name(f"{target.name}.part")


def is_row_file(path: Target) -> TypeGuard[Path]:
    """Whether rows for `path` are written to a part file first: only if it is a regular file or does not exist.

    A name of an open descriptor is neither, whatever the descriptor leads to; nor is a file elsewhere.
    """
    return isinstance(path, Path) and descriptor_of(path) is None and (path.is_file() or not path.exists())


_DESCRIPTORS = ("/dev/fd", "/proc/self/fd", "/proc/thread-self/fd")
_MOST_LINKS = 40
"""So many symbolic links may lead to a file on Linux (path_resolution(7))."""


def descriptor_of(path: Path) -> int | None:
    """The open descriptor of this process that a path names, such as /dev/stdout and /dev/fd/3; None if it names none.

    The path may be a symbolic link to such a name. What is written to it has to go into the stream: a file to which the
    stream leads may hold other output, before and behind.
    """
    folders = {Path(folder).resolve() for folder in _DESCRIPTORS if Path(folder).is_dir()}
    for _ in range(_MOST_LINKS):
        if path.name.isdecimal() and path.parent.resolve() in folders:
            return int(path.name)
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return None


@contextmanager
def row_file(path: Target, *, keep: int = 0, ours: bool = False, cut: Cut | None = None) -> Iterator[BinaryIO]:
    """Open a stream for rows, each of which ends in a line feed.

    Rows are written to a part file (see `part_file`). If an error or Ctrl-C ends the block, it keeps the rows so far,
    cut after the last complete one. What is not a regular file (a device, a named pipe) is written directly, and so is
    an open descriptor. A file elsewhere is as in `remote_file`.

    Args:
        path: the file.
        keep: as in `part_file`.
        ours: as in `part_file`.
        cut: as in `part_file`; None for plain lines.

    Raises:
        OutputError: as in `part_file`.
        OSError: the file cannot be made or written.
    """
    if is_row_file(path):
        with part_file(path, keep=keep, ours=ours, cut=cut or _cut_torn_row) as stream:
            yield stream
    elif isinstance(path, str):
        with remote_file(path) as stream:
            yield stream
    else:
        descriptor = descriptor_of(path)
        with named_errors(path), path.open("wb") if descriptor is None else os.fdopen(os.dup(descriptor), "wb") as out:
            yield out


@contextmanager
def part_file(path: Path, *, keep: int = 0, ours: bool = False, cut: Cut | None = None) -> Iterator[BinaryIO]:
    """Open `path.part`, which replaces `path` when the block ends, with the permissions that `path` had.

    All of it is on the disk before it gets its name. If an exception ends the block, `path` stays as it was, and the
    part file stays too, unless it is new and empty, or the exception is a `DiscardError`. Meanwhile no other process
    can open the part file in this way.

    Args:
        path: the file.
        keep: how many bytes of an existing part file to keep, which an earlier run has written. The rest is cut off.
        ours: whether an existing part file is known to be that of an earlier run, so that it may be written anew.
        cut: called with the descriptor of the part file if an exception ends the block, to cut off what is torn.

    Raises:
        OutputError: another process writes the part file; or it is there, is not empty, and not known to be ours.
        OSError: the file cannot be made or written.
    """
    part = part_of(path)
    new = not part.exists()
    with own_part(path, ours=bool(ours or keep)) as descriptor:
        stream = open(descriptor, "wb", closefd=False)  # noqa: SIM115  closed below, whatever happens
        try:
            with named_errors(path):
                stream.truncate(keep)
                stream.seek(keep)
            yield stream
            with named_errors(path):
                stream.close()
                keep_mode(path)
                os.fsync(descriptor)  # otherwise the new name might reach the disk before the rows
                give_name(path)
        except BaseException as error:
            with suppress(OSError):  # report the first error, not this one or the next
                stream.close()
            with suppress(OSError):
                if cut:
                    cut(descriptor)
                if isinstance(error, DiscardError) or (new and not os.fstat(descriptor).st_size):
                    part.unlink()
            raise


@contextmanager
def only_writer(path: Path) -> Iterator[None]:
    """Keep other processes from writing the file at `path`, which this one writes in its place.

    Its part file is there meanwhile, and empty. A process that is killed leaves it; whoever comes next takes it over.

    Raises:
        OutputError: as in `own_part`.
        OSError: the part file cannot be made.
    """
    with own_part(path):
        try:
            yield
        finally:
            part_of(path).unlink(missing_ok=True)  # while it is locked


@contextmanager
def own_part(path: Path, *, ours: bool = False) -> Iterator[int]:
    """Have the part file for `path` locked, which is made if it is missing; its descriptor.

    Args:
        path: the file.
        ours: as in `part_file`.

    Raises:
        OutputError: another process has it; or it is not empty, and not known to be ours.
        OSError: it cannot be made.
    """
    with named_errors(path):
        descriptor = locked(part_of(path), private=path.exists())
    if descriptor is None:
        raise OutputError(f"{path} is being written by another run")
    try:
        if not ours:
            refuse_other(part_of(path))
        yield descriptor
    finally:
        os.close(descriptor)


def refuse_other(part: Path) -> None:
    """Check that a part file that is not known to be ours is missing or empty.

    Raises:
        OutputError: it holds something.
    """
    if part.exists() and part.stat().st_size:
        raise OutputError(f"{part} is there, and is not of this run: move it away, unless an interrupted scan needs it")


def refuse_written(path: Path) -> None:
    """Check that no other run writes a file.

    Raises:
        OutputError: one does.
        OSError: its part file cannot be opened.
    """
    part = part_of(path)
    if part.exists():
        if (descriptor := locked(part)) is None:
            raise OutputError(f"{path} is being written by another run")
        os.close(descriptor)


def remove_part(part: Path) -> None:
    """Delete a part file that an earlier run has left, if it is there and no other process writes it.

    Raises:
        OutputError: something else than a regular file is there.
        OSError: it cannot be opened or deleted.
    """
    if part.exists() and (descriptor := locked(part)) is not None:
        try:
            part.unlink()
        finally:
            os.close(descriptor)


def keep_mode(path: Path) -> None:
    """Give the part file for `path` the permissions of the file that it is to replace, if there is one."""
    with suppress(FileNotFoundError, PermissionError):  # some file systems have no permissions
        part_of(path).chmod(path.stat().st_mode & 0o777)


def give_name(path: Path) -> None:
    """Rename the part file for `path`, so that it replaces `path`."""
    part = part_of(path)
    part.replace(path.resolve())
    sync_folder(part.parent)


def locked(path: Path, *, private: bool = False) -> int | None:
    """A descriptor for reading and writing the file at `path`, which is made if it is missing.

    Returns None if another process has it.

    The file is locked by flock(2) until the descriptor is closed or the process ends in any way. The lock is that of
    the descriptor: it stays when this process opens and closes the file by another one, unlike a lock of lockf(3).
    Linux gives such locks to the server of an NFS mount, so that they hold between machines. Some file systems have no
    locks; files there are not locked.

    Args:
        path: the file. A symbolic link is not followed.
        private: whether only the owner may read and write a file that is made.

    Raises:
        OutputError: something else than a regular file is there.
        OSError: the file cannot be made or opened.
    """
    import fcntl  # noqa: PLC0415  POSIX only; the library does without

    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    while True:
        descriptor = os.open(path, flags, 0o600 if private else 0o666)
        if file_id(descriptor) is None:
            os.close(descriptor)
            raise OutputError(f"{path} is there, and is no regular file")
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        except OSError as error:
            if error.errno not in {ENOLCK, ENOSYS, EOPNOTSUPP}:
                os.close(descriptor)
                raise
        if file_id(descriptor) == file_id(path):
            return descriptor
        os.close(descriptor)  # the process that had it has just renamed or deleted it


@contextmanager
def named_errors(path: Path | str) -> Iterator[None]:
    """Give each `OSError` of the block the name of the file that was written, if it names none."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:  # else it is one of ours
            error.filename = str(path)
        raise


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder have reached the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _cut_torn_row(descriptor: int) -> None:
    if os.fstat(descriptor).st_size:  # an empty file cannot be mapped
        with mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ) as held:
            whole = held.rfind(b"\n") + 1
        os.ftruncate(descriptor, whole)
