"""Tells which links in an archive lead to files in it that are left out, so that what they name is not read."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import normpath

from urlglean.records import Trouble
from urlglean.sources.items import Bundled, Skipped
from urlglean.sources.streams import Stream

MOST_LINKS = 40
"""So many links Linux follows to a file (path_resolution(7))."""


class Links:
    """The links in one archive."""

    def __init__(self) -> None:
        # An archive may have very many members, of which only hashes of names are kept.
        self._left_out: set[int] = set()
        self._targets: dict[int, int] = {}
        self._wanted: list[Skipped] = []

    def note(self, member: Bundled | Stream, *, is_left_out: bool) -> None:
        """Note the next member of the archive, and whether its name is one of those that are left out."""
        if isinstance(member, Stream):
            if is_left_out and member.member:
                self._left_out.add(_key(member.member))
        elif isinstance(member, Skipped) and member.same and member.member:
            self._targets[_key(member.member)] = _key(member.same)
            if not is_left_out:
                self._wanted.append(member)

    def troubles(self) -> Iterator[Trouble]:
        """The troubles of an archive of which all members were noted: a file is in it at one of its names only."""
        for link in self._wanted:
            if link.member and self._file_of(_key(link.member)) in self._left_out:
                yield Trouble(link.path, f"{link.cause}, which is left out: so this is not read", link.member)

    def _file_of(self, link: int) -> int:
        """What a link leads to, over at most `MOST_LINKS` others: no system follows more."""
        for _ in range(MOST_LINKS):
            if link not in self._targets:
                break
            link = self._targets[link]
        return link


def _key(name: str) -> int:
    return hash(normpath(name))
