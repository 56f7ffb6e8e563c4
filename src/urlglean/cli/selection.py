"""The groups of options of `urlglean scan` that say what to read, what to give and what to tell."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from urlglean.cli.common import a_date, endings, refused_contradictions, scheme_names
from urlglean.cli.grouping import Command, Option, grouped
from urlglean.cli.values import TEXT, PathType
from urlglean.errors import PatternError, UnreadableError
from urlglean.output.files import Target
from urlglean.pipeline.wanted import Wanted
from urlglean.records import STDIN
from urlglean.sources.globs import Globs

_LONGEST_PATH = 1 << 16
"""In octets; systems have less."""

_BLOCK = 1 << 20
"""So many octets of a list of paths are read at a time."""


def _only_schemes(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    names = tuple(name.strip() for each in given for name in each.split(","))
    return scheme_names(context, option, names)


_WANTED: tuple[Option, ...] = (
    click.option(
        "--only-scheme",
        "only_schemes",
        multiple=True,
        metavar="NAME,...",
        callback=_only_schemes,
        help="Print only URLs of these schemes, such as http,https.",
    ),
    click.option(
        "--host",
        "hosts",
        multiple=True,
        type=TEXT,
        metavar="GLOB",
        help="Print only URLs whose host is like this, such as '*.example.org'; can be given several times.",
    ),
    click.option(
        "--newsgroup",
        "newsgroups",
        multiple=True,
        type=TEXT,
        metavar="GLOB",
        help="Read only what was posted in groups like this; can be given several times.",
    ),
    click.option(
        "--message",
        "messages",
        multiple=True,
        type=TEXT,
        metavar="N|ID",
        help="Read only this message of a mailbox: its number, or its Message-ID; can be given several times.",
    ),
    click.option(
        "--since",
        callback=a_date,
        metavar="DATE",
        help="Read only messages of this year, month or day or later, by their Date in UTC.",
    ),
    click.option("--until", callback=a_date, metavar="DATE", help="Read only messages until the end of it."),
    click.option(
        "--header/--no-header",
        " /--body-only",
        default=None,
        help="Search only header fields, or all but them.",
    ),
    click.option(
        "--from-html/--no-html",
        "html",
        default=None,
        help="Search only HTML, its text and its links, or all but HTML.",
    ),
)


def wanted_options(command: Command) -> Command:
    """Add the options that say what to give. The command gets `wanted`."""
    return grouped(command, _WANTED, _wanted)


def _wanted(values: dict[str, Any]) -> dict[str, Any]:
    asked = {name: values.pop(name) for name in Wanted.__struct_fields__ if name != "schemes"}
    with refused_contradictions():
        return {"wanted": Wanted(schemes=values.pop("only_schemes"), **asked)}


class Reading(Struct, frozen=True):
    """What is to be read.

    Attributes:
        paths: all of them: those of the command line, then those of the list; stdin if neither is given.
        globs: which files under them, and members of archives, are read.
        stdin_name: the path of what comes from stdin.
        files_from: the file of the list; None if there is none.
    """

    paths: tuple[str, ...]
    globs: Globs
    stdin_name: str = STDIN
    files_from: str | None = None

    @property
    def names(self) -> frozenset[str]:
        """The paths, by their names in messages."""
        return frozenset(self.stdin_name if path == STDIN else path for path in self.paths)


def _patterns(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """The patterns.

    Raises:
        BadParameter: one of them is none.
    """
    try:
        return Globs(given).include
    except PatternError as error:
        raise click.BadParameter(str(error)) from error


_READING: tuple[Option, ...] = (
    click.option(
        "--include",
        multiple=True,
        metavar="GLOB",
        callback=_patterns,
        help="In folders and archives, read only files like this, as in .gitignore; can be given several times.",
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="GLOB",
        callback=_patterns,
        help="In folders and archives, read no files and folders like this; can be given several times.",
    ),
    click.option(
        "--files-from",
        type=PathType(dir_okay=False, allow_dash=True),
        metavar="FILE",
        help='Read the paths that are listed in this file too, one a line; "-" is stdin.',
    ),
    click.option("-0", "--null", is_flag=True, help="In the list of --files-from, a NUL follows each path."),
    click.option("--stdin-name", type=TEXT, metavar="NAME", help="The path that stdin has in rows and messages."),
)


def reading_options(command: Command) -> Command:
    """Add the options that say what to read. The command gets `reading` instead of its argument `paths`."""
    return grouped(command, _READING, _reading)


def _reading(values: dict[str, Any]) -> dict[str, Any]:
    files_from, null, name = (values.pop(each) for each in ("files_from", "null", "stdin_name"))
    paths: tuple[str, ...] = values.pop("paths")
    globs = Globs(values.pop("include"), values.pop("exclude"))
    if null and files_from is None:
        raise click.UsageError("-0 says how the list of --files-from is written.")
    if files_from is None:
        paths = paths or (STDIN,)
    else:
        with endings():
            paths += _listed(files_from, b"\0" if null else b"\n")
    if STDIN in paths and files_from == STDIN:
        raise click.UsageError("stdin is the list of paths, or something to read, but not both.")
    if name is not None and STDIN not in paths:
        raise click.UsageError("--stdin-name is for stdin, which is not read.")
    return {"reading": Reading(paths, globs, STDIN if name is None else name, files_from)}


def _listed(file: str, end: bytes) -> tuple[str, ...]:
    """The paths in a list, without empty ones.

    Raises:
        UnreadableError: it cannot be read, or something in it is no path.
    """
    if file == STDIN and sys.stdin is None:
        raise UnreadableError("stdin is closed")
    paths: list[str] = []
    rest = b""
    try:
        with nullcontext(sys.stdin.buffer) if file == STDIN else Path(file).open("rb") as octets:
            while block := octets.read(_BLOCK):
                *whole, rest = (rest + block).split(end)
                paths += (os.fsdecode(path) for path in whole if path)
                if len(rest) > _LONGEST_PATH:
                    raise UnreadableError(f"{file}: it is no list of paths: one is longer than {_LONGEST_PATH:,} bytes")
    except OSError as error:
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError(f"{file}: {error.strerror or error}") from error
    return (*paths, os.fsdecode(rest)) if rest else tuple(paths)


class Telling(Struct, frozen=True):
    """What is told of what was found.

    Attributes:
        unique: whether only the first row of each URL is written.
        count: whether only the numbers of rows are written.
        quiet: whether no messages about the input are printed.
    """

    unique: bool
    count: bool
    quiet: bool

    @property
    def format(self) -> str | None:
        """The format that is enough for what is told; None if that depends on other options."""
        return "urls" if self.count else None

    def refuse_misuse(self, format_name: str | None, output: Target | None, *, verbose: bool) -> None:
        """Check the options against others.

        Raises:
            UsageError: they contradict each other.
        """
        if self.count and (format_name or output):
            raise click.UsageError("--count prints numbers and no rows: it goes without --format and -o.")
        if self.quiet and verbose:
            raise click.UsageError("-q prints no messages, -v prints more of them.")


_TELLING: tuple[Option, ...] = (
    click.option(
        "--unique", is_flag=True, help="Print only the first row of each URL; needs 100 MB for each million URLs."
    ),
    click.option("--count", is_flag=True, help="Print only how many URLs there are in each file."),
    click.option("-q", "--quiet", is_flag=True, help="Print no messages about what was read, and no counts on stderr."),
)


def telling_options(command: Command) -> Command:
    """Add the options that say what to tell. The command gets `telling`."""
    return grouped(command, _TELLING, lambda values: {"telling": Telling(*map(values.pop, Telling.__struct_fields__))})
