"""Splits a file into its messages: one algorithm for all forms of mailboxes and batches.

In each form, every message begins with a mark. Some messages state their length (Content-Length in mboxcl, the count in
an rnews batch). A stated length is used if another message, or the end of the file, is exactly at the place that it
gives; marks before that place are then text. Otherwise the length is wrong, as Content-Length often is, and the marks
decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from urlglean.bounds import Bounds
from urlglean.expressions import compiled
from urlglean.html_recognition import is_html
from urlglean.lazy import LazyPattern, pattern
from urlglean.records import Document, DocumentKind, Framing, Trouble
from urlglean.sources.items import Bundle, Bundled, Item, unbundled
from urlglean.sources.streams import Stream

FRONT = b"\n\n"
"""Put before the content of a file, so that its first line can begin a message, which must follow a blank line."""

REACH = 1100
"""How many bytes behind a mark are examined: enough for the end of its line (RFC 5322 2.1.1: 998) and the name of a
field in the next line."""

# CR CR LF is what a copy as text on DOS makes of CR LF.
_BLANK_LINES = (b"\n\n", b"\n\r\n", b"\n\r\r\n")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""What editors put before the first line, where it stays if files are joined."""
CONTEXT = max(map(len, _BLANK_LINES)) + len(BYTE_ORDER_MARK)
"""How many bytes before a mark say whether it follows a blank line, as `follows_blank_line` does."""


class Form(Struct, frozen=True):
    """A form of mailbox or batch: how its messages begin and end.

    Attributes:
        mark: matches the mark with which every message begins, at the beginning of a line. See `marked`.
        begins: called with the bytes, an offset, and how many bytes behind it may be examined: whether a message begins
            there.
        sign: bytes that occur in every message that states its length; None: messages of this form never do.
        end: called with the bytes, the offset at which a message begins, and the length within which its header must
            end: the offset at which the message says that it ends; None if it does not say.
        meets: called with the bytes, the offset at which a message says that it ends, and how many bytes behind it may
            be examined: the offset at which the next message begins (or the file ends) if that is true; 0 if it is not.
            Every message that `begins` finds there meets it, because a range of a file ends where its next message
            begins.
        framing: the framing of the documents.
        frame: matches the frame before a message; None: there is no frame without a message. If nothing but white space
            follows a frame, there is no message, and none is counted.
        front: matches what a file may have before its first message. Anything else there is junk.
    """

    mark: re.Pattern[bytes]
    begins: Callable[[bytes, int, int], bool]
    framing: Framing
    sign: bytes | None = None
    end: Callable[[bytes, int, int], int | None] = lambda _data, _at, _within: None
    meets: Callable[[bytes, int, int], int] = lambda _data, _at, _within: 0
    frame: LazyPattern[bytes, re.Match[bytes]] | None = None
    front: LazyPattern[bytes, re.Match[bytes]] = pattern(rb"(?:\s++|%b)*+" % BYTE_ORDER_MARK)

    def holds_message(self, data: bytes) -> bool:
        """Whether a piece of a file, from one place where a message begins to the next, holds a message."""
        if self.frame is None:
            return True
        before = self.frame.match(data)
        return bool(data[before.end() if before else 0 :].strip(b" \t\r\n\v\f\0"))


def marked(sign: bytes) -> re.Pattern[bytes]:
    """A pattern for fixed bytes at the beginning of a line, or behind NULs. A search takes 0.3 ns a byte.

    After a crash, NULs may stand where the end of a message was to be written; others are appended behind them.

    With the line end at the front of the pattern it would take 0.45 ns, because there are many line ends; with
    `bytes.find` 0.7 ns (Python 3.11).
    """
    fixed = re.escape(sign)
    return compiled(rb"%b(?:(?<=[\n\0]%b)|(?<=[\n\0]%b%b))" % (fixed, fixed, BYTE_ORDER_MARK, fixed))


