"""The links of a file, each once, with the places where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from urlglean.occurrence import Occurrence
from urlglean.output.openable import may_open
from urlglean.output.text import printable
from urlglean.output.urls import escaped

MOST = 10_000
"""How many links are offered. Nobody looks through more of them, and each keeps the text around it in memory."""

_PLACES = 5
"""How many places of a link are kept for its preview; all are counted."""


class Link(Struct):
    """A URL that can be chosen.

    Attributes:
        url: the chosen reading.
        readings: the URL, and what else it may be: the rivals of its first place, best first.
        places: its first occurrences, at most `_PLACES` of them.
        times: how often it was found.
    """

    url: str
    readings: tuple[str, ...]
    places: list[Occurrence]
    times: int = 1


class Links:
    """The links that were found so far, in the order in which each was found first.

    Attributes:
        all: the links.
        left_out: how many occurrences of further URLs were left out because there were `MOST` links already.
    """

    def __init__(self) -> None:
        self.all: list[Link] = []
        self.left_out = 0
        self._by_url: dict[str, Link] = {}

    def add(self, occurrences: Iterable[Occurrence]) -> None:
        """Add what was found in a document."""
        for each in occurrences:
            url = each.finding.url
            if link := self._by_url.get(url):
                link.times += 1
                if len(link.places) < _PLACES:
                    link.places.append(each)
            elif len(self.all) < MOST:
                link = self._by_url[url] = Link(url, (url, *each.finding.rivals), [each])
                self.all.append(link)
            else:
                self.left_out += 1


def target(reading: str) -> str:
    """What is opened, copied or printed for a reading: one line of visible characters without blanks."""
    return escaped(reading)


def asks(reading: str) -> str | None:
    """The question before a reading is opened; None if it is opened without asking."""
    url = target(reading)
    return None if may_open(url) else f"Open {printable(url)}, whose scheme or signs may be dangerous?"


def matching(links: Sequence[Link], wanted: str) -> list[Link]:
    """The links that have all words of `wanted`: in a reading, or in the subject, field or label of a place."""
    words = wanted.lower().split()
    return [link for link in links if all(word in _searched(link) for word in words)] if words else list(links)


def _searched(link: Link) -> str:
    about = ((place.envelope.subject, place.part.field, place.part.label) for place in link.places)
    return "\n".join((*link.readings, *(text for each in about for text in each if text))).lower()
