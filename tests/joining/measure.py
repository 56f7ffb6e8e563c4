"""Measures how bare URLs at line ends are read, on labelled windows that were not used to fit the weights.

    python tests/joining/measure.py LABELLED... [--rebroken REBROKEN.jsonl] [--by source|host] [--test FILE] [-v]

The windows are split by source, or by host (near-duplicates have the same host). For each part, features are chosen and
weights are fitted on all other parts, and `urlglean.extract` reads the part's windows with them. `--as-is` reads all
windows with the weights in the package; use it for windows that were in no fit.

The script prints three shares: the broken URLs that were read exactly, the joins that are right, and the URLs ending
their line that were read exactly. It prints them for all windows and by source, and then the calibration of
`Finding.confidence` in ten bins. `--removal` prints instead, for each feature, how much log-likelihood the right paths
of the windows left out lose without it.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import fit
import msgspec
import numpy as np
from windows import Way, Window, way_of, windows

from urlglean import Finding, extract
from urlglean.text.joining import weights

HOST_PARTS = 10
_FEWEST_OF_A_PART = 100
_A_FEW = 8
"""The number of steps of a fit that starts with the weights with a feature and leaves it out."""
_HOST = re.compile(r"[a-z]+:/*([^/:?#\s]*)", re.IGNORECASE)


class Outcome(NamedTuple):
    """A window, the finding at its URL's place, and whether that is right."""

    window: Window
    finding: Finding | None

    @property
    def right(self) -> bool:
        """Whether the finding is one of the accepted readings."""
        return self.finding is not None and self.finding.url in self.window["accept"]


def read(window: Window) -> Outcome:
    """Reads a window as the package does."""
    found = (each for each in extract(window["text"]) if each.span.start <= window["at"] < each.span.end)
    return Outcome(window, next(found, None))


def part_of(window: Window, by: str) -> str:
    """The part that a window belongs to."""
    if by == "source":
        return str(window["source"])
    host = _HOST.match(window["text"], window["at"])
    return str(zlib.crc32(host[1].lower().encode()) % HOST_PARTS) if host else ""


def use(values: fit.Array) -> None:
    """Makes the package read with these weights from now on."""
    rows = tuple(
        weights.Weight(name, float(value), 0) for name, value in zip(fit.names(), values[:-1], strict=True) if value
    )
    held = weights.Weights("tests/joining/measure.py", {}, float(values[-1]), rows)
    with tempfile.NamedTemporaryFile(suffix=".json", delete=False) as file:
        file.write(msgspec.json.encode(held))
    weights.FILE = Path(file.name)
    weights.weights.cache_clear()
    weights.scale.cache_clear()
    weights.weights()
    weights.FILE.unlink()


def left_out(
    labelled: Sequence[Window], rebroken: Sequence[Way], tested: Sequence[Window], by: str
) -> Iterator[list[Outcome]]:
    """The outcomes of each part. Its windows, and windows rebroken from its mail, are not in the fit that reads it."""
    seen = [way for window in labelled if (way := way_of(window)) is not None]
    for part in sorted({part_of(window, by) for window in tested}):
        others = [way for way in seen if part_of(way.window, by) != part]
        broken = [way for way in rebroken if part_of(way.window, by) != part]
        use(fit.fit(fit.table(others, broken)))
        yield [read(window) for window in tested if part_of(window, by) == part]


def shares(outcomes: Sequence[Outcome]) -> str:
    """The three shares, each with its numerator and denominator."""
    broken = [each.right for each in outcomes if each.window["joined"]]
    joins = [each.right for each in outcomes if each.finding is not None and each.finding.joins]
    whole = [each.right for each in outcomes if not each.window["joined"]]
    return "   ".join(
        f"{name} {sum(held) / max(len(held), 1):.3f} ({sum(held)}/{len(held)})"
        for name, held in (("broken", broken), ("joins right", joins), ("whole", whole))
    )


