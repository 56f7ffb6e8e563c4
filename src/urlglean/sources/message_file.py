"""Files that hold one message each: removes lines before the header, and the wire format of news."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlglean.lazy import pattern
from urlglean.records import Document, Framing, Trouble
from urlglean.sources import mbox
from urlglean.sources.streams import LONGEST_HEAD, Stream

_BLANK_LINES = rb"(?:[ \t]*+\r*+\n)*+"
_FRONT = rb"\0*+(?:\xef\xbb\xbf)?" + _BLANK_LINES
"""NULs, which a crash leaves, a byte order mark and blank lines."""
_PREAMBLE = pattern(
    # If the message was in an mbox before, the lines of the envelope follow. If these end in CR, as all lines then, or
    # hold a URL, `mail.read` reads them. `From : a@b` is a field (RFC 5322 4.5).
    _FRONT
    + rb"(?:From %(line)s(?:>From %(line)s)*+%(blank)s)?"
    % {b"line": rb"(?![ \t]*+:|[^\r\n]*://)[^\r\n]*+\r*+\n", b"blank": _BLANK_LINES}
)
# Fields of a mail program, before the empty line with which the message begins (see `mail.headers`).
_OF_PROGRAM = (
    rb"(?i:x-[\w-]++|status|lines|content-length|delivery-date|envelope-to)[ \t]*+:[^\n]*+\n(?:[ \t]++[^\s][^\n]*+\n)*+"
)
_BEFORE_FIELDS = pattern(
    _FRONT + rb"(?:>?From (?![ \t]*+:)[^\r\n]*+\r*+\n)*+(?:(?:%s)++(?:[ \t]*+\r*+\n)++)?" % _OF_PROGRAM
)
_FIELDS = pattern(rb"(?:" + mbox.FIELD + rb"[^\n]*(?:\n|\Z)(?:[ \t]++[^\n]*(?:\n|\Z))*+)++")
_MAIL_FIELD = pattern(
    # Fields of which nearly every mail (RFC 5322 3.6, RFC 2045 3) or news article (RFC 5536 3.1) has one. A file must
    # have one of them, because a line of text such as "Note: so much for that" has the form of a field too.
    rb"(?im)^(?:from|to|cc|date|subject|sender|reply-to|message-id|return-path|received|delivered-to|resent-from"
    rb"|mime-version|content-type|newsgroups|path|xref|article-i\.d\.|references|apparently-to|organization)[ \t]*:"
)
LONGEST_HEADER = 1 << 20
"""In how many bytes a field of mail or news is looked for, if there are only fields before it: room for 10,000 of 100.

A log whose lines begin with a time looks so. With 16 MiB, such a file of 17 MB takes 0.95 s, without a look 0.29 s."""
_WIRE_END = b"\r\n.\r\n"
AFTER_WIRE = len(_WIRE_END) - 2
"""How many octets of an article in wire format follow its last line."""
STUFFED = pattern(rb"(?<=\n)\.(?=\.)")
"""The first dot of two at the beginning of a line."""
_NOT_STUFFED = pattern(rb"\n\.(?!\.)")


def is_message(head: bytes) -> bool:
    """Whether a file's first bytes are a header of mail or news."""
    if b"\n" not in head:  # lines of old Macintosh files end in CR
        head = head.replace(b"\r", b"\n")
    fields = _fields_of(head)
    return bool(fields and _MAIL_FIELD.search(fields[0]))


def may_be_message(head: bytes) -> bool:
    """Whether a file's first bytes, fewer than `LONGEST_HEADER`, are nothing but fields that any text may have."""
    if len(head) >= LONGEST_HEADER:
        return False
    fields = _fields_of(head)
    return bool(fields and fields.end() >= head.rfind(b"\n") + 1 and not _MAIL_FIELD.search(fields[0]))


def _fields_of(head: bytes) -> re.Match[bytes] | None:
    """The fields with which a file begins, behind blank lines and the lines of an envelope."""
    before = _BEFORE_FIELDS.match(head)
    return _FIELDS.match(head, before.end() if before else 0)


def read_message(stream: Stream) -> Iterator[Document | Trouble]:
    """Yield the one message of a file. In a folder of messages, NULs where its header was are a trouble."""
    data = stream.whole()
    if stream.one_message and data.startswith(b"\0") and not is_message(after_preamble(data)[:LONGEST_HEADER]):
        yield Trouble(
            stream.path, "NULs stand where its header was, what is behind them was read without it", stream.member
        )
    yield message_of(stream.path, stream.member, data)


def message_of(path: str, member: str | None, data: bytes) -> Document:
    """The message that is a file, or a member of an archive, of its own."""
    # Most files hold nothing but the message. `Framing.NONE` saves searching for the frame again in `content`.
    framed = data.endswith(_WIRE_END) or len(after_preamble(data)) < len(data)
    return Document(path, data, "message", member, framing=Framing.FILE if framed else Framing.NONE)


def message_content(data: bytes) -> bytes:
    """The message in a file, without the lines before its header and without wire format."""
    return unstuffed(data[message_start(data) :])


def message_start(data: bytes) -> int:
    """Where the header begins in a file, behind the lines before it."""
    behind = after_preamble(data)
    return len(data) - len(behind) if is_message(behind[:LONGEST_HEADER]) else 0


def after_preamble(data: bytes) -> bytes:
    """The data without the lines before the header, if there are such lines."""
    preamble = _PREAMBLE.match(data, 0, LONGEST_HEAD)
    return data[preamble.end() :] if preamble else data


def unstuffed(data: bytes) -> bytes:
    """Undo the wire format of news (RFC 3977 3.1.1), if the whole article has it.

    The line with the final dot is removed, and one dot of each two at the beginning of a line.
    """
    if not is_stuffed(data):
        return data
    return data[: -len(_WIRE_END) + 2].replace(b"\n..", b"\n.")


def is_stuffed(data: bytes, start: int = 0) -> bool:
    """Whether an article has wire format. It begins at `start`."""
    end = len(data) - len(_WIRE_END)
    return data.endswith(_WIRE_END, start) and not _NOT_STUFFED.search(data, start, end)
