"""Makes the rows of a chunk of items. One process does this for all chunks, or worker processes share the chunks."""

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
"""Default limit of processor time for a document, and again for each megabyte of it. A document that takes longer is
assumed to hang or to be hostile: 128 MB of nothing but broken URLs take 1.6 seconds a megabyte (measured, Python 3.11),
texts made to be slow about 100."""


class ScanTask(Struct, frozen=True):
    """The settings of a run that writes rows: everything that the rows depend on, except the documents.

    Attributes:
        format: one of `FORMATS`.
        options: what to search for.
        seconds: how many seconds of processor time a document may take, and as many again for each megabyte of it. A
            document that takes longer becomes a trouble. 0 means no limit.
    """

    format: str = "text"
    options: Options = Options()
    seconds: float = SECONDS


class Tally(Struct):
    """Counts of what was read and found so far.

    `bytes` counts the bytes of the documents after unpacking. `files` includes members of archives. `raw` counts the
    rows whose URL is not valid; `findings` does not include them. `unlikely` counts the findings that have no row
    because their confidence is too low.
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
        """Count a document that was read. The windows of a long text are one text with one part."""
        self.bytes += document.size
        if document.is_continued:
            return
        if document.kind == "message":
            self.messages += 1
        else:
            self.texts += 1
        self.parts += len(message.parts)

    def add(self, other: Tally) -> None:
        """Add the counts of another tally."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class ChunkResult(Struct, frozen=True):
    """The result of a chunk.

    Attributes:
        rows: the rows of its findings.
        rejects: the rows of its rejected candidates.
        notes: its items that are not documents, and the troubles of its documents, in order.
        tally: its counts.
        end: the position behind it.
    """

    rows: bytes
    rejects: bytes
    notes: list[Item]
    tally: Tally
    end: Position


def chunk_result(chunk: Chunk, task: ScanTask) -> ChunkResult:
    """The rows of all documents in a chunk, in order.

    Raises:
        UnknownNameError: the task names a dialect or a level of joins that does not exist.
        SchemeNameError: one of its schemes is not a possible name of a scheme.
    """
    items = list(unbundled(chunk.items))
    starts = range(0, len(items) or 1, TOGETHER)
    return joined([_result_of(items[start : start + TOGETHER], task, chunk.end) for start in starts])


def _result_of(items: list[Item], task: ScanTask, end: Position) -> ChunkResult:
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
    """The report of each document. The report of a document that takes too long holds only a trouble."""
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
    """The lines of the occurrences, if there are any. Adds a trouble to `notes` for each that cannot be rendered."""
    try:
        return lines(occurrences) if occurrences else []
    except Exception as error:  # noqa: BLE001  making a row calls the judge again; the other rows can still be written
        if len(occurrences) == 1:
            (one,) = occurrences
            notes.append(trouble_of(one.origin, f"{one.finding.url[:100]}: {cause_of(error)}"))
            return []
        return [line for one in occurrences for line in _rendered([one], lines, notes)]


def lost(chunk: Chunk, cause: str) -> ChunkResult:
    """The result of a chunk that could not be read: a trouble for each of its documents."""
    tally = Tally()
    notes: list[Item] = []
    for item in unbundled(chunk.items):
        if isinstance(item, Document):
            tally.see(item, Message(()))
            notes.append(trouble_of(item.origin, cause))
    tally.troubles = len(notes)
    return ChunkResult(b"", b"", notes, tally, chunk.end)


def joined(chunk_results: list[ChunkResult]) -> ChunkResult:
    """One result made of the results of consecutive parts of the input, at least one."""
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
