"""Fits the weights of the features of line breaks, and writes `urlglean/text/joining/weights.json`.

    .venv/bin/pip install -e '.[test]'            # numpy and scipy among others
    python tests/joining/fit.py LABELLED... [--rebroken REBROKEN.jsonl]

A URL may end in its line, or go on over one break, or over two, and so on. The log-odds of each of these paths are the
sum over its breaks. The fit maximises the probability of the right paths, with a penalty on the squares of the weights.
Windows that programs broke add columns at which programs cut, which the labelled windows lack. However many there are,
they count as much as `CUT` broken and `WHOLE` whole windows. A feature is left out if a penalty on the size of the
weights (L1) makes its weight 0.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from windows import Way, ways

from urlglean.text.joining.break_record import Break
from urlglean.text.joining.features import FACTORS, FEATURES, PRODUCTS
from urlglean.text.joining.weights import FILE

Array = np.ndarray[Any, Any]

CUT, WHOLE = 500.0, 150.0
"""All rebroken windows together weigh as much as this many labelled ones: those that were cut, and the whole ones."""

BROKEN = 2.5
"""The weight of a labelled window that is broken. In hard windows, a third are broken."""

STRATA = {"d": 3.0, "o": 1.5}
"""The weight of a whole window, by how it was drawn. Mail has far more lines that do not look like breaks."""

MARKED = {True: 1.0, False: 3.0}
"""The weight of a marked text that is broken, or whole: they are our idea of mail, but show what was drawn least, whole
ones in short lines. Measured on sources left out: of the broken URLs 0.927 keep their path with a weight of 3 for both,
0.950 with these."""

RIDGE = 1.0
"""The penalty on the square of a weight."""

LASSO, ROUNDS, NEAR_ZERO, GONE = 1.0, 5, 0.03, 0.05
"""The penalty on the size of a weight, which chooses the features: a ridge, weighed again by the last weights."""

FEWEST = 8
"""A feature must be other than 0 in at least this many breaks."""

FURTHER = 2
"""How many breaks behind the right path are used in the fit."""


class Table(NamedTuple):
    """Breaks as rows of values.

    For each window: where its rows end, the number of breaks it goes over, and its weight.
    """

    values: Array
    ends: Array
    joined: Array
    counts: Array

    def of(self, chosen: Array) -> Table:
        """The table of some windows."""
        starts = self.ends - self.sizes
        rows = np.concatenate([np.arange(starts[at], self.ends[at]) for at in chosen])
        return Table(self.values[rows], np.cumsum(self.sizes[chosen]), self.joined[chosen], self.counts[chosen])

    @property
    def sizes(self) -> Array:
        """The number of rows of each window."""
        return np.diff(self.ends, prepend=0)


def names() -> list[str]:
    """The names of the features and products that may have a weight, in the order of a row's values."""
    return [row.name for row in FEATURES if row.name not in FACTORS] + [row.name for row in PRODUCTS]


def values(at: Break) -> list[float]:
    """The values for a break, in that order."""
    held = {row.name: row.of(at) for row in FEATURES}
    alone = (value for name, value in held.items() if name not in FACTORS)
    return [*alone, *(float(np.prod([held[factor] for factor in row.factors])) for row in PRODUCTS)]


def table(labelled: Sequence[Way], rebroken: Sequence[Way]) -> Table:
    """The windows as numbers; the labelled ones come first."""
    cut = [way for way in rebroken if way.joined]
    counts = [_weight(way) for way in labelled]
    counts += [CUT * BROKEN / len(cut) if way.joined else WHOLE / (len(rebroken) - len(cut)) for way in rebroken]
    rows, ends = [], []
    for way in (*labelled, *rebroken):
        rows += [values(at) for at in way.breaks[: max(way.joined + FURTHER, 2)]]
        ends.append(len(rows))
    joined = [way.joined for way in (*labelled, *rebroken)]
    return Table(np.array(rows), np.array(ends), np.array(joined), np.array(counts))


def _weight(way: Way) -> float:
    stratum = way.window.get("stratum", "")
    if stratum == "m":
        return MARKED[way.joined > 0]
    return BROKEN if way.joined else STRATA.get(stratum, 1.0)


