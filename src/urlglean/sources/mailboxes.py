r"""Mailboxes of MMDF and Babyl, which frame messages with control characters, and emlx files of Apple Mail.

MMDF puts a line of four `^A` before and after each message. Babyl (Rmail's format until Emacs 23) puts `^_` between
messages. A Babyl message begins with a line of labels, the header as it was received, `*** EOOH ***`, and the header as
Rmail showed it; if it was never shown, it has a header only after that mark. No RFC describes these two formats; the
standard library's `mailbox` reads and writes both. An emlx file holds one message: a line with its length, the message,
a property list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlglean.lazy import pattern
from urlglean.records import Document, Framing, Trouble
from urlglean.sources import mbox, message_splitter
from urlglean.sources.items import Item
from urlglean.sources.message_splitter import Form, end_before_blank_line, follows_blank_line
from urlglean.sources.streams import Stream

MMDF_MARK = b"\1\1\1\1"
_MMDF_FRONT = pattern(rb"[ \t\r\n]*+\x01{4}")
_BABYL_FRONT = pattern(rb"[ \t\r\n]*+BABYL OPTIONS:")
_MMDF_LINE = pattern(rb"\x01{4}[ \t]*+\r*+(?:\n|\Z)")
_BABYL_LINE = pattern(rb"\x1f(?:\x0c?\r?(?:\n|\Z)|\x0c)")
# The line of labels may be followed by that which Rmail shows in its summary, in messages that were never shown too.
_BABYL_FRAME = pattern(rb"\x1f\x0c?\r*+\n?(?:[01],[^\n]*\n(?:Summary-line:[^\n]*\n)?)?")
_BABYL_HEADER_ENDS = pattern(rb"^\*\*\* EOOH \*\*\*[ \t]*+\r*+\n", re.MULTILINE)
_BLANK_LINE = pattern(rb"^\r*+\n", re.MULTILINE)
_NAME = pattern(mbox.FIELD)
_NEXT_FIELD = pattern(rb"\n(?![ \t])")
# Options with a URL are read as what precedes the first message.
_BABYL_OPTIONS = pattern(rb"(?!(?s:.)*://)\s*(?:BABYL OPTIONS:[^\n]*\n(?:[A-Za-z][^\n:]*+:[^\n]*\n|\r?\n)*+)?")
MMDF = Form(
    message_splitter.marked(MMDF_MARK),
    lambda data, at, _within: _MMDF_LINE.match(data, at, at + message_splitter.REACH) is not None,
    Framing.MMDF,
    frame=_MMDF_LINE,
)
BABYL = Form(
    message_splitter.marked(b"\x1f"),
    lambda data, at, _within: _BABYL_LINE.match(data, at, at + message_splitter.REACH) is not None,
    Framing.BABYL,
    frame=_BABYL_FRAME,
    front=_BABYL_OPTIONS,
)
_EMLX = pattern(rb"([0-9]{1,12})[ \t]*\r?\n")


def shows_mmdf(head: bytes) -> object:
    """Whether the first bytes of a file are those of an MMDF mailbox."""
    return _MMDF_FRONT.match(head)


def shows_babyl(head: bytes) -> object:
    """Whether the first bytes of a file are those of a Babyl file."""
    return _BABYL_FRONT.match(head)


def read_mmdf(stream: Stream) -> Iterator[Item]:
    """Yield the messages of an MMDF mailbox, numbered from 1."""
    return message_splitter.read(stream, MMDF)


def read_babyl(stream: Stream) -> Iterator[Item]:
    """Yield the messages of a Babyl file, numbered from 1."""
    return message_splitter.read(stream, BABYL)


def mmdf_content(data: bytes) -> bytes:
    """The message without its frame and its envelope lines."""
    return mbox.unquoted(data[_after_mmdf_line(data) :])


def mmdf_place(data: bytes) -> tuple[int, int]:
    """Where the message lies in its frame, still quoted."""
    return mbox.place(data, _after_mmdf_line(data))


def _after_mmdf_line(data: bytes) -> int:
    frame = _MMDF_LINE.match(data)
    return frame.end() if frame else 0


def babyl_content(data: bytes) -> bytes:
    """The message without its frame, with the header as it was received."""
    (start, stop), (begin, end) = babyl_places(data)
    header, body = data[start:stop], data[begin:end]
    return header + body if not header or follows_blank_line(header, len(header)) else header + b"\n" + body


def babyl_places(data: bytes) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where the header that was received lies in its frame, and where the body lies.

    If there is no such header, the first place is empty, and the second is that of the message.
    """
    frame = _BABYL_FRAME.match(data)
    start = frame.end() if frame else 0
    end = end_before_blank_line(data, start)
    inside = data[start:end]
    mark = _BABYL_HEADER_ENDS.search(inside)
    if not mark:
        return (start, start), (start, end)
    after = start + mark.end()
    if not inside[: mark.start()].strip():
        return (start, start), (after, end)
    blank = _BLANK_LINE.search(inside, mark.end())
    if _is_shown(inside, mark, blank):
        after = start + blank.end() if blank else end
    return (start, start + mark.start()), (after, end)


def _is_shown(inside: bytes, mark: re.Match[bytes], blank: re.Match[bytes] | None) -> bool:
    """Whether the header that was shown follows the mark: half its fields are of the original header, or it is empty.

    Python's `mailbox` writes none, nor the empty line behind it: the body follows the mark. It may begin with the
    header of another message. Rmail may have decoded some fields. `blank` is the empty line behind the mark; without
    one, the message has no body, or no shown header: then all fields must be of the original.
    """
    if blank and blank.start() == mark.end():
        return True
    if not _NAME.match(inside, mark.end()):
        return False
    original = _fields(inside[: mark.start()])
    may_be_decoded = {_name_of(field) for field in original if b"=?" in field}
    shown = _fields(inside[mark.end() : blank.start() if blank else len(inside)])
    alike = [field in original or (not field.isascii() and _name_of(field) in may_be_decoded) for field in shown]
    return 2 * sum(alike) >= len(shown) if blank else all(alike)


def _name_of(field: bytes) -> bytes:
    return field.partition(b":")[0]


def _fields(header: bytes) -> dict[bytes, None]:
    """The fields of a header in their order, without folds, and with one blank for several."""
    return dict.fromkeys(b" ".join(field.lower().split()) for field in _NEXT_FIELD.split(header.strip()))


def shows_emlx(head: bytes) -> bytes | None:
    """What follows the first line of a file, if that line holds only a length; else None."""
    length = _EMLX.match(head)
    return head[length.end() :] if length else None


def read_emlx(stream: Stream) -> Iterator[Document | Trouble]:
    """Yield the message of an emlx file. If its length is wrong, it is read to the end of the file, with a trouble."""
    data = stream.whole()
    if not emlx_place(data)[2]:
        cause = "its first line gives a length that it does not have; it was read to its end"
        yield Trouble(stream.path, cause, stream.member)
    yield Document(stream.path, data, "message", stream.member, framing=Framing.EMLX)


def emlx_content(data: bytes) -> bytes:
    """The message in an emlx file."""
    start, end, _ = emlx_place(data)
    return data[start:end]


def emlx_place(data: bytes) -> tuple[int, int, bool]:
    """Where the message of an emlx file begins and ends, and whether it ends where the first line says."""
    length = _EMLX.match(data)
    start, size = (length.end(), int(length[1])) if length else (0, len(data))
    after = data[start + size :].lstrip()
    if start + size > len(data) or (after and not after.startswith(b"<?xml")):
        return start, len(data), False
    return start, start + size, True
