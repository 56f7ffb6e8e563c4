"""Dialects that judge by productions. A grammar, its patterns and its automata are made when they are first needed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from urlglean.errors import UnknownNameError
from urlglean.expressions import compiled
from urlglean.grammar.dialect_tables import GRAMMARS
from urlglean.grammar.schemes import DialectRow
from urlglean.grammar.semantic_rules import PartsDict

if TYPE_CHECKING:
    from urlglean.grammar.automaton import Automaton
    from urlglean.grammar.bnf import Grammar

Match = Callable[[str], "re.Match[str] | None"]


class Dialect:
    """The grammar of one standard, which judges URLs. Get it with `dialect(name)`.

    Attributes:
        table: the dialect's table.
        name: the dialect's name.
        schemes: its rows by scheme, in lower case.
    """

    def __init__(self, name: str) -> None:
        self.table = GRAMMARS[name]
        self.name = name
        self.schemes = {row.name: row for row in self.table.schemes}
        self._ascii: dict[str, Match] = {}
        self._wide: dict[str, Match] = {}
        self._automata: dict[tuple[str, frozenset[str]], Automaton] = {}

    @cached_property
    def grammar(self) -> Grammar:
        """Its productions, read when the first URL is judged: many texts need only the fast path."""
        from urlglean.grammar.bnf import Grammar  # noqa: PLC0415  here and below: slow to import

        return Grammar(Path(__file__).with_name(f"{self.name}.bnf").read_text(encoding="utf-8"))

    def row(self, scheme: str) -> DialectRow:
        """The row that judges the scheme (in lower case); the row `other` if it has none of its own."""
        return self.schemes.get(scheme, self.table.other)

    def match(self, production: str, text: str) -> re.Match[str] | None:
        """The match of the production with the whole text; None if it does not match."""
        ascii_only = text.isascii()
        patterns = self._ascii if ascii_only else self._wide
        fullmatch = patterns.get(production)
        if fullmatch is None:
            from urlglean.grammar.patterns import pattern  # noqa: PLC0415

            ceiling = 0x7F if ascii_only else 0x10FFFF
            source = pattern(self.grammar, production, self.table.captures, ceiling=ceiling)
            fullmatch = patterns[production] = compiled(source).fullmatch
        return fullmatch(text)

    def automaton(self, production: str, without: frozenset[str] = frozenset()) -> Automaton:
        """The production as an automaton, to explain a failed match; `without` names productions that cannot occur."""
        key = production, without
        if key not in self._automata:
            from urlglean.grammar.automaton import Automaton  # noqa: PLC0415

            self._automata[key] = Automaton(self.grammar, production, without)
        return self._automata[key]

    def parts(self, row: DialectRow, url: str) -> PartsDict | None:
        """The parts of a URL given without its fragment; None if the row's production does not match."""
        found = self.match(row.production, url)
        if found is None:
            return None
        from urlglean.grammar.patterns import captured  # noqa: PLC0415

        parts = captured(found)
        return row.complete(parts, url) if row.complete else parts


@cache
def dialect(name: str) -> Dialect:
    """The dialect of that name.

    Raises:
        UnknownNameError: no dialect that judges by productions has that name.
    """
    if name not in GRAMMARS:
        raise UnknownNameError("dialect with a grammar", name, tuple(GRAMMARS))
    return Dialect(name)
