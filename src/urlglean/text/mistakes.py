"""Why a URL is none, in words: mistakes that people are known to make, and whatever else the grammar stumbles over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from urlglean.grammar.automaton import Automaton, Expected, States
from urlglean.grammar.schemes import Scheme
from urlglean.records import Problem, Span

FRAGMENT = "fragment"
"""The production that judges what stands behind a "#", in every dialect."""

HEX = ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66))
HOST_PRODUCTIONS = frozenset({"host", "hostname", "domainlabel", "toplabel", "label", "dns-name"})


class Mistake(Struct, frozen=True):
    """A row: a pattern over the whole URL whose match is the mistake."""

    code: str
    rule: str
    pattern: re.Pattern[str]
    message: str


MISTAKES = (
    Mistake(
        "doubled-scheme",
        "RFC 1738 2.1",
        re.compile(r"\A([a-z][a-z0-9+.-]*:)//\1//", re.IGNORECASE),
        "the scheme stands there twice",
    ),
    Mistake(
        "one-slash",
        "RFC 1738 3.1",
        re.compile(r"\A(?:https?|ftp|gopher|telnet|nntp|wais|prospero):/(?!/)", re.IGNORECASE),
        "the common Internet scheme syntax starts with a double slash",
    ),
    Mistake(
        "no-slashes",
        "RFC 1738 3.1",
        re.compile(r"\A(?:https?|ftp|gopher|telnet|nntp|wais|prospero):(?!/)", re.IGNORECASE),
        "the common Internet scheme syntax starts with a double slash",
    ),
    Mistake(
        "no-scheme",
        "RFC 1738 2.1",
        re.compile(r"\A(?![a-z][a-z0-9+.-]*:).*", re.IGNORECASE | re.DOTALL),
        "a URL begins with the name of its scheme and a colon",
    ),
)


UNSAFE = frozenset('<>"#%{}|\\^~[]`')
"""RFC 1738 2.2: delimiters around URLs, and what gateways are known to modify."""


class BadChar(Struct, frozen=True):
    """A row: a kind of character that no scheme takes as it is."""

    code: str
    rule: str
    holds: Callable[[str], bool]
    message: str


BAD_CHARS = (
    BadChar("space", "RFC 1738 2.2", lambda char: char.isspace(), "white space must be encoded"),
    BadChar(
        "control-character",
        "RFC 1738 2.2",
        lambda char: ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0,
        "a control character must be encoded",
    ),
    BadChar("not-ascii", "RFC 1738 2.2", lambda char: ord(char) > 0x7F, "only graphic US-ASCII may stand unencoded"),
    BadChar("bad-escape", "RFC 1738 2.2", lambda char: char == "%", "a % is followed by two hexadecimal digits"),
    BadChar(
        "unsafe-character", "RFC 1738 2.2", lambda char: char in '<>"#{}|\\^~[]`', "an unsafe character must be encoded"
    ),
)


def known_mistakes(url: str, row: Scheme | None) -> Iterator[Problem]:
    """The known mistakes of a whole URL, in the order of the table; `row` is its scheme's, if it has one."""
    for mistake in MISTAKES:
        if found := mistake.pattern.match(url):
            rule = mistake.rule if row is None else f"{mistake.rule} ({row.source} {row.production})"
            yield Problem(mistake.code, Span(*found.span()), rule, mistake.message)


class Explainer:
    """Tells what the grammar stumbles over in one text.

    Args:
        automaton: the production that did not match.
        source: the document and section it is from, for the problems' rules.
        offset: where the text begins in its URL.
    """

    def __init__(self, automaton: Automaton, source: str, offset: int = 0) -> None:
        self.automaton = automaton
        self.source = source
        self.offset = offset

    def problems(self, text: str, known: Iterable[Problem]) -> Iterator[Problem]:
        """Tells each character that could not stand where it stood.

        A character that should have been encoded is told and then passed over as if it had been, so that all of them
        are told; at any other the walk ends, for what comes after has no certain meaning. `known` mistakes explain
        their own span already.
        """
        told = {at for problem in known for at in range(problem.span_in_url.start, problem.span_in_url.end + 1)}
        states = self.automaton.start
        for at, char in enumerate(text):
            if after := self.automaton.step(states, char):
                states = after
                continue
            expected = self.automaton.expected(states)
            if expected.chars == HEX and not expected.end:
                yield self._cut_triplet(text, at, expected)
                return
            kind = next((row for row in BAD_CHARS if row.holds(char)), None)
            if at not in told:
                yield self._unexpected(kind, char, at, expected)
            states = self._passed(states) if kind is not None else frozenset()
            if not states:
                return
        if not self.automaton.accepts(states) and len(text) not in told:
            expected = self.automaton.expected(states)
            if expected.chars == HEX:
                yield self._cut_triplet(text, len(text), expected)
            else:
                yield self._problem("incomplete", len(text), len(text), expected, "something is missing at the end")

    def _passed(self, states: States) -> States:
        """The states behind an encoded character."""
        for char in "%20":
            states = self.automaton.step(states, char)
        return states

    def _cut_triplet(self, text: str, at: int, expected: Expected) -> Problem:
        start = text.rindex("%", 0, at)
        why = f"{text[start : start + 3]!r} at {self.offset + start}: a % is followed by two hexadecimal digits"
        return self._problem("bad-escape", start, max(at, start + 1), expected, f"{why} (RFC 1738 2.2)")

    def _unexpected(self, kind: BadChar | None, char: str, at: int, expected: Expected) -> Problem:
        shown = f"{char!r} at {self.offset + at}"
        if char == "_" and not HOST_PRODUCTIONS.isdisjoint(expected.productions):
            return self._problem("underscore-in-host", at, at + 1, expected, f"{shown}: a host name has no underscore")
        if kind is None:
            return self._problem("unexpected-character", at, at + 1, expected, f"{shown}: not allowed here")
        octets = "".join(f"%{octet:02X}" for octet in char.encode("utf-8", "surrogatepass"))
        why = f"{shown}: {kind.message} ({kind.rule}); write {octets}"
        return self._problem(kind.code, at, at + 1, expected, why)

    def _problem(self, code: str, start: int, end: int, expected: Expected, why: str) -> Problem:
        production = expected.productions[0] if expected.productions else ""
        message = f"{why}; {production or 'the URL'} takes {described(expected)}"
        span = Span(self.offset + start, self.offset + end)
        return Problem(code, span, f"{self.source} {production}".rstrip(), message)


def described(expected: Expected) -> str:
    """What could stand at a place, in a few words."""
    shown = dict.fromkeys(_range_name(low, high) for low, high in expected.chars)
    words = [word for word in shown if len(word) > 1] + ["".join(word for word in shown if len(word) == 1)]
    return ", ".join(filter(None, [*words, "the end" if expected.end else ""])) or "nothing more"


_RANGE_NAMES = {
    (0x30, 0x39): "a digit",
    (0x41, 0x5A): "a letter",
    (0x61, 0x7A): "a letter",
    (0x80, 0x10FFFF): "a character outside ASCII",
}


def _range_name(low: int, high: int) -> str:
    for (first, last), name in _RANGE_NAMES.items():
        if first <= low and high <= last and (low, high) != (first, first):
            return name if high > low else chr(low)
    return "".join(map(chr, range(low, high + 1))) if high - low < 3 else f"{chr(low)} to {chr(high)}"
