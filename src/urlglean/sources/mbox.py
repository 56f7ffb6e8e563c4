r"""Mailboxes in mbox form: messages one after another, each begun by a `From ` line.

RFC 4155 appendix A gives the default form; what lies about is wider. A `From ` line begins a message here when
it has the shape of an envelope (`From sender date`) and either a blank line stands before it, as the RFC has it, or a
header field directly after it: Mailman's archiver leaves out the blank line where it took an attachment away.

Unquoting: writers put `>` before a body line that begins with `From `. mboxo does it to `From ` alone, mboxrd to
`>From ` as well, and nothing in a file says which. Exactly `>From ` loses its `>`, which is right in both. `>>From `
stays as it is: it is a reply's quotation in mboxo, the far commoner form, and one quote prefix too many (in mboxrd)
does a URL no harm that one too few does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from urlglean.records import Document, Trouble
from urlglean.sources import streams
from urlglean.sources.streams import Stream

_WEEKDAY = rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_TIME = rb"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
_ZONE = rb"(?: +(?:[+-][0-9]{4}|[A-Z]{1,5}(?:[+-][0-9]{1,4})?(?: DST)?|\([A-Za-z ]{1,40}\))){0,2}"
_YEAR = rb"(?: +[0-9]{4}| +[0-9]{2})?"

ENVELOPE = (
    rb"From (?:.*? )?(?:"
    # ctime(3), as RFC 4155 has it; sendmails and System V put a zone before or after the year, the oldest had no year.
    rb"%(weekday)s +%(month)s +[0-9]{1,2},? +%(time)s%(zone)s%(year)s%(zone)s"
    # RFC 5322 3.3 date-time, from archives that were put together out of Date fields.
    rb"|%(weekday)s, *[0-9]{1,2} +%(month)s +[0-9]{2,4} +%(time)s%(zone)s"
    # RFC 976: the host that handed a message over by UUCP.
    rb")(?: +remote from [!-~]+)?[ \t]*\r?(?:\n|\Z)"
) % {b"weekday": _WEEKDAY, b"month": _MONTH, b"time": _TIME, b"zone": _ZONE, b"year": _YEAR}
"""An envelope line: `From `, a sender, a date."""

FIELD = rb"[!-9;-~]{1,76}+[ \t]*+:(?!//)"
"""A header field's name and colon (RFC 5322 2.2; white space before it by 4.5). `http://` on a line is none."""

_MARK = b"\nFrom "
_FRONT = b"\n\n"
"""Read before a mailbox: its first line begins a message as if a blank line stood before it."""

_BLANK_LINES = (b"\n\n", b"\n\r\n")
_ENVELOPE = re.compile(ENVELOPE)
_FIELD = re.compile(FIELD)
_OWN_ENVELOPE = re.compile(rb"From [^\n]*(?:\n|\Z)(?:>" + ENVELOPE + rb")*")

_REACH = 1100
"""Bytes from a `From ` within which its line ends (RFC 5322 2.1.1: 998) and the next field's name is seen."""


def read(stream: Stream) -> Iterator[Document | Trouble]:
    """Give the messages of an mbox, counted from 1, without their envelope lines.

    What stands before the first of them is a trouble, and a text, so that its URLs are not lost.
    """
    for number, (data, size) in enumerate(_messages(stream.blocks())):
        if number:
            yield Document(stream.path, _message(data), "message", message=number)
        elif data.strip():
            yield Trouble(
                stream.path, f"the first {size - len(_FRONT):,} bytes belong to no message; they were read as text"
            )
            yield Document(stream.path, data.removeprefix(_FRONT), "text")
        if size > len(data):
            cause = f"a message of {size:,} bytes; only the first {len(data):,} were read"
            yield Trouble(stream.path, cause, message=number or None)


def _message(data: bytes) -> bytes:
    start = found.end() if (found := _OWN_ENVELOPE.match(data)) else 0
    end = len(data)
    if data.endswith(_BLANK_LINES, start):
        # The blank line before the next envelope belongs to the mailbox (RFC 4155 appendix A).
        end -= 2 if data.endswith(b"\r\n") else 1
    return data[start:end].replace(b"\n>From ", b"\nFrom ")


def _messages(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    """Give each message, cut at `MAX_DOCUMENT`, with its full size; first what stands before all of them."""
    parts: list[bytes] = []
    size = 0
    for begins, piece in _pieces(blocks):
        if begins:
            yield b"".join(parts), size
            parts, size = [], 0
        if size < streams.MAX_DOCUMENT:
            parts.append(piece[: streams.MAX_DOCUMENT - size])
        size += len(piece)
    yield b"".join(parts), size


def _pieces(blocks: Iterable[bytes]) -> Iterator[tuple[bool, bytes]]:
    """Cut blocks where messages begin. A piece says whether it begins one; together they are `_FRONT` and the mailbox.

    The last `_REACH` bytes of a block wait for the next one, so that no envelope line is judged by a half of it.
    """
    begins, data = False, _FRONT
    for block in chain(blocks, (b"",)):
        data += block
        end = len(data) - _REACH if block else len(data)
        start = 0
        at = data.find(_MARK)
        while -1 < at < end:
            if _is_envelope(data, at + 1):
                yield begins, data[start : at + 1]
                start, begins = at + 1, True
            at = data.find(_MARK, at + 1)
        keep = max(start, end - len(_FRONT)) if block else end  # the next mark is judged by what stands before it
        if keep > start:
            yield begins, data[start:keep]
            begins = False
        data = data[keep:]
    if begins:
        yield begins, b""


def _is_envelope(data: bytes, at: int) -> bool:
    found = _ENVELOPE.match(data, at, at + _REACH)
    if not found:
        return False
    return data.endswith(_BLANK_LINES, 0, at) or _FIELD.match(data, found.end()) is not None
