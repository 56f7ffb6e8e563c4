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
from collections.abc import Iterator

from urlglean.lazy import pattern

_FULL_LINE = rb"M[ -`]{60}[!-~]?\r?\n"
_BEGINNING = rb"(?:begin [0-7]{3,4} |=ybegin |(?:" + _FULL_LINE + rb"){3})"
_FIRST = re.compile(_BEGINNING)
# The lookahead for the first octet of `_BEGINNING` excludes most lines: 0.6 ns an octet, 0.8 ns without (Python 3.11).
_LATER = re.compile(rb"\n(?=[b=M])" + _BEGINNING)
_UU_BEGIN = pattern(rb"begin [0-7]{3,4} [^\n]*\n")
_UU_LINE = pattern(rb"([ -`])([ -`]*+)[!-~]?\r?(?:\n|\Z)")
_UU_END = pattern(rb"end[ \t]*\r?(?:\n|\Z)")
_Y_BEGIN = pattern(rb"=ybegin [^\n]*?\bline=([0-9]{1,4})\b[^\n]*(?:\n=ypart [^\n]*)?(?:\n|\Z)")
_Y_LAST = pattern(rb"(?:[^\n]*\n)?=yend[^\n]*(?:\n|\Z)")
_LINE = pattern(rb"([^\r\n]*+)\r?(?:\n|\Z)")


def without_binaries(octets: bytes) -> bytes:
    """Empty the lines of uuencoded and yEnc files in a text, and return its octets.

    A line that looks like the beginning of a file stays if no encoded line follows it.

    Args:
        octets: the text, with the transfer encoding undone.
    """
    start = 0 if _FIRST.match(octets) else _later(octets, 0)
    if start is None:
        return octets
    pieces: list[bytes] = []
    done = 0
    for begin, end in _binaries(octets, start):
        pieces += octets[done:begin], b"\n" * octets.count(b"\n", begin, end)
        done = end
    return b"".join((*pieces, octets[done:]))


def _binaries(octets: bytes, start: int | None) -> Iterator[tuple[int, int]]:
    """Yield where each encoded file begins and ends, in whole lines. The first may begin at `start`."""
    while start is not None:
        end = _yenc_end(octets, start) if octets.startswith(b"=y", start) else _uuencode_end(octets, start)
        if end > start:
            yield start, end
        start = _later(octets, max(end - 1, start))


def _later(octets: bytes, at: int) -> int | None:
    found = _LATER.search(octets, at)
    return found.start() + 1 if found else None


def _uuencode_end(octets: bytes, start: int) -> int:
    """Where the uuencoded lines that begin at `start` end; `start` if there are none."""
    begin = _UU_BEGIN.match(octets, start)
    at = first = begin.end() if begin else start
    while (line := _UU_LINE.match(octets, at)) and _holds_what_it_says(line):
        at = line.end()
    if at == first:
        return start
    end = _UU_END.match(octets, at)
    return end.end() if end else at


def _holds_what_it_says(line: re.Match[bytes]) -> bool:
    """Whether a uuencoded line has as many characters as its first one says: four for each three octets.

    It may have one more, a checksum. A full line may have fewer, because mailers remove blanks at line ends.
    """
    size = (line[1][0] - 32) % 64
    characters = -(-size // 3) * 4
    return size <= 45 and (
        len(line[2]) in {characters, characters + 1} or (size == 45 and 0 < len(line[2]) < characters)
    )


def _yenc_end(octets: bytes, start: int) -> int:
    """Where the yEnc lines that begin at `start` end; `start` if there are none."""
    begin = _Y_BEGIN.match(octets, start)
    if not begin:
        return start
    width, at = int(begin[1]), begin.end()
    # A line may be longer than `width` by two: one for an escape, one for the dot that NNTP puts before a dot.
    while (line := _LINE.match(octets, at)) and width <= len(line[1]) <= width + 2 and line.end() > at:
        at = line.end()
    last = _Y_LAST.match(octets, at)
    if last:
        return last.end()
    return at if at > begin.end() else start
