"""Fills the tables of `schema.sql` from `document_lines`: for a new database, and for a catalogue that grows.

What is written in one call of `write` is gathered, and goes to each table at once. The ids are counted here, because
one process alone writes a database.
"""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from msgspec.json import encode
from msgspec.structs import astuple

from urlglean.output.document_lines import CountsLine, DocumentLine, FindingLine, RunLine, TroubleLine, decode
from urlglean.output.url_keys import keys_of

if TYPE_CHECKING:
    from sqlite3 import Connection

CATALOGUE, ROWS = int.from_bytes(b"UGLN"), int.from_bytes(b"UGLS")
"""The `application_id` of a catalogue, and of a database that one scan has made. It stands at octet 68 of the file
(https://www.sqlite.org/fileformat2.html 1.3.14) and of all copies that SQLite makes of it. What a scan has made is
replaced by the next one; a catalogue never is."""

SHAPE = 2
"""The shape of `schema.sql`, which the database has as its `user_version`. A change of the tables, or of what stands in
them, makes it another."""

_KNOWN_URLS = 1 << 16
"""How many ids of URLs are remembered."""

_SHORT = 500
"""Up to how many characters a URL may have whose id is remembered."""

Row = tuple[Any, ...]

_COUNTED = ("documents", "copies", "urls", "findings")
"""Tables whose ids are counted here."""

_INSERT_RUN = "INSERT INTO runs (version, options, folder, started) VALUES (?, ?, ?, ?)"

_HOLDS = "SELECT 1 FROM findings WHERE url = ? AND document = ? LIMIT 1"

STATEMENTS = {
    "documents": "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "documents_fts": "INSERT INTO documents_fts (rowid, subject) VALUES (?, ?)",
    "longer documents": "UPDATE documents SET length = max(length, ?) WHERE id = ?",
    "copies": "INSERT INTO copies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "places": """INSERT INTO places (copy, path, member, "offset", length, message, "window", run)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (path, ifnull(member, ''), "offset", "window", copy)
        DO UPDATE SET length = excluded.length, message = excluded.message, run = excluded.run""",
    "urls": "INSERT INTO urls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "urls_fts": "INSERT INTO urls_fts (rowid, url) VALUES (?, ?)",
    "more of urls": """UPDATE urls SET documents = documents + ?1,
        first_date = ifnull(min(first_date, ?2), ifnull(first_date, ?2)),
        last_date = ifnull(max(last_date, ?3), ifnull(last_date, ?3)) WHERE id = ?4""",
    "findings": "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
    "readings": "INSERT INTO readings VALUES (?, ?, ?, ?)",
    "joins": "INSERT INTO joins VALUES (?, ?, ?, ?, ?)",
    "problems": "INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?, ?)",
    "rejects": """INSERT INTO rejects (url, copy, part, field, "start", "end", line, wrapper, problems)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
    "troubles": """INSERT INTO troubles (run, path, member, message, copy, cause) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (path, ifnull(member, ''), ifnull(message, 0), cause)
        DO UPDATE SET run = excluded.run, copy = excluded.copy""",
    "counts": """UPDATE runs SET files = files + ?, messages = messages + ?, texts = texts + ?, octets = octets + ?,
        skipped = skipped + ? WHERE id = ?""",
}
"""How rows are written, by what they are, in the order in which they are written."""


def create(connection: Connection, application_id: int) -> None:
    """Make the tables in an empty database, which is a `CATALOGUE` or holds `ROWS`."""
    connection.executescript(
        "BEGIN;\n"
        + files("urlglean.output").joinpath("schema.sql").read_text(encoding="utf-8")
        + f"PRAGMA application_id = {application_id};\nPRAGMA user_version = {SHAPE};\nCOMMIT;\n"
    )


def message_identity(message_id: str | None) -> str | None:
    """What all copies of a message have in common, if it has a Message-ID.

    In the brackets that a Message-ID has (RFC 5322 3.6.4), it is never the digest of something else.
    """
    return f"<{message_id}>" if message_id else None


