"""`urlglean catalog`: adds what lies in files and folders to a catalogue."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from time import monotonic

import click
from msgspec.structs import replace

from urlglean.archive.catalogue import Catalogue, files_of, growing
from urlglean.cli.common import (
    FOUND,
    NONE_FOUND,
    dialect_option,
    endings,
    joins_option,
    scheme_option,
    strict_option,
    www_option,
)
from urlglean.cli.reading import (
    Notes,
    errors_option,
    jobs_option,
    kind_option,
    limit_options,
    summary,
    verbose_option,
)
from urlglean.cli.streams import TROUBLE
from urlglean.cli.values import PathType
from urlglean.errors import OutputError
from urlglean.output import jsonl
from urlglean.output.files import file_id, is_row_file, named_errors, only_writer, part_of
from urlglean.output.packing import RowStream, packed, row_file
from urlglean.output.progress import Progress
from urlglean.output.text import printable
from urlglean.pipeline.inputs import size_of
from urlglean.pipeline.limits import Limits
from urlglean.pipeline.options import Options
from urlglean.pipeline.replaced import refuse_kept
from urlglean.pipeline.results import ChunkResult, Tally
from urlglean.pipeline.run import Settings, cores
from urlglean.pipeline.scan_task import ScanTask
from urlglean.records import STDIN, Dialect, Joins, Trouble


@click.command(short_help="Add files and folders to a catalogue, a database that grows.")
@click.argument("db", type=PathType(dir_okay=False, path_type=Path), metavar="DB")
@click.argument("paths", nargs=-1, required=True, type=PathType(readable=False), metavar="PATH...")
@dialect_option
@joins_option
@strict_option
@scheme_option
@www_option
@kind_option
@errors_option
@jobs_option
@limit_options
@verbose_option
@click.pass_obj
def catalog(
    settings: Settings | None,
    *,
    db: Path,
    paths: tuple[str, ...],
    dialect: Dialect,
    joins: Joins,
    strict: bool,
    schemes: tuple[str, ...],
    www: bool,
    kind: str | None,
    errors: Path | None,
    jobs: int | None,
    limits: Limits,
    verbose: bool,
) -> None:
    """Add what lies in files and folders to DB: each message and text, where it lies, and the URLs in it.

    DB is an SQLite database, which is made if there is none. Only what it does not have yet is read. Run it again when
    there is more mail, when files were moved or packed, or when a run was interrupted, even by a crash.

    Exit status: 0 if something was read or was known, 1 if there was nothing to read, 2 if something could not be read
    completely or written, or if every PATH was left out.
    """
    _refuse_misuse(db, paths, errors)
    settings = settings or Settings()
    options = Options(dialect, joins, True, 0.0, strict, schemes, www, kind, settings.bounds)  # noqa: FBT003
    task = ScanTask("sqlite", options, limits)
    tally, begun, reached = Tally(), monotonic(), 0
    catalogue: Catalogue | None = None

    def kept() -> str:
        return f"; what was read so far is in {printable(str(db))}" if catalogue and catalogue.saved else ""

    with endings(kept), ExitStack() as stack:
        progress = stack.enter_context(closing(Progress(rows_to_terminal=False, total=partial(size_of, paths))))
        if errors and is_row_file(errors):  # before anything is written; it is emptied when all others have agreed
            stack.enter_context(only_writer(errors))
            refuse_kept([errors], paths)
        catalogue = stack.enter_context(growing(db, paths, task))
        written = file_id(db)
        notes = Notes(progress, map(catalogue.name_of, paths), verbose=verbose)
        log = stack.enter_context(_log(errors)) if errors else None

        def told(result: ChunkResult) -> None:
            nonlocal reached
            tally.add(result.tally)
            for note in result.notes:
                if log and isinstance(note, Trouble):
                    log.write(jsonl.trouble_line(note))
                notes.tell(note)
            if result.end:
                reached = max(reached, result.end.bytes)
                progress.step(reached, f"{catalogue.findings:,} URLs")

        own = frozenset(filter(None, map(file_id, _log_files(errors))))
        catalogue.read(paths, replace(settings.how, jobs=jobs or cores(), own=own), told)
        failed = tally.troubles > 0 or notes.miss_all
        if file_id(db) != written:
            raise OutputError(f"{db} was removed or replaced while it was written")
        catalogue.discarded = failed and not (tally.messages or tally.texts)
    if catalogue.discarded and not db.exists():
        click.echo(f"urlglean: nothing could be read, so {printable(str(db))} is not written", err=True)
    new, known = catalogue.new, catalogue.known
    counts = summary(catalogue.added(tally), task, tally.bytes, monotonic() - begun)
    progress.say(f"{counts}; {new:,} new, {known:,} known")
    sys.exit(TROUBLE if failed else FOUND if new or known else NONE_FOUND)


@contextmanager
def _log(path: Path) -> Iterator[RowStream]:
    """A file for the troubles of this run. It is written in its place: no run goes on with a part file of this one.

    Raises:
        OSError: it cannot be written.
    """
    if is_row_file(path):
        with named_errors(path), path.open("wb") as stream, packed(path, stream) as lines:
            yield lines
    else:
        with row_file(path) as lines:
            yield lines


def _log_files(path: Path | None) -> tuple[Path, ...]:
    """The files that `_log` writes."""
    return (path.resolve(), part_of(path)) if path else ()


def _refuse_misuse(db: Path, paths: tuple[str, ...], errors: Path | None) -> None:
    """Check the arguments before anything is written.

    Raises:
        UsageError: they contradict each other, or what a PATH names cannot be found again by its name.
    """
    written = [*files_of(db), *_log_files(errors)]
    if len({*written}) < len(written):
        raise click.UsageError(f"{printable(str(errors))} would be written twice: each output needs a file of its own.")
    for path in paths:
        if path == STDIN or not (Path(path).is_file() or Path(path).is_dir() or not Path(path).exists()):
            raise click.UsageError(f"{printable(path)} is no file or folder, to which a catalogue could lead.")
        if Path(path).resolve() in written:
            raise click.UsageError(f"{printable(path)} would be both read and written.")
