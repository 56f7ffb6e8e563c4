"""Text -> findings: the one composition of scan, readings and judge."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, get_args

from urlglean.errors import UnknownNameError
from urlglean.lazy import pattern
from urlglean.records import LEVELS, Dialect, Flowed, Join, JoinRule, Joins, Reading, Span
from urlglean.text import fast_path
from urlglean.text.candidates import Evidence, Found
from urlglean.text.confidence import CERTAIN, Kind, confidence_of
from urlglean.text.finding import Finding
from urlglean.text.judge import judge_of
from urlglean.text.scanner import scan_text
from urlglean.text.search_terms import USUAL, search_terms

if TYPE_CHECKING:
    from urlglean.text.interpret import Interpreter
    from urlglean.text.policy import Policy

_FLOWED = get_args(Flowed)
_UNBROKEN = pattern(r"[^\t\r\n]+")


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
    """The URLs that stand in a text, in its order.

    Args:
        text: free text. Bytes are read as UTF-8; octets that are not become lone surrogates (PEP 383), and offsets
            count the code points of that reading.
        dialect: which standard judges: "current", "rfc1738", "early", "web".
        joins: how far to go in joining what line breaks cut: "never", "evident", "likely".
        invalid: whether candidates that were judged and rejected come too, with their problems.
        strict: whether what the dialect refuses, though browsers take it and a reader would copy it, is rejected too.
        flowed: "flowed" or "delsp" for the text of a format=flowed part (RFC 3676), without or with DelSp.
        schemes: names of schemes whose bare URLs are looked for too, with "//" and without: "magnet", "doi".
        bare_hosts: whether `www.host/...` and `ftp.host/...` without a scheme are looked for too. Their `url` begins
            with the scheme that a reader would put there, "http" or "ftp"; span and pieces are of what stands there.

    Returns:
        A list of `Finding`; spans are half-open, in code points of `text`, in order and without overlap.

    Raises:
        UnknownNameError: there is no such dialect, level of joins or kind of flowed text.
        SchemeNameError: one of `schemes` can be no scheme's name (RFC 3986 3.1).
        TypeError: `text` is neither str nor bytes, or `schemes` is one str.
    """
    names = () if not schemes else schemes if isinstance(schemes, str) else tuple(schemes)
    return _extractor(dialect, joins, invalid, strict, names, bare_hosts)(text, flowed)


def extract_many(  # noqa: PLR0913 - the options of `extract`
    texts: Iterable[str | bytes],
    dialect: Dialect = "current",
    joins: Joins = "likely",
    *,
    invalid: bool = False,
    strict: bool = False,
    flowed: Flowed = "",
    schemes: Iterable[str] = (),
    bare_hosts: bool = False,
) -> Iterator[list[Finding]]:
    """The URLs that stand in each of many texts: what `extract` gives of each, in their order.

    What does not depend on the text is done once, when this is called. Texts are taken as the results are.

    Args:
        texts: any number of texts, each as in `extract`; a generator will do.
        dialect: this and the others are as in `extract`, and the same for all texts.
        joins: how far to go in joining.
        invalid: whether rejected candidates come too.
        strict: whether what only browsers take is rejected.
        flowed: the kind of line ends.
        schemes: schemes to be looked for too.
        bare_hosts: whether hosts without a scheme are looked for too.

    Returns:
        An iterator that gives a list of `Finding` for each text, an empty one where it holds no URL.

    Raises:
        UnknownNameError: as in `extract`; this and the next are raised by the call, not by the iterator.
        SchemeNameError: as in `extract`.
        TypeError: `texts` is a single text, or nothing to iterate over, or `schemes` is one str. Raised by the iterator
            where one of the texts is neither str nor bytes.
    """
    if isinstance(texts, str | bytes | bytearray | memoryview):
        raise TypeError(f"texts must be several texts, not one {type(texts).__name__}")
    # Measured (Python 3.11): 0.8 us a text of 30 characters without a URL, 1.1 us by a loop over `extract`; with one,
    # 2.0 and 2.4 us.
    made = Extractor(dialect, joins, invalid=invalid, strict=strict, schemes=schemes, bare_hosts=bare_hosts)
    made("", flowed)  # which raises where there is no such kind
    return map(made, texts, itertools.repeat(flowed))


class Extractor:
    """Finds URLs in any number of texts: what was asked for, checked and made ready once.

    Args:
        dialect: this and the others are as in `extract`.
        joins: how far to go in joining.
        invalid: whether rejected candidates come too.
        strict: whether what only browsers take is rejected.
        schemes: schemes to be looked for too.
        bare_hosts: whether hosts without a scheme are looked for too.

    Raises:
        UnknownNameError: there is no such dialect or level of joins.
        SchemeNameError: one of `schemes` can be no scheme's name.
        TypeError: `schemes` is one str.
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
    ) -> None:
        if joins not in LEVELS:
            raise UnknownNameError("joins level", joins, LEVELS)
        judge_of(dialect)
        self.dialect, self.joins, self.invalid, self.strict = dialect, joins, invalid, strict
        self.search_terms = search_terms(schemes, bare_hosts=bare_hosts) if schemes or bare_hosts else USUAL

    @cached_property
    def policy(self) -> Policy:
        """What is found beside what the dialect takes."""
        # Its patterns, and the tables of those that use it, take 10 ms to compile, and many texts need none of them.
        from urlglean.text.policy import Policy  # noqa: PLC0415

        return Policy(self.dialect, strict=self.strict)

    def __call__(self, text: str | bytes, flowed: Flowed = "") -> list[Finding]:
        """The findings in a text, as `extract` gives them.

        Raises:
            UnknownNameError: there is no such kind of flowed text.
            TypeError: `text` is neither str nor bytes.
        """
        if not isinstance(text, str):
            text = _decoded(text)
        if flowed not in _FLOWED:
            raise UnknownNameError("kind of flowed text", flowed, _FLOWED)
        found = list(scan_text(text, fast=fast_path.takes(self.dialect, flowed), search_terms=self.search_terms))
        evidence = Evidence(text, found)
        findings: list[Finding] = []
        reader: Interpreter | None = None
        done = 0
        for at in found:
            # A URL that goes on over a line break may hold another, as in `?to=http://...`.
            if (at if isinstance(at, Span) else at.span).start < done:
                continue
            finding = _plainly_read(text, at, self.dialect)
            if finding is None and isinstance(at, Found):
                reader = reader or self._reader(text, evidence, flowed)
                finding = reader.finding(at, rejected=self.invalid)
            if finding is not None:
                findings.append(finding)
                done = finding.span.end
        return findings

    def whole(self, text: str) -> list[Finding]:
        """The finding of a text that is one URL as a whole (see `read_whole`), unless it is rejected."""
        finding = read_whole(text, self.dialect, strict=self.strict)
        return [finding] if self.invalid or not finding.rejected else []

    def _reader(self, text: str, evidence: Evidence, flowed: Flowed) -> Interpreter:
        from urlglean.text.interpret import Interpreter  # noqa: PLC0415 - see `policy`

        return Interpreter(text, evidence, self.policy, self.joins, flowed)


