"""Settles a doubtful reading by a collection: which of the readings of a finding stand whole in other documents?

The reader says how likely each reading is. That another document has one of them whole adds to its log-odds. How much
was counted on real mail (`settling.json`, written by `tests/settling/measure.py`): how often a reading stands whole
elsewhere if it is right, and how often if it is not. More documents add no more: what they may have in common (the same
break, a page that exists as well) they have in common however many they are.

- `longer`: a reading that is no beginning of another reading of the finding. Hardly ever do a URL and the word behind
  it make a URL that exists as well.
- `beginning`: a reading that is the beginning of another one. Such a URL may exist as well, or be the same URL, cut at
  the same place.
- The beginning of another one that has no path, such as a site's front page, or a piece of a host, says nothing: the
  larger a collection, the surer it has them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal, Protocol

import msgspec
from msgspec import Struct

from urlglean.text.joining.decision import NO_ZERO

FILE = Path(__file__).with_name("settling.json")

Kind = Literal["longer", "beginning"]


class Count(Struct, frozen=True):
    """How many readings stood whole elsewhere, of how many."""

    elsewhere: int
    of: int


class Counts(Struct, frozen=True):
    """The counts for the readings of a kind that were right, and for those that were wrong."""

    right: Count
    wrong: Count


class Collection(Protocol):
    """What settles the doubtful readings of one document."""

    def documents_with(self, url: str) -> tuple[int, int]:
        """In how many independent documents a URL stands whole; and in how many no line end makes it doubtful.

        Larger numbers than 1 need not be right.
        """


class Weighed(Struct, frozen=True):
    """A reading of a finding, as the reader ranked it, and what a collection says of it.

    Attributes:
        url: the reading.
        confidence: the reader's own.
        whole: in how many independent documents it stands whole.
        surely_whole: the same, of those in which no line end makes it doubtful.
    """

    url: str
    confidence: float
    whole: int = 0
    surely_whole: int = 0


class Settled(Struct, frozen=True):
    """The outcome for one finding.

    Attributes:
        chosen: the position of the chosen reading; 0 is the reader's own.
        documents: how many independent documents have it.
        confidences: of all readings, in the order in which they were given, after what the collection says.
    """

    chosen: int
    documents: int
    confidences: tuple[float, ...]


def settled(readings: Sequence[Weighed]) -> Settled | None:
    """The outcome for the readings of one finding, the reader's own first; None if the collection settles nothing.

    It settles nothing if no reading stands elsewhere, or if the reading that is likeliest in the end does not.
    """
    kinds = [kind_of(reading.url, readings) for reading in readings]
    documents = [_documents(reading, kind) for reading, kind in zip(readings, kinds, strict=True)]
    shares = [
        max(reading.confidence, NO_ZERO) * (math.exp(weight(kind)) if kind and number else 1.0)
        for reading, kind, number in zip(readings, kinds, documents, strict=True)
    ]
    chosen = max(range(len(shares)), key=lambda at: (shares[at], -at))
    if not documents[chosen]:
        return None
    # What is neither of them stays as likely, in proportion to a reading that stands nowhere else.
    neither = max(0.0, 1.0 - math.fsum(reading.confidence for reading in readings))
    whole = math.fsum(shares) + neither
    return Settled(chosen, documents[chosen], tuple([share / whole for share in shares]))


def is_contradicted(readings: Sequence[Weighed]) -> bool:
    """Whether the collection has a reading that may count, but not the reader's own."""
    has = [_documents(reading, kind_of(reading.url, readings)) > 0 for reading in readings]
    return any(has[1:]) and not has[0]


def kind_of(url: str, readings: Sequence[Weighed]) -> Kind | None:
    """The kind of a reading among the others; None if it says nothing that it stands elsewhere."""
    if not any(other.url != url and other.url.startswith(url) for other in readings):
        return "longer"
    _, _, rest = url.partition("://")
    _, _, path = rest.partition("/")
    return "beginning" if path else None


@cache
def weight(kind: Kind) -> float:
    """What it adds to the log-odds of a reading of a kind that another document has it.

    One reading that stands elsewhere and one that does not are added to each count.
    """
    counts = msgspec.json.decode(FILE.read_bytes(), type=dict[Kind, Counts])[kind]
    return math.log(_share(counts.right) / _share(counts.wrong))


def _share(count: Count) -> float:
    return (count.elsewhere + 1) / (count.of + 2)


def _documents(reading: Weighed, kind: Kind | None) -> int:
    """How many documents count for a reading of a kind."""
    if kind is None:
        return 0
    # A beginning may be the same URL, cut at the same place, where the reader did not notice.
    return reading.whole if kind == "longer" else reading.surely_whole
