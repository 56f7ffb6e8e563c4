"""Samples for a report: a URL of a catalogue as it stood in its text, which is read again from its place.

The catalogue does not have the text. It is shown only if the octets at the place still have the digest that the
catalogue tells. So it is the text in which the URL was found, and a catalogue that somebody else has made cannot make a
report show what he has not read himself.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from urlglean.archive.report_blocks import Sample, cut
from urlglean.mail import read, read_stretch
from urlglean.output.file_names import as_octets
from urlglean.output.show import Bit, marked
from urlglean.output.text import place
from urlglean.pipeline.digest import digest_of
from urlglean.pipeline.inputs import opened, streamed
from urlglean.records import Document, Span, TextPart
from urlglean.sources import ASKABLE, unbundled, unframed

FAR = 1 << 24
"""Octets that are read to find a text again. If it is longer, or lies farther in a packed file, it is not shown."""

LINES = 2
"""Lines that are shown before a URL and behind it."""

WIDE = 200
"""Code points of such a line."""

LONG = 2000
"""Code points of a URL with what was taken out of it."""

OTHERS = 3
"""How many other readings, and how many problems, a sample has."""


class Origin(NamedTuple):
    """Where a document of the catalogue lies, by the columns of `runs`, `places`, `copies` and `documents`."""

    folder: str | None
    path: str
    member: str | None
    offset: int
    length: int
    message: int | None
    window: int
    digest: str
    kind: str
    date: str | None
    subject: str | None


_ORIGIN = """
SELECT runs.folder, places.path, places.member, places."offset", places.length, places.message, places."window",
    copies.digest, documents.kind, copies.date, copies.subject
FROM copies JOIN documents ON documents.id = copies.document
    JOIN places ON places.copy = copies.id JOIN runs ON runs.id = places.run
WHERE copies.id = ? ORDER BY places.id LIMIT 1
"""
_FINDING = """
SELECT urls.url, findings.copy, findings.part, findings.field, findings."start", findings."end", findings.line,
    findings.wrapper, findings.certainty, findings.confidence, findings.settled
FROM findings JOIN urls ON urls.id = findings.url WHERE findings.id = ?
"""
_REJECT = 'SELECT url, copy, part, field, "start", "end", line, wrapper FROM rejects WHERE id = ?'


def finding_sample(connection: sqlite3.Connection, label: str, finding: int) -> Sample:
    """The sample of a finding, by its number."""
    url, copy, *where, start, end, line, wrapper, certainty, confidence, settled = _row(connection, _FINDING, finding)
    ask = partial(_rows, connection, finding=finding)
    joins = ask('SELECT "start", "end" FROM joins WHERE finding = ? ORDER BY position LIMIT 100')
    pieces = [Span(*piece) for piece in _between(start, end, joins) if piece[0] < piece[1]] or [Span(start, end)]
    facts = [("how", f"{wrapper}, {certainty}; {confidence:.3f} to be exactly right")]
    if settled:
        facts.append(("settled by", f"{settled:,} other document{'s' if settled > 1 else ''}"))
    facts += [
        (f"or {sure:.3f}", other)
        for other, sure in ask(
            f"SELECT url, confidence FROM readings WHERE finding = ? ORDER BY position LIMIT {OTHERS}"
        )
    ]
    facts += [
        ("problem", f"{code}: {told}")
        for code, told in ask(f"SELECT code, message FROM problems WHERE finding = ? ORDER BY position LIMIT {OTHERS}")
    ]
    return _sample(connection, label, url, copy, where, line, pieces, facts, rejected=False)


def reject_sample(connection: sqlite3.Connection, label: str, reject: int) -> Sample:
    """The sample of a rejected candidate, by its number."""
    url, copy, *where, start, end, line, wrapper = _row(connection, _REJECT, reject)
    told = _rows(
        connection,
        "SELECT json_extract(value, '$.code'), json_extract(value, '$.message')"
        " FROM rejects, json_each(CASE WHEN json_valid(problems) THEN problems ELSE '[]' END)"
        f" WHERE rejects.id = ? LIMIT {OTHERS}",
        finding=reject,
    )
    facts = [("how", wrapper), *(("problem", f"{code}: {message}") for code, message in told)]
    return _sample(connection, label, url, copy, where, line, [Span(start, end)], facts, rejected=True)


def _row(connection: sqlite3.Connection, statement: str, number: int) -> tuple[Any, ...]:
    row: tuple[Any, ...] = connection.execute(statement, (number,)).fetchone()
    return row


def _rows(connection: sqlite3.Connection, statement: str, finding: int) -> list[tuple[Any, ...]]:
    return connection.execute(statement, (finding,)).fetchall()


def _between(start: int, end: int, joins: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The stretches of `start` to `end` that are in none of the joins, which are in order."""
    for join_start, join_end in joins:
        yield start, join_start
        start = join_end
    yield start, end


