"""Shortens what the rows of a message repeat of its header, if that would be far more than the message."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from urlglean.occurrence import Occurrence
from urlglean.records import Document, Envelope

RATIO = 64
"""The most octets that the rows of a message repeat of its header, for each octet of the message, in JSON.

Of 1,645 messages of public archives with a URL, the rows of none repeat more than 2, and those of half repeat .2."""

SHORT = 64
"""Code points of each field that all rows have, however many there are."""

GROUPS = 4
"""Newsgroups that they have."""

_NONE = Envelope()
_LEAST = 1 << 10
"""A shorter message counts as one of so many octets."""

CUT = f"its rows would repeat too much of its header: of each field, they have {SHORT} characters"
"""The trouble of a message whose rows are shortened."""


class RepeatedHeader:
    """What the rows of one document have repeated of its header so far."""

    def __init__(self, document: Document) -> None:
        self._left = RATIO * max(len(document.data), _LEAST)
        self.is_over = False
        """Whether rows are shortened."""

    def count(self, occurrences: Sequence[Occurrence], *, all_rows: bool) -> None:
        """Count what the rows of the next occurrences repeat: all their rows, or only those of rejects."""
        rows = len(occurrences) if all_rows else sum(one.finding.rejected for one in occurrences)
        if rows and (envelope := occurrences[0].envelope) != _NONE:
            self._left -= rows * len(msgspec.json.encode(envelope))
            self.is_over = self._left < 0

    def bounded(self, occurrences: list[Occurrence]) -> list[Occurrence]:
        """Occurrences that were counted, with shorter envelopes if the rows would repeat too much."""
        if not self.is_over or not occurrences:
            return occurrences
        short = _short(occurrences[0].envelope)
        return [replace(one, envelope=short) for one in occurrences]


def _short(envelope: Envelope) -> Envelope:
    def cut(value: str | None) -> str | None:
        return value and value[:SHORT]

    groups = envelope.newsgroups
    return replace(
        envelope,
        message_id=cut(envelope.message_id),
        sender=cut(envelope.sender),
        subject=cut(envelope.subject),
        newsgroups=groups and tuple(name[:SHORT] for name in groups[:GROUPS]),
    )
