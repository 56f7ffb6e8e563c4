"""Makes plain text of text/enriched (RFC 1896) and of text/richtext before it (RFC 1341 7.1.3)."""

from __future__ import annotations

import re

from urlglean.lazy import pattern

ENRICHED = frozenset({"text/enriched", "text/richtext"})
"""The types whose text has such commands."""

_COMMAND = pattern(r"<(?:<|/?[A-Za-z0-9-]{1,60}>)")
_LITERAL = frozenset({"<<", "<lt>"})
"""What is shown as "<": in text/enriched the first, in text/richtext the second."""
_NOT_FILLED = pattern(r"(?is)<nofill>(?:(?!</nofill>).)*+")
_HARD_BREAK = pattern(r"(?<![\r\n])(\r?\n)(\r?\n)")


def plain(text: str) -> str:
    """A text with blanks in the place of its commands, so that all other characters stay where they are.

    Two line ends are one (RFC 1896 2: N of them are N - 1), so the second is a blank too. One line end is a blank for
    whoever shows the text; here it stays, because a URL may have been broken there. In `<nofill>`, each is a line end.
    """
    shown = _COMMAND.sub(_blanks, text)
    pieces: list[str] = []
    done = 0
    for literal in _NOT_FILLED.finditer(text):
        pieces += [
            _HARD_BREAK.sub(_one_line_end, shown[done : literal.start()]),
            shown[literal.start() : literal.end()],
        ]
        done = literal.end()
    return "".join([*pieces, _HARD_BREAK.sub(_one_line_end, shown[done:])])


def _one_line_end(two: re.Match[str]) -> str:
    return two[1].ljust(len(two[0]))


def _blanks(command: re.Match[str]) -> str:
    shown = "<" if command[0].lower() in _LITERAL else ""
    return shown.rjust(len(command[0]))
