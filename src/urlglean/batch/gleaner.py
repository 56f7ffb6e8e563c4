"""A chunk of items to its rows: the work that one process does alone, or many share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from urlglean.batch.glean import cause_of, finder, found_in, message_of, trouble_of
from urlglean.batch.inputs import Chunk, Position
from urlglean.output import FORMATS, jsonl
from urlglean.records import Document, Sighting, Trouble
from urlglean.sources.items import Item, Skipped, Taken


class Task(Struct, frozen=True):
    """What is wanted of a run: all that its rows depend on beside the documents; `rejects` asks for theirs too."""

    format: str = "text"
    dialect: str = "current"
    joins: str = "likely"
    rejects: bool = False


class Tally(Struct):
    """What went by so far; `bytes` are those of the documents, unpacked, and `files` count members of archives too."""

    files: int = 0
    messages: int = 0
    texts: int = 0
    parts: int = 0
    bytes: int = 0
    findings: int = 0
    rejects: int = 0
    troubles: int = 0
    skipped: int = 0

    def see(self, document: Document) -> None:
        """Count a document."""
        self.messages += document.kind == "message"
        self.texts += document.kind == "text"
        self.bytes += len(document.data)

    def add(self, other: Tally) -> None:
        """Count what another tally has counted."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Outcome(Struct, frozen=True):
    """What a chunk came to: rows of findings and of rejects, and the items that were no documents, in order."""

    rows: bytes
    rejects: bytes
    notes: list[Item]
    tally: Tally
    end: Position


class Gleaner:
    """Chunks to outcomes, by one task.

    Raises:
        UnknownNameError: for a dialect or a joins level that does not exist.
    """

    def __init__(self, task: Task) -> None:
        self._find = finder(task.dialect, task.joins, invalid=task.rejects)
        self._line = FORMATS[task.format].line

    def __call__(self, chunk: Chunk) -> Outcome:
        """The rows of all documents in a chunk, in order."""
        tally = Tally()
        lines: dict[bool, list[bytes]] = {True: [], False: []}
        notes: list[Item] = []
        for item in self._found(chunk.items, tally):
            if isinstance(item, Sighting):
                try:
                    valid = item.finding.valid
                    lines[valid].append((self._line if valid else jsonl.line)(item))
                except Exception as error:  # noqa: BLE001  a row asks the judge again; others can still be written
                    notes.append(trouble_of(item.document, f"{item.finding.url[:100]}: {cause_of(error)}"))
            else:
                notes.append(item)
        tally.findings, tally.rejects = len(lines[True]), len(lines[False])
        for note in notes:
            tally.files += isinstance(note, Taken)
            tally.troubles += isinstance(note, Trouble)
            tally.skipped += isinstance(note, Skipped)
        return Outcome(b"".join(lines[True]), b"".join(lines[False]), notes, tally, chunk.end)

    def _found(self, items: Iterable[Item], tally: Tally) -> Iterator[Sighting | Item]:
        for item in items:
            if isinstance(item, Document):
                message = message_of(item)
                tally.see(item)
                tally.parts += len(message.parts)
                yield from found_in(item, message, self._find)
            else:
                yield item


def lost(chunk: Chunk, cause: str) -> Outcome:
    """The outcome of a chunk that could not be read: each of its documents is a trouble."""
    tally = Tally()
    notes: list[Item] = []
    for item in chunk.items:
        if isinstance(item, Document):
            tally.see(item)
            notes.append(trouble_of(item, cause))
    tally.troubles = len(notes)
    return Outcome(b"", b"", notes, tally, chunk.end)


def joined(outcomes: list[Outcome]) -> Outcome:
    """The outcomes of stretches that follow one another, at least one, as that of the whole."""
    tally = Tally()
    for outcome in outcomes:
        tally.add(outcome.tally)
    return Outcome(
        b"".join(outcome.rows for outcome in outcomes),
        b"".join(outcome.rejects for outcome in outcomes),
        [note for outcome in outcomes for note in outcome.notes],
        tally,
        outcomes[-1].end,
    )
