"""Shared by the commands: exit statuses, stdout for rows, and the options that more than one command has."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EBADF
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from urlglean.cli import INTERRUPTED
from urlglean.cli.streams import TROUBLE, give_up_stdout, unwritten
from urlglean.errors import ContradictionError, DateError, SchemeNameError, UrlgleanError
from urlglean.grammar.dialect_tables import DIALECTS
from urlglean.output.files import named_errors
from urlglean.output.text import printable
from urlglean.records import LEVELS
from urlglean.text.search_terms import search_terms

if TYPE_CHECKING:
    from sqlite3 import Connection

FOUND, NONE_FOUND = 0, 1
"""Exit statuses, the same as those of grep, like `streams.TROUBLE`."""

dialect_option = click.option(
    "--dialect",
    type=click.Choice(DIALECTS),
    default="current",
    show_default=True,
    help="The standard that says what a URL is.",
)

joins_option = click.option(
    "--joins",
    type=click.Choice(LEVELS),
    default="likely",
    show_default=True,
    help="How far to go in joining a bare URL that a line break may have cut.",
)

strict_option = click.option(
    "--strict", is_flag=True, help="Reject URLs that the dialect refuses, even if browsers accept them."
)


def scheme_names(_context: click.Context, _option: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names, in lower case, sorted, each once.

    Raises:
        BadParameter: one of them is not a possible name of a scheme.
    """
    try:
        return tuple(sorted(search_terms(names).schemes))
    except SchemeNameError as error:
        raise click.BadParameter(str(error)) from error


scheme_option = click.option(
    "--scheme",
    "schemes",
    multiple=True,
    metavar="NAME",
    callback=scheme_names,
    help="Look for bare URLs of this scheme too, NAME:... and NAME://...; can be given several times.",
)

www_option = click.option(
    "--www", is_flag=True, help="Read www.host/... and ftp.host/... as URLs whose http:// or ftp:// was left out."
)


def a_date(_context: click.Context, _option: click.Parameter, given: str | None) -> str:
    """A year, a month or a day; "" if none was given.

    Raises:
        BadParameter: it is none.
    """
    from urlglean.pipeline.wanted import check_date  # noqa: PLC0415  `check` does not need what it imports

    if given is None:
        return ""
    try:
        check_date(given)
    except DateError as error:
        raise click.BadParameter(str(error)) from error
    return given


@contextmanager
def refused_contradictions() -> Iterator[None]:
    """A block in which options become a record, which refuses those that contradict each other.

    Raises:
        UsageError: they do.
    """
    try:
        yield
    except ContradictionError as error:
        raise click.UsageError(str(error)) from error


def at_terminal() -> bool:
    """Whether stdout is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


@contextmanager
def stdout() -> Iterator[BinaryIO]:
    """Stdout for rows, flushed at the end.

    Raises:
        OSError: stdout was closed before the process started, or it cannot be written.
    """
    if sys.stdout is None:
        raise OSError(EBADF, "it is closed", "stdout")
    stream = sys.stdout.buffer
    try:
        with named_errors("stdout"):  # every other file names its errors itself
            try:
                yield stream
            finally:
                stream.flush()
    except OSError:
        give_up_stdout()
        raise


def tell_unfinished(path: Path, connection: Connection) -> None:
    """Say so on stderr if the last run of a catalogue has not ended: it does not hold yet all that was asked for.

    Raises:
        sqlite3.Error: the catalogue cannot be read.
    """
    if connection.execute(_LAST_ENDED).fetchone() is None:
        told = "its last run goes on or was interrupted, so it is incomplete: the same `catalog` command continues it"
        click.echo(f"urlglean: {printable(str(path))}: {told}", err=True)


_LAST_ENDED = "SELECT 1 FROM runs WHERE id = (SELECT max(id) FROM runs) AND ended IS NOT NULL"


@contextmanager
def endings(kept: Callable[[], str] = str) -> Iterator[None]:
    """Turn exceptions of the block into a message on stderr and an exit status.

    A closed pipe is success, because its reader needs no more rows. `kept` returns the end of the message if the block
    was broken off: where the rows so far are.
    """
    try:
        yield
    except BrokenPipeError:
        sys.exit(FOUND)
    except KeyboardInterrupt:
        click.echo(f"urlglean: interrupted{kept()}", err=True)
        sys.exit(INTERRUPTED)
    except UrlgleanError as error:
        click.echo(f"urlglean: {printable(str(error))}", err=True)
        sys.exit(TROUBLE)
    except OSError as error:
        click.echo(f"urlglean: {unwritten(error)}{kept()}", err=True)
        sys.exit(TROUBLE)
