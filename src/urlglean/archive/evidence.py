"""What a catalogue knows of the readings of doubtful findings: in how many independent documents each stands whole.

All is done by sorting and by index, never finding by finding against finding, so that the time is linear in the
catalogue but for sorting, also where one URL stands in 100,000 documents.
The rule is that of `pipeline.collection`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from sqlite3 import Connection
from typing import NamedTuple

from urlglean.pipeline.collection import STANDS_WHOLE, SURELY, author_key, sure, thread_key
from urlglean.text.settling import Weighed

FIRST = 10
"""How many of the documents that settled a finding are named."""

_TABLES = {
    "candidates": "finding INTEGER, position INTEGER, reading TEXT, confidence REAL, url INTEGER, document INTEGER",
    "whole": "url INTEGER, document INTEGER, sure INTEGER",
    "keys": "document INTEGER PRIMARY KEY, author TEXT, thread TEXT, date TEXT",
    "voices": "url INTEGER, sure INTEGER, date TEXT, document INTEGER, author TEXT, thread TEXT",
    "totals": "url INTEGER, sure INTEGER, documents INTEGER, PRIMARY KEY (url, sure)",
}

_INDICES = (
    "CREATE INDEX temp.voices_author ON voices (url, sure, author)",
    "CREATE INDEX temp.voices_thread ON voices (url, sure, thread)",
    "CREATE INDEX temp.voices_date ON voices (url, sure, date IS NULL, date, document)",
)

_CANDIDATES = """
INSERT INTO candidates
SELECT finding, position, reading, sure, urls.id, document FROM (
    SELECT findings.id AS finding, 0 AS position, own.url AS reading, findings.confidence AS sure, document
        FROM findings JOIN urls AS own ON own.id = findings.url
        WHERE valid AND findings.id IN (SELECT finding FROM readings)
    UNION ALL
    SELECT finding, position + 1, readings.url, readings.confidence, document
        FROM readings JOIN findings ON findings.id = finding
        WHERE valid
) LEFT JOIN urls ON urls.url = reading
"""

_WHOLE = f"""
INSERT INTO whole
SELECT url, document, max({SURELY}) FROM findings
WHERE url IN (SELECT url FROM candidates) AND {STANDS_WHOLE}
GROUP BY url, document
"""  # noqa: S608  our own conditions

_KEYS = """
INSERT INTO keys
SELECT id, author(sender, path, member), thread(subject, id), date FROM documents
WHERE id IN (SELECT document FROM whole)
    OR id IN (SELECT document FROM candidates)
"""

_VOICES = """
INSERT INTO voices
SELECT url, :sure, date, document, author, thread FROM (
    SELECT whole.url, keys.*,
        row_number() OVER (PARTITION BY whole.url, author ORDER BY date IS NULL, date, whole.document) AS of_author,
        row_number() OVER (PARTITION BY whole.url, thread ORDER BY date IS NULL, date, whole.document) AS of_thread
    FROM whole JOIN keys ON keys.document = whole.document WHERE whole.sure >= :sure
) WHERE of_author = 1 AND of_thread = 1
"""

_TOTALS = "INSERT INTO totals SELECT url, sure, count(*) FROM voices GROUP BY url, sure"

# An author and a thread have one voice at most for a URL. A voice of both is left out once.
_COUNTED = """
SELECT finding, candidates.document, reading, confidence,
    ifnull(longer.documents, 0)
        - EXISTS (SELECT 1 FROM voices WHERE url = candidates.url AND sure = 0 AND author = keys.author)
        - EXISTS (SELECT 1 FROM voices WHERE url = candidates.url AND sure = 0 AND thread = keys.thread
            AND author <> keys.author AND ifnull(date >= keys.date, 1)),
    ifnull(beginning.documents, 0)
        - EXISTS (SELECT 1 FROM voices WHERE url = candidates.url AND sure = 1 AND author = keys.author)
        - EXISTS (SELECT 1 FROM voices WHERE url = candidates.url AND sure = 1 AND thread = keys.thread
            AND author <> keys.author)
FROM candidates
    JOIN keys ON keys.document = candidates.document
    LEFT JOIN totals AS longer ON longer.url = candidates.url AND longer.sure = 0
    LEFT JOIN totals AS beginning ON beginning.url = candidates.url AND beginning.sure = 1
ORDER BY finding, position
"""

_DOCUMENTS = """
SELECT voices.document FROM voices JOIN keys ON keys.document = :document
WHERE url = :url AND sure = :sure AND voices.author <> keys.author
    AND (voices.thread <> keys.thread OR (NOT :sure AND ifnull(voices.date < keys.date, 0)))
ORDER BY voices.date IS NULL, voices.date, voices.document LIMIT :most
"""


class Doubtful(NamedTuple):
    """A finding with rivals, and what the collection says of each of its readings, the reader's own first."""

    finding: int
    document: int
    readings: tuple[Weighed, ...]


def doubtful(connection: Connection) -> Iterator[Doubtful]:
    """The doubtful findings of a catalogue in which none is settled, by their ids.

    It fills temporary tables, which `documents_with` then asks, and reads nothing else when it yields: the catalogue
    may be written meanwhile.
    """
    connection.create_function("author", 3, author_key, deterministic=True)
    connection.create_function("thread", 2, _thread, deterministic=True)
    for table, columns in _TABLES.items():
        connection.execute(f"DROP TABLE IF EXISTS temp.{table}")
        connection.execute(f"CREATE TEMP TABLE {table} ({columns})")
    connection.execute(_CANDIDATES)
    connection.execute(_WHOLE, {"sure": sure()})
    connection.execute(_KEYS)
    for least in (0, 1):
        connection.execute(_VOICES, {"sure": least})
    for statement in (*_INDICES, _TOTALS):
        connection.execute(statement)
    for (finding, document), rows in groupby(connection.execute(_COUNTED), itemgetter(0, 1)):
        yield Doubtful(finding, document, tuple([Weighed(*row[2:]) for row in rows]))


def documents_with(connection: Connection, url: int, document: int, *, sure: bool) -> list[int]:
    """The first documents, by date, that count for a URL against a finding in `document`; at most `FIRST`.

    `sure` leaves out those in which a line end makes it doubtful, and all of the finding's own thread.
    """
    asked = {"url": url, "document": document, "sure": sure, "most": FIRST}
    return [found for (found,) in connection.execute(_DOCUMENTS, asked)]


def _thread(subject: str | None, document: int) -> str:
    return thread_key(subject) or f"\0{document}"
