"""Patterns and automata give the same answers as an independent, naive matcher of the same productions."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grammar_naive import matches
from urlglean.grammar.dialect_tables import GRAMMARS
from urlglean.grammar.dialects import dialect
from urlglean.testing import members, near_misses

JUDGING = sorted({
    (name, production)
    for name, table in GRAMMARS.items()
    for production in [*(row.production for row in (*table.schemes, table.other)), table.fragment]
})  # fmt: skip
ALL = sorted((name, production) for name in GRAMMARS for production in dialect(name).grammar.productions)

SETTINGS = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


def accepts(name: str, production: str, text: str) -> bool:
    """The automaton's answer for a text."""
    automaton = dialect(name).automaton(production)
    states = automaton.start
    for char in text:
        states = automaton.step(states, char)
    return automaton.accepts(states)


@pytest.mark.parametrize(("name", "production"), ALL)
@given(st.data())
@settings(SETTINGS, max_examples=10)
def test_members_match(name: str, production: str, data: st.DataObject) -> None:
    """The pattern, the automaton and the naive matcher accept every text that a production makes."""
    text = data.draw(members(production, name))
    assert matches(dialect(name).grammar, production, text)
    assert dialect(name).match(production, text) is not None
    assert accepts(name, production, text)


@pytest.mark.parametrize(("name", "production"), JUDGING)
@given(st.data())
@SETTINGS
def test_near_misses_are_judged_as_the_naive_matcher_judges_them(
    name: str, production: str, data: st.DataObject
) -> None:
    """Pattern, automaton and naive matcher agree on texts that differ from a member by one character."""
    text = data.draw(near_misses(production, name))
    taken = matches(dialect(name).grammar, production, text)
    assert (dialect(name).match(production, text) is not None) == taken
    assert accepts(name, production, text) == taken
