"""The items to be read: those at paths or in a stream, and cut into chunks that know how far the run has come."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Any
from zlib import crc32

from msgspec import Struct

from urlglean.bounds import DEFAULT, Bounds
from urlglean.errors import ResumeError
from urlglean.output.files import FileId, file_id
from urlglean.pipeline.glean import cause_of
from urlglean.records import Document, Trouble
from urlglean.sources import Bundle, Bundled, Skipped, bundled
from urlglean.sources.detect import read
from urlglean.sources.news import once
from urlglean.sources.streams import Stream

CHUNK = 1 << 19
"""Bytes of documents that a worker is handed at least, at a time: five milliseconds of work and more. A bundle has
twice as many; with bundles of an eighth of a megabyte to two, these gave the shortest runs (measured, two workers)."""

_LEAST = 1 << 10
"""What an item counts for at least, so that a chunk of a million empty ones is bounded too."""


def opened(
    paths: Iterable[str], *, kind: str | None = None, own: AbstractSet[FileId] = frozenset(), bounds: Bounds = DEFAULT
) -> Iterator[Bundled]:
    """The documents at `paths`, in bundles, with what each file was taken for before them, and what was not read.

    Args:
        paths: files, folders, or "-" for stdin.
        kind: what each file is taken for, as in `sources.bundled`.
        own: the files that are being written, which no run may take for its input.
        bounds: how much hostile input may come to.
    """
    for path in paths:
        yield from _guarded(path, partial(_items_at, path, kind, own, bounds))


def streamed(
    read1: Callable[[int], bytes], path: str, *, kind: str | None = None, bounds: Bounds = DEFAULT
) -> Iterator[Bundled]:
    """The documents in a stream of octets, told as those of a file.

    Args:
        read1: gives at most so many octets, and none at the end.
        path: what the stream is called.
        kind: what it is taken for, as in `sources.bundled`.
        bounds: how much hostile input may come to.
    """
    return _guarded(path, lambda: once(read(Stream(path, read1, bounds=bounds), kind), bounds.articles))


def _guarded(path: str, items: Callable[[], Iterable[Bundled]]) -> Iterator[Bundled]:
    """The items, and a trouble where they fail: nothing of them is read before the first is asked for."""
    try:
        yield from items()
    except Exception as error:  # noqa: BLE001  the other paths can still be read
        yield Trouble(path, cause_of(error))


def _items_at(place: str, kind: str | None, own: AbstractSet[FileId], bounds: Bounds) -> Iterator[Bundled]:
    path, is_own = None, False
    for item in bundled(place, kind=kind, bounds=bounds):
        if item.path != path:  # one look at the disk a file, not one a message
            path, is_own = item.path, bool(own) and file_id(item.path) in own
            if is_own:
                yield Skipped(path, "it is being written")
        if not is_own:
            yield item


class Position(Struct, frozen=True):
    """How far a run has come.

    Attributes:
        items: how many items were read.
        digest: CRC-32 of the name, size and time of change of each file that they came from.
        bytes: how much of the files on disk that was; packed bytes, where a file is compressed.
    """

    items: int = 0
    digest: str = ""
    bytes: int = 0


_fields_of = attrgetter(*Document.__struct_fields__)


class Chunk(Struct, frozen=True):
    """Items that are read together, the position behind them, and the bytes that they hold in memory."""

    items: Sequence[Bundled]
    end: Position
    size: int = 0

    def __reduce__(self) -> tuple[Callable[..., Chunk], tuple[object, ...]]:
        """Pickle the documents by columns: 2 us for each and back, of 3 kB; 4 us one by one (Python 3.11)."""
        rows = [_fields_of(item) for item in self.items if isinstance(item, Document)]
        others = [(at, item) for at, item in enumerate(self.items) if not isinstance(item, Document)]
        return _unpickled, (list(zip(*rows, strict=True)), others, self.end, self.size)


def _unpickled(columns: list[tuple[Any, ...]], others: list[tuple[int, Bundled]], end: Position, size: int) -> Chunk:
    items: list[Bundled] = list(map(Document, *columns)) if columns else []
    for at, item in others:
        items.insert(at, item)
    return Chunk(items, end, size)


class Inputs:
    """Items in order, counted, each message of a bundle; the files that they come from are looked at once each."""

    def __init__(self, items: Iterable[Bundled]) -> None:
        self._items = iter(items)
        self._path: str | None = None
        self._count = 0
        self._digest = 0
        self._before = self._size = self._read = 0
        """Bytes: of the files before this one; of this one; of what came out of this one so far."""

    @property
    def position(self) -> Position:
        """Behind the last item that was taken."""
        done = self._before + min(self._size, self._read)
        return Position(self._count, f"{self._digest:08x}" if self._count else "", done)

    def skip(self, to: Position) -> None:
        """Go on from where another run was.

        Raises:
            ResumeError: the items up to there came from other files, or from files that have changed.
        """
        while self._count < to.items and (item := next(self._items, None)) is not None:
            left = to.items - self._count
            if isinstance(item, Bundle) and len(item) > left:
                item, rest = item.parted(left)
                self._items = chain([rest], self._items)
            self._see(item)
        if (self.position.items, self.position.digest) != (to.items, to.digest):
            raise ResumeError(f"of the files behind the first {to.items:,} items, one was added, removed or changed")

    def chunks(self, size: int = CHUNK) -> Iterator[Chunk]:
        """All items that are left; a chunk ends with the item that takes it to `size` bytes."""
        items: list[Bundled] = []
        held = 0
        for item in self._items:
            self._see(item)
            items.append(item)
            held += max(_LEAST * _number(item), _size_of(item))
            if held >= size:
                yield Chunk(items, self.position, held)
                items, held = [], 0
        if items:
            yield Chunk(items, self.position, held)

    def _see(self, item: Bundled) -> None:
        # What was left out has no say in the rows; our own output, which is left out, changes all the time.
        if isinstance(item, Document | Bundle | Trouble) and item.path != self._path:
            self._path = item.path
            self._look_at(item.path)
        self._read += _size_of(item)
        self._count += _number(item)

    def _look_at(self, path: str) -> None:
        self._before, self._size, self._read = self._before + self._size, 0, 0
        changed = 0
        try:
            found = os.stat(path)  # noqa: PTH116  a Path would read "" as "."
            self._size, changed = found.st_size, found.st_mtime_ns
        except (OSError, ValueError):  # stdin, or what could not be read either; ValueError: a NUL in its name
            pass
        self._digest = crc32(os.fsencode(f"{path}\0{self._size}\0{changed}\n"), self._digest)


def _number(item: Bundled) -> int:
    return len(item) if isinstance(item, Bundle) else 1


def _size_of(item: Bundled) -> int:
    return len(item.data) if isinstance(item, Document | Bundle) else 0


def size_of(paths: Iterable[str]) -> int | None:
    """Bytes in the files at and under `paths`, as far as they can be looked at; None where stdin is among them."""
    total = 0
    for path in paths:
        if path == "-":
            return None
        for folder, _, names in [("", [], [path])] if not os.path.isdir(path) else os.walk(path):  # noqa: PTH112
            total += sum(_size(os.path.join(folder, name)) for name in names)  # noqa: PTH118  a Path would read "" as "."
    return total


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116
    except (OSError, ValueError):
        return 0
