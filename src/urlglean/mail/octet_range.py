"""Octets of a message with their place in it. A message passes its parts on in this form."""

from __future__ import annotations

from msgspec import Struct

from urlglean.records import Decoding


class OctetRange(Struct, frozen=True, gc=False):
    """A range of octets.

    Attributes:
        octets: the octets themselves.
        start: how many octets precede them in the message, or in the result of `within`.
        within: as in `Decoding`.
    """

    octets: bytes
    start: int
    within: Decoding | None = None

    def cut(self, start: int, end: int | None = None) -> OctetRange:
        """The range from `start` to `end` (not included); both are offsets in `octets`."""
        return OctetRange(self.octets[start:end], self.start + start, self.within)
