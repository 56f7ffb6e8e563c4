"""Turns a production into a pattern for `re`: one match says whether a URL is valid and captures its parts.

Single characters are merged into classes. A repetition is possessive if nothing that may follow it starts with one of
its characters: a match then never backtracks into it, and takes a third of the time of a literal translation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations

from urlglean.grammar.bnf import MANY, Alt, Chars, Grammar, Literal, Node, Ref, Repeat, Seq
from urlglean.grammar.character_sets import CharSet, class_of, disjoint, union

Follow = tuple[CharSet, bool]
"""What may follow a node: the characters, and whether the text may end there."""


def pattern(grammar: Grammar, name: str, captures: Mapping[str, str], *, ceiling: int = 0x10FFFF) -> str:
    """The production `name` as a pattern.

    Args:
        grammar: the grammar that defines the production.
        name: the name of the production.
        captures: productions that become groups, with the groups' names. A group holds all repetitions of its
            production, and has no match if there is none. Nothing is captured inside a capture. A name that is captured
            in several alternatives gets one group for each; their names end in a double underscore and a number, and
            `captured` merges them.
        ceiling: the highest code point that classes contain: a pattern for ASCII alone compiles ten times faster and
            matches faster.

    Raises:
        KeyError: the grammar has no production of that name.
    """
    return _Compiler(grammar, captures, ceiling).compile(Ref(name), ((), True))


class _Compiler:
    """Writes the pattern of one production; the productions that it names are written in their places."""

    def __init__(self, grammar: Grammar, captures: Mapping[str, str], ceiling: int) -> None:
        self.grammar = grammar
        self.captures = captures
        self.ceiling = ceiling
        self.used: dict[str, int] = {}

    def compile(self, node: Node, follow: Follow) -> str:
        """The pattern of `node`; `follow` is what may follow it."""
        chars = self.grammar.chars(node)
        match node:
            case Ref(name) if name in self.captures:
                written = self.capture(name, self.grammar.node(name), follow)
            case Repeat(Ref(name) as item, least, most) if name in self.captures and most != 1:
                some = self.capture(name, Repeat(item, max(least, 1), most), follow)
                written = some if least else f"(?:{some})?"
            case _ if chars is not None:
                written = class_of(chars, self.ceiling)
            case Literal(text):
                written = f"(?i:{re.escape(text)})" if re.search("[A-Za-z]", text) else re.escape(text)
            case Ref(name):
                written = self.compile(self.grammar.node(name), follow)
            case Alt(items):
                written = "(?:" + "|".join(self.compile(item, follow) for item in self.folded(items)) + ")"
            case Seq(items):
                after = [self.grammar.first_after(items[n + 1 :], follow) for n in range(len(items))]
                written = "".join(self.compile(item, then) for item, then in zip(items, after, strict=True))
            case Repeat():
                written = self.repeat(node, follow)
        return written

    def folded(self, items: tuple[Node, ...]) -> list[Node]:
        """The alternatives, with all single characters merged into one class, which comes first."""
        single = [c for item in items if (c := self.grammar.chars(item)) is not None and not self.captured(item)]
        rest = [item for item in items if self.grammar.chars(item) is None or self.captured(item)]
        return [Chars(union(*single)), *rest] if single else rest

    def captured(self, node: Node) -> bool:
        return isinstance(node, Ref) and node.name in self.captures

    def repeat(self, node: Repeat, follow: Follow) -> str:
        first, _ = self.grammar.first(node.item)
        inside = follow if node.most == 1 else (union(first, follow[0]), follow[1])
        possessive = "+" if disjoint(first, follow[0]) else ""
        chars, rest = self.run(node.item)
        if chars is None or node.least > 1 or node.most is not MANY:
            single = self.grammar.chars(node.item) is not None
            inner = self.compile(node.item, inside)
            times = _times(node.least, node.most)
            if single:
                return f"{inner}{times}{possessive}"
            # Without the "+", `re` keeps memory for each repetition of the group, to backtrack into it.
            return f"(?:{inner}){times}{'+' if node.most is MANY and self.settled(node, follow) else ''}"
        # Unrolled as class* (other class*)*: the loop runs once for each escape, not once for each character.
        run = f"{class_of(chars, self.ceiling)}*{possessive}"
        runs = f"{run}(?:{self.compile(rest[0], inside)}{run})*{possessive}" if rest else run
        return self.compile(node.item, inside) * node.least + runs

    def settled(self, node: Node, follow: Follow) -> bool:
        """Whether there is only one way to match the node before `follow`, so that backtracking is never needed."""
        match node:
            case Ref(name):
                return self.settled(self.grammar.node(name), follow)
            case Seq(items):
                after = (self.grammar.first_after(items[n + 1 :], follow) for n in range(len(items)))
                return all(self.settled(item, then) for item, then in zip(items, after, strict=True))
            case Alt(items):
                firsts = [self.grammar.first(item) for item in items]
                apart = all(disjoint(one[0], other[0]) for one, other in combinations(firsts, 2))
                return apart and not any(empty for _, empty in firsts) and all(self.settled(i, follow) for i in items)
            case Repeat(item):
                first, empty = self.grammar.first(item)
                inside = (union(first, follow[0]), follow[1])
                return not empty and disjoint(first, follow[0]) and self.settled(item, inside)
            case _:
                return True

    def run(self, item: Node) -> tuple[CharSet | None, list[Node]]:
        """A repeated item as a class, and a list of at most one fixed alternative that starts outside the class.

        The class is None if the item does not have this form.
        """
        flat = self.folded(tuple(self.flat(item)))
        if len(flat) > 2 or not isinstance(flat[0], Chars):
            return None, []
        chars, rest = flat[0].chars, flat[1:]
        if any(not self.fixed(node) or not disjoint(chars, self.grammar.first(node)[0]) for node in rest):
            return None, []
        return chars, rest

    def flat(self, node: Node) -> Iterator[Node]:
        """The alternatives of a node, including those of the productions that it names."""
        match node:
            case Alt(items):
                for item in items:
                    yield from self.flat(item)
            case Ref(name) if not self.captured(node):
                yield from self.flat(self.grammar.node(name))
            case _:
                yield node

    def fixed(self, node: Node) -> bool:
        """Whether the node is a sequence of single characters, so that it can match a text in only one way."""
        match node:
            case Seq(items):
                return all(self.grammar.chars(item) is not None and not self.captured(item) for item in items)
            case _:
                return isinstance(node, Literal)

    def capture(self, name: str, node: Node, follow: Follow) -> str:
        part = self.captures[name]
        self.used[part] = count = self.used.get(part, 0) + 1
        group = part if count == 1 else f"{part}__{count}"
        outside, self.captures = self.captures, {}
        inner = self.compile(node, follow)
        self.captures = outside
        return f"(?P<{group}>{inner})"


def _times(least: int, most: int | None) -> str:
    match least, most:
        case 0, 1:
            return "?"
        case 0, None:
            return "*"
        case 1, None:
            return "+"
        case _ if least == most:
            return f"{{{least}}}"
        case _:
            return f"{{{least},{'' if most is None else most}}}"


def captured(found: re.Match[str]) -> dict[str, str]:
    """The texts that the groups of a pattern matched, by name; a group that did not match is left out.

    Groups of the same name in several alternatives are merged.
    """
    return {name.partition("__")[0]: text for name, text in found.groupdict().items() if text is not None}
