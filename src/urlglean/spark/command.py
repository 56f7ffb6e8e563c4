"""The command for `spark-submit`: scans and writes Parquet."""

from __future__ import annotations

import sys

import click
from py4j.protocol import Py4JError
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import SparkSession

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
from urlglean.cli.reading import limit_options
from urlglean.cli.selection import wanted_options
from urlglean.cli.streams import TROUBLE
from urlglean.cli.values import TEXT
from urlglean.errors import OutputError
from urlglean.lazy import pattern
from urlglean.output.text import place, printable
from urlglean.pipeline.limits import Limits
from urlglean.pipeline.splits import SIZE
from urlglean.pipeline.wanted import Wanted
from urlglean.records import Dialect, Joins, Trouble
from urlglean.spark.rows import scan

_SETTINGS: dict[str, bool | float | int | str | None] = {
    # The times of Parquet as other programs write and read them: Spark's own form ends in 2262, for pandas and others.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
}

_TOLD = 20
"""So many troubles are printed. All are in the output."""


@click.command(name="urlglean.spark", short_help="Scan with Spark, and write Parquet.")
@click.argument("paths", nargs=-1, required=True, type=TEXT, metavar="PATH...")
@click.option(
    "-o",
    "--output",
    required=True,
    type=TEXT,
    metavar="OUT",
    help="Write Parquet to this folder, by Spark's file systems.",
)
@dialect_option
@joins_option
@strict_option
@scheme_option
@www_option
@wanted_options
@limit_options
@click.option(
    "--split-size",
    "size",
    type=click.FloatRange(min=0, min_open=True),
    default=SIZE / 1e6,
    metavar="MB",
    help="About how much of the files a task reads; the default is 67.",
)
def main(  # noqa: PLR0913 - a command has as many parameters as options
    *,
    paths: tuple[str, ...],
    output: str,
    dialect: Dialect,
    joins: Joins,
    strict: bool,
    schemes: tuple[str, ...],
    www: bool,
    wanted: Wanted,
    limits: Limits,
    size: float,
) -> None:
    """Scan files and folders with Spark, and write what `urlglean.spark.scan` returns as Parquet.

    Exit status: 0 if a URL was found, 1 if none was found, 2 if something could not be read completely or written.
    """
    with endings():
        spark = SparkSession.builder.appName("urlglean").config(map=_SETTINGS).getOrCreate()
        try:
            _refuse_existing(spark, output)
            rows = scan(
                spark,
                paths,
                dialect=dialect,
                joins=joins,
                strict=strict,
                schemes=schemes,
                bare_hosts=www,
                wanted=wanted,
                size=max(1, round(size * 1e6)),
                seconds=limits.seconds,
                memory=limits.memory,
            )
            rows.write.parquet(output)
            sys.exit(_status(spark, output))
        except (PySparkException, Py4JError) as error:
            raise OutputError(f"the job failed: {error}") from error


_GLOB_SIGNS = pattern(r"[\\*?\[\]{}]")


def _literal(path: str) -> str:
    """A path for Spark to read, which takes a path for a pattern of Hadoop's; it writes to a path as it is."""
    return _GLOB_SIGNS.sub(r"\\\g<0>", path)


def _refuse_existing(spark: SparkSession, output: str) -> None:
    """Check that nothing is there, before all the work is done.

    Raises:
        OutputError: something is.
    """
    try:
        spark.read.text(_literal(output))
    except AnalysisException as error:
        if "PATH_NOT_FOUND" in str(error):
            return
        raise
    raise OutputError(f"{output} is there, and is not overwritten")


def _status(spark: SparkSession, output: str) -> int:
    """The exit status for what was written, whose troubles and counts are printed."""
    written = spark.read.parquet(_literal(output))
    troubles = written.where("trouble IS NOT NULL")
    number, all_rows = troubles.count(), written.count()
    for row in troubles.select("path", "trouble", "member", "message").take(_TOLD):
        trouble = Trouble(*row)
        click.echo(f"urlglean: {place(trouble)}: {printable(trouble.cause)}", err=True)
    more = f"; the first {_TOLD} are above" if number > _TOLD else ""
    click.echo(f"urlglean: URLs: {all_rows - number:,}, troubles: {number:,}{more}", err=True)
    return TROUBLE if number else FOUND if all_rows else NONE_FOUND
