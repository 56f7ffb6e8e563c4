"""A chunk of items to its rows: the work that one process does alone, or many share."""

from __future__ import annotations

from msgspec import Struct

from urlglean.occurrence import Occurrence
from urlglean.output import FORMATS, Lines, jsonl
from urlglean.pipeline.glean import TOGETHER, Report, cause_of, glean, trouble_of
from urlglean.pipeline.inputs import Chunk, Position
from urlglean.pipeline.options import Options
from urlglean.pipeline.time_limit import TimeLimitError, time_limit
from urlglean.records import Document, Message, Trouble
from urlglean.sources.items import Item, Skipped, Taken, unbundled

SECONDS = 30.0
"""Of processor time for a document and for each megabyte of it: a hang, then. 128 MB of nothing but broken URLs take
1.6 seconds a megabyte (measured, Python 3.11)."""


class ScanTask(Struct, frozen=True):
    """What is wanted of a run that writes rows: all that they depend on beside the documents.

    Attributes:
        format: one of `FORMATS`.
        options: what is looked for.
        seconds: of processor time that a document may take, and as many more for each megabyte of it; one that takes
            longer is a trouble. 0 for no limit.
    """

    format: str = "text"
    options: Options = Options()
    seconds: float = SECONDS


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


class ChunkResult(Struct, frozen=True):
    """What a chunk came to: rows of findings and of rejects, and the items that were no documents, in order."""

    rows: bytes
    rejects: bytes
    notes: list[Item]
    tally: Tally
    end: Position


def chunk_result(chunk: Chunk, task: ScanTask) -> ChunkResult:
    """The rows of all documents in a chunk, in order.

    Raises:
        UnknownNameError: the task names a dialect or a level of joins that does not exist.
        SchemeNameError: one of its schemes can be no scheme's name.
    """
    items = list(unbundled(chunk.items))
    starts = range(0, len(items) or 1, TOGETHER)
    return joined([_outcome(items[start : start + TOGETHER], task, chunk.end) for start in starts])


def _outcome(items: list[Item], task: ScanTask, end: Position) -> ChunkResult:
    reports = iter(_reports([item for item in items if isinstance(item, Document)], task))
    lines = FORMATS[task.format].lines
    tally = Tally()
    rows: list[bytes] = []
    rejects: list[bytes] = []
    notes: list[Item] = []
    for item in items:
        if not isinstance(item, Document):
            notes.append(item)
            continue
        report = next(reports)
        tally.see(item, report.message)
        tally.unlikely += report.unlikely
        notes += report.troubles
        if report.occurrences:
            taken = [one for one in report.occurrences if not one.finding.rejected]
            tally.raw += sum(not one.finding.valid for one in taken)
            rows += _rendered(taken, lines, notes)
            rejects += _rendered([one for one in report.occurrences if one.finding.rejected], jsonl.lines, notes)
    tally.findings, tally.rejects = len(rows) - tally.raw, len(rejects)
    for note in notes:
        tally.files += isinstance(note, Taken)
        tally.troubles += isinstance(note, Trouble)
        tally.skipped += isinstance(note, Skipped)
    return ChunkResult(b"".join(rows), b"".join(rejects), notes, tally, end)


def _reports(documents: list[Document], task: ScanTask) -> list[Report]:
    """What the documents come to; one that takes too long comes to a trouble."""
    size = sum(len(document.data) for document in documents)
    seconds = task.seconds * (1 + size / 1e6)
    try:
        with time_limit(seconds):
            return glean(documents, task.options)
    except TimeLimitError:
        if len(documents) > 1:
            return [report for document in documents for report in _reports([document], task)]
        cause = f"given up after {seconds:.3g} seconds of processor time"
        return [Report(Message(()), troubles=(trouble_of(documents[0].origin, cause),))]


def _rendered(occurrences: list[Occurrence], lines: Lines, notes: list[Item]) -> list[bytes]:
    """The lines of occurrences, if there are any; what cannot be rendered is a trouble."""
    try:
        return lines(occurrences) if occurrences else []
    except Exception as error:  # noqa: BLE001  a row asks the judge again; others can still be written
        if len(occurrences) == 1:
            (one,) = occurrences
            notes.append(trouble_of(one.origin, f"{one.finding.url[:100]}: {cause_of(error)}"))
            return []
        return [line for one in occurrences for line in _rendered([one], lines, notes)]


def lost(chunk: Chunk, cause: str) -> ChunkResult:
    """The outcome of a chunk that could not be read: each of its documents is a trouble."""
    tally = Tally()
    notes: list[Item] = []
    for item in unbundled(chunk.items):
        if isinstance(item, Document):
            tally.see(item, Message(()))
            notes.append(trouble_of(item.origin, cause))
    tally.troubles = len(notes)
    return ChunkResult(b"", b"", notes, tally, chunk.end)


def joined(chunk_results: list[ChunkResult]) -> ChunkResult:
    """The outcomes of stretches that follow one another, at least one, as that of the whole."""
    tally = Tally()
    for chunk_result in chunk_results:
        tally.add(chunk_result.tally)
    return ChunkResult(
        b"".join(chunk_result.rows for chunk_result in chunk_results),
        b"".join(chunk_result.rejects for chunk_result in chunk_results),
        [note for chunk_result in chunk_results for note in chunk_result.notes],
        tally,
        chunk_results[-1].end,
    )