def read(stream: Stream, form: Form) -> Iterator[Item]:
    """Yield the messages of a file, numbered from 1, one at a time, without frames that hold no message."""
    number = stream.messages
    for item in unbundled(bundles(stream, form)):
        if isinstance(item, Document) and item.message is not None:
            if form.holds_message(item.data):
                number += 1
                yield replace(item, message=number)
        elif isinstance(item, Trouble):
            yield Trouble(item.path, item.cause, item.member, number or None)
        else:
            yield item


def bundles(stream: Stream, form: Form) -> Iterator[Bundled]:
    """Yield the messages of a file in bundles, numbered from 1.

    The messages that are completely in one block are one bundle. A message that goes on in the next block is a bundle
    of its own. What precedes the first message becomes a trouble and a text, so that its URLs are not lost.
    """
    number: int | None = None
    offset = stream.start - len(FRONT)
    for data, cuts, size in _whole(stream.blocks(), form, stream.bounds):
        what, lead = "a message", 0
        if number is None:
            what, lead = "a text before the messages", len(FRONT)
            number = stream.messages
            if not form.front.fullmatch(data):
                yield from _junk(stream, data, size)
        else:
            yield Bundle(stream.path, data, cuts, stream.member, number + 1, form.framing, offset)
            number += len(cuts) - 1
        if size > len(data):
            cause = f"{what} of {size - lead:,} bytes; only the first {len(data) - lead:,} were read"
            yield Trouble(stream.path, cause, stream.member, number or None)
        offset += size


def end_before_blank_line(data: bytes, start: int = 0) -> int:
    """Where the data from `start` end without the blank line that belongs to the mailbox (RFC 4155 appendix A).

    A byte order mark behind it belongs to the mailbox that was joined there.
    """
    end = len(data) - len(BYTE_ORDER_MARK) if data.endswith(BYTE_ORDER_MARK, start) else len(data)
    lines = next((lines for lines in _BLANK_LINES if data.endswith(lines, start, end)), None)
    return end - len(lines) + 1 if lines else len(data)


def follows_blank_line(data: bytes, at: int) -> bool:
    """Whether the line that begins at `at` follows a blank line, or NULs, which a crash may leave instead."""
    if data.endswith(BYTE_ORDER_MARK, 0, at):
        at -= len(BYTE_ORDER_MARK)
    return data.endswith((*_BLANK_LINES, b"\0"), 0, at)


_CALLED: dict[DocumentKind, str] = {"text": "text", "html": "HTML"}


def _junk(stream: Stream, data: bytes, size: int) -> Iterator[Item]:
    """What precedes the first message: a trouble, and the document as which it is read."""
    from urlglean.sources.message_file import is_message, message_of  # noqa: PLC0415 - it imports `mbox`

    data = data.removeprefix(FRONT)
    # Where a crash has left NULs instead of an envelope, the header of its message may stand behind them.
    found = message_of(stream.path, stream.member, data) if is_message(data) else None
    # The rest of a message may be the end of its HTML.
    kind: DocumentKind = "html" if is_html(data.lstrip(b"\0")) else "text"
    shown = (
        "begin as no message of a mailbox does; read as one"
        if found
        else f"belong to no message; they were read as {_CALLED[kind]}"
    )
    yield Trouble(stream.path, f"the first {size - len(FRONT):,} bytes {shown}", stream.member)
    yield found or Document(stream.path, data, kind, stream.member)


def _whole(blocks: Iterator[bytes], form: Form, bounds: Bounds) -> Iterator[tuple[bytes, list[int], int]]:
    """Yield whole messages: their bytes, the offsets at which they begin and the last one ends, and their full size.

    The first tuple is what precedes all messages. A message across blocks is cut at `Bounds.document` bytes; then its
    full size is larger than its bytes.
    """
    parts: list[bytes] = []
    size = 0
    for piece, begins in pieces(blocks, form, bounds):
        head = piece[: begins[0]] if begins else piece
        if size < bounds.document:
            parts.append(head[: bounds.document - size])
        size += len(head)
        if begins:
            first, last = begins[0], begins[-1]
            across, within, parts = b"".join(parts), piece[first:last], [piece[last:]]
            del head, piece  # these may be megabytes, so they are freed before the caller works
            yield across, [0, len(across)], size
            size = len(parts[0])
            if within:
                yield within, [at - first for at in begins], len(within)
    across = b"".join(parts)
    yield across, [0, len(across)], size


