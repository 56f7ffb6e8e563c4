"""The second look: settles doubtful readings by what the whole collection says (`text.settling`).

Each run begins anew from the reader's own readings, so that what has been settled is no evidence for anything, and that
what a grown catalogue contradicts is revised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from sqlite3 import Connection

import msgspec
from msgspec import Struct

from urlglean.archive.evidence import Doubtful, documents_with, doubtful
from urlglean.columns import shown
from urlglean.output.table_values import decoded
from urlglean.text.settling import Settled, is_contradicted, kind_of, settled

# The problems of a valid finding are notes on the candidate: they concern all of its URL, or its end.
_RESTORE = (
    "DELETE FROM settled_by",
    "DELETE FROM readings WHERE finding IN (SELECT finding FROM own_readings)",
    "DELETE FROM joins WHERE finding IN (SELECT finding FROM own_readings)",
    """
    UPDATE problems SET "end" = length(urls.url), "start" = iif("start" > 0, length(urls.url), 0)
        FROM own_readings AS own JOIN urls ON urls.id = own.url WHERE own.finding = problems.finding
    """,
    """
    UPDATE findings SET url = own.url, confidence = own.confidence, cautions = own.cautions, settled = NULL
        FROM own_readings AS own WHERE own.finding = findings.id
    """,
)

_TOUCH = """
INSERT OR IGNORE INTO touched SELECT own.url FROM own_readings AS own
UNION SELECT findings.url FROM own_readings AS own JOIN findings ON findings.id = own.finding
"""

_COUNT = """
UPDATE urls SET (documents, first_date, last_date) = (
    SELECT count(*), min(date), max(date) FROM documents
    WHERE id IN (SELECT document FROM findings WHERE findings.url = urls.id)
) WHERE id IN (SELECT url FROM touched)
"""


# A document that had a URL whole may be gone since the URL was chosen for another.
_FORGET = (
    """
    DELETE FROM touched WHERE EXISTS (SELECT 1 FROM findings WHERE findings.url = touched.url)
        OR EXISTS (SELECT 1 FROM own_readings WHERE own_readings.url = touched.url)
    """,
    """
    INSERT INTO urls_fts (urls_fts, rowid, url)
        SELECT 'delete', id, url FROM urls WHERE id IN (SELECT url FROM touched)
    """,
    "DELETE FROM urls WHERE id IN (SELECT url FROM touched)",
)


class Settlement(Struct, frozen=True):
    """A finding that the collection settled.

    Attributes:
        at: the finding, with its readings, the reader's own first.
        outcome: which of them is chosen.
        url: the id of the chosen reading.
        documents: the first documents that have it.
    """

    at: Doubtful
    outcome: Settled
    url: int
    documents: list[int]


class Summary(Struct):
    """How many findings are doubtful, and what became of them.

    Attributes:
        doubtful: how many have rivals.
        confirmed: how many keep the reader's own reading, because the collection has it.
        changed: how many got another one.
        contradicted: how many keep the reader's own, though the collection has another one and not this.
    """

    doubtful: int = 0
    confirmed: int = 0
    changed: int = 0
    contradicted: int = 0


def settlements(connection: Connection, summary: Summary) -> Iterator[Settlement]:
    """Settle the doubtful findings of a catalogue; yield what was settled, by the ids of the findings.

    What an earlier run settled is undone where the collection says so no more. It writes within the transaction that
    the caller began, and all is written when the iterator ends.

    Args:
        connection: an open catalogue, in a transaction.
        summary: counts.
    """
    connection.execute("DROP TABLE IF EXISTS temp.touched")
    connection.execute("CREATE TEMP TABLE touched (url INTEGER PRIMARY KEY)")
    connection.execute(_TOUCH)
    _restore(connection)
    for at in doubtful(connection):
        summary.doubtful += 1
        outcome = settled(at.readings)
        if outcome is None:
            summary.contradicted += is_contradicted(at.readings)
            continue
        if outcome.chosen:
            summary.changed += 1
        else:
            summary.confirmed += 1
        settlement = _settlement(connection, at, outcome)
        _write(connection, settlement)
        yield settlement
    connection.execute(_TOUCH)
    connection.execute(_COUNT)
    for statement in _FORGET:
        connection.execute(statement)


def _settlement(connection: Connection, at: Doubtful, outcome: Settled) -> Settlement:
    chosen = at.readings[outcome.chosen].url
    (url,) = connection.execute("SELECT id FROM urls WHERE url = ?", (chosen,)).fetchone()
    sure = kind_of(chosen, at.readings) == "beginning"
    return Settlement(at, outcome, url, documents_with(connection, url, at.document, sure=sure))


def _restore(connection: Connection) -> None:
    """Undo all that was settled."""
    for statement in _RESTORE:
        connection.execute(statement)
    for finding, readings, joins in connection.execute("SELECT finding, readings, joins FROM own_readings"):
        _insert(connection, "readings", finding, decoded(readings, list[tuple[str, float]], "own_readings"))
        _insert(connection, "joins", finding, decoded(joins, list[tuple[int, int, str]], "own_readings"))
    connection.execute("DELETE FROM own_readings")


def _write(connection: Connection, settlement: Settlement) -> None:
    """Write a settlement to the tables, and what it replaces to `own_readings`."""
    (finding, _, readings), outcome = settlement.at, settlement.outcome
    joins = connection.execute(
        'SELECT "start", "end", rule FROM joins WHERE finding = ? ORDER BY position', (finding,)
    ).fetchall()
    connection.execute(
        "INSERT INTO own_readings SELECT id, url, confidence, cautions, ?, ? FROM findings WHERE id = ?",
        (_json([(each.url, each.confidence) for each in readings[1:]]), _json(joins), finding),
    )
    if outcome.chosen:
        _choose(connection, settlement)
    connection.execute(
        "UPDATE findings SET confidence = ?, settled = ? WHERE id = ?",
        (shown(outcome.confidences[outcome.chosen]), outcome.documents, finding),
    )
    # The likeliest first; those that are as likely in the order of the reader.
    others = sorted(set(range(len(readings))) - {outcome.chosen}, key=lambda at: (-outcome.confidences[at], at))
    connection.execute("DELETE FROM readings WHERE finding = ?", (finding,))
    _insert(connection, "readings", finding, [(readings[at].url, shown(outcome.confidences[at])) for at in others])
    _insert(connection, "settled_by", finding, [(document,) for document in settlement.documents])


def _choose(connection: Connection, settlement: Settlement) -> None:
    """Give a finding another URL."""
    finding, url = settlement.at.finding, settlement.url
    length = len(settlement.at.readings[settlement.outcome.chosen].url)
    # What to beware of in a URL is the same wherever it stands.
    connection.execute(
        "UPDATE findings SET url = :url, cautions = (SELECT cautions FROM findings AS whole"
        " WHERE whole.url = :url AND whole.document = :witness AND whole.valid ORDER BY whole.id LIMIT 1)"
        " WHERE id = :finding",
        {"url": url, "witness": settlement.documents[0], "finding": finding},
    )
    connection.execute(
        'UPDATE problems SET "end" = :length, "start" = iif("start" > 0, :length, 0) WHERE finding = :finding',
        {"length": length, "finding": finding},
    )
    connection.execute("DELETE FROM joins WHERE finding = ?", (finding,))


def _insert(connection: Connection, table: str, finding: int, rows: Iterable[tuple[str | int | float, ...]]) -> None:
    """Insert the rows of a list of a finding, in their order."""
    for position, row in enumerate(rows):
        marks = ", ".join("?" * (2 + len(row)))
        connection.execute(f"INSERT INTO {table} VALUES ({marks})", (finding, position, *row))  # noqa: S608  our names


def _json(value: object) -> str:
    # SQLite's own JSON functions lose the last digits of a number.
    return msgspec.json.encode(value).decode()
