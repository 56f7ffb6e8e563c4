"""What comes out of a path."""

from __future__ import annotations

from msgspec import Struct

from urlglean.records import Document, Trouble


class Skipped(Struct, frozen=True):
    """A path, or a member of an archive, that was left out on purpose; `cause` is one line for people."""

    path: str
    cause: str
    member: str | None = None


class Taken(Struct, frozen=True):
    """What a file, or a member of an archive, is read as; `kind` is one of `ASKABLE`."""

    path: str
    kind: str
    member: str | None = None


Item = Document | Trouble | Skipped | Taken
