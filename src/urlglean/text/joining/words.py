"""A small character model that tells whether a line break cut one word into two runs of letters.

The model holds the probability of each letter, and of a word's end, behind three letters. It was made from the
commonest words of twenty languages in Latin script (`tests/joining/words.py`). The words were folded to a to z, because
most URLs hold no other letters. `Febr|uary` is one word; `history|for` is two.
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

ORDER = 4
"""Letters of one entry of the model: three, and the one behind them."""

SYMBOLS = 27
"""The boundary of a word (0) and the letters a to z (1 to 26)."""

BITS_A_STEP = 0.25
"""Bits of surprise for each unit of an octet of the model."""

COUNTED = ORDER - 1
"""How many letters on each side of a break are read."""

_CONTEXTS: int = SYMBOLS**COUNTED
_FILE = Path(__file__).with_name("words.bin")


@cache
def model() -> bytes:
    """The surprise of each symbol behind each three symbols, one octet each; the first symbol is the most significant.

    The first call unpacks it, which takes 3 ms.
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
    """How surprising it is, in bits, that a word ends with these ASCII letters of any case; the last three are read."""
    return model()[_code(letters[-COUNTED:].lower()) * SYMBOLS] * BITS_A_STEP


def _code(letters: str) -> int:
    code = 0
    for letter in letters:
        code = code * SYMBOLS + ord(letter) - 96
    return code


def _shift(code: int) -> int:
    """The code of the last three symbols."""
    return code % _CONTEXTS
