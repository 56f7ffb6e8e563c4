"""Reads the weights of the features, which `tests/joining/fit.py` fitted on labelled mail, and sums them up."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import Struct

from urlglean.text.joining.break_record import Break, Context
from urlglean.text.joining.features import FEATURES, PRODUCTS, Feature, Product, Reads
from urlglean.text.joining.folding import in_ascii
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


KEPT = 1 << 12
"""How many different values of an attribute of breaks are cached, with what the features that read only these add.

In real mail, three of four tokens and nearly all other values have been seen before (measured).
"""

LONGEST_KEPT = 40
"""Longer tokens, in code points, are not cached."""


class Scale:
    """The weights joined with the rows of the tables, so that a break can be weighed fast.

    Factors of products are 1 or 0, so the factors that hold are the bits of a number, and what products add is looked
    up by that number.
    """

    def __init__(self, held: Weights) -> None:
        """Join weights and rows by the names of features."""
        self._weigh = {weight.feature: weight.log_odds for weight in held.features}
        self.constant = held.constant
        products = [row for row in PRODUCTS if row.name in self._weigh]
        factors = {name for row in products for name in row.factors}
        self._bits = {name: 1 << at for at, name in enumerate(sorted(factors))}
        rows = [row for row in FEATURES if row.name in self._weigh or row.name in factors]
        added_by = {
            reads: partial(_added, [self._row_of(row) for row in rows if row.reads == reads])
            for reads in get_args(Reads)
        }
        self._kept = {reads: lru_cache(KEPT)(added) for reads, added in added_by.items()}
        # These two are asked apart: long tokens are not cached, and the context is read last.
        self._kept_token, self._kept_context = self._kept.pop("token"), self._kept.pop("context")
        self._of_token = added_by["token"]
        of_context = {row.name for row in rows if row.reads == "context"}
        self._products = [(self._bits_of(row), self._weigh[row.name]) for row in products]
        # The products with the context, without its factors: they may add their weight if all other factors hold.
        self._may_multiply = [
            (self._bits_of(row, but=of_context), self._weigh[row.name])
            for row in products
            if not of_context.isdisjoint(row.factors)
        ]
        # Features of the context are 1 or 0. A group adds at most its best row.
        groups: dict[str, float] = {}
        for row in rows:
            if row.reads == "context":
                name = row.group or row.name
                groups[name] = max(groups.get(name, 0.0), self._weigh.get(row.name, 0.0))
        self._most_single = sum(groups.values())
        self._multiplied_by = lru_cache(KEPT)(self._products_of)

    def log_odds(self, at: Break, least: float, context_of: Callable[[Break], Context]) -> float:
        """The log-odds that the URL goes on: the constant and what each feature adds.

        Args:
            at: the break.
            least: if the sum cannot reach this, whatever the context is, it is returned without the context.
            context_of: finds out the context of a break; it is asked only if the break has none.
        """
        read = in_ascii(at)
        added, hold = (self._kept_token if len(read.token) <= LONGEST_KEPT else self._of_token)(read.token)
        total = self.constant + added
        for reads, kept in self._kept.items():
            added, bits = kept(getattr(read, reads))
            total += added
            hold |= bits
        multiplied, most = self._multiplied_by(hold)
        if at.context is None and total + multiplied + most < least:
            return total + multiplied
        added, bits = self._kept_context(at.context or context_of(at))
        return total + added + self._multiplied_by(hold | bits)[0]

    def terms(self, at: Break) -> list[Term]:
        """What each feature adds, in the order of the tables, zeros left out. The break must have its context."""
        read = in_ascii(at)
        values = {row.name: row.of(read) for row in FEATURES}
        values |= {row.name: math.prod([values[name] for name in row.factors]) for row in PRODUCTS}
        found = (Term(name, self._weigh.get(name, 0.0) * value) for name, value in values.items())
        return [term for term in found if term.log_odds]

    def _products_of(self, hold: int) -> tuple[float, float]:
        """What the products add of which all factors hold, and the most that the context of the break can add.

        Args:
            hold: the bits of the factors that hold.
        """
        adds = sum(weight for bits, weight in self._products if hold & bits == bits)
        may_add = (weight for bits, weight in self._may_multiply if hold & bits == bits and weight > 0)
        return adds, self._most_single + sum(may_add)

    def _row_of(self, row: Feature) -> _Row:
        """A feature in use."""
        return row.value, self._weigh.get(row.name, 0.0), self._bits.get(row.name, 0)

    def _bits_of(self, row: Product, but: Collection[str] = ()) -> int:
        """The bits of the factors of a product, except for some."""
        return sum(self._bits[name] for name in row.factors if name not in but)


_Row = tuple[Callable[[Any], float], float, int]
"""A feature in use: its function, its weight, and its bit among the factors of products (0: in no product).

A plain tuple is taken apart in half the time of a named one.
"""


def _added(rows: Sequence[_Row], read: object) -> tuple[float, int]:
    """What features add, given what they read, and the bits of those that are factors and hold."""
    total, hold = 0.0, 0
    for function, weight, bit in rows:
        if value := function(read):
            total += weight * value
            hold |= bit
    return total, hold


@cache
def scale() -> Scale:
    """The scale of the generated weights."""
    return Scale(weights())


def terms(at: Break) -> list[Term]:
    """What each feature adds to the log-odds that the URL goes on behind the break; the constant is left out."""
    return scale().terms(at)
