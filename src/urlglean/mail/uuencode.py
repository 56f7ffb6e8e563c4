"""Undoes uuencode (POSIX.1), a transfer encoding from before MIME. What does not belong to it is kept unchanged."""

from __future__ import annotations

import binascii
import re

from urlglean.lazy import pattern

_BEGIN, _END = rb"begin [0-7]{3,4} [^\n]*", rb"end[ \t]*\r?"
# Gateways fill lines with blanks.
_ANY_LINE = rb"([ -M`][ -`]{0,62})[ \t]*+\r?(?:\n|\Z)"
_BEGIN_OF_DATA = pattern(rb"^%b\n(?=%b)" % (_BEGIN, _ANY_LINE), re.MULTILINE)
# A line without octets ends the data too, if no other line does.
_END_OF_DATA = pattern(rb"^(?:%b|`\r?(?!\nend))(?:\n|\Z)" % _END, re.MULTILINE)
_FRAME = pattern(rb"^(?:%b|%b)(?:\n|\Z)" % (_BEGIN, _END), re.MULTILINE)
_LINE = pattern(_ANY_LINE)


def undo(octets: bytes) -> tuple[bytes, str | None]:
    """Undo uuencode. Text behind the data begins a line. Without a line that begins the data, any line may be of them.

    Returns:
        The octets, and what was lost of them: one clause, or None.
    """
    pieces: list[bytes] = []
    done, begin, flaw = 0, _BEGIN_OF_DATA.search(octets), None
    if begin is None:
        return _by_lines(_FRAME.sub(b"", octets).splitlines(keepends=True))[0], None
    while begin is not None:
        end = _END_OF_DATA.search(octets, begin.end())
        # An empty line is one of zeros that lost its blank.
        lines = octets[begin.end() : end.start() if end else len(octets)].splitlines(keepends=True)
        data, lost = _by_lines([line for line in lines if line.strip()])
        pieces += [octets[done : begin.start()], data]
        # Of a line that is cut off, other letters than it had are decoded.
        flaw = flaw or (lost if end else "its uuencoded data have no end")
        done = end.end() if end else len(octets)
        if done < len(octets) and data and not data.endswith(b"\n"):
            pieces.append(b"\n")
        begin = _BEGIN_OF_DATA.search(octets, done)
    return b"".join([*pieces, octets[done:]]), flaw


def shows(octets: bytes) -> bool:
    """Whether octets begin with the line that begins a uuencoded file."""
    return _FRAME.match(octets.lstrip()) is not None


def _by_lines(lines: list[bytes]) -> tuple[bytes, str | None]:
    """Decode each line that is uuencoded, and say whether others are among them."""
    decoded = [_decoded(line) for line in lines]
    flaw = "its uuencoded data hold lines that are damaged; those are read as they lie" if None in decoded else None
    return b"".join(line if data is None else data for line, data in zip(lines, decoded, strict=True)), flaw


def _decoded(line: bytes) -> bytes | None:
    """The octets of a line, whose first character says how many they are; None if it is no uuencoded line.

    Blanks at its end, which stand for zeros, may be lost; but text has no NUL. There may be more of them, and one other
    character, the checksum that some programs append.
    """
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    signs = -(-((line[0] - 32) % 64) // 3) * 4
    if len(found[1][1 + signs :].strip(b" `")) > 1:
        return None
    octets = binascii.a2b_uu(found[1][: 1 + signs])
    return None if len(found[1]) <= signs and b"\0" in octets else octets
