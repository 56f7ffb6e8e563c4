"""Files that hold many messages, cut where each begins: one way for all forms of mailbox and batch.

A form has a mark that every message begins with. Where messages say how long they are (mboxcl's Content-Length, the
count of an rnews batch), their word is taken if another message, or the end, stands exactly there; then marks before
it are text. Otherwise they lie, as Content-Length often does, and the marks decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from urlglean.bounds import Bounds
from urlglean.lazy import LazyPattern, pattern
from urlglean.records import Document, Framing, Trouble
from urlglean.sources.items import Bundle, Bundled, Item, unbundled
from urlglean.sources.streams import Stream

FRONT = b"\n\n"
"""Read before a file: its first line begins a message as if a blank line stood before it."""

REACH = 1100
"""Bytes from a mark within which its line ends (RFC 5322 2.1.1: 998) and the next field's name is seen."""

_BLANK_LINES = (b"\n\n", b"\n\r\n")


class Form(Struct, frozen=True):
    """A row: what the messages of a form begin with.

    Attributes:
        mark: what every beginning has, and stands only at the beginning of a line. See `marked`.
        begins: whether a message begins at a place, given the bytes around it.
        sign: bytes that are in every message that says how long it is; None: no message of the form does.
        end: where the message that begins at a place says that it ends; None where it does not say within so many
            bytes.
        meets: where the next message begins (or the file ends) if one really ends at a place; 0 if none does.
        front: what a file may have before its first message; anything else there is junk.
    """

    mark: re.Pattern[bytes]
    begins: Callable[[bytes, int], bool]
    sign: bytes | None = None
    end: Callable[[bytes, int, int], int | None] = lambda _data, _at, _within: None
    meets: Callable[[bytes, int], int] = lambda _data, _at: 0
    front: LazyPattern[bytes, re.Match[bytes]] = pattern(rb"\s*")


def marked(sign: bytes) -> re.Pattern[bytes]:
    """A pattern for fixed bytes at the beginning of a line, which takes 0.3 ns a byte to search for.

    With the line end at its front it takes 0.45, and `bytes.find` 0.7 (Python 3.11): line ends are many.
    """
    return re.compile(re.escape(sign) + rb"(?<=\n" + re.escape(sign) + rb")")


def read(stream: Stream, form: Form, framing: Framing, frame: LazyPattern[bytes, re.Match[bytes]]) -> Iterator[Item]:
    """Give the messages of a file, counted from 1, one at a time.

    Args:
        stream: the file.
        form: how it is cut.
        framing: the documents' own.
        frame: what stands before a message; where nothing stands behind it there is none, and none is counted.
    """
    number = 0
    for item in unbundled(bundles(stream, form, framing)):
        if isinstance(item, Document) and item.kind == "message":
            before = frame.match(item.data)
            if item.data[before.end() if before else 0 :].strip():
                number += 1
                yield replace(item, message=number)
        elif isinstance(item, Trouble):
            yield Trouble(item.path, item.cause, item.member, number or None)
        else:
            yield item


def bundles(stream: Stream, form: Form, framing: Framing) -> Iterator[Bundled]:
    """Give the messages of a file, counted from 1: those that a block holds whole, then the one that lies across it.

    What stands before the first of them is a trouble, and a text, so that its URLs are not lost.

    Args:
        stream: the file.
        form: how it is cut.
        framing: the documents' own.
    """
    number: int | None = None
    offset = -len(FRONT)
    for data, cuts, size in _whole(stream.blocks(), form, stream.bounds):
        if number is None:
            number = 0
            if not form.front.fullmatch(data):
                yield from _junk(stream, data, size)
        else:
            yield Bundle(stream.path, data, cuts, stream.member, number + 1, framing, offset)
            number += len(cuts) - 1
        if size > len(data):
            cause = f"a message of {size:,} bytes; only the first {len(data):,} were read"
            yield Trouble(stream.path, cause, stream.member, number or None)
        offset += size


def without_last_blank_line(data: bytes, start: int = 0) -> bytes:
    """A message from `start`, without the blank line that belongs to its mailbox (RFC 4155 appendix A)."""
    end = len(data)
    if data.endswith(_BLANK_LINES, start):
        end -= 2 if data.endswith(b"\r\n") else 1
    return data[start:end]


