"""Asks a catalogue for the figures of a report, and writes them for people.

All counting is done by SQL, in one pass over a table or in the order of an index, and what comes back is bounded: the
first `TOP` of whatever may be many.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from urlglean.archive.report_blocks import Cell, cut

TOP = 25
"""How many rows a table has of what may be many."""

DATED = "CASE WHEN {0} GLOB '[0-9][0-9][0-9][0-9]-*' THEN {0} END"
"""A date, for SQL, if it has a year of four digits."""

YEAR = f"CAST(substr({DATED}, 1, 4) AS INTEGER)"
"""The year of a date; NULL if it has none."""


def rows_of(connection: sqlite3.Connection, statement: str, *values: Cell) -> list[tuple[Any, ...]]:
    """The rows of a statement, their texts as the page shows them."""
    return [
        tuple(cut(cell) if isinstance(cell, str) else cell for cell in row)
        for row in connection.execute(statement, values)
    ]


def one(connection: sqlite3.Connection, statement: str) -> tuple[Any, ...]:
    """The only row of a statement."""
    (row,) = rows_of(connection, statement)
    return row


def number(value: int | None) -> str:
    """A count, with a comma for each thousand; None is nothing."""
    return f"{value or 0:,}"


_UNITS = ("octets", "kB", "MB", "GB", "TB")


def size(octets: int | None) -> str:
    """A number of octets, in the unit that leaves less than 1,000 of it."""
    power = min((len(str(octets or 0)) - 1) // 3, len(_UNITS) - 1)
    return f"{(octets or 0) / 1000**power:,.{1 if power else 0}f} {_UNITS[power]}"


def day(date: str | None) -> str:
    """The day of a date in ISO 8601."""
    return date.partition("T")[0] if date else "no date"
