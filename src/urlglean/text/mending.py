"""Signs that stand in a URL for others: what charsets, gateways and programs that escape put in their place.

Each row is a guess, and what stands in the text is a rival where it makes a URL as well.
"""

from __future__ import annotations

from msgspec import Struct

from urlglean.lazy import unicode_pattern
from urlglean.records import STANDS_FOR, Join, JoinRule, Reading, Span
from urlglean.text.lexicon import URL_AHEAD


class Mend(Struct, frozen=True):
    """A row: a sign as it stands in the text, with what must stand around it, and what it may be taken for, best first.

    `stands_for` are the rules of the joins that tell so (see `records.STANDS_FOR`).
    """

    name: str
    sign: str
    stands_for: tuple[JoinRule, ...]


ESCAPE = r"\\(?=[~_#&%=@!][A-Za-z0-9/~_%.-])"
"""A backslash that escapes a sign of a URL. In a pattern, where `\\.` and its kind stand, that is no such sign."""

MENDS = (
    # 7E is an overline in JIS X 0201, so in ISO 646-JP and in Shift_JIS; then what windows-1252 and Latin-1 make of its
    # UTF-8. No URL has one of its own.
    Mend("overline", "‾|â€¾|â\x80¾", (JoinRule.TILDE,)),
    # Of these some may be the prose's, such as a wave dash between two dates: a name must follow.
    Mend(
        "like-a-tilde",
        rf"(?<=/)(?:[¯˜∼～〜]|Â¯|Ëœ|Ë\x9c|âˆ¼|â\x88¼)(?=[A-Za-z])(?!(?i:{URL_AHEAD}))",
        (JoinRule.TILDE,),
    ),
    # TeX has no other way to write it.
    Mend("tilde-of-tex", r"\\(?:~|textasciitilde *+)\{\}", (JoinRule.TILDE,)),
    # Markdown and TeX escape what they would take for markup.
    Mend("backslash", ESCAPE, (JoinRule.ESCAPE,)),
    # Some programs put it where a word may be broken, others for every hyphen.
    Mend("soft-hyphen", r"(?<=[A-Za-z0-9])(?:\xad|Â\xad)(?=[A-Za-z0-9])", (JoinRule.SOFT_HYPHEN, JoinRule.HYPHEN)),
    # Word processors write them for hyphens.
    Mend("hyphen", r"(?<=[A-Za-z0-9])(?:[‐‑]|â€[\x90‘])(?=[A-Za-z0-9])", (JoinRule.HYPHEN,)),
)

SIGNS = "|".join(f"(?:{row.sign})" for row in MENDS)
"""A pattern of `regex` for the signs: a URL goes on over them."""

_SIGN = unicode_pattern("|".join(f"({row.sign})" for row in MENDS))
_BY_RULE = frozenset(rule for row in MENDS for rule in row.stands_for)


def may_be_mended(url: str) -> bool:
    """A quick no: most URLs are of ASCII, and have no backslash."""
    return not url.isascii() or "\\" in url


def is_mended(reading: Reading) -> bool:
    """Whether a sign of the text was taken for another."""
    return any(join.rule in _BY_RULE for join in reading.joins)


def mended(text: str, reading: Reading) -> list[Reading]:
    """The reading with its signs taken for what they stand for, best first; none where it has no such sign.

    Signs of one row all stand for the same, so that there are no more readings than a row has.
    """
    if not may_be_mended(reading.text):
        return []
    found = [
        (Span(*sign.span()), MENDS[(sign.lastindex or 1) - 1])
        for piece in reading.pieces
        for sign in _SIGN.finditer(text, piece.start, piece.end)
    ]
    most = max((len(row.stands_for) for _, row in found), default=0)
    return [
        _with(text, reading, [Join(at, row.stands_for[min(nth, len(row.stands_for) - 1)]) for at, row in found])
        for nth in range(most)
    ]


def _with(text: str, reading: Reading, signs: list[Join]) -> Reading:
    """The reading with these signs taken out of its pieces, and what they stand for put in."""
    pieces: list[Span] = []
    joined: list[str] = []
    left = iter(signs)
    sign = next(left, None)
    for piece in reading.pieces:
        start = piece.start
        while sign is not None and sign.at.start < piece.end:
            if sign.at.start > start:
                pieces.append(Span(start, sign.at.start))
            joined += text[start : sign.at.start], STANDS_FOR.get(sign.rule, "")
            start, sign = sign.at.end, next(left, None)
        if start < piece.end:
            pieces.append(Span(start, piece.end))
        joined.append(text[start : piece.end])
    joins = sorted([*reading.joins, *signs], key=lambda join: join.at.start)
    return Reading("".join(joined), tuple(pieces), tuple(joins))