def follows_blank_line(data: bytes, at: int) -> bool:
    """Whether the line that begins at a place has a blank one before it."""
    return data.endswith(_BLANK_LINES, 0, at)


def _junk(stream: Stream, data: bytes, size: int) -> Iterator[Item]:
    cause = f"the first {size - len(FRONT):,} bytes belong to no message; they were read as text"
    yield Trouble(stream.path, cause, stream.member)
    yield Document(stream.path, data.removeprefix(FRONT), "text", stream.member)


def _whole(blocks: Iterator[bytes], form: Form, bounds: Bounds) -> Iterator[tuple[bytes, list[int], int]]:
    """Give whole messages: bytes, where in them each begins and the last one ends, and how many bytes there were.

    First comes what stands before all messages. One that lies across blocks is cut at `Bounds.document`.
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
            del head, piece  # which may be megabytes, and are held no longer than they are needed
            yield across, [0, len(across)], size
            size = len(parts[0])
            if within:
                yield within, [at - first for at in begins], len(within)
    across = b"".join(parts)
    yield across, [0, len(across)], size


class _Window:
    """The bytes at hand: what was not given out yet, and so much after it as was asked for.

    Attributes:
        data: these bytes.
        judged: where in them a mark may stand, its line and its message's header being here as a whole.
        ended: no more will come.
        says: a message has been seen that says how long it is.
    """

    def __init__(self, blocks: Iterator[bytes], sign: bytes | None, lookahead: int) -> None:
        self.data = FRONT
        self.judged = 0
        self.ended = False
        self.says = False
        self._blocks, self._sign, self._lookahead = blocks, sign, lookahead

    def drop(self, end: int) -> None:
        """Let go of the bytes before a place."""
        self.data = self.data[end:]
        self.judged -= end

    def reach(self, end: int) -> None:
        """Have the bytes up to a place, if there are so many."""
        parts, size = [self.data], len(self.data)
        while size < end and not self.ended:
            block = next(self._blocks, b"")
            self.ended = not block
            parts.append(block)
            size += len(block)
        if len(parts) > 1:
            self.data = b"".join(parts)
            self.judged = len(self.data) - (0 if self.ended else self._lookahead)
            self.says = self.says or (self._sign is not None and self._sign in self.data)


def pieces(blocks: Iterator[bytes], form: Form, bounds: Bounds) -> Iterator[tuple[bytes, list[int]]]:
    """Cut blocks into pieces, with the places in each where messages begin: its end too, if one begins there.

    Together they are `FRONT` and the file.

    The last `Bounds.lookahead` bytes of a block wait for the next one, so that no message is judged by a half of its
    header.
    """
    window, search = _Window(blocks, form.sign, bounds.lookahead), form.mark.search
    data = window.data
    begins: list[int] = []
    at = sure = 0
    while True:
        found = None if sure else search(data, at + 1)
        at = found.start() if found else sure
        if 0 < at <= window.judged and at < len(data):
            if sure or form.begins(data, at):
                begins.append(at)
                sure = 0
                if window.says:
                    if at > bounds.block:
                        piece = data[:at]
                        window.drop(at)
                        data = window.data
                        yield piece, begins
                        del piece
                        begins, at = [], 0
                    sure = _said_end(window, form, at, bounds)
                    data = window.data
            continue
        # The next mark is judged by what stands before it.
        end = len(data) if window.ended else max(begins[-1] if begins else 0, window.judged - len(FRONT))
        if end:
            yield data[:end], begins
            begins = []
        if window.ended:
            return
        window.drop(end)
        window.reach(len(window.data) + 1)
        data = window.data
        at = sure = 0


def _said_end(window: _Window, form: Form, at: int, bounds: Bounds) -> int:
    """Where the message that begins at a place ends by its own word; 0 where it gives none, or none to be trusted."""
    end = form.end(window.data, at, bounds.lookahead)
    if end is None or end - at > bounds.stated_length:
        return 0
    window.reach(end + REACH + bounds.lookahead)  # so that what it may find there is judged
    return form.meets(window.data, end) if end <= len(window.data) else 0
