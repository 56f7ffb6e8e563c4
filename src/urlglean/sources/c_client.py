r"""Mailboxes of the c-client library, which Pine, Alpine and the IMAP server of Washington use: mbx, mtx, tenex, mix.

Before each message is a line with its size in octets. In tenex, which comes from TOPS-20, and in mtx and mbx it is
` 7-Jul-1986 12:34:56 -0700,1234;000000000001`; mbx has 2,048 octets before the first one. A mailbox in mix is a folder:
its messages lie in files `.mix1a2b3c4d`, where the line is `:msg:00000001:20260102030405+0000:000004d2:`. Messages that
are marked as expunged may still be there (docs/formats.txt, docs/mixfmt.txt and src/osdep/unix of UW IMAP 2007f).
"""

from __future__ import annotations

from collections.abc import Iterator

from urlglean.expressions import compiled
from urlglean.lazy import pattern
from urlglean.records import Document, Framing, Trouble
from urlglean.sources import message_splitter
from urlglean.sources.items import Item, unbundled
from urlglean.sources.message_splitter import Form
from urlglean.sources.streams import Stream

_DATE = (
    rb"[ 0-3][0-9]-[A-Z][a-z]{2}-(?:[0-9]{4}|[0-9]{2}) [ 0-2][0-9]:[0-9]{2}(?::[0-9]{2})?(?: [-+][0-9]{4}|[- ][A-Z]{3})"
)
_FLAGS = rb"[0-9A-Fa-f]{12}(?:-[0-9A-Fa-f]{8})?"
_IN_MIX = rb":msg:[0-9A-Fa-f]{8}:[0-9]{14}[-+][0-9]{4}:(?P<in_hex>[0-9A-Fa-f]{8}):"
_LINE = rb"(?:%b,(?P<size>[0-9]{1,12});%b|%b)\r*+\n" % (_DATE, _FLAGS, _IN_MIX)
_FIRST_LINE = pattern(_LINE)
_MAGIC = rb"\*mbx\*\r*+\n"
_FIRST_OCTETS = pattern(_MAGIC)
_HEADER = (
    rb"%b[0-9A-Fa-f]{16}\r*+\n(?:(?s:.{2023})(?=[ 0-3][0-9]-[A-Z]|\Z)|(?:[^\0\r\n ]{0,80}+\r*+\n){0,99}+\0{0,2023}+)"
    % _MAGIC
)
"""The pattern of the 2,048 octets before the first message of an mbx file: lines of keywords, and NULs. Of a damaged
one, or one whose line ends a transfer has changed, there are fewer."""


def shows(head: bytes) -> bool:
    """Whether the first bytes of a file are those of such a mailbox."""
    return _FIRST_OCTETS.match(head) is not None or _FIRST_LINE.match(head) is not None


def read(stream: Stream) -> Iterator[Item]:
    """Yield the messages of such a mailbox, numbered from 1. A size that is wrong is a trouble."""
    for item in unbundled(message_splitter.bundles(stream, FORM)):
        if isinstance(item, Document) and item.message is not None:
            start, said = _begin_and_size(item.data)
            if said != len(item.data) - start:
                cause = f"a message said to have {said:,} bytes has {len(item.data) - start:,}"
                yield Trouble(item.path, cause, item.member, item.message)
        yield item


def content(data: bytes) -> bytes:
    """The message without the line before it."""
    return data[after_line(data) :]


def after_line(data: bytes) -> int:
    """Where the message begins, behind the line before it."""
    return _begin_and_size(data)[0]


def _begin_and_size(data: bytes, at: int = 0) -> tuple[int, int]:
    """Where the message begins whose line is at an offset, and how many octets it is said to have."""
    line = _FIRST_LINE.match(data, at, at + message_splitter.REACH)
    if line is None:
        return at, len(data) - at
    return line.end(), int(line["size"]) if line["size"] else int(line["in_hex"], 16)


def _begins(data: bytes, at: int, _within: int) -> bool:
    return _FIRST_LINE.match(data, at, at + message_splitter.REACH) is not None


def _end(data: bytes, at: int, _within: int) -> int:
    start, size = _begin_and_size(data, at)
    return start + size


def _meets(data: bytes, at: int, within: int) -> int:
    return at if at == len(data) or _begins(data, at, within) else 0


FORM = Form(
    compiled(rb"(?<=[\n\0])(?:[ 0-3][0-9]-[A-Z]|:msg:)"),
    _begins,
    Framing.MBX,
    b"0",
    _end,
    _meets,
    front=pattern(rb"\s*+(?:%b)?+" % _HEADER),
)
