"""Explains in words why a URL is not valid: by mistakes that are known to be frequent, and by errors in the grammar."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from urlglean.expressions import compiled
from urlglean.grammar.automaton import Expected, States
from urlglean.grammar.character_sets import CharSet, has, without
from urlglean.grammar.codes import CODES
from urlglean.grammar.dialects import Dialect
from urlglean.grammar.schemes import FAMILIAR
from urlglean.records import Problem, Span
from urlglean.text.scheme_triggers import WITHOUT_SLASHES, any_of

HEX: CharSet = ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66))
HOST_PRODUCTIONS = frozenset({"host", "hostname", "domainlabel", "toplabel", "label", "dns-name"})


class Mistake(Struct, frozen=True):
    """A row: a mistake that people are known to make.

    Attributes:
        code: its code.
        pattern: its match at the beginning of the URL is the mistake.
        counts: gets the names of the productions that judge, and says whether it is a mistake for them.
    """

    code: str
    pattern: re.Pattern[str]
    counts: Callable[[frozenset[str]], bool] = lambda _: True


def _at_start(pattern: str) -> re.Pattern[str]:
    return compiled(rf"\A{pattern}", re.IGNORECASE | re.DOTALL)


_SCHEME = "[a-z0-9][a-z0-9+.-]*:"
# The schemes that are never written without "//".
_SLASHED = f"{any_of(name for name in FAMILIAR if name not in WITHOUT_SLASHES)}:"

MISTAKES = (
    Mistake("doubled-scheme", _at_start(rf"{_SCHEME}//{any_of(FAMILIAR)}://")),
    Mistake("one-slash", _at_start(rf"{_SLASHED}/(?!/)")),
    Mistake("no-slashes", _at_start(rf"{_SLASHED}(?!/)")),
    Mistake("no-scheme", _at_start(rf"(?!{_SCHEME}).*")),
    Mistake("user-not-allowed", _at_start(rf"{_SCHEME}//[^/?@]*@"), lambda names: "user" not in names),
)


class BadChar(Struct, frozen=True):
    """A row: a kind of character that no scheme allows unencoded."""

    code: str
    holds: Callable[[str], bool]


BAD_CHARS = (
    BadChar("space", str.isspace),
    BadChar("control-character", lambda char: ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0),
    BadChar("not-ascii", lambda char: ord(char) > 0x7F),
    BadChar("national-character", lambda char: char in "{}|\\^~[]`"),
    BadChar("unsafe-character", lambda char: char in '<>"#'),
)


_USER = frozenset({"user"})
_NO_USER = compiled(r"[^/?#]*//[^/?#@]*(?:[/?#]|\Z)")


@lru_cache(maxsize=256)
def _must_be_encoded(char: str) -> BadChar | None:
    return next((row for row in BAD_CHARS if char and row.holds(char)), None)


def known_mistakes(url: str, explainer: Explainer) -> Iterator[Problem]:
    """The known mistakes of a URL that its production does not match, in the order of the table."""
    for mistake in MISTAKES:
        if (found := mistake.pattern.match(url)) and mistake.counts(explainer.automaton.productions):
            code = CODES[mistake.code]
            rule = f"{code.source} ({explainer.source} {explainer.production})"
            yield Problem(code.name, Span(*found.span()), rule, code.meaning)


MOST_PROBLEMS = 100
"""The problems that are listed of one part of a URL: the first ones."""


class Explainer:
    """Explains the errors of one text by a grammar.

    Args:
        dialect: the dialect of the grammar.
        production: the production that did not match.
        source: its document and section, for the problems' rules.
        text: the text that it did not match.
        offset: the position of the text in its URL, in code points.
    """

    def __init__(self, dialect: Dialect, production: str, source: str, text: str, offset: int = 0) -> None:
        # Without an "@" a host follows the slashes: messages need not list the characters of a user.
        self.automaton = dialect.automaton(production, _USER if _NO_USER.match(text) else frozenset())
        self.text = text
        self.escapes = dialect.table.escapes
        self.production = production
        self.source = source
        self.offset = offset

    def problems(self, known: Iterable[Problem]) -> Iterator[Problem]:
        """The problem of each character that the grammar does not allow in its place.

        A character that should have been encoded is reported and then treated as if it were encoded, and an underscore
        in a host as if it were a letter, so that all such characters are reported. At any other character the walk
        ends, because the meaning of the rest is not certain. Characters in the spans of the `known` problems are not
        reported again.
        """
        reported = {at for problem in known for at in range(problem.span_in_url.start, problem.span_in_url.end + 1)}
        states, at = self.automaton.start, 0
        percent, before_percent = 0, states
        while at <= len(self.text) and states:
            char = self.text[at : at + 1]
            after = self.automaton.step(states, char) if char else states
            if after and (char or self.automaton.accepts(states)):
                if char == "%":
                    percent, before_percent = at, states
                states, at = after, at + 1
                continue
            expected = self.automaton.expected(states)
            in_triplet = "%" in self.text[max(0, at - 2) : at]
            if in_triplet and expected.chars == HEX and not expected.end:
                yield self._cut_triplet(percent, expected)
                states, at = self._passed(before_percent), percent + 1
                continue
            if at not in reported:
                yield self._unexpected(at, expected) if char else self._unfinished(expected)
            states, at = self._recovered(char, states, expected), at + 1

    def _recovered(self, char: str, states: States, expected: Expected) -> States:
        """The states from which the walk goes on behind a wrong character; empty if that is not certain."""
        if _is_underscore_in_host(char, expected):
            return self.automaton.step(states, "a")
        return self._passed(states) if _must_be_encoded(char) else frozenset()

    def _passed(self, states: States) -> States:
        """The states after an encoded character."""
        for char in "%20":
            states = self.automaton.step(states, char)
        return states

    def _cut_triplet(self, start: int, expected: Expected) -> Problem:
        end = min(start + 3, len(self.text))
        shown = f"{_quoted(self.text[start:end])} at {self.offset + start}"
        why = f"{shown}: {CODES['bad-escape'].meaning} ({self.escapes}); write %25 for the character itself"
        return self._problem("bad-escape", start, end, expected, why)

    def _unfinished(self, expected: Expected) -> Problem:
        end = len(self.text)
        why = f"something is missing {_after(self.text)}: {_production(expected)} takes {described(expected)}"
        return self._problem("incomplete", end, end, expected, why)

    def _unexpected(self, at: int, expected: Expected) -> Problem:
        char = self.text[at]
        kind = _must_be_encoded(char)
        shown = f"{_quoted(char)} at {self.offset + at}"
        if _is_underscore_in_host(char, expected):
            why = f"{shown}: {CODES['underscore-in-host'].meaning}"
            return self._problem("underscore-in-host", at, at + 1, expected, why)
        if kind is None or not has(expected.chars, ord("%")):
            code = "unexpected-character" if kind is None else kind.code
            why = f"{shown} cannot stand {_after(self.text[:at])}: {_production(expected)} takes {described(expected)}"
            return self._problem(code, at, at + 1, expected, why)
        octets = "".join(f"%{octet:02X}" for octet in _octets(char))
        why = f"{shown}: not allowed unencoded in {_production(expected)} ({self.escapes}); write {octets}"
        return self._problem(kind.code, at, at + 1, expected, why)

    def _problem(self, code: str, start: int, end: int, expected: Expected, why: str) -> Problem:
        span = Span(self.offset + start, self.offset + end)
        return Problem(code, span, f"{self.source} {_production(expected)}", why)


_SHOWN = 32
"""A message repeats at most this many code points of the text before the error."""


def _after(text: str) -> str:
    if not text:
        return "at the beginning"
    return f"after {_quoted(('…' if len(text) > _SHOWN else '') + text[-_SHOWN:])}"


def _quoted(text: str) -> str:
    return f"`{text}`"


def _production(expected: Expected) -> str:
    """The name of the innermost production that is being read, or "the end" if the text is complete."""
    return expected.productions[0] if expected.productions else "the end"


def _is_underscore_in_host(char: str, expected: Expected) -> bool:
    return char == "_" and not HOST_PRODUCTIONS.isdisjoint(expected.productions)


_LETTERS: CharSet = ((0x41, 0x5A), (0x61, 0x7A))
_DIGITS: CharSet = ((0x30, 0x39),)


class Kind(Struct, frozen=True):
    """A row: a set of characters, and the name for all of them that is used if all are allowed."""

    chars: CharSet
    name: str


KINDS = (
    Kind(_LETTERS, "a letter"),
    Kind(HEX, "a hexadecimal digit"),
    Kind(_DIGITS, "a digit"),
    Kind(((0x25, 0x25),), "an encoded character"),
    Kind(((0x20, 0x20),), "a space"),
)
_WIDE: CharSet = ((0x80, 0x10FFFF),)


@lru_cache(maxsize=1 << 10)
def described(expected: Expected) -> str:
    """What the grammar expects at a place, in words: "a letter, a digit or one of $-_.+"."""
    words, rest = [], without(expected.chars, _WIDE)
    if rest != expected.chars:
        words.append("a character outside ASCII")
    for kind in KINDS:
        if not without(kind.chars, rest):
            words.append(kind.name)
            rest = without(rest, kind.chars)
    single = "".join(chr(code) for low, high in rest for code in range(low, high + 1))
    if single:
        words.append(f"one of {single}" if len(single) > 1 else _quoted(single))
    if expected.end:
        words.append("the end")
    *before, last = words or ["nothing more"]
    return f"{', '.join(before)} or {last}" if before else last


def _octets(char: str) -> bytes:
    """The octets of a character in UTF-8; a lone surrogate that stands for an octet (PEP 383) is that octet."""
    try:
        return char.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return char.encode("utf-8", "surrogatepass")