class _Window:
    """The bytes of a file that were read and not yet yielded.

    Attributes:
        data: these bytes.
        judged: marks up to this offset can be judged, because enough bytes after them were read.
        ended: whether the end of the file was reached.
        states_length: whether `Form.sign` was seen, so that messages may state their length.
    """

    def __init__(self, blocks: Iterator[bytes], sign: bytes | None, lookahead: int) -> None:
        self.data = FRONT
        self.judged = 0
        self.ended = False
        self.states_length = False
        self._blocks, self._sign, self._lookahead = blocks, sign, lookahead

    def drop(self, end: int) -> None:
        """Remove the bytes before the offset `end`."""
        self.data = self.data[end:]
        self.judged -= end

    def reach(self, end: int) -> None:
        """Read until `data` has at least `end` bytes, or the file ends.

        Blocks may be tiny, so if one is read, so many are that copying `data` takes no more time than reading them.
        """
        parts, size = [self.data], len(self.data)
        least = max(end, size + size // 4) if size < end else size
        while size < least and not self.ended:
            block = next(self._blocks, b"")
            self.ended = not block
            parts.append(block)
            size += len(block)
        if len(parts) > 1:
            self.data = b"".join(parts)
            self.judged = len(self.data) - (0 if self.ended else self._lookahead)
            self.states_length = self.states_length or (self._sign is not None and self._sign in self.data)


def pieces(blocks: Iterator[bytes], form: Form, bounds: Bounds) -> Iterator[tuple[bytes, list[int]]]:
    """Cut blocks into pieces. Yields each piece with the offsets in it at which messages begin.

    The end of a piece is one of these offsets, if a message begins there. All pieces together are `FRONT` and the file.

    The last `Bounds.lookahead` bytes of a block are kept until the next block is read, so that no message is judged by
    an incomplete header.
    """
    window, search = _Window(blocks, form.sign, bounds.lookahead), form.mark.search
    data = window.data
    begins: list[int] = []
    # `stated`: where the next message begins, if the one before it states its length rightly; else 0.
    at = stated = 0
    while True:
        found = None if stated else search(data, at + 1)
        at = found.start() if found else stated
        if 0 < at <= window.judged and at < len(data):
            if stated or form.begins(data, at, bounds.lookahead):
                begins.append(at)
                stated = 0
                if window.states_length:
                    if at > bounds.block:
                        piece = data[:at]
                        window.drop(at)
                        data = window.data
                        yield piece, begins
                        del piece
                        begins, at = [], 0
                    stated = _stated_next(window, form, at, bounds)
                    data = window.data
            continue
        # Keep enough bytes to see whether the next mark follows a blank line.
        end = len(data) if window.ended else max(begins[-1] if begins else 0, window.judged - CONTEXT)
        if end:
            yield data[:end], begins
            begins = []
        if window.ended:
            return
        window.drop(end)
        window.reach(len(window.data) + 1)
        data = window.data
        at = stated = 0


def _stated_next(window: _Window, form: Form, at: int, bounds: Bounds) -> int:
    """Where the message after the one at `at` begins, by the length that the message states.

    0 if it states none, or a wrong or too large one.
    """
    end = form.end(window.data, at, bounds.lookahead)
    if end is None or end - at > bounds.stated_length:
        return 0
    window.reach(end + REACH + bounds.lookahead)  # so that a message that begins there can be judged
    return form.meets(window.data, end, bounds.lookahead) if end <= len(window.data) else 0
