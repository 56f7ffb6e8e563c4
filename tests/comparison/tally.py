"""Counts disagreements by shape and keeps a sample of each shape, in bounded memory."""

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
"""How many code points of the text around a sample shows on each side."""


class Drawn(NamedTuple):
    """A disagreement in the sample: its place, the tools, and the text before, within and behind it."""

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
    """Counts, and a sample of at most `size` disagreements of each shape.

    The sample consists of the disagreements with the smallest seeded hashes, so it does not depend on the order of the
    texts, and it stays much the same after a change. The same strings in the same shape count as one disagreement,
    however often they occur (mail quotes mail); the first one is shown. Each distinct disagreement takes about 100
    bytes.

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
        # The first of the heap has the largest hash. It is removed when one with a smaller hash comes.
        if not self._size or (len(kept) == self._size and -rank <= kept[0].rank):
            return
        text = case.text
        before, behind = text[max(0, case.start - AROUND) : case.start], text[case.end : case.end + AROUND]
        names = tuple(peer.name for peer in peers)
        drawn = Drawn(place, names, ours, other, before, text[case.start : case.end], behind)
        (heapq.heappush if len(kept) < self._size else heapq.heappushpop)(kept, _Kept(-rank, drawn))

    def _rank(self, *what: object) -> int:
        """The seeded hash of the values that distinguish one disagreement from another."""
        octets = repr(what).encode("utf-8", "surrogatepass")
        return int.from_bytes(hashlib.blake2b(octets, digest_size=8, key=self._key).digest(), "big")

    def shapes(self) -> list[str]:
        """The shapes that occurred, in the order of the table."""
        return [shape.name for shape in SHAPES if shape.name in self.places]

    def distinct(self, shape: str) -> int:
        """The number of disagreements of a shape that are unlike one another."""
        return len(self._seen.get(shape, ()))

    def sample(self, shape: str) -> list[Drawn]:
        """The sample of a shape, in the order of the hashes."""
        return [kept.drawn for kept in sorted(self._kept.get(shape, ()), reverse=True)]
