r"""Files of Dovecot's dbox: sdbox with one message in each (`u.1`), mdbox with several (`m.1`).

A file begins with a line of its version (`2 M1e C4f5a6b7c`). Before each message is a line that begins with `\1\2N` and
ends with its size in octets, in hexadecimal digits; behind it are `\n\1\3\n`, lines of metadata, each of which begins
with a capital, and an empty line, in version 1 one of blanks (`src/lib-storage/index/dbox-common/dbox-file.h` of
Dovecot). If the size is wrong, the message reaches to the metadata that are found. Only Dovecot's indexes say which
messages are expunged.

A message may be packed as it lies, which its first octets tell. Its document holds the packed one, and `dbox_content`
unpacks it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from urlglean.lazy import pattern
from urlglean.records import Document, Framing, Trouble
from urlglean.sources import message_splitter
from urlglean.sources.compressed import COMPRESSIONS, Compression, unpacked
from urlglean.sources.items import Item, unbundled
from urlglean.sources.message_splitter import Form
from urlglean.sources.streams import Stream

_VERSION = rb"[12](?: ++[A-Z][0-9A-Fa-f]++)++ *+\n"
# The number was used in version 1. Between the size and the line end is room for extensions.
_MARK = b"\1\2N "
_BEGINNING = _MARK + rb"[ 0-9A-Fa-f]{8} ([0-9A-Fa-f]{16})[ -~]{0,200}+\n"
_SHOWS = pattern(rb"(?:%b(?s:.*?)(?<=\n))?%b" % (_VERSION, _BEGINNING))
_FIRST_LINE = pattern(_BEGINNING)
_METADATA_MARK = b"\n\1\3\n"
_METADATA = pattern(_METADATA_MARK + rb"(?:[A-Z][^\n]*+(?:\n|\Z))*+(?:(?: [^\n]*+)?+(?:\n|\Z))?+")
_ELSEWHERE = b"\nX"
"""Begins the metadata that say which octets of the message are in other files."""

NOT_READ = {b"Dovecot-LZ4\r*\x9b\xc5": "packed by LZ4", b"CRYPTED\3\7": "encrypted by Dovecot"}
"""How a message begins whose octets are not those of mail and cannot be read here, and what it is.

In a Maildir, each is a file."""
CAUSE = "a message that is {}, which is not read"


def shows_dbox(head: bytes) -> bool:
    """Whether the first bytes of a file are those of a dbox file with a message."""
    return _SHOWS.match(head) is not None


def read_dbox(stream: Stream) -> Iterator[Item]:
    """Yield the messages of a dbox file, numbered from 1.

    Octets between two of them, and a size that is wrong, are troubles; those octets are read as text.
    """
    for item in unbundled(message_splitter.bundles(stream, FORM)):
        if isinstance(item, Document) and item.message is not None:
            yield from _in_record(stream, item)
        else:
            yield item


def _in_record(stream: Stream, document: Document) -> Iterator[Item]:
    """The message of a record, which reaches to the next one, with its troubles; and what is behind its metadata."""
    path, data, member, number = document.path, document.data, document.member, document.message
    record = _record(data)
    is_unread, causes = _unread(stream, data, record)
    if record.said != record.end - record.start:
        causes.append(f"a message said to have {record.said:,} bytes has {record.end - record.start:,}")
    if _ELSEWHERE in data[record.end : record.after]:
        causes.append("a message of which Dovecot keeps attachments in other files; they are missing")
    yield from (Trouble(path, cause, member, number) for cause in causes)
    if not is_unread:
        yield replace(document, data=data[: record.after])
    if behind := len(data[record.after :].strip()):
        yield Trouble(path, f"{behind:,} bytes behind a message belong to none; they were read as text", member, number)
        yield Document(path, data[record.after :], "text", member, offset=document.offset + record.after)


def _unread(stream: Stream, data: bytes, record: _Record) -> tuple[bool, list[str]]:
    """Whether a message cannot be read at all, and the causes for what of it cannot be read."""
    for magic, what in NOT_READ.items():
        if data.startswith(magic, record.start):
            return True, [CAUSE.format(what)]
    if packed := _packed(data, record, stream):
        inner = next(unpacked(*packed), None)
        if inner is None:
            return True, packed[1].troubles
        inner.whole()
        return bool(stream.spent.excess()), inner.troubles
    return False, []


def dbox_content(data: bytes) -> bytes:
    """The message without what is around it, unpacked; at most `Bounds.document` octets of it."""
    record = _record(data)
    packed = _packed(data, record)
    if packed is None:
        return data[record.start : record.end]
    inner = next(unpacked(*packed), None)
    return inner.whole() if inner else b""


def dbox_place(data: bytes) -> tuple[int, int]:
    """Where the message lies, packed or not."""
    record = _record(data)
    return record.start, record.end


class _Record(Struct, frozen=True):
    """Where a message and its metadata lie, as offsets in the octets that begin with its first line.

    Attributes:
        start: where the message begins.
        end: where it ends.
        after: where its metadata end.
        said: how many octets the message has, as its first line says.
    """

    start: int
    end: int
    after: int
    said: int


def _record(data: bytes) -> _Record:
    first = _FIRST_LINE.match(data)
    start, said = (first.end(), int(first[1], 16)) if first else (0, len(data))
    for end in (start + said, data.rfind(_METADATA_MARK, start)):
        if 0 <= end < len(data) and (metadata := _METADATA.match(data, end)):
            return _Record(start, end, metadata.end(), said)
    return _Record(start, len(data), len(data), said)


def _packed(data: bytes, record: _Record, below: Stream | None = None) -> tuple[Compression, Stream] | None:
    """The compression of a message, and the stream of its octets; None if it is not packed.

    Args:
        data: the octets of the record.
        record: where the message lies in them.
        below: the stream in which the record was found, whose bounds hold.
    """
    row = next((row for row in COMPRESSIONS if row.magic.match(data, record.start, record.end)), None)
    return (row, Stream("", io.BytesIO(data[record.start : record.end]).read, below)) if row else None


def _begins(data: bytes, at: int, _within: int) -> bool:
    return _FIRST_LINE.match(data, at, at + message_splitter.REACH) is not None


def _end(data: bytes, at: int, _within: int) -> int | None:
    first = _FIRST_LINE.match(data, at, at + message_splitter.REACH)
    return first.end() + int(first[1], 16) if first else None


def _meets(data: bytes, at: int, _within: int) -> int:
    metadata = _METADATA.match(data, at, at + message_splitter.REACH)
    if metadata is None:
        return 0
    after = metadata.end()
    return after if after == len(data) or _begins(data, after, 0) else 0


FORM = Form(
    message_splitter.marked(_MARK),
    _begins,
    Framing.DBOX,
    _MARK,
    _end,
    _meets,
    front=pattern(rb"\s*+(?:%b)?+" % _VERSION),
)
