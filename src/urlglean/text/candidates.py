"""What a scan finds in a text, and what all of it together says of each: the evidence."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from urlglean.lazy import pattern
from urlglean.records import Candidate, Certainty, Span
from urlglean.text.confidence import Kind
from urlglean.text.quote_prefix import BREAK, PREFIX

BLANK = pattern(r"\s")
# The end of a line and a line below that is not blank, any quote marks aside.
_GOES_ON_BELOW = pattern(rf"[ \t]*{BREAK}{PREFIX}[^\s]")


class Found(Candidate, frozen=True, gc=False):
    """A candidate with what the scan knows of it.

    Attributes:
        resume: where the scan goes on.
        cut_by: the names of the rules that ended a bare URL before its run of characters did.
        run_end: where that run ends.
        or_end: where a bare URL ends if what seems glued to it is its own; 0 where nothing does.
        unclosed: whether its wrapper opened but did not close.
        assumed: what a reader would put before it, such as "http://"; "" where a scheme stands there.
        certainty: of a URL that `fast_path` has read and judged already; None if that is still to be done.
        kind: its kind (see `confidence`) in that case.
    """

    resume: int
    cut_by: tuple[str, ...] = ()
    run_end: int = 0
    or_end: int = 0
    unclosed: bool = False
    assumed: str = ""
    certainty: Certainty | None = None
    kind: Kind = "bare"

    def of(self, text: str) -> str:
        """What the candidate holds in its text."""
        return text[self.span.start : self.span.end]


class Evidence:
    """The URLs that stand unbroken in a text: evidence for those that are broken.

    Args:
        text: the whole text.
        found: all that was found in it; what comes as a span alone is a bare URL that stands whole.
    """

    def __init__(self, text: str, found: Sequence[Found | Span]) -> None:
        self._text, self._found = text, found

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each of them stands there."""
        return Counter(self._unbroken())

    @cached_property
    def _ordered(self) -> list[str]:
        return sorted(self.counts)

    @cached_property
    def line_ends(self) -> dict[str, list[Span]]:
        """Where bare URLs that a line end leaves in doubt stand, by their text in that line."""
        held: dict[str, list[Span]] = {}
        for at in self._found:
            if isinstance(at, Found) and self._is_in_doubt(at):
                held.setdefault(at.assumed + at.of(self._text), []).append(Span(at.span.start, at.run_end))
        return held

    def begins(self, url: str) -> bool:
        """Whether one of them is that URL, or begins with it."""
        at = bisect_left(self._ordered, url)
        return at < len(self._ordered) and self._ordered[at].startswith(url)

    def _unbroken(self) -> Iterator[str]:
        """The contents of all that stands whole: not a bare URL at a line's end, which may be the head of another."""
        for at in self._found:
            if isinstance(at, Span):
                yield self._text[at.start : at.end]
            # What the fast path took holds no blank.
            elif not self._is_in_doubt(at):
                content = at.assumed + at.of(self._text)
                if at.certainty or not BLANK.search(content):
                    yield content

    def _is_in_doubt(self, at: Found) -> bool:
        return bool(at.run_end) and _GOES_ON_BELOW.match(self._text, at.run_end) is not None
