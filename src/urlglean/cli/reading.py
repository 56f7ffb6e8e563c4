"""Shared by the commands that read files and folders: options, and what is told of a run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import click

from urlglean.cli.grouping import Command, grouped
from urlglean.cli.values import NumberType, PathType
from urlglean.output.progress import Progress
from urlglean.output.text import counted, place, printable
from urlglean.pipeline.limits import MEMORY, SECONDS, Limits
from urlglean.pipeline.results import Tally
from urlglean.pipeline.scan_task import ScanTask
from urlglean.records import Trouble
from urlglean.remote_urls import as_path, is_remote
from urlglean.sources import ASKABLE
from urlglean.sources.items import Item, Skipped, Taken, is_missed

_TAKEN_FOR = {"mbox": "a mailbox", "message": "a message", "text": "plain text", "html": "a page of HTML"}


file_option = partial(click.option, type=PathType(dir_okay=False, path_type=Path), metavar="FILE")


class _TargetType(PathType):
    """The path of a file to write, or the URL of one elsewhere, which stays a text."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        path = as_path(value) if isinstance(value, str) else value
        return path if isinstance(path, str) and is_remote(path) else super().convert(path, param, ctx)


target_option = partial(click.option, type=_TargetType(dir_okay=False, path_type=Path), metavar="FILE")

kind_option = click.option(
    "--as", "kind", type=click.Choice(ASKABLE), help="Read each file as this kind, whatever it looks like."
)

_ERRORS = "Write what could not be read completely, with its place and cause, as JSON lines."

errors_option = file_option("--errors", help=_ERRORS)
errors_target_option = target_option("--errors", help=_ERRORS)

jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many processes share the work; the default is one for each core. The rows are always the same.",
)

_MEGABYTE = 1_000_000

_time_limit = click.option(
    "--time-limit",
    "seconds",
    type=NumberType(min=0),
    default=SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Give up reading a message or text, and report a trouble, when it takes more processor time than this, plus"
    " this again for each megabyte of it; 0 for no limit.",
)

_memory_limit = click.option(
    "--memory-limit",
    "megabytes",
    type=click.IntRange(min=0),
    default=MEMORY // _MEGABYTE,
    show_default=True,
    metavar="MB",
    help="Give up reading a message or text, and report a trouble, when its process would take more memory than this; 0"
    " for no limit.",
)


def limit_options(command: Command) -> Command:
    """Add the options that limit the work on a document. The command gets `limits`."""
    return grouped(command, (_time_limit, _memory_limit), _limits)


def _limits(values: dict[str, Any]) -> dict[str, Any]:
    return {"limits": Limits(values.pop("seconds"), values.pop("megabytes") * _MEGABYTE)}


verbose_option = click.option(
    "-v", "--verbose", is_flag=True, help="Say for each path what it was read as, or why it was left out."
)


class Notes:
    """Messages about items that are no documents: about troubles, about named paths that are left out, or about all."""

    def __init__(self, progress: Progress, named: Iterable[str], *, verbose: bool) -> None:
        """Print them beside the progress. `named` are the paths of the command line, as items have them."""
        self._progress, self._verbose = progress, verbose
        self._named, self._missed = frozenset(named), set[str]()

    @property
    def miss_all(self) -> bool:
        """Whether every named path was left out, though there was something in it; not if none is named."""
        return bool(self._named) and self._missed == self._named

    def tell(self, note: Item) -> None:
        """Print the message about an item, if there is one."""
        if is_missed(note, self._named):
            self._missed.add(note.path)
        verbose = self._verbose or note.path in self._missed
        match note:
            case Trouble():
                what = note.cause
            case Skipped() if verbose:
                what = f"left out: {note.cause}"
            case Taken() if verbose:
                what = f"taken for {_TAKEN_FOR.get(note.kind, note.kind)}"
            case _:
                return
        self._progress.say(f"urlglean: {place(note)}: {printable(what)}")


def summary(tally: Tally, task: ScanTask, size: int, seconds: float) -> str:
    """The line of counts at the end of a run.

    Args:
        tally: the counts, including those of an earlier run that was resumed.
        task: the settings of the run.
        size: how many bytes of documents this process has read itself.
        seconds: the time that it took for them.
    """
    wanted = task.options.wanted
    undated = f" ({tally.undated:,} without a date)" if wanted.since or wanted.until else ""
    counts = (
        counted(tally.findings, "URL"),
        *([f"{tally.raw:,} more not valid by {task.options.dialect}"] if tally.raw else []),
        *([f"{tally.unlikely:,} less likely than {task.options.least:g}"] if task.options.least else []),
        *([f"{tally.unwanted:,} more not wanted"] if wanted.of_urls else []),
        *([f"{tally.repeated:,} more seen before"] if task.unique else []),
        f"{tally.rejects:,} rejected" if task.options.invalid else "rejects not asked for",
        counted(tally.files, "file"),
        counted(tally.messages, "message"),
        counted(tally.texts, "text"),
        *([f"{tally.passed:,} of these not wanted{undated}"] if wanted.of_messages else []),
        counted(tally.parts, "part"),
        *([f"{tally.unsearched:,} of these not wanted"] if wanted.of_parts else []),
        counted(tally.troubles, "trouble"),
        f"{tally.skipped:,} left out",
    )
    rate = size / max(seconds, 1e-9) / 1e6
    told = ", ".join(counts)
    of_these = "" if size == tally.bytes else f", {size / 1e6:,.1f} of them"
    return f"urlglean: {told}, {tally.bytes / 1e6:,.1f} MB{of_these} in {seconds:,.1f} s ({rate:,.1f} MB/s)"
