"""Signs that stand in a URL for others: what charsets, gateways and programs that escape put in their place.

Each row is a guess, and what stands in the text is a rival where it makes a URL as well.
"""

from __future__ import annotations

import re

from msgspec import Struct

from urlglean.lazy import unicode_pattern
from urlglean.records import STANDS_FOR, Mend, MendRule, Reading, Span
from urlglean.text.scheme_triggers import URL_AHEAD


class Sign(Struct, frozen=True):
    """A row: a sign as it stands in the text, with what must stand around it, and what it may be taken for, best first.

    Attributes:
        name: what it is.
        sign: a pattern of it.
        stands_for: the rules that tell what it may be taken for (see `records.STANDS_FOR`).
        first: the characters of ASCII with which it may begin; those outside ASCII need not be named.
    """

    name: str
    sign: str
    stands_for: tuple[MendRule, ...]
    first: str = ""


ESCAPE = r"\\(?=[~_#&%=@!][A-Za-z0-9/~_%.-])"
"""A backslash that escapes a sign of a URL. In a pattern, where `\\.` and its kind stand, that is no such sign."""

SIGNS = (
    # 7E is an overline in JIS X 0201, so in ISO 646-JP and in Shift_JIS; then what windows-1252 and Latin-1 make of its
    # UTF-8. No URL has one of its own.
    Sign("overline", "‾|â€¾|â\x80¾", (MendRule.TILDE,)),
    # Of these some may be the prose's, such as a wave dash between two dates: a name must follow.
    Sign(
        "like-a-tilde",
        rf"(?<=/)(?:[¯˜∼～〜]|Â¯|Ëœ|Ë\x9c|âˆ¼|â\x88¼)(?=[A-Za-z])(?!(?i:{URL_AHEAD}))",
        (MendRule.TILDE,),
    ),
    # TeX has no other way to write it.
    Sign("tilde-of-tex", r"\\(?:~|textasciitilde *+)\{\}", (MendRule.TILDE,), first="\\"),
    # Markdown and TeX escape what they would take for markup.
    Sign("backslash", ESCAPE, (MendRule.ESCAPE,), first="\\"),
    # Some programs put it where a word may be broken, others for every hyphen.
    Sign("soft-hyphen", r"(?<=[A-Za-z0-9])(?:\xad|Â\xad)(?=[A-Za-z0-9])", (MendRule.SOFT_HYPHEN, MendRule.HYPHEN)),
    # Word processors write them for hyphens.
    Sign("hyphen", r"(?<=[A-Za-z0-9])(?:[‐‑]|â€[\x90‘])(?=[A-Za-z0-9])", (MendRule.HYPHEN,)),
)

FIRST = frozenset("".join(row.first for row in SIGNS))
"""The characters of ASCII with which one of the signs may begin."""

_WRITTEN = [rf"(?=[\x80-\U0010ffff{re.escape(row.first)}])(?:{row.sign})" for row in SIGNS]

ANY = f"(?:{'|'.join(_WRITTEN)})"
"""A pattern of `regex` for the signs: a URL goes on over them."""

_SIGN = unicode_pattern("|".join(f"({written})" for written in _WRITTEN))


def may_be_mended(url: str) -> bool:
    """A quick no: most URLs are of ASCII, and hold nothing with which a sign begins."""
    return not url.isascii() or any(sign in url for sign in FIRST)


def mended(text: str, reading: Reading) -> list[Reading]:
    """The reading with its signs taken for what they stand for, best first; none where it has no such sign.

    Signs of one row all stand for the same, so that there are no more readings than a row has.
    """
    if not may_be_mended(reading.text):
        return []
    found = [
        (Span(*sign.span()), SIGNS[(sign.lastindex or 1) - 1])
        for piece in reading.pieces
        for sign in _SIGN.finditer(text, piece.start, piece.end)
    ]
    most = max((len(row.stands_for) for _, row in found), default=0)
    return [
        _with(text, reading, [Mend(at, row.stands_for[min(nth, len(row.stands_for) - 1)]) for at, row in found])
        for nth in range(most)
    ]


def _with(text: str, reading: Reading, signs: list[Mend]) -> Reading:
    """The reading with these signs taken out of its pieces, and what they stand for put in."""
    pieces: list[Span] = []
    joined = [reading.assumed]
    left = iter(signs)
    sign = next(left, None)
    for piece in reading.pieces:
        start = piece.start
        while sign is not None and sign.at.start < piece.end:
            if sign.at.start > start:
                pieces.append(Span(start, sign.at.start))
            joined += text[start : sign.at.start], STANDS_FOR[sign.rule]
            start, sign = sign.at.end, next(left, None)
        if start < piece.end:
            pieces.append(Span(start, piece.end))
        joined.append(text[start : piece.end])
    return Reading("".join(joined), tuple(pieces), reading.joins, tuple(signs))
