"""`urlglean scan`: prints the URLs in files and folders."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from time import monotonic

import click
from msgspec.structs import replace

from urlglean.cli.colours import When, color_option, is_for_terminal, terminal_rows
from urlglean.cli.common import (
    FOUND,
    NONE_FOUND,
    at_terminal,
    dialect_option,
    endings,
    joins_option,
    scheme_option,
    stdout,
    strict_option,
    tell_unfinished,
    www_option,
)
from urlglean.cli.misuse import refuse_missing_folders, refuse_misuse, written
from urlglean.cli.reading import (
    Notes,
    errors_target_option,
    file_option,
    jobs_option,
    kind_option,
    limit_options,
    summary,
    target_option,
    verbose_option,
)
from urlglean.cli.selection import Reading, Telling, reading_options, telling_options, wanted_options
from urlglean.cli.streams import TROUBLE
from urlglean.cli.values import NumberType, PathType
from urlglean.output import FORMATS, format_for
from urlglean.output.files import Target, part_of
from urlglean.output.packing import content_ending
from urlglean.output.progress import Progress
from urlglean.output.text import printable
from urlglean.pipeline.inputs import size_of
from urlglean.pipeline.journal import Earlier
from urlglean.pipeline.journal_lines import Run
from urlglean.pipeline.limits import Limits
from urlglean.pipeline.options import Evidence, Options
from urlglean.pipeline.outputs import Targets, is_resumable, outputs
from urlglean.pipeline.run import Settings, cores, scanned
from urlglean.pipeline.scan_task import ScanTask
from urlglean.pipeline.wanted import Wanted
from urlglean.records import STDIN, Dialect, Joins
from urlglean.sources.globs import EVERY_FILE

_STDOUT = Path("-")


@click.command(short_help="Print the URLs in files and folders.")
@click.argument("paths", nargs=-1, type=PathType(allow_dash=True, readable=False), metavar="[PATH...|-]")
@reading_options
@target_option("-o", "--output", help="Write the rows to this file.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(tuple(FORMATS)),
    help="How to write rows; the default depends on the ending of FILE, and is text without FILE.",
)
@click.option(
    "--csv-safe",
    is_flag=True,
    help="Put an apostrophe before each cell of CSV that a spreadsheet program would read as a formula.",
)
@color_option
@dialect_option
@joins_option
@click.option(
    "--least",
    type=NumberType(0, 1),
    default=0.0,
    metavar="P",
    help="Print only URLs of at least this confidence, 0 to 1: the probability that the URL is exactly right.",
)
@strict_option
@scheme_option
@www_option
@wanted_options
@kind_option
@file_option("--evidence", help="Settle doubtful readings by what the documents of this catalogue say.")
@target_option("--rejects", help="Write what looked like a URL but was rejected, with its problems, as JSON lines.")
@errors_target_option
@jobs_option
@limit_options
@click.option("--resume", is_flag=True, help="Continue an interrupted scan, if there was one.")
@click.option("--overwrite", is_flag=True, help="Throw away what an interrupted scan has left, and begin anew.")
@verbose_option
@telling_options
@click.pass_obj
def scan(
    settings: Settings | None,
    *,
    reading: Reading,
    output: Target | None,
    format_name: str | None,
    csv_safe: bool,
    colour: When,
    dialect: Dialect,
    joins: Joins,
    least: float,
    strict: bool,
    schemes: tuple[str, ...],
    www: bool,
    wanted: Wanted,
    kind: str | None,
    evidence: Path | None,
    rejects: Target | None,
    errors: Target | None,
    jobs: int | None,
    limits: Limits,
    resume: bool,
    overwrite: bool,
    verbose: bool,
    telling: Telling,
) -> None:
    """Print the URLs in files and folders: mailboxes, news spools, plain text. Reads stdin for "-" or no PATH.

    Rows are written to FILE.part, which is renamed to FILE when the scan is done. A scan that is interrupted, even by a
    crash, leaves FILE.part and FILE.journal. The same command with --resume continues it from there.

    Exit status: 0 if a URL was found, 1 if none was found, 2 if something could not be read completely or written, or
    if every PATH was left out.
    """
    paths, named = reading.paths, reading.names
    output = None if output == _STDOUT else output
    targets = Targets(output, rejects, errors)
    settings = settings or Settings()
    how = settings.how
    with endings():
        settles = _evidence(evidence) if evidence else None
    options = Options(
        *(dialect, joins, rejects is not None, least, strict, schemes, www, kind, settings.bounds, settles, wanted),
        globs=reading.globs,
    )
    form = format_name or telling.format or _format_of(output)
    terminal = output is None and is_for_terminal(form, colour)
    task = ScanTask(
        *(form, options, limits, csv_safe, terminal),
        *(telling.unique, telling.count),
    )
    refuse_misuse(reading, targets, task, resume=resume, overwrite=overwrite)
    telling.refuse_misuse(format_name, output, verbose=verbose)
    earlier: Earlier = "resume" if resume else "overwrite" if overwrite else "refuse"
    run = partial(Run.of, paths, task, targets.contents)
    live = output is None and at_terminal()
    total = partial(size_of, paths if reading.globs == EVERY_FILE else (STDIN,))  # or nobody knows how much is read
    with endings(lambda: _kept(targets, task)), ExitStack() as stack:
        refuse_missing_folders(targets.here)
        if settles:
            stack.enter_context(_read_alone(settles))
        progress = stack.enter_context(closing(Progress(rows_to_terminal=live, total=total, quiet=telling.quiet)))
        page = stack.enter_context(stdout()) if output is None else None
        rows = terminal_rows(page, colour) if page and terminal else page
        out = stack.enter_context(outputs(targets, rows, task, run, earlier=earlier, every=how.every))
        if out.begins_anew:
            told = "had recorded no progress, so the scan begins anew"
            click.echo(f"urlglean: the earlier scan to {printable(str(targets.rows))} {told}", err=True)
        before, begun, notes = out.tally.bytes, monotonic(), Notes(progress, named, verbose=verbose)
        if not out.finished:
            jobs, chunk = (1, 0) if live else (jobs or cores(), how.chunk)
            how = replace(how, own=written(targets), start=out.positions, jobs=jobs, chunk=chunk)
            how = replace(how, stdin_name=reading.stdin_name)
            for outcome in stack.enter_context(closing(scanned(paths, task, how))):
                out.write(outcome)
                if live and rows:
                    rows.flush()
                for note in outcome.notes:
                    notes.tell(note)
                progress.step(out.position.bytes, f"{out.tally.findings:,} URLs")
        failed = out.tally.troubles > 0 or notes.miss_all
        out.discarded = failed and not (out.tally.messages or out.tally.texts)
    if out.discarded and targets.rows in {*targets.regular, *targets.elsewhere}:
        told = f"urlglean: nothing could be read, so {printable(str(targets.rows))} is not written"
        click.echo(told, err=True)  # even with --quiet: it is about the output
    progress.say(summary(out.tally, task, out.tally.bytes - before, monotonic() - begun))
    sys.exit(TROUBLE if failed else FOUND if out.tally.findings or out.tally.raw else NONE_FOUND)


def _evidence(path: Path) -> Evidence:
    """A catalogue as evidence.

    Raises:
        CatalogueError: it is none, or it cannot be read.
    """
    from urlglean.archive.database import catalogue  # noqa: PLC0415  few runs open a database
    from urlglean.pipeline.collection import stamp_of  # noqa: PLC0415

    with catalogue(path) as connection:
        tell_unfinished(path, connection)
        return Evidence(str(path.absolute()), stamp_of(connection))


@contextmanager
def _read_alone(evidence: Evidence) -> Iterator[None]:
    """Close the catalogue that is evidence when the block ends, and leave nothing beside it."""
    from urlglean.archive.database import no_log_left  # noqa: PLC0415  few runs open a database
    from urlglean.pipeline import collection  # noqa: PLC0415

    with no_log_left(Path(evidence.path).resolve()):
        try:
            yield
        finally:
            collection.close(evidence)


def _format_of(output: Target | None) -> str:
    ending = "" if output is None else content_ending(output)
    name = format_for(ending)
    if name is None:
        raise click.UsageError(f"No format is known by the ending {ending!r}; --format says which to write.")
    return name


def _kept(targets: Targets, task: ScanTask) -> str:
    """The end of the message after Ctrl-C: where the rows so far are; "" if the run cannot be resumed."""
    if not isinstance(targets.rows, Path) or not is_resumable(targets, task) or not part_of(targets.rows).exists():
        return ""
    return f"; the rows so far are in {printable(str(part_of(targets.rows)))}, and --resume continues"
