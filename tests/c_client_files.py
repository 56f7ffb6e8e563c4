"""Mailboxes as the c-client library writes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

DATE = b"26-Nov-2026 22:03:54 +0000"


def tenex(messages: Sequence[bytes]) -> bytes:
    """A mailbox in tenex."""
    return b"".join(b"%b,%d;000000000001\n%b" % (DATE, len(each), each) for each in messages)


def mtx(messages: Sequence[bytes]) -> bytes:
    """A mailbox in mtx, whose lines end in CR LF."""
    return b"".join(b"%b,%d;000000000000\r\n%b" % (DATE, len(each), each) for each in messages)


def mbx(messages: Sequence[bytes]) -> bytes:
    """A mailbox in mbx: a header that ends in NULs, then the messages."""
    header = (b"*mbx*\r\n6b08b18700000000\r\n" + b"\r\n" * 30).ljust(2048, b"\0")
    return header + b"".join(b"%b,%d;00000000000A-00000001\r\n%b" % (DATE, len(each), each) for each in messages)


def mix(messages: Sequence[bytes]) -> bytes:
    """A file of a mailbox in mix."""
    return b"".join(
        b":msg:%08x:20261126220354+0000:%08x:\r\n%b" % (number, len(each), each)
        for number, each in enumerate(messages, 1)
    )


FORMS: dict[str, Callable[[Sequence[bytes]], bytes]] = {"tenex": tenex, "mtx": mtx, "mbx": mbx, "mix": mix}
