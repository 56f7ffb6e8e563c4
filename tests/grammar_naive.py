"""An independent, naive matcher of productions: it computes the set of places where a match of a node may end.

It reads the same tree as the patterns and automata, but shares no code with them. It is slow, and easy to check.
"""

from __future__ import annotations

from urlglean.grammar.bnf import Alt, Chars, Grammar, Literal, Node, Ref, Repeat, Seq


def matches(grammar: Grammar, production: str, text: str) -> bool:
    """Whether the production matches the whole text."""
    return len(text) in ends(grammar, Ref(production), text, 0)


def ends(grammar: Grammar, node: Node, text: str, at: int) -> set[int]:
    """The places where a match of the node that begins at `at` may end."""
    match node:
        case Chars(chars):
            return {at + 1} if at < len(text) and any(low <= ord(text[at]) <= high for low, high in chars) else set()
        case Literal(literal):
            return {at + len(literal)} if text[at : at + len(literal)].lower() == literal.lower() else set()
        case Ref(name):
            return ends(grammar, grammar.node(name), text, at)
        case Alt(items):
            return set[int]().union(*(ends(grammar, item, text, at) for item in items))
        case Seq(items):
            places = {at}
            for item in items:
                places = {end for place in places for end in ends(grammar, item, text, place)}
            return places
        case Repeat(item, least, most):
            places, reached, times = {at}, {at} if least == 0 else set(), 0
            while places and times != most:
                times += 1
                places = {end for place in places for end in ends(grammar, item, text, place)}
                places = places - reached if times > least else places
                reached |= places if times >= least else set()
            return reached
