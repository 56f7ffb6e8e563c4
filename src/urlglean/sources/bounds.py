"""How much one file may come to: the bounds on what is unpacked, each reported where it is reached."""

from __future__ import annotations

from msgspec import Struct

MAX_LAYERS = 6
"""Compressions and archives within one another that are opened."""

MAX_UNPACKED = 1 << 36
"""Bytes that all that is packed in one file may unpack to."""

MAX_RATIO = 200
"""Bytes that each byte of a file may unpack to; mail unpacks to 3 to 20."""

FREE = 1 << 26
"""Bytes below which the ratio is not asked after: small files of one letter are harmless."""

MAX_SPOOLED = 1 << 30
"""Bytes that are kept in a temporary file, for the formats that cannot be read from front to back."""

MAX_MEMBERS = 200_000
"""Members of all the archives in one file that are read."""


class Spent(Struct):
    """What one file has come to so far, all that lies in it counted together.

    Attributes:
        taken: bytes of the file itself.
        unpacked: bytes that came out of its compressions and archives, those within each other included.
        members: members of its archives.
    """

    taken: int = 0
    unpacked: int = 0
    members: int = 0

    def excess(self) -> str | None:
        """Which bound has been passed, as a cause; None while all are kept."""
        if self.unpacked > MAX_UNPACKED:
            return f"unpacks to more than {MAX_UNPACKED:,} bytes"
        if self.unpacked > max(FREE, MAX_RATIO * self.taken):
            return f"unpacks to more than {MAX_RATIO} times its size"
        if self.members > MAX_MEMBERS:
            return f"holds more than {MAX_MEMBERS:,} members"
        return None
