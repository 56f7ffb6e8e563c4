"""A change of octets: what stands in the place of a stretch of them."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class OctetPatch(Struct, frozen=True, gc=False):
    """Replaces the octets from `start` to `end` (not included) by `octets`."""

    start: int
    end: int
    octets: bytes

    @property
    def growth(self) -> int:
        """How many octets more there are afterwards."""
        return len(self.octets) - (self.end - self.start)


def patched(octets: bytes, patches: Iterable[OctetPatch]) -> bytes:
    """The octets with all patches, which are in order and do not overlap.

    Raises:
        ValueError: they overlap.
    """
    pieces: list[bytes] = []
    done = 0
    for patch in patches:
        if patch.start < done:
            raise ValueError(f"a patch at {patch.start} begins before the end of another, {done}")
        pieces += octets[done : patch.start], patch.octets
        done = patch.end
    return b"".join((*pieces, octets[done:]))
