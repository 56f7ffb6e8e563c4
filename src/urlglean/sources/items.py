"""What comes out of a path."""

from __future__ import annotations

from msgspec import Struct

from urlglean.records import Document, Trouble


class Skipped(Struct, frozen=True):
    """A path that was left out on purpose; `cause` is one line for people."""

    path: str
    cause: str


Item = Document | Trouble | Skipped
