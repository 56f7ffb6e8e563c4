"""Extracts the findings of a text. This is the only module that combines scan, readings and judge."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from copy import copy
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, get_args

from urlglean.errors import UnknownNameError
from urlglean.records import LEVELS, Dialect, Flowed, Joins, Span, Window
from urlglean.text import fast_path
from urlglean.text.candidates import Evidence, Found
from urlglean.text.confidence import confidence_of
from urlglean.text.finding import Finding, moved, of_fast_path
from urlglean.text.flowed_lines import folded, unfolded
from urlglean.text.judge import judge_of
from urlglean.text.line_ends import without_lone_cr
from urlglean.text.scanner import may_hold_one, scan_parted, scan_stretch, scan_text
from urlglean.text.search_terms import search_terms, several_names
from urlglean.text.url_end import signs_in
from urlglean.text.whole import read_whole
from urlglean.windows import SIZE, WindowSize, windows

if TYPE_CHECKING:
    from urlglean.text.interpret import Interpreter
    from urlglean.text.policy import Policy
    from urlglean.text.settling import Collection

_FLOWED = get_args(Flowed)
_FLAGS = (True, False)
"""What is equal to one of them, such as numpy's, is taken too: a cache does not tell them apart."""


def extract(  # noqa: PLR0913 - each is asked for by itself, and others call it
    text: str | bytes,
    dialect: Dialect = "current",
    joins: Joins = "likely",
    *,
    invalid: bool = False,
    strict: bool = False,
    flowed: Flowed = "",
    schemes: Iterable[str] = (),
    bare_hosts: bool = False,
) -> list[Finding]:
    """The URLs of a text, in the order of the text.

    Args:
        text: free text. Octets (`bytes`, `bytearray` or `memoryview`) are decoded as UTF-8; those that are not UTF-8
            become lone surrogates (PEP 383), and offsets count the code points of the decoded text.
        dialect: the standard that judges: "current", "rfc1738", "early", "web".
        joins: which URLs that line breaks cut are joined: "never" (none), "evident" or "likely".
        invalid: whether rejected candidates are returned too, with their problems.
        strict: whether URLs that the dialect refuses, but that browsers accept and a reader would copy, are rejected.
        flowed: "flowed" or "delsp" for the text of a format=flowed part (RFC 3676), without or with DelSp.
        schemes: names of schemes whose bare URLs are searched too, with "//" and without, such as "magnet" or "doi".
        bare_hosts: whether `www.host/...` and `ftp.host/...` without a scheme are searched too. Their `url` begins with
            the scheme that a reader would put there, "http" or "ftp"; span and pieces cover only what is in the text.

    Returns:
        A list of `Finding`; spans are half-open, in code points of `text`, in order and without overlap.

    Raises:
        UnknownNameError: there is no such dialect, level of joins or kind of flowed text.
        SchemeNameError: one of `schemes` is not a possible name of a scheme (RFC 3986 3.1).
        TypeError: `text` is neither str nor octets, or an option has a wrong type; `schemes` must not be one str.
    """
    names = schemes if isinstance(schemes, tuple) else several_names("schemes", schemes)
    try:
        made = _extractor(dialect, joins, invalid, strict, names, bare_hosts)
    except TypeError:  # what cannot be hashed is of a wrong type too, and is named when there is no cache
        made = None
    if made is None:
        made = Extractor(dialect, joins, invalid=invalid, strict=strict, schemes=names, bare_hosts=bare_hosts)
    return made(text, flowed)


