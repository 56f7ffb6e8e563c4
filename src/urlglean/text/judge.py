"""Is it a URL, by which standard, and if not, why not: a reading against its scheme's production.

A pattern gives the yes or no; after a no the production's automaton walks the URL and says where it stops and what was
being read there. A fragment is no part of a URL (RFC 1738 appendix): it is split off first and judged apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from urlglean.grammar.dialects import Dialect
from urlglean.grammar.dialects import dialect as dialect_of
from urlglean.grammar.schemes import PartsDict, Scheme
from urlglean.records import Parts, Problem, Span, Verdict
from urlglean.text.cautions import cautions_of
from urlglean.text.mistakes import FRAGMENT, Explainer, known_mistakes

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(?=:)")


def validate(url: str, dialect: str = "current") -> Verdict:
    """Judges one URL, given alone: no wrapper, no line breaks.

    Args:
        url: what may be a URL, a fragment behind a "#" included.
        dialect: "current", "rfc1738": which standard judges.

    Returns:
        A `Verdict`; offsets in its problems are code points of `url`.

    Raises:
        UnknownNameError: there is no such dialect.
        TypeError: `url` is no str.
    """
    if not isinstance(url, str):
        raise TypeError(f"url must be str, not {type(url).__name__}")
    return judge_of(dialect)(url)


@cache
def judge_of(name: str) -> Judge:
    """The judge of a dialect; UnknownNameError when there is none."""
    return Judge(dialect_of(name))


class Judge:
    """Judges URLs by one dialect."""

    __slots__ = ("dialect",)

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Judge) and self.dialect is other.dialect

    def __hash__(self) -> int:
        return hash(self.dialect.name)

    def valid(self, url: str) -> bool:
        """The verdict's yes or no alone."""
        whole, sign, fragment = url.partition("#")
        row = self.dialect.row(whole[: whole.find(":")].lower())
        if row.rules:
            parts = self.dialect.parts(row, whole)
            fits = parts is not None and not any(rule.broken(parts) for rule in row.rules)
        else:
            fits = self.dialect.match(row.production, whole) is not None
        return fits and (not sign or self.dialect.match(FRAGMENT, fragment) is not None)

    def __call__(self, url: str) -> Verdict:
        """The whole verdict: parts and cautions of a valid URL, all problems of another."""
        whole, sign, fragment = url.partition("#")
        found = _SCHEME.match(whole)
        if found is None:
            return _refused(None, known_mistakes(url, None))
        scheme = found.group().lower()
        row = self.dialect.row(scheme)
        parts = self.dialect.parts(row, whole)
        problems = self._problems(url, whole, row) if parts is None else _broken_rules(whole, row, parts)
        if sign and self.dialect.match(FRAGMENT, fragment) is None:
            explainer = Explainer(self.dialect.automaton(FRAGMENT), row.source, len(whole) + 1)
            problems = [*problems, *explainer.problems(fragment, ())]
        if parts is None or problems:
            return _refused(scheme, problems)
        named = Parts(scheme=scheme, **parts, fragment=fragment if sign else None)
        return Verdict(valid=True, scheme=scheme, parts=named, problems=(), cautions=cautions_of(named, row.port))

    def _problems(self, url: str, whole: str, row: Scheme) -> list[Problem]:
        """Why the row's production does not match."""
        mistakes = list(known_mistakes(url, row))
        explainer = Explainer(self.dialect.automaton(row.production), row.source)
        return mistakes + list(explainer.problems(whole, mistakes))


def _refused(scheme: str | None, problems: Iterable[Problem]) -> Verdict:
    return Verdict(valid=False, scheme=scheme, parts=None, problems=tuple(problems), cautions=())


def _broken_rules(whole: str, row: Scheme, parts: PartsDict) -> list[Problem]:
    return [
        Problem(rule.code, _span_of(parts[name], whole), rule.source, rule.message)
        for rule in row.rules
        if (name := rule.broken(parts)) is not None
    ]


def _span_of(part: str, url: str) -> Span:
    """Where the part stands in the URL: behind everything before it, so the last place that fits."""
    start = url.rfind(part)
    return Span(start, start + len(part))
