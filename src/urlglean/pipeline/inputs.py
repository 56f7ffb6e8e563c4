"""Reads the items at paths or in a stream, cuts them into chunks, and counts how far a run has read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import chain, groupby, takewhile
from operator import itemgetter
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from urlglean.bounds import DEFAULT, Bounds
from urlglean.errors import ResumeError
from urlglean.output.files import FileId, file_id
from urlglean.pipeline.glean import cause_of
from urlglean.records import STDIN, Document, Trouble
from urlglean.sources import Bundle, Bundled, FromPath, Opened, Skipped, Taken, bundled
from urlglean.sources.detect import read
from urlglean.sources.globs import EVERY_FILE, Globs
from urlglean.sources.news import once
from urlglean.sources.streams import Stream

CHUNK = 1 << 19
"""The least bytes of documents in a chunk (only the last chunk may have fewer): 5 milliseconds of work or more.

A bundle has twice as many. Measured with two workers and bundles of 1/8 to 2 megabytes: these sizes gave the shortest
runs."""

_LEAST = 1 << 10
"""The least bytes that an item counts for, so that a chunk of empty items has a bound too."""


WRITTEN = "it is being written"
"""The cause for a file of the run itself, which is left out."""


def opened(  # noqa: PLR0913 - what to read, and how
    paths: Iterable[str],
    *,
    kind: str | None = None,
    own: AbstractSet[FileId] = frozenset(),
    bounds: Bounds = DEFAULT,
    globs: Globs = EVERY_FILE,
    stdin_name: str = STDIN,
) -> Iterator[FromPath]:
    """The items at `paths`: for each file what it was read as, its documents in bundles, and what was not read.

    Args:
        paths: files, folders, or "-" for stdin.
        kind: what each file is read as, as in `sources.bundled`.
        own: the files that this run writes. They are not read.
        bounds: limits on what hostile input may use.
        globs: which files under the paths, and members of archives, are read.
        stdin_name: the path of what comes from stdin.
    """
    for path in paths:
        found = partial(bundled, path, kind=kind, bounds=bounds, globs=globs, stdin_name=stdin_name)
        if path == STDIN:
            yield from guarded(stdin_name, found)
        else:
            yield from guarded(path, partial(_without_own, found, own))


def streamed(
    read1: Callable[[int], bytes], path: str, *, kind: str | None = None, bounds: Bounds = DEFAULT
) -> Iterator[FromPath]:
    """The items in a stream of octets, recognised as in a file.

    Args:
        read1: returns at most as many octets as it is asked for, and none at the end.
        path: the name of the stream.
        kind: what it is read as, as in `sources.bundled`.
        bounds: limits on what hostile input may use.
    """
    return guarded(path, lambda: once(read(Stream(path, read1, bounds=bounds), kind), bounds.articles))


def guarded(path: str, items: Callable[[], Iterable[FromPath]]) -> Iterator[FromPath]:
    """The items, then a trouble if reading them raises. Reading begins only when the first item is asked for."""
    try:
        yield from items()
    except Exception as error:  # noqa: BLE001  the other paths can still be read
        yield Trouble(path, cause_of(error))


def _without_own(items: Callable[[], Iterable[FromPath]], own: AbstractSet[FileId]) -> Iterator[FromPath]:
    path, is_own = None, False
    for item in items():
        if item.path != path:  # look at the disk once for each file, not for each message
            path, is_own = item.path, bool(own) and file_id(item.path) in own
            if is_own:
                yield Skipped(path, WRITTEN)
        if not is_own:
            yield item


class Position(Struct, frozen=True):
    """How much of the input a run has read.

    Files that were left out are not part of it, because they have no rows: they may come and go between two runs.

    Attributes:
        items: how many documents and troubles were read.
        digest: CRC-32, in hexadecimal, of the name of each file from which they came and of what it was when it was
            opened, of the name of each message from a repository, and of the troubles.
        bytes: how many bytes of the files on disk were read. Of a compressed file, this counts the unpacked bytes, but
            never more than the size of the file.
        marks: the last `_MARK` digits of the digest behind each file that has ended since the position before, by which
            a file that has changed is found.
    """

    items: int = 0
    digest: str = ""
    bytes: int = 0
    marks: str = ""


_MARK = 4
"""Digits of a mark: of 65,536 changes one is told of a later file. 100,000 files take 0.4 MB of a journal."""


class Portion(Struct, frozen=True):
    """Items of one file that were read one after the other, as a `Position` counts them.

    Attributes:
        path: the file.
        items: how many documents and troubles there are.
        bytes: how many bytes the documents have.
        told: what the digest of a position includes beside the file.
        opened: what the file was when it was opened; None if it is none, as stdin and repositories are.
    """

    path: str
    items: int
    bytes: int
    told: str = ""
    opened: Opened | None = None


class Chunk(Struct, frozen=True):
    """Items that are read together.

    Attributes:
        items: the items.
        read: what a position counts of them.
        size: how many bytes of memory they use (about).
    """

    items: Sequence[Bundled]
    read: tuple[Portion, ...] = ()
    size: int = 0


class Progress:
    """How far a run has read: the sum of portions, in order.

    Attributes:
        marks: those of the files that have ended in the portions that were added last.
    """

    def __init__(self) -> None:
        self.marks = ""
        self._path: str | None = None
        self._opened: Opened | None = None
        self._count = 0
        self._digest = 0
        self._before = self._size = self._read = 0
        """In bytes: the size of all files before this one, the size of this one, and what was read from it so far."""

    @property
    def path(self) -> str | None:
        """The last file; None before the first."""
        return self._path

    @property
    def position(self) -> Position:
        """The position behind the last portion."""
        done = self._before + min(self._size, self._read)
        return Position(self._count, self._told if self._count else "", done, self.marks)

    @property
    def _told(self) -> str:
        return f"{self._digest:08x}"

    def add(self, portions: Iterable[Portion]) -> None:
        """Go on by portions. Two of the same file, one behind the other, count as one.

        A file that one process has opened after another may have changed in between. Then both are told.
        """
        self.marks = ""
        for portion in portions:
            if (portion.path, portion.opened) != (self._path, self._opened):
                if self._path is not None:
                    self.marks += self._told[-_MARK:]
                if portion.path != self._path:
                    self._before, self._size, self._read = self._before + self._size, 0, 0
                self._path, self._opened = portion.path, portion.opened
                self._size = portion.opened.size if portion.opened else 0
                self._add(f"{portion.path}\0{portion.opened.version if portion.opened else ''}\n")
            self._add(portion.told)
            self._count += portion.items
            self._read += portion.bytes

    def _add(self, told: str) -> None:
        self._digest = crc32(told.encode("utf-8", "surrogatepass"), self._digest)


class Inputs:
    """Items in their order, cut into chunks.

    Attributes:
        progress: how far `skip` has read. Who has the results of chunks adds these.
    """

    def __init__(self, items: Iterable[FromPath]) -> None:
        self._items = iter(items)
        self._opened: Opened | None = None
        self.progress = Progress()

    def skip(self, to: Sequence[Position]) -> tuple[int, int]:
        """Read the items up to the last of some positions of an earlier run, in order, without returning them.

        Returns:
            How many files were taken for something to read, and how many paths were left out.

        Raises:
            ResumeError: the items up to there come from other files, or from files that have changed.
        """
        taken = skipped = 0
        for position in to:
            files = [] if self.progress.path is None else [self.progress.path]
            marks = ""
            left = position.items - self.progress.position.items
            while left > 0 and (item := self._next(left)) is not None:
                self.progress.add(self._portions([item]))
                marks += self.progress.marks
                # Each mark is of a file that has ended; the one that is being read comes behind them.
                files[len(marks) // _MARK :] = filter(None, [self.progress.path])
                left -= _counted(item)
                taken += isinstance(item, Taken)
                skipped += isinstance(item, Skipped)
            now = replace(self.progress.position, marks=marks)
            if (now.items, now.digest) != (position.items, position.digest):
                changed = _changed(files, now, position)
                raise ResumeError(f"{changed} since the interrupted scan; --overwrite begins anew")
        return taken, skipped

    def _next(self, most: int) -> FromPath | None:
        """The next item, which has `most` messages at most; None if there is none."""
        item = next(self._items, None)
        if isinstance(item, Bundle) and len(item) > most:
            item, rest = item.parted(most)
            self._items = chain([rest], self._items)
        return item

    def chunks(self, size: int = CHUNK, start: int = 0) -> Iterator[Chunk]:
        """All remaining items but the first `start`, in chunks. A chunk ends with the item by which it reaches `size`.

        Announcements of open files are no items of a chunk: its portions have them.

        Args:
            size: in bytes.
            start: how many documents, troubles and so on are left out.
        """
        items: list[FromPath] = []
        held = 0
        while start and (item := self._next(start)) is not None:
            if type(item) is Opened:
                items = [item]
            else:
                start -= _number(item)
        for item in self._items:
            items.append(item)
            if type(item) is Opened:
                continue
            held += max(_LEAST * _number(item), _size_of(item))
            if held >= size:
                yield self._chunk(items, held)
                items, held = [], 0
        if held:
            yield self._chunk(items, held)

    def _chunk(self, items: list[FromPath], held: int) -> Chunk:
        return Chunk([item for item in items if type(item) is not Opened], self._portions(items), held)

    def _portions(self, items: Sequence[FromPath]) -> tuple[Portion, ...]:
        portions = portions_of(items, self._opened)
        self._opened = next((item for item in reversed(items) if isinstance(item, Opened)), self._opened)
        return portions


def portions_of(items: Iterable[FromPath], opened: Opened | None = None) -> tuple[Portion, ...]:
    """What a position counts of items. Paths that were left out, and announcements of files, are no part of it.

    Args:
        items: items that were read one after the other.
        opened: what was opened last before them.
    """
    portions: list[Portion] = []
    for (path, of), some in groupby(_with_opened(items, opened), itemgetter(0)):
        number = size = 0
        told: list[str] = []
        is_repository: bool | None = None
        for _, item in some:
            number += _number(item)
            size += _size_of(item)
            if type(item) is Trouble:
                # What could not be read then may be readable now. It would give other items.
                told.append(f"{item.member}\0{item.message}\0{item.cause}\n")
            elif type(item) is Document and item.member:
                if is_repository is None:
                    is_repository = os.path.isdir(path)  # noqa: PTH112
                if is_repository:
                    told.append(f"{item.member}\n")
        portions.append(Portion(path, number, size, "".join(told), of))
    return tuple(portions)


def _with_opened(
    items: Iterable[FromPath], opened: Opened | None
) -> Iterator[tuple[tuple[str, Opened | None], FromPath]]:
    """The items that a position counts, each behind its path and what was opened there."""
    for item in items:
        if type(item) is Opened:
            opened = item
        elif _counted(item):
            yield (item.path, opened if opened and opened.path == item.path else None), item


_UNCOUNTED = frozenset({Skipped, Opened, Taken})


def _counted(item: FromPath) -> int:
    """How many items of a position it is."""
    return 0 if type(item) in _UNCOUNTED else _number(item)


def _changed(files: Sequence[str], now: Position, then: Position) -> str:
    """What has happened to the files up to a position of an earlier run, in words.

    Args:
        files: the files now, from the one on in which the position before it is.
        now: the position in them, with the marks behind the one before it.
        then: the position of the earlier run.
    """
    told = [each.marks + each.digest[-_MARK:] for each in (now, then)]
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(*told, strict=False)))) // _MARK
    if same < len(files):
        return f"{files[same]} was added or changed, or a file before it was removed,"
    return f"a file behind {files[-1]} was removed" if files else "the input was removed"


def _number(item: FromPath) -> int:
    return len(item) if type(item) is Bundle else 1


def _size_of(item: FromPath) -> int:
    return item.size if type(item) is Document else len(item.data) if type(item) is Bundle else 0


def size_of(paths: Iterable[str]) -> int | None:
    """The size in bytes of all files at and under `paths` that can be looked at; None if one of the paths is stdin."""
    total = 0
    for path in paths:
        if path == STDIN:
            return None
        for folder, _, names in [("", [], [path])] if not os.path.isdir(path) else os.walk(path):  # noqa: PTH112
            total += sum(_size(os.path.join(folder, name)) for name in names)  # noqa: PTH118  a Path would read "" as "."
    return total


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116
    except (OSError, ValueError):
        return 0
