"""Octets and where they lie, as they are handed from a message to its parts."""

from __future__ import annotations

from msgspec import Struct

from urlglean.records import Decoding


class OctetRange(Struct, frozen=True, gc=False):
    """A stretch of octets.

    Attributes:
        octets: the octets themselves.
        start: how many octets stand before them in the message, or in what `within` decodes to.
        within: as in `Decoding`.
    """

    octets: bytes
    start: int
    within: Decoding | None = None

    def cut(self, start: int, end: int | None = None) -> OctetRange:
        """A stretch of this one, by places in `octets`, half-open."""
        return OctetRange(self.octets[start:end], self.start + start, self.within)
