"""Makes the model of `urlglean.text.joining.words` from the frequencies of words.

    .venv/bin/pip install -e '.[words]'
    python tests/joining/words.py [src/urlglean/text/joining/words.bin]

The frequencies are those of the package `wordfreq` (3.1: books, subtitles, news, the web, Wikipedia). The model holds
only how often a letter follows three others, smoothed by how often it follows two, one and none. English has half of
the weight, and the other languages share the rest. A word counts by a power of its frequency, so that rare words, such
as names, have an effect too.
"""

from __future__ import annotations

import re
import sys
import unicodedata
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import wordfreq

from urlglean.text.joining.words import BITS_A_STEP, ORDER, SYMBOLS

LANGUAGES = {
    "en": 40_000,
    "de": 15_000,
    **dict.fromkeys(("fr", "es"), 12_000),
    **dict.fromkeys(("it", "pt", "nl"), 10_000),
    **dict.fromkeys(("sv", "da", "nb", "fi", "pl", "cs"), 8_000),
    **dict.fromkeys(("hu", "ro", "tr", "id"), 6_000),
    "sh": 5_000,
    "ca": 4_000,
    **dict.fromkeys(("lv", "is"), 3_000),
}
"""How many of each language's commonest words are used."""

ENGLISH = 0.5
"""The share of English in the weight."""

ROOT = 0.3
"""The power of its frequency with which a word counts. Of 0, 0.3 and 0.5, this one detects unseen cut words best."""

HEAVIEST = 200
"""No word counts more than this many of the rarest words."""

SMOOTHING = 5
"""For each symbol seen in a context, the shorter context weighs as much as this many observations."""

_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "æ": "ae", "ł": "l"})


def folded(word: str) -> str:
    """The word in the letters a to z, as it would be written in a URL."""
    parts = unicodedata.normalize("NFKD", word.lower().translate(_LETTERS))
    return "".join(char for char in parts if not unicodedata.combining(char))


def frequencies() -> dict[str, float]:
    """The frequency of each word over all languages, weighted by the languages' shares."""
    counted: dict[str, float] = {}
    for language, count in LANGUAGES.items():
        share = ENGLISH if language == "en" else (1 - ENGLISH) / (len(LANGUAGES) - 1)
        for word in wordfreq.top_n_list(language, count):
            if re.fullmatch("[a-z]+", letters := folded(word)):
                counted[letters] = counted.get(letters, 0.0) + share * wordfreq.word_frequency(word, language)
    return counted


def probabilities(words: dict[str, float]) -> np.ndarray[Any, Any]:
    """The probability of a symbol behind three others, interpolated with shorter contexts (Witten and Bell)."""
    counts = [np.zeros((SYMBOLS,) * (length + 1)) for length in range(ORDER)]
    rarest = min(words.values())
    for word, frequency in words.items():
        weight = min((frequency / rarest) ** ROOT, HEAVIEST)
        symbols = [0] * (ORDER - 1) + [ord(letter) - 96 for letter in word] + [0]
        for at in range(ORDER - 1, len(symbols)):
            for length, count in enumerate(counts):
                count[tuple(symbols[at - length : at + 1])] += weight
    held = np.ones(SYMBOLS) / SYMBOLS
    for count in counts:
        backing = SMOOTHING * (count > 0).sum(-1, keepdims=True) + 1e-9
        held = (count + backing * held) / (count.sum(-1, keepdims=True) + backing)
    return held


def main() -> None:
    """Writes the model."""
    words = frequencies()
    surprise = np.clip(np.round(-np.log2(probabilities(words)) / BITS_A_STEP), 0, 255).astype(np.uint8)
    packed = zlib.compress(surprise.tobytes(), 9)
    Path(sys.argv[1] if len(sys.argv) > 1 else "src/urlglean/text/joining/words.bin").write_bytes(packed)
    print(f"{len(words)} words, {surprise.size} entries, {len(packed)} octets")


if __name__ == "__main__":
    main()
