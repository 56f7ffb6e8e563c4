"""Runs urlglean beside other finders of URLs over mail, and sorts the places where they disagree by shape.

    python tests/compare.py PATH... [--sample N] [--seed N] [--bare] [--without TOOL] > DISAGREEMENTS.md

PATH is anything that urlglean scans: folders of messages, mailboxes, spools, archives. The script prints what each tool
found, the number of disagreements of each shape, and a sample of each shape with the text around. Read the samples: the
counts do not say which tool is right. The same input and seed give the same output. Memory holds only the counts and
the samples, however much mail there is. The output contains other people's mail.

Every tool is set to find URLs that have a scheme. URLs that a tool never looks for are not counted as missed. If a tool
is not installed, a message on stderr says how to get it, and the other tools are run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from comparison import reading, report
from comparison.filters import MissingError
from comparison.pairing import agree, disagreements, groups
from comparison.peers import PEERS, Peer, Running
from comparison.records import Found
from comparison.tally import Tally
from urlglean.pipeline.glean import cause_of


def started(peers: Iterable[Peer], *, bare: bool) -> dict[Peer, Running]:
    """The peers that can be run here; the others are named on stderr."""
    running = {}
    for peer in peers:
        try:
            running[peer] = peer.start(bare=bare)
        except MissingError as why:
            print(f"{peer.name} is left out: {why} (to get it: {peer.install})", file=sys.stderr)
    return running


def compare(texts: Iterable[reading.Text], running: Mapping[Peer, Running], tally: Tally) -> None:
    """Compares every tool's URLs with ours, text by text, and counts the disagreements.

    If a tool fails at a text, stderr names the tool, and the text is left out for that tool only.
    """
    ours = reading.Ours()
    for part, place in texts:
        mine = ours.find(part)
        theirs: dict[Peer, Sequence[Found]] = {}
        for peer, run in running.items():
            try:
                theirs[peer] = found = run.find(part.text)
            except Exception as error:  # noqa: BLE001  its other texts can still be read
                tally.given_up[peer.name] += 1
                print(f"{peer.name} gave up {place}: {cause_of(error)}", file=sys.stderr)
                continue
            tally.found[peer.name] += len(found)
            tally.alike[peer.name] += sum(map(agree, groups(mine, found)))
        for case, peers in disagreements(part.text, mine, theirs, partial(ours.rejects, part)).items():
            tally.see(case, peers, place)


def main(arguments: Sequence[str] | None = None, peers: Sequence[Peer] = PEERS) -> int:
    """Prints the comparison with these tools; the exit status is 1 if none of them is installed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file or a folder")
    parser.add_argument("--sample", type=int, default=10, metavar="N", help="the size of the sample of each shape")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the sample")
    parser.add_argument("--bare", action="store_true", help="let the other tools find hosts without a scheme as well")
    names = [peer.name for peer in peers]
    parser.add_argument("--without", action="append", default=[], choices=names, metavar="TOOL", help="leave one out")
    options = parser.parse_args(arguments)
    running = started((peer for peer in peers if peer.name not in options.without), bare=options.bare)
    if not running:
        print("there is nothing to compare with", file=sys.stderr)
        return 1
    read = reading.read(options.paths, bare=options.bare)
    tally = Tally(options.sample, options.seed)
    compare(read.texts, running, tally)
    for lines in (
        report.summary(read.counts, running, tally),
        report.shapes(tally, list(running)),
        report.samples(tally),
    ):
        for line in lines:
            print(line)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
