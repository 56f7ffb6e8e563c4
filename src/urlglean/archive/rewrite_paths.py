"""Writes paths anew: files, folders, stdin."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import IO, BinaryIO

from urlglean.archive.rewrite import RewriteOptions
from urlglean.archive.rewrite_files import Outcome, Source, rewrite_file
from urlglean.archive.rewrite_trees import look_at_tree, rewrite_tree
from urlglean.archive.staging import staged
from urlglean.errors import OutputError, UnreadableError
from urlglean.records import STDIN
from urlglean.sources.changes import Watch, watched_input
from urlglean.sources.folders import in_maildir

_DESCRIPTORS = Path("/proc/self/fd")
"""Linux opens the files of a process anew by these names."""

_BLOCK = 1 << 20
"""So many octets of a pipe are copied at a time."""

Outcomes = Generator[Outcome, None, None]
"""Whoever does not iterate to the end must close it."""


def rewrite_to_path(paths: Sequence[str], out: Path, options: RewriteOptions) -> Outcomes:
    """Write one path anew as `out`, or several as entries of a folder `out`, with their last names.

    `out` gets its name when all is written. If that fails, there is none.

    Args:
        paths: files, folders; or "-" alone, which is stdin.
        out: where to write. Nothing of that name exists.
        options: what is written anew.

    Yields:
        As `rewrite_tree`.

    Raises:
        OutputError: `out` exists, or lies in one of the paths; two paths have the same last name.
        OSError: a path cannot be read, or `out` cannot be written.
    """
    for path in paths:
        _refuse_nested(path, out)
    if len(paths) == 1:
        (path,) = paths
        is_folder = path != STDIN and Path(path).is_dir()
        with staged(out, folder=is_folder) as part:
            yield from _one(path, part, options)
        return
    names = _names(paths)
    with staged(out, folder=True) as part:
        for path, name in zip(paths, names, strict=True):
            place = part / name
            if Path(path).is_dir():
                place.mkdir()
            yield from _one(path, place, options)


def rewrite_to_stream(path: str, out: BinaryIO, options: RewriteOptions) -> Outcomes:
    """Write a file, or stdin for "-", anew into a stream.

    Yields:
        As `rewrite_file`.

    Raises:
        OSError: as there.
        OutputError: as there.
    """
    with _seekable(path, options.glean.bounds.spooled) as file:
        yield from rewrite_file(_source(file, path), out, options)


def looked_at(paths: Iterable[str], options: RewriteOptions) -> Outcomes:
    """What would be changed in paths. Nothing is written."""
    for path in paths:
        if path == STDIN or not Path(path).is_dir():
            with _seekable(path, options.glean.bounds.spooled) as file:
                yield from rewrite_file(_source(file, path), None, options)
        else:
            yield from look_at_tree(Path(path), options)


def _source(file: Path, path: str) -> Source:
    return Source(file, path, path != STDIN and in_maildir(path))


def _one(path: str, place: Path, options: RewriteOptions) -> Iterator[Outcome]:
    if path != STDIN and Path(path).is_dir():
        yield from rewrite_tree(Path(path), place, options)
        return
    with _seekable(path, options.glean.bounds.spooled) as file:
        with place.open("wb") as out:
            yield from rewrite_file(_source(file, path), out, options)
        if path != STDIN:
            shutil.copystat(path, place)


@contextmanager
def _seekable(path: str, most: int) -> Iterator[Path]:
    """A regular file with the octets of a file, a pipe or stdin: each is read twice.

    Raises:
        UnreadableError: it cannot be opened, or it is no regular file and has more than `most` octets.
        OSError: it cannot be read.
    """
    if path != STDIN and stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 - Path('') would be the current directory
        _opened(path).close()
        yield Path(path)
        return
    # Nothing is left of a file without a name, however the process ends.
    with TemporaryFile() if _DESCRIPTORS.is_dir() else NamedTemporaryFile() as spooled:
        if path != STDIN:
            with _opened(path) as source:
                _spool(path, source, spooled, most)
        elif sys.stdin is None:
            raise OutputError("stdin is closed")
        elif (known := watched_input(sys.stdin.buffer)) is None:
            _spool(path, sys.stdin.buffer, spooled, most)
        else:
            watch, left = known
            _spool(path, watch, spooled, sys.maxsize)
            if spooled.tell() < left or watch.has_changed():
                raise UnreadableError(f"{path}: it was changed while it was read")
        spooled.flush()
        yield Path(spooled.name) if isinstance(spooled.name, str) else _DESCRIPTORS / str(spooled.fileno())


def _spool(path: str, source: BinaryIO | Watch, out: IO[bytes], most: int) -> None:
    while block := source.read(_BLOCK):
        out.write(block)
        if out.tell() > most:
            raise UnreadableError(f"{path}: longer than {most:,} bytes; to rewrite it, write it to a file first")


def _opened(path: str) -> BinaryIO:
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise UnreadableError(f"{path}: {error.strerror}") from error


def _refuse_nested(path: str, out: Path) -> None:
    if path == STDIN:
        return
    source, target = Path(path).resolve(), out.resolve()
    if source == target or source in target.parents or target in source.parents:
        raise OutputError(f"{out} and {path} lie in one another: what is written needs a place of its own")


def _names(paths: Sequence[str]) -> list[str]:
    """The last names of paths.

    Raises:
        OutputError: two are the same, or one has none.
    """
    names = [path if path == STDIN else Path(path).absolute().resolve().name for path in paths]
    for path, name in zip(paths, names, strict=True):
        if name in {"", STDIN} or names.count(name) > 1:
            raise OutputError(f"{path}: each PATH needs a name of its own in the folder that is written")
    return names
