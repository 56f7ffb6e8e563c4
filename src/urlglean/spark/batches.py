"""What a task of a scan makes: the rows of a split as Arrow record batches, the troubles among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import MAXYEAR
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from urlglean.columns import shown
from urlglean.occurrence import Occurrence
from urlglean.output.arrow_tables import array_of, batch_of
from urlglean.output.file_names import as_text
from urlglean.output.tables import message_identity
from urlglean.pipeline.chunk_result import reported
from urlglean.pipeline.digest import digest_of
from urlglean.pipeline.glean import cause_of, trouble_of
from urlglean.pipeline.scan_task import ScanTask
from urlglean.pipeline.splits import Split, items_of
from urlglean.records import Document, Trouble
from urlglean.spark.columns import SCHEMA

ROWS = 10_000
"""The most rows of a batch."""


class Found(NamedTuple):
    """A finding in its place, and what all copies of its document have in common."""

    occurrence: Occurrence
    document: str


def batches_of(split: Split, task: ScanTask, rows: int = ROWS) -> Iterator[Any]:
    """The rows of a split, read within the limits of the task.

    Args:
        split: one from `pipeline.splits.located`.
        task: the options and limits. Its format is not used.
        rows: the most rows of a batch.

    Returns:
        An iterator of `pyarrow.RecordBatch` with `SCHEMA`: the URLs in the order of the input, the troubles in theirs.
    """
    found: list[Found] = []
    troubles: list[Trouble] = []
    for item, reports in reported(items_of(split, task.options.bounds), task):
        if isinstance(item, Trouble):
            troubles.append(item)
        for report in reports:
            troubles += report.troubles
            if report.occurrences and isinstance(item, Document):
                document = _identity(item, report.occurrences[0].envelope.message_id)
                found += [Found(occurrence, document) for occurrence in report.occurrences]
        while len(found) >= rows:
            yield from _of_urls(found[:rows])
            del found[:rows]
        if len(troubles) >= rows:
            yield _of_troubles(troubles)
            troubles = []
    if found:
        yield from _of_urls(found)
    if troubles:
        yield _of_troubles(troubles)


def _identity(document: Document, message_id: str | None) -> str:
    """What copies of a document have in common, as in a catalogue (`output.tables`)."""
    text = document.stretch.text if document.stretch else None
    return message_identity(message_id) or text or digest_of(document)


def _of_urls(found: Sequence[Found]) -> Iterator[Any]:
    """The rows of findings. If one of them cannot be made, it is a trouble, and the others can still be."""
    try:
        yield _rows(found)
    except Exception as error:  # noqa: BLE001  making a row calls the judge again
        if len(found) > 1:
            for one in found:
                yield from _of_urls([one])
            return
        ((occurrence, _),) = found
        cause = f"{occurrence.finding.url[:100]}: {cause_of(error)}"
        yield _of_troubles([trouble_of(occurrence.origin, cause)])


def _rows(found: Sequence[Found]) -> Any:
    findings = [one.occurrence.finding for one in found]
    columns = _columns(batch_of([one.occurrence for one in found]))
    return _batch(
        {
            **columns,
            "date": _in_any_zone(columns["date"]),
            "document": [one.document for one in found],
            "joined": [bool(finding.joins) for finding in findings],
            "rival_confidences": [list(map(shown, finding.rival_confidences)) for finding in findings],
        },
        len(found),
    )


def _in_any_zone(dates: Any) -> Any:
    """The dates, without those of the year 9999. None is before the year 999 (`mail.envelope.iso_utc`).

    `DataFrame.collect` gives times in the zone of its process, and raises if that makes them of the year 10000.
    """
    return pc.if_else(pc.less(pc.year(dates), MAXYEAR), dates, pa.scalar(None, dates.type))


def _columns(batch: Any) -> dict[str, Any]:
    return dict(zip(batch.schema.names, batch.columns, strict=True))


def _of_troubles(troubles: Sequence[Trouble]) -> Any:
    return _batch(
        {
            "path": [as_text(each.path) for each in troubles],
            "member": [each.member for each in troubles],
            "message": [each.message for each in troubles],
            "trouble": [each.cause for each in troubles],
        },
        len(troubles),
    )


def _batch(columns: dict[str, Any], length: int) -> Any:
    """A batch of so many rows, with `SCHEMA`; what is no array is made one, what is missing is null."""
    return pa.RecordBatch.from_arrays(
        [_array(columns.get(each.name), each.type, length) for each in SCHEMA], schema=SCHEMA
    )


def _array(values: Any, kind: Any, length: int) -> Any:
    if values is None:
        return pa.nulls(length, kind)
    return values.cast(kind) if isinstance(values, pa.Array) else array_of(values, kind)