def extract_many(  # noqa: PLR0913 - the options of `extract`
    texts: Iterable[str | bytes | float | None],
    dialect: Dialect = "current",
    joins: Joins = "likely",
    *,
    invalid: bool = False,
    strict: bool = False,
    flowed: Flowed = "",
    schemes: Iterable[str] = (),
    bare_hosts: bool = False,
) -> Iterator[list[Finding]]:
    """The URLs of each of many texts: the results of `extract` for each text, in the order of the texts.

    The preparation that does not depend on the texts is done once, in this call. Each text is read when its result is
    requested.

    Args:
        texts: any number of texts, each as in `extract`; it may be a generator. None, NaN, and pandas' `NA` and `NaT`
            stand for texts that are missing.
        dialect: this and all following arguments are as in `extract`, and the same for all texts.
        joins: which URLs are joined.
        invalid: whether rejected candidates are returned too.
        strict: whether URLs that only browsers accept are rejected.
        flowed: the kind of flowed text.
        schemes: schemes that are searched too.
        bare_hosts: whether hosts without a scheme are searched too.

    Returns:
        An iterator that yields a list of `Finding` for each text; the list is empty if the text holds no URL, or is
        missing.

    Raises:
        UnknownNameError: as in `extract`; the call raises this and the next error, not the iterator.
        SchemeNameError: as in `extract`.
        TypeError: `texts` is a single text or is not iterable, or an option has a wrong type. The iterator raises it if
            one of the texts is neither str nor octets, and not missing.
    """
    if isinstance(texts, str | bytes | bytearray | memoryview):
        raise TypeError(f"texts must be several texts, not one {type(texts).__name__}")
    # Measured (Python 3.11): a text of 30 characters without a URL takes 0.8 us, and 1.1 us in a loop over `extract`;
    # with one URL, 2.0 and 2.4 us.
    made = Extractor(dialect, joins, invalid=invalid, strict=strict, schemes=schemes, bare_hosts=bare_hosts)
    made("", flowed)  # raises UnknownNameError now if there is no such kind of flowed text
    if not isinstance(texts, Iterable):
        raise TypeError(f"texts must be several texts, not {type(texts).__name__}")
    return _of_each(made, texts, flowed)


def _of_each(made: Extractor, texts: Iterable[Any], flowed: Flowed) -> Iterator[list[Finding]]:
    for text in texts:
        yield [] if not isinstance(text, str) and _is_missing(text) else made(text, flowed)


def _is_missing(text: object) -> bool:
    """Whether a value stands for a text that is not there. pandas' own values are known by name, not imported."""
    is_nan = isinstance(text, float) and text != text  # noqa: PLR0124 - only NaN differs from itself
    return text is None or is_nan or type(text).__name__ in {"NAType", "NaTType"}


