"""Compares what one file has used with its bounds."""

from __future__ import annotations

from msgspec import Struct

from urlglean.bounds import Bounds


class Usage(Struct):
    """What one file has used so far, together with everything inside it.

    Attributes:
        bounds: the limits.
        taken: how many octets of the file itself were read.
        unpacked: how many octets came out of compressed files and archives in it, at all levels.
        members: how many members of its archives were reached.
    """

    bounds: Bounds
    taken: int = 0
    unpacked: int = 0
    members: int = 0

    @property
    def unpackable(self) -> int:
        """How many octets may have been unpacked so far, by the number of octets read so far."""
        return max(self.bounds.ratio_free, self.bounds.ratio * self.taken)

    def excess(self) -> str | None:
        """The cause for a trouble, if a bound was exceeded; else None."""
        if self.unpacked > self.bounds.unpacked:
            return f"unpacks to more than {self.bounds.unpacked:,} bytes"
        if self.unpacked > self.unpackable:
            return f"unpacks to more than {self.bounds.ratio} times its size"
        if self.members > self.bounds.members:
            return f"holds more than {self.bounds.members:,} members"
        return None
