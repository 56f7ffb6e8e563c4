"""The option `--color`, and what stdout can show."""

from __future__ import annotations

import os
from typing import BinaryIO, Literal

import click

from urlglean.cli.common import at_terminal
from urlglean.output import FORMATS
from urlglean.output.hyperlinks import knows_links
from urlglean.output.terminal import TerminalRows

When = Literal["auto", "always", "never"]

color_option = click.option(
    "--color",
    "colour",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    show_default=True,
    help="When to colour lines of text on stdout: auto is on a terminal, unless NO_COLOR is set.",
)


def is_coloured(when: When) -> bool:
    """Whether to write colours to stdout. NO_COLOR is that of https://no-color.org: any value but an empty one."""
    if when == "auto":
        return at_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return when == "always"


def is_for_terminal(format_name: str, when: When) -> bool:
    """Whether rows on stdout are made from `Format.terminal`: on a terminal, or with colours."""
    return FORMATS[format_name].terminal is not None and (at_terminal() or is_coloured(when))


def terminal_rows(stream: BinaryIO, when: When) -> TerminalRows:
    """The sink for such rows. Links need a terminal that knows them, and are left out where colours are."""
    live, coloured = at_terminal(), is_coloured(when)
    links = live and coloured and knows_links(os.environ)
    return TerminalRows(stream, grouped=live, coloured=coloured, links=links)
