"""Leaves out the formatting commands of text/enriched (RFC 1896) and of text/richtext before it (RFC 1341 7.1.3)."""

from __future__ import annotations

import re

from urlglean.lazy import pattern

ENRICHED = frozenset({"text/enriched", "text/richtext"})
"""The types whose text has such commands."""

_COMMAND = pattern(r"<(?:<|/?[A-Za-z0-9-]{1,60}>)")
_LITERAL = frozenset({"<<", "<lt>"})
"""What is shown as "<": in text/enriched the first, in text/richtext the second."""


def without_commands(text: str) -> str:
    """A text with blanks in the place of its commands, so that all other characters stay where they are."""
    return _COMMAND.sub(_blanks, text)


def _blanks(command: re.Match[str]) -> str:
    shown = "<" if command[0].lower() in _LITERAL else ""
    return shown.rjust(len(command[0]))
