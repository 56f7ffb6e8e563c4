"""The columns of what `scan` and `settle` return: those of the rows, and what else they tell."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from urlglean.output.arrow_tables import SCHEMA as ROWS


def _field(name: str, kind: Any, meaning: str) -> Any:
    return pa.field(name, kind, metadata={"meaning": meaning})


FOR_SETTLING = (
    _field("document", pa.string(), "the same for all copies of a message or text"),
    _field("joined", pa.bool_(), "whether a break was taken out of it"),
    _field("rival_confidences", pa.list_(pa.float64()), "those of the rivals, in their order"),
)
"""What `settle` needs besides the rows."""

TROUBLE = _field("trouble", pa.string(), "why something could not be read completely")

_DATE = ROWS.field("date").with_type(pa.timestamp("us", tz="UTC"))  # Spark counts microseconds

SCHEMA = pa.schema([*ROWS.set(ROWS.get_field_index("date"), _DATE), *FOR_SETTLING, TROUBLE])
"""The columns of the rows, those for settling, and `trouble`.

In the row of a URL, `trouble` is null. In the row of a trouble it is the cause, and of all others only `path`, `member`
and `message` have values.
"""

OF_SETTLED = (
    _field("settled", pa.int64(), "how many independent documents have the reading that they settled"),
    _field("settled_by", pa.list_(pa.string()), "the first ten of these documents, by date"),
)
"""What `settle` adds; null in all rows that it leaves as they are."""
