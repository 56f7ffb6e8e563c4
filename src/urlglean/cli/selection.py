"""The options of `urlglean scan` that choose what to read and what to give. Each group becomes one record.

A group is a decorator of the command: it adds its options, and passes the record on in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import click

from urlglean.cli.common import a_date, scheme_names
from urlglean.pipeline.wanted import Wanted

Command = Callable[..., Any]
Option = Callable[[Command], Command]


def _grouped(
    command: Command, options: Sequence[Option], record: Callable[[dict[str, Any]], dict[str, Any]]
) -> Command:
    """The command with more options. `record` takes their values out of the arguments, and returns what replaces them."""

    @wraps(command)
    def with_record(*args: Any, **values: Any) -> Any:
        records = record(values)
        return command(*args, **values, **records)

    made: Command = with_record
    for option in reversed(options):
        made = option(made)
    return made


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
        metavar="GLOB",
        help="Print only URLs whose host is like this, such as '*.example.org'; can be given several times.",
    ),
    click.option(
        "--newsgroup",
        "newsgroups",
        multiple=True,
        metavar="GLOB",
        help="Read only what was posted in groups like this; can be given several times.",
    ),
    click.option(
        "--message",
        "messages",
        multiple=True,
        metavar="N|ID",
        help="Read only this message of a mailbox: its number, or its Message-ID; can be given several times.",
    ),
    click.option(
        "--since",
        default="",
        callback=a_date,
        metavar="DATE",
        help="Read only messages of this year, month or day or later, by their Date in UTC.",
    ),
    click.option(
        "--until", default="", callback=a_date, metavar="DATE", help="Read only messages until the end of it."
    ),
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
    return _grouped(command, _WANTED, _wanted)


def _wanted(values: dict[str, Any]) -> dict[str, Any]:
    wanted = Wanted(
        schemes=values.pop("only_schemes"),
        **{name: values.pop(name) for name in Wanted.__struct_fields__ if name != "schemes"},
    )
    shortest = min(len(wanted.since), len(wanted.until))
    if wanted.since[:shortest] > wanted.until[:shortest]:
        raise click.UsageError("No message is of a time --since a date and --until an earlier one.")
    if wanted.header and wanted.html:
        raise click.UsageError("No header field is HTML: --header and --from-html leave nothing.")
    return {"wanted": wanted}
