"""Finds the documents at a path: recognises the kinds of files and folders, and reads what is in them."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from urlglean.bounds import DEFAULT, Bounds
from urlglean.errors import UnknownNameError
from urlglean.records import Trouble
from urlglean.sources.detect import ASKABLE, read
from urlglean.sources.folders import File, Repository, fault, walk
from urlglean.sources.framing import unframed
from urlglean.sources.items import Bundle, Bundled, Item, Skipped, Taken, unbundled
from urlglean.sources.news import once
from urlglean.sources.public_inbox import read_repository
from urlglean.sources.remote import RemoteFile, cause_of_fault, is_remote, opened_remote, remote_files
from urlglean.sources.streams import Stream, opened

__all__ = ["ASKABLE", "Bundle", "Bundled", "Item", "Skipped", "Taken", "bundled", "unbundled", "unframed"]


def bundled(path: str, *, kind: str | None = None, bounds: Bounds = DEFAULT) -> Iterator[Bundled]:
    """Read everything at `path`. The messages of an mbox are returned in bundles, not yet separated.

    The kind of a file is recognised by its content, the kind of a folder by its structure. A mailbox is never in memory
    as a whole: memory holds one block and one message. The files of a folder are read in sorted order, numbered files
    by their number. Compressed files and archives are opened, also within each other, up to the bounds. An article that
    is in several groups of a news spool is returned once.

    Args:
        path: a file, or a directory, which is read with all its subdirectories; `-` is standard input.
        kind: what each file is read as, whatever it looks like: one of `ASKABLE`. Compressed files and archives are
            opened in any case.
        bounds: limits on what hostile input may use.

    Returns:
        For each file: what it was read as, then its documents, single or in bundles. Troubles and paths that were left
        out are between them, in the order of the input. Each `path` is the given path plus the path found beneath it;
        `member` is the path inside an archive file. `Document.message` counts from 1 in a file that holds messages, and
        is None for a file that is one message.

    Raises:
        UnknownNameError: `kind` is not one of `ASKABLE`. Nothing else is raised: what cannot be read is a `Trouble`.
    """
    if kind is not None and kind not in ASKABLE:
        raise UnknownNameError("kind", kind, ASKABLE)
    return once(_documents(path, kind, bounds), bounds.articles)


def _documents(path: str, kind: str | None, bounds: Bounds) -> Iterator[Bundled]:
    if path == "-" and sys.stdin is None:
        yield Trouble(path, "stdin is closed")
        return
    if path == "-":
        standard_input = cast("io.BufferedReader", sys.stdin.buffer)
        yield from read(Stream(path, standard_input.read1, bounds=bounds), kind)
        return
    if is_remote(path):
        yield from _remote(path, kind, bounds)
        return
    for found in walk(path, by_name=kind is None):
        if isinstance(found, File):
            yield from _file(found, kind, bounds)
        elif isinstance(found, Repository):
            yield from read_repository(found.path, bounds)
        else:
            yield found


def _remote(url: str, kind: str | None, bounds: Bounds) -> Iterator[Bundled]:
    for found in remote_files(url):
        if not isinstance(found, RemoteFile):
            yield found
            continue
        try:
            stream = opened_remote(found, bounds)
        except Exception as error:  # noqa: BLE001  each protocol has exceptions of its own
            yield Trouble(found.url, cause_of_fault(error))
            continue
        yield from read(stream, kind)


def _file(file: File, kind: str | None, bounds: Bounds) -> Iterator[Bundled]:
    try:
        with Path(file.path).open("rb") as lying:
            yield from read(opened(file.path, lying, bounds, one_message=file.one_message), kind)
    except OSError as error:  # from opening the file; errors of reading become troubles of the stream
        yield fault(file.path, error)
