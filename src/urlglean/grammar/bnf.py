"""The notation of the standards: a `.bnf` text becomes productions, a production becomes a pattern.

This is the one place that knows the notation: that of RFC 1738 section 5 (quoted literals, `|`, `[ ]` for options and,
behind a `*`, for repeated groups, `<">`, `;` comments), with the few signs that later standards add to it (RFC 5234:
`( )`, `%x41-5A`, bounded repetition `2*4x`). A production begins at the start of a line.

A literal of several letters ignores case (RFC 822 3.4.7, RFC 5234 2.3); a single letter stands for itself, since the
standards list both cases where they mean both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from urlglean.errors import GrammarError
from urlglean.grammar.charsets import CharSet, class_of, disjoint, union

MANY = None
"""The upper bound of a repetition that has none."""


class Chars(Struct, frozen=True):
    """One character out of a set."""

    chars: CharSet


class Literal(Struct, frozen=True):
    """Several characters, letters in either case."""

    text: str


class Ref(Struct, frozen=True):
    """The production of that name."""

    name: str


class Seq(Struct, frozen=True):
    """One node after the other."""

    items: tuple[Node, ...]


class Alt(Struct, frozen=True):
    """Any one of the nodes."""

    items: tuple[Node, ...]


class Repeat(Struct, frozen=True):
    """A node `least` to `most` times; an option is 0 to 1."""

    item: Node
    least: int
    most: int | None


Node = Chars | Literal | Ref | Seq | Alt | Repeat

_TOKEN = re.compile(
    r"""(?P<skip>\s+|;[^\n]*)
      | (?P<literal>"[^"\n]*"|<">)
      | (?P<range>%x[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+)?)
      | (?P<times>[0-9]*\*[0-9]*|[0-9]+)
      | (?P<name>[A-Za-z][A-Za-z0-9+_.-]*)
      | (?P<sign>[=|/()\[\]])""",
    re.VERBOSE,
)
_HEAD = re.compile(r"^([A-Za-z][A-Za-z0-9+_.-]*)[ \t]*=", re.MULTILINE)
_CLOSER = {"[": "]", "(": ")"}


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise GrammarError(f"not of the notation: {text[at : at + 20]!r}")
        if found.lastgroup != "skip":
            yield str(found.lastgroup), found.group()
        at = found.end()
    yield "end", ""


class _Parser:
    """Recursive descent over the tokens of one production's right side."""

    def __init__(self, text: str) -> None:
        self.tokens = list(_tokens(text))
        self.at = 0

    def take(self, sign: str) -> None:
        if self.tokens[self.at] != ("sign", sign):
            raise GrammarError(f"expected {sign!r}, found {self.tokens[self.at][1]!r}")
        self.at += 1

    def alternatives(self) -> Node:
        items = [self.sequence()]
        while self.tokens[self.at] in {("sign", "|"), ("sign", "/")}:
            self.at += 1
            items.append(self.sequence())
        return items[0] if len(items) == 1 else Alt(tuple(items))

    def sequence(self) -> Node:
        items = []
        while (token := self.tokens[self.at])[0] in {"literal", "range", "times", "name"} or token[1] in _CLOSER:
            items.append(self.element())
        if not items:
            raise GrammarError(f"an empty alternative before {token[1]!r}")
        return items[0] if len(items) == 1 else Seq(tuple(items))

    def element(self) -> Node:
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "literal":
            return _literal('"' if text == '<">' else text[1:-1])
        if kind == "range":
            low, _, high = text[2:].partition("-")
            return Chars(((int(low, 16), int(high or low, 16)),))
        if kind == "name":
            return Ref(text)
        if kind == "times":
            least, star, most = text.partition("*")
            return Repeat(self.repeated(), int(least or 0), int(most) if most else MANY if star else int(least))
        self.at -= 1
        inner = self.group()
        return Repeat(inner, 0, 1) if text == "[" else inner

    def repeated(self) -> Node:
        """What a repetition repeats: brackets behind a `*` only group (RFC 1738 section 5)."""
        return self.group() if self.tokens[self.at][1] in _CLOSER else self.element()

    def group(self) -> Node:
        opener = self.tokens[self.at][1]
        self.take(opener)
        inner = self.alternatives()
        self.take(_CLOSER[opener])
        return inner


def _literal(text: str) -> Node:
    if not text:
        raise GrammarError("an empty literal")
    return Chars(((ord(text), ord(text)),)) if len(text) == 1 else Literal(text)


