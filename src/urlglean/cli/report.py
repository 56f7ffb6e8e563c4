"""`urlglean report`: makes a page of HTML about a catalogue."""

from __future__ import annotations

import os
from pathlib import Path

import click

from urlglean.archive.database import catalogue
from urlglean.archive.report import page
from urlglean.cli.common import endings, tell_unfinished
from urlglean.cli.values import PathType
from urlglean.output.files import file_id, named_errors, row_file
from urlglean.output.text import printable
from urlglean.pipeline.replaced import REPLACED, refuse_kept


@click.command(short_help="Make a page of HTML about a catalogue.")
@click.argument("db", type=PathType(path_type=Path), metavar="DB")
@click.option(
    "-o",
    "--output",
    type=PathType(path_type=Path, dir_okay=False),
    required=True,
    metavar="FILE",
    help="The page. A file that is there is replaced when the page is complete.",
)
def report(db: Path, output: Path) -> None:
    """Make a page about a catalogue: what was read, when, where its URLs lead, how they were written and read.

    The page is one file. It fetches nothing, and needs no script to be read. The text around its samples is read again
    from the files of the catalogue, as far as they are still there.

    Exit status: 0 if the page was written, 2 if the catalogue cannot be read or the page cannot be written.
    """
    if file_id(output) is not None and file_id(output) == file_id(db):
        raise click.UsageError(f"{printable(str(output))} is the catalogue itself.")
    if str(output) == "-":
        raise click.UsageError("A page is written to a file: for stdout, -o /dev/stdout.")
    with endings(), catalogue(db, whole=True) as connection, row_file(output, cut=_all_of_it) as out:
        refuse_kept([output], replaced={*REPLACED, "html"})
        tell_unfinished(db, connection)
        made = page(connection, db.name)
        with named_errors(output):
            out.write(made.encode())
            out.flush()
    click.echo(f"urlglean: {printable(str(output))} has {len(made):,} characters", err=True)


def _all_of_it(descriptor: int) -> None:
    """Cut all of a page that was not written to its end, so that nothing is left of it."""
    os.ftruncate(descriptor, 0)
