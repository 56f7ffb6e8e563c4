"""Measures how the time to read a hostile text grows with its length.

    python tests/benchmarks/hostile.py [RECIPES.jsonl [LENGTH]]

Prints for each recipe the seconds (of this process, not of the clock) that `extract` takes at LENGTH characters and at
twice as many, and their ratio: 2 is linear, 4 quadratic. Times of a few milliseconds say nothing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import process_time

from urlglean import extract

RECIPES = Path(__file__).parent.parent.parent / "corpus" / "hostile" / "recipes.jsonl"
LENGTH = 1_000_000


def seconds(recipe: dict[str, str], length: int) -> float:
    """How long a recipe's text of that length takes: the shorter of two runs, for the first finds no memory ready."""
    text = recipe["before"] + recipe["repeat"] * (length // len(recipe["repeat"])) + recipe["after"]
    times = []
    for _ in range(2):
        begun = process_time()
        extract(text)
        times.append(process_time() - begun)
    return min(times)


def main() -> None:
    """Prints a row for each recipe."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else RECIPES
    length = int(sys.argv[2]) if len(sys.argv) > 2 else LENGTH
    _, *recipes = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    print(f"{'':30} {length:>10,} {2 * length:>10,}  ratio")
    for recipe in recipes:
        once, twice = seconds(recipe, length), seconds(recipe, 2 * length)
        print(f"{recipe['name']:30} {once:8.3f} s {twice:8.3f} s  {twice / max(once, 1e-9):5.1f}", flush=True)


if __name__ == "__main__":
    main()
