r"""Shows rows on a terminal: by file and message, with headings, as ripgrep groups its matches.

    inbox.mbox
    [7] The archive of the list has moved
    3: http://host/a-b  (inferred, 0.842; or http://host/ab)

    notes.txt
    12: http://host/whole

A pipe gets lines of `text` instead, which `--color always` paints.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, Literal

import click
import msgspec

from urlglean.output.hyperlinks import linked
from urlglean.output.text import TerminalRow

Role = Literal["file", "message", "line", "url", "doubt", "notes"]

_COLOURS: dict[Role, dict[str, str | bool]] = {
    "file": {"fg": "magenta"},
    "message": {"bold": True},
    "line": {"fg": "green"},
    "url": {"fg": "cyan", "bold": True},
    "doubt": {"fg": "red", "bold": True},
    "notes": {"dim": True},
}
"""How each piece looks; "doubt" is a URL that is not valid."""

_LONGEST_SUBJECT = 200
"""Characters of a subject that a heading shows."""


class TerminalRows:
    """A sink for `text.terminal_lines` that shows them on a terminal, or as painted lines.

    It is one for a whole run, because it has to know the last heading.
    """

    def __init__(self, stream: BinaryIO, *, grouped: bool, coloured: bool, links: bool) -> None:
        """Write to a stream.

        Args:
            stream: where to write, in UTF-8.
            grouped: whether to group the rows under headings. If not, each line has its place, as in `text.lines`.
            coloured: whether to write colours.
            links: whether a URL that may be opened is a link (see `hyperlinks`).
        """
        self._stream, self._grouped, self._links = stream, grouped, links
        self._paint: Callable[[Role, str], str] = _painted if coloured else _unpainted
        self._file: str | None = None
        self._message: tuple[int | None, str] = (None, "")

    def write(self, lines: bytes, /) -> None:
        """Write any number of rows."""
        shown = (self._shown(msgspec.json.decode(line, type=TerminalRow)) for line in lines.splitlines())
        self._stream.write("".join(shown).encode())

    def flush(self) -> None:
        """Bring what was written to the terminal."""
        self._stream.flush()

    def _shown(self, row: TerminalRow) -> str:
        paint = self._paint
        url = paint("url" if row.valid else "doubt", row.url)
        if self._links and row.links:
            url = linked(row.url, url)
        notes = f"  {paint('notes', f'({row.notes})')}" if row.notes else ""
        line = f"{paint('line', str(row.line))}: {url}{notes}\n"
        if self._grouped:
            return f"{self._heading(row)}{line}"
        place = row.file if row.message is None else f"{row.file}[{row.message}]"
        return f"{paint('file', place)}:{line}" if place else line

    def _heading(self, row: TerminalRow) -> str:
        """The heading before a row; "" if it is in the same message as the one before it."""
        message = row.message, row.subject
        if (row.file, message) == (self._file, self._message):
            return ""
        heading = "" if self._file is None else "\n"
        if row.file and row.file != self._file:
            heading += f"{self._paint('file', row.file)}\n"
        number = "" if row.message is None else f"[{row.message}]"
        cut = "…" if len(row.subject) > _LONGEST_SUBJECT else ""
        if about := f"{number} {row.subject[:_LONGEST_SUBJECT]}{cut}".strip():
            heading += f"{self._paint('message', about)}\n"
        self._file, self._message = row.file, message
        return heading


def _painted(role: Role, text: str) -> str:
    return click.style(text, **_COLOURS[role])  # type: ignore[arg-type]


def _unpainted(_role: Role, text: str) -> str:
    return text
