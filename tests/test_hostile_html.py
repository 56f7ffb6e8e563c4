"""Hostile pages of HTML are read whole, in time that grows as they do."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

import msgspec
import pytest

from growth import BOUND, growth
from urlglean.bounds import Bounds
from urlglean.mail import html

PAGES = Path(__file__).parent.parent / "corpus" / "hostile" / "html.jsonl"
NUMBER = re.compile(r"\{i\}")
UNBOUNDED = Bounds(links=1 << 40)


class Recipe(msgspec.Struct, forbid_unknown_fields=True):
    """How a hostile page is built."""

    name: str
    before: str
    repeat: str
    after: str
    defeats: str

    def page(self, length: int) -> str:
        """The page for a length; `{i}` is the number of the repetition."""
        numbers = map(str, count())
        return (
            self.before + NUMBER.sub(lambda _: next(numbers), self.repeat * (length // len(self.repeat))) + self.after
        )


def recipes() -> list[Recipe]:
    """The recipes, the head of their file left out."""
    head, *lines = PAGES.read_bytes().splitlines()
    assert msgspec.json.decode(head) == {"urlglean": "hostile pages of HTML"}
    return [msgspec.json.decode(line, type=Recipe) for line in lines]


RECIPES = recipes()


@pytest.mark.parametrize("recipe", RECIPES, ids=[recipe.name for recipe in RECIPES])
def test_the_work_grows_as_the_page_does(recipe: Recipe) -> None:
    """Not with the square of its length; see `growth` on what is compared."""
    assert growth(lambda page: html.read(page, UNBOUNDED), recipe.page) <= BOUND


@pytest.mark.parametrize("name", ["attributes", "attributes-of-many", "links-never-closed"])
def test_no_link_of_a_hostile_page_is_lost(name: str) -> None:
    """Each absolute URL that stands in an attribute is told, whatever stands around it."""
    source = next(recipe for recipe in RECIPES if recipe.name == name).page(50_000)
    page = html.read(source)
    assert [link.url for link in page.links] == re.findall(r"http://h\.example/\d*", source)