class Grammar:
    """The productions of one `.bnf` text, in its order.

    Args:
        text: the text in the notation above.

    Raises:
        GrammarError: the text breaks the notation, defines a name twice or uses one that it does not define.
    """

    def __init__(self, text: str) -> None:
        heads = list(_HEAD.finditer(text))
        ends = [head.start() for head in heads[1:]] + [len(text)]
        self.productions: dict[str, Node] = {}
        for head, end in zip(heads, ends, strict=True):
            name = head[1]
            if name in self.productions:
                raise GrammarError(f"{name} is defined twice")
            parser = _Parser(text[head.end() : end])
            try:
                self.productions[name] = parser.alternatives()
                if parser.tokens[parser.at][0] != "end":
                    raise GrammarError(f"{parser.tokens[parser.at][1]!r} stands where nothing can")
            except GrammarError as error:
                raise GrammarError(f"in {name}: {error}") from None
        for name, node in self.productions.items():
            if missing := next((ref for ref in refs(node) if ref not in self.productions), None):
                raise GrammarError(f"{name} uses {missing}, which is not defined")
        self._first = cache(self._first_of)
        self._chars = cache(self._chars_of)

    def node(self, name: str) -> Node:
        """The right side of the production `name`; KeyError when there is none."""
        return self.productions[name]

    def pattern(self, name: str, captures: Mapping[str, str], *, ceiling: int = 0x10FFFF) -> str:
        """The production as a pattern for `re`; the productions in `captures` become groups of the names given.

        A production is captured with all its repetitions, and nothing is captured inside a capture. A name that is
        captured in several alternatives gets a group each, numbered behind a double underscore; `captured` reads them. Repetitions are possessive wherever what may follow starts with none of their
        characters, so that a match never goes back into them. Characters above `ceiling` are left out of all classes:
        a pattern for ASCII texts alone is compiled ten times faster and matches faster.
        """
        return _Compiler(self, captures, ceiling).compile(Ref(name), ((), True))

    def _first_of(self, node: Node) -> tuple[CharSet, bool]:
        """The characters that the node may begin with, and whether it may be empty."""
        match node:
            case Chars(chars):
                return chars, False
            case Literal(text):
                return tuple(sorted({(ord(c), ord(c)) for c in (text[0].lower(), text[0].upper())})), False
            case Ref(name):
                return self._first(self.productions[name])
            case Alt(items):
                firsts = [self._first(item) for item in items]
                return union(*(chars for chars, _ in firsts)), any(empty for _, empty in firsts)
            case Seq(items):
                return self.first_after(items, ((), True))
            case Repeat(item, least):
                chars, empty = self._first(item)
                return chars, empty or least == 0

    def first(self, node: Node) -> tuple[CharSet, bool]:
        """The characters that the node may begin with, and whether it may be empty."""
        return self._first(node)

    def first_after(self, items: tuple[Node, ...], follow: tuple[CharSet, bool]) -> tuple[CharSet, bool]:
        """What may begin a sequence of nodes that `follow` comes after."""
        chars, empty = follow
        for item in reversed(items):
            own, own_empty = self._first(item)
            chars, empty = (union(own, chars), empty) if own_empty else (own, False)
        return chars, empty

    def chars(self, node: Node) -> CharSet | None:
        """The set, if the node is just one character out of a set."""
        return self._chars(node)

    def is_unit(self, node: Node) -> bool:
        """Whether the node is what its standard treats as one character: one out of a set, or an encoded one."""
        match node:
            case Ref(name):
                return self.is_unit(self.productions[name])
            case Alt(items):
                return all(self.is_unit(item) for item in items)
            case Seq(items):
                return all(self._chars(item) is not None for item in items)
            case _:
                return self._chars(node) is not None

    def _chars_of(self, node: Node) -> CharSet | None:
        match node:
            case Chars(chars):
                return chars
            case Ref(name):
                return self._chars(self.productions[name])
            case Alt(items):
                sets = [self._chars(item) for item in items]
                return union(*(s for s in sets if s is not None)) if all(s is not None for s in sets) else None
            case _:
                return None


def refs(node: Node) -> Iterator[str]:
    """The names that a node refers to, in order."""
    match node:
        case Ref(name):
            yield name
        case Seq(items) | Alt(items):
            for item in items:
                yield from refs(item)
        case Repeat(item):
            yield from refs(item)


