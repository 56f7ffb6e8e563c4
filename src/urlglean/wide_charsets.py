"""Tells the order of octets in UTF-16 and UTF-32, and which of their octets are line ends.

If neither a byte order mark nor a declaration does, line ends, blanks and signs of URLs tell the order. They also tell
whether lines of UTF-16 end in octets that are no UTF-16: programs that pass on lines write CR LF or LF, also between
code units.
"""

from __future__ import annotations

from urlglean.lazy import pattern

_OF_EITHER_ORDER = frozenset({"utf16", "u16", "ucs2", "unicode", "csunicode", "iso10646ucs2"})
"""Declared names, without hyphens and underscores, that do not say which octet of a code unit is the first."""

ORDERS = ("utf-16-le", "utf-16-be")
"""Python's names of the codecs of UTF-16, one for each order of its octets."""

_LINE_END_ALONE = {
    "utf-16-le": (pattern(rb"\n(?=(?:[^\n]{2})*+(?:\n|\Z))"), rb"\n\0", 0),
    "utf-16-be": (pattern(rb"(?m)^((?:[^\n]{2})*+)\n"), rb"\1\0\n", 1),
}
"""An LF octet with an even number of octets behind it up to the next, or before it; what is put in its place; and
whether octets may be divided before an LF or behind it, so that the same is found."""
_TOGETHER = 1 << 16
"""So many octets are mended at a time: each line end takes memory."""
_HEAD = 1 << 10
"""Of so many octets the NULs are counted; an even number."""


def by_nuls(octets: bytes, label: str, name: str | None, *, of_ascii: bool) -> tuple[str, str | None]:
    """The label and codec of octets with NULs, which may tell their order, from those that were declared.

    What is declared as a charset that holds ASCII (`of_ascii`), or as none, may be UTF-16 all the same.
    """
    if name == "utf-32":  # Python would take the machine's order
        # The two higher octets of nearly all characters are NUL.
        big, little = (sum(octets[at::4].count(0) for at in places) for places in ((0, 1), (3, 2)))
        return label, "utf-32-le" if little > big else "utf-32-be"
    if label.replace("-", "").replace("_", "") in _OF_EITHER_ORDER:
        name = _order(octets)
    elif of_ascii and (wide := told_by_nuls(octets)):
        name = wide
    else:
        return label, name
    return name, name


def _order(octets: bytes) -> str:
    """The likelier order of octets in UTF-16: that in which it reads better."""
    return max(ORDERS, key=lambda order: max(_legibility(each, order) for each in _with_line_ends(octets, order)))


def _legibility(octets: bytes, order: str) -> tuple[int, int]:
    """How many line ends, blanks and signs of URLs octets in UTF-16 have, and how much ASCII.

    Read in the wrong order, or from the second octet of a code unit, these are characters that hardly any text has.
    """
    text = octets.decode(order, "ignore")
    return sum(map(text.count, "\n\r /:")), len(text.encode("ascii", "ignore"))


def legible(octets: bytes, order: str) -> bytes:
    """UTF-16 with the line ends with which it reads better."""
    return max(_with_line_ends(octets, order), key=lambda each: _legibility(each, order))


def _with_line_ends(octets: bytes, order: str) -> tuple[bytes, ...]:
    """UTF-16 as it lies, and, if that differs, with a code unit for each line end that is none.

    A line end may be LF between two code units, and any LF octet may have become CR LF. An LF octet that belongs to a
    code unit leaves an odd number of octets on the side where the other octet of the unit is. If half a code unit is
    left at the end, the octets were such ones: those of U+0A05, a letter, begin with LF.
    """
    mended = _with_units(octets.replace(b"\r\n", b"\n"), order)
    return (octets,) if mended == octets or len(mended) % 2 else (octets, mended)


def _with_units(octets: bytes, order: str) -> bytes:
    """UTF-16 with a code unit for each LF octet that may be a line end."""
    sought, unit, behind = _LINE_END_ALONE[order]
    mended, start = bytearray(), 0
    while start < len(octets):
        line_end = octets.find(b"\n", start + _TOGETHER)
        end = line_end + behind if line_end >= 0 else len(octets)
        mended += sought.sub(unit, octets[start:end])
        start = end
    return bytes(mended)


def told_by_nuls(octets: bytes) -> str | None:
    """UTF-16 in the order of octets that the NULs tell; None if they tell none.

    In text of Latin letters nearly every second octet is NUL (RFC 2781 3), and no other charset has such text. In text
    of other letters a URL tells it, if no other URL would be lost.
    """
    if b"\0" not in octets:
        return None
    order = _order(octets)
    as_written = octets[:_HEAD]
    octets = legible(octets, order)
    head = octets[: min(_HEAD, len(octets) & ~1)]
    high, low = head[::2].count(0), head[1::2].count(0)
    most, least = max(high, low), min(high, low)
    # Where a line end was mended, its NUL proves nothing.
    has_many = as_written.count(0) * 4 > len(as_written) - as_written.count(b"\n")
    is_latin = has_many and most > 1 and most * 4 > len(head) and least * 4 < most
    return order if is_latin or (b"://" not in octets and "://" in octets.decode(order, "ignore")) else None
