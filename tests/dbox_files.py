"""Makes files of Dovecot's dbox, as Dovecot writes them."""

from __future__ import annotations

from collections.abc import Sequence

VERSION = b"2 M1e C3b9aca00\n"
"""The first line of a file."""


def record(message: bytes, said: int | None = None, metadata: bytes = b"") -> bytes:
    """A message with what is around it. Its first line says that it has `said` octets, or those that it has."""
    size = len(message) if said is None else said
    lines = b"G0a1b2c3d4e5f60718293a4b5c6d7e8f9\nR3b9aca00\nV%x\n" % (len(message) + message.count(b"\n"))
    return b"\1\2N          %016x\n%b\n\1\3\n%b%b\n" % (size, message, lines, metadata)


def dbox(messages: Sequence[bytes]) -> bytes:
    """A file with these messages."""
    return VERSION + b"".join(map(record, messages))
