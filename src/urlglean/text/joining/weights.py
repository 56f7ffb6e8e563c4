"""Reads the weights of the features, which `tests/joining/fit.py` fitted on labelled mail, and sums them up."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from urlglean.text.joining.breaks import LOOK, Break, Context
from urlglean.text.joining.features import FEATURES, PRODUCTS, Product
from urlglean.text.joining.terms import Term

FILE = Path(__file__).with_name("weights.json")


class Weight(Struct, frozen=True):
    """The log-odds that a feature adds for each unit of its value, and in how many breaks of the fit it was not 0."""

    feature: str
    log_odds: float
    examples: int


class Weights(Struct, frozen=True):
    """The generated file.

    Attributes:
        made_by: the script that wrote it.
        training: for each file of labelled windows the beginning of its SHA-256; the numbers of windows and breaks.
        constant: the log-odds if all features are 0.
        features: the weights.
    """

    made_by: str
    training: dict[str, str]
    constant: float
    features: tuple[Weight, ...]


@cache
def weights() -> Weights:
    """The generated file. It is read once."""
    return msgspec.json.decode(FILE.read_bytes(), type=Weights)


class Scale:
    """The weights joined with the rows of the tables, so that a break can be weighed fast."""

    def __init__(self, held: Weights) -> None:
        """Join weights and rows by the names of features."""
        self._weigh = {weight.feature: weight.log_odds for weight in held.features}
        self.constant = held.constant
        products = [row for row in PRODUCTS if row.name in self._weigh]
        factors = {name for row in products for name in row.factors}
        self._slots = {name: slot for slot, name in enumerate(sorted(factors))}
        rows = [row for row in FEATURES if row.name in self._weigh or row.name in factors]
        of_context = {row.name for row in rows if row.reads == "context"}
        self._of_break, self._of_token, self._of_length, self._of_context = (
            [
                (row.value, self._weigh.get(row.name, 0.0), self._slots.get(row.name))
                for row in rows
                if row.reads == reads
            ]
            for reads in ("", "token", "length", "context")
        )
        self._products = self._by_first(row for row in products if of_context.isdisjoint(row.factors))
        self._products_of_context = self._by_first(row for row in products if not of_context.isdisjoint(row.factors))
        # Features of the context are 1 or 0. A group adds at most its best row; a product adds at most its weight, and
        # only if its other factors are not 0.
        groups: dict[str, float] = {}
        for row in rows:
            if row.reads == "context":
                name = row.group or row.name
                groups[name] = max(groups.get(name, 0.0), self._weigh.get(row.name, 0.0))
        self._most_single = sum(groups.values())
        self._most_multiplied = [
            ([self._slots[name] for name in row.factors if name not in of_context], self._weigh[row.name])
            for row in products
            if not of_context.isdisjoint(row.factors) and self._weigh[row.name] > 0
        ]
        # In real mail two of five breaks (in signatures and footers), three of four tokens, and nearly all lengths have
        # been seen before (measured).
        self._kept = lru_cache(maxsize=1024)(self._without_context)
        self._kept_token = lru_cache(maxsize=4096)(partial(_kept, self._of_token))
        self._kept_length = lru_cache(maxsize=512)(partial(_kept, self._of_length))

    def log_odds(self, at: Break, least: float, context_of: Callable[[Break], Context]) -> float:
        """The log-odds that the URL goes on: the constant and what each feature adds.

        Args:
            at: the break.
            least: if the sum cannot reach this, whatever the context is, it is returned without the context.
            context_of: finds out the context of a break; it is asked only if the break has none.
        """
        is_short = len(at.url) <= LOOK and len(at.token) <= LOOK
        total, told, most = self._kept(at) if is_short else self._without_context(at)
        if at.context is None and total + most < least:
            return total
        values = [*told]
        return (
            total
            + _added(self._of_context, at.context or context_of(at), values)
            + _multiplied(self._products_of_context, values)
        )

    def _without_context(self, at: Break) -> tuple[float, tuple[float, ...], float]:
        """The log-odds without the context, the values of the slots, and the most that the context can add."""
        token = at.token
        kept = self._kept_token if len(token) <= LONGEST_KEPT else partial(_kept, self._of_token)
        values = [0.0] * len(self._slots)
        total = self.constant + _added(self._of_break, at, values)
        for added, held in (kept(token), self._kept_length(at.length)):
            total += added
            for slot, value in held:
                values[slot] = value
        return total + _multiplied(self._products, values), tuple(values), self._most(values)

    def terms(self, at: Break) -> list[Term]:
        """What each feature adds, in the order of the tables, zeros left out. The break must have its context."""
        values = {row.name: row.of(at) for row in FEATURES}
        values |= {row.name: math.prod([values[name] for name in row.factors]) for row in PRODUCTS}
        found = (Term(name, self._weigh.get(name, 0.0) * value) for name, value in values.items())
        return [term for term in found if term.log_odds]

    def _most(self, values: Sequence[float]) -> float:
        """The most that the context of a break can add, given the values of all other features."""
        multiplied = (weight for slots, weight in self._most_multiplied if all(values[slot] for slot in slots))
        return self._most_single + sum(multiplied)

    def _by_first(self, products: Iterable[Product]) -> list[_Products]:
        """Products by their first factor. If that is 0, no other factor has to be read."""
        found: dict[int, list[tuple[list[int], float]]] = {}
        for row in products:
            first, *others = [self._slots[name] for name in row.factors]
            found.setdefault(first, []).append((others, self._weigh[row.name]))
        return list(found.items())


_Row = tuple[Callable[[Any], float], float, int | None]
"""A feature in use: its function, its weight, and the slot of its value for the products (None: in no product).

A plain tuple is taken apart in half the time of a named one.
"""

_Products = tuple[int, list[tuple[list[int], float]]]
"""The slot of a first factor; for each product with it, the slots of the other factors and the weight."""

LONGEST_KEPT = 40
"""Longer tokens, in code points, are not cached."""


def _added(rows: Sequence[_Row], read: object, values: list[float]) -> float:
    """What features add, given what they read. The values of factors are stored in their slots."""
    total = 0.0
    for function, weight, slot in rows:
        if value := function(read):
            total += weight * value
            if slot is not None:
                values[slot] = value
    return total


def _kept(rows: Sequence[_Row], read: object) -> tuple[float, tuple[tuple[int, float], ...]]:
    """What features add, with the slots and values of those that are factors."""
    found = [(weight, slot, value) for function, weight, slot in rows if (value := function(read))]
    total = sum(weight * value for weight, _, value in found)
    return total, tuple((slot, value) for _, slot, value in found if slot is not None)


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
    """What each feature adds to the log-odds that the URL goes on behind the break; the constant is left out."""
    return scale().terms(at)
