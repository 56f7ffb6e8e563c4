"""Finds the places of a text where two tools disagree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from comparison.peers import Peer
from comparison.records import Disagreement, Found

Group = tuple[tuple[Found, ...], tuple[Found, ...]]
"""Our URLs and the other tool's that overlap each other."""


def groups(ours: Sequence[Found], other: Sequence[Found]) -> Iterator[Group]:
    """Groups the URLs of both tools, in text order.

    URLs that overlap, directly or through a third, are in one group.
    """
    here: Group = ((), ())
    end = 0
    for found, is_ours in sorted([(one, True) for one in ours] + [(one, False) for one in other]):
        if found.start >= end and any(here):
            yield here
            here = ((), ())
        here = ((*here[0], found), here[1]) if is_ours else (here[0], (*here[1], found))
        end = max(end, found.end)
    if any(here):
        yield here


def agree(group: Group) -> bool:
    """Whether a user gets the same strings from both tools."""
    ours, other = group
    return [found.url for found in ours] == [found.url for found in other]


def disagreements(
    text: str,
    ours: Sequence[Found],
    theirs: Mapping[Peer, Sequence[Found]],
    rejects: Callable[[], Sequence[tuple[int, int, str]]],
) -> dict[Disagreement, list[Peer]]:
    """The places where peers find other URLs than ours, each with the peers that find the same URLs there.

    A URL that a peer does not find is a disagreement only if the peer looks for URLs of that scheme.

    Args:
        text: the text.
        ours: what urlglean finds in it.
        theirs: what each peer finds in it.
        rejects: gives the stretches that urlglean refused, start and end with the code of its first problem; it is
            asked where a peer finds something of which ours has nothing.
    """
    held: dict[Disagreement, list[Peer]] = {}
    refused: Sequence[tuple[int, int, str]] | None = None
    for peer, found in theirs.items():
        for group in groups(ours, found):
            mine, other = group
            if agree(group) or not (other or any(peer.looks_for(one.url) for one in mine)):
                continue
            code = ""
            if not mine:
                refused = rejects() if refused is None else refused
                start, end = other[0].start, other[-1].end
                code = next((code for first, last, code in refused if first < end and start < last), "")
            held.setdefault(Disagreement(text, mine, other, code), []).append(peer)
    return held
