"""The lines around a place in a text: how long they are, and at which column they were wrapped."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast

from msgspec import Struct

from urlglean.expressions import compiled
from urlglean.text.gaps import NEAR, has_quoted_printable
from urlglean.text.joining.columns import WIDEST, columns, has_wide
from urlglean.text.joining.hyphens import Hyphenation, hyphenation_of
from urlglean.text.quote_prefix import BYTE_ORDER_MARK, MARK, QUOTE_MARKS

_T = TypeVar("_T")

REGION = 600
"""Code points of a region. Nearby lines are those of the region around a place and of the regions before and behind.

The windows that the weights were fitted on are hardly longer than three regions, and counts of nearby lines grow with
the stretch that is read."""

FEWEST_LINES = 3
"""A column is known only from at least this many lines of prose."""

ENDS_LINE = compiled(r"[ \t]*(?=[\r\n])")
"""The blanks at the end of a line that is not the last."""

# People type two blanks behind a sentence, so those do not count.
_TWO_BLANKS = compiled(r"[^\s.!?:][ ]{2}\r{0,2}\n")
FEWEST_WITH_TWO_BLANKS = 2
_HEAD = 6
# The first characters of lines that may begin with a quote mark. A search for "\n" is faster than one for "^".
_QUOTED = compiled(rf"\n(?=[ \t]*{MARK})([^\r\n]{{1,{_HEAD}}})")
_QUOTE = compiled(rf"(?:[ \t]*+{MARK})*+")


class Lines(NamedTuple):
    """The lengths of lines that have the same number of quote marks, in columns without white space at their ends.

    Attributes:
        all: of all of them.
        prose: of those that a program may have wrapped: they have three words at least, and are not too long.
    """

    all: list[int]
    prose: list[int]


NO_LINES = Lines([], [])


class Near(Struct, frozen=True, gc=False):
    """The nearby lines that have the same number of quote marks.

    Attributes:
        column: where lines of prose are wrapped; None if there are too few of them.
        lengths: of all these lines, ascending, in columns without the white space at their ends.
    """

    column: int | None
    lengths: list[int]

    def longer(self, length: int) -> int:
        """How many are longer."""
        return len(self.lengths) - bisect_right(self.lengths, length)

    def as_long(self, length: int) -> int:
        """How many are just as long."""
        return bisect_right(self.lengths, length) - bisect_left(self.lengths, length)


class LineGeometry:
    """The lines of a text by region. A region is read when it is first needed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._near: dict[tuple[int, int], Near] = {}
        self._lines: dict[int, dict[int, Lines]] = {}
        self._told: dict[tuple[Callable[[str], object], int], object] = {}

    def near(self, place: int, depth: int) -> Near:
        """The lines around a place that have so many quote marks."""
        region = place // REGION
        if (found := self._near.get((region, depth))) is None:
            found = self._near[region, depth] = _near(
                self._of(region - 1).get(depth, NO_LINES),
                self._of(region).get(depth, NO_LINES),
                self._of(region + 1).get(depth, NO_LINES),
            )
        return found

    def is_quoted_printable(self, place: int) -> bool:
        """Whether the text around a place looks like quoted-printable that was never decoded (RFC 2045 6.7)."""
        return self._tells(has_quoted_printable, place)

    def is_delsp(self, place: int) -> bool:
        """Whether the text around a place looks like flowed text under DelSp whose header is lost (RFC 3676 4.2).

        In such text a line that was broken at a blank ends in two: that blank and the mark of a soft line.
        """
        return self._tells(_has_lines_with_two_blanks, place)

    def hyphenation(self, place: int) -> Hyphenation:
        """How programs have divided words at line ends around a place (RFC 1738 appendix)."""
        return self._tells(hyphenation_of, place)

    def _tells(self, of: Callable[[str], _T], place: int) -> _T:
        """What a function tells of the text around a place. The answer is cached by region."""
        region = place // NEAR
        if (of, region) not in self._told:
            self._told[of, region] = of(self.text[max(0, region - 1) * NEAR : (region + 2) * NEAR])
        return cast("_T", self._told[of, region])

    def _of(self, region: int) -> dict[int, Lines]:
        """The lines that begin in a region, by depth."""
        if (by_depth := self._lines.get(region)) is None:
            by_depth = self._lines[region] = _by_depth(self._part(region))
        return by_depth

    def _part(self, region: int) -> str:
        """The lines that begin in a region."""
        low, high = region * REGION, (region + 1) * REGION
        if high <= 0 or low >= len(self.text):
            return ""
        begin = self.text.find("\n", low - 1, high) + 1 if low else int(self.text.startswith(BYTE_ORDER_MARK))
        if low and not begin:
            return ""
        end = self.text.find("\n", high - 1)
        return self.text[begin : end if end >= 0 else len(self.text)]


def _by_depth(part: str) -> dict[int, Lines]:
    """Lines by their number of quote marks. Empty lines are left out."""
    lines = [line for line in part.replace("\r", "").split("\n") if line]
    # Most lines are not quoted. One search finds those that may be, which is faster than to match each line.
    quoted = set(_QUOTED.findall(f"\n{part}"))
    if not quoted:
        return {0: _measured(lines)}
    by_depth: dict[int, list[str]] = {}
    for line in lines:
        by_depth.setdefault(_depth(line) if line[:_HEAD] in quoted else 0, []).append(line)
    return {depth: _measured(some) for depth, some in by_depth.items()}


def _measured(lines: list[str]) -> Lines:
    """The lengths of lines of the same depth, without the white space at their ends."""
    lines = list(map(str.rstrip, lines))
    lengths = list(map(columns, lines))
    # Lines of three words at least, because a program can wrap only those.
    return Lines(
        lengths,
        [
            length
            for line, length in zip(lines, lengths, strict=True)
            if length <= WIDEST and (line.count(" ") > 1 or has_wide(line))
        ],
    )


def _near(before: Lines, own: Lines, behind: Lines) -> Near:
    """The geometry of the lines of three regions that follow each other."""
    prose = sorted(before.prose + own.prose + behind.prose)
    # One line in ten may stick out: a header, or a line that was never wrapped.
    column = prose[len(prose) * 9 // 10] if len(prose) >= FEWEST_LINES else None
    return Near(column, sorted(before.all + own.all + behind.all))


def _has_lines_with_two_blanks(near: str) -> bool:
    return len(_TWO_BLANKS.findall(near)) >= FEWEST_WITH_TWO_BLANKS


def _depth(line: str) -> int:
    found = _QUOTE.match(line)
    return sum(map(found.group().count, QUOTE_MARKS)) if found else 0
