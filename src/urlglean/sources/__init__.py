"""Finds the documents at a path: recognises the kinds of files and folders, and reads what is in them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from urlglean.bounds import DEFAULT, Bounds
from urlglean.errors import UnknownNameError
from urlglean.records import STDIN
from urlglean.sources.entries import entries, read_entry
from urlglean.sources.framing import unframed
from urlglean.sources.globs import EVERY_FILE, Globs, choice_of
from urlglean.sources.items import Bundle, Bundled, FromPath, Item, Opened, Skipped, Taken, separated, unbundled
from urlglean.sources.kinds import ASKABLE
from urlglean.sources.news import once

__all__ = [
    "ASKABLE",
    "Bundle",
    "Bundled",
    "FromPath",
    "Item",
    "Opened",
    "Skipped",
    "Taken",
    "bundled",
    "separated",
    "unbundled",
    "unframed",
]


def bundled(
    path: str,
    *,
    kind: str | None = None,
    bounds: Bounds = DEFAULT,
    globs: Globs = EVERY_FILE,
    stdin_name: str = STDIN,
) -> Iterator[FromPath]:
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
        globs: which files under it, and members of archives, are read.
        stdin_name: the path of what comes from standard input.

    Returns:
        For each file: that it was opened, what it was read as, then its documents, single or in bundles. Troubles and
        paths that were left out are between them, in the order of the input. Each `path` is the given path plus the
        path found beneath it; `member` is the path inside an archive file. `Document.message` counts from 1 in a
        file that holds messages, and is None for a file that is one message.

    Raises:
        UnknownNameError: `kind` is not one of `ASKABLE`. Nothing else is raised: what cannot be read is a `Trouble`.
    """
    if kind is not None and kind not in ASKABLE:
        raise UnknownNameError("kind", kind, ASKABLE)
    choice = choice_of(globs, stdin_name if path == STDIN else path)
    found = chain.from_iterable(
        read_entry(entry, kind, bounds, choice)
        for entry in entries(path, by_name=kind is None, choice=choice, stdin_name=stdin_name)
    )
    return once(found, bounds.articles)
