r"""Divides a long text into windows, so that a text of any length is read in bounded memory.

    first ... before         after ... last          reads
        [-- seam --]           [-- seam --]
             start ============= end                 owns

A window owns the code points from `start` to `end`: the URLs that begin there are its own. It reads from `first` to
`last`, a margin more on both sides, so that it sees the lines around each URL, and where a URL goes on behind `end`. It
does not see the rest of the text.

A window and the next one have a seam in common: the stretch that both of them read. The seam alone decides which URLs
go over from one to the other. So both decide in the same way, independently.

The windows of a text are adjacent. They depend on the text alone, not on how it was read: a file that is decoded
block by block has the windows of the same text in one `str`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from urlglean.lazy import pattern
from urlglean.records import Window

GRID = 3000
"""The first code point that a window reads is a multiple of this.

The readers of URLs examine the lines around a URL in stretches that are counted from the beginning of the text
(`text.gaps.NEAR`, `text.joining.line_geometry.REGION`). This is a multiple of both lengths, so a window has the same
stretches as the whole text. (Under DelSp, the text is that without its soft line ends.)
"""

_BREAK = r"(?:\r\n?+|\n)"
_BLANK_LINE = pattern(rf"{_BREAK}[ \t]*+{_BREAK}")
_LINE_END = pattern(_BREAK)
_REST_OF_BREAK = pattern(r"(?<=\r)\r?+\n")  # CR CR LF is one line end (`quote_prefix.BREAK`)
# Signs that no URL holds, and places where another URL seems to begin.
_BETWEEN_URLS = pattern(r"[\s<>\"]|(?<![A-Za-z0-9+.-])(?=[A-Za-z][A-Za-z0-9+.-]{0,30}+:)")
_AHEAD = 40
"""How many code points behind a place tell whether a window may end there, at most."""


class WindowSize(Struct, frozen=True, kw_only=True):
    """How large windows are, in code points. All are positive.

    Attributes:
        own: the least that a window owns, except the last. A text that is not longer is one window.
        margin: how much more it reads on both sides, at least, unless the text begins or ends there.
        run: the most that it owns. It ends at a blank line if there is one within a margin behind `own`, else at a line
            end there, else at the next place that is probably in no URL, but here at the latest. No browser takes a
            longer URL (2 MiB in Chromium, `url::kMaxURLChars`), and a longer one takes much memory to judge.
    """

    own: int = 1 << 20
    margin: int = 3 * GRID
    run: int = 1 << 21

    @property
    def enough(self) -> int:
        """A window's place depends on at most this many code points behind its `start`, unless a run is long."""
        return self.own + 2 * self.margin + _AHEAD


SIZE = WindowSize()
"""The size of windows, measured (Python 3.11) on a text of nothing but `ws://a.b `.

With 1 Mi code points, a window takes 63 MB with all its findings, with 4 Mi 254 MB. A window of prose takes 3 MB.
"""


def windows(text: str, size: WindowSize = SIZE, start: int = 0) -> Iterator[Window]:
    """The windows of a text, in order, from the one that begins at `start` on; one if the text is empty."""
    while True:
        window = _window(text, start, size)
        yield window
        if window.end == len(text):
            return
        start = window.end


def windows_of(pieces: Iterable[str], size: WindowSize = SIZE) -> Iterator[tuple[Window, str]]:
    """The windows of a text that comes in pieces, each with what it reads, `text[first:last]`.

    They are those of `windows` for the whole text, wherever the pieces begin and end. At most one window with its
    margins is held, and the piece that was read last.
    """
    text, base, start = "", 0, 0
    """The text that is held, how much of the text was before it, and where the next window begins in it."""
    held: list[str] = []
    missing = size.enough
    for piece in pieces:
        held.append(piece)
        missing -= len(piece)
        if missing > 0:
            continue
        text = "".join((text, *held))
        held.clear()
        while len(text) >= start + size.enough:
            window = _window(text, start, size)
            if len(text) < window.end + size.margin + _AHEAD:  # a run that may go on in the next piece
                break
            yield window.moved(base), text[window.first : window.last]
            done = _first(window.end, size)
            text, base, start = text[done:], base + done, window.end - done
        # A run that goes on is searched again when twice as much is known, so that this takes linear time.
        missing = max(start + size.enough - len(text), 0) or len(text)
    text = "".join((text, *held))
    held.clear()
    for window in windows(text, size, start):
        yield window.moved(base), text[window.first : window.last]


def _window(text: str, start: int, size: WindowSize) -> Window:
    """The window that begins at `start`. The text begins at a multiple of `GRID` of the whole text."""
    first, before = (_first(start, size), _last(text, start, size)) if start else (0, 0)
    end = _end(text, start, size)
    if end == len(text):
        return Window(first, before, start, end, end, end)
    return Window(first, before, start, end, _first(end, size), _last(text, end, size))


def _first(start: int, size: WindowSize) -> int:
    return max(0, start - size.margin) // GRID * GRID


def _last(text: str, end: int, size: WindowSize) -> int:
    return min(end + size.margin, len(text))


def _end(text: str, start: int, size: WindowSize) -> int:
    if len(text) - start <= size.own:
        return len(text)
    near = start + size.own
    far = near + size.margin
    found = (
        _BLANK_LINE.search(text, near, far)
        or _LINE_END.search(text, near, far)
        or _BETWEEN_URLS.search(text, far, start + size.run)
    )
    return _behind_break(text, found.end() if found else min(start + size.run, len(text)))


def _behind_break(text: str, at: int) -> int:
    r"""The place behind a CR LF or CR CR LF, if `at` is in the middle of one."""
    rest = _REST_OF_BREAK.match(text, at)
    return rest.end() if rest else at


def line_ends(text: str, start: int, end: int) -> int:
    """How many lines end between two places of a text: by LF, CR LF, CR CR LF (`quote_prefix.BREAK`) or CR alone."""
    ends = text.count("\n", start, end)
    if text.find("\r", start, end) < 0:  # searching for one CR takes a twentieth of the time of counting them
        return ends
    crs = text.count("\r", start, end) - text.count("\r\n", start, end)
    return ends + crs - text.count("\r\r\n", start, end)
