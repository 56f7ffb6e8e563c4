"""The probability, for each way to read a URL, that the result is exactly what a careful reader would copy.

It was counted on labelled mail: `tests/joining/kinds.py` counts and writes the file. If line breaks had to be weighed,
the probability of the chosen path is multiplied by the share that was counted for URLs of that kind whose path was
right.
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
"""The ways in which a URL is read:

- `bare`: a bare URL that ends by itself; `bare-closed`: closing punctuation or a bracket behind it was left out;
  `bare-cut`: another rule ended it; `bare-unsure`: it is doubtful, because it is glued to a word, or its wrapper does
  not close;
- `bare-at-line-end`: a bare URL that ends at a line break that was weighed; `bare-joined`: one that goes on behind it;
  both are counted only if the path is right;
- `url-prefix`: a URL behind `URL:`; `url-angle`, `angle`, `quoted`: the whole content of such a wrapper;
  `wrapper-joined`: the content without its white space; `wrapper-cut`: the content up to a remark;
- `hyphen-kept`: the first of several readings, if a hyphen before a line break may or may not belong to the URL;
- `mended`: a sign in it was replaced, however the URL was read; it is right if the URL without replacement would be;
- `raw`: it has raw signs that the dialect refuses and browsers accept (see `policy`), however it was read;
- `salvaged`: the probable meaning of a candidate that the dialect refuses as a whole (see `salvage`);
- `bare-host`: a host without a scheme, before which a scheme was put; counted only if nothing else is wrong;
- `rejected`: not a URL by the dialect that the caller asked for.
"""

KINDS: tuple[Kind, ...] = get_args(Kind)


KIND_IN_WRAPPER: dict[Wrapper, Kind] = {"url-angle": "url-angle", "angle": "angle", "quoted": "quoted"}
"""The kind of a URL without white space that fills a closed wrapper."""

CERTAIN = 1.0
"""The confidence of a URL that is a whole text, such as an attribute of HTML: there is nothing to guess."""


class Count(Struct, frozen=True):
    """The number of URLs of a kind that were exactly right, and the number of all."""

    right: int
    of: int


@cache
def counts() -> dict[Kind, Count]:
    """The counts from the generated file, which is read only once."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[Kind, Count])


@cache
def confidence_of(kind: Kind) -> float:
    """The probability that a URL of a kind is exactly right.

    One right and one wrong URL are added to the counts, so that no probability is 0 or 1.
    """
    seen = counts()[kind]
    return (seen.right + 1) / (seen.of + 2)
