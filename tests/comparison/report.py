"""The results of a comparison as Markdown: how much was read, the tools, the shapes, and a sample of each shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from comparison.peers import Peer, Running
from comparison.tally import Drawn, Tally
from urlglean.output.text import printable

LONGEST_SHOWN = 500
"""The most characters of a stretch of text that a sample shows."""


def summary(read: Mapping[str, int], running: Mapping[Peer, Running], tally: Tally) -> Iterator[str]:
    """How much was read, then a line for each tool: what it finds, and how often a user gets the same URLs as ours."""
    yield "; ".join(f"{number:,} {what}" for what, number in read.items() if number)
    yield ""
    yield "| tool | version | URLs | places alike | places otherwise | texts it gave up |"
    yield "|---|---|--:|--:|--:|--:|"
    for peer, run in running.items():
        otherwise = sum(number for (_, name), number in tally.by_peer.items() if name == peer.name)
        numbers = (tally.found[peer.name], tally.alike[peer.name], otherwise, tally.given_up[peer.name])
        yield f"| {peer.name} | {run.version} | " + " | ".join(f"{number:,}" for number in numbers) + " |"


def shapes(tally: Tally, peers: Sequence[Peer]) -> Iterator[str]:
    """A line for each shape: at how many places it is, how many of these are distinct, and how many each tool has."""
    yield "| shape | places | unlike | " + " | ".join(peer.name for peer in peers) + " |"
    yield "|---|" + "--:|" * (2 + len(peers))
    for shape in tally.shapes():
        numbers = [tally.places[shape], tally.distinct(shape), *(tally.by_peer[shape, peer.name] for peer in peers)]
        yield f"| {shape} | " + " | ".join(f"{number:,}" for number in numbers) + " |"


def samples(tally: Tally) -> Iterator[str]:
    """Each shape with its sample, for a person to read."""
    for shape in tally.shapes():
        drawn = tally.sample(shape)
        if drawn:
            yield f"## {shape}: {len(drawn)} of {tally.distinct(shape):,}"
        for number, one in enumerate(drawn, 1):
            yield ""
            yield f"{number}. {one.place} ({', '.join(one.peers)})"
            yield f"    ours:  {_urls(one.ours)}"
            yield f"    other: {_urls(one.other)}"
            yield from (f"    | {printable(line)}" for line in _lines(one))
        yield ""


def _urls(urls: Sequence[str]) -> str:
    return "  ".join(_shortened(printable(url)) for url in urls) or "-"


def _lines(one: Drawn) -> list[str]:
    """The text around a disagreement, line by line, with the place in brackets; several blank lines become one."""
    lines = f"{one.before}⟦{_shortened(one.within)}⟧{one.behind}".splitlines()
    return [line for line, above in zip(lines, ["", *lines], strict=False) if line.strip() or above.strip()]


def _shortened(text: str) -> str:
    half = LONGEST_SHOWN // 2
    return text if len(text) <= LONGEST_SHOWN else f"{text[:half]} … {text[-half:]}"
