"""Strategies for hypothesis that make URLs out of the grammars, for the tests of whoever works with URLs.

Needs the package hypothesis (the extra `test`); nothing else in urlglean imports this module.
"""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from urlglean.grammar.bnf import Alt, Chars, Grammar, Literal, Node, Ref, Repeat, Seq
from urlglean.grammar.charsets import CharSet
from urlglean.grammar.dialects import dialect as dialect_of

_MORE = 4
"""How many more items than the least a repetition gets at most: short members find the same faults as long ones."""


def _with_addr_spec(url: str) -> str:
    scheme, _, address = url.partition(":")
    return url if "@" in address.strip("@") else f"{scheme}:a@b{address}"


# What a member of the production alone need not keep, though the standard says it in prose.
_KEEPING_PROSE = {("rfc1738", "mailto"): _with_addr_spec}


def urls(scheme: str, dialect: str = "current") -> st.SearchStrategy[str]:
    """Members of the production that judges a scheme, its name in lower case, without a fragment.

    Args:
        scheme: the scheme, such as "ftp".
        dialect: the dialect whose production it is.

    Raises:
        UnknownNameError: there is no such dialect.
        KeyError: the dialect has no production of its own for the scheme.
    """
    row = dialect_of(dialect).schemes[scheme]
    keep = _KEEPING_PROSE.get((dialect, scheme), str)
    return members(row.production, dialect).filter(lambda url: url.startswith(f"{scheme}:")).map(keep)


@cache
def members(production: str, dialect: str = "current") -> st.SearchStrategy[str]:
    """Members of one production of a dialect, near enough evenly over its alternatives.

    Raises:
        UnknownNameError: there is no such dialect.
        KeyError: the dialect has no such production.
    """
    grammar = dialect_of(dialect).grammar
    return _strategy(grammar, grammar.node(production))


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
            size = least + _MORE if most is None else min(most, least + _MORE)
            return st.lists(_strategy(grammar, item), min_size=least, max_size=size).map("".join)
        case Chars():
            raise AssertionError("a set of characters is one character, and was taken above")


def _char(chars: CharSet) -> st.SearchStrategy[str]:
    """One character of a set; three times in four one of ASCII, where the set has any."""
    every = [st.characters(min_codepoint=low, max_codepoint=high) for low, high in chars]
    plain = [chr(code) for low, high in chars for code in range(low, min(high, 0x7F) + 1)]
    ascii_only = [st.sampled_from(plain)] * 3 if plain else []
    return st.one_of(*ascii_only, *every)
