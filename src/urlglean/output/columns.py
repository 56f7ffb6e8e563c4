"""The rows: one column a line, in the order in which every writer puts them.

A writer never names a column itself: it asks `COLUMNS` for names, types and order, and `row` for the values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal, NamedTuple

from urlglean.records import Problem, Sighting, Verdict

ColumnType = Literal["text", "integer", "boolean", "texts", "problems"]
ProblemRow = dict[str, str | int]
Value = str | int | bool | tuple[str, ...] | list[ProblemRow] | None
Row = dict[str, Value]


class Column(NamedTuple):
    """One column: every value is of `type` or absent (None); "texts" and "problems" are lists.

    `get` is handed the verdict beside the sighting, so that a row asks the judge once and not once a column.
    """

    name: str
    type: ColumnType
    meaning: str
    get: Callable[[Sighting, Verdict], Value]


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


COLUMNS: tuple[Column, ...] = (
    Column("url", "text", "the chosen reading", lambda s, _: s.finding.url),
    Column("scheme", "text", "its scheme, in lower case", lambda _, v: v.scheme and v.scheme.lower()),
    Column("host", "text", "its host, as written", lambda _, v: v.parts.host if v.parts else None),
    Column("wrapper", "text", "what it stood in", lambda s, _: s.finding.wrapper),
    Column("certainty", "text", "stated, plain or inferred", lambda s, _: s.finding.certainty),
    Column("valid", "boolean", "by the dialect asked for", lambda s, _: s.finding.valid),
    Column("rivals", "texts", "the other readings, best first", lambda s, _: s.finding.rivals),
    Column("problems", "problems", "what is wrong with it", lambda s, _: [problem_row(p) for p in s.finding.problems]),
    Column("cautions", "texts", "codes of what to beware of", lambda _, v: v.cautions),
    Column("start", "integer", "where it begins in its part's text, in code points", lambda s, _: s.finding.span.start),
    Column("end", "integer", "where it ends, half-open", lambda s, _: s.finding.span.end),
    Column("line", "integer", "its line in the part's text, from 1", lambda s, _: s.line),
    Column("path", "text", "the file", lambda s, _: s.document.path),
    Column("member", "text", "the path inside an archive file", lambda s, _: s.document.member),
    Column("message", "integer", "which message of the file, from 1", lambda s, _: s.document.message),
    Column("message_id", "text", "its Message-ID", lambda s, _: s.envelope.message_id),
    Column("date", "text", "its Date, ISO 8601 in UTC", lambda s, _: s.envelope.date),
    Column("sender", "text", "its sender", lambda s, _: s.envelope.sender),
    Column("subject", "text", "its Subject", lambda s, _: s.envelope.subject),
    Column("newsgroups", "texts", "its Newsgroups", lambda s, _: s.envelope.newsgroups),
    Column("part", "text", "the MIME part's number", lambda s, _: s.part.part),
    Column("field", "text", "the header's name, or tag@attribute; absent: body", lambda s, _: s.part.field),
)


_GETTERS = tuple((column.name, column.get) for column in COLUMNS)


def row(sighting: Sighting) -> Row:
    """The values of a sighting by column name, in the order of `COLUMNS`; absent is None."""
    verdict = _verdict(sighting.finding.judge, sighting.finding.url)
    return {name: get(sighting, verdict) for name, get in _GETTERS}


@lru_cache(maxsize=1 << 12)
def _verdict(judge: Callable[[str], Verdict], url: str) -> Verdict:
    # Mail repeats itself: of 8,028 URLs in 4,083 messages of public lists, 4,310 had just been seen.
    return judge(url)
