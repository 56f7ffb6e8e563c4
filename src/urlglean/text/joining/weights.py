"""What each feature weighs: log-odds that were fitted on labelled mail. `tests/joining/fit.py` writes the file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from urlglean.records import Term
from urlglean.text.joining.breaks import Break
from urlglean.text.joining.features import FEATURES, PRODUCTS

FILE = Path(__file__).with_name("weights.json")


class Weight(Struct, frozen=True):
    """What a feature adds to the log-odds for each unit of its value; in how many breaks of the fit it was not 0."""

    feature: str
    log_odds: float
    examples: int


class Weights(Struct, frozen=True):
    """The generated file.

    Attributes:
        made_by: the script that wrote it.
        training: what it was fitted on: for each file of labelled windows the first of its SHA-256, windows and breaks.
        constant: the log-odds where all features are 0.
        features: the weights.
    """

    made_by: str
    training: dict[str, str]
    constant: float
    features: tuple[Weight, ...]


@cache
def weights() -> Weights:
    """The generated file, read once."""
    return msgspec.json.decode(FILE.read_bytes(), type=Weights)


class Scale:
    """Weights put to the rows of the tables: what a break is weighed on."""

    def __init__(self, held: Weights) -> None:
        """Take the weights, by the names of features."""
        weigh = {weight.feature: weight.log_odds for weight in held.features}
        self.constant = held.constant
        self.weights = [weigh.get(row.name, 0.0) for row in FEATURES]
        places = {row.name: place for place, row in enumerate(FEATURES)}
        self.products = [
            (row.name, tuple(places[name] for name in row.factors), weigh[row.name])
            for row in PRODUCTS
            if row.name in weigh
        ]
        used = {place for _, factors, _ in self.products for place in factors}
        rows = [(place, row) for place, row in enumerate(FEATURES) if self.weights[place] or place in used]
        told = {place for place, row in rows if row.reads == "told"}
        self._of = {
            reads: [(place, row.value) for place, row in rows if row.reads == reads]
            for reads in ("", "token", "length", "told")
        }
        self._products_told = [product for product in self.products if told.intersection(product[1])]
        self._products = [product for product in self.products if not told.intersection(product[1])]
        # What is told is 1 or 0: a group adds no more than its best row, a product what its other factors let it.
        groups: dict[str, float] = {}
        for place in told:
            name = FEATURES[place].group or FEATURES[place].name
            groups[name] = max(groups.get(name, 0.0), self.weights[place])
        self._most_single = sum(groups.values())
        self._most_multiplied = [
            (tuple(place for place in factors if place not in told), weight)
            for _, factors, weight in self._products_told
            if weight > 0
        ]
        # Measured on real mail: three of four tokens have been seen before, and nearly all lengths.
        self._kept_token = lru_cache(maxsize=4096)(partial(_held, self._of["token"]))
        self._kept_length = lru_cache(maxsize=512)(partial(_held, self._of["length"]))

    def log_odds(self, at: Break, least: float, told: Callable[[Break], Break]) -> float:
        """The sum of the constant and what each feature adds.

        Args:
            at: the break.
            least: a sum that cannot reach this, whatever is told of the break, is given without it.
            told: asks for that.
        """
        values = [0.0] * len(self.weights)
        total = self.constant + self._added(self._values(at), self._products, values)
        if at.told is None and total + self._most(values) < least:
            return total
        asked = at if at.told else told(at)
        return total + self._added(_held(self._of["told"], asked.told), self._products_told, values)

    def terms(self, at: Break) -> list[Term]:
        """What each feature adds that is not 0, in the order of the tables; the break is told of."""
        values = dict([*self._values(at), *_held(self._of["told"], at.told)])
        single = [
            Term(FEATURES[place].name, self.weights[place] * values[place])
            for place in sorted(values)
            if self.weights[place]
        ]
        multiplied = (
            Term(name, weight * math.prod([values.get(place, 0.0) for place in factors]))
            for name, factors, weight in self.products
        )
        return [*single, *(term for term in multiplied if term.log_odds)]

    def _most(self, values: Sequence[float]) -> float:
        """The most that what is told of a break can add, by the values of all the rest."""
        multiplied = (weight for places, weight in self._most_multiplied if all(values[place] for place in places))
        return self._most_single + sum(multiplied)

    def _values(self, at: Break) -> list[tuple[int, float]]:
        """The features that are not 0 and not told: the place of each in the table, and its value."""
        token = at.token
        of_token = self._kept_token(token) if len(token) <= LONGEST_KEPT else _held(self._of["token"], token)
        return [*self._kept_length(at.length), *of_token, *_held(self._of[""], at)]

    def _added(self, found: Iterable[tuple[int, float]], products: Sequence[Factors], values: list[float]) -> float:
        """What features and products add; the values are put to their places."""
        total = 0.0
        for place, value in found:
            values[place] = value
            total += self.weights[place] * value
        for _, factors, weight in products:
            product = weight
            for place in factors:
                product *= values[place]
            total += product
        return total


Factors = tuple[str, tuple[int, ...], float]
"""A product that has a weight: its name, the places of its factors, the weight."""

LONGEST_KEPT = 40
"""Code points of the longest token whose values are kept."""


def _held(rows: Sequence[tuple[int, Callable[[Any], float]]], read: object) -> tuple[tuple[int, float], ...]:
    """The values of the rows that are not 0, for what they read."""
    return tuple([(place, value) for place, function in rows if (value := function(read))])


@cache
def scale() -> Scale:
    """The scale of the generated weights."""
    return Scale(weights())


def terms(at: Break) -> list[Term]:
    """What each feature adds to the log-odds that the URL goes on behind the break, beside the constant."""
    return scale().terms(at)
