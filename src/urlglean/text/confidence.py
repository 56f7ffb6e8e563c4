"""How often a URL that was read in some way is exactly what a careful reader would copy: counted on labelled mail.

`tests/joining/kinds.py` counts, and writes the file. Where line breaks had to be weighed, the probability of the path
that was chosen is multiplied by what was counted for URLs of that kind whose path was right.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal, get_args

import msgspec
from msgspec import Struct

from urlglean.records import Wrapper

FILE = Path(__file__).with_name("confidence.json")

Kind = Literal[
    "bare",
    "bare-closed",
    "bare-cut",
    "bare-unsure",
    "bare-at-line-end",
    "bare-joined",
    "url-prefix",
    "url-angle",
    "angle",
    "quoted",
    "wrapper-joined",
    "wrapper-cut",
    "hyphen-kept",
    "mended",
    "raw",
    "salvaged",
    "bare-host",
    "rejected",
]
"""Ways in which a URL is read:

- bare, and ends by itself; behind it closing punctuation or a bracket (`-closed`) or another sign that ends it
  (`-cut`) was left out; it is doubtful (`-unsure`: glued to a word, in a wrapper that never
  closes);
- bare at the end of a line, where a break was weighed (`-at-line-end`), and gone on behind it (`-joined`), both given
  that the path is right;
- behind `URL:`, or in a wrapper: whole, with white space taken out (`wrapper-joined`), read up to a remark
  (`wrapper-cut`);
- a hyphen before a line break that was taken for the URL's own;
- with a sign of the text taken for another (`mended`), however it was read: right where the sign as it stands would be;
- with raw signs that the dialect refuses and browsers take (`raw`, see `policy`), however it was read;
- what a candidate means that the dialect refuses as a whole (see `salvage`);
- a host without a scheme, which one was put before (`bare-host`), given that nothing else is wrong;
- rejected: no URL by the dialect asked for.
"""

KINDS: tuple[Kind, ...] = get_args(Kind)


KIND_IN_WRAPPER: dict[Wrapper, Kind] = {"url-angle": "url-angle", "angle": "angle", "quoted": "quoted"}
"""The kind of what stands whole in a wrapper that closes."""

CERTAIN = 1.0
"""The confidence in a valid URL that is a text as a whole, such as an attribute of HTML: nothing had to be read."""


class Count(Struct, frozen=True):
    """So many of so many were exactly right."""

    right: int
    of: int


@cache
def counts() -> dict[Kind, Count]:
    """The generated file, read once."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[Kind, Count])


@cache
def confidence_of(kind: Kind) -> float:
    """The probability that a URL of a kind is exactly right. One more of each is counted, so that none is sure."""
    seen = counts()[kind]
    return (seen.right + 1) / (seen.of + 2)
