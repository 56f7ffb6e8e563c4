"""Letters of other alphabets as the nearest of a to z.

The weights were fitted on URLs in ASCII, and the model of words knows a to z only (`words.py`). People copy URLs with
other letters from browsers. Broken ones are weighed by the same features, once their letters are folded. Scripts
without an alphabet stay as they are.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect

from msgspec.structs import replace

from urlglean.text.joining.break_record import Break

_LETTERS = (
    ("ß ø ł æ œ đ ð þ ı", "ss o l ae oe d d th i"),
    ("α β γ δ ε ζ η θ ι κ λ μ ν ξ ο π ρ σ ς τ υ φ χ ψ ω", "a b g d e z i th i k l m n x o p r s s t y f h ps o"),
    ("а б в г д е ж з и к л м н о п р с т у ф х ц ч ш щ ъ", "a b v g d e z z i k l m n o p r s t u f h c c s sc y"),
    ("ы ь э ю я є і ґ ђ ј љ њ ћ џ", "y y e ju ja e i g d j l n c z"),
)
"""Letters that are no letter of a to z with a mark, and the nearest ones (of Cyrillic, as Serbian has them)."""

_ALPHABETS = range(0x80, 0x2000)
"""The code points of Latin, Greek and Cyrillic letters."""

_FIRST_OF_ALPHABETS = ("\u0370", "\u0400", "\u0530")
"""Where the letters of Greek, of Cyrillic and of other scripts begin, without their marks."""


class _Folds(dict[int, str]):
    """For `str.translate`: the code of a character -> its nearest letters, found when they are first needed."""

    def __missing__(self, code: int) -> str:
        if code not in _ALPHABETS:
            return chr(code)
        base = unicodedata.normalize("NFD", chr(code))[0]
        self[code] = self.get(ord(base), base)
        return self[code]


_FOLDS = _Folds(
    (ord(case(one)), case(other))
    for letters, nearest in _LETTERS
    for one, other in zip(letters.split(), nearest.split(), strict=True)
    for case in (str.title, str.lower)
    if len(case(one)) == 1
)


def folded(text: str) -> str:
    """The text with each letter of the Latin, Greek and Cyrillic alphabets as the nearest ones of a to z."""
    return text if text.isascii() else text.translate(_FOLDS)


def alphabet_of(letter: str) -> int:
    """A number for the alphabet of a letter: Latin, Greek, Cyrillic, or any other script."""
    return bisect(_FIRST_OF_ALPHABETS, unicodedata.normalize("NFD", letter)[0])


def in_ascii(at: Break) -> Break:
    """The break with the letters of its URL and token folded."""
    if at.url.isascii() and at.token.isascii():
        return at
    return replace(at, url=folded(at.url), token=folded(at.token))
