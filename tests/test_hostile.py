"""Hostile texts are read whole, in time that grows as they do, and give the same findings whatever their length."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from growth import BOUND, growth
from pieces import rebuilt
from urlglean import Finding, extract
from urlglean.text.effort import LONGEST

HOSTILE = Path(__file__).parent.parent / "corpus" / "hostile"
SHORT, LONG, VERY_LONG = 1_000, LONGEST - 1_000, 100_000
"""Code points; what is longer than `LONGEST` is read in fewer ways."""


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


def was_simply_read(finding: Finding) -> bool:
    """Whether it was read in the simplest way, because the text before it took too much work."""
    return any(problem.code == "simply-read" for problem in finding.problems)


@pytest.mark.parametrize("recipe", RECIPES, ids=[recipe.name for recipe in RECIPES])
def test_a_long_text_gives_what_a_short_one_gives(recipe: Recipe) -> None:
    """Of 15 times the length come the same kinds of findings.

    Those are left out that say of themselves that they were read simply, because of the work before them.
    """
    short, long = (
        {kind(finding) for finding in extract(recipe.text(length), invalid=True) if not was_simply_read(finding)}
        for length in (SHORT, LONG)
    )
    assert short == long


@pytest.mark.parametrize("recipe", RECIPES, ids=[recipe.name for recipe in RECIPES])
def test_findings_of_a_very_long_text_are_whole(recipe: Recipe) -> None:
    """None overlaps another, and each is rebuilt by its pieces."""
    text = recipe.text(VERY_LONG)
    found = extract(text, invalid=True)
    done = 0
    for finding in found:
        assert done <= finding.span.start <= finding.span.end <= len(text)
        assert rebuilt(text, finding) == finding.url
        done = finding.span.end


def read(text: str) -> list[Finding]:
    """All that is found and rejected in a text."""
    return extract(text, invalid=True)


@pytest.mark.parametrize("recipe", RECIPES, ids=[recipe.name for recipe in RECIPES])
def test_the_work_grows_as_the_text_does(recipe: Recipe) -> None:
    """Not with the square of its length; see `growth` on what is compared."""
    assert growth(read, recipe.text) <= BOUND


@pytest.mark.parametrize(
    ("work", "short"),
    [
        pytest.param(lambda text: [at for end in range(0, len(text), 9) for at in range(end)], 500, id="a loop"),
        pytest.param(re.compile(r"a*b").search, 1_000, id="a pattern that is tried at each sign"),
        pytest.param(re.compile(r"a*a*b").match, 1_000, id="a pattern that gives back"),
        pytest.param(lambda text: [text.find("b", at) for at in range(0, len(text), 4)], 10_000, id="a search"),
        pytest.param(lambda text: max(len(text[at:]) for at in range(len(text))), 10_000, id="slices"),
    ],
)
def test_quadratic_work_is_noticed(work: Callable[[str], object], short: int) -> None:
    """Whether it is done in Python or in C."""
    assert growth(work, "a".__mul__, short) > BOUND


def test_linear_work_is_let_pass() -> None:
    """A loop and a pattern that read each sign a few times."""
    growing = growth(lambda text: [re.findall("aa?", text), [sign for sign in text if sign > "a"]], "a".__mul__)
    assert growing <= BOUND


def test_recipes_have_names_of_their_own_and_grow() -> None:
    """A recipe that repeats nothing would be no longer at any length."""
    assert len({recipe.name for recipe in RECIPES}) == len(RECIPES)
    assert all(recipe.repeat and recipe.defeats for recipe in RECIPES)
