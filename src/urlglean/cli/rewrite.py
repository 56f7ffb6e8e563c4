"""`urlglean rewrite`: writes mail and texts anew, with each broken URL whole on one line."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import BinaryIO

import click

from urlglean.archive.diff import diff
from urlglean.archive.rewrite import RewriteOptions, Rewriting
from urlglean.archive.rewrite_files import troubles_of
from urlglean.archive.rewrite_paths import looked_at, rewrite_to_path, rewrite_to_stream
from urlglean.archive.rewrite_tally import Tally
from urlglean.cli.common import FOUND, NONE_FOUND, endings, stdout
from urlglean.cli.reading import limit_options
from urlglean.cli.streams import TROUBLE
from urlglean.cli.values import NumberType, PathType
from urlglean.errors import UnreadableError
from urlglean.output.text import place, printable
from urlglean.pipeline.limits import Limits
from urlglean.records import STDIN

_STDOUT = Path("-")


@click.command(short_help="Write mail and texts anew, with each broken URL whole on one line.")
@click.argument("paths", nargs=-1, type=PathType(allow_dash=True, readable=False), metavar="[PATH...|-]")
@click.option(
    "-o",
    "--output",
    "out",
    type=PathType(path_type=Path),
    metavar="OUT",
    help="Write to this new file or folder; without it, to stdout.",
)
@click.option(
    "--least",
    type=NumberType(0, 1),
    default=0.98,
    show_default=True,
    metavar="P",
    help="Put only URLs whole of at least this confidence, 0 to 1: the probability that the URL is exactly right.",
)
@click.option("--no-mark", is_flag=True, help="Add no header field X-Urlglean to messages that are changed.")
@click.option("--skip-dkim", is_flag=True, help="Leave messages alone that a mail server has signed (DKIM, ARC).")
@click.option("--dry-run", is_flag=True, help="Print what would be changed, as a unified diff, and write nothing.")
@click.option(
    "--check",
    is_flag=True,
    help="As --dry-run, and the exit status is 1 if something would be changed.",
)
@limit_options
def rewrite(
    *,
    paths: tuple[str, ...],
    out: Path | None,
    least: float,
    no_mark: bool,
    skip_dkim: bool,
    dry_run: bool,
    check: bool,
    limits: Limits,
) -> None:
    """Write mail and texts anew: each URL that was broken stands whole on one line, and all else is as it was.

    A file becomes a file of the same form, a folder the same tree with the same names, stdin ("-", or no PATH) goes to
    stdout. Several PATHs become entries of a folder OUT. OUT gets its name when all is written; one that exists is
    never overwritten.

    Exit status: 0 if all was written, 2 if something could not be read or written; with --check, 1 if something would
    be changed.
    """
    if (check or dry_run) and out is not None:
        raise click.UsageError(f"{'--check' if check else '--dry-run'} writes nothing: it goes without -o.")
    dry_run = dry_run or check
    paths = paths or (STDIN,)
    if STDIN in paths and len(paths) > 1:
        raise click.UsageError("stdin is written anew alone.")
    target = None if out == _STDOUT else out
    if target is None and not dry_run and (len(paths) > 1 or Path(paths[0]).is_dir()):
        raise click.UsageError("A folder, or several PATHs, need -o OUT.")
    options = RewriteOptions(least, marked=not no_mark, skip_dkim=skip_dkim, limits=limits)
    tally = Tally()
    with endings(), ExitStack() as stack:
        _refuse_missing(paths)
        if dry_run:
            page = stack.enter_context(stdout())
            outcomes = looked_at(paths, options)
        elif target is None:
            outcomes = rewrite_to_stream(paths[0], stack.enter_context(stdout()), options)
        else:
            outcomes = rewrite_to_path(paths, target, options)
        for outcome in stack.enter_context(closing(outcomes)):
            tally.add(outcome)
            if dry_run and isinstance(outcome, Rewriting):
                _show(outcome, page)
            for trouble in troubles_of(outcome):
                click.echo(f"urlglean: {place(trouble)}: {printable(trouble.cause)}", err=True)
    for line in tally.lines():
        click.echo(f"urlglean: {line}", err=True)
    sys.exit(TROUBLE if tally.troubles else NONE_FOUND if check and tally.rejoined else FOUND)


def _refuse_missing(paths: tuple[str, ...]) -> None:
    """Check that there is something at each path.

    Raises:
        UnreadableError: there is nothing.
    """
    for path in paths:
        if path != STDIN and not Path(path).exists():
            raise UnreadableError(f"{path}: {os.strerror(errno.ENOENT)}")


def _show(rewriting: Rewriting, page: BinaryIO) -> None:
    """Print the diff of a document, and on stderr what is left alone in it."""
    if rewriting.rejoined:
        page.write("".join(f"{line}\n" for line in diff(rewriting)).encode())
        page.flush()
    for left in rewriting.left:
        where, url = place(left.occurrence.origin), printable(left.occurrence.finding.url)
        click.echo(f"urlglean: {where}: {url}: left alone: {printable(left.reason)}", err=True)