def calibration(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The reliability table, and the expected calibration error below it."""
    found = [(each.finding.confidence, each.right) for each in outcomes if each.finding is not None]
    error = 0.0
    yield "| confidence | findings | mean | right |"
    yield "|---|--:|--:|--:|"
    for low in range(10):
        held = [pair for pair in found if low / 10 < pair[0] <= (low + 1) / 10]
        if held:
            mean, right = (sum(column) / len(held) for column in zip(*held, strict=True))
            error += abs(mean - right) * len(held) / len(found)
            yield f"| {low / 10:.1f} to {(low + 1) / 10:.1f} | {len(held)} | {mean:.3f} | {right:.3f} |"
    yield f"expected calibration error {error:.4f}"


def removal(labelled: Sequence[Window], rebroken: Sequence[Way], by: str) -> Iterator[str]:
    """For each feature in use, the log-likelihood that the windows left out lose without it."""
    seen = [way for window in labelled if (way := way_of(window)) is not None]
    data = fit.table(seen, rebroken)
    used = {weight.feature for weight in weights.weights().features}
    kept = np.array([name in used for name in fit.names()])
    data = data._replace(values=data.values[:, kept])
    sizes = Counter(part_of(way.window, by) for way in seen)
    found = (part_of(way.window, by) for way in (*seen, *rebroken))
    parts = np.array([part if sizes[part] >= _FEWEST_OF_A_PART else "the others" for part in found])
    labelled_rows = np.arange(len(parts)) < len(seen)
    ridge = np.full(int(kept.sum()), fit.RIDGE)
    splits = []
    for part in sorted(set(parts[labelled_rows])):
        training = data.of(np.flatnonzero(parts != part))
        testing = data.of(np.flatnonzero((parts == part) & labelled_rows))
        splits.append((training, testing, fit.fitted(training, ridge)))

    def lost(without: int | None) -> float:
        total = 0.0
        for training, testing, start in splits:
            heavy = ridge.copy()
            if without is not None:
                heavy[without] = 1e9
            found = fit.fitted(training, heavy, start, _A_FEW)
            total += fit.loss(found, testing, ridge * 0)[0]
        return total

    whole = lost(None)
    yield f"all: {whole:.2f}"
    names = [name for name, held in zip(fit.names(), kept, strict=True) if held]
    for name, loss in sorted(((name, lost(at) - whole) for at, name in enumerate(names)), key=lambda pair: -pair[1]):
        yield f"{loss:+8.2f}  {name}"


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labelled", nargs="+")
    parser.add_argument("--rebroken", action="append", default=[])
    parser.add_argument("--by", choices=("source", "host"), default="source")
    parser.add_argument("--test", help="measure only the windows of this file; fit on the others")
    parser.add_argument("--as-is", action="store_true")
    parser.add_argument("--removal", action="store_true")
    parser.add_argument("-v", "--verbose", action="store_true", help="print each window that was misread")
    given = parser.parse_args()
    held = list(windows(given.labelled))
    broken = [way for window in windows(given.rebroken) if (way := way_of(window)) is not None]
    if given.removal:
        for line in removal(held, broken, given.by):
            print(line, flush=True)
        return
    tested = list(windows([given.test])) if given.test else held
    if given.as_is:
        outcomes = [read(window) for window in tested]
    else:
        outcomes = [outcome for part in left_out(held, broken, tested, given.by) for outcome in part]
    by_source: dict[str, list[Outcome]] = defaultdict(list)
    for each in outcomes:
        by_source[str(each.window["source"])].append(each)
    for source, some in sorted(by_source.items()):
        print(f"{source:30} {shares(some)}")
    print(f"{'all':30} {shares(outcomes)}")
    print(*calibration(outcomes), sep="\n")
    for each in outcomes if given.verbose else ():
        if not each.right:
            print(f"--- {each.window['id']}: wanted {each.window['accept']}\n{each.finding and each.finding.url}")


if __name__ == "__main__":
    main()