class Extractor:
    """Finds URLs in any number of texts, with options that are checked and prepared only once.

    Args:
        dialect: this and all following arguments are as in `extract`.
        joins: which URLs are joined.
        invalid: whether rejected candidates are returned too.
        strict: whether URLs that only browsers accept are rejected.
        schemes: schemes that are searched too.
        bare_hosts: whether hosts without a scheme are searched too.
        window: how large the windows are in which a long text is read.

    Raises:
        UnknownNameError: there is no such dialect or level of joins.
        SchemeNameError: one of `schemes` is not a possible name of a scheme.
        TypeError: an option has a wrong type.
    """

    def __init__(  # noqa: PLR0913 - the options of `extract`
        self,
        dialect: Dialect,
        joins: Joins,
        *,
        invalid: bool = False,
        strict: bool = False,
        schemes: Iterable[str] = (),
        bare_hosts: bool = False,
        window: WindowSize = SIZE,
    ) -> None:
        if joins not in LEVELS:
            raise UnknownNameError("joins level", joins, LEVELS)
        judge_of(dialect)
        for name, flag in (("invalid", invalid), ("strict", strict), ("bare_hosts", bare_hosts)):
            if flag not in _FLAGS:
                raise TypeError(f"{name} must be True or False, not {flag!r}")
        self.dialect, self.joins, self.invalid, self.strict = dialect, joins, invalid, strict
        self.window = window
        self._collection: Collection | None = None
        self.search_terms = search_terms(schemes, bare_hosts=bare_hosts)

    @cached_property
    def policy(self) -> Policy:
        """The policy of the dialect, made when it is first needed."""
        # The patterns and tables of this module and of those that use it take 10 ms, and many texts need none of them.
        from urlglean.text.policy import Policy  # noqa: PLC0415

        return Policy(self.dialect, strict=self.strict)

    def beside(self, collection: Collection) -> Extractor:
        """The same for the texts of one document, whose doubtful readings a collection settles."""
        self.policy  # noqa: B018  made once, not for each document
        other = copy(self)
        other._collection = collection  # noqa: SLF001  it is one of this class
        return other

    def __call__(self, text: str | bytes, flowed: Flowed = "") -> list[Finding]:
        """The findings of a text, as `extract` returns them.

        Raises:
            UnknownNameError: there is no such kind of flowed text.
            TypeError: `text` is neither str nor octets.
        """
        # The pieces of an object of a subclass, such as markupsafe's, may be of that class too, and differ from those.
        if type(text) is not str:
            text = str.__str__(text) if isinstance(text, str) else _decoded(text)
        if flowed not in _FLOWED:
            raise UnknownNameError("kind of flowed text", flowed, _FLOWED)
        if len(text) > self.window.own or flowed == "delsp":
            return list(itertools.chain.from_iterable(self.windows(text, flowed)))
        return self._found(text, flowed)

    def windows(self, text: str, flowed: Flowed = "") -> Iterator[list[Finding]]:
        """The findings of each window of a text (see `windows`), in order, with their places in the whole text.

        All lists together are what a call returns. Only one window is in memory, besides the text; under DelSp also the
        text without its soft line ends, whose windows they are then.
        """
        if flowed == "delsp" and self.joins != "never":
            lines = unfolded(without_lone_cr(text))
            for findings in self.windows(lines.text, "flowed"):
                yield [folded(finding, lines) for finding in findings]
            return
        for window in windows(text, self.window):
            findings = self.in_window(text[window.first : window.last], window, flowed)
            yield [moved(finding, window.first) for finding in findings] if window.first else findings

    def in_window(self, text: str, window: Window, flowed: Flowed = "") -> list[Finding]:
        """The findings that a window owns, with their places in what it reads.

        Args:
            text: what the window reads, from `window.first` to `window.last`.
            window: its place in the whole text.
            flowed: as in `extract`; but the lines of a window are not put together.
        """
        first, begin, end = window.first, window.start - window.first, window.end - window.first
        if window.before:
            seam = self._found(text[: window.before - first], flowed, 0, begin)
            begin = max(begin, _end_of(seam))
        findings = self._found(text, flowed, begin, end)
        after = window.after - first
        if _end_of(findings) > end and findings[-1].span.start < after:
            # It is too long for the seam. If it is too long for the margin too, it is known only up to the end.
            if findings[-1].span.end == len(text):
                findings[-1:] = self._found(text[:end], flowed, findings[-1].span.start, end)
        elif window.end < window.last:
            seam = [moved(each, after) for each in self._found(text[after:], flowed, 0, end - after)]
            findings = _ended_by(findings, seam, begin, end)
        return findings

    def _found(self, text: str, flowed: Flowed, start: int = 0, end: int | None = None) -> list[Finding]:
        """The findings of the candidates of a text that begin in `text[start:end]`."""
        text = without_lone_cr(text)
        found = list(scan_text(text, fast=fast_path.takes(self.dialect, flowed), search_terms=self.search_terms))
        if not found:
            return []
        findings: list[Finding] = []
        reader: Interpreter | None = None
        done, end = start, len(text) if end is None else end
        left = found[::-1]
        dialect, sure = self.dialect, confidence_of("bare")
        while left:
            at = left.pop()
            # A URL that goes on over a line break may contain the next candidate, as in `?to=http://...`.
            if isinstance(at, Span):  # most are, so this is no call of a function
                if at.start >= end:
                    break
                if at.start >= done:
                    done = at.end
                    url = text[at.start : done]
                    findings.append(Finding(url, at, "bare", (at,), (), (), "plain", sure, True, (), dialect))  # noqa: FBT003
                continue
            if at.span.start >= end:
                break
            if at.span.start >= done and at.certainty and not at.is_weighed:
                findings.append(of_fast_path(text, at, at.certainty, confidence_of(at.kind), dialect))
                done = at.span.end
            elif done < at.resume:
                reader = reader or self._interpreter(
                    text, Evidence(text, found), self.policy, self.joins, flowed, self._collection
                )
                own = Span(done, _start_of(left[-1]) if left else len(text))
                finding, within = self._read(text, at, own, reader)
                if finding is not None:
                    findings.append(finding)
                    done = finding.span.end
                left += reversed(within)
        return findings

    def _read(self, text: str, at: Found, own: Span, reader: Interpreter) -> tuple[Finding | None, list[Found]]:
        """The finding of a candidate, and the candidates that begin within it, but do not belong to the finding.

        `own` ends where the next candidate begins. All of those found begin in it, and what is rejected ends there. One
        that begins before it is only searched for others.
        """
        if at.span.start < own.start:
            return None, self._within(text, Span(own.start, at.resume), own.end, reader)
        finding = reader.finding(at, rejected=self.invalid)
        if finding is not None and not finding.rejected:
            return finding, self._within(text, Span(finding.span.end, at.resume), own.end, reader)
        within = [] if at.is_divided else self._within(text, at.inside(text), own.end, reader)
        # A URL that holds others as its values is rejected as a whole.
        while within and reader.takes_until(at, within[0].span.start):
            del within[0]
        following = within[0].span.start if within else own.end
        if max(at.span.end, finding.span.end if finding else 0) > following:
            # If the next candidate makes a URL of what is before it, nobody has written that.
            is_url = not within and reader.takes_until(at, following)
            finding = None if is_url else reader.finding(at.until(following), rejected=self.invalid)
        return finding, within

    def _within(self, text: str, stretch: Span, end: int, reader: Interpreter) -> list[Found]:
        """The candidates that begin before `end` in a stretch that belongs to a candidate, but not to its finding."""
        # Those behind `end` are known already; so they are not searched again.
        stretch = Span(stretch.start, min(stretch.end, end))
        if stretch.start >= stretch.end or not may_hold_one(text, stretch, self.search_terms):
            return []
        if reader.effort.is_over(stretch.start):
            return list(scan_parted(text, stretch, end, self.search_terms))
        within: list[Found] = []
        read = stretch.end
        for each in scan_stretch(text, stretch, self.search_terms):
            read = max(read, each.resume, each.run_end)  # of the one behind the stretch too, which was looked at
            if each.span.start >= end:
                break
            within.append(each)
        reader.effort.search_again(read - stretch.start, signs_in(text, stretch.start, read))
        return within

    def whole(self, text: str) -> list[Finding]:
        """The finding of a text that is exactly one URL (see `read_whole`).

        The list is empty if the URL is rejected and rejected candidates were not asked for.
        """
        finding = read_whole(text, self.dialect, strict=self.strict)
        return [finding] if self.invalid or not finding.rejected else []

    @cached_property
    def _interpreter(self) -> type[Interpreter]:
        from urlglean.text.interpret import Interpreter  # noqa: PLC0415 - see `policy`

        return Interpreter


