"""`urlglean settle`: settles doubtful readings in a catalogue by what the whole collection says."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from sqlite3 import Connection
from typing import BinaryIO

import click

from urlglean.archive.database import catalogue
from urlglean.archive.settle import Settlement, Summary, settlements
from urlglean.cli.common import FOUND, NONE_FOUND, endings, stdout, tell_unfinished
from urlglean.cli.values import PathType
from urlglean.output.files import only_writer
from urlglean.output.text import place, printable
from urlglean.records import Origin

_PLACE = """
SELECT path, member, message, line FROM findings JOIN places ON places.copy = findings.copy
WHERE findings.id = ? ORDER BY places.id LIMIT 1
"""
_DOCUMENT = "SELECT path, member, date, sender, subject FROM documents WHERE id = ?"


@click.command(short_help="Settle doubtful readings in a catalogue.")
@click.argument("database", metavar="DB", type=PathType(dir_okay=False, path_type=Path))
@click.option("-n", "--dry-run", is_flag=True, help="Print each change with its evidence, and write nothing.")
def settle(database: Path, *, dry_run: bool) -> None:
    """Settle doubtful readings in a catalogue: the reading that stands whole in other documents wins.

    It can be run again when the catalogue has grown: it begins anew from what the reader found, and revises what it
    settled before.

    Exit status: 0 if a reading was settled, 1 if none was, 2 if the catalogue cannot be read or written.
    """
    summary = Summary()
    out = stdout() if dry_run else nullcontext()
    with endings(), out as rows, only_writer(database), catalogue(database, write=True, whole=True) as connection:
        tell_unfinished(database, connection)
        connection.execute("BEGIN IMMEDIATE")
        for settlement in settlements(connection, summary):
            if rows and settlement.outcome.chosen:
                _print(connection, settlement, rows)
        # A transaction that is not committed is undone.
        connection.execute("ROLLBACK" if dry_run else "COMMIT")
    settled = summary.changed + summary.confirmed
    click.echo(
        f"urlglean: {summary.doubtful:,} doubtful, {settled:,} settled: {summary.changed:,} changed,"
        f" {summary.confirmed:,} confirmed; {summary.contradicted:,} contradicted, but not changed"
        + ("; nothing was written" if dry_run else ""),
        err=True,
    )
    sys.exit(FOUND if settled else NONE_FOUND)


def _print(connection: Connection, settlement: Settlement, rows: BinaryIO) -> None:
    """Print a change: where it stands, both readings, and the documents that have the new one."""
    at, outcome = settlement.at, settlement.outcome
    own, chosen = at.readings[0], at.readings[outcome.chosen]
    path, member, message, line = connection.execute(_PLACE, (at.finding,)).fetchone()
    where = place(Origin(path, member, 0, 0, message))
    lines = [
        f"{where}:{line}: {printable(own.url)}  ({own.confidence:.4f})",
        f"    {printable(chosen.url)}  ({outcome.confidences[outcome.chosen]:.4f}; documents: {outcome.documents:,})",
    ]
    for document in settlement.documents:
        path, member, *rest = connection.execute(_DOCUMENT, (document,)).fetchone()
        lines.append(f"        {place(Origin(path, member, 0, 0, None))}: {printable(', '.join(filter(None, rest)))}")
    rows.writelines(f"{each}\n".encode() for each in lines)
