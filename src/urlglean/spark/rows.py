"""The rows of a scan as a Spark DataFrame: a partition for each split (`pipeline.splits`)."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_schema

from urlglean.pipeline.library import options_of
from urlglean.pipeline.limits import MEMORY, SECONDS, Limits
from urlglean.pipeline.scan_task import ScanTask
from urlglean.pipeline.splits import SIZE, Split, Survey, located, plan, survey
from urlglean.pipeline.wanted import Wanted
from urlglean.records import Dialect, Joins
from urlglean.spark.batches import batches_of
from urlglean.spark.columns import SCHEMA

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Path = str | os.PathLike[str]


def scan(  # noqa: PLR0913 - the options of `urlglean.scan`, and of the tasks
    spark: SparkSession,
    paths: Path | Iterable[Path],
    *,
    dialect: Dialect = "current",
    joins: Joins = "likely",
    invalid: bool = False,
    strict: bool = False,
    schemes: Iterable[str] = (),
    bare_hosts: bool = False,
    least: float = 0.0,
    wanted: Wanted | None = None,
    size: int = SIZE,
    seconds: float = SECONDS,
    memory: int = MEMORY,
) -> DataFrame:
    """Find the URLs in files and folders, as `urlglean.scan` does, by the tasks of a Spark cluster.

    The call plans the work: it lists the files and, if there is more than one split, runs a job that reads all of it
    once without looking for URLs. The URLs are searched when the result is read, and again each time it is read.

    Args:
        spark: a session whose Python workers have urlglean installed and see the files under the same names.
        paths: one or several paths: files, folders, or URLs of fsspec.
        dialect: this and the following options up to `wanted` are as in `urlglean.scan`.
        joins: how far to go in joining.
        invalid: whether to include rejected candidates; no column tells them.
        strict: whether to reject URLs that browsers accept but the dialect does not.
        schemes: more schemes to search for.
        bare_hosts: whether to search for hosts without a scheme too.
        least: findings with a smaller confidence (0 to 1) are left out.
        wanted: which messages, parts and URLs are wanted. None: all are wanted.
        size: about how many octets of files a split has. Each split is a partition.
        seconds: how many seconds of processor time a document may take, and as many again for each megabyte of it;
            what takes longer becomes a trouble. 0 means no limit.
        memory: how many bytes the Python worker that reads a document may take; what needs more becomes a trouble. 0
            means no limit.

    Returns:
        The columns `SCHEMA`: a row for each URL, whose `trouble` is null, and one for each trouble. The rows without a
        trouble are those of `urlglean scan`, in any order.

    Raises:
        UnknownNameError: there is no such dialect or level of joins.
        SchemeNameError: one of `schemes` is not a possible name of a scheme (RFC 3986 3.1).
        OutOfRangeError: `least` is not between 0 and 1.
        TypeError: an option has a wrong type.
        ValueError: one of the paths is "-", because standard input cannot be divided.
    """
    # Wrong options are told here, not by a job.
    options = options_of(dialect, joins, invalid, strict, schemes, bare_hosts, least, wanted)
    for name, number in (("size", size), ("seconds", seconds), ("memory", memory)):
        if not isinstance(number, int | float):
            raise TypeError(f"{name} must be a number, not {type(number).__name__}")
    task = ScanTask(options=options, limits=Limits(seconds, memory))
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    splits = list(plan(map(os.fsdecode, given), size=size))
    if len(splits) > 1:
        splits = list(located(splits, _surveys(spark, splits)))
    packed = list(map(pickle.dumps, splits))

    def rows(batches: Iterable[Any]) -> Iterator[Any]:
        for number in _numbers(batches):
            yield from batches_of(pickle.loads(packed[number]), task)  # noqa: S301  the driver has packed it

    return _partitions(spark, len(packed)).mapInArrow(rows, from_arrow_schema(SCHEMA))


def _surveys(spark: SparkSession, splits: Sequence[Split]) -> Iterator[Survey]:
    """What `survey` says of each split, by a task for each."""
    packed = list(map(pickle.dumps, splits))

    def surveys(batches: Iterable[Any]) -> Iterator[Any]:
        for number in _numbers(batches):
            known = pickle.dumps(survey(pickle.loads(packed[number])))  # noqa: S301  the driver has packed it
            yield pa.RecordBatch.from_pydict({"number": [number], "survey": [known]})

    rows = _partitions(spark, len(packed)).mapInArrow(surveys, "number long, survey binary").collect()
    known = {row.number: row.survey for row in rows}
    return (pickle.loads(known[number]) for number in range(len(packed)))  # noqa: S301  our own tasks have packed it


def _partitions(spark: SparkSession, number: int) -> DataFrame:
    """The numbers from 0, each in a partition of its own."""
    return spark.range(0, number, 1, max(number, 1))


def _numbers(batches: Iterable[Any]) -> Iterator[int]:
    return (number for batch in batches for number in batch.column(0).to_pylist())
