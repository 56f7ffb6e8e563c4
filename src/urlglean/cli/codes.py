"""`urlglean codes`: lists the codes of problems and cautions, with their meanings and sources."""

from __future__ import annotations

import click

from urlglean.cli.common import endings, stdout
from urlglean.output import codes as rows


@click.command(short_help="List the codes of problems and cautions.")
@click.option("--format", "format_name", type=click.Choice(("text", "jsonl")), default="text", show_default=True)
def codes(format_name: str) -> None:
    """List every code of a problem or a caution, with its source and its meaning.

    Exit status: 0 if the list could be written, 2 for wrong arguments.
    """
    with endings(), stdout() as out:
        if format_name == "jsonl":
            out.writelines(rows.jsonl_lines())
        else:
            out.writelines(f"{line}\n".encode() for line in rows.lines())
