"""A catalogue as evidence: in which of its documents does a URL stand whole, and which of them are independent?

`urlglean settle` and `scan --evidence` ask by the same rule. A document has a URL whole if it has a finding of it that
is valid, that no join, no rival and no guess made. A document is a voice for a URL if neither its author nor its thread
had the URL whole in an earlier one: what an author writes under each message, and what replies quote, is said once. For
a finding, those voices are left out that are of the finding's own author, and those of its own thread: replies may
quote it. An older message of the thread cannot quote it, so that it counts, but not for a URL that is the beginning of
another reading (`text.settling`): both may be cut at the same place.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar
from weakref import finalize

from urlglean.bounds import Bounds
from urlglean.columns import shown
from urlglean.errors import CatalogueError
from urlglean.mail import envelope_of
from urlglean.mail.independence import author_of, thread_of
from urlglean.output.file_names import as_text, sqlite_uri
from urlglean.output.table_values import typed
from urlglean.pipeline.digest import digest_of
from urlglean.pipeline.options import Evidence
from urlglean.records import Document, Message
from urlglean.text.confidence import confidence_of

STANDS_WHOLE = """
    valid AND certainty IN ('plain', 'stated')
    AND NOT EXISTS (SELECT 1 FROM readings WHERE finding = findings.id)
    AND NOT EXISTS (SELECT 1 FROM joins WHERE finding = findings.id)
"""
"""The condition that a row of `findings` is a URL that stands whole."""

SURELY = "(wrapper <> 'bare' OR confidence >= :sure)"
"""The condition that no line end makes it doubtful: `:sure` is `sure()`."""

_STAMP = """
SELECT json_array(max(id), (SELECT ended FROM runs ORDER BY id DESC LIMIT 1), (SELECT max(id) FROM copies)) FROM runs
"""

_DOCUMENTS = f"""
SELECT documents.id, max({SURELY}), sender, path, member, subject, date
FROM urls JOIN findings ON findings.url = urls.id JOIN documents ON documents.id = findings.document
WHERE urls.url = :url AND {STANDS_WHOLE}
GROUP BY documents.id ORDER BY date IS NULL, date, documents.id
"""  # noqa: S608  our own conditions


class _Found(NamedTuple):
    """A row of `_DOCUMENTS`."""

    document: int
    surely: int
    sender: str | None
    path: str
    member: str | None
    subject: str | None
    date: str | None


T = TypeVar("T")

_ENOUGH = 3
"""So many voices are looked for. Two of them can be left out, so that one is left if there were more: that of the
finding's author and that of its thread; or for a text that of its file, and its own copy at another place."""

_REMEMBERED = 1 << 12
"""How many URLs' voices are remembered."""


def sure() -> float:
    """The confidence, as tables have it, of a bare URL that no line end makes doubtful."""
    return shown(confidence_of("bare"))


def stamp_of(connection: sqlite3.Connection) -> str:
    """What changes whenever documents are added to a catalogue or taken out of it."""
    (stamp,) = connection.execute(_STAMP).fetchone()
    return str(stamp)


def author_key(sender: str | None, path: str, member: str | None) -> str:
    """The key of a document's author. What has none is taken for one work, whatever number of windows it is read in."""
    return author_of(sender) if sender else f"{path}\0{member or ''}"


def thread_key(subject: str | None) -> str | None:
    """The key of a document's thread. What has no subject is a thread by itself: None."""
    return thread_of(subject or "") or None


class Voice(NamedTuple):
    """A document that has a URL whole, with the keys of its author and its thread."""

    document: int
    author: str
    thread: str | None
    date: str | None


