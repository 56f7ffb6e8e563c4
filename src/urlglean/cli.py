"""The command line: arguments, exit codes, messages.

Rows go to stdout or to the file that was asked for, everything else to stderr. What a command needs is imported when
it runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from urlglean.grammar.schemes import DIALECTS
from urlglean.output import FORMATS, format_for, jsonl
from urlglean.output.files import FileId, file_id, part_of, row_file
from urlglean.output.text import place, printable
from urlglean.records import Document, Trouble
from urlglean.text.joins import LEVELS

if TYPE_CHECKING:
    from urlglean.batch import Opened, Tally
    from urlglean.output.progress import Progress
    from urlglean.sources import Skipped

FOUND, NONE_FOUND, TROUBLE, INTERRUPTED = 0, 1, 2, 130
"""Exit status as grep has it; 130 is what a shell gives a command that Ctrl-C ended."""

_DIALECT = click.option(
    "--dialect",
    type=click.Choice(DIALECTS),
    default="current",
    show_default=True,
    help="The standard that says what a URL is.",
)
_STDIN, _STDIN_DESCRIPTOR = "-", 0


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="urlglean", message="%(prog)s %(version)s")
def main() -> None:
    """Find the URLs in mail, news and old documents, put broken ones back together, and judge them."""


@main.command()
@click.argument("paths", nargs=-1, metavar="[PATH...|-]")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Rows go here.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(tuple(FORMATS)),
    help="How rows are written; without it, as FILE's ending asks for, or text.",
)
@_DIALECT
@click.option(
    "--joins",
    type=click.Choice(LEVELS),
    default="likely",
    show_default=True,
    help="How far to go in joining a bare URL that a line break may have cut.",
)
@click.option(
    "--rejects",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write what looked like a URL and is none here, with its problems, as JSON lines.",
)
@click.option("-v", "--verbose", is_flag=True, help="Say what each path was taken for, or why it was left out.")
def scan(
    *,
    paths: tuple[str, ...],
    output: Path | None,
    format_name: str | None,
    dialect: str,
    joins: str,
    rejects: Path | None,
    verbose: bool,
) -> None:
    """Print the URLs in files and folders: mailboxes, news spools, plain text; stdin for "-" or no PATH.

    FILE is written as FILE.part and gets its name when the scan is done; after Ctrl-C, FILE.part holds the rows so far.

    Exit status: 0 if a URL was found, 1 if none was, 2 if something could not be read whole or written.
    """
    from urlglean.batch import Row, Tally, gleaned, opened, rendered  # noqa: PLC0415  --version and --help do without
    from urlglean.output.progress import Progress  # noqa: PLC0415

    paths = paths or (_STDIN,)
    line = FORMATS[format_name or _format_of(output)].line
    files = [path for path in (output, rejects) if path is not None]
    _refuse_own(paths, files)
    rows_to_terminal = output is None and sys.stdout.isatty()
    tally = Tally()
    progress = Progress(
        rows_to_terminal=rows_to_terminal,
        describe=lambda: f"{tally.documents:,} documents, {tally.bytes:,} bytes, {tally.findings:,} URLs",
    )
    with _endings(files), ExitStack() as stack:
        stack.callback(progress.stop)
        rows = stack.enter_context(row_file(output) if output else _stdout())
        rejected = stack.enter_context(row_file(rejects)) if rejects else None
        documents = opened(paths, own=_written(files))
        watched = _watched(documents, tally, progress, verbose=verbose)
        found = gleaned(watched, dialect=dialect, joins=joins, invalid=rejects is not None)
        for item in rendered(found, valid=line, rejected=jsonl.line):
            tally.count(item)
            if not isinstance(item, Row):
                _tell(item, progress, verbose=verbose)
            elif item.valid:
                rows.write(item.line)
                if rows_to_terminal:
                    rows.flush()
            elif rejected is not None:
                rejected.write(item.line)
    progress.say(_summary(tally))
    sys.exit(TROUBLE if tally.troubles else FOUND if tally.findings else NONE_FOUND)


@main.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@_DIALECT
@click.option("--format", "format_name", type=click.Choice(("text", "jsonl")), default="text", show_default=True)
def check(urls: tuple[str, ...], dialect: str, format_name: str) -> None:
    """Judge each URL: its parts and what to beware of, or where it breaks which rule.

    Exit status: 0 if all are valid, 1 if one is not.
    """
    from urlglean.output import verdicts  # noqa: PLC0415  it needs rich
    from urlglean.text.judge import validate  # noqa: PLC0415

    all_valid = True
    with _endings([]), _stdout() as rows:
        for url in urls:
            verdict = validate(url, dialect=dialect)
            all_valid = all_valid and verdict.valid
            if format_name == "jsonl":
                rows.write(jsonl.verdict_line(url, verdict))
            else:
                rows.writelines(f"{line}\n".encode() for line in verdicts.lines(url, verdict, dialect))
    sys.exit(FOUND if all_valid else NONE_FOUND)


def _format_of(output: Path | None) -> str:
    ending = "" if output is None else output.suffix
    name = format_for(ending)
    if name is None:
        raise click.UsageError(f"No format is known by the ending {ending!r}; --format says which to write.")
    return name


def _written(files: Iterable[Path]) -> frozenset[FileId]:
    """The identities of the files that a run writes, stdout among them where it is a file."""
    places: list[Path | int] = [place for path in files for place in (path, part_of(path))]
    with suppress(OSError):  # a stdout that is no file of the system
        places.append(sys.stdout.fileno())
    return frozenset(found for where in places if (found := file_id(where)) is not None)


def _refuse_own(paths: Iterable[str], files: list[Path]) -> None:
    """Stop before anything is written over: a path that was named is not also an output, nor are two outputs one."""
    written = _written(files)
    for path in paths:
        if file_id(_STDIN_DESCRIPTOR if path == _STDIN else path) in written:
            raise click.UsageError(f"{printable(path)} would be both read and written.")
    if len({part_of(path) for path in files}) < len(files):
        raise click.UsageError("--output and --rejects name the same file.")


@contextmanager
def _stdout() -> Iterator[BinaryIO]:
    """Stdout for rows, flushed at the end."""
    stream = sys.stdout.buffer
    try:
        yield stream
        stream.flush()
    except OSError:
        # The interpreter flushes stdout once more when it exits; what it still holds can go nowhere by then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


@contextmanager
def _endings(files: Iterable[Path]) -> Iterator[None]:
    """Ends the process as its exit status says, where rows can no longer be written: a closed pipe is success."""
    try:
        yield
    except BrokenPipeError:
        sys.exit(FOUND)
    except KeyboardInterrupt:
        kept = [printable(str(part)) for part in map(part_of, files) if part.exists()]
        click.echo("urlglean: interrupted" + "".join(f"; the rows so far stand in {part}" for part in kept), err=True)
        sys.exit(INTERRUPTED)
    except OSError as error:
        click.echo(f"urlglean: cannot write: {printable(str(error))}", err=True)
        sys.exit(TROUBLE)


def _watched(items: Iterable[Opened], tally: Tally, progress: Progress, *, verbose: bool) -> Iterator[Opened]:
    """The same items; each document is counted before it is read, and each new file announced if that was asked for."""
    announced = None
    for item in items:
        if isinstance(item, Document):
            tally.count(item)
            progress.step()
            if verbose and announced != (item.path, item.member):
                announced = item.path, item.member
                kind = "plain text" if item.kind == "text" else "a message" if item.message is None else "messages"
                progress.say(f"urlglean: {place(Document(item.path, b'', item.kind, item.member))}: taken for {kind}")
        yield item


def _tell(item: Trouble | Skipped, progress: Progress, *, verbose: bool) -> None:
    """A message on what was not read: troubles always, what was left out on purpose if that was asked for."""
    if isinstance(item, Trouble):
        progress.say(f"urlglean: {place(item)}: {printable(item.cause)}")
    elif verbose:
        progress.say(f"urlglean: {printable(item.path)}: left out: {printable(item.cause)}")


def _summary(tally: Tally) -> str:
    counts = (
        (tally.findings, "URLs"),
        (tally.rejects, "rejected"),
        (tally.documents, "documents"),
        (tally.bytes, "bytes"),
        (tally.troubles, "troubles"),
        (tally.skipped, "paths left out"),
    )
    return "urlglean: " + ", ".join(f"{count:,} {what}" for count, what in counts)
