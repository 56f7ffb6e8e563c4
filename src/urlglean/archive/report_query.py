"""Asks a catalogue for the figures of a report.

All counting is done by SQL, in one pass over a table or in the order of an index, and what comes back is bounded: the
first `TOP` of whatever may be many.
"""

from __future__ import annotations

import sqlite3

from urlglean.archive.report_blocks import Cell, cut

TOP = 25
"""How many rows a table has of what may be many."""


def rows_of(connection: sqlite3.Connection, statement: str, *values: Cell) -> list[tuple[Cell, ...]]:
    """The rows of a statement, their texts as the page shows them."""
    return [
        tuple(cut(cell) if isinstance(cell, str) else cell for cell in row)
        for row in connection.execute(statement, values)
    ]


def one(connection: sqlite3.Connection, statement: str) -> tuple[Cell, ...]:
    (row,) = rows_of(connection, statement)
    return row


def number(value: Cell) -> str:
    return f"{value or 0:,}"


def size(octets: Cell) -> str:
    """Octets in a unit that gives at most four digits."""
    size = float(octets or 0)
    for unit in ("octets", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:,.0f} {unit}" if unit == "octets" else f"{size:,.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} TB"


def day(date: Cell) -> str:
    return str(date)[:10] if date else "no date"