def _sample(  # noqa: PLR0913, PLR0917  the columns of two tables
    connection: sqlite3.Connection,
    label: str,
    url: str,
    copy: int,
    where: Sequence[str | None],
    line: int,
    pieces: Sequence[Span],
    facts: Sequence[tuple[str, str]],
    *,
    rejected: bool,
) -> Sample:
    origin = Origin(*_row(connection, _ORIGIN, copy))
    stood = [
        ("at", f"{place(origin)}, line {line}"),
        *([("field", where[1])] if where[1] else []),
        *([("date", origin.date.partition("T")[0])] if origin.date else []),
        *([("subject", " ".join(origin.subject.split()))] if origin.subject else []),
    ]
    try:
        bits, missing = _excerpt(origin, where, url, pieces, rejected=rejected), ""
    except _NotShownError as error:
        bits, missing = (), str(error)
    shown = [(label, cut(text) or "") for label, text in (*stood, *facts)]
    return Sample(label, cut(url) or "", shown, bits, missing)


class _NotShownError(Exception):
    """The text around a URL cannot be shown; the message says why."""


def _excerpt(
    origin: Origin, where: Sequence[str | None], url: str, pieces: Sequence[Span], *, rejected: bool
) -> tuple[Bit, ...]:
    """The lines around the pieces of a URL, as `urlglean show` marks them.

    Raises:
        _NotShownError: they are not there any more, or too long.
    """
    start, end = pieces[0].start, pieces[-1].end
    if origin.length > FAR or end - start > LONG:
        raise _NotShownError("its text is too long to be shown")
    parts = [part for part in _parts(_again(origin)) if (part.part, part.field) == tuple(where)]
    within = [part for part in parts if part.first <= start and end <= part.first + len(part.text)]
    if not within:
        raise _NotShownError("its text is read in another way today")
    part = next((part for part in within if _at(part, pieces) == url), within[0])
    pieces = [Span(piece.start - part.first, piece.end - part.first) for piece in pieces]
    shown = Span(_lines_before(part.text, pieces[0].start), _lines_behind(part.text, pieces[-1].end))
    return tuple(marked(part.text, [(1, rejected, pieces)], shown))


def _parts(document: Document) -> Sequence[TextPart]:
    if document.stretch:
        return read_stretch(document.data, document.stretch, document.offset).parts
    return read(unframed(document.data, document.framing), document.kind).parts


def _at(part: TextPart, pieces: Sequence[Span]) -> str:
    """The pieces of a URL in a part, put together. Many links of a page have the same number and field."""
    return "".join(part.text[piece.start - part.first : piece.end - part.first] for piece in pieces)


def _lines_before(text: str, start: int) -> int:
    """Where to begin so that `LINES` lines stand before the one of `start`, none of them longer than `WIDE`."""
    for _ in range(LINES + 1):
        begin = text.rfind("\n", max(0, start - WIDE), start)
        if begin < 0:
            return max(0, start - WIDE)
        start = begin
    return start + 1


def _lines_behind(text: str, end: int) -> int:
    """Where to end so that `LINES` lines stand behind the one of `end`, none of them longer than `WIDE`."""
    for _ in range(LINES + 1):
        found = text.find("\n", end, end + WIDE)
        if found < 0:
            return min(len(text), end + WIDE)
        end = found + 1
    return end - 1


def _again(origin: Origin) -> Document:
    """The document at its place.

    Raises:
        _NotShownError: it is not there any more.
    """
    path = _file(origin)
    if not path.is_file():  # nor is it stdin, a device or a pipe, which would be waited for
        raise _NotShownError("its file is not there any more")
    try:
        for document in _documents(path, origin):
            if digest_of(document) == origin.digest:
                return document
    except OSError as error:
        raise _NotShownError("its file cannot be read") from error
    raise _NotShownError("its text is not at its place any more")


def _file(origin: Origin) -> Path:
    """The file of a place; a relative path begins at the folder of its run, if that is known."""
    folder, path = (Path(os.fsdecode(as_octets(name))) for name in (origin.folder or "", origin.path))
    return folder / path


def _documents(path: Path, origin: Origin) -> Iterator[Document]:
    """What begins at the offset of a plain file, as each kind; then all that may be meant in it, as far as `FAR`."""
    with path.open("rb") as file:
        file.seek(origin.offset)
        octets = file.read(origin.length)
    for kind in (None, *ASKABLE):  # a message of a Maildir may look like a mailbox, and `--as` may have been given
        for item in unbundled(streamed(BytesIO(octets).read1, origin.path, kind=kind)):
            if isinstance(item, Document):
                yield item
    done = 0
    for item in unbundled(opened([str(path)])):
        if isinstance(item, Document):
            done += item.size
            if done > FAR:
                return
            if item.member == origin.member:
                yield item
