"""Removes files inside a text, as they were posted before MIME (uuencode and yEnc), by emptying their lines.

Encoded octets are not text, and gigabytes of them hold URLs by chance. The line ends stay, so that the lines of the
text keep their numbers and no URL goes on across the gap.

    begin 644 name          POSIX.1 uuencode: the first character of a line says how many octets it holds, so `M` (45)
    M<...60 characters>     begins all but the last; later parts of a large file have no `begin` of their own
    `
    end

    =ybegin line=128 size=123 name=...      yEnc 1.3: lines of as many octets as `line` says, one more where the
    <octets>                                last of them is escaped
    =yend size=123
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from urlglean.expressions import compiled
from urlglean.lazy import pattern

_FULL_LINE = rb"M[ -`]{60}[!-~]?\r?\n"
_BEGINNING = rb"(?:begin [0-7]{3,4} |=ybegin |(?:" + _FULL_LINE + rb"){3})"
_FIRST = compiled(_BEGINNING)
# The lookahead for the first octet of `_BEGINNING` excludes most lines: 0.6 ns an octet, 0.8 ns without (Python 3.11).
_LATER = compiled(rb"\n(?=[b=M])" + _BEGINNING)
_UU_BEGIN = pattern(rb"begin [0-7]{3,4} [^\n]{0,4000}\n")
_UU_LINE = pattern(rb"([ -`])([ -`]*+)[!-~]?\r?(?:\n|\Z)")
SCHEMES = b"CID DATA FILE GEO MAGNET MAILTO MID NEWS SIP SIPS SNEWS TEL URN XMPP".split()
"""Schemes of URLs without "//"."""
# Begins with the one character for which the search looks. Of lines of 45 random octets 4 in 100,000 hold it
# (measured): their file ends there, and goes on behind.
_URL = pattern(
    rb":(?://(?<=[A-Z]{2}://)[A-Z0-9\[]|(?<=[A-Z]{3}:)(?:%s)[A-Z0-9/?<])"
    % b"|".join(rb"(?<=%s:)" % name for name in SCHEMES)
)
"""The beginning of a URL in capitals."""
_UU_END = pattern(rb"end[ \t]*\r?(?:\n|\Z)")
_Y_BEGIN = pattern(rb"=ybegin [^\n]{0,4000}?\bline=([0-9]{1,4})\b[^\n]{0,4000}+(?:\n=ypart [^\n]{0,4000}+)?(?:\n|\Z)")
_Y_LAST = pattern(rb"(?:[^\n]{0,10000}+\n)?=yend[^\n]{0,4000}+(?:\n|\Z)")
_LINE = pattern(rb"([^\r\n]*+)\r?(?:\n|\Z)")


def without_binaries(octets: bytes) -> bytes:
    """Empty the lines of uuencoded and yEnc files in a text, and return its octets.

    A line that looks like the beginning of a file stays if no encoded line follows it.

    Args:
        octets: the text, with the transfer encoding undone.
    """
    if not _FIRST.match(octets) and _later(octets, 0) is None:
        return octets
    return b"".join([kept for kept, _ in emptied((octets,))])


def emptied(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    """The octets of a text as `without_binaries` returns them, for a text that comes in blocks.

    The result does not depend on the blocks. Memory holds one block and a few lines.

    Yields:
        Some octets, and how many octets of the text they stand for: as many, or more where lines were emptied.
    """
    data, at_line = b"", True
    width: int | None = None
    for block in chain(blocks, (None,)):
        data += block or b""
        lines = data if block is None else data[: data.rfind(b"\n") + 1]
        is_all = block is None or len(data) - len(lines) > _LONGEST
        done = 0
        while True:
            if width is not None:
                end, is_over = _end(lines, done, width, is_all=is_all)
                if end > done:
                    yield b"\n" * lines.count(b"\n", done, end), end - done
                done, at_line = end, True
                if not is_over:
                    break
                width = None
            judged = len(data) if is_all else _judged(lines, done)
            start = done if at_line and _FIRST.match(data, done) else _later(data, done)
            if start is None or start > judged or start >= len(lines):
                if judged > done:
                    yield data[done:judged], judged - done
                    done, at_line = judged, data.endswith(b"\n", done, judged)
                break
            if start > done:
                yield data[done:start], start - done
            done, at_line = start, False
            if (begun := _begun(lines, start)) is not None:
                at, width = begun
                yield b"\n" * lines.count(b"\n", done, at), at - done
                done = at
        data = data[done:]


_JUDGED = 4
"""This many lines show whether a file begins at the first of them."""

_LONGEST = 1 << 15
"""A line with more octets is not part of a file."""

_UUENCODED = 0
"""Instead of the width of the lines of a yEnc file."""


def _judged(lines: bytes, done: int) -> int:
    """The last place behind `done` in whole lines where those behind it show whether a file begins there; else -1."""
    at = len(lines)
    for _ in range(_JUDGED + 1):
        if (at := lines.rfind(b"\n", done, at)) < 0:
            return -1
    return at + 1


def _later(octets: bytes, at: int) -> int | None:
    found = _LATER.search(octets, at)
    return found.start() + 1 if found else None


def _begun(lines: bytes, start: int) -> tuple[int, int] | None:
    """The start and the width of the encoded lines of the file that begins at `start`; None if no file begins there."""
    if not lines.startswith(b"=y", start):
        begin = _UU_BEGIN.match(lines, start)
        at = begin.end() if begin else start
        return (at, _UUENCODED) if _line_end(lines, at, _UUENCODED) else None
    begin = _Y_BEGIN.match(lines, start)
    if not begin or not int(begin[1]):
        return None
    at, width = begin.end(), int(begin[1])
    return (at, width) if _line_end(lines, at, width) or _Y_LAST.match(lines, at) else None


def _line_end(lines: bytes, at: int, width: int) -> int | None:
    """Where the encoded line at `at` ends; None if that is no encoded line."""
    if width == _UUENCODED:
        line = _UU_LINE.match(lines, at)
        return line.end() if line and _holds_what_it_says(line) else None
    line = _LINE.match(lines, at)
    # A line may be longer than `width` by two: one for an escape, one for the dot that NNTP puts before a dot.
    return line.end() if line and width <= len(line[1]) <= width + 2 else None


def _end(lines: bytes, at: int, width: int, *, is_all: bool) -> tuple[int, bool]:
    """Where the encoded lines from `at` on end, and whether the file is over there or may go on behind `lines`."""
    while (end := _line_end(lines, at, width)) is not None:
        at = end
    last = _Y_LAST if width else _UU_END
    following = lines.find(b"\n", at)
    if width and following >= 0:  # its last line may be short, and the line behind that says so
        following = lines.find(b"\n", following + 1)
    if following < 0 and not is_all:
        return at, False
    found = last.match(lines, at)
    return found.end() if found else at, True


def _holds_what_it_says(line: re.Match[bytes]) -> bool:
    """Whether a uuencoded line has as many characters as its first one says: four for each three octets.

    It may have one more, a checksum. A full line may have fewer, because mailers remove blanks at line ends. But a line
    in capitals may have that form, and hold a URL.
    """
    size = (line[1][0] - 32) % 64
    characters = -(-size // 3) * 4
    held = len(line[2])
    is_full = held in {characters, characters + 1} or (size == 45 and 0 < held < characters)
    return is_full and size <= 45 and not _URL.search(line[0]) and b"WWW." not in line[0] and b"FTP." not in line[0]
