"""From a path to its documents: what kind of thing is this, and what is in it."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from urlglean.bounds import DEFAULT, Bounds
from urlglean.errors import UnknownNameError
from urlglean.sources.detect import ASKABLE, read
from urlglean.sources.folders import File, fault, walk
from urlglean.sources.framing import content
from urlglean.sources.items import Bundle, Bundled, Item, Skipped, Taken, unbundled
from urlglean.sources.news import once
from urlglean.sources.streams import Stream, opened

__all__ = ["ASKABLE", "Bundle", "Bundled", "Item", "Skipped", "Taken", "bundled", "content", "unbundled"]


def bundled(path: str, *, kind: str | None = None, bounds: Bounds = DEFAULT) -> Iterator[Bundled]:
    """Read whatever lies at `path`; the messages of an mbox come as they lie, in bundles.

    Kinds are told apart by what is in a file and by the shape of a folder. A mailbox is never held whole: memory
    holds one block and one message. Files in folders come in sorted order, numbered ones by their number. Compressed
    files and archives are opened, also within each other, up to the bounds. An article that lies in several groups of
    a news spool is given once.

    Args:
        path: a file or a directory, which is walked to its leaves; `-` is standard input.
        kind: one of `ASKABLE`: what each file is read as, whatever it looks like. Compressed files and archives are
            opened all the same.
        bounds: what reading may come to.

    Returns:
        What each file was read as, then its documents, alone or in bundles, with troubles and left out paths between
        them, where they stood. Each `path` is the path as given plus what was found beneath; `member` is the path
        inside an archive file. `Document.message` counts from 1 in a file that holds messages and is None for a file
        that is one message.

    Raises:
        UnknownNameError: `kind` is not one of `ASKABLE`. Nothing else is raised: what cannot be read is a `Trouble`.
    """
    if kind is not None and kind not in ASKABLE:
        raise UnknownNameError("kind", kind, ASKABLE)
    return once(_documents(path, kind, bounds), bounds.articles)


def _documents(path: str, kind: str | None, bounds: Bounds) -> Iterator[Bundled]:
    if path == "-":
        standard_input = cast("io.BufferedReader", sys.stdin.buffer)
        yield from read(Stream(path, standard_input.read1, bounds=bounds), kind)
        return
    for found in walk(path, by_name=kind is None):
        if isinstance(found, File):
            yield from _file(found, kind, bounds)
        else:
            yield found


def _file(file: File, kind: str | None, bounds: Bounds) -> Iterator[Bundled]:
    try:
        with Path(file.path).open("rb") as lying:
            yield from read(opened(file.path, lying, bounds, one_message=file.one_message), kind)
    except OSError as error:  # only opening raises it: reading tells
        yield fault(file.path, error)
