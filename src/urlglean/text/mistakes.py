"""Why a URL is none, in words: mistakes that people are known to make, and whatever else the grammar stumbles over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from urlglean.grammar.automaton import Automaton, Expected, States
from urlglean.grammar.charsets import CharSet
from urlglean.grammar.schemes import Scheme
from urlglean.records import Problem, Span

FRAGMENT = "fragment"
"""The production that judges what stands behind a "#", in every dialect."""


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


def explain(automaton: Automaton, text: str, offset: int, source: str, known: tuple[Problem, ...]) -> Iterator[Problem]:
    """Walks the text and tells each character that could not stand where it stood.

    A character that should have been encoded is told and then passed over as if it had been, so that all of them are
    told; at any other the walk ends, for what comes after has no certain meaning. `known` mistakes explain their own
    span already.
    """
    states = automaton.start
    told = {at for problem in known for at in range(problem.span_in_url.start, problem.span_in_url.end + 1)}
    for at, char in enumerate(text):
        after = automaton.step(states, char)
        if after:
            states = after
            continue
        kind = next((row for row in BAD_CHARS if row.holds(char)), None)
        # A cut triplet is seen at the character behind its "%" or its first digit.
        escape = next((back for back in (at - 1, at - 2) if back >= 0 and text[back] == "%" and at - back < 3), None)
        expected = automaton.expected(states)
        if escape is not None and _wants_hex(expected):
            yield _problem(
                "bad-escape",
                Span(offset + escape, offset + at),
                source,
                expected,
                text[escape:at],
                BAD_CHARS[3].message,
            )
            return
        if at not in told:
            yield _unexpected(kind, char, offset + at, source, expected)
        states = _passed(automaton, states) if kind is not None and kind.code != "bad-escape" else frozenset()
        if not states:
            return
    if not automaton.accepts(states) and len(text) not in told:
        expected = automaton.expected(states)
        yield _problem(
            "incomplete",
            Span(offset + len(text), offset + len(text)),
            source,
            expected,
            "the end",
            "something is missing",
        )


def _passed(automaton: Automaton, states: States) -> States:
    """The states behind an encoded character."""
    for char in "%20":
        states = automaton.step(states, char)
    return states


def _wants_hex(expected: Expected) -> bool:
    return not expected.end and expected.chars == ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66))


def _unexpected(kind: BadChar | None, char: str, at: int, source: str, expected: Expected) -> Problem:
    in_host = any(
        name in {"host", "hostname", "domainlabel", "toplabel", "label", "dns-name"} for name in expected.productions
    )
    if char == "_" and in_host:
        return _problem("underscore-in-host", Span(at, at + 1), source, expected, char, "a host name has no underscore")
    if kind is None:
        return _problem("unexpected-character", Span(at, at + 1), source, expected, char, "not allowed here")
    advice = (
        ""
        if kind.code == "bad-escape"
        else "; write " + "".join(f"%{octet:02X}" for octet in char.encode("utf-8", "surrogatepass"))
    )
    return _problem(kind.code, Span(at, at + 1), f"{source}, {kind.rule}", expected, char, kind.message + advice)


def _problem(code: str, span: Span, source: str, expected: Expected, shown: str, why: str) -> Problem:
    where = " or ".join(expected.productions[:3]) or "the URL"
    could = _described(expected.chars) + (" or the end" if expected.end else "")
    text = f"{shown!r} at {span.start}: {why}; {where} would take {could}"
    return Problem(code, span, f"{source} {expected.productions[0] if expected.productions else ''}".rstrip(), text)


def _described(chars: CharSet) -> str:
    """A set of characters in a few words."""
    names = {(0x30, 0x39): "a digit", (0x41, 0x5A): "a letter", (0x61, 0x7A): "a letter"}
    shown = dict.fromkeys(_range_name(low, high, names) for low, high in chars)
    return " ".join(shown) or "nothing more"


def _range_name(low: int, high: int, names: dict[tuple[int, int], str]) -> str:
    for (first, last), name in names.items():
        if low <= first and last <= high:
            return name
    if low > 0x7F:
        return "non-ASCII"
    return chr(low) if low == high else f"{chr(low)}..{chr(high)}"
