"""The columns of the output rows, in the order in which every writer writes them.

No writer names a column itself. It takes names, types and order from `COLUMNS`, and the values from
`Occurrence.to_dict`. Or it takes columns and values in two halves, because all rows of a part repeat the second half.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from urlglean.records import Problem

ColumnType = Literal["text", "integer", "number", "boolean", "time", "texts", "problems"]
ProblemRow = dict[str, str | int]
Value = str | int | float | bool | tuple[str, ...] | list[ProblemRow] | None


class Column(NamedTuple):
    """One column. Every value is of its `type`, or None if absent; "texts" and "problems" are lists.

    A "time" is a text, `1994-12-31T23:59:59Z` (ISO 8601, UTC), where a format has no type for it.
    """

    name: str
    type: ColumnType
    meaning: str


PROBLEM_FIELDS: tuple[tuple[str, Literal["text", "integer"]], ...] = (
    ("code", "text"),
    ("start", "integer"),
    ("end", "integer"),
    ("rule", "text"),
    ("message", "text"),
)
"""The fields of a problem in a row, in the order of `problem_row`."""


def problem_row(problem: Problem) -> ProblemRow:
    """A problem as a flat mapping; `start` and `end` are half-open code-point positions in the URL."""
    span = problem.span_in_url
    return {
        "code": problem.code,
        "start": span.start,
        "end": span.end,
        "rule": problem.rule,
        "message": problem.message,
    }


def shown(confidence: float) -> float:
    """A confidence as writers show it, rounded to four digits after the point."""
    return round(confidence, 4)


OF_FINDING = (
    Column("url", "text", "the chosen reading"),
    Column("scheme", "text", "its scheme, in lower case"),
    Column("host", "text", "its host, as written"),
    Column("wrapper", "text", "what it stood in"),
    Column("certainty", "text", "stated, plain or inferred"),
    Column("confidence", "number", "how likely the url is exactly what a careful reader would copy"),
    Column("valid", "boolean", "by the dialect asked for"),
    Column("rivals", "texts", "the other readings, best first"),
    Column("problems", "problems", "what is wrong with it"),
    Column("cautions", "texts", "codes of what to beware of"),
    Column("start", "integer", "where it begins in its part's text, in code points"),
    Column("end", "integer", "where it ends, half-open"),
)
"""The columns of the finding itself, in the order of `text.finding.values_of`."""

OF_PLACE = (Column("line", "integer", "its line in the part's text, from 1; of an attribute, in the visible text"),)
"""The columns of the finding's place in its part."""

OF_PART = (
    Column("path", "text", "the file"),
    Column("member", "text", "the path inside an archive file"),
    Column("offset", "integer", "where the message begins in it, in octets, unpacked"),
    Column("message", "integer", "which message of the file, from 1"),
    Column("message_id", "text", "its Message-ID"),
    Column("date", "time", "its Date, in UTC"),
    Column("sender", "text", "its sender"),
    Column("subject", "text", "its Subject"),
    Column("newsgroups", "texts", "its Newsgroups"),
    Column("part", "text", "the MIME part's number"),
    Column("field", "text", "the header's name, or tag@attribute; absent: body"),
    Column("label", "text", "the text of a link in HTML; absent: no <a>"),
)
"""The columns of the part of a message in which the finding was, in the order of `occurrence.of_part`."""

COLUMNS: tuple[Column, ...] = OF_FINDING + OF_PLACE + OF_PART
