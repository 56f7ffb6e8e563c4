"""Columns of texts, and scans, as Apache Arrow: for pandas, polars, DuckDB, Spark.

    import urlglean.arrow

    found = urlglean.arrow.extract_column(table["body"])                    # a list of findings for each text
    batches = urlglean.arrow.scan_batches(["mail/"])                        # the rows of `urlglean scan`

The arrays are built column by column, without an object for each row. Importing this module needs pyarrow, which the
extra `arrow` installs; without it, the import raises `MissingExtraError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from urlglean.output.arrow_tables import FINDING, SCHEMA, as_long_as, batch_of, lists_of, texts_of
from urlglean.pipeline.library import OnTrouble, Source, scan
from urlglean.pipeline.wanted import Wanted
from urlglean.records import Dialect, Flowed, Joins
from urlglean.text.extract import extract_many
from urlglean.text.search_terms import several_names

__all__ = ["FINDING", "SCHEMA", "extract_column", "scan_batches"]

ROWS = 10_000
"""How many rows a batch has by default."""


def extract_column(  # noqa: PLR0913 - the options of `extract`
    texts: Any,
    dialect: Dialect = "current",
    joins: Joins = "likely",
    *,
    invalid: bool = False,
    strict: bool = False,
    flowed: Flowed = "",
    schemes: Iterable[str] = (),
    bare_hosts: bool = False,
) -> Any:
    """Find the URLs in each text of a column.

    Args:
        texts: a `pyarrow.Array` or `pyarrow.ChunkedArray` of texts, or of octets in UTF-8; dictionaries are decoded.
        dialect: this and all following arguments are as in `urlglean.extract`, and the same for all texts.
        joins: which URLs are joined.
        invalid: whether to include rejected candidates.
        strict: whether URLs that only browsers accept are rejected.
        flowed: the kind of flowed text.
        schemes: schemes that are searched too.
        bare_hosts: whether hosts without a scheme are searched too.

    Returns:
        A `pyarrow.ListArray` as long as the column, or a `ChunkedArray` of one array if the column is chunked. Each
        list holds the findings of a text in its order, as structs of type `FINDING`: the columns `url` to `end` of the
        rows. `start` and `end` are half-open, in code points of the text. The list of a text without URLs is empty,
        that of a null is null.

    Raises:
        TypeError: the column holds neither texts nor octets, or an option has a wrong type.
        UnknownNameError: there is no such dialect, level of joins, or kind of flowed text.
        SchemeNameError: one of `schemes` is not a possible name of a scheme (RFC 3986 3.1).
    """
    extract_all = partial(
        extract_many,
        dialect=dialect,
        joins=joins,
        invalid=invalid,
        strict=strict,
        flowed=flowed,
        schemes=several_names("schemes", schemes),
        bare_hosts=bare_hosts,
    )
    found = []
    for some in texts_of(texts):
        findings = extract_all(["" if text is None else text for text in some])
        found.append(lists_of(None if text is None else each for text, each in zip(some, findings, strict=True)))
    return as_long_as(texts, found)


def scan_batches(  # noqa: PLR0913 - the options of `scan`, and one more
    source: Source,
    *,
    dialect: Dialect = "current",
    joins: Joins = "likely",
    invalid: bool = False,
    strict: bool = False,
    schemes: Iterable[str] = (),
    bare_hosts: bool = False,
    least: float = 0.0,
    wanted: Wanted | None = None,
    on_trouble: OnTrouble | None = None,
    rows: int = ROWS,
) -> Iterator[Any]:
    """Find the URLs in files, folders, an open file or octets, as batches of rows.

    Args:
        source: this and all following arguments up to `on_trouble` are as in `urlglean.scan`.
        dialect: the dialect.
        joins: which URLs are joined.
        invalid: whether to include rejected candidates; the schema has no column that tells them.
        strict: whether URLs that only browsers accept are rejected.
        schemes: schemes that are searched too.
        bare_hosts: whether hosts without a scheme are searched too.
        least: findings with a smaller confidence are left out.
        wanted: which messages, parts and URLs are wanted.
        on_trouble: called with what could not be read completely.
        rows: how many rows a batch has; the last one may have fewer.

    Returns:
        An iterator of `pyarrow.RecordBatch` with `SCHEMA`, in the order of the input; none if no URL was found.

    Raises:
        ValueError: `rows` is less than 1.
        TypeError: `rows` is no int, or as in `urlglean.scan`.
        UnknownNameError: as in `urlglean.scan`, like the others.

    Warns:
        UnreadableWarning: as in `urlglean.scan`.
    """
    if not isinstance(rows, int):
        raise TypeError(f"rows must be int, not {type(rows).__name__}")
    if rows < 1:
        raise ValueError(f"a batch has at least one row, not {rows}")
    occurrences = scan(
        source,
        dialect=dialect,
        joins=joins,
        invalid=invalid,
        strict=strict,
        schemes=schemes,
        bare_hosts=bare_hosts,
        least=least,
        wanted=wanted,
        on_trouble=on_trouble,
    )
    return map(batch_of, iter(lambda: list(islice(occurrences, rows)), []))
