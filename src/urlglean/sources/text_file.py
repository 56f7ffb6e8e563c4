"""Plain-text files of any length. A long one is read in windows, so that memory holds no more than a window of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import chain

from urlglean.charsets import decoder_of, flaw_of, is_utf_8, mark_of, octets_of, without_surrogates
from urlglean.inline_binaries import emptied
from urlglean.lazy import pattern
from urlglean.records import Document, Stretch
from urlglean.sources.streams import Stream
from urlglean.windows import line_ends, windows_of

GUESSED_FROM = 1 << 22
"""The charset of a text without a mark is guessed from this many octets, from the first octet above 127 on.

A text of one window is not longer, so it is guessed from all of it.
"""

_LIKE_ASCII = frozenset({"ascii", "utf-8", "cp1252"})
_ABOVE_ASCII = pattern(rb"[\x80-\xff]")


def read_text(stream: Stream) -> Iterator[Document]:
    """Yield a plain text as one document, or a long one as one document for each of its windows.

    A byte order mark says what the charset of a long text is. Without one the text is UTF-8 if the first `GUESSED_FROM`
    octets from the first octet above 127 on are UTF-8, else windows-1252. Octets that then are not in the charset are
    replaced, with a trouble.
    """
    blocks, first = stream.blocks(), []
    length = 0
    for block in blocks:
        first.append(block)
        length += len(block)
        if length > stream.bounds.window.own:
            yield from _Text(stream, chain(first, blocks)).documents()
            return
    yield Document(stream.path, b"".join(first), "text", stream.member)


class _Text:
    """A long text while it is read."""

    def __init__(self, stream: Stream, blocks: Iterator[bytes]) -> None:
        self.stream = stream
        self.mark, self.charset = mark_of(stream.head)
        self._blocks = blocks
        self._replaced = 0
        self._kept = len(self.mark)
        """How many octets were decoded, those of emptied lines not counted."""
        self._emptied: deque[tuple[int, int, int]] = deque()
        """Between which of them emptied lines stand, and how many octets these have lost."""

    def documents(self) -> Iterator[Document]:
        """The windows in order, then their troubles in the stream."""
        at = lost = lines = 0
        text = ""
        size, was_cut = self.stream.bounds.window, False
        for window, read in windows_of(self._pieces(), size):
            mark = b"" if window.start else self.mark
            data = mark + octets_of(read, self.charset)
            own = read[window.start - window.first : window.end - window.first]
            # What was emptied before the window, and in it.
            lost += self._lost(at)
            ahead = sum(octets for start, _, octets in self._emptied if start < at + len(data))
            charset = "ascii" if not mark and data.isascii() and self.charset in _LIKE_ASCII else self.charset
            text = text or _digest_of(data)
            owned = len(mark) + len(octets_of(own, self.charset))
            stretch = Stretch(window, lines, charset, bool(mark), len(data) + ahead, owned, text)
            yield Document(self.stream.path, data, "text", self.stream.member, offset=at + lost, stretch=stretch)
            was_cut = was_cut or (window.end < window.last and window.end - window.start >= size.run)
            lines += line_ends(own, 0, len(own))
            at += len(mark) + len(octets_of(read[: window.after - window.first], self.charset))
            del read, own, data
        if was_cut:
            self.stream.troubles.append(f"a URL may have been cut after {size.run:,} characters without a break")
        if flaw := flaw_of(self._replaced, self.charset):
            self.stream.troubles.append(flaw)

    def _lost(self, place: int) -> int:
        """How many octets emptied lines have lost up to a place, since the last call."""
        octets = 0
        while self._emptied and self._emptied[0][1] <= place:
            octets += self._emptied.popleft()[2]
        return octets

    def _pieces(self) -> Iterator[str]:
        """The text, with lone surrogates for what could not be decoded."""
        octets = self._octets()
        if not self.charset:
            self.charset = "ascii"
            for block in octets:
                if not block.isascii():
                    octets = self._guessed(block, octets)
                    break
                yield block.decode("ascii")
            else:
                return
        decode = decoder_of(self.charset)
        for block in octets:
            yield self._counted(decode(block))
        yield self._counted(decode(b"", final=True))

    def _guessed(self, block: bytes, octets: Iterator[bytes]) -> Iterator[bytes]:
        """Guess the charset by what begins with a block, the first that is not in ASCII. Returns all of that again."""
        blocks = [block]
        above = _ABOVE_ASCII.search(block)
        start = above.start() if above else 0
        length = len(block) - start
        while length < GUESSED_FROM and (more := next(octets, None)) is not None:
            blocks.append(more)
            length += len(more)
        seen = b"".join(blocks)
        self.charset = "utf-8" if is_utf_8(seen[start : start + GUESSED_FROM]) else "cp1252"
        return chain((seen,), octets)

    def _counted(self, text: str) -> str:
        if not text.isascii():
            self._replaced += without_surrogates(text, self.charset)[1]
        return text

    def _octets(self) -> Iterator[bytes]:
        """The octets of the file without the mark, and without the lines of files in it."""
        marked = len(self.mark)
        for kept, stood in emptied(self._blocks):
            octets = kept[marked:]
            marked = max(0, marked - len(kept))
            if stood > len(kept):
                self._emptied.append((self._kept, self._kept + len(octets), stood - len(kept)))
            self._kept += len(octets)
            yield octets


def _digest_of(octets: bytes) -> str:
    from hashlib import blake2b  # noqa: PLC0415  it loads OpenSSL, and only long texts need it

    return blake2b(octets, digest_size=16).hexdigest()
