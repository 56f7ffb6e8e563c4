"""Weighs what the documents of a DataFrame say of doubtful findings, by `text.settling`; all else is SQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from urlglean.archive.evidence import FIRST
from urlglean.columns import shown
from urlglean.spark.columns import OF_SETTLED, SCHEMA
from urlglean.text.settling import Settled, Weighed, kind_of, settled

FINDING = ("document", "url", "confidence", "rivals", "rival_confidences")
"""The columns on which the outcome for a finding depends, besides the other documents."""

_NOW = ("url", "scheme", "host", "confidence", "rivals", "cautions", "rival_confidences")

OUTCOMES = pa.schema(
    [
        *(SCHEMA.field(name) for name in FINDING),
        pa.field("now", pa.struct([*(SCHEMA.field(name) for name in _NOW), *OF_SETTLED])),
    ]
)
"""A settled finding, as it was, and `now`: the values of its columns that change."""


def outcomes_of(batches: Iterable[Any]) -> Iterator[Any]:
    """The outcomes for those findings that are settled, as `pyarrow.RecordBatch` with `OUTCOMES`.

    Args:
        batches: findings with the columns `FINDING`; `author`, `thread` and `date` of their documents; and `readings`,
            a list of structs. Each tells `position` (0 is the reader's own), `reading` and `own` (confidence) of a
            reading, and if other documents have it whole: `surely` (whether those count alone in which no line end
            makes it doubtful), `others` (how many independent ones there are), `named` (the first voices for it),
            and `scheme`, `host` and `cautions`. A reading has two structs at most.
    """
    for batch in batches:
        outcomes = [{name: row[name] for name in FINDING} | {"now": _now(row)} for row in batch.to_pylist()]
        yield pa.RecordBatch.from_pylist([outcome for outcome in outcomes if outcome["now"]], schema=OUTCOMES)


def _now(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """The values of a finding after what the documents say; None if they settle nothing."""
    urls = {each["position"]: (each["reading"], each["own"]) for each in row["readings"]}
    evidence = {(each["reading"], each["surely"]): each for each in row["readings"] if each["named"] is not None}

    def others(url: str, *, surely: bool) -> int:
        return evidence[url, surely]["others"] if (url, surely) in evidence else 0

    readings = [
        Weighed(url, own, others(url, surely=False), others(url, surely=True)) for _, (url, own) in sorted(urls.items())
    ]
    outcome = settled(readings)
    if outcome is None:
        return None
    url = readings[outcome.chosen].url
    of_url = evidence[url, kind_of(url, readings) == "beginning"]
    return _values(outcome, readings, of_url) | {
        "settled": outcome.documents,
        "settled_by": [voice["document"] for voice in of_url["named"] if _counts(voice, row, of_url["surely"])][:FIRST],
    }


def _values(outcome: Settled, readings: list[Weighed], of_url: Mapping[str, Any]) -> dict[str, Any]:
    # The likeliest first; those that are as likely in the order of the reader.
    rest = sorted(set(range(len(readings))) - {outcome.chosen}, key=lambda at: (-outcome.confidences[at], at))
    return {
        "url": readings[outcome.chosen].url,
        "scheme": of_url["scheme"],
        "host": of_url["host"],
        "confidence": shown(outcome.confidences[outcome.chosen]),
        "rivals": [readings[at].url for at in rest],
        "cautions": of_url["cautions"],
        "rival_confidences": [shown(outcome.confidences[at]) for at in rest],
    }


def _counts(voice: Mapping[str, Any], row: Mapping[str, Any], surely: bool) -> bool:  # noqa: FBT001
    """Whether a voice is independent of a finding, as in `archive.evidence.documents_with`."""
    if voice["author"] == row["author"]:
        return False
    older = voice["date"] is not None and row["date"] is not None and voice["date"] < row["date"]
    return voice["thread"] != row["thread"] or (not surely and older)
