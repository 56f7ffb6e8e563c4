"""`urlglean pick`: the links of a message, to choose from on the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import click

from urlglean.cli.common import (
    FOUND,
    NONE_FOUND,
    dialect_option,
    endings,
    joins_option,
    scheme_option,
    stdout,
    strict_option,
    www_option,
)
from urlglean.cli.reading import kind_option
from urlglean.cli.streams import TROUBLE
from urlglean.cli.values import PathType
from urlglean.errors import UrlgleanError
from urlglean.output.text import place, printable
from urlglean.pick.links import MOST, Links
from urlglean.pick.opening import opened as opened_by_browser
from urlglean.pick.picker import Picker
from urlglean.pipeline.glean import glean
from urlglean.pipeline.inputs import opened
from urlglean.pipeline.limits import GivenUpError, Limits, limited
from urlglean.pipeline.options import Options
from urlglean.records import STDIN, Dialect, Document, Joins, Trouble
from urlglean.sources import Skipped, unbundled
from urlglean.sources.items import is_missed

_TERMINAL = "/dev/tty"
"""The terminal of the process, whatever its standard streams are (POSIX, Base Definitions 10.1)."""


@click.command(short_help="Choose from the links of a message, and open them.")
@click.argument("file", default=STDIN, type=PathType(allow_dash=True, readable=False), metavar="[FILE|-]")
@dialect_option
@joins_option
@strict_option
@scheme_option
@www_option
@kind_option
def pick(
    *, file: str, dialect: Dialect, joins: Joins, strict: bool, schemes: tuple[str, ...], www: bool, kind: str | None
) -> None:
    """Show the links of FILE, or of stdin for "-" or no FILE, to choose from. The keys come from the terminal.

    Type to filter. The arrow keys select; Enter opens the link by $BROWSER, xdg-open or another browser; Tab selects
    another reading of it; Ctrl-Y copies it; Ctrl-O prints it to stdout and leaves; Esc leaves.

    Exit status: 0 if there are links, 1 if there are none, 2 if FILE could not be read completely or there is no
    terminal.
    """
    options = Options(dialect, joins, strict=strict, schemes=schemes, bare_hosts=www, kind=kind)
    if file == STDIN and sys.stdin is not None and sys.stdin.isatty():
        raise click.UsageError("stdin is the terminal: name a FILE, or pipe a message into it.")
    with endings():
        links, troubles = _read(file, options)
        chosen = _chosen(links) if links.all else None
        if chosen is not None:
            with stdout() as page:
                page.write(f"{chosen}\n".encode())
    for trouble in troubles:
        click.echo(f"urlglean: {place(trouble)}: {printable(trouble.cause)}", err=True)
    if not links.all:
        click.echo("urlglean: there is no URL", err=True)
    sys.exit(TROUBLE if troubles else FOUND if links.all else NONE_FOUND)


def _read(file: str, options: Options) -> tuple[Links, list[Trouble]]:
    """The links in a file, and what could not be read completely."""
    links, troubles = Links(), []
    for item in unbundled(opened([file], kind=options.kind)):
        if isinstance(item, Trouble):
            troubles.append(item)
        elif isinstance(item, Skipped) and is_missed(item, [file]):
            troubles.append(Trouble(file, f"left out: {item.cause}"))
        elif isinstance(item, Document):
            try:
                with limited(item, Limits()):
                    (report,) = glean([item], options)
            except GivenUpError as error:
                troubles.append(error.trouble)
                continue
            links.add(report.occurrences)
            troubles += report.troubles
    return links, troubles


@contextmanager
def _terminal() -> Iterator[int]:
    """The descriptor of the terminal, open for reading and writing.

    Raises:
        UrlgleanError: there is none.
    """
    try:
        descriptor = os.open(_TERMINAL, os.O_RDWR | os.O_NOCTTY)
    except OSError as error:
        raise UrlgleanError(f"pick needs a terminal, and there is none ({_TERMINAL}: {error.strerror})") from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _chosen(links: Links) -> str | None:
    """Show the links on the terminal until the screen is left; the URL that is to be printed.

    Raises:
        MissingExtraError: prompt_toolkit is not installed.
        UrlgleanError: there is no terminal.
    """
    from urlglean.pick.screen import shown  # noqa: PLC0415  an extra

    note = f"the first {MOST:,} URLs; {links.left_out:,} findings of others are left out" if links.left_out else ""
    with _terminal() as terminal:
        return shown(Picker(links.all), partial(opened_by_browser, terminal=terminal), terminal, note)
