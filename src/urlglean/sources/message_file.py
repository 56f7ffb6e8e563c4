"""Files that are one message each: what may stand before the header, and the wire format of news."""

from __future__ import annotations

from collections.abc import Iterator

from urlglean.lazy import pattern
from urlglean.records import Document, Framing
from urlglean.sources import mbox
from urlglean.sources.streams import HEAD, Stream

_PREAMBLE = pattern(
    # A byte order mark, blank lines and, from storage in an mbox, the lines of the envelope.
    rb"(?:\xef\xbb\xbf)?(?:[ \t]*+\r?\n)*+(?:From [^\n]*\n(?:>From [^\n]*\n)*+)?"
)
_FIELDS = pattern(rb"(?:" + mbox.FIELD + rb"[^\n]*(?:\n|\Z)(?:[ \t]++[^\n]*(?:\n|\Z))*+)++")
_MAIL_FIELD = pattern(
    # Fields that mail (RFC 5322 3.6, RFC 2045 3) or news (RFC 5536 3.1) cannot well do without. One of them must be
    # there: "Note: so much for that" is the shape of a field as well.
    rb"(?im)^(?:from|to|cc|date|subject|sender|reply-to|message-id|return-path|received|delivered-to|resent-from"
    rb"|mime-version|content-type|newsgroups|path|xref|article-i\.d\.|references|apparently-to|organization)[ \t]*:"
)
_WIRE_END = b"\r\n.\r\n"
_NOT_STUFFED = pattern(rb"\n\.(?!\.)")


def is_message(head: bytes) -> bool:
    """Whether a file's first bytes are a header of mail or news."""
    if b"\n" not in head:  # lines of old Macintosh files end in CR
        head = head.replace(b"\r", b"\n")
    preamble = _PREAMBLE.match(head)
    fields = _FIELDS.match(head, preamble.end() if preamble else 0)
    return bool(fields and _MAIL_FIELD.search(fields[0]))


def read_message(stream: Stream) -> Iterator[Document]:
    """Give the one message of a file."""
    data = stream.whole()
    # Most files are nothing but the message: then nobody has to look for its frame again.
    framed = data.endswith(_WIRE_END) or len(after_preamble(data)) < len(data)
    yield Document(stream.path, data, "message", stream.member, framing=Framing.FILE if framed else Framing.NONE)


def message_content(data: bytes) -> bytes:
    """Take the message out of a file of its own: what stands before its header goes, and wire format is undone."""
    return unstuffed(after_preamble(data) if is_message(data[:HEAD]) else data)


def after_preamble(data: bytes) -> bytes:
    """What stands behind the lines before a header, if there are any."""
    preamble = _PREAMBLE.match(data, 0, HEAD)
    return data[preamble.end() :] if preamble else data


def unstuffed(data: bytes) -> bytes:
    """Undo wire format (RFC 3977 3.1.1), if all of an article shows it: the last dot goes, and one of every two."""
    if not data.endswith(_WIRE_END) or _NOT_STUFFED.search(data, 0, len(data) - len(_WIRE_END)):
        return data
    return data[: -len(_WIRE_END) + 2].replace(b"\n..", b"\n.")
