"""Findings to rows, and rows to files.

A format turns a sighting into one whole row of bytes: a writer keeps no state, so that an interrupted run leaves
whole rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from urlglean.output import jsonl, text
from urlglean.records import Sighting


class Format(NamedTuple):
    """A way to write rows, and the file name endings that ask for it."""

    line: Callable[[Sighting], bytes]
    endings: tuple[str, ...]


FORMATS: dict[str, Format] = {
    "text": Format(text.line, (".txt", "")),
    "jsonl": Format(jsonl.line, (".jsonl", ".ndjson")),
}


def format_for(ending: str) -> str | None:
    """The name of the format that a file name's ending (".jsonl"; "" for none) asks for; None if no format does."""
    return next((name for name, form in FORMATS.items() if ending.lower() in form.endings), None)
