"""Changes inputs without a fuzzer, for a short run with a fixed seed that is the same on every machine."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

TOKENS_FILE = Path(__file__).with_name("tokens.dict")
LONGEST = 4096
"""The greatest length of an input in octets."""

_MOST_CHANGES = 6
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


def tokens() -> list[bytes]:
    """The tokens in the dictionary."""
    lines = TOKENS_FILE.read_text("ascii").splitlines()
    return [
        quoted[1].encode("ascii").decode("unicode_escape").encode("latin-1")
        for line in lines
        if (quoted := _QUOTED.fullmatch(line))
    ]


def mutated(octets: bytes, other: bytes, words: list[bytes], chance: Random) -> bytes:
    """An input with a few changes; some insertions are taken from another input."""
    data = bytearray(octets)
    for _ in range(chance.randint(1, _MOST_CHANGES)):
        at = chance.randint(0, len(data))
        behind = min(len(data), at + chance.choice((0, 0, 1, 2, 8, 64)))
        start = chance.randint(0, len(other))
        put_in = chance.choice(
            (
                b"",
                chance.choice(words),
                chance.choice(words) * 2,
                chance.randbytes(1),
                bytes(data[at : at + 24]),
                other[start : start + chance.randint(1, 80)],
            )
        )
        data[at:behind] = put_in
    return bytes(data[:LONGEST])
