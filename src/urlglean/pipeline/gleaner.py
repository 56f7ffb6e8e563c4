"""A chunk of items to its rows: the work that one process does alone, or many share."""

from __future__ import annotations

from operator import itemgetter

from msgspec import Struct

from urlglean.output import FORMATS, Lines, jsonl
from urlglean.output.columns import shown
from urlglean.pipeline.glean import cause_of, finder, message_of, seen_in, trouble_of
from urlglean.pipeline.inputs import Chunk, Position
from urlglean.records import Document, Message, Sighting, Trouble
from urlglean.sources.items import Item, Skipped, Taken, unbundled

_TOGETHER = 64
"""Items that are gleaned together: their texts and findings are held at once."""


class Task(Struct, frozen=True):
    """What is wanted of a run: all that its rows depend on beside the documents.

    `rejects` asks for theirs too; no row is given of a finding of smaller confidence than `least`; `strict` rejects
    what the dialect does not take, whoever else does; `scheme` holds a reader's own schemes, and `www` asks for hosts
    without one. The names are those of the options.
    """

    format: str = "text"
    dialect: str = "current"
    joins: str = "likely"
    rejects: bool = False
    least: float = 0.0
    strict: bool = False
    scheme: tuple[str, ...] = ()
    www: bool = False


class Tally(Struct):
    """What went by so far.

    `bytes` are those of the documents, unpacked, `files` count members of archives too, `raw` those rows that are not
    of valid URLs, which `findings` leave out, and `unlikely` those findings that have no row because of their
    confidence.
    """

    files: int = 0
    messages: int = 0
    texts: int = 0
    parts: int = 0
    bytes: int = 0
    findings: int = 0
    raw: int = 0
    unlikely: int = 0
    rejects: int = 0
    troubles: int = 0
    skipped: int = 0

    def see(self, document: Document, message: Message) -> None:
        """Count a document that was read."""
        if document.kind == "message":
            self.messages += 1
        else:
            self.texts += 1
        self.parts += len(message.parts)
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
        SchemeNameError: for what can be no scheme's name.
    """

    def __init__(self, task: Task) -> None:
        self._find = finder(
            task.dialect,
            task.joins,
            invalid=task.rejects,
            strict=task.strict,
            schemes=task.scheme,
            bare_hosts=task.www,
        )
        self._lines = FORMATS[task.format].lines
        self._may_reject, self._least = task.rejects, task.least

    def __call__(self, chunk: Chunk) -> Outcome:
        """The rows of all documents in a chunk, in order."""
        items = list(unbundled(chunk.items))
        starts = range(0, len(items) or 1, _TOGETHER)
        return joined([self._gleaned(items[start : start + _TOGETHER], chunk.end) for start in starts])

    def _gleaned(self, items: list[Item], end: Position) -> Outcome:
        """What items that follow one another come to: one step for all of them, then the next."""
        # Measured on plain mail (Python 3.11): 29 us a message, 36 us with all steps for each: a processor's caches
        # hold one step's code, not that of all.
        read = [(at, item, message_of(item)) for at, item in enumerate(items) if isinstance(item, Document)]
        seen = [
            (at, seen_in(part, message, document, self._find))
            for at, document, message in read
            for part in message.parts
        ]
        tally = Tally()
        rows: list[bytes] = []
        rejects: list[bytes] = []
        noted: list[tuple[int, Item]]
        noted = [(at, item) for at, item in enumerate(items) if not isinstance(item, Document)]
        for at, document, message in read:
            tally.see(document, message)
            noted += [(at, trouble_of(document, cause)) for cause in message.troubles]
        for at, found in seen:
            lost: list[Item] = []
            if isinstance(found, Trouble):
                lost.append(found)
            elif found:
                taken = [one for one in found if not one.finding.rejected]
                likely = [one for one in taken if shown(one.finding.confidence) >= self._least]
                tally.unlikely += len(taken) - len(likely)
                tally.raw += sum(not one.finding.valid for one in likely)
                rows += _rendered(likely, self._lines, lost)
                if self._may_reject:
                    rejects += _rendered([one for one in found if one.finding.rejected], jsonl.lines, lost)
            noted += [(at, trouble) for trouble in lost]
        tally.findings, tally.rejects = len(rows) - tally.raw, len(rejects)
        notes = [note for _, note in sorted(noted, key=itemgetter(0))]
        for note in notes:
            tally.files += isinstance(note, Taken)
            tally.troubles += isinstance(note, Trouble)
            tally.skipped += isinstance(note, Skipped)
        return Outcome(b"".join(rows), b"".join(rejects), notes, tally, end)


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
    for item in unbundled(chunk.items):
        if isinstance(item, Document):
            tally.see(item, Message(()))
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
