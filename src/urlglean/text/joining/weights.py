"""What each feature weighs: log-odds that were fitted on labelled mail. `tests/joining/fit.py` writes the file."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

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
        places = {row.name: place for place, row in enumerate(FEATURES)}
        factors = {name for row in PRODUCTS for name in row.factors if row.name in weigh}
        self.constant = held.constant
        self.features = [
            (row.name, row.value, weigh.get(row.name, 0.0), places[row.name])
            for row in FEATURES
            if row.name in weigh or row.name in factors
        ]
        self.products = [
            (row.name, tuple(places[name] for name in row.factors), weigh[row.name])
            for row in PRODUCTS
            if row.name in weigh
        ]

    def log_odds(self, at: Break) -> float:
        """The sum of the constant and what each feature adds."""
        values = [0.0] * len(FEATURES)
        total = self.constant
        for _, value, weight, place in self.features:
            if held := value(at):
                values[place] = held
                total += weight * held
        for _, places, weight in self.products:
            product = weight
            for place in places:
                product *= values[place]
            total += product
        return total

    def terms(self, at: Break) -> list[Term]:
        """What each feature adds that is not 0, in the order of the tables."""
        values = [0.0] * len(FEATURES)
        found = []
        for name, value, weight, place in self.features:
            if held := value(at):
                values[place] = float(held)
                found.append(Term(name, weight * held))
        for name, places, weight in self.products:
            if product := math.prod([values[place] for place in places]):
                found.append(Term(name, weight * product))
        return found


@cache
def scale() -> Scale:
    """The scale of the generated weights."""
    return Scale(weights())


def terms(at: Break) -> list[Term]:
    """What each feature adds to the log-odds that the URL goes on behind the break, beside the constant."""
    return scale().terms(at)


def log_odds(at: Break) -> float:
    """The log-odds that the URL goes on behind the break: the constant and what each feature adds."""
    return scale().log_odds(at)
