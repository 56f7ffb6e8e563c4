"""How a text is laid out around a place: its lines, their margins, the column at which it is wrapped."""

from __future__ import annotations

import re
from functools import cached_property

from urlglean.text.quotation import LINE_BREAK, QUOTE_MARKS, Margin, depth_of, margin_at, resume

REGION = 2000
"""Code points whose lines, with those of the regions on either side, tell one column; it may be another elsewhere."""

FEWEST_LINES = 3
"""So many lines of prose at least tell a column."""

ENDS_LINE = re.compile(r"[ \t]*(?=[\r\n])")
"""The blanks at the end of a line that another follows."""

_LINE = re.compile(r"[^\r\n]+")
_LINE_END = re.compile(r"[\r\n]|\Z")
_TOKEN_AND_REST = re.compile(r"(\S*+)([^\r\n]*+)")
_PROSE = re.compile(r"[ \t]*[^ \t]+[ \t]+[^ \t]+[ \t]+[^ \t]")
_QUOTE = re.compile(r"[ \t]*(?:[A-Za-z]{0,4}[>›»|:][ \t]?)*")


class Columns:
    """The columns at which the regions of a text are wrapped, each found out when it is first asked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.known: dict[tuple[int, int], int | None] = {}
        self.lines: dict[int, list[str]] = {}

    def near(self, place: int, depth: int) -> int | None:
        """The column around a place, of lines with so many quote marks; None where too few lines tell it."""
        region = place // REGION
        if (region, depth) not in self.known:
            around = (length for near in (region - 1, region, region + 1) for length in self._lengths(near, depth))
            lengths = sorted(around)
            # One line in ten may stick out: a header, or a line that was never wrapped.
            enough = len(lengths) >= FEWEST_LINES
            self.known[region, depth] = lengths[len(lengths) * 9 // 10] if enough else None
        return self.known[region, depth]

    def _lengths(self, region: int, depth: int) -> list[int]:
        """The lengths of the region's lines of prose that are quoted so many times."""
        if region not in self.lines:
            part = self.text[max(0, region * REGION) : max(0, (region + 1) * REGION)]
            # Lines of one long word are left out: nothing could have wrapped them.
            self.lines[region] = [line for line in _LINE.findall(part) if _PROSE.match(line)]
        return [len(line.rstrip()) for line in self.lines[region] if _depth(line) == depth]


class LineEnd:
    """The end of a line at which a bare URL stands, and the line behind it.

    Attributes:
        token: what stands first in the line behind, up to white space.
        rest: what stands there after the token.
        alone: whether nothing but the token stands there.

    Args:
        start: where the URL begins.
        end: where its run of characters ends.
        margin: the marks of the line on which the URL began.
        line: the start of the line that ends here.
        columns: the columns of the text.
    """

    def __init__(self, columns: Columns, start: int, end: int, margin: Margin, line: int) -> None:
        self.columns, self.text = columns, columns.text
        self.start, self.end, self.margin, self.line = start, end, margin, line
        text = self.text
        trailing = ENDS_LINE.match(text, end)
        self.break_at = trailing.end() if trailing else end
        found = LINE_BREAK.match(text, self.break_at)
        self.next_line = found.end() if found else len(text)
        self.resume = resume(text, self.next_line, margin, wrapped=False)
        behind = _TOKEN_AND_REST.match(text, self.resume)
        self.token, self.rest = behind.groups() if behind else ("", "")
        self.alone = not self.rest.strip()

    @property
    def length(self) -> int:
        """The length of the line in code points, its margin included, white space at its end left out."""
        return self.end - self.line

    @property
    def next_length(self) -> int:
        """The length of the line behind, its margin included, white space at its end left out."""
        return self.resume + len(self.token + self.rest.rstrip()) - self.next_line

    @property
    def next_depth(self) -> int:
        """How many times the line behind is quoted."""
        # Most lines have no marks to be counted.
        has_marks = self.text[self.next_line : self.resume].strip(" \t")
        return depth_of(margin_at(self.text, self.resume)) if has_marks else 0

    @cached_property
    def line_after(self) -> str:
        """The line behind the line behind."""
        end = _LINE_END.search(self.text, self.resume)
        at = LINE_BREAK.match(self.text, end.start()) if end else None
        found = _LINE.match(self.text, at.end()) if at else None
        return found.group() if found else ""

    @property
    def column(self) -> int | None:
        """The column at which lines near by, with as many marks before them, are wrapped; None where too few tell."""
        return self.columns.near(self.line, depth_of(self.margin))


def _depth(line: str) -> int:
    found = _QUOTE.match(line)
    return sum(char in QUOTE_MARKS for char in found.group()) if found else 0
