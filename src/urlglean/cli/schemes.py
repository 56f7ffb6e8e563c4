"""`urlglean schemes`: lists the schemes that each dialect knows, with their sources."""

from __future__ import annotations

import click

from urlglean.cli.common import endings, stdout
from urlglean.grammar.dialect_tables import DIALECTS
from urlglean.output import schemes as rows


@click.command(short_help="List the schemes that have a grammar.")
@click.option("--dialect", type=click.Choice(tuple(DIALECTS)), help="The only dialect to list; without it, all.")
@click.option("--format", "format_name", type=click.Choice(("text", "jsonl")), default="text", show_default=True)
def schemes(dialect: str | None, format_name: str) -> None:
    """List the schemes that have a grammar of their own, with its source and the rules that are checked beyond it.

    Exit status: 0 if the list could be written, 2 for wrong arguments.
    """
    with endings(), stdout() as out:
        if format_name == "jsonl":
            out.writelines(rows.jsonl_lines(dialect))
        else:
            out.writelines(f"{line}\n".encode() for line in rows.lines(dialect))
