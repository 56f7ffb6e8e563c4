"""Hostile texts are read whole, in linear time, and give the same kinds of findings at any length."""

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
SHORT, LONG, VERY_LONG = 1_000, LONGEST - 1_000, 25_000
"""In code points. Candidates longer than `LONGEST` are read in fewer ways."""


class Recipe(msgspec.Struct, forbid_unknown_fields=True):
    """The parts from which a hostile text is made."""

    name: str
    before: str
    repeat: str
    after: str
    defeats: str

    def text(self, length: int) -> str:
        """The text for a length in code points."""
        return self.before + self.repeat * (length // len(self.repeat)) + self.after


def recipes() -> list[Recipe]:
    """The recipes of a file, without its head."""
    head, *lines = (HOSTILE / "recipes.jsonl").read_bytes().splitlines()
    assert msgspec.json.decode(head) == {"urlglean": "hostile recipes"}
    return [msgspec.json.decode(line, type=Recipe) for line in lines]


RECIPES = recipes()


def kind(finding: Finding) -> tuple[object, ...]:
    """The properties of a finding, except its length and the numbers of its problems and joins."""
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
def test_long_and_short_texts_give_the_same_kinds_of_findings(recipe: Recipe) -> None:
    """A text of 15 times the length gives the same kinds of findings.

    Findings that were read simply, because of the work before them, are left out; so either text may lack some.
    """
    found = [extract(recipe.text(length), invalid=True) for length in (SHORT, LONG)]
    short, long = ({kind(each) for each in some if not was_simply_read(each)} for some in found)
    assert long <= short or any(map(was_simply_read, found[0]))
    assert short <= long or any(map(was_simply_read, found[1]))


@pytest.mark.parametrize("recipe", RECIPES, ids=[recipe.name for recipe in RECIPES])
def test_findings_of_a_very_long_text_are_whole(recipe: Recipe) -> None:
    """No two overlap, and the pieces of each give its URL."""
    text = recipe.text(VERY_LONG)
    found = extract(text, invalid=True)
    done = 0
    for finding in found:
        assert done <= finding.span.start <= finding.span.end <= len(text)
        assert rebuilt(text, finding) == finding.url
        done = finding.span.end


def read(text: str) -> list[Finding]:
    """All findings of a text, including rejected ones."""
    return extract(text, invalid=True)


@pytest.mark.parametrize("recipe", RECIPES, ids=[recipe.name for recipe in RECIPES])
def test_the_work_is_linear_in_the_text(recipe: Recipe) -> None:
    """The work does not grow with the square of the length; `growth` says what is compared."""
    assert growth(read, recipe.text) <= BOUND


@pytest.mark.parametrize(
    ("work", "short"),
    [
        pytest.param(lambda text: [at for end in range(0, len(text), 9) for at in range(end)], 500, id="a loop"),
        pytest.param(re.compile(r"a*b").search, 1_000, id="a pattern that is tried at each sign"),
        pytest.param(re.compile(r"a*a*b").match, 1_000, id="a pattern that gives back"),
        pytest.param(lambda text: [text.find("b", at) for at in range(0, len(text), 4)], 20_000, id="a search"),
        pytest.param(lambda text: max(len(text[at:]) for at in range(len(text))), 10_000, id="slices"),
    ],
)
def test_quadratic_work_is_noticed(work: Callable[[str], object], short: int) -> None:
    """The measurement detects it in Python and in C."""
    assert growth(work, "a".__mul__, short) > BOUND


def test_linear_work_is_let_pass() -> None:
    """A loop and a pattern that read each character a few times pass."""
    growing = growth(lambda text: [re.findall("aa?", text), [sign for sign in text if sign > "a"]], "a".__mul__)
    assert growing <= BOUND


def test_recipes_have_unique_names_and_repeat_something() -> None:
    """A recipe that repeats nothing would have the same length for any `n`."""
    assert len({recipe.name for recipe in RECIPES}) == len(RECIPES)
    assert all(recipe.repeat and recipe.defeats for recipe in RECIPES)
