"""Takes values out of a database that anybody may have written: those of the types that were asked for, or an error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from sqlite3 import DataError
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

OTHER = "what is in its {} is not what urlglean wrote"
"""What to say of a table."""


def typed(rows: Iterable[tuple[Any, ...]], kind: type[T], table: str) -> Iterator[T]:
    """The rows, each of which is of this type.

    Args:
        rows: what a statement returns.
        kind: a type of tuples.
        table: the table from which they are, for the message.

    Raises:
        DataError: one is not.
    """
    for row in rows:
        try:
            yield msgspec.convert(row, kind)
        except msgspec.ValidationError as error:
            raise DataError(OTHER.format(table)) from error


def decoded(text: str, kind: type[T], table: str) -> T:
    """What JSON of a table holds, which is of this type.

    Raises:
        DataError: it is no JSON, or of another type.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except (TypeError, ValueError, RecursionError) as error:
        raise DataError(OTHER.format(table)) from error