class _Compiler:
    """Writes one production as a pattern, other productions put in where they are named."""

    def __init__(self, grammar: Grammar, captures: Mapping[str, str], ceiling: int) -> None:
        self.grammar = grammar
        self.captures = captures
        self.ceiling = ceiling
        self.used: dict[str, int] = {}

    def compile(self, node: Node, follow: tuple[CharSet, bool]) -> str:
        """The pattern of `node`, where `follow` gives the characters that may come after it (and whether none may)."""
        if (chars := self.grammar.chars(node)) is not None and not (
            isinstance(node, Ref) and node.name in self.captures
        ):
            return class_of(chars, self.ceiling)
        match node:
            case Literal(text):
                escaped = re.escape(text)
                return f"(?i:{escaped})" if re.search("[A-Za-z]", text) else escaped
            case Ref(name) if name in self.captures:
                return self.capture(name, self.grammar.node(name), follow)
            case Ref(name):
                return self.compile(self.grammar.node(name), follow)
            case Repeat(Ref(name), _, most) if name in self.captures and most != 1:
                return self.capture(name, node, follow)
            case Alt(items):
                return "(?:" + "|".join(self.compile(item, follow) for item in self.folded(items)) + ")"
            case Seq(items):
                after = [self.grammar.first_after(items[n + 1 :], follow) for n in range(len(items))]
                return "".join(self.compile(item, then) for item, then in zip(items, after, strict=True))
            case Repeat():
                return self.repeat(node, follow)
            case Chars(chars):
                return class_of(chars, self.ceiling)

    def folded(self, items: tuple[Node, ...]) -> list[Node]:
        """The alternatives with all single characters put into one class, which stands first."""
        single = [c for item in items if (c := self.grammar.chars(item)) is not None and not self.captured(item)]
        rest = [item for item in items if self.grammar.chars(item) is None or self.captured(item)]
        return [Chars(union(*single)), *rest] if single else rest

    def captured(self, node: Node) -> bool:
        return isinstance(node, Ref) and node.name in self.captures

    def repeat(self, node: Repeat, follow: tuple[CharSet, bool]) -> str:
        first, _ = self.grammar.first(node.item)
        inside = follow if node.most == 1 else (union(first, follow[0]), follow[1])
        closed = disjoint(first, follow[0])
        chars, rest = self.run(node.item)
        if chars is not None and (node.least, node.most) == (0, MANY):
            possessive = "+" if closed else ""
            head = f"{class_of(chars, self.ceiling)}*{possessive}"
            if not rest:
                return head
            # Unrolled (class* (other class*)*): one loop over the class for each escape instead of one for each character.
            return f"{head}(?:{self.compile(rest[0], inside)}{head})*{possessive}"
        inner = self.compile(node.item, inside)
        single = self.grammar.chars(node.item) is not None
        possessive = "+" if single and closed else ""
        return f"{inner if single else f'(?:{inner})'}{_times(node.least, node.most)}{possessive}"

    def run(self, item: Node) -> tuple[CharSet | None, list[Node]]:
        """A repeated item as a class and at most one other, fixed alternative that starts outside the class."""
        flat = self.folded(tuple(self.flat(item)))
        if len(flat) > 2 or not isinstance(flat[0], Chars):
            return None, []
        chars, rest = flat[0].chars, flat[1:]
        if any(not self.fixed(node) or not disjoint(chars, self.grammar.first(node)[0]) for node in rest):
            return None, []
        return chars, rest

    def flat(self, node: Node) -> Iterator[Node]:
        """The alternatives of a node, those of the productions it names among them."""
        match node:
            case Alt(items):
                for item in items:
                    yield from self.flat(item)
            case Ref(name) if not self.captured(node):
                yield from self.flat(self.grammar.node(name))
            case _:
                yield node

    def fixed(self, node: Node) -> bool:
        """Whether the node is a plain row of characters, so that no match could be divided in two ways."""
        match node:
            case Seq(items):
                return all(self.grammar.chars(item) is not None and not self.captured(item) for item in items)
            case _:
                return isinstance(node, Literal)

    def capture(self, name: str, node: Node, follow: tuple[CharSet, bool]) -> str:
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
    """What the groups of a pattern took, by name, those of several alternatives merged; groups that took no part left out."""
    return {name.partition("__")[0]: text for name, text in found.groupdict().items() if text is not None}
