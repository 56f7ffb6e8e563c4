"""What kind of thing a file is, judged by its first bytes and never by its name: one table, its rows asked in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from urlglean.records import Document, Trouble
from urlglean.sources import mbox
from urlglean.sources.compressed import MAX_LAYERS, compression, unpacked
from urlglean.sources.items import Item, Skipped
from urlglean.sources.streams import Stream

_PREAMBLE = re.compile(
    # A byte order mark, blank lines and, from storage in an mbox, the lines of the envelope.
    rb"(?:\xef\xbb\xbf)?(?:[ \t]*+\r?\n)*+(?:From [^\n]*\n(?:>From [^\n]*\n)*+)?"
)
_FIELDS = re.compile(rb"(?:" + mbox.FIELD + rb"[^\n]*(?:\n|\Z)(?:[ \t]++[^\n]*(?:\n|\Z))*+)++")
_MAIL_FIELD = re.compile(
    # Fields that mail (RFC 5322 3.6, RFC 2045 3) or news (RFC 5536 3.1) cannot well do without. One of them must be
    # there: "Note: so much for that" is the shape of a field as well.
    rb"(?im)^(?:from|to|cc|date|subject|sender|reply-to|message-id|return-path|received|delivered-to|resent-from"
    rb"|mime-version|content-type|newsgroups|path|xref|article-i\.d\.|references|apparently-to|organization)[ \t]*:"
)
_MBOX = re.compile(rb"(?:[ \t]*+\r?\n)*+" + mbox.ENVELOPE)
_LATER_MBOX = re.compile(rb"\n\r?\n" + mbox.ENVELOPE + mbox.FIELD)
_CONTROLS = bytes(set(range(32)) - set(b"\b\t\n\v\f\r\x0e\x0f\x1a\x1b")) + b"\x7f"
"""Control characters that no text has: not the shifts and escapes of ISO 2022, nor the end mark of CP/M and DOS."""


class Kind(Struct, frozen=True):
    """A row: a kind's name, whether a file's first bytes show it, and how such a file is read."""

    name: str
    shows: Callable[[bytes], object]
    read: Callable[[Stream], Iterator[Item]]


def read(stream: Stream, *, asked: str | None = None, one_message: bool = False) -> Iterator[Item]:
    """Read one file as what its first bytes show it to be.

    Args:
        stream: the file, from its first byte.
        asked: one of `ASKABLE`, to be taken at its word; compression is undone all the same.
        one_message: the file lies where each file is one message (Maildir), whatever stands in its body.

    Yields:
        What is in the file, then a trouble for each thing that stopped it early.
    """
    while (packed := compression(stream.head)) and stream.layers < MAX_LAYERS:
        stream = unpacked(stream, packed)
    if packed:
        stream.troubles.append(f"compressed more than {MAX_LAYERS} times over")
    elif stream.head or not stream.troubles:
        kind = next(kind for kind in KINDS if kind.shows(stream.head))
        name = asked or ("message" if one_message and kind.name == "mbox" else kind.name)
        yield from (_BY_NAME[name] if name in _BY_NAME and stream.head else kind).read(stream)
    yield from (Trouble(stream.path, cause) for cause in stream.troubles)


def _read_message(stream: Stream) -> Iterator[Document]:
    data = stream.whole()
    start = found.end() if (found := _PREAMBLE.match(stream.head)) and _is_message(stream.head) else 0
    yield Document(stream.path, data[start:], "message")


def _read_text(stream: Stream) -> Iterator[Document]:
    yield Document(stream.path, stream.whole(), "text")


def _leave_out(cause: str, stream: Stream) -> Iterator[Skipped]:
    yield Skipped(stream.path, cause)


def _is_message(head: bytes) -> bool:
    preamble = _PREAMBLE.match(head)
    fields = _FIELDS.match(head, preamble.end() if preamble else 0)
    return bool(fields and _MAIL_FIELD.search(fields[0]))


def _is_binary(head: bytes) -> bool:
    return b"\0" in head or (len(head) - len(head.translate(None, _CONTROLS))) * 10 > len(head)


def _starts(*magic: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(magic)


def _left_out(name: str, shows: Callable[[bytes], object], cause: str) -> Kind:
    return Kind(name, shows, partial(_leave_out, cause))


KINDS: tuple[Kind, ...] = (
    _left_out("empty", lambda head: not head, "empty"),
    _left_out("urlglean", _starts(b'{"url":', b'{"urlglean":'), "urlglean's own output"),
    Kind("mbox", _MBOX.match, mbox.read),
    # Before NULs count: news servers have let them through.
    Kind("message", _is_message, _read_message),
    Kind("text", _starts(b"\xff\xfe", b"\xfe\xff"), _read_text),
    _left_out("mork", _starts(b"// <!-- <mdb:mork"), "an index of Mozilla mail"),
    _left_out("pdf", _starts(b"%PDF-"), "a PDF document"),
    _left_out("archive", _starts(b"PK\3\4", b"Rar!", b"7z\xbc\xaf\x27\x1c"), "an archive file"),
    _left_out("tar", lambda head: head[257:262] == b"ustar", "an archive file"),
    _left_out("zstd", _starts(b"\x28\xb5\x2f\xfd"), "compressed by zstd, which is not read"),
    _left_out("image", _starts(b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"II*\0", b"MM\0*"), "an image"),
    _left_out("sqlite", _starts(b"SQLite format 3\0"), "a database"),
    # After the kinds that wrap mailboxes, and before NULs count: a crash often leaves some at the front of a mailbox.
    Kind("mbox", _LATER_MBOX.search, mbox.read),
    _left_out("binary", _is_binary, "binary"),
    Kind("text", lambda _head: True, _read_text),
)

ASKABLE = ("mbox", "message", "text")
"""Kinds that a caller may name; the others are told by their first bytes alone."""

_BY_NAME = {kind.name: kind for kind in KINDS if kind.name in ASKABLE}
