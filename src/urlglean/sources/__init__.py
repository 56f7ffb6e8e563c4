"""From a path to its documents: what kind of thing is this, and what is in it."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from urlglean.errors import UnknownNameError
from urlglean.sources.detect import ASKABLE, read
from urlglean.sources.folders import File, fault, walk
from urlglean.sources.items import Bundle, Bundled, Item, Skipped, Taken, unbundled
from urlglean.sources.news import once
from urlglean.sources.streams import Stream, opened

__all__ = ["ASKABLE", "Bundle", "Bundled", "Item", "Skipped", "Taken", "bundled", "documents", "unbundled"]


def documents(path: str, *, kind: str | None = None, taken: bool = False) -> Iterator[Item]:
    """Read whatever lies at `path`, one message or text at a time.

    Kinds are told apart by what is in a file and by the shape of a folder. A mailbox is never held whole: memory
    holds one block and one message. Files in folders come in sorted order, numbered ones by their number. Compressed
    files and archives are opened, also within each other, up to the bounds of `sources.bounds`. An article that lies
    in several groups of a news spool is given once.

    Args:
        path: a file or a directory, which is walked to its leaves; `-` is standard input.
        kind: one of `ASKABLE`: what each file is read as, whatever it looks like. Compressed files and archives are
            opened all the same.
        taken: whether to say, by a `Taken` before its documents, what each file was read as.

    Returns:
        Documents, with troubles and left out paths between them, where they stood. Each `path` is the path as
        given plus what was found beneath; `member` is the path inside an archive file. `Document.message` counts from
        1 in a file that holds messages and is None for a file that is one message.

    Raises:
        UnknownNameError: `kind` is not one of `ASKABLE`. Nothing else is raised: what cannot be read is a `Trouble`.
    """
    return unbundled(bundled(path, kind=kind, taken=taken))


def bundled(path: str, *, kind: str | None = None, taken: bool = False) -> Iterator[Bundled]:
    """Read as `documents` does, but give the messages of an mbox as they come, in bundles.

    Raises:
        UnknownNameError: `kind` is not one of `ASKABLE`.
    """
    if kind is not None and kind not in ASKABLE:
        raise UnknownNameError("kind", kind, ASKABLE)
    return once(_documents(path, kind, taken=taken))


def _documents(path: str, kind: str | None, *, taken: bool) -> Iterator[Bundled]:
    if path == "-":
        standard_input = cast("io.BufferedReader", sys.stdin.buffer)
        yield from read(Stream(path, standard_input.read1), asked=kind, taken=taken)
        return
    for found in walk(path, by_name=kind is None):
        if isinstance(found, File):
            yield from _file(found, kind, taken=taken)
        else:
            yield found


def _file(file: File, kind: str | None, *, taken: bool) -> Iterator[Bundled]:
    try:
        with Path(file.path).open("rb") as lying:
            yield from read(opened(file.path, lying, one_message=file.one_message), asked=kind, taken=taken)
    except OSError as error:  # only opening raises it: reading tells
        yield fault(file.path, error)
