"""Reads a file as the kind that its first bytes show, never its name, and all that is in it in the same way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, cast

from msgspec.structs import replace

from urlglean.records import Document, Trouble
from urlglean.sources.compressed import COMPRESSIONS, unpacked
from urlglean.sources.globs import EXCLUDED, Choice
from urlglean.sources.items import NO_FILE, Bundled, Item, Skipped, Taken, unbundled
from urlglean.sources.kinds import ASKABLE, BY_NAME, Kind, kind_of
from urlglean.sources.links import Links
from urlglean.sources.own_outputs import kind_of_parquet
from urlglean.sources.streams import Stream

_LIKE_MESSAGES = frozenset({"mbox", "listserv", "html", "text"})
"""What a file looks like that is a message because its folder has only such: its header may be damaged."""


def read(stream: Stream, asked: str | None = None, choice: Choice | None = None) -> Iterator[Bundled]:
    """Read one file as the kind that its first bytes show, and the files in it in the same way.

    Args:
        stream: the file, from its first byte.
        asked: the kind to read it as, one of `ASKABLE`; None: its first bytes decide. Compressed files and archives are
            opened in any case.
        choice: which files and members are read. A compressed file or archive that it does not include is opened too,
            because of what is in it.

    Yields:
        What the file is read as, what is in it, then a trouble for each cause that ended reading early.
    """
    kind = kind_to_read(stream, asked)
    if choice and not kind.wraps and (cause := choice.left_out(stream.path, stream.member)):
        yield Skipped(stream.path, cause, stream.member)
        return
    if kind.wraps and stream.layers >= stream.bounds.layers:
        stream.troubles.append(f"packed more than {stream.bounds.layers} times over")
    elif stream.head or not stream.troubles:
        if kind.name in ASKABLE:
            yield Taken(stream.path, kind.name, stream.member)
        if kind.wraps:
            yield from _members(stream, kind, asked, choice)
        else:
            found = cast("Iterator[Bundled]", kind.read(stream))
            yield from (_dated(item, stream.date) for item in unbundled(found)) if stream.date else found
    yield from (Trouble(stream.path, cause, stream.member) for cause in stream.troubles)


def _members(stream: Stream, kind: Kind, asked: str | None, choice: Choice | None) -> Iterator[Bundled]:
    """What is in a compressed file or an archive."""
    inner: Bundled | Stream | None = None
    links = Links()
    for inner in kind.read(stream):
        cause = choice.left_out(inner.path, inner.member) if choice else None
        if choice:  # else nothing is left out by its name
            links.note(inner, is_left_out=cause is not None)
        if left := _left_out_for(inner, cause):
            yield left
        else:
            yield from read(inner, asked, choice) if isinstance(inner, Stream) else (inner,)
    yield from links.troubles()
    if inner is None and not stream.members and not stream.troubles:
        yield Skipped(stream.path, NO_FILE, stream.member)


def read_range(stream: Stream, kind: str) -> Iterator[Bundled]:
    """Read a range of a file as a kind, one of `ranges.FORMS`. The first range says what the file is read as.

    Yields:
        As `read`.
    """
    if not stream.start:
        yield Taken(stream.path, kind, stream.member)
    yield from cast("Iterator[Bundled]", BY_NAME[kind].read(stream))
    yield from (Trouble(stream.path, cause, stream.member) for cause in stream.troubles)


def _left_out_for(inner: Bundled | Stream, cause: str | None) -> Skipped | None:
    """The note that something in an archive is left out; None if it is not, or if what is in it must decide."""
    if not cause or (isinstance(inner, Stream) and cause != EXCLUDED):
        return None
    return Skipped(inner.path, cause, inner.member)


def _dated(item: Item, date: str) -> Item:
    return replace(item, date=date) if isinstance(item, Document) else item


def kind_to_read(stream: Stream, asked: str | None) -> Kind:
    """The kind as which a file is read, as in `read`."""
    kind = kind_of(stream)
    if kind.wraps or not stream.head:
        return kind
    shown = "message" if stream.one_message and kind.name in _LIKE_MESSAGES else kind.name
    return BY_NAME.get(asked or shown, kind)


def shown_in(file: IO[bytes], path: str) -> tuple[str, bytes]:
    """The name of the kind of what is in an open file, and its first bytes; of what is in it, if it is packed.

    A Parquet file of ours is `OWN` too, which its end shows; one without an end is `UNFINISHED`.

    Raises:
        Exception: the file cannot be read; each protocol has exceptions of its own.
    """
    stream = within(Stream(path, file.read))
    name = kind_of(stream).name
    return kind_of_parquet(file) if name == "parquet" else name, stream.head


def within(stream: Stream) -> Stream:
    """The stream of what is in a compressed file; of another file, and if it cannot be unpacked here, its own."""
    row = next((row for row in COMPRESSIONS if row.magic.match(stream.head)), None)
    return next(unpacked(row, stream), stream) if row else stream
