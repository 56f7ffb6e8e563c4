"""Judges whether a text is a URL by a standard, and explains why not.

A pattern made from the scheme's production decides. If it does not match, the production's automaton finds the place
of the error and what the grammar expects there. A fragment is not part of a URL (RFC 1738 appendix): it is split off
first and judged separately. Dialects that a library judges are in `web`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import islice

import msgspec

from urlglean.errors import UnknownNameError
from urlglean.grammar import dialects
from urlglean.grammar.dialect_tables import DIALECTS, ENGINES
from urlglean.grammar.part_order import laid_out
from urlglean.grammar.schemes import DialectRow
from urlglean.grammar.semantic_rules import PartsDict
from urlglean.records import Dialect, Judge, Problem, Span, Verdict
from urlglean.url_parts import Parts


def validate(url: str, dialect: Dialect = "current") -> Verdict:
    """Judges one URL, without wrapper and line breaks.

    Args:
        url: the text to judge; it may include a fragment behind a "#".
        dialect: the standard that judges: "current", "rfc1738", "early", "web".

    Returns:
        A `Verdict`; offsets in its problems are code points of `url`.

    Raises:
        UnknownNameError: there is no such dialect.
        TypeError: `url` is not a str.
    """
    if not isinstance(url, str):
        raise TypeError(f"url must be str, not {type(url).__name__}")
    return judge_of(dialect)(str.__str__(url))  # of a subclass, the parts would be of that class


def unsplit(parts: Parts, dialect: Dialect = "current") -> str:
    """The URL that consists of these parts.

    It is the URL that was judged, except for upper case in the scheme and in RFC 1738's `;type=`. For dialect "web" it
    is `href`.

    Args:
        parts: the parts of a verdict by that dialect.
        dialect: the standard that divided the URL into these parts.

    Raises:
        UnknownNameError: there is no such dialect.
        TypeError: `parts` are none, as those of a URL that is not valid.
    """
    if not isinstance(parts, Parts):
        raise TypeError(f"parts must be urlglean.Parts, not {type(parts).__name__}")
    _refuse_unknown(dialect)
    table = DIALECTS[dialect]
    row = next((row for row in table.schemes if row.name == parts.scheme), table.other)
    pieces = laid_out(msgspec.structs.asdict(parts), row.slashes, row.layout)
    fragment = "" if parts.fragment is None else f"#{parts.fragment}"
    return "".join(text for _, text in pieces) + fragment


def judge_of(name: str) -> Judge:
    """The judge of a dialect. Raises UnknownNameError if there is no such dialect."""
    _refuse_unknown(name)
    return _judge_of(name)


@cache
def _judge_of(name: str) -> Judge:
    if name in ENGINES:
        from urlglean.text.web import WebJudge  # noqa: PLC0415  its library is slow to load

        return WebJudge()
    return GrammarJudge(dialects.dialect(name))


_NAMES = tuple(DIALECTS)


def _refuse_unknown(name: str) -> None:
    if name not in _NAMES:  # a tuple, because it can be asked for anything, even if that has no hash
        raise UnknownNameError("dialect", name, _NAMES)


class GrammarJudge:
    """Judges URLs by the productions of one dialect."""

    __slots__ = ("dialect", "fragment")

    def __init__(self, dialect: dialects.Dialect) -> None:
        self.dialect = dialect
        self.fragment = dialect.table.fragment

    def valid(self, url: str) -> bool:
        """Whether the URL is valid, without the rest of the verdict."""
        row = self.dialect.row(url[: url.find(":")].lower())
        whole, sign, fragment = _without_fragment(url, row)
        if row.rules:
            parts = self.dialect.parts(row, whole)
            fits = parts is not None and not any(rule.broken(parts) for rule in row.rules)
        else:
            fits = self.dialect.match(row.production, whole) is not None
        return fits and (not sign or self.dialect.match(self.fragment, fragment) is not None)

    def knows(self, scheme: str) -> bool:
        """Whether the dialect has a row of its own for a scheme, given in lower case."""
        return scheme in self.dialect.schemes

    def __call__(self, url: str) -> Verdict:
        """The whole verdict: parts and cautions of a valid URL, or all problems of an invalid one."""
        before, colon, _ = url.partition("#")[0].partition(":")
        scheme = before.lower() if colon else None
        row = self.dialect.row(scheme or "")
        whole, sign, fragment = _without_fragment(url, row)
        parts = self.dialect.parts(row, whole)
        if parts is None:
            problems = _explained(self.dialect, row.production, row.source, whole)
        else:
            problems = _broken_rules(scheme, row, parts)
        if sign and self.dialect.match(self.fragment, fragment) is None:
            problems = [*problems, *_explained(self.dialect, self.fragment, row.source, fragment, len(whole) + 1)]
        if scheme is None or parts is None or problems:
            named_none = any(problem.code == "no-scheme" for problem in problems)
            return _refused(None if named_none else scheme, problems)
        from urlglean.text.cautions import cautions_of  # noqa: PLC0415  compiles patterns that few texts need

        named = Parts(scheme=scheme, **parts, fragment=fragment if sign else None)
        return Verdict(valid=True, scheme=scheme, parts=named, problems=(), cautions=cautions_of(named, row))


def _without_fragment(url: str, row: DialectRow) -> tuple[str, str, str]:
    """The URL before its fragment, the "#" if there is one, and the fragment behind it."""
    at = url.find("#", _least_fragment(url, row.fragment_behind) if row.fragment_behind else 0)
    return (url, "", "") if at < 0 else (url[:at], "#", url[at + 1 :])


def _least_fragment(url: str, sign: str) -> int:
    """The first place where a fragment may begin: the first `sign` behind the scheme or, behind "//", behind the host.

    It is 0 if there is no such sign, or if a "#" precedes the place where that search begins.
    """
    path = url.find(":") + 1
    if url.startswith("//", path):
        path = url.find("/", path + 2)
    return max(url.find(sign, path), 0) if path >= 0 and "#" not in url[:path] else 0


def _explained(dialect: dialects.Dialect, production: str, source: str, text: str, offset: int = 0) -> list[Problem]:
    """The problems because of which the production does not match the text; it begins at `offset` in its URL."""
    from urlglean.text.diagnostics import MOST_PROBLEMS, Explainer, known_mistakes  # noqa: PLC0415  compiles patterns too

    explainer = Explainer(dialect, production, source, text, offset)
    mistakes = [] if offset else list(known_mistakes(text, explainer))
    if any(problem.code == "no-scheme" for problem in mistakes):
        return mistakes  # without a scheme, no grammar applies to the rest
    return mistakes + list(islice(explainer.problems(mistakes), MOST_PROBLEMS))


def _refused(scheme: str | None, problems: Iterable[Problem]) -> Verdict:
    return Verdict(valid=False, scheme=scheme, parts=None, problems=tuple(problems), cautions=())


def _broken_rules(scheme: str | None, row: DialectRow, parts: PartsDict) -> list[Problem]:
    from urlglean.grammar.codes import CODES  # noqa: PLC0415  only invalid URLs need it

    return [
        Problem(
            rule.code,
            _span_of(rule.part, {"scheme": scheme or ""} | parts, row),
            rule.source,
            CODES[rule.code].meaning,
        )
        for rule in row.rules
        if rule.broken(parts)
    ]


def _span_of(part: str, parts: PartsDict, row: DialectRow) -> Span:
    """The place of a part in the URL. Raises AssertionError if the URL has no such part."""
    start = 0
    for name, text in laid_out(parts, row.slashes, row.layout):
        if name == part:
            return Span(start, start + len(text))
        start += len(text)
    raise AssertionError(f"a rule on {part}, which {row.name} has not")