def loss(weights: Array, data: Table, penalty: Array) -> tuple[float, Array]:
    """The function to minimise, and its gradient; the last weight is the constant."""
    sizes = data.sizes
    starts = data.ends - sizes
    steps = data.values @ weights[:-1] + weights[-1]
    total = np.cumsum(steps)
    odds = total - np.repeat(total[starts] - steps[starts], sizes)
    most = np.maximum(np.maximum.reduceat(odds, starts), 0)
    shares = np.exp(odds - np.repeat(most, sizes))
    whole = np.exp(-most) + np.add.reduceat(shares, starts)
    right = np.where(data.joined > 0, odds[starts + np.maximum(data.joined, 1) - 1], 0.0)
    lost = float((data.counts * (most + np.log(whole) - right)).sum() + (penalty * weights[:-1] ** 2).sum() / 2)
    slope = shares / np.repeat(whole, sizes)
    gone_on = np.flatnonzero(data.joined)
    slope[starts[gone_on] + data.joined[gone_on] - 1] -= 1
    slope *= np.repeat(data.counts, sizes)
    summed = np.cumsum(slope)
    behind = np.repeat(summed[data.ends - 1], sizes) - summed + slope
    return lost, np.append(data.values.T @ behind + penalty * weights[:-1], behind.sum())


def fitted(data: Table, penalty: Array, start: Array | None = None, most: int = 500) -> Array:
    """The weights, the constant last, after at most `most` steps from `start`."""
    begin = np.zeros(data.values.shape[1] + 1) if start is None else start
    options = {"maxiter": most, "maxfun": 2 * most}
    return np.asarray(minimize(loss, begin, (data, penalty), "L-BFGS-B", jac=True, options=options).x)


def chosen(data: Table) -> Array:
    """The features that an L1 penalty on their weights leaves."""
    often = (data.values != 0).sum(0) >= FEWEST
    penalty = np.where(often, RIDGE, 1e6)
    weights = fitted(data, penalty)
    for _ in range(ROUNDS):
        penalty = np.where(often, LASSO / (np.abs(weights[:-1]) + NEAR_ZERO), 1e6)
        weights = fitted(data, penalty, weights)
    return np.asarray(often & (np.abs(weights[:-1]) > GONE))


def fit(data: Table) -> Array:
    """The weights of all features, 0 for those that are left out, and the constant."""
    kept = chosen(data)
    held = data._replace(values=data.values[:, kept])
    some = fitted(held, np.full(int(kept.sum()), RIDGE))
    weights = np.zeros(len(kept) + 1)
    weights[:-1][kept], weights[-1] = some[:-1], some[-1]
    return weights


def _hash(path: Path) -> str:
    """The beginning of the SHA-256 of a file, or of all files in a folder."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return "sha256 " + hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def main() -> None:
    """Writes the weights, and prints the rows of the table that have none."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labelled", nargs="+")
    parser.add_argument("--rebroken", action="append", default=[])
    parser.add_argument("--output", type=Path, default=FILE, help="the file to write; default: the package's own")
    given = parser.parse_args()
    data = table(ways(given.labelled), ways(given.rebroken))
    weights = fit(data)
    examples = (data.values != 0).sum(0)
    training = {Path(path).name: _hash(Path(path)) for path in (*given.labelled, *given.rebroken)}
    training["windows"], training["breaks"] = str(len(data.ends)), str(len(data.values))
    rows = [
        {"feature": name, "log_odds": round(float(weight), 3), "examples": int(count)}
        for name, weight, count in zip(names(), weights, examples, strict=False)
        if weight
    ]
    written = {
        "made_by": "tests/joining/fit.py",
        "training": training,
        "constant": round(float(weights[-1]), 3),
        "features": sorted(rows, key=itemgetter("log_odds"), reverse=True),
    }
    given.output.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    print(f"{len(rows)} features; without weight:")
    print(*(name for name, weight in zip(names(), weights, strict=False) if not weight), sep="\n")


if __name__ == "__main__":
    main()
