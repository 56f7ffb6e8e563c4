"""`urlglean settle` as operations on a Spark DataFrame: the queries of `archive.evidence` for any number of machines.

What counts as evidence is the rule of `pipeline.collection`, and how it is weighed that of `text.settling`. No query
sorts or joins all documents that hold a URL in one place, so that a URL in each message costs no more than others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StringType, StructField, StructType

from urlglean.archive.evidence import FIRST
from urlglean.errors import UnknownNameError
from urlglean.pipeline.collection import author_key, sure, thread_key
from urlglean.spark.columns import OF_SETTLED, SCHEMA
from urlglean.spark.weighing import FINDING, OUTCOMES, outcomes_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_KEPT = FIRST + 2
"""So many voices for a URL are kept by name. Two of them may be those of a finding's own author and thread."""

# All that the outcome depends on. Findings that are equal in it have one outcome. (In troubles, `valid` is null.)
_READINGS = f"""
SELECT {", ".join(FINDING)}, position, each.reading, each.own FROM (
    SELECT DISTINCT {", ".join(FINDING)} FROM {{rows}} WHERE valid AND size(rivals) > 0
) LATERAL VIEW posexplode(concat(
    array(struct(url AS reading, confidence AS own)),
    zip_with(rivals, rival_confidences, (rival, likely) -> struct(rival AS reading, likely AS own))
)) AS position, each
"""

# The values of a document are those at the first of its places.
_DOCUMENTS = """
SELECT document, first.* FROM (
    SELECT document, min(struct(path, member, offset, sender, subject, date)) AS first
    FROM {rows} WHERE trouble IS NULL GROUP BY document
)
"""

# Which documents have a URL whole, as `collection.STANDS_WHOLE` and `collection.SURELY` say, and which ask for it: they
# have it as a reading of a doubtful finding. There is one row for all documents that have it whole (`surely` is false)
# and one for those alone in which no line end makes it doubtful. Scheme, host and cautions are those of the URL.
_DOCUMENTS_OF_URLS = """
SELECT url, document, scheme, host, cautions, false AS asks, surely FROM (
    SELECT url, document, max(wrapper <> 'bare' OR confidence >= {sure}) AS is_sure,
        first(scheme) AS scheme, first(host) AS host, first(cautions) AS cautions
    FROM {rows} LEFT SEMI JOIN (SELECT reading FROM {readings}) AS asked ON reading = url
    WHERE valid AND certainty IN ('plain', 'stated') AND size(rivals) = 0 AND NOT joined
    GROUP BY url, document
) LATERAL VIEW explode(if(is_sure, array(false, true), array(false))) AS surely
UNION ALL
SELECT reading, document, NULL, NULL, NULL, true, surely
FROM (SELECT DISTINCT reading, document FROM {readings}) LATERAL VIEW explode(array(false, true)) AS surely
"""

# A voice for a URL is the first document of its author, and the first of its thread. What has no date comes last.
_VOICES = """
SELECT *, NOT asks AND of_author = 1 AND of_thread = 1 AS speaks FROM (
    SELECT *,
        row_number() OVER (PARTITION BY url, surely, author ORDER BY asks, place) AS of_author,
        row_number() OVER (PARTITION BY url, surely, thread ORDER BY asks, place) AS of_thread
    FROM (
        SELECT *, struct(date IS NULL, date, path, member, offset, document) AS place
        FROM {of_urls} JOIN {documents} USING (document)
    )
)
"""

_TOTALS = """
SELECT url, surely, count(*) AS voices, first(scheme) AS scheme, first(host) AS host, first(cautions) AS cautions
FROM {voices} WHERE speaks GROUP BY url, surely
"""

_NAMED = """
SELECT url, surely, sort_array(collect_list(struct(rank, document, author, thread, date))) AS named FROM (
    SELECT *, row_number() OVER (PARTITION BY url, surely ORDER BY place) AS rank FROM {voices} WHERE speaks
) WHERE rank <= {kept} GROUP BY url, surely
"""

# An author and a thread have one voice at most for a URL. A voice of both is left out once. An older
# voice of the thread cannot quote the one that asks; but a line end may have cut both at the same place.
_ANSWERS = """
SELECT document, url, surely, author, thread, date, totals.scheme, totals.host, totals.cautions, named,
    voices - int(own_author) - int(coalesce(
        own_thread.author <> author AND (surely OR coalesce(own_thread.date >= date, true)), false
    )) AS others
FROM (
    SELECT url, surely, document, author, thread, date, asks,
        max(speaks) OVER (PARTITION BY url, surely, author) AS own_author,
        max(if(speaks, struct(author, date), NULL)) OVER (PARTITION BY url, surely, thread) AS own_thread
    FROM {voices}
) JOIN {totals} AS totals USING (url, surely) JOIN {named} AS named USING (url, surely)
WHERE asks
"""

