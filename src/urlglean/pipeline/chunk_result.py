"""Makes the rows of a chunk of items. One process does this for all chunks, or worker processes share the chunks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from urlglean.bounds import Bounds
from urlglean.mail import envelope_of
from urlglean.occurrence import Occurrence, of_part
from urlglean.output import FORMATS, Lines, document_lines, jsonl
from urlglean.pipeline.digest import digest_of
from urlglean.pipeline.glean import TOGETHER, Report, cause_of, glean, gleaned, trouble_of
from urlglean.pipeline.inputs import Chunk, Portion
from urlglean.pipeline.memory_limit import memory_limit
from urlglean.pipeline.repeated_header import CUT, RepeatedHeader
from urlglean.pipeline.results import ChunkResult, RowKey, Tally
from urlglean.pipeline.scan_task import ScanTask
from urlglean.pipeline.time_limit import TimeLimitError, given_up, seconds_for, time_limit
from urlglean.records import Document, Envelope, Message, Trouble
from urlglean.sources import FromPath
from urlglean.sources.items import Item, Skipped, Taken, unbundled

LONG = 1 << 20
"""A document of at least this many bytes is long: its findings are handed on in pieces, before it is read completely.

All findings of `TOGETHER` documents that are not long are in memory at once, but of no more than a chunk.
"""

PIECE = 1 << 21
"""About how many bytes of rows there are in a piece of a result."""

_FEW = 8
"""At least this many rows are made at once, however long they are."""

_ROW = 400
"""About how many bytes a row of JSON has, without what all rows of a part repeat."""


def results_of(chunk: Chunk, task: ScanTask) -> Iterator[ChunkResult]:
    """The rows of all documents in a chunk, in order, in pieces. No piece has many more bytes than `PIECE`.

    A piece ends before and after each document that has several pieces. So these depend on the document alone.

    Raises:
        UnknownNameError: the task names a dialect or a level of joins that does not exist.
        SchemeNameError: one of its schemes is not a possible name of a scheme.
    """
    made, done = _Made(task), 0
    for item, reports in reported(chunk.items, task):
        if type(item) is Document:
            yield from _document(item, reports, made, done)
        else:
            made.note(item)
        done += 1
        if made.held >= PIECE:
            yield made.taken(done)
    yield made.taken(done, chunk.read)


def reported(items: Iterable[FromPath], task: ScanTask) -> Iterator[tuple[Item, Iterable[Report]]]:
    """Each item, in order, and the reports of what is a document, read within the task's limits; others have none.

    A document has one report or more, of which the last says so. They must be read before the next item is asked for.

    Raises:
        UnknownNameError: as in `results_of`, like the other exceptions.
    """
    for group in _groups(unbundled(items)):
        reports = iter(_reports([item for item in group if type(item) is Document], task))
        for item in group:
            yield item, next(reports) if type(item) is Document else ()


def _document(document: Document, reports: Iterable[Report], made: _Made, done: int) -> Iterator[ChunkResult]:
    """Add a document to what was made, before which `done` items were read. If its rows are many, they are pieces."""
    alone, header = False, RepeatedHeader(document)
    for report in reports:
        found = report.occurrences
        header.count(found, all_rows=made.repeats_header)
        step = _step(found)
        if not alone and (is_long(document) or step < len(found)):
            alone = True
            if made.held:
                yield made.taken(done)
        for start in range(0, len(found), step):
            made.add(document, found[start : start + step], header)
            if alone and made.held >= PIECE:
                yield made.taken(done)
        made.end(document, report)
        if report.last:
            if header.is_over:
                made.note(trouble_of(document.origin, CUT))
            made.tally.see(document, report.message)
    if alone and made.held:
        yield made.taken(done + 1)


def is_long(item: Item) -> bool:
    """Whether the result of an item may be long, so that it is made in pieces."""
    return type(item) is Document and len(item.data) > LONG


def _groups(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Group the items that are read together; a long document is alone."""
    group: list[Item] = []
    for item in items:
        if is_long(item):
            if group:
                yield group
                group = []
            yield [item]
            continue
        group.append(item)
        if len(group) == TOGETHER:
            yield group
            group = []
    if group:
        yield group