class Collection:
    """A catalogue that is open for reading: what it says of URLs. It stays as it was when it was opened."""

    def __init__(self, evidence: Evidence) -> None:
        """Open it.

        Raises:
            CatalogueError: it has changed since the run began, or it cannot be read.
        """
        self._path = evidence.path
        where = sqlite_uri(Path(evidence.path), "mode=ro")
        try:
            # It may be closed by another thread than the one that opened it.
            self._connection = sqlite3.connect(where, uri=True, isolation_level=None, check_same_thread=False)
            self.close = finalize(self, self._connection.close)
            self._connection.execute("BEGIN")  # from the first reading on, it sees no change
            stamp = stamp_of(self._connection)
        except sqlite3.Error as error:
            raise CatalogueError(evidence.path, str(error)) from error
        if stamp != evidence.stamp:
            raise CatalogueError(evidence.path, "it has changed since the scan began")
        self.voices = lru_cache(_REMEMBERED)(self._voices)

    def _voices(self, url: str) -> tuple[tuple[Voice, ...], tuple[Voice, ...]]:
        """The first voices for a URL; and of those documents alone in which no line end makes it doubtful."""
        found: tuple[list[Voice], list[Voice]] = ([], [])
        authors: tuple[set[str], set[str]] = (set(), set())
        threads: tuple[set[str | None], set[str | None]] = (set(), set())
        for one in self._asked(_DOCUMENTS, {"url": url, "sure": sure()}, _Found):
            author, thread = author_key(one.sender, one.path, one.member), thread_key(one.subject)
            for which in (0, 1) if one.surely else (0,):
                if author not in authors[which] and (thread is None or thread not in threads[which]):
                    found[which].append(Voice(one.document, author, thread, one.date))
                authors[which].add(author)
                threads[which].add(thread)
            if len(found[1]) >= _ENOUGH:
                break
        return tuple(found[0][:_ENOUGH]), tuple(found[1])

    def documents_of(self, digest: str) -> Iterator[int]:
        """The documents of a copy, by its digest: one or none."""
        asked = self._asked("SELECT document FROM copies WHERE digest = :digest", {"digest": digest}, tuple[int])
        for (document,) in asked:
            yield document

    def _asked(self, statement: str, values: Mapping[str, str | float], kind: type[T]) -> Iterator[T]:
        """The rows of a statement, which are of this type.

        Raises:
            CatalogueError: they are not, or they cannot be read.
        """
        try:
            yield from typed(self._connection.execute(statement, values), kind, "documents")
        except sqlite3.Error as error:
            raise CatalogueError(self._path, str(error)) from error


@lru_cache(maxsize=1)
def collection_of(evidence: Evidence) -> Collection:
    """The collection of a run, opened once in each process.

    Raises:
        CatalogueError: as in `Collection`.
    """
    return Collection(evidence)


def close(evidence: Evidence) -> None:
    """Close the collection of a run that has ended, if this process has opened it."""
    if collection_of.cache_info().currsize:
        collection_of(evidence).close()
        collection_of.cache_clear()


class ForDocument:
    """What a collection says for one document: a `text.settling.Collection`. It is asked of few documents."""

    def __init__(self, evidence: Evidence, document: Document, message: Message, bounds: Bounds) -> None:
        self._evidence, self._document, self._message, self._bounds = evidence, document, message, bounds

    @cached_property
    def _own(self) -> tuple[str, str | None, str | None, frozenset[int]]:
        """The keys of its author and its thread, its date, and itself in the catalogue."""
        envelope, origin = envelope_of(self._message.header, self._bounds), self._document.origin
        author = author_key(envelope.sender, as_text(origin.path), origin.member)
        itself = frozenset(collection_of(self._evidence).documents_of(digest_of(self._document)))
        return author, thread_key(envelope.subject), envelope.date, itself

    def documents_with(self, url: str) -> tuple[int, int]:
        """In how many independent documents a URL stands whole; and in how many no line end makes it doubtful.

        At most `_ENOUGH` are counted.

        Raises:
            CatalogueError: as in `Collection`.
        """
        author, thread, date, itself = self._own
        whole, surely = collection_of(self._evidence).voices(url)
        others = [
            [voice for voice in voices if voice.author != author and voice.document not in itself]
            for voices in (whole, surely)
        ]
        return (
            sum(thread is None or voice.thread != thread or _is_older(voice.date, date) for voice in others[0]),
            sum(thread is None or voice.thread != thread for voice in others[1]),
        )


def _is_older(date: str | None, other: str | None) -> bool:
    return date is not None and other is not None and date < other
