"""Tells which lines of a body in base64 are base64, and which are text: a footer, a word, a ruler."""

from __future__ import annotations

import binascii
from collections import Counter
from collections.abc import Iterator, Sequence

from urlglean.lazy import pattern

# Of padding alone, a line end may divide two signs at most: more are a ruler.
LINE = pattern(rb"[ \t]*+(?!={3,}+[ \t]*+\r?\Z)[A-Za-z0-9+/=]++[ \t]*+\r?\Z")
FOREIGN = bytes(set(range(256)).difference(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="))
"""What a decoder of base64 must ignore (RFC 2045 6.8)."""
_ASCII = rb"[\t\n\r\x1b -~]"  # with the escapes of ISO 2022
_TEXT = pattern(
    rb"%s{10,}+|(?s:(?=.{15}))(?:%s|%s)"
    % (
        _ASCII,
        # UTF-8; its first and last characters may be incomplete.
        rb"[\x80-\xbf]{0,3}+(?:%s|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})*+"
        rb"(?:[\xc2-\xf4][\x80-\xbf]{0,2})?+" % _ASCII,
        # Latin letters in UTF-16, in either order of octets.
        rb"\x00?+(?:%s\x00)++%s?+" % (_ASCII, _ASCII),
    )
)
"""What a line of base64 with such octets in it must hold, or it may be a footer. Of 94,116 lines of mail and of RFCs
none decodes to it, at whichever of its four first signs a group begins (measured)."""
SHOWN = (17, 23)
"""So many signs hold what `_TEXT` demands, ten octets of ASCII or 15, wherever in them a group begins."""
_SHORT_TEXT = pattern(rb"%s++" % _ASCII)
_FEWEST = 8
_FULL = 40
"""In signs: hardly a program wraps base64 in shorter lines, and no word is so long."""

_LONGEST = 76
"""The longest line of base64 (RFC 2045 6.8)."""
_WORD = pattern(rb"[A-Z]?[a-z]++|[A-Z]++|[0-9]++|[+/]++")
"""A word, a number or a ruler."""
_SHORTEST_DIGEST = 16
"""In signs. So many of base64 hardly ever have letters of one case only."""

_USUAL = 60
"""The shortest line, in signs, in which programs usually wrap base64."""


def without_foreign(lines: Sequence[bytes]) -> Iterator[bytes]:
    """The lines; those that surely are base64 without the octets that base64 ignores.

    A line is judged together with the base64 above it, and with that below it if it is too short to be judged alone.
    Between lines of base64, 761 of 128,234 other lines of mail and of RFCs at most would be taken for it too; none of
    them holds a URL (measured).
    """
    inner = [line.translate(None, FOREIGN) for line in lines]
    signs, above = 0, b""  # the base64 above: how much behind the last padding, and the end of that
    for at, line in enumerate(lines):
        signed = inner[at]
        if signed == line.strip() or _is_wrapped(lines, inner, at) or _is_base64(above, signs - len(above), inner, at):
            padding, last = signed.rpartition(b"=")[1:]
            signs = len(last) + (0 if padding else signs)
            above = ((b"" if padding else above) + last)[-_LONGEST:]
            yield signed or line
        else:
            above = b""
            yield line


def _is_wrapped(lines: Sequence[bytes], inner: Sequence[bytes], at: int) -> bool:
    """Whether sendmail has wrapped base64 behind the line `at`: it puts "!" at the end of what is too long."""
    line, below = lines[at].strip(), lines[at + 1].strip() if at + 1 < len(lines) else b""
    goes_on = below != b"" and below.removesuffix(b"!") == inner[at + 1]
    return goes_on and len(line) > _USUAL and line == inner[at] + b"!" and _has_both_cases(line)


def _is_base64(above: bytes, signs: int, inner: Sequence[bytes], at: int) -> bool:
    """Whether the line `at` is a text with the base64 above it, which goes on behind so many signs.

    With some below it, if it is too short. `inner` is what each line holds of base64.
    """
    run = above + inner[at]
    below = b"" if len(run) >= max(SHOWN) else b"".join(inner[at + 1 : at + max(SHOWN)])
    return any(holds_text(run + below[: max(0, shown - len(run))], signs) for shown in SHOWN)


def lines_of_base64(lines: Sequence[bytes]) -> tuple[list[int], bool]:
    """The numbers of the lines that are base64, and whether others may be.

    Words and rulers consist of its signs too. So behind padding and behind other lines, lines are base64 only if they
    show it, or if they stand behind empty lines and the base64 above them has not ended.
    """
    own: list[int] = []
    is_doubtful = False
    signs, done, behind, longest, above = 0, 0, 0, 0, b""
    lengths = Counter[int]()
    for begin, end in _runs_of_base64(lines):
        # Where other runs stand between, their lines are not looked at again for each run that follows.
        gap, behind = behind, end
        run = [line.strip() for line in lines[begin:end]]
        joined = b"".join(run)
        if above and not _shows_a_run(run[0], joined, signs) and not (begin == done and _is_short_text(joined)):
            # It hardly ever ends in a full line without padding. Of a lone line, its length tells whether it is full.
            is_full = len(above) == longest >= _FULL and (lengths[longest] > 1 or _USUAL <= longest <= _LONGEST)
            is_next = gap == done and not any(map(bytes.strip, lines[gap:begin]))
            is_digest = len(joined) >= _SHORTEST_DIGEST and not _has_both_cases(joined)
            is_rest = is_full and not above.endswith(b"=") and not is_digest and (signs + len(joined)) % 4 == 0
            if not is_rest or not is_next:
                is_doubtful |= is_rest and _WORD.fullmatch(joined) is None
                continue
        signs = (signs + len(joined)) % 4
        lengths.update(map(len, run))
        longest, above, done = max(longest, *map(len, run)), run[-1], end
        own += range(begin, end)
    return own, is_doubtful


def _runs_of_base64(lines: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Stretches of lines that hold only signs of base64, up to padding: their first line and the one behind them."""
    begin = None
    for at, line in enumerate(lines):
        if LINE.match(line) is None:
            if begin is not None:
                yield begin, at
            begin = None
            continue
        begin = at if begin is None else begin
        if line.strip().endswith(b"="):
            yield begin, at + 1
            begin = None
    if begin is not None:
        yield begin, len(lines)


def _shows_a_run(first: bytes, joined: bytes, signs: int) -> bool:
    """Whether lines are base64 behind `signs` signs of a group.

    It is shown by a long first line with letters of both cases, which neither rulers nor hexadecimal digests have; by
    padding, which may also stand alone; or by a text.
    """
    if len(first) >= _FULL and _has_both_cases(first):
        return True
    if (
        joined.endswith(b"=")
        and (joined.strip(b"=") or len(joined) == 1)
        and (len(joined) % 4 == 0 or (signs + len(joined)) % 4 == 0)
    ):
        return True
    begin = joined[: max(SHOWN)]
    return holds_text(begin, 0) or holds_text(begin, signs)


def _is_short_text(joined: bytes) -> bool:
    """Whether signs directly behind padding are a text, and no word.

    Some programs encode each piece of a text on its own. Of 8,651 words of eight letters in mail ten decode to ASCII,
    and of 2,167 longer ones one (measured).
    """
    return len(joined) >= _FEWEST and len(joined) % 4 == 0 and _SHORT_TEXT.fullmatch(_decoded(joined)) is not None


def _has_both_cases(run: bytes) -> bool:
    return run.lower() != run != run.upper()


def holds_text(inner: bytes, signs: int) -> bool:
    """Whether base64 that goes on behind so many signs surely is a text."""
    return _TEXT.fullmatch(_decoded(inner[-signs % 4 :])) is not None


def _decoded(signs: bytes) -> bytes:
    """What base64 decodes to, padded if need be; nothing if it is none."""
    try:
        return binascii.a2b_base64(padded(signs), strict_mode=True)
    except binascii.Error:
        return b""


def padded(run: bytes) -> bytes:
    """Pad a run of base64 to full groups of four. A single remaining character, too short for an octet, is removed."""
    run = run[: len(run) - (len(run) % 4 == 1)]
    return run + b"=" * (-len(run) % 4)
