"""What one file has come to, against its bounds."""

from __future__ import annotations

from msgspec import Struct

from urlglean.bounds import Bounds


class Usage(Struct):
    """What one file has come to so far, all that lies in it counted together.

    Attributes:
        bounds: what it may come to.
        taken: octets of the file itself.
        unpacked: octets that came out of its compressions and archives, those within each other included.
        members: members of its archives.
    """

    bounds: Bounds
    taken: int = 0
    unpacked: int = 0
    members: int = 0

    @property
    def unpackable(self) -> int:
        """Octets that what was taken so far may unpack to by its size."""
        return max(self.bounds.ratio_free, self.bounds.ratio * self.taken)

    def excess(self) -> str | None:
        """Which bound has been passed, as a cause; None while all are kept."""
        if self.unpacked > self.bounds.unpacked:
            return f"unpacks to more than {self.bounds.unpacked:,} bytes"
        if self.unpacked > self.unpackable:
            return f"unpacks to more than {self.bounds.ratio} times its size"
        if self.members > self.bounds.members:
            return f"holds more than {self.bounds.members:,} members"
        return None
