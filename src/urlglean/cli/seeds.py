"""`urlglean seeds`: lists the URLs of a catalogue for a crawler."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import click

from urlglean.archive.database import catalogue
from urlglean.archive.seed_rules import RULES, Seed
from urlglean.archive.seeds import FORMATS, Selection, judged
from urlglean.cli.common import (
    FOUND,
    NONE_FOUND,
    a_date,
    endings,
    refused_contradictions,
    scheme_names,
    stdout,
    tell_unfinished,
)
from urlglean.cli.values import TEXT, NumberType, PathType


@click.command(short_help="List the URLs of a catalogue for a crawler.")
@click.argument("db", type=PathType(path_type=Path), metavar="DB")
@click.option(
    "--least",
    type=NumberType(0, 1),
    default=0.5,
    show_default=True,
    metavar="P",
    help="The least confidence: that of the surest place where the URL was found.",
)
@click.option(
    "--scheme",
    "schemes",
    multiple=True,
    metavar="NAME",
    callback=scheme_names,
    help="Only this scheme; can be given several times.",
)
@click.option(
    "--host",
    "hosts",
    multiple=True,
    type=TEXT,
    metavar="GLOB",
    help="Only hosts like this, such as '*.example.org'; can be given several times.",
)
@click.option(
    "--domain",
    "domains",
    multiple=True,
    type=TEXT,
    metavar="NAME",
    help="Only this registered domain; can be given several times.",
)
@click.option(
    "--newsgroup",
    "newsgroups",
    multiple=True,
    type=TEXT,
    metavar="GLOB",
    help="Only what was posted in groups like this; can be given several times.",
)
@click.option("--since", callback=a_date, metavar="DATE", help="Only URLs seen in this year, month or day or later.")
@click.option("--until", callback=a_date, metavar="DATE", help="Only URLs seen until the end of it.")
@click.option(
    "--seen",
    type=click.Choice(("first", "last")),
    default="first",
    show_default=True,
    help="Whether --since and --until ask when a URL was seen first or last.",
)
@click.option("--all", "everything", is_flag=True, help="List what a crawler should not fetch too.")
@click.option("--format", "format_name", type=click.Choice(tuple(FORMATS)), default="text", show_default=True)
def seeds(
    *,
    db: Path,
    least: float,
    schemes: tuple[str, ...],
    hosts: tuple[str, ...],
    domains: tuple[str, ...],
    newsgroups: tuple[str, ...],
    since: str,
    until: str,
    seen: Literal["first", "last"],
    everything: bool,
    format_name: str,
) -> None:
    """List the URLs of a catalogue for a crawler, one a line, as a browser writes them, each once.

    What a crawler should not fetch is left out: passwords, hosts that are not public, mailto and the like. How many
    were left out, and why, is told on stderr.

    Exit status: 0 if a URL was listed, 1 if none was, 2 if the catalogue cannot be read.
    """
    with refused_contradictions():
        selection = Selection(
            least=least,
            schemes=schemes,
            hosts=hosts,
            domains=domains,
            newsgroups=newsgroups,
            since=since,
            until=until,
            seen=seen,
            everything=everything,
        )
    left_out: Counter[str] = Counter()
    listed = 0

    def kept() -> Iterator[Seed]:
        nonlocal listed
        for seed, rule in judged(connection, selection):
            if rule is None:
                listed += 1
                yield seed
            else:
                left_out[rule.name] += 1

    with endings(), catalogue(db, whole=True) as connection, stdout() as out:
        tell_unfinished(db, connection)
        out.writelines(line.encode() for line in FORMATS[format_name](kept()))
    click.echo(_summary(listed, left_out), err=True)
    sys.exit(FOUND if listed else NONE_FOUND)


def _summary(listed: int, left_out: Counter[str]) -> str:
    """The line of counts at the end: the seeds, and what was left out, by rule."""
    said = [f"{left_out[rule.name]:,} {rule.meaning} ({rule.name})" for rule in RULES if left_out[rule.name]]
    urls = "1 URL" if listed == 1 else f"{listed:,} URLs"
    return f"urlglean: {urls}; left out: {', '.join(said) or 'none'}"