def now() -> str:
    """The time, as in `runs`: ISO 8601, UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Tables:
    """The tables while a run writes them. The caller begins and commits transactions.

    Attributes:
        run: the id of the run; 0 before its line has come.
        new: how many copies were read that the database did not have.
        findings: how many valid URLs were written of them.
        raw: how many more that are not valid.
        rejects: how many rejected candidates.
    """

    def __init__(self, connection: Connection, *, grows: bool) -> None:
        """Write to a database that has the tables.

        Args:
            connection: in autocommit mode.
            grows: whether a document that a limit kept from being read completely is left for a later run: nothing of
                it is written but its troubles. The database must have a journal then.
        """
        self.run = self.new = self.findings = self.raw = self.rejects = 0
        self._connection, self._grows = connection, grows
        self._next = {name: self._id(f"SELECT max(id) FROM {name}") or 0 for name in _COUNTED}  # noqa: S608  our own names
        self._url_ids: dict[str, int] = {}
        self._open: _Open | None = None
        self._begin()

    def _begin(self) -> None:
        self._rows: dict[str, list[Row]] = {name: [] for name in STATEMENTS}
        self._copies: dict[str, int] = {}
        self._documents: dict[str, tuple[int, str | None]] = {}
        """By identity: the id and the date of the documents that these rows concern."""
        self._made: set[int] = set()
        """The documents among these rows."""
        self._urls: dict[int, _Url] = {}
        self._long: list[str] = []
        self._pairs: set[tuple[int, int]] = set()
        """URLs and documents that hold them, in these rows."""

    def write(self, lines: bytes, /) -> None:
        """Add `document_lines`."""
        for line in decode(lines):
            match line:
                case DocumentLine():
                    self._document(line)
                case TroubleLine():
                    self._close()
                    self._trouble(line, None, line.cause)
                case CountsLine():
                    self._rows["counts"].append((*astuple(line), self.run))
                case RunLine():
                    values = (line.version, encode(line.options).decode(), line.folder, now())
                    self.run = self._connection.execute(_INSERT_RUN, values).lastrowid or 0
        self._flush()

    def end(self) -> None:
        """Note that the run has read everything."""
        self._close()
        self._connection.execute("UPDATE runs SET ended = ? WHERE id = ?", (now(), self.run))

    def _flush(self) -> None:
        rows = self._rows
        for number, url in self._urls.items():
            if url.row:
                rows["urls"].append((number, *url.row, url.first, url.last, url.documents))
                rows["urls_fts"].append((number, url.row[0]))
            else:
                rows["more of urls"].append((url.documents, url.first, url.last, number))
        for name, statement in STATEMENTS.items():
            if rows[name]:
                self._connection.executemany(statement, rows[name])
        for long in self._long:
            del self._url_ids[long]
        if len(self._url_ids) > _KNOWN_URLS:
            self._url_ids.clear()
        self._begin()

    def _document(self, line: DocumentLine) -> None:
        place = (line.path, line.member, line.offset, line.window)
        if self._open and self._open.place != place:
            self._close()
        one = self._open
        limited = self._grows and (line.limited or (one is not None and one.limited))
        if limited and line.last:
            self._close()
        elif one is None:
            one = self._open = self._opened(line, place)
        if one and self._open:
            one.limited = limited
            if one.document is not None:
                self._findings(line, one.document, one.date, one.copy)
                self._rejects(line, one.copy)
                one.count(line)
        for cause in line.troubles:
            self._trouble(line, one.copy if one and not limited else None, cause)
        if line.last and self._open:
            self._done(self._open)

    def _opened(self, line: DocumentLine, place: Row) -> _Open:
        """Begin a document: the rows of its document, copy and place."""
        saved = self._grows and not line.last
        if saved:
            self._flush()
            self._connection.execute("SAVEPOINT document")
        document = date = None
        copy = self._copies.get(line.digest) or self._id("SELECT id FROM copies WHERE digest = ?", line.digest)
        if copy is None:
            copy = self._copies[line.digest] = self._new("copies")
            document, date = self._document_of(line)
            self._rows["copies"].append((copy, document, line.digest, self.run, *_envelope(line)))
        self._rows["places"].append((copy, *place[:3], line.length, line.message, line.window, self.run))
        return _Open(place, copy, document, date, saved=saved)

    def _done(self, one: _Open) -> None:
        if one.saved:
            self._flush()
            self._connection.execute("RELEASE document")
        self.new += one.document is not None
        self.findings += one.findings
        self.raw += one.raw
        self.rejects += one.rejects
        self._open = None

    def _close(self) -> None:
        if self._open and self._open.saved:
            self._begin()
            self._url_ids.clear()
            self._connection.execute("ROLLBACK TO document")
            self._connection.execute("RELEASE document")
        self._open = None

    def _document_of(self, line: DocumentLine) -> tuple[int, str | None]:
        """The id and the date of the document of which a line tells a copy. It is made if it is not known."""
        identity = message_identity(line.envelope[0]) or line.text or line.digest
        known = self._documents.get(identity)
        if known is None:
            asked = self._connection.execute("SELECT id, date FROM documents WHERE identity = ?", (identity,))
            known = self._documents[identity] = asked.fetchone() or self._new_document(line, identity)
        if line.window:
            self._rows["longer documents"].append((line.length, known[0]))
        return known

    def _new_document(self, line: DocumentLine, identity: str) -> tuple[int, str | None]:
        number = self._new("documents")
        place = (line.kind, line.path, line.member, line.offset, line.length, line.digest)
        self._rows["documents"].append((number, identity, *place, *_envelope(line)))
        self._rows["documents_fts"].append((number, line.envelope[3]))
        self._made.add(number)
        return number, line.envelope[1]

    def _findings(self, line: DocumentLine, document: int, date: str | None, copy: int) -> None:
        rows = self._rows
        for each in line.findings:
            url, finding = self._url(each), self._new("findings")
            self._count(url, document, date)
            where = (each.part, each.field, each.label, each.start, each.end, each.line, each.wrapper)
            how = (each.certainty, each.confidence, each.valid, _json(each.cautions))
            rows["findings"].append((finding, url, document, copy, *where, *how))
            readings = zip(each.rivals, each.rival_confidences, strict=True)
            rows["readings"] += [(finding, at, *reading) for at, reading in enumerate(readings)]
            rows["joins"] += [(finding, at, *join) for at, join in enumerate(each.joins)]
            rows["problems"] += [(finding, at, *problem.values()) for at, problem in enumerate(each.problems)]

    def _rejects(self, line: DocumentLine, copy: int) -> None:
        self._rows["rejects"] += [
            (each.url, copy, each.part, each.field, each.start, each.end, each.line, each.wrapper, _json(each.problems))
            for each in line.rejects
        ]

    def _trouble(self, line: DocumentLine | TroubleLine, copy: int | None, cause: str) -> None:
        self._rows["troubles"].append((self.run, line.path, line.member, line.message, copy, cause))

    def _url(self, found: FindingLine) -> int:
        """The id of a URL. It is made if it is not known."""
        url = found.url
        number = self._url_ids.get(url)
        if number is None:
            number = self._id("SELECT id FROM urls WHERE url = ?", url)
            if number is None:
                number = self._new("urls")
                self._urls[number] = _Url((url, found.scheme, found.host, *keys_of(url, found.host)))
            self._url_ids[url] = number
            if len(url) > _SHORT:
                self._long.append(url)
        return number

    def _count(self, url: int, document: int, date: str | None) -> None:
        """Count a document for a URL, unless it is counted already."""
        pair = (url, document)
        if pair in self._pairs:
            return
        self._pairs.add(pair)
        if document not in self._made and self._id(_HOLDS, url, document):
            return
        counted = self._urls.get(url)
        if counted is None:
            counted = self._urls[url] = _Url()
        counted.documents += 1
        if date is not None:
            counted.first = min(date, counted.first or date)
            counted.last = max(date, counted.last or date)

    def _new(self, name: str) -> int:
        self._next[name] += 1
        return self._next[name]

    def _id(self, statement: str, *values: object) -> int | None:
        found = self._connection.execute(statement, values).fetchone()
        return found[0] if found else None


class _Open:
    """The document whose lines are being read: its place, the ids of copy and document, and the document's date.

    `document` is None if the copy is known already, so that nothing but its place is to be written. `saved` says that
    all of it can be undone. The counts are those of `Tables`.
    """

    def __init__(self, place: Row, copy: int, document: int | None, date: str | None, *, saved: bool) -> None:
        self.place, self.copy, self.document, self.date, self.saved = place, copy, document, date, saved
        self.limited = False
        self.findings = self.raw = self.rejects = 0

    def count(self, line: DocumentLine) -> None:
        """Count what is written of a line."""
        raw = sum(not each.valid for each in line.findings)
        self.findings += len(line.findings) - raw
        self.raw += raw
        self.rejects += len(line.rejects)


class _Url:
    """What is to be written of a URL: its row without counts, if it is new; how many more documents hold it; when."""

    def __init__(self, row: Row = ()) -> None:
        self.row, self.documents = row, 0
        self.first: str | None = None
        self.last: str | None = None


def _envelope(line: DocumentLine) -> Row:
    *values, newsgroups = line.envelope
    return (*values, None if newsgroups is None else _json(newsgroups))


def _json(values: list[Any]) -> str:
    return encode(values).decode() if values else "[]"
