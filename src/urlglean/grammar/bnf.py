"""The parser of the standards' notation: it turns a `.bnf` text into productions.

Only this module knows the notation. It is that of RFC 1738 section 5: quoted literals, `|`, `[ ]` for options and,
after a `*`, for repeated groups, `<">`, `;` comments; with the few signs that later standards add (RFC 5234: `( )`,
`%x41-5A`, bounded repetition `2*4x`). A production begins at the start of a line.

A literal of several letters ignores case (RFC 822 3.4.7, RFC 5234 2.3). A single letter matches only itself, because
the standards list both cases if they mean both. An empty literal matches the empty text (`void` in the BNF before RFC
1738).

A production may name itself only at its end. The older standards write a repetition in this way: `X = A [ B X ]` is
read as `X = A *( B A )`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from urlglean.errors import GrammarError
from urlglean.expressions import compiled
from urlglean.grammar.character_sets import CharSet, union

MANY = None
"""The value of `Repeat.most` if the repetition has no upper bound."""


class Chars(Struct, frozen=True):
    """One character out of a set."""

    chars: CharSet


class Literal(Struct, frozen=True):
    """Several characters in this order; letters match in both cases."""

    text: str


class Ref(Struct, frozen=True):
    """A reference to the production of that name."""

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

_TOKEN = compiled(
    r"""(?P<skip>\s+|;[^\n]*)
      | (?P<literal>"[^"\n]*"|<">)
      | (?P<range>%x[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+)?)
      | (?P<times>[0-9]*\*[0-9]*|[0-9]+)
      | (?P<name>[A-Za-z][A-Za-z0-9+_.-]*)
      | (?P<sign>[=|/()\[\]])""",
    re.VERBOSE,
)
_HEAD = compiled(r"^([A-Za-z][A-Za-z0-9+_.-]*)[ \t]*=", re.MULTILINE)
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

    def production(self) -> Node:
        whole = self.alternatives()
        if self.tokens[self.at][0] != "end":
            raise GrammarError(f"{self.tokens[self.at][1]!r} stands where nothing can")
        return whole

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
        """The node that a repetition repeats. Brackets after a `*` only group, without option (RFC 1738 section 5)."""
        return self.group() if self.tokens[self.at][1] in _CLOSER else self.element()

    def group(self) -> Node:
        opener = self.tokens[self.at][1]
        self.take(opener)
        inner = self.alternatives()
        self.take(_CLOSER[opener])
        return inner


def _literal(text: str) -> Node:
    if not text:
        return Seq(())
    return Chars(((ord(text), ord(text)),)) if len(text) == 1 else Literal(text)


class Grammar:
    """The productions of one `.bnf` text, in its order.

    Args:
        text: the text in the notation that this module describes.

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
            try:
                self.productions[name] = _Parser(text[head.end() : end]).production()
            except GrammarError as error:
                raise GrammarError(f"in {name}: {error}") from None
            self.productions[name] = _unrolled(name, self.productions[name])
        _check_names(self.productions)
        self._first = cache(self._first_of)
        self._chars = cache(self._chars_of)

    def node(self, name: str) -> Node:
        """The right side of the production `name`. Raises KeyError if the grammar has no such production."""
        return self.productions[name]

    def reachable(self, name: str) -> set[str]:
        """The name of the production, and the names of all productions that it uses, also indirectly."""
        reached, todo = set[str](), [name]
        while todo:
            if (name := todo.pop()) not in reached:
                reached.add(name)
                todo += refs(self.productions[name])
        return reached

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
        """The characters with which the nodes and `follow`, in this order, may begin, and whether all may be empty."""
        chars, empty = follow
        for item in reversed(items):
            own, own_empty = self._first(item)
            chars, empty = (union(own, chars), empty) if own_empty else (own, False)
        return chars, empty

    def chars(self, node: Node) -> CharSet | None:
        """The set, if the node is exactly one character out of a set; else None."""
        return self._chars(node)

    def is_unit(self, node: Node) -> bool:
        """Whether the standard treats the node as one character: a character out of a set, or an encoded one."""
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


def _unrolled(name: str, node: Node) -> Node:
    """The right side of a production `name`, rewritten as a repetition if it names itself at its end (see above)."""
    match node:
        case Seq((*before, Repeat(again, 0, 1))) if before and _last(again) == Ref(name):
            first = _sequence(before)
            between = again.items[:-1] if isinstance(again, Seq) else ()
            return Seq((first, Repeat(_sequence([*between, first]), 0, MANY)))
        case _:
            return node


def _last(node: Node) -> Node:
    return node.items[-1] if isinstance(node, Seq) and node.items else node


def _sequence(items: list[Node]) -> Node:
    return items[0] if len(items) == 1 else Seq(tuple(items))


def _check_names(productions: dict[str, Node]) -> None:
    """Checks that each name is defined, and that none leads back to itself: other recursion cannot become a pattern."""
    done: set[str] = set()
    for start in productions:
        above: list[str] = []
        todo = [(start, False)]
        while todo:
            name, leave = todo.pop()
            if leave:
                done.add(above.pop())
            elif name in above:
                raise GrammarError(f"{name} names itself elsewhere than at its end")
            elif name not in done:
                above.append(name)
                todo.append((name, True))
                inner = list(refs(productions[name]))
                if missing := next((ref for ref in inner if ref not in productions), None):
                    raise GrammarError(f"{name} uses {missing}, which is not defined")
                todo += [(ref, False) for ref in inner]


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
