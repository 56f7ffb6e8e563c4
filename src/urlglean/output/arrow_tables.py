"""Rows as Arrow tables: the columns of `COLUMNS`, lists as lists. The metadata of each field has the column's meaning.

Importing this module needs pyarrow, which the extra `arrow` installs.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from urlglean.columns import COLUMNS, OF_FINDING, PROBLEM_FIELDS, Column, Value
from urlglean.errors import MissingExtraError
from urlglean.occurrence import Occurrence, of_finding, of_part
from urlglean.output.file_names import as_text
from urlglean.output.jsonl import SURROGATE
from urlglean.text.finding import Finding, values_of

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import json as arrow_json
except ImportError as error:
    raise MissingExtraError("Arrow and Parquet need the package pyarrow: pip install pyarrow") from error

_TYPES = {
    "text": pa.string(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
    "time": pa.timestamp("s", tz="UTC"),
}
_TYPES["texts"] = pa.list_(_TYPES["text"])
_TYPES["problems"] = pa.list_(pa.struct([(name, _TYPES[kind]) for name, kind in PROBLEM_FIELDS]))


def _fields(columns: Iterable[Column]) -> list[Any]:
    return [pa.field(column.name, _TYPES[column.type], metadata={"meaning": column.meaning}) for column in columns]


SCHEMA = pa.schema(_fields(COLUMNS), metadata={"urlglean": "rows"})
"""The schema of the rows. By its metadata `sources/own_outputs.py` knows a file of them again."""

_TIMES = [number for number, column in enumerate(COLUMNS) if column.type == "time"]

_OF_LINES = SCHEMA
for _number in _TIMES:
    _OF_LINES = _OF_LINES.set(_number, SCHEMA.field(_number).with_type(pa.string()))

FINDING = pa.struct(_fields(OF_FINDING))
"""The type of a finding without its place: a struct of the columns `url` to `end`."""

_OF_TEXT = frozenset(
    {pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view(), pa.null()}
)
TEXTS = 4096
"""How many texts of a column are Python objects at a time."""

_PATH = SCHEMA.get_field_index("path")


def batch_of(occurrences: Sequence[Occurrence]) -> Any:
    """The rows of occurrences, as a `pyarrow.RecordBatch` with `SCHEMA`.

    Lone surrogates become U+FFFD, in paths as `file_names.as_text` says.
    """
    # Measured (Python 3.11): 3.9 us a row; 10.2 us by lines of JSON and a dictionary for each row.
    columns = list(_columns(map(_values, occurrences), len(SCHEMA)))
    columns[_PATH] = list(map(as_text, columns[_PATH]))
    arrays = [array_of(column, each.type) for column, each in zip(columns, SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


def lists_of(found: Iterable[Sequence[Finding] | None]) -> Any:
    """The findings of texts, a list for each text, as a `pyarrow.ListArray` of `FINDING`; a null for each None."""
    ends: list[int | None] = []
    flat: list[Finding] = []
    for findings in found:
        ends.append(None if findings is None else len(flat))
        flat += findings or ()
    columns = _columns(map(values_of, flat), FINDING.num_fields)
    arrays = [array_of(column, each.type) for column, each in zip(columns, FINDING, strict=True)]
    values = pa.StructArray.from_arrays(arrays, fields=list(FINDING))
    return pa.ListArray.from_arrays(pa.array([*ends, len(flat)], pa.int32()), values)


def texts_of(column: Any) -> Iterator[list[str | bytes | None]]:
    """The texts of a column as Python objects, at most `TEXTS` at a time; one empty list if there are none.

    Args:
        column: a `pyarrow.Array` or `pyarrow.ChunkedArray` of texts, octets, dictionaries of those, or nulls.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(column, pa.Array | pa.ChunkedArray):
        raise TypeError(f"a column must be a pyarrow Array or ChunkedArray, not {type(column).__name__}")
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if column.type not in _OF_TEXT:
        raise TypeError(f"a column must hold texts or octets, not {column.type}")
    return (column.slice(start, TEXTS).to_pylist() for start in range(0, max(len(column), 1), TEXTS))


def as_long_as(column: Any, arrays: Sequence[Any]) -> Any:
    """The arrays as one: a `ChunkedArray` if the column is one."""
    whole = pa.concat_arrays(arrays)
    return pa.chunked_array([whole]) if isinstance(column, pa.ChunkedArray) else whole


def table_of(lines: bytes) -> Any:
    """The rows that lines of JSON hold, as a `pyarrow.Table` with `SCHEMA`."""
    # Measured (Python 3.11): 2.3 us a row; 6.7 us by a dictionary for each row.
    one_block = arrow_json.ReadOptions(use_threads=False, block_size=len(lines) + 1)
    as_rows = arrow_json.ParseOptions(explicit_schema=_OF_LINES, unexpected_field_behavior="error")
    table = arrow_json.read_json(io.BytesIO(lines), one_block, as_rows)
    for number in _TIMES:
        table = table.set_column(number, SCHEMA.field(number), _times(table.column(number).combine_chunks()))
    return table.cast(SCHEMA)


def array_of(values: Sequence[Any], kind: Any) -> Any:
    """The values of a column as a `pyarrow.Array`. Lone surrogates, which UTF-8 cannot encode, become U+FFFD."""
    if pa.types.is_timestamp(kind):
        return _times(array_of(values, pa.string()))
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        return pa.array(list(map(_encodable, values)), kind)


def _values(occurrence: Occurrence) -> tuple[Value, ...]:
    return of_finding(occurrence) + of_part(occurrence)


def _columns(rows: Iterable[Sequence[Value]], number: int) -> Iterator[Sequence[Any]]:
    """The columns of rows with `number` columns each."""
    columns = list(zip(*rows, strict=True))
    return iter(columns or [()] * number)


_ISO = "%Y-%m-%dT%H:%M:%SZ"


def _times(texts: Any) -> Any:
    """Times, from texts as in `Envelope.date`. What is none of the years 1 to 9999, to the letter, is null."""
    # All rows of a message have one date. Measured (Python 3.11): 0.3 us a row, 1.3 us if each is read by itself.
    once = texts.dictionary_encode()
    read = pc.strptime(once.dictionary, format=_ISO, unit="s", error_is_null=True)  # 31 February is in March to it
    same = pc.and_(pc.equal(pc.strftime(read, format=_ISO), once.dictionary), pc.greater(pc.year(read), 0))
    times = pc.if_else(same, read, pa.scalar(None, read.type)).cast(_TYPES["time"])
    return times.take(once.indices)


def _encodable(value: Any) -> Any:
    match value:
        case str():
            return SURROGATE.sub("\ufffd", value)
        case dict():
            return {key: _encodable(held) for key, held in value.items()}
        case list() | tuple():
            return [_encodable(held) for held in value]
        case _:
            return value
