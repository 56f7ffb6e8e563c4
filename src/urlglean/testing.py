"""Strategies for hypothesis that make URLs from the grammars, for tests of any program that works with URLs.

This module needs the package hypothesis (the extra `test`). No other module of urlglean imports it.
"""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from urlglean.grammar.bnf import Alt, Chars, Grammar, Literal, Node, Ref, Repeat, Seq
from urlglean.grammar.character_sets import CharSet
from urlglean.grammar.dialects import dialect as dialect_of

_MOST_EXTRA = 4
"""A repetition gets at most this many items more than its minimum: short members find the same faults as long ones."""

_ATOMS = st.lists(st.sampled_from([*"abyzAZ09$-_+!*'/?&=", "%25", "%7E", "%5e"]), min_size=1, max_size=8).map("".join)
_DOTTED = st.lists(_ATOMS, min_size=1, max_size=3).map(".".join)

# The members of these productions rarely fulfil the rules that the standard states in prose. They are made by that
# prose instead.
_BY_PROSE = {("rfc1738", "mailto"): st.builds("mailto:{}@{}".format, _DOTTED, _DOTTED)}


def urls(scheme: str, dialect: str = "current") -> st.SearchStrategy[str]:
    """URLs of a scheme that are valid by a dialect, with the scheme in lower case and without a fragment.

    Args:
        scheme: the scheme, such as "ftp".
        dialect: the dialect that judges.

    Raises:
        UnknownNameError: there is no such dialect.
        KeyError: the dialect has no row of its own for the scheme.
    """
    judge = dialect_of(dialect)
    row = judge.schemes[scheme]
    if (by_prose := _BY_PROSE.get((dialect, scheme))) is not None:
        return by_prose
    production = members(row.production, dialect)
    if "scheme" in judge.grammar.reachable(row.production):
        production = production.map(lambda url: f"{scheme}:{url.partition(':')[2]}")

    def keeps_prose(url: str) -> bool:
        if not url.startswith(f"{scheme}:"):
            return False
        parts = judge.parts(row, url)
        return parts is not None and not any(rule.broken(parts) for rule in row.rules)

    return production.filter(keeps_prose)


def members(production: str, dialect: str = "current") -> st.SearchStrategy[str]:
    """Members of one production of a dialect; each of its alternatives is about equally frequent.

    Raises:
        UnknownNameError: there is no such dialect.
        KeyError: the dialect has no such production.
    """
    dialect_of(dialect).grammar.node(production)
    return _members(production, dialect)


@st.composite
def _members(draw: st.DrawFn, production: str, dialect: str) -> str:
    """Builds the strategy only when something is drawn: a strategy is as large as all strategies inside it."""
    return draw(_made_of(production, dialect))


@cache
def _made_of(production: str, dialect: str) -> st.SearchStrategy[str]:
    grammar = dialect_of(dialect).grammar
    return _strategy(grammar, grammar.node(production))


@st.composite
def near_misses(draw: st.DrawFn, production: str, dialect: str = "current") -> str:
    """Members of a production with one character removed, inserted or replaced; some of them are still members.

    The new character is one that URLs contain, one that must be encoded, or any other.

    Raises:
        UnknownNameError: there is no such dialect.
        KeyError: the dialect has no such production.
    """
    member = draw(_members(production, dialect))
    at = draw(st.integers(0, len(member)))
    put_in = draw(st.just("") | st.sampled_from(_NOTABLE) | st.characters())
    behind = draw(st.sampled_from([at, at + 1]))
    return member[:at] + put_in + member[behind:]


_NOTABLE = [*':/?#[]@;=&%.-_+*~^|\\{}`<> "09afAFzZ', "\u00e9", "\u6f22", "\u202e", "\x7f"]


def _strategy(grammar: Grammar, node: Node) -> st.SearchStrategy[str]:
    if (chars := grammar.chars(node)) is not None:
        return _char(chars)
    match node:
        case Literal(text):
            return st.just(text)
        case Ref(name):
            return _strategy(grammar, grammar.node(name))
        case Alt(items):
            return st.one_of([_strategy(grammar, item) for item in items])
        case Seq(items):
            return st.tuples(*(_strategy(grammar, item) for item in items)).map("".join)
        case Repeat(item, least, most):
            size = least + _MOST_EXTRA if most is None else min(most, least + _MOST_EXTRA)
            return st.lists(_strategy(grammar, item), min_size=least, max_size=size).map("".join)
        case Chars():
            raise AssertionError("unreachable: `chars` is not None for a set of characters")


def _char(chars: CharSet) -> st.SearchStrategy[str]:
    """One character of a set, preferably of ASCII."""
    every = [st.characters(min_codepoint=low, max_codepoint=high) for low, high in chars]
    plain = [chr(code) for low, high in chars for code in range(low, min(high, 0x7F) + 1)]
    ascii_only = [st.sampled_from(plain)] * 3 if plain else []
    return st.one_of(*ascii_only, *every)
