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
from urlglean.sources.items import Item, Skipped
from urlglean.sources.streams import Stream

__all__ = ["ASKABLE", "Item", "Skipped", "documents"]


def documents(path: str, *, kind: str | None = None) -> Iterator[Item]:
    """Read whatever lies at `path`, one message or text at a time.

    Kinds are told apart by what is in a file and by the shape of a folder. A mailbox is never held whole: memory
    holds one block and one message. Files in folders come in sorted order, numbered ones by their number.

    Args:
        path: a file or a directory, which is walked to its leaves; `-` is standard input.
        kind: one of `ASKABLE`: what each file is taken for, whatever it looks like. Compression is still undone.

    Returns:
        Documents, with troubles and left out paths between them, where they stood. Each `path` is the path as
        given plus what was found beneath. `Document.message` counts from 1 in an mbox and is None for a file that is
        one message.

    Raises:
        UnknownNameError: `kind` is not one of `ASKABLE`. Nothing else is raised: what cannot be read is a `Trouble`.
    """
    if kind is not None and kind not in ASKABLE:
        raise UnknownNameError("kind", kind, ASKABLE)
    if path == "-":
        return read(Stream(path, cast("io.BufferedReader", sys.stdin.buffer).read1), asked=kind)
    return _documents(path, kind)


def _documents(path: str, kind: str | None) -> Iterator[Item]:
    for found in walk(path, by_name=kind is None):
        if isinstance(found, File):
            yield from _file(found, kind)
        else:
            yield found


def _file(file: File, kind: str | None) -> Iterator[Item]:
    try:
        with Path(file.path).open("rb") as opened:
            yield from read(Stream(file.path, opened.read1), asked=kind, one_message=file.one_message)
    except OSError as error:  # only opening raises it: reading tells
        yield fault(file.path, error)
