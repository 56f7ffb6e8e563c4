"""Tells which links in an archive lead to files in it that are left out, so that what they name is not read."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import normpath

from urlglean.records import Trouble
from urlglean.sources.globs import Choice
from urlglean.sources.items import Bundled, Skipped
from urlglean.sources.streams import Stream


class Links:
    """The links in one archive.

    Args:
        choice: which members are read.
    """

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        # An archive may have very many members, of which only this is kept.
        self._left_out: set[int] = set()
        self._wanted: list[Skipped] = []

    def note(self, member: Bundled | Stream) -> None:
        """Note the next member of the archive."""
        if isinstance(member, Stream):
            if member.member and self._choice.left_out(member.path, member.member):
                self._left_out.add(hash(normpath(member.member)))
        elif isinstance(member, Skipped) and member.same and not self._choice.left_out(member.path, member.member):
            self._wanted.append(member)

    def troubles(self) -> Iterator[Trouble]:
        """The troubles of an archive of which all members were noted: a file is in it at one of its names only."""
        for link in self._wanted:
            if link.same and hash(normpath(link.same)) in self._left_out:
                yield Trouble(link.path, f"{link.cause}, which is left out: so this is not read", link.member)
