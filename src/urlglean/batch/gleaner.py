"""A chunk of items to its rows: the work that one process does alone, or many share."""

from __future__ import annotations

from msgspec import Struct

from urlglean.batch.glean import cause_of, finder, message_of, seen_in, trouble_of
from urlglean.batch.inputs import Chunk, Position
from urlglean.output import FORMATS, Lines, jsonl
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
        self._lines = FORMATS[task.format].lines
        self._may_reject = task.rejects

    def __call__(self, chunk: Chunk) -> Outcome:
        """The rows of all documents in a chunk, in order."""
        tally = Tally()
        rows: list[bytes] = []
        rejects: list[bytes] = []
        notes: list[Item] = []
        for item in chunk.items:
            if not isinstance(item, Document):
                notes.append(item)
                continue
            message = message_of(item)
            tally.see(item)
            tally.parts += len(message.parts)
            notes += [trouble_of(item, cause) for cause in message.troubles]
            for part in message.parts:
                seen = seen_in(part, message, item, self._find)
                if isinstance(seen, Trouble):
                    notes.append(seen)
                elif seen:
                    rows += _rendered([one for one in seen if one.finding.valid], self._lines, notes)
                    if self._may_reject:
                        rejects += _rendered([one for one in seen if not one.finding.valid], jsonl.lines, notes)
        tally.findings, tally.rejects = len(rows), len(rejects)
        for note in notes:
            tally.files += isinstance(note, Taken)
            tally.troubles += isinstance(note, Trouble)
            tally.skipped += isinstance(note, Skipped)
        return Outcome(b"".join(rows), b"".join(rejects), notes, tally, chunk.end)


def _rendered(sightings: list[Sighting], lines: Lines, notes: list[Item]) -> list[bytes]:
    """The lines of sightings in one part, if there are any; what cannot be rendered is a trouble."""
    try:
        return lines(sightings) if sightings else []
    except Exception as error:  # noqa: BLE001  a row asks the judge again; others can still be written
        if len(sightings) == 1:
            (one,) = sightings
            notes.append(trouble_of(one.document, f"{one.finding.url[:100]}: {cause_of(error)}"))
            return []
        return [line for one in sightings for line in _rendered([one], lines, notes)]


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
