"""`urlglean scan`: the URLs in files and folders."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from time import monotonic

import click
from msgspec.structs import replace

from urlglean.cli.common import (
    FOUND,
    NONE_FOUND,
    TROUBLE,
    at_terminal,
    dialect_option,
    endings,
    joins_option,
    scheme_option,
    stdout,
    strict_option,
    www_option,
)
from urlglean.output import FORMATS, format_for
from urlglean.output.files import FileId, file_id, part_of
from urlglean.output.progress import Progress
from urlglean.output.text import place, printable
from urlglean.pipeline.chunk_result import SECONDS, ScanTask, Tally
from urlglean.pipeline.inputs import size_of
from urlglean.pipeline.journal import Run, journal_of
from urlglean.pipeline.options import Options
from urlglean.pipeline.outputs import Targets, is_resumable, outputs
from urlglean.pipeline.run import Settings, cores, scanned
from urlglean.records import Dialect, Joins, Trouble
from urlglean.sources import ASKABLE
from urlglean.sources.items import Item, Skipped, Taken

_STDIN, _STDIN_DESCRIPTOR, _STDOUT = "-", 0, Path("-")
_TAKEN_FOR = {"mbox": "a mailbox", "message": "a message", "text": "plain text"}


def _a_number(value: float) -> float:
    """Stop at `nan`, which no bound catches."""
    if value != value:  # noqa: PLR0124 - that is what tells it
        raise click.BadParameter("nan is no number.")
    return value


_file = partial(click.option, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")


@click.command(short_help="Print the URLs in files and folders.")
@click.argument("paths", nargs=-1, type=click.Path(allow_dash=True), metavar="[PATH...|-]")
@_file("-o", "--output", help="Rows go here.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(tuple(FORMATS)),
    help="How rows are written; without it, as FILE's ending asks for, or text.",
)
@dialect_option
@joins_option
@click.option(
    "--least",
    type=click.FloatRange(0, 1),
    callback=lambda _context, _option, value: _a_number(value),
    default=0.0,
    metavar="P",
    help="Only URLs that are exactly what a reader would copy with this probability.",
)
@strict_option
@scheme_option
@www_option
@click.option("--as", "kind", type=click.Choice(ASKABLE), help="Take each file for this, whatever it looks like.")
@_file("--rejects", help="Write what looked like a URL and is none here, with its problems, as JSON lines.")
@_file("--errors", help="Write what could not be read whole, with its place and cause, as JSON lines.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many processes share the work; without it, one for each core. The rows are the same.",
)
@click.option(
    "--time-limit",
    "seconds",
    type=click.FloatRange(min=0),
    callback=lambda _context, _option, value: _a_number(value),
    default=SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Give up a message or text, with a trouble, that takes more processor time than this, and this again for each"
    " megabyte of it; 0 for no limit.",
)
@click.option("--resume", is_flag=True, help="Go on with a run that was broken off, if one was.")
@click.option("-v", "--verbose", is_flag=True, help="Say what each path was taken for, or why it was left out.")
@click.pass_obj
def scan(
    settings: Settings | None,
    *,
    paths: tuple[str, ...],
    output: Path | None,
    format_name: str | None,
    dialect: Dialect,
    joins: Joins,
    least: float,
    strict: bool,
    schemes: tuple[str, ...],
    www: bool,
    kind: str | None,
    rejects: Path | None,
    errors: Path | None,
    jobs: int | None,
    seconds: float,
    resume: bool,
    verbose: bool,
) -> None:
    """Print the URLs in files and folders: mailboxes, news spools, plain text; stdin for "-" or no PATH.

    FILE is written as FILE.part and gets its name when the scan is done. A scan that was broken off, however hard,
    leaves FILE.part and FILE.journal; the same command with --resume goes on from there.

    Exit status: 0 if a URL was found, 1 if none was, 2 if something could not be read whole or written.
    """
    paths = paths or (_STDIN,)
    output = None if output == _STDOUT else output
    targets = Targets(output, rejects, errors)
    how, bounds = (settings or Settings()).how, (settings or Settings()).bounds
    options = Options(dialect, joins, rejects is not None, least, strict, schemes, www, kind, bounds)
    task = ScanTask(format_name or _format_of(output), options, seconds)
    _refuse_misuse(paths, targets, task, resume=resume)
    run = partial(Run.of, paths, task, targets.files)
    live = output is None and at_terminal()
    with endings(lambda: _kept(targets, task)), ExitStack() as stack:
        _refuse_missing_folders(targets.files)
        progress = stack.enter_context(closing(Progress(rows_to_terminal=live, total=partial(size_of, paths))))
        rows = stack.enter_context(stdout()) if output is None else None
        out = stack.enter_context(outputs(targets, rows, task, run, resume=resume, every=how.every))
        before, begun = out.tally.bytes, monotonic()
        if not out.finished:
            how = replace(how, own=_written(targets.files), start=out.position, jobs=1 if live else jobs or cores())
            how = replace(how, chunk=0) if live else how
            for outcome in stack.enter_context(closing(scanned(paths, task, how))):
                out.write(outcome)
                if live and rows:
                    rows.flush()
                for note in outcome.notes:
                    _tell(note, progress, verbose=verbose)
                progress.step(out.position.bytes, f"{out.tally.findings:,} URLs")
    progress.say(_summary(out.tally, task, out.tally.bytes - before, monotonic() - begun))
    sys.exit(TROUBLE if out.tally.troubles else FOUND if out.tally.findings or out.tally.raw else NONE_FOUND)


def _format_of(output: Path | None) -> str:
    ending = "" if output is None else output.suffix
    name = format_for(ending)
    if name is None:
        raise click.UsageError(f"No format is known by the ending {ending!r}; --format says which to write.")
    return name


def _written(files: tuple[Path, ...]) -> frozenset[FileId]:
    """The identities of the files that a run writes, stdout among them where it is a file."""
    places: list[Path | int] = [place for path in files for place in (path, part_of(path))]
    places += [journal_of(path) for path in files[:1]]
    with suppress(OSError, AttributeError):  # a stdout that is no file of the system, or none at all
        places.append(sys.stdout.fileno())
    return frozenset(found for where in places if (found := file_id(where)) is not None)


def _refuse_misuse(paths: tuple[str, ...], targets: Targets, task: ScanTask, *, resume: bool) -> None:
    """Stop before anything is written, where what was asked for does not go together."""
    if any(path == _STDOUT for _, path in targets.beside):
        raise click.UsageError("--rejects and --errors need a file each: stdout is for rows.")
    if targets.rows is None and FORMATS[task.format].file is not None:
        raise click.UsageError(f"{task.format} is no format of lines: it needs -o FILE.")
    _refuse_own(paths, targets.files)
    if resume and _STDIN in paths:
        raise click.UsageError("--resume reads its input again up to where it was, which stdin cannot be.")


def _refuse_own(paths: Iterable[str], files: tuple[Path, ...]) -> None:
    """Stop before anything is written over: a path that was named is not also an output, nor are two outputs one."""
    written = _written(files)
    for path in paths:
        if file_id(_STDIN_DESCRIPTOR if path == _STDIN else path) in written:
            raise click.UsageError(f"{printable(path)} would be both read and written.")
    if len({part_of(path) for path in files}) < len(files):
        raise click.UsageError("Two of --output, --rejects and --errors name the same file.")


def _refuse_missing_folders(files: Iterable[Path]) -> None:
    for path in files:
        if not path.parent.is_dir():
            raise OSError(f"{path}: there is no such folder")


def _kept(targets: Targets, task: ScanTask) -> str:
    """What there is of the rows, where they can be gone on with."""
    if targets.rows is None or not is_resumable(targets, task) or not part_of(targets.rows).exists():
        return ""
    return f"; the rows so far stand in {printable(str(part_of(targets.rows)))}, and --resume goes on from there"


def _tell(note: Item, progress: Progress, *, verbose: bool) -> None:
    """A message on what was no document: troubles always, how the others were taken if that was asked for."""
    match note:
        case Trouble():
            what = note.cause
        case Skipped() if verbose:
            what = f"left out: {note.cause}"
        case Taken() if verbose:
            what = f"taken for {_TAKEN_FOR.get(note.kind, note.kind)}"
        case _:
            return
    progress.say(f"urlglean: {place(note)}: {printable(what)}")


def _summary(tally: Tally, task: ScanTask, size: int, seconds: float) -> str:
    """What a run came to; `size` bytes of it, and as many seconds, were this process's share."""
    counts = (
        _count(tally.findings, "URL"),
        *([f"{tally.raw:,} more not valid by {task.options.dialect}"] if tally.raw else []),
        *([f"{tally.unlikely:,} less likely than {task.options.least:g}"] if task.options.least else []),
        f"{tally.rejects:,} rejected" if task.options.invalid else "rejects not asked for",
        _count(tally.files, "file"),
        _count(tally.messages, "message"),
        _count(tally.texts, "text"),
        _count(tally.parts, "part"),
        _count(tally.troubles, "trouble"),
        f"{tally.skipped:,} left out",
    )
    rate = size / max(seconds, 1e-9) / 1e6
    counted = ", ".join(counts)
    return f"urlglean: {counted}, {tally.bytes / 1e6:,.1f} MB in {seconds:,.1f} s ({rate:,.1f} MB/s)"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
