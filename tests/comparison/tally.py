"""Counts of disagreements by shape, and a sample of each: what is kept of a comparison, however long it is."""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from comparison.peers import Peer
from comparison.records import Disagreement
from comparison.shapes import SHAPES, shape_of

AROUND = 160
"""Code points of the text around that a sample shows on each side."""


class Drawn(NamedTuple):
    """A disagreement to be read: where it stands, who says so, and the text before, within and behind it."""

    place: str
    peers: tuple[str, ...]
    ours: tuple[str, ...]
    other: tuple[str, ...]
    before: str
    within: str
    behind: str


class _Kept(NamedTuple):
    rank: int
    drawn: Drawn


class Tally:
    """Counts, and a sample of so many of each shape.

    The sample does not depend on the order in which texts come: drawn are those whose hash, seeded, is smallest. The
    same strings in the same shape are one disagreement, however often they stand somewhere (mail quotes mail); the
    first is shown. So a sample that is drawn after a change is much the same one. About 100 bytes are held for each
    disagreement that is unlike all others.

    Args:
        size: how many to draw of each shape.
        seed: which ones.
    """

    def __init__(self, size: int, seed: int) -> None:
        self._size, self._key = size, seed.to_bytes(8, "big", signed=True)
        self.places: Counter[str] = Counter()
        self.by_peer: Counter[tuple[str, str]] = Counter()
        self.found: Counter[str] = Counter()
        self.alike: Counter[str] = Counter()
        self.given_up: Counter[str] = Counter()
        self._seen: dict[str, set[int]] = {}
        self._kept: dict[str, list[_Kept]] = {}

    def see(self, case: Disagreement, peers: Sequence[Peer], place: str) -> None:
        """Counts a disagreement at a place, between ours and these peers."""
        shape = shape_of(case)
        self.places[shape] += 1
        for peer in peers:
            self.by_peer[shape, peer.name] += 1
        ours, other = (tuple(found.url for found in each) for each in (case.ours, case.other))
        rank = self._rank(ours, other)
        seen = self._seen.setdefault(shape, set())
        if rank in seen:
            return
        seen.add(rank)
        kept = self._kept.setdefault(shape, [])
        # The heap's first is the one with the largest hash: it goes when a smaller one comes.
        if not self._size or (len(kept) == self._size and -rank <= kept[0].rank):
            return
        text = case.text
        before, behind = text[max(0, case.start - AROUND) : case.start], text[case.end : case.end + AROUND]
        names = tuple(peer.name for peer in peers)
        drawn = Drawn(place, names, ours, other, before, text[case.start : case.end], behind)
        (heapq.heappush if len(kept) < self._size else heapq.heappushpop)(kept, _Kept(-rank, drawn))

    def _rank(self, *what: object) -> int:
        """The seeded hash of what tells one disagreement from another."""
        octets = repr(what).encode("utf-8", "surrogatepass")
        return int.from_bytes(hashlib.blake2b(octets, digest_size=8, key=self._key).digest(), "big")

    def shapes(self) -> list[str]:
        """The shapes that there were, in the order of the table."""
        return [shape.name for shape in SHAPES if shape.name in self.places]

    def distinct(self, shape: str) -> int:
        """How many disagreements of a shape are unlike one another."""
        return len(self._seen.get(shape, ()))

    def sample(self, shape: str) -> list[Drawn]:
        """Those that were drawn of a shape, as by lot."""
        return [kept.drawn for kept in sorted(self._kept.get(shape, ()), reverse=True)]
