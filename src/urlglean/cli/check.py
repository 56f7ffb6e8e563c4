"""`urlglean check`: judges URLs by a dialect."""

from __future__ import annotations

import sys

import click

from urlglean.cli.common import FOUND, NONE_FOUND, at_terminal, dialect_option, endings, stdout
from urlglean.output import jsonl, verdicts
from urlglean.records import Dialect
from urlglean.text.judge import validate

_COLOURS = {"valid": "green", "invalid": "red", "ruler": "red", "caution": "yellow"}


def _painted(text: str, what: str) -> str:
    return click.style(text, fg=_COLOURS[what], bold=True)


@click.command(short_help="Judge URLs given as arguments.")
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@dialect_option
@click.option("--format", "format_name", type=click.Choice(("text", "jsonl")), default="text", show_default=True)
def check(urls: tuple[str, ...], dialect: Dialect, format_name: str) -> None:
    """Judge each URL. Prints the parts and cautions of a valid one, or the places where it breaks a rule.

    Exit status: 0 if all are valid, 1 if one is not.
    """
    all_valid = True
    with endings(), stdout() as rows:
        for url in urls:
            verdict = validate(url, dialect=dialect)
            all_valid = all_valid and verdict.valid
            if format_name == "jsonl":
                rows.write(jsonl.verdict_line(url, verdict))
            else:
                paint = _painted if at_terminal() else verdicts.unpainted
                rows.writelines(f"{line}\n".encode() for line in verdicts.lines(url, verdict, dialect, paint))
    sys.exit(FOUND if all_valid else NONE_FOUND)
