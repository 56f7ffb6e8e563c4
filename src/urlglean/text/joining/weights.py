"""What each feature weighs: log-odds that were fitted on labelled mail. `tests/joining/fit.py` writes the file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from urlglean.records import Term
from urlglean.text.joining.breaks import Break
from urlglean.text.joining.features import FEATURES, PRODUCTS, Product

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
        self._weigh = {weight.feature: weight.log_odds for weight in held.features}
        self.constant = held.constant
        products = [row for row in PRODUCTS if row.name in self._weigh]
        factors = {name for row in products for name in row.factors}
        self._slots = {name: slot for slot, name in enumerate(sorted(factors))}
        rows = [row for row in FEATURES if row.name in self._weigh or row.name in factors]
        told = {row.name for row in rows if row.reads == "told"}
        self._of_break, self._of_token, self._of_length, self._of_told = (
            [
                _Row(row.value, self._weigh.get(row.name, 0.0), self._slots.get(row.name))
                for row in rows
                if row.reads == reads
            ]
            for reads in ("", "token", "length", "told")
        )
        self._products = self._by_first(row for row in products if told.isdisjoint(row.factors))
        self._products_told = self._by_first(row for row in products if not told.isdisjoint(row.factors))
        # What is told is 1 or 0: a group adds no more than its best row, a product what its other factors let it.
        groups: dict[str, float] = {}
        for row in rows:
            if row.reads == "told":
                name = row.group or row.name
                groups[name] = max(groups.get(name, 0.0), self._weigh.get(row.name, 0.0))
        self._most_single = sum(groups.values())
        self._most_multiplied = [
            ([self._slots[name] for name in row.factors if name not in told], self._weigh[row.name])
            for row in products
            if not told.isdisjoint(row.factors) and self._weigh[row.name] > 0
        ]
        # Measured on real mail: three of four tokens have been seen before, and nearly all lengths.
        self._kept_token = lru_cache(maxsize=4096)(partial(_kept, self._of_token))
        self._kept_length = lru_cache(maxsize=512)(partial(_kept, self._of_length))

    def log_odds(self, at: Break, least: float, told: Callable[[Break], Break]) -> float:
        """The sum of the constant and what each feature adds.

        Args:
            at: the break.
            least: a sum that cannot reach this, whatever is told of the break, is given without it.
            told: asks for that.
        """
        token = at.token
        kept = self._kept_token if len(token) <= LONGEST_KEPT else partial(_kept, self._of_token)
        values = [0.0] * len(self._slots)
        total = self.constant + _added(self._of_break, at, values)
        for added, held in (kept(token), self._kept_length(at.length)):
            total += added
            for slot, value in held:
                values[slot] = value
        total += _multiplied(self._products, values)
        if at.told is None:
            if total + self._most(values) < least:
                return total
            at = told(at)
        return total + _added(self._of_told, at.told, values) + _multiplied(self._products_told, values)

    def terms(self, at: Break) -> list[Term]:
        """What each feature adds that is not 0, in the order of the tables; the break is told of."""
        values = {row.name: row.of(at) for row in FEATURES}
        values |= {row.name: math.prod([values[name] for name in row.factors]) for row in PRODUCTS}
        found = (Term(name, self._weigh.get(name, 0.0) * value) for name, value in values.items())
        return [term for term in found if term.log_odds]

    def _most(self, values: Sequence[float]) -> float:
        """The most that what is told of a break can add, by the values of all the rest."""
        multiplied = (weight for slots, weight in self._most_multiplied if all(values[slot] for slot in slots))
        return self._most_single + sum(multiplied)

    def _by_first(self, products: Iterable[Product]) -> list[_Products]:
        """Products by their first factor: where that is 0, no other has to be looked at."""
        found: dict[int, list[tuple[list[int], float]]] = {}
        for row in products:
            first, *others = [self._slots[name] for name in row.factors]
            found.setdefault(first, []).append((others, self._weigh[row.name]))
        return list(found.items())


class _Row(NamedTuple):
    """A feature in use: its function, its weight, and where its value is put for the products; None if in none."""

    value: Callable[[Any], float]
    weight: float
    slot: int | None


_Products = tuple[int, list[tuple[list[int], float]]]
"""The slot of a first factor, with the slots of the others and the weight of each product."""

LONGEST_KEPT = 40
"""Code points of the longest token whose values are kept."""


def _added(rows: Sequence[_Row], read: object, values: list[float]) -> float:
    """What features add, by what they read; the values of factors are put to their slots."""
    total = 0.0
    for function, weight, slot in rows:
        if value := function(read):
            total += weight * value
            if slot is not None:
                values[slot] = value
    return total


def _kept(rows: Sequence[_Row], read: object) -> tuple[float, tuple[tuple[int, float], ...]]:
    """What features add, and the slots and values of those that are factors."""
    found = [(row, value) for row in rows if (value := row.value(read))]
    total = sum(row.weight * value for row, value in found)
    return total, tuple((row.slot, value) for row, value in found if row.slot is not None)


def _multiplied(products: Sequence[_Products], values: Sequence[float]) -> float:
    """What products add."""
    total = 0.0
    for first, rest in products:
        if head := values[first]:
            for slots, weight in rest:
                product = weight * head
                for slot in slots:
                    product *= values[slot]
                total += product
    return total


@cache
def scale() -> Scale:
    """The scale of the generated weights."""
    return Scale(weights())


def terms(at: Break) -> list[Term]:
    """What each feature adds to the log-odds that the URL goes on behind the break, beside the constant."""
    return scale().terms(at)
