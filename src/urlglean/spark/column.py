"""URLs of a column of texts, as one more column: `urlglean.arrow.extract_column` on a Spark DataFrame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import BinaryType, StringType, StructField, StructType

from urlglean.arrow import FINDING, extract_column
from urlglean.errors import UnknownNameError
from urlglean.records import Dialect, Flowed, Joins
from urlglean.text.search_terms import several_names

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FOUND = from_arrow_type(pa.list_(FINDING))
"""The type of the new column: a list of findings, as structs of the columns `url` to `end` of the rows."""


def extract(  # noqa: PLR0913 - the options of `extract`, and two more
    df: DataFrame,
    column: str,
    dialect: Dialect = "current",
    joins: Joins = "likely",
    *,
    invalid: bool = False,
    strict: bool = False,
    flowed: Flowed = "",
    schemes: Iterable[str] = (),
    bare_hosts: bool = False,
    into: str = "found",
) -> DataFrame:
    """Find the URLs in each text of a column. Nothing is read before the result is.

    Args:
        df: the texts.
        column: the name of a column of texts, or of octets in UTF-8.
        dialect: this and the following options up to `bare_hosts` are as in `urlglean.extract`.
        joins: which URLs are joined.
        invalid: whether to include rejected candidates.
        strict: whether URLs that only browsers accept are rejected.
        flowed: the kind of flowed text.
        schemes: schemes that are searched too.
        bare_hosts: whether hosts without a scheme are searched too.
        into: the name of the new column.

    Returns:
        All columns of `df`, and behind them one with a list of findings for each text, as in
        `urlglean.arrow.extract_column`. The list of a text without URLs is empty, that of a null is null.

    Raises:
        UnknownNameError: there is no such column, dialect, level of joins, or kind of flowed text.
        ValueError: there is a column of the name `into`.
        TypeError: the column holds neither texts nor octets, or an option has a wrong type.
        SchemeNameError: as in `urlglean.extract`.
    """
    if column not in df.columns:
        raise UnknownNameError("column", column, tuple(df.columns))
    if into in df.columns:
        raise ValueError(f"there is a column {into!r} already")
    if not isinstance(df.schema[column].dataType, StringType | BinaryType):
        raise TypeError(f"a column must hold texts or octets, not {df.schema[column].dataType.simpleString()}")
    found_in = partial(
        extract_column,
        dialect=dialect,
        joins=joins,
        invalid=invalid,
        strict=strict,
        flowed=flowed,
        schemes=several_names("schemes", schemes),
        bare_hosts=bare_hosts,
    )
    found_in(pa.array([], pa.string()))  # wrong options are told here, not by a job
    at = df.columns.index(column)

    def with_found(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            found = found_in(batch.column(at))
            yield pa.RecordBatch.from_arrays([*batch.columns, found], names=[*batch.schema.names, into])

    # Spark itself asks for the columns by name, and takes a dot in a name for that of a field.
    numbered = df.toDF(*map(str, range(len(df.columns))))
    return numbered.mapInArrow(with_found, StructType([*df.schema.fields, StructField(into, FOUND)]))
