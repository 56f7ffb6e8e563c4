"""Characters that mailers send, and that Python's codecs for East Asian charsets lack, as in the Encoding Standard.

Its index for JIS X 0208 has NEC's row 13 (`①`, `㈱`) and the characters of IBM that NEC selected, in rows 89 to 92. The
euro sign is at the octet 0x80 of GBK, and at A3 E1 of Big5.
"""

from __future__ import annotations

from contextlib import suppress

_ROWS = frozenset((0x2D, *range(0x79, 0x7D)))
_CELLS = range(0x21, 0x7F)
_IN_8_BITS = 0x80


def unlisted(error: UnicodeDecodeError) -> tuple[str, int] | None:
    """The character that begins where a codec has found none, and where it ends; None if there is none."""
    begin, codec = error.start, error.encoding
    pair = error.object[begin : begin + 2]
    if codec == "gb18030":
        return ("€", begin + 1) if pair[:1] == b"\x80" else None
    if codec == "big5hkscs":
        return ("€", begin + 2) if pair == b"\xa3\xe1" else None
    if codec == "euc_jp":
        pair = bytes(octet - _IN_8_BITS for octet in pair if octet > _IN_8_BITS)
    elif codec != "iso2022_jp_ext" or error.end - begin != len(pair):
        return None
    char = _of_jis_x_0208(pair)
    return (char, begin + len(pair)) if char else None


def _of_jis_x_0208(pair: bytes) -> str | None:
    """The character at a pair of octets of seven bits; None if there is none."""
    if len(pair) != 2 or pair[0] not in _ROWS or pair[1] not in _CELLS:
        return None
    # Code page 932 has the rows in pairs (the form of Shift_JIS, JIS X 0208:1997 appendix 1).
    first, second = pair
    lead = (first + 1) // 2 + (0x70 if first < 0x5F else 0xB0)
    trail = second + (0x7E if first % 2 == 0 else 0x1F if second < 0x60 else 0x20)
    with suppress(UnicodeDecodeError):
        return bytes((lead, trail)).decode("cp932")
    return None
