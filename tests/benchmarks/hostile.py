"""Measures how much time hostile texts take, and how that time grows with their length.

    python tests/benchmarks/hostile.py [--check] [RECIPES.jsonl [LENGTH]]

Prints a row for each recipe: the slowest of `OPTIONS`; the microseconds of processor time that `extract` takes for a
code point with it; and the ratio of the time for 2 * LENGTH code points to that for LENGTH (2 if linear, 4 if
quadratic). Ratios of times of a few milliseconds are not reliable. With `--check` the exit status is 1 if a text takes
longer than `BOUND`, and the recipe is named.
"""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path
from time import process_time

from urlglean.text.extract import Extractor

RECIPES = Path(__file__).parent.parent.parent / "corpus" / "hostile" / "recipes.jsonl"
LENGTH = 200_000
BOUND = 5.0
"""Microseconds of processor time for a code point of a long text."""

USUAL = partial(Extractor, "current", "likely", invalid=True)
OPTIONS = {
    "": (USUAL(), ""),
    "delsp": (USUAL(), "delsp"),
    "flowed": (USUAL(), "flowed"),
    "hosts": (USUAL(schemes=("x", "doi"), bare_hosts=True), ""),
    "rfc1738": (Extractor("rfc1738", "likely", invalid=True), ""),
    "early": (Extractor("early", "likely", invalid=True), ""),
    "web": (Extractor("web", "likely", invalid=True), ""),
    "web-hosts": (Extractor("web", "likely", invalid=True, schemes=("x", "doi"), bare_hosts=True), ""),
    "evident": (Extractor("current", "evident", invalid=True), ""),
    "never": (Extractor("current", "never", invalid=True), ""),
    "strict": (Extractor("current", "likely", invalid=True, strict=True), ""),
}
"""By name: an extractor, and the kind of flowed text."""


def seconds(recipe: dict[str, str], length: int, options: str) -> float:
    """The processor time, in seconds, for a recipe's text of about `length` code points."""
    text = recipe["before"] + recipe["repeat"] * (length // len(recipe["repeat"])) + recipe["after"]
    extractor, flowed = OPTIONS[options]
    begun = process_time()
    extractor(text, flowed)  # type: ignore[arg-type]
    return process_time() - begun


def main() -> None:
    """Prints a row for each recipe."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipes", nargs="?", type=Path, default=RECIPES)
    parser.add_argument("length", nargs="?", type=int, default=LENGTH)
    parser.add_argument("--check", action="store_true", help="exit status 1 if a text takes too long")
    asked = parser.parse_args()
    _, *recipes = map(json.loads, asked.recipes.read_text(encoding="utf-8").splitlines())
    missed = []
    print(f"{'':42} {'options':>8} {'us/char':>8}  ratio")
    for recipe in recipes:
        once, options = max((seconds(recipe, asked.length, options), options) for options in OPTIONS)
        twice = seconds(recipe, 2 * asked.length, options)
        each = min(once / asked.length, twice / asked.length / 2) * 1e6
        print(f"{recipe['name']:42} {options:>8} {each:8.2f}  {twice / max(once, 1e-9):5.1f}", flush=True)
        missed += [recipe["name"]] if each > BOUND else []
    if asked.check and missed:
        raise SystemExit("\n".join(f"takes too long: {name}" for name in missed))


if __name__ == "__main__":
    main()
