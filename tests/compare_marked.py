"""Compares urlglean with other finders of URLs, on the marked texts and on simulated mail, as a Markdown table.

    python tests/compare_marked.py [CASES]

A marked text is read exactly if the URLs found are the marked ones in their order, and no others; a simulated text if
its URL is among those found. CASES is the number of simulated texts of each kind. Each tool is set to find only URLs
with schemes, because only those are marked. The texts were written for what urlglean is meant to do, which the other
tools never promised. So the shares do not say how good the others are at their own task; `compare.py` compares that, on
real mail. Tools that are not installed are named below the table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import simulator
import urlglean
from comparison.filters import MissingError
from comparison.peers import PEERS

TEXTS = Path(__file__).parent.parent / "corpus" / "texts"
SEED = 1

Find = Callable[[str], list[str]]
"""Returns the URLs in a text, in text order."""


class Case(NamedTuple):
    """A text, and a function that says whether a list of URLs is right for it."""

    kind: str
    text: str
    is_exact: Callable[[list[str]], bool]


def ours(text: str) -> list[str]:
    """The URLs that urlglean finds."""
    return [finding.url for finding in urlglean.extract(text)]


def tools() -> Iterator[tuple[str, Find | MissingError]]:
    """The tools: first urlglean, then every peer, or the reason why it is missing."""
    yield "urlglean", ours
    for peer in PEERS:
        try:
            find = peer.start(bare=False).find
        except MissingError as why:
            yield peer.name, why
        else:
            yield peer.name, lambda text, find=find: [found.url for found in find(text)]  # type: ignore[misc]


def cases(count: int) -> Iterator[Case]:
    """The marked texts, then `count` simulated ones of each kind.

    Flowed texts are left out, because a header says that they are flowed and the other tools do not read it. So
    are texts that need options, such as further schemes.
    """
    for path in sorted(TEXTS.glob("*.txt")):
        head, *marks = map(json.loads, path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines())
        if head.keys().isdisjoint({"flowed", "schemes", "bare_hosts"}):
            yield Case("marked texts", path.read_bytes().decode(), [mark["url"] for mark in marks].__eq__)
    for kind in simulator.KINDS:
        for made in simulator.cases(kind, count, SEED):
            yield Case(kind, made.text, lambda found, url=made.url: url in found)  # type: ignore[misc]


def shares(find: Find, held: Sequence[Case]) -> dict[str, float]:
    """The share of the cases of each kind that a tool reads exactly."""
    exact: dict[str, list[bool]] = {}
    for case in held:
        exact.setdefault(case.kind, []).append(case.is_exact(find(case.text)))
    return {kind: sum(each) / len(each) for kind, each in exact.items()}


def table(named: Mapping[str, Find | MissingError], held: Sequence[Case]) -> Iterator[str]:
    """The lines of the table, then one line for each tool that is missing."""
    counts = {kind: sum(case.kind == kind for case in held) for kind in dict.fromkeys(case.kind for case in held)}
    yield "| read exactly | " + " | ".join(f"{kind} ({count})" for kind, count in counts.items()) + " |"
    yield "|---|" + "--:|" * len(counts)
    for name, find in named.items():
        if not isinstance(find, MissingError):
            row = shares(find, held)
            yield f"| {name} | " + " | ".join(f"{row[kind]:.1%}" for kind in counts) + " |"
    yield from (f"{name} left out: {why}" for name, why in named.items() if isinstance(why, MissingError))


def main() -> None:
    """Prints the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    for line in table(dict(tools()), list(cases(count))):
        print(line)


if __name__ == "__main__":
    main()
