"""A production as an automaton, to explain why a URL is not valid: where it fails, and what the grammar expects there.

A pattern answers yes or no fast and gives no reason; the automaton is used only after a no. It is made from the same
productions (Thompson's construction). It follows all possible states at the same time and caches its steps, so that its
time is linear in the length of the text for any grammar.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from msgspec import Struct

from urlglean.grammar.bnf import MANY, Alt, Chars, Grammar, Literal, Node, Ref, Repeat, Seq
from urlglean.grammar.character_sets import CharSet, has, union

States = frozenset[int]


class Expected(Struct, frozen=True):
    """What the grammar expects at a place of a text.

    Attributes:
        chars: the characters that may come next.
        productions: the names of the productions that are being read, innermost first.
        end: whether the text may end here.
    """

    chars: CharSet
    productions: tuple[str, ...]
    end: bool


class Automaton:
    """The automaton of one production.

    Args:
        grammar: the grammar that defines the production.
        name: the name of the production.
        without: names of productions that match nothing, for texts that are known not to contain them.

    Attributes:
        productions: the names of all productions that it uses, including `name`.
    """

    def __init__(self, grammar: Grammar, name: str, without: frozenset[str] = frozenset()) -> None:
        self.grammar = grammar
        self.without = without
        self.empty_edges: list[list[int]] = []
        self.char_edges: list[tuple[CharSet, int, tuple[str, ...]] | None] = []
        self.last = self._state()
        self.productions = frozenset(grammar.reachable(name))
        self.start = self._closed([self._build(grammar.node(name), self.last, (name,))])
        # Between two bounds all characters lead to the same states: steps are cached by stretch, so the cache is small.
        sets = {edge[0] for edge in self.char_edges if edge is not None}
        self._bounds = sorted({bound for chars in sets for low, high in chars for bound in (low, high + 1)})
        self._steps: dict[tuple[States, int], States] = {}
        self._expected: dict[States, Expected] = {}

    def step(self, states: States, char: str) -> States:
        """The states after one more character; empty if the grammar does not allow it there."""
        code = ord(char)
        key = states, bisect_right(self._bounds, code)
        if (known := self._steps.get(key)) is not None:
            return known
        edges = (edge for state in states if (edge := self.char_edges[state]) is not None)
        after = self._closed(target for chars, target, _ in edges if has(chars, code))
        self._steps[key] = after
        return after

    def accepts(self, states: States) -> bool:
        """Whether the text may end here."""
        return self.last in states

    def expected(self, states: States) -> Expected:
        """What the grammar expects at these states."""
        if (known := self._expected.get(states)) is not None:
            return known
        edges = [edge for state in sorted(states) if (edge := self.char_edges[state]) is not None]
        paths = sorted((path for _, _, path in edges), key=len, reverse=True)
        productions = tuple(dict.fromkeys(path[-1] for path in paths))
        found = Expected(union(*(chars for chars, _, _ in edges)), productions, self.accepts(states))
        self._expected[states] = found
        return found

    def _state(self) -> int:
        self.empty_edges.append([])
        self.char_edges.append(None)
        return len(self.empty_edges) - 1

    def _closed(self, states: Iterable[int]) -> States:
        """The states, and all others that are reached from them without reading a character."""
        reached = set(todo := list(states))
        while todo:
            for target in self.empty_edges[todo.pop()]:
                if target not in reached:
                    reached.add(target)
                    todo.append(target)
        return frozenset(reached)

    def _build(self, node: Node, then: int, path: tuple[str, ...]) -> int:
        """Adds states that read `node` and then continue at state `then`. Returns the first of them.

        `path` holds the names of the productions around the node that an explanation may name, outermost first.
        """
        if (chars := self.grammar.chars(node)) is not None:
            return self._char(chars, then, path)
        match node:
            case Ref(inner):
                return self._named(inner, then, path)
            case Seq(items):
                for item in reversed(items):
                    then = self._build(item, then, path)
                return then
            case Alt(items):
                state = self._state()
                self.empty_edges[state] = [self._build(item, then, path) for item in items]
                return state
            case Literal(text):
                for char in reversed(text):
                    both = {(ord(c), ord(c)) for c in (char.lower(), char.upper())}
                    then = self._char(tuple(sorted(both)), then, path)
                return then
            case Repeat(item, least, most):
                return self._repeat(item, least, most, then, path)
            case Chars():
                raise AssertionError("unreachable: `chars` is not None for a set of characters")

    def _named(self, name: str, then: int, path: tuple[str, ...]) -> int:
        """Adds the states of a production. Returns the first of them.

        The production is not added to `path` if it is a single character, or if it is all that the production around it
        consists of (such as the digits of a port).
        """
        if name in self.without:
            return self._state()
        known = self.grammar.is_unit(Ref(name)) or self.grammar.node(path[-1]) == Ref(name)
        return self._build(self.grammar.node(name), then, path if known else (*path, name))

    def _char(self, chars: CharSet, then: int, path: tuple[str, ...]) -> int:
        state = self._state()
        self.char_edges[state] = (chars, then, path)
        return state

    def _repeat(self, item: Node, least: int, most: int | None, then: int, path: tuple[str, ...]) -> int:
        if most is MANY:
            loop = self._state()
            self.empty_edges[loop] = [self._build(item, loop, path), then]
            then = loop
        else:
            out = then
            for _ in range(most - least):
                option = self._state()
                self.empty_edges[option] = [self._build(item, then, path), out]
                then = option
        for _ in range(least):
            then = self._build(item, then, path)
        return then
