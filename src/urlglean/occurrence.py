"""A finding together with its file, message and part. One row of the output is made from one `Occurrence`."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from urlglean.columns import COLUMNS, Value
from urlglean.records import Envelope, Origin, TextPart
from urlglean.text.finding import Finding, moved, plain_value, values_of


class Occurrence(Struct, frozen=True, gc=False):
    """A URL that was found in a message or text, and the place of that message or text.

    Attributes:
        finding: the URL; its spans are half-open, in code points of `part.text`. In a long text, which is read in
            windows, that is one window; `part.first` code points stand before it, and the row counts them too.
        line: the line of the part on which it begins, counted from 1.
        part: the text in which it was found.
        envelope: values from the headers of the message; empty for a plain text.
        origin: the file and offset of the message or text.
    """

    finding: Finding
    line: int
    part: TextPart
    envelope: Envelope
    origin: Origin

    def to_dict(self) -> dict[str, Any]:
        """The row: every column's value by the column's name, in the order of `columns.COLUMNS`; None if absent."""
        return dict(zip(_NAMES, map(plain_value, of_finding(self) + of_part(self)), strict=True))

    def __repr__(self) -> str:
        place = (self.origin.path, self.origin.member, self.origin.message, self.part.part, self.part.field)
        where = " ".join(repr(each) for each in place if each is not None)
        return f"Occurrence({self.finding!r}, {where}, line {self.line})"


_NAMES = tuple(column.name for column in COLUMNS)


def of_finding(occurrence: Occurrence) -> tuple[Value, ...]:
    """The values of `columns.OF_FINDING` and `columns.OF_PLACE`."""
    finding, part = occurrence.finding, occurrence.part
    return (*values_of(moved(finding, part.first) if part.stretch else finding), occurrence.line)


def of_part(occurrence: Occurrence) -> tuple[Value, ...]:
    """The values of `columns.OF_PART`, which all findings of a part share."""
    return of_message(occurrence) + of_text(occurrence.part)


def of_message(occurrence: Occurrence) -> tuple[Value, ...]:
    """The first values of `of_part`: those that all parts of a message share."""
    origin, envelope = occurrence.origin, occurrence.envelope
    return (
        origin.path,
        origin.member,
        origin.offset,
        origin.message,
        envelope.message_id,
        envelope.date,
        envelope.sender,
        envelope.subject,
        envelope.newsgroups,
    )


def of_text(part: TextPart) -> tuple[Value, ...]:
    """The other values of `of_part`."""
    return part.part, part.field, part.label
