"""Writes one file anew, message by message: all octets that no URL concerns are copied."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, cast

from msgspec import Struct

from urlglean.archive.left_alone import Above
from urlglean.archive.recompress import packed
from urlglean.archive.rewrite import RewriteOptions, Rewriting, rewrite
from urlglean.bounds import Bounds
from urlglean.errors import OutputError
from urlglean.records import Document, Trouble
from urlglean.sources import ASKABLE, unbundled
from urlglean.sources.changes import Watch
from urlglean.sources.compressed import COMPRESSIONS, Compression, unpacked
from urlglean.sources.detect import kind_to_read
from urlglean.sources.entries import as_opened, stream_of
from urlglean.sources.folders import File
from urlglean.sources.items import EMPTY, Item
from urlglean.sources.kinds import Kind
from urlglean.sources.streams import Stream

_BLOCK = 1 << 20
"""Octets that are copied at a time."""

_NO_MAIL = "it is neither mail nor text"
_NOT_WRITTEN = {
    "dbox": "a dbox file is not written anew: Dovecot's indexes hold the places and sizes of its messages",
    "mbx": "a mailbox in mbx, mtx, tenex or mix is not written anew: a size stands before each of its messages",
    "zip": "the members of a zip archive are not written anew",
    "warc": "the records of a WARC file are not written anew",
    "tar": "the members of a tar archive are not written anew",
    "packed batch": "a packed batch is not written anew",
    "lines of CR": "a mailbox whose lines end in CR is not written anew",
}


class Copied(Struct, frozen=True):
    """A file that was copied as it is, without a look at what URLs are in it, and why."""

    path: str
    cause: str


Outcome = Rewriting | Copied | Trouble


def troubles_of(outcome: Outcome) -> tuple[Trouble, ...]:
    """What could not be read or written, as an outcome tells it."""
    if isinstance(outcome, Rewriting):
        return outcome.troubles
    return (outcome,) if isinstance(outcome, Trouble) else ()


_Layers = list[tuple[Compression, bytes]]
"""The compressions of a file, the outermost first, each with the first octets of what it has packed."""


_CHANGED = "was changed while it was read"


class Source(Struct, frozen=True):
    """A regular file to be read twice, which does not change meanwhile.

    Attributes:
        file: where it lies.
        name: what it is called in outcomes.
        one_message: as in `Stream`.
    """

    file: Path
    name: str
    one_message: bool = False

    def opened(self, lying: BinaryIO, bounds: Bounds, watch: Watch | None = None) -> tuple[_Layers, Stream]:
        """Its compressions, and the stream of what they hold. If one cannot be undone, its own stream is the last."""
        entry = File(self.name, self.one_message)
        stream = stream_of(entry, lying, as_opened(entry, lying), bounds, watch)
        layers: _Layers = []
        while stream.layers < bounds.layers:
            row = next((row for row in COMPRESSIONS if row.magic.match(stream.head)), None)
            inner = next(unpacked(row, stream), None) if row else None
            if row is None or inner is None:
                break
            layers.append((row, stream.head))
            stream = inner
        return layers, stream


def rewrite_file(source: Source, out: BinaryIO | None, options: RewriteOptions) -> Iterator[Outcome]:
    """Write a file anew. All is written when the iterator ends.

    If nothing in it is changed, the octets are the same. What was compressed is compressed in the same way if anything
    in it has changed. Memory holds some messages; of a compressed file, a temporary file holds the new one.

    Args:
        source: the file.
        out: where to write; None: nowhere.
        options: what is written anew.

    Yields:
        For each document what is changed in it; troubles in reading; why the file was copied as it is.

    Raises:
        OSError: it cannot be read or written.
        OutputError: it changed while it was read.
    """
    bounds = options.glean.bounds
    with source.file.open("rb") as lying:
        layers, stream = source.opened(lying, bounds)
        kind = kind_to_read(stream, None)
        broken = _as_it_is(stream, kind) or (_torn(stream, layers) if layers else None)
    if broken is not None:
        yield broken
        if out:
            _copy(source, out)
        return
    if not layers or out is None:
        yield from _written(source, kind, out, options)
        return
    with TemporaryFile() as spooled:
        changed = False
        with ExitStack() as stack:
            inner = cast("BinaryIO", spooled)
            for row, head in layers:
                inner = stack.enter_context(packed(row.name, head, inner))
            for outcome in _written(source, kind, inner, options):
                changed = changed or (isinstance(outcome, Rewriting) and bool(outcome.patches))
                yield outcome
        if changed:
            spooled.seek(0)
            shutil.copyfileobj(spooled, out, _BLOCK)
        else:
            _copy(source, out)


def _as_it_is(stream: Stream, kind: Kind) -> Copied | Trouble | None:
    """Why a file is copied as it is; None if it is not."""
    if stream.troubles:
        return Trouble(stream.path, f"{stream.troubles[0]}; copied as it is")
    if kind.name in ASKABLE and kind.name not in _NOT_WRITTEN:
        return None
    if not kind.wraps and kind.name not in _NOT_WRITTEN:
        for item in kind.read(stream):  # what is no mail may be a message that cannot be read
            if isinstance(item, Trouble):
                return Trouble(stream.path, f"{item.cause}; copied as it is")
    return Copied(stream.path, _NOT_WRITTEN.get(kind.name, EMPTY if kind.name == EMPTY else _NO_MAIL))


def _torn(stream: Stream, layers: _Layers) -> Trouble | None:
    """The trouble of a compressed file that cannot be unpacked to its end."""
    for _ in stream.blocks():
        pass
    if not stream.troubles:
        return None
    return Trouble(stream.path, f"{layers[-1][0].name} data: {stream.troubles[0]}; copied as it is")


def _written(source: Source, kind: Kind, out: BinaryIO | None, options: RewriteOptions) -> Iterator[Outcome]:
    """Write anew what a file holds unpacked."""
    bounds = options.glean.bounds
    with source.file.open("rb") as lying, source.file.open("rb") as again:
        watches = Watch(lying), Watch(again)
        _, stream = source.opened(lying, bounds, watches[0])
        copier = _Copier(source.opened(again, bounds, watches[1])[1], out) if out else None
        above = Above()
        for item in unbundled(cast("Iterator[Item]", kind.read(stream))):
            if isinstance(item, Trouble):
                yield item
            elif isinstance(item, Document):
                above = above if item.stretch and item.stretch.window.start else Above()
                rewriting = rewrite(item, options, above)
                above = rewriting.below
                if copier:
                    copier.put(rewriting)
                yield rewriting
        yield from (Trouble(source.name, cause) for cause in stream.troubles)
        if copier:
            copier.finish()
        if any(watch.has_changed() for watch in watches):
            raise OutputError(f"{source.name} {_CHANGED}")


class _Copier:
    """Copies a file, with the patches of its documents, which come in the order of the file."""

    def __init__(self, source: Stream, out: BinaryIO) -> None:
        self._source, self._out = source, out
        self._at = 0

    def put(self, rewriting: Rewriting) -> None:
        """Copy up to the end of the last patch of a document, with its patches.

        Raises:
            OutputError: the octets are not those that were read.
        """
        data, offset = rewriting.document.data, rewriting.document.offset
        for patch in rewriting.patches:
            self._copy(offset + patch.start - self._at)
            if self._taken(patch.end - patch.start) != data[patch.start : patch.end]:
                raise OutputError(f"{self._source.path} {_CHANGED}")
            self._out.write(patch.octets)

    def finish(self) -> None:
        """Copy the rest."""
        while block := self._source.read(_BLOCK):
            self._out.write(block)
        if self._source.troubles:
            raise OutputError(f"{self._source.path}: {self._source.troubles[0]}")

    def _copy(self, size: int) -> None:
        while size > 0 and (block := self._source.read(min(size, _BLOCK))):
            self._out.write(block)
            self._at += len(block)
            size -= len(block)

    def _taken(self, size: int) -> bytes:
        taken = bytearray()
        while len(taken) < size and (block := self._source.read(size - len(taken))):
            taken += block
        self._at += len(taken)
        return bytes(taken)


def _copy(source: Source, out: BinaryIO) -> None:
    with source.file.open("rb") as lying:
        watch = Watch(lying)
        while block := watch.read(_BLOCK):
            out.write(block)
        if watch.has_changed():
            raise OutputError(f"{source.name} {_CHANGED}")