@lru_cache(maxsize=1 << 6)
def _extractor(  # noqa: PLR0913, PLR0917 - arguments by position make the cache fastest
    dialect: Dialect,
    joins: Joins,
    invalid: bool,  # noqa: FBT001
    strict: bool,  # noqa: FBT001
    schemes: tuple[str, ...] | str,
    bare_hosts: bool,  # noqa: FBT001
) -> Extractor:
    """The extractor with these options, cached because most callers use the same options each time."""
    return Extractor(dialect, joins, invalid=invalid, strict=strict, schemes=schemes, bare_hosts=bare_hosts)


def _end_of(findings: list[Finding]) -> int:
    return findings[-1].span.end if findings else 0


def _ended_by(findings: list[Finding], seam: list[Finding], begin: int, end: int) -> list[Finding]:
    """The findings of a window, but where they and those of its `seam` do not go over its `end` alike, the seam's.

    The window knows more of the text than the seam, so its findings before that place stay. It owns what lies between
    `begin` and `end`.
    """
    if max(_end_of(findings), end) == max(_end_of(seam), end):
        return findings
    at = min(each[-1].span.start for each in (findings, seam) if _end_of(each) > end)
    kept = [each for each in findings if each.span.end <= at]
    begin = max(begin, _end_of(kept))
    return kept + [each for each in seam if each.span.start >= begin]


def _start_of(at: Found | Span) -> int:
    return at.start if isinstance(at, Span) else at.span.start


def _decoded(octets: bytes) -> str:
    if not isinstance(octets, bytes | bytearray | memoryview):
        raise TypeError(f"text must be str or bytes, not {type(octets).__name__}")
    return bytes(octets).decode("utf-8", "surrogateescape")
