"""The candidates that a scan finds in a text, and the evidence that all of them give about each one."""

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
# The end of a line, followed by a line that is not blank apart from quote marks.
_GOES_ON_BELOW = pattern(rf"[ \t]*{BREAK}{PREFIX}[^\s]")


class Found(Candidate, frozen=True, gc=False):
    """A candidate with the scan's results about it. All positions are code points of the text.

    Attributes:
        resume: the position at which the scan goes on.
        cut_by: the names of the rules that ended a bare URL before its run of characters ends.
        run_end: the end of that run; 0 for a candidate in a wrapper and for a near-URL.
        or_end: the end of a bare URL if the text that seems glued to it belongs to it; 0 if nothing seems glued.
        unclosed: whether its wrapper opened but did not close.
        assumed: the scheme that a reader would put before it, such as "http://"; "" if the text has a scheme.
        certainty: the certainty of a URL that `fast_path` has already read and judged; None for all others.
        kind: the kind (see `confidence`) of a URL that `fast_path` has already read and judged.
        is_weighed: whether such a URL may go on over the line break behind it, which must still be weighed.
    """

    resume: int
    cut_by: tuple[str, ...] = ()
    run_end: int = 0
    or_end: int = 0
    unclosed: bool = False
    assumed: str = ""
    certainty: Certainty | None = None
    kind: Kind = "bare"
    is_weighed: bool = False

    def of(self, text: str) -> str:
        """The candidate's part of its text."""
        return text[self.span.start : self.span.end]


class Evidence:
    """The unbroken URLs of a text: evidence for the URLs that are broken.

    Args:
        text: the whole text.
        found: all candidates in it; a `Span` is a bare URL that is certainly whole.
    """

    def __init__(self, text: str, found: Sequence[Found | Span]) -> None:
        self._text, self._found = text, found

    @cached_property
    def counts(self) -> Counter[str]:
        """The number of times that each unbroken URL occurs."""
        return Counter(self._unbroken())

    @cached_property
    def _ordered(self) -> list[str]:
        return sorted(self.counts)

    @cached_property
    def line_ends(self) -> dict[str, list[Span]]:
        """The places of the bare URLs that end their line and may go on in the next, by their text in that line."""
        held: dict[str, list[Span]] = {}
        for at in self._found:
            if isinstance(at, Found) and self._is_in_doubt(at):
                held.setdefault(at.assumed + at.of(self._text), []).append(Span(at.span.start, at.run_end))
        return held

    def begins(self, url: str) -> bool:
        """Whether an unbroken URL is `url`, or begins with it."""
        at = bisect_left(self._ordered, url)
        return at < len(self._ordered) and self._ordered[at].startswith(url)

    def _unbroken(self) -> Iterator[str]:
        """The texts of all unbroken candidates. A bare URL at a line's end may be only the beginning of a URL."""
        for at in self._found:
            if isinstance(at, Span):
                yield self._text[at.start : at.end]
            # A URL of the fast path holds no blank.
            elif not self._is_in_doubt(at):
                content = at.assumed + at.of(self._text)
                if at.certainty or not BLANK.search(content):
                    yield content

    def _is_in_doubt(self, at: Found) -> bool:
        return bool(at.run_end) and _GOES_ON_BELOW.match(self._text, at.run_end) is not None