@lru_cache(maxsize=1 << 6)
def _extractor(  # noqa: PLR0913, PLR0917 - by position, which is how a cache is asked fastest
    dialect: Dialect,
    joins: Joins,
    invalid: bool,  # noqa: FBT001
    strict: bool,  # noqa: FBT001
    schemes: tuple[str, ...] | str,
    bare_hosts: bool,  # noqa: FBT001
) -> Extractor:
    """The extractor of these options: most callers ask for the same ones each time."""
    return Extractor(dialect, joins, invalid=invalid, strict=strict, schemes=schemes, bare_hosts=bare_hosts)


def _decoded(octets: bytes) -> str:
    if not isinstance(octets, bytes | bytearray | memoryview):
        raise TypeError(f"text must be str or bytes, not {type(octets).__name__}")
    return bytes(octets).decode("utf-8", "surrogateescape")


def _plainly_read(text: str, at: Found | Span, dialect: Dialect) -> Finding | None:
    """The finding of what took the fast path (see `fast_path`): it has one reading, a valid one; None for all else."""
    if isinstance(at, Span):
        url = text[at.start : at.end]
        sure = confidence_of("bare")
        return Finding(url, at, "bare", (at,), (), (), "plain", sure, valid=True, problems=(), dialect=dialect)
    url, span = at.of(text), at.span
    if not at.certainty:
        return None
    sure = confidence_of(at.kind)
    return Finding(url, span, at.wrapper, (span,), (), (), at.certainty, sure, valid=True, problems=(), dialect=dialect)


def read_whole(text: str, dialect: Dialect = "current", *, strict: bool = False) -> Finding:
    """A text that is one URL as a whole, such as an attribute's value in HTML.

    White space at its ends is left out, tabs and line ends anywhere (as the URL standard of the WHATWG does, 4.1).

    Args:
        text: the attribute's value, entities decoded.
        dialect: which standard judges.
        strict: as in `extract`.

    Returns:
        A `Finding`, which may be rejected.

    Raises:
        UnknownNameError: there is no such dialect.
    """
    if dialect in fast_path.DIALECTS and fast_path.is_url(text):
        whole = Span(0, len(text))
        return Finding(
            text, whole, "quoted", (whole,), (), (), "stated", CERTAIN, valid=True, problems=(), dialect=dialect
        )
    from urlglean.text.choosing import Choice, judged  # noqa: PLC0415
    from urlglean.text.policy import Policy  # noqa: PLC0415 - see extract

    start = len(text) - len(text.lstrip())
    span = Span(start, start + len(text.strip()))
    pieces = tuple(Span(*piece.span()) for piece in _UNBROKEN.finditer(text, span.start, span.end))
    joins = tuple(Join(Span(one.end, other.start), JoinRule.WHITESPACE) for one, other in itertools.pairwise(pieces))
    reading = Reading("".join(text[piece.start : piece.end] for piece in pieces), pieces, joins)
    found, policy = Found(span, "quoted", span.end), Policy(dialect, strict=strict)
    kind: Kind = (
        "quoted" if policy.valid(reading.text) else "raw" if policy.raw_as_a_whole(reading.text) else "rejected"
    )
    choice = Choice(reading, kind, confidence_of(kind) if kind == "rejected" else CERTAIN)
    return judged(found, (choice,), "stated", (), policy)