_FINDINGS = f"""
SELECT {", ".join(f"readings.{name}" for name in FINDING)},
    max(answers.author) AS author, max(answers.thread) AS thread, max(answers.date) AS date,
    collect_list(struct(position, reading, own, surely, others, scheme, host, cautions, named)) AS readings
FROM {{readings}} AS readings
    LEFT JOIN {{answers}} AS answers ON answers.document = readings.document AND answers.url = readings.reading
GROUP BY {", ".join(f"readings.{name}" for name in FINDING)} HAVING count(answers.url) > 0
"""


def settle(df: DataFrame) -> DataFrame:
    """Settle doubtful readings by what all documents say, as `urlglean settle` does in a catalogue.

    `df` is read several times. So it should be what `scan` returned, stored or cached, not the scan itself.

    Args:
        df: what `scan` returned, perhaps with further columns. All of it is the collection.

    Returns:
        All rows. A settled finding has the chosen reading and its values (`url`, `scheme`, `host`, `confidence`,
        `rivals`, `rival_confidences`, `problems`, `cautions`); where it was found and `joined` tell of the reader's own
        reading, as before. Before `trouble` are two more columns: `settled`, how many independent documents have that
        reading, and `settled_by`, the `document` of the first ten of them, by date. Both are null in other rows.

    Raises:
        UnknownNameError: a column is missing that `scan` gives.
        ValueError: the rows are settled already.
    """
    for name in SCHEMA.names:
        if name not in df.columns:
            raise UnknownNameError("column", name, tuple(df.columns))
    if OF_SETTLED[0].name in df.columns:
        raise ValueError("the rows are settled already; settle those that `scan` returned")
    return _chosen(df, _findings(df).mapInArrow(outcomes_of, from_arrow_schema(OUTCOMES)))


def _findings(rows: DataFrame) -> DataFrame:
    """The doubtful findings of which a reading stands whole elsewhere, with what all documents say of each reading."""
    ask = rows.sparkSession.sql
    readings = ask(_READINGS, rows=rows)
    of_urls = ask(_DOCUMENTS_OF_URLS, rows=rows, readings=readings, sure=sure())
    documents = ask(_DOCUMENTS, rows=rows)
    keys = StructType([StructField("author", StringType()), StructField("thread", StringType())])
    documents = documents.mapInArrow(_with_keys, StructType([*documents.schema, *keys]))
    voices = ask(_VOICES, of_urls=of_urls, documents=documents)
    totals = ask(_TOTALS, voices=voices)
    named = ask(_NAMED, voices=voices, kept=_KEPT)
    answers = ask(_ANSWERS, voices=voices, totals=totals, named=named)
    return ask(_FINDINGS, readings=readings, answers=answers)


def _with_keys(batches: Iterable[Any]) -> Iterator[Any]:
    """Documents, and the keys of their authors and threads. What has no subject is a thread by itself."""
    for batch in batches:
        values = (batch.column(name).to_pylist() for name in ("document", "path", "member", "sender", "subject"))
        documents, paths, members, senders, subjects = values
        authors = pa.array(map(author_key, senders, paths, members), pa.string())
        threads = [thread_key(subject) or f"\0{each}" for subject, each in zip(subjects, documents, strict=True)]
        columns = [*batch.columns, authors, pa.array(threads, pa.string())]
        yield pa.RecordBatch.from_arrays(columns, names=[*batch.schema.names, "author", "thread"])


def _chosen(df: DataFrame, outcomes: DataFrame) -> DataFrame:
    """All rows, with the outcome for those that have one."""
    rows, told = df.alias("rows"), outcomes.alias("told")
    same = [F.col(f"rows.{name}") == F.col(f"told.{name}") for name in FINDING]
    joined = rows.join(told, reduce(and_, same), "left")
    changed = {field.name for field in OUTCOMES.field("now").type}

    def value(name: str) -> Column:
        own = F.col(f"rows.`{name}`")
        if name == "problems":
            return F.expr(_PROBLEMS).alias(name)
        if name in changed:
            return F.when(F.col("told.now").isNotNull(), F.col(f"told.now.{name}")).otherwise(own).alias(name)
        return own

    added = [F.col(f"told.now.{field.name}") for field in OF_SETTLED]
    *others, trouble = [*(name for name in df.columns if name != "trouble"), "trouble"]
    return joined.select(*map(value, others), *added, value(trouble))


# The problems of a valid finding are notes on the candidate: they concern all of its URL, or its end.
_PROBLEMS = """
if(told.now.url IS NOT NULL AND told.now.url <> rows.url,
    transform(rows.problems, problem -> named_struct(
        'code', problem.code,
        'start', if(problem.start > 0, bigint(length(told.now.url)), 0L),
        'end', bigint(length(told.now.url)),
        'rule', problem.rule,
        'message', problem.message
    )),
    rows.problems)
"""
