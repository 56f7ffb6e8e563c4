"""Takes out of a catalogue, at the end of a run, what no longer lies where it was.

Two tables that live as long as the connection tell what the run has met: `temp.read` the files that it has read, or
in which there was nothing, `temp.seen` the copies that the catalogue had already. All other answers are in the tables
themselves: what a run saw has the run's id.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator

from urlglean.output.file_names import as_octets
from urlglean.output.table_values import typed
from urlglean.remote_urls import is_remote
from urlglean.sources.public_inbox import is_repository

_PREPARE = """
CREATE TEMP TABLE read (path TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMP TABLE seen (copy INTEGER PRIMARY KEY);
CREATE TEMP TABLE unread (path TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMP TABLE gone (path TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMP TABLE stale (id INTEGER PRIMARY KEY, copy INTEGER NOT NULL);
CREATE TEMP TABLE orphans (copy INTEGER PRIMARY KEY, document INTEGER NOT NULL);
CREATE TEMP TABLE orphaned_findings (id INTEGER PRIMARY KEY);
CREATE TEMP TABLE touched (document INTEGER PRIMARY KEY);
CREATE TEMP TABLE restated (url INTEGER PRIMARY KEY);
"""

_STALE = """
-- A file that could not be read to its end may still hold what was not seen in it. So may all files in a folder that
-- could not: '0' is the sign behind '/'.
INSERT INTO unread SELECT DISTINCT path FROM troubles WHERE run = :run AND copy IS NULL;
INSERT OR IGNORE INTO unread
    SELECT read.path FROM unread AS folder
    JOIN read ON read.path > rtrim(folder.path, '/') || '/' AND read.path < rtrim(folder.path, '/') || '0';
INSERT INTO stale
    SELECT id, copy FROM places
    WHERE run < :run AND path IN (SELECT path FROM read EXCEPT SELECT path FROM unread);
INSERT OR IGNORE INTO stale
    SELECT places.id, places.copy FROM seen JOIN places ON places.copy = seen.copy AND places.run < :run
    WHERE path IN (SELECT path FROM gone);
DELETE FROM places WHERE id IN (SELECT id FROM stale);
DELETE FROM troubles WHERE run < :run AND path IN (SELECT path FROM read EXCEPT SELECT path FROM unread);
DELETE FROM troubles WHERE run < :run AND path IN (SELECT path FROM gone) AND NOT EXISTS (
    SELECT 1 FROM places WHERE places.path = troubles.path AND places.copy = ifnull(troubles.copy, places.copy)
);
"""

_ORPHANS = """
INSERT INTO orphans
    SELECT id, document FROM copies
    WHERE id IN (SELECT copy FROM stale) AND NOT EXISTS (SELECT 1 FROM places WHERE copy = copies.id);
INSERT INTO orphaned_findings SELECT id FROM findings WHERE copy IN (SELECT copy FROM orphans);
INSERT INTO restated
    SELECT DISTINCT url FROM findings WHERE document IN (SELECT document FROM orphans);
INSERT OR IGNORE INTO restated
    SELECT url FROM own_readings WHERE finding IN (SELECT id FROM orphaned_findings);
DELETE FROM readings WHERE finding IN (SELECT id FROM orphaned_findings);
DELETE FROM own_readings WHERE finding IN (SELECT id FROM orphaned_findings);
DELETE FROM joins WHERE finding IN (SELECT id FROM orphaned_findings);
DELETE FROM problems WHERE finding IN (SELECT id FROM orphaned_findings);
DELETE FROM settled_by WHERE finding IN (SELECT id FROM orphaned_findings);
DELETE FROM findings WHERE id IN (SELECT id FROM orphaned_findings);
DELETE FROM rejects WHERE copy IN (SELECT copy FROM orphans);
DELETE FROM troubles WHERE copy IN (SELECT copy FROM orphans);
INSERT INTO touched SELECT DISTINCT document FROM copies WHERE id IN (SELECT copy FROM stale);
DELETE FROM copies WHERE id IN (SELECT copy FROM orphans);
"""

_AT_FIRST_PLACE = """places.path = documents.path AND ifnull(places.member, '') = ifnull(documents.member, '')
            AND places."offset" = documents."offset\""""
"""Whether a place is the one that the row of its document has."""

_IS_FIRST_COPY = """copies.document = documents.id
            AND (copies.digest = documents.digest OR documents.kind <> 'message')"""
"""Whether the row of a document has the values of a copy: several messages may have one Message-ID. The copies of a
text are its windows."""

_DOCUMENTS = """
-- The texts of the index are needed to take them out of it.
INSERT INTO documents_fts (documents_fts, rowid, subject)
    SELECT 'delete', id, subject FROM documents WHERE id IN (SELECT document FROM touched);
DELETE FROM settled_by WHERE document IN (
    SELECT document FROM touched WHERE NOT EXISTS (SELECT 1 FROM copies WHERE document = touched.document)
);
DELETE FROM documents
    WHERE id IN (SELECT document FROM touched) AND NOT EXISTS (SELECT 1 FROM copies WHERE document = documents.id);
UPDATE documents SET (digest, message_id, date, sender, subject, newsgroups) = (
        SELECT digest, message_id, date, sender, subject, newsgroups FROM copies
        WHERE document = documents.id ORDER BY id LIMIT 1
    )
    WHERE id IN (SELECT document FROM orphans);
UPDATE documents SET (path, member, "offset") = (
        SELECT path, member, "offset" FROM copies JOIN places ON places.copy = copies.id
        WHERE {is_first_copy} ORDER BY path, member, "offset" LIMIT 1
    )
    WHERE id IN (SELECT document FROM touched) AND NOT EXISTS (
        SELECT 1 FROM copies JOIN places ON places.copy = copies.id
        WHERE {is_first_copy} AND {at_first_place}
    );
UPDATE documents SET length = (
        SELECT max(places.length) FROM copies JOIN places ON places.copy = copies.id
        WHERE {is_first_copy} AND {at_first_place}
    )
    WHERE id IN (SELECT document FROM touched) OR id IN (
        -- Line ends at the end of a message are none of its digest.
        SELECT documents.id FROM seen JOIN copies ON copies.id = seen.copy JOIN documents ON {is_first_copy}
            JOIN places ON places.copy = copies.id AND {at_first_place}
        WHERE places.length <> documents.length
    );
INSERT INTO documents_fts (rowid, subject)
    SELECT id, subject FROM documents WHERE id IN (SELECT document FROM touched);
""".replace("{at_first_place}", _AT_FIRST_PLACE).replace("{is_first_copy}", _IS_FIRST_COPY)

_URLS = """
INSERT INTO urls_fts (urls_fts, rowid, url)
    SELECT 'delete', id, url FROM urls
    WHERE id IN (SELECT url FROM restated) AND NOT EXISTS (SELECT 1 FROM findings WHERE url = urls.id)
        AND NOT EXISTS (SELECT 1 FROM own_readings WHERE url = urls.id);
DELETE FROM urls
    WHERE id IN (SELECT url FROM restated) AND NOT EXISTS (SELECT 1 FROM findings WHERE url = urls.id)
        AND NOT EXISTS (SELECT 1 FROM own_readings WHERE url = urls.id);
UPDATE urls SET (documents, first_date, last_date) = (
        SELECT count(DISTINCT document), min(date), max(date)
        FROM findings JOIN documents ON documents.id = document WHERE url = urls.id
    )
    WHERE id IN (SELECT url FROM restated);
"""

_GONE = """
SELECT DISTINCT places.path, runs.folder
FROM seen JOIN places ON places.copy = seen.copy AND places.run < :run JOIN runs ON runs.id = places.run
"""


def prepare(connection: sqlite3.Connection) -> None:
    """Make the tables that tell what a run meets."""
    connection.executescript(_PREPARE)


def remove_gone(connection: sqlite3.Connection, run: int) -> None:
    """Remove the places that a run has not seen again, though it should have, and all that lies nowhere then.

    These are the places in files that it has read completely; and of copies that it saw elsewhere, the places in files
    that no longer exist. The caller has begun a transaction.

    Args:
        connection: a catalogue that was prepared before the run.
        run: its id; it has read everything.
    """
    seen = typed(connection.execute(_GONE, {"run": run}), tuple[str, str | None], "places")
    gone = [(path,) for path, folder in seen if _is_gone(path, folder)]
    connection.executemany("INSERT OR IGNORE INTO gone VALUES (?)", gone)
    for statements in (_STALE, _ORPHANS, _DOCUMENTS, _URLS):
        for statement in _each(statements):
            connection.execute(statement, {"run": run} if ":run" in statement else {})


def _is_gone(path: str, folder: str | None) -> bool:
    """Whether no such file or repository is there. What cannot be looked at may be; so may what lies elsewhere."""
    name = as_octets(path)  # of a file here whose name is no UTF-8, `path` is a URI
    if is_remote(os.fsdecode(name)):
        return False
    where = os.path.join(as_octets(folder) if folder else b"", name)  # noqa: PTH118  octets have no Path
    try:
        os.lstat(where)
        return os.path.isdir(where) and not is_repository(map(os.fsdecode, os.listdir(where)))  # noqa: PTH112, PTH208
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False


def _each(statements: str) -> Iterator[str]:
    """The statements of a script. `executescript` would take no values, and commit."""
    begun = ""
    for line in statements.splitlines():
        begun += line + "\n"
        if sqlite3.complete_statement(begun):
            yield begun
            begun = ""
