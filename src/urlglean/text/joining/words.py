"""Were two runs of letters one word before a line break cut it? A small character model tells.

The model holds the probability of a letter behind three others, or of a word's end there, over the commonest words of
twenty languages in Latin script (`tests/joining/words.py` makes it, and says from what). Letters outside ASCII do not
stand in most URLs, so the words were folded to a to z. `Febr|uary` goes on; `history|for` ends and begins.
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

ORDER = 4
"""Letters of one entry of the model: three that stand before, and the one that follows."""

SYMBOLS = 27
"""The boundary of a word (0) and the letters a to z (1 to 26)."""

BITS_A_STEP = 0.25
"""An octet of the model counts so many bits of surprise."""

COUNTED = ORDER - 1
"""So many letters on each side of a break count."""

_CONTEXTS: int = SYMBOLS**COUNTED
_FILE = Path(__file__).with_name("words.bin")


@cache
def model() -> bytes:
    """The surprise, in steps, of each symbol behind each three: one octet each, the first symbol the most significant.

    It is unpacked when it is first asked for, which takes 3 ms.
    """
    return zlib.decompress(_FILE.read_bytes())


def bits_for_one_word(before: str, behind: str) -> float:
    """How much likelier, in bits, two runs of letters are one word than the end of one and the beginning of another.

    Args:
        before: the letters before the break, any case, ASCII; the last three count.
        behind: the letters behind it; the first three count.
    """
    surprise = model()
    cut = _code(before[-COUNTED:].lower())
    fresh = 0
    bits = surprise[_shift(cut) * SYMBOLS]  # a word that ends
    for letter in behind[:COUNTED].lower():
        code = ord(letter) - 96
        bits += surprise[fresh * SYMBOLS + code] - surprise[_shift(cut) * SYMBOLS + code]
        cut, fresh = _shift(cut) * SYMBOLS + code, _shift(fresh * SYMBOLS + code)
    return bits * BITS_A_STEP


def bits_for_a_words_end(letters: str) -> float:
    """How surprising it is, in bits, that a word ends with such letters: ASCII, any case; the last three count."""
    return model()[_code(letters[-COUNTED:].lower()) * SYMBOLS] * BITS_A_STEP


def _code(letters: str) -> int:
    code = 0
    for letter in letters:
        code = code * SYMBOLS + ord(letter) - 96
    return code


def _shift(code: int) -> int:
    """The last three symbols of a code."""
    return code % _CONTEXTS