def _step(occurrences: Sequence[Occurrence]) -> int:
    """How many occurrences give about `PIECE` bytes of rows."""
    if len(occurrences) <= _FEW:
        return _FEW
    repeated = sum(len(str(value)) for value in of_part(occurrences[0]) if value)
    return max(_FEW, PIECE // (repeated + _ROW))


class _Made:
    """What was made of a chunk since the last piece of its result."""

    def __init__(self, task: ScanTask) -> None:
        form = FORMATS[task.format]
        self._lines = (form.safe if task.csv_safe else form.terminal if task.terminal else None) or form.lines
        self._told = _Told(task.options.bounds) if form.of_documents else None
        self._keyed = task.keyed
        self.repeats_header = form.repeats_header
        self._begin()

    def _begin(self) -> None:
        self._rows: list[bytes] = []
        self._rejects: list[bytes] = []
        self._keys: list[RowKey] = []
        self._notes: list[Item] = []
        self.tally = Tally()
        self.held = 0
        """How many bytes it has, about."""

    def note(self, note: Item) -> None:
        """Add an item that is not a document, or a trouble of one that could not be read at all."""
        self._note(note)
        if self._told and isinstance(note, Trouble):
            self._rows.append(document_lines.trouble_line(note))

    def _note(self, note: Item) -> None:
        self._notes.append(note)
        self.held += 1
        self.tally.files += type(note) is Taken
        self.tally.troubles += type(note) is Trouble
        self.tally.skipped += type(note) is Skipped

    def add(self, document: Document, occurrences: Sequence[Occurrence], header: RepeatedHeader) -> None:
        """Add the rows of occurrences in a document. `header` is what its rows have repeated so far."""
        taken: list[Occurrence] = []
        rejected: list[Occurrence] = []
        raw = 0
        for one in occurrences:
            finding = one.finding
            if finding.rejected:
                rejected.append(one)
            else:
                taken.append(one)
                raw += not finding.valid
        rows = self._rendered(header.bounded(taken), self._lines)
        if self._keyed:
            self._keys += [_key_of(one, row) for one, row in zip(taken, rows, strict=True) if row]
        rows = list(filter(None, rows))
        self.held += sum(map(len, rows))
        self.tally.raw += raw
        self.tally.findings += len(rows) - raw
        if rejected:  # lines of JSON, whatever the format is
            rejects = list(filter(None, self._rendered(header.bounded(rejected), jsonl.lines)))
            self.tally.rejects += len(rejects)
            self._rejects += rejects
            self.held += sum(map(len, rejects))
        if self._told:
            told = filter(None, self._rendered(rejected, self._lines))
            self._told.add(document, occurrences[0].envelope, rows, list(told))
        else:
            self._rows += rows

    def end(self, document: Document, report: Report) -> None:
        """Add the troubles and counts of a report."""
        tally = self.tally
        tally.unlikely += report.unlikely
        tally.unwanted += report.unwanted
        tally.unsearched += report.unsearched
        if report.left_out and not document.is_continued:
            tally.passed += 1
            tally.undated += report.left_out == "undated"
        for trouble in report.troubles:
            self._note(trouble)
        if self._told and not report.left_out and (line := self._told.end(document, report)):
            self._rows.append(line)
            self.held += len(line)

    def taken(self, done: int, read: tuple[Portion, ...] | None = None) -> ChunkResult:
        """Return all of it as a result, and forget it."""
        if self._told:
            self._rows += [*self._told.so_far(), document_lines.counts_line(self.tally.of_runs)]
        rows, rejects = b"".join(self._rows), b"".join(self._rejects)
        made = ChunkResult(rows, rejects, self._notes, self.tally, read, done, keys=self._keys)
        self._begin()
        return made

    def _rendered(self, occurrences: list[Occurrence], lines: Lines) -> list[bytes]:
        """The lines of the occurrences. Of one that cannot be rendered the line is empty, and a trouble is noted."""
        try:
            return lines(occurrences) if occurrences else []
        except Exception as error:  # noqa: BLE001  making a row calls the judge again; the other rows can still be written
            if len(occurrences) == 1:
                (one,) = occurrences
                trouble = trouble_of(one.origin, f"{one.finding.url[:100]}: {cause_of(error)}")
                self._note(trouble)
                if self._told:
                    self._told.troubles.append(trouble.cause)
                return [b""]
            return [line for one in occurrences for line in self._rendered([one], lines)]


def _key_of(occurrence: Occurrence, row: bytes) -> RowKey:
    from hashlib import blake2b  # noqa: PLC0415 - few runs need it

    finding = occurrence.finding
    digest = blake2b(finding.url.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return RowKey(occurrence.origin.path, digest, len(row), finding.valid)


class _Told:
    """What is to be told of the document that is being read, and is in none of its `document_lines` yet."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._document: Document | None = None
        self._digest = ""
        self._begin()

    def _begin(self) -> None:
        self._envelope = Envelope()
        self._found: list[bytes] = []
        self._rejected: list[bytes] = []
        self._limited = False
        self.troubles: list[str] = []

    def add(self, document: Document, envelope: Envelope, found: list[bytes], rejected: list[bytes]) -> None:
        """Add findings and rejected candidates of a document."""
        self._see(document)
        self._envelope = envelope
        self._found += found
        self._rejected += rejected

    def end(self, document: Document, report: Report) -> bytes | None:
        """Add what a report tells beside its occurrences. Returns the line if the report is the document's last."""
        self._see(document)
        self.troubles += [trouble.cause for trouble in report.troubles]
        self._limited = self._limited or report.limited
        if not report.last:
            return None
        if report.message.header and not report.occurrences:  # which have it already
            self._envelope = envelope_of(report.message.header, self._bounds)
        return self._line(last=True)

    def so_far(self) -> list[bytes]:
        """A line for what was added since the last one, if there is something."""
        return [self._line(last=False)] if self._found or self._rejected or self.troubles else []

    def _see(self, document: Document) -> None:
        if document is not self._document:
            self._document, self._digest = document, digest_of(document)

    def _line(self, *, last: bool) -> bytes:
        assert self._document, "there is nothing to tell before it is known"
        line = document_lines.document_line(
            self._document,
            self._digest,
            self._envelope,
            self._found,
            self._rejected,
            troubles=self.troubles,
            limited=self._limited,
            last=last,
        )
        self._begin()
        return line


def _reports(documents: Sequence[Document], task: ScanTask) -> Iterable[Iterable[Report]]:
    """The reports of each document: one or more, of which the last says so."""
    if documents and not is_long(documents[0]):
        seconds = seconds_for(task.limits.seconds, sum(len(document.data) for document in documents))
        with suppress(TimeLimitError, MemoryError), time_limit(seconds), memory_limit(task.limits.memory):
            return [(report,) for report in glean(documents, task.options)]
    return (_within_limit(document, task) for document in documents)


def _within_limit(document: Document, task: ScanTask) -> Iterator[Report]:
    """The reports of a document. If it takes too much time or memory, the last one has only a trouble."""
    left = seconds = seconds_for(task.limits.seconds, len(document.data))
    reports = gleaned(document, task.options)
    last = False
    while not last:
        try:
            with time_limit(left) as left_over, memory_limit(task.limits.memory):
                report = next(reports)
        except TimeLimitError:
            report = _given_up(document, given_up(seconds))
        except MemoryError as error:
            report = _given_up(document, cause_of(error))
        else:
            left = left_over()
        last = report.last
        yield report


def _given_up(document: Document, cause: str) -> Report:
    return Report(Message(()), troubles=(trouble_of(document.origin, cause),), limited=True)


def lost(item: Item, cause: str, task: ScanTask) -> ChunkResult:
    """The result of an item that could not be read, or not to its end: a trouble if it is a document."""
    made = _Made(task)
    if isinstance(item, Document):
        made.tally.see(item, Message(()))
        made.note(trouble_of(item.origin, cause))
    else:
        made.note(item)
    return made.taken(1)
