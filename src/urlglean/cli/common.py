"""Shared by the commands: exit statuses, stdout for rows, and the options that more than one command has."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EBADF
from typing import BinaryIO

import click

from urlglean.cli import INTERRUPTED
from urlglean.errors import SchemeNameError, UrlgleanError
from urlglean.grammar.dialect_tables import DIALECTS
from urlglean.output.text import printable
from urlglean.records import LEVELS
from urlglean.text.search_terms import search_terms

FOUND, NONE_FOUND, TROUBLE = 0, 1, 2
"""Exit statuses, the same as those of grep."""

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


def _scheme_names(_context: click.Context, _option: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names, sorted, each once.

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
    callback=_scheme_names,
    help="Look for bare URLs of this scheme too, NAME:... and NAME://...; can be given several times.",
)

www_option = click.option(
    "--www", is_flag=True, help="Read www.host/... and ftp.host/... as URLs whose http:// or ftp:// was left out."
)


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
        raise OSError(EBADF, "stdout is closed")
    stream = sys.stdout.buffer
    try:
        yield stream
        stream.flush()
    except OSError:
        # The interpreter flushes stdout once more when it exits. That would fail again, so the rest goes to /dev/null.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


@contextmanager
def endings(kept: Callable[[], str] = str) -> Iterator[None]:
    """Turn exceptions of the block into a message on stderr and an exit status.

    A closed pipe is success, because its reader needs no more rows. `kept` returns the end of the message after Ctrl-C:
    where the rows so far are.
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
        click.echo(f"urlglean: cannot write: {printable(str(error))}", err=True)
        sys.exit(TROUBLE)
