"""What the page of a report is made of: values only, ready to be shown.

    Section ── Figures, Chart, Table, Samples

Each text is printable and of bounded length, whatever the catalogue holds; nothing is escaped for HTML yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from urlglean.output.show import Bit
from urlglean.output.text import printable

LONGEST = 300
"""Characters of a text of the catalogue that the page repeats; what is longer is cut, and ends in "…"."""

Cell = str | int | float | None


def cut(text: str | None, longest: int = LONGEST) -> str | None:
    """A text of the catalogue as the page shows it: at most so many characters, none of which is invisible."""
    if text is None:
        return None
    shown = printable(text[: longest + 1])
    return shown if len(shown) <= longest else f"{shown[:longest]}…"


class Column(Struct, frozen=True):
    """A column of a table.

    Attributes:
        name: its heading.
        form: how its cells are written: "text", or "url" for what is set in a fixed pitch; "number" for counts, "share"
            for a part of 1 as a percentage, "confidence" for a probability, "date" for ISO 8601, cut to the day.
    """

    name: str
    form: Literal["text", "url", "number", "share", "confidence", "date"] = "text"


class Table(Struct, frozen=True):
    """A table. The first cell of each row is its heading. `note` says what has to be known to read it."""

    name: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    note: str = ""


class Chart(Struct, frozen=True):
    """A chart of the figures in a table beside it.

    Attributes:
        name: one word, which no other chart of the page has.
        title: what it shows.
        summary: the same in words, for those who cannot see it.
        form: "columns" for upright ones, stacked if there are several series; "bars" for lying ones.
        labels: one for each column or bar.
        series: name and values, one for each label.
    """

    name: str
    title: str
    summary: str
    form: Literal["columns", "bars"]
    labels: Sequence[str]
    series: Sequence[tuple[str, Sequence[int]]]


class Figures(Struct, frozen=True):
    """A few numbers with what they count."""

    rows: Sequence[tuple[str, str]]


class Sample(Struct, frozen=True):
    """A URL as it stood in its text.

    Attributes:
        label: of what it is a sample.
        url: the URL.
        facts: labels and texts.
        bits: the text around it with its pieces marked; empty if it could not be read again.
        missing: why it could not; "" if it could.
    """

    label: str
    url: str
    facts: Sequence[tuple[str, str]]
    bits: Sequence[Bit] = ()
    missing: str = ""


class Samples(Struct, frozen=True):
    """Samples under a heading."""

    caption: str
    rows: Sequence[Sample]


Block = Figures | Chart | Table | Samples


class Section(Struct, frozen=True):
    """A section of the page: its name in the address of the page, its heading, an introduction, and its blocks."""

    name: str
    heading: str
    lead: str
    blocks: Sequence[Block]
