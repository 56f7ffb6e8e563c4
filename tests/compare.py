"""Holds urlglean against other finders of URLs, on the marked texts and on simulated mail, as a Markdown table.

    python tests/compare.py [CASES]

A marked text is read exactly where the URLs found are those marked, no other and in their order; a simulated one where
its URL is among those found. CASES is how many there are of each kind. Each tool is set to find URLs with schemes only,
which is all that is marked. Both were written for what urlglean is to do, which the others never promised: the shares
say what it takes to read such texts, not how good the others are at their own. A tool that is not installed is named
below the table:

    apt-get install liburi-find-perl; pip install linkify-it-py urlextract
"""

from __future__ import annotations

import importlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import simulator
import urlglean

TEXTS = Path(__file__).parent.parent / "corpus" / "texts"
SEED = 1


class MissingError(Exception):
    """A tool that cannot be run here, and why."""


class Case(NamedTuple):
    """A text and what makes a list of URLs the right one."""

    kind: str
    text: str
    is_exact: Callable[[list[str]], bool]


class Tool(NamedTuple):
    """A finder: its name, and the URLs that it finds in each of many texts, in order."""

    name: str
    find: Callable[[Sequence[str]], list[list[str]]]


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingError(str(error)) from error


def ours(texts: Sequence[str]) -> list[list[str]]:
    """By urlglean."""
    return [[finding.url for finding in urlglean.extract(text)] for text in texts]


def pattern(texts: Sequence[str]) -> list[list[str]]:
    """By the pattern that programs have when they have none of this."""
    return [re.findall(r'https?://[^\s<>"]+', text) for text in texts]


def linkify(texts: Sequence[str]) -> list[list[str]]:
    """By linkify-it-py, its guesses at hosts and addresses without a scheme left out."""
    finder = _module("linkify_it").LinkifyIt(options={"fuzzy_link": False, "fuzzy_email": False}).add("//", None)
    return [[match.url for match in finder.match(text) or ()] for text in texts]


def urlextract(texts: Sequence[str]) -> list[list[str]]:
    """By URLExtract, with the list of top-level domains that it brings along."""
    finder = _module("urlextract").URLExtract()
    return [finder.find_urls(text, with_schema_only=True) for text in texts]


_PERL = r"""
use strict; use warnings; use JSON::PP; use URI::Find;
my $json = JSON::PP->new->utf8;
while (my $line = <STDIN>) {
    my $text = $json->allow_nonref->decode($line);
    my @found;
    URI::Find->new(sub { push @found, "$_[0]"; $_[1] })->find(\$text);
    print $json->encode(\@found), "\n";
}
"""


def uri_find(texts: Sequence[str]) -> list[list[str]]:
    """By Perl's URI::Find."""
    perl = shutil.which("perl")
    if perl is None:
        raise MissingError("there is no perl")
    lines = "".join(f"{json.dumps(text)}\n" for text in texts)
    done = subprocess.run([perl, "-e", _PERL], input=lines, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MissingError(done.stderr.partition("\n")[0].partition(" (you may need")[0])
    return [json.loads(line) for line in done.stdout.splitlines()]


PEERS = (
    Tool("Perl's URI::Find", uri_find),
    Tool("linkify-it-py", linkify),
    Tool("URLExtract", urlextract),
)
TOOLS = (
    Tool("urlglean", ours),
    *PEERS,
    Tool('`https?://[^\\s<>"]+`', pattern),
)


def cases(count: int) -> Iterator[Case]:
    """The marked texts, then so many simulated ones of each kind.

    Left out are flowed texts (what they are stands in a header that none of the others asks for), and those for which
    something is asked beside what is always looked for.
    """
    for path in sorted(TEXTS.glob("*.txt")):
        head, *marks = map(json.loads, path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines())
        if head.keys().isdisjoint({"flowed", "schemes", "bare_hosts"}):
            yield Case("marked texts", path.read_bytes().decode(), [mark["url"] for mark in marks].__eq__)
    for kind in simulator.KINDS:
        for made in simulator.cases(kind, count, SEED):
            yield Case(kind, made.text, lambda found, url=made.url: url in found)  # type: ignore[misc]


def shares(tool: Tool, held: Sequence[Case]) -> dict[str, float]:
    """The share of the cases of each kind that a tool reads exactly.

    Raises:
        MissingError: the tool cannot be run here.
    """
    found = tool.find([case.text for case in held])
    exact: dict[str, list[bool]] = {}
    for case, urls in zip(held, found, strict=True):
        exact.setdefault(case.kind, []).append(case.is_exact(urls))
    return {kind: sum(each) / len(each) for kind, each in exact.items()}


def table(tools: Sequence[Tool], held: Sequence[Case]) -> Iterator[str]:
    """The lines of the table, then one for each tool that is missing."""
    counts = {kind: sum(case.kind == kind for case in held) for kind in dict.fromkeys(case.kind for case in held)}
    yield "| read exactly | " + " | ".join(f"{kind} ({count})" for kind, count in counts.items()) + " |"
    yield "|---|" + "--:|" * len(counts)
    missing = []
    for tool in tools:
        try:
            row = shares(tool, held)
        except MissingError as why:
            missing.append(f"{tool.name} left out: {why}")
            continue
        yield f"| {tool.name} | " + " | ".join(f"{row[kind]:.1%}" for kind in counts) + " |"
    yield from missing


def main() -> None:
    """Prints the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    for line in table(TOOLS, list(cases(count))):
        print(line)


if __name__ == "__main__":
    main()
