"""Hostile texts are read whole: no exception, no loss, and the same kinds of findings whatever their length."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from pieces import rebuilt
from urlglean import Finding, extract

HOSTILE = Path(__file__).parent.parent / "corpus" / "hostile"
SHORT, LONG = 1_000, 100_000


class Recipe(msgspec.Struct, forbid_unknown_fields=True):
    """How a hostile text is built."""

    name: str
    before: str
    repeat: str
    after: str
    defeats: str

    def text(self, length: int) -> str:
        """The text for a length."""
        return self.before + self.repeat * (length // len(self.repeat)) + self.after


def recipes() -> list[Recipe]:
    """The recipes, the head of their file left out."""
    head, *lines = (HOSTILE / "recipes.jsonl").read_bytes().splitlines()
    assert msgspec.json.decode(head) == {"urlglean": "hostile recipes"}
    return [msgspec.json.decode(line, type=Recipe) for line in lines]


RECIPES = recipes()


def kind(finding: Finding) -> tuple[object, ...]:
    """All that a finding is, but for its length and how often a problem or a join occurs in it."""
    return (
        finding.wrapper,
        finding.certainty,
        finding.valid,
        frozenset(problem.code for problem in finding.problems),
        frozenset(join.rule for join in finding.joins),
    )


@pytest.mark.parametrize("recipe", RECIPES, ids=[recipe.name for recipe in RECIPES])
def test_a_long_text_gives_what_a_short_one_gives(recipe: Recipe) -> None:
    """Of a hundred times the length come the same kinds of findings, none overlapping, each rebuilt by its pieces."""
    text = recipe.text(LONG)
    found = extract(text, invalid=True)
    assert {kind(finding) for finding in found} == {
        kind(finding) for finding in extract(recipe.text(SHORT), invalid=True)
    }
    done = 0
    for finding in found:
        assert done <= finding.span.start <= finding.span.end <= len(text)
        assert rebuilt(text, finding) == finding.url
        done = finding.span.end


def test_recipes_have_names_of_their_own_and_grow() -> None:
    """A recipe that repeats nothing would be no longer at any length."""
    assert len({recipe.name for recipe in RECIPES}) == len(RECIPES) >= 53
    assert all(recipe.repeat and recipe.defeats for recipe in RECIPES)
