"""The candidates that a scan finds in a text, and the evidence that all of them give about each one."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from msgspec.structs import replace

from urlglean.lazy import pattern
from urlglean.records import Candidate, Certainty, Span
from urlglean.text.confidence import Kind
from urlglean.text.quote_prefix import BREAK, PREFIX

BLANK = pattern(r"\s")
# The end of a line, followed by a line that is not blank apart from quote marks.
_GOES_ON_BELOW = pattern(rf"[ \t]*{BREAK}{PREFIX}[^\s]")

# One scheme, or several where a URL was pasted behind the scheme of another: they are one beginning. In a wrapper, a
# line end may divide the first.
_SCHEMES = pattern(r"(?:[A-Za-z][A-Za-z0-9+.-]*+[ \t]*+[\r\n][^\w:]*+)?+(?:[A-Za-z][A-Za-z0-9+.-]*+:/{0,3}+)++")


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
        is_beginning: whether only the next line makes it a candidate.
        scheme_break: the gap of a line end within the scheme of a bare URL; None if its scheme is whole.
        is_divided: whether it ends where the next one may begin, because there was no effort left to read on.
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
    is_beginning: bool = False
    is_divided: bool = False
    scheme_break: Span | None = None

    @property
    def begin(self) -> int:
        """Where it begins, or goes on behind a line end within its scheme."""
        return self.scheme_break.end if self.scheme_break else self.span.start

    def lead(self, text: str) -> str:
        """What its URL has before the text from `begin` on: an assumed scheme, or the beginning of one."""
        return self.assumed + text[self.span.start : self.scheme_break.start] if self.scheme_break else self.assumed

    def of(self, text: str) -> str:
        """The candidate's part of its text."""
        return text[self.span.start : self.span.end]

    def inside(self, text: str) -> Span:
        """The stretch behind its schemes, up to where the scan goes on; other candidates may begin in it."""
        schemes = _SCHEMES.match(text, self.begin, self.resume)
        return Span(schemes.end() if schemes else self.begin + 1, self.resume)

    def moved(self, by: int) -> Found:
        """The candidate of a part of a text that begins at `by`, with its places in the whole text."""
        span = Span(self.span.start + by, self.span.end + by)
        run_end, or_end = (place + by if place else 0 for place in (self.run_end, self.or_end))
        cut = self.scheme_break and Span(self.scheme_break.start + by, self.scheme_break.end + by)
        return replace(self, span=span, resume=self.resume + by, run_end=run_end, or_end=or_end, scheme_break=cut)

    def until(self, end: int) -> Found:
        """The candidate, ended before another candidate that begins at `end`."""
        return replace(self, span=Span(self.span.start, end), run_end=0, or_end=0)


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
        return Counter(self._parted[0])

    @cached_property
    def _ordered(self) -> list[str]:
        return sorted(self.counts)

    @cached_property
    def line_ends(self) -> dict[str, list[Span]]:
        """The places of the bare URLs that end their line and may go on in the next, by their text in that line."""
        return self._parted[1]

    def begins(self, url: str) -> bool:
        """Whether an unbroken URL is `url`, or begins with it."""
        at = bisect_left(self._ordered, url)
        return at < len(self._ordered) and self._ordered[at].startswith(url)

    @cached_property
    def _parted(self) -> tuple[list[str], dict[str, list[Span]]]:
        """The unbroken candidates, and the bare URLs at line ends, which may be only beginnings of URLs."""
        text = self._text
        unbroken: list[str] = []
        line_ends: dict[str, list[Span]] = {}
        for at in self._found:
            if isinstance(at, Span):
                unbroken.append(text[at.start : at.end])
                continue
            content = at.lead(text) + text[at.begin : at.span.end]
            if at.run_end and _GOES_ON_BELOW.match(text, at.run_end):
                line_ends.setdefault(content, []).append(Span(at.begin, at.run_end))
            elif at.certainty or not BLANK.search(content):  # a URL of the fast path holds no blank
                unbroken.append(content)
        return unbroken, line_ends
