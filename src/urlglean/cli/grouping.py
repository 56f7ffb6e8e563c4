"""Groups of options that become one record.

A group is a decorator of the command: it adds its options, and passes the record on in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

Command = Callable[..., Any]
Option = Callable[[Command], Command]


def grouped(command: Command, options: Sequence[Option], record: Callable[[dict[str, Any]], dict[str, Any]]) -> Command:
    """The command with more options. `record` takes their values away, and returns the argument that replaces them."""

    @wraps(command)
    def with_record(*args: Any, **values: Any) -> Any:
        records = record(values)
        return command(*args, **values, **records)

    made: Command = with_record
    for option in reversed(options):
        made = option(made)
    return made
