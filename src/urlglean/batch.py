"""Paths to sightings: sources, mail and text put together, as generators.

    paths ─opened─▶ Document ─gleaned─▶ Sighting ─rendered─▶ Row

Whatever cannot be read, and whatever a defect of ours makes fail, becomes a `Trouble` with its place; the rest goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import chain

from msgspec import Struct

from urlglean.mail import read
from urlglean.output.files import FileId, file_id
from urlglean.records import Document, Finding, Message, Sighting, TextPart, Trouble
from urlglean.sources import Skipped, documents
from urlglean.text.extract import extract, read_whole

Opened = Document | Trouble | Skipped
Gleaned = Sighting | Trouble | Skipped
Line = Callable[[Sighting], bytes]


class Row(Struct, frozen=True):
    """A sighting as some format writes it, its line end included."""

    valid: bool
    line: bytes


class Tally(Struct):
    """What went by so far; `bytes` are those of the documents, unpacked."""

    documents: int = 0
    bytes: int = 0
    findings: int = 0
    rejects: int = 0
    troubles: int = 0
    skipped: int = 0

    def count(self, item: Document | Gleaned | Row) -> None:
        """Count one item of any stream."""
        match item:
            case Document():
                self.documents += 1
                self.bytes += len(item.data)
            case Sighting(finding=Finding(valid=valid)) | Row(valid=valid):
                self.findings += valid
                self.rejects += not valid
            case Trouble():
                self.troubles += 1
            case Skipped():
                self.skipped += 1


def sightings(
    paths: Iterable[str],
    *,
    dialect: str = "current",
    joins: str = "likely",
    invalid: bool = False,
) -> Iterator[Gleaned]:
    """Every URL in the files and folders at `paths`, with its provenance, in the order in which they lie there.

    `dialect`, `joins` and `invalid` are as in `urlglean.extract`.

    Raises:
        UnknownNameError: for a dialect or a joins level that does not exist.
    """
    return gleaned(opened(paths), dialect=dialect, joins=joins, invalid=invalid)


def opened(paths: Iterable[str], *, own: AbstractSet[FileId] = frozenset()) -> Iterator[Opened]:
    """The documents at `paths`; files in `own` are those being written, which no run may take for its input."""
    for path in paths:
        try:
            yield from _without(own, documents(path))
        except Exception as error:  # noqa: BLE001  the other paths can still be read
            yield Trouble(path, _cause(error))


def _without(own: AbstractSet[FileId], items: Iterable[Opened]) -> Iterator[Opened]:
    path, is_own = None, False
    for item in items:
        if item.path != path:  # one look at the disk a file, not one a message
            path, is_own = item.path, bool(own) and file_id(item.path) in own
            if is_own:
                yield Skipped(path, "it is being written")
        if not is_own:
            yield item


def gleaned(items: Iterable[Opened], *, dialect: str, joins: str, invalid: bool) -> Iterator[Gleaned]:
    """The sightings in each document of `items`, in order; what is no document passes through.

    Raises:
        UnknownNameError: for a dialect or a joins level that does not exist.
    """
    extract("", dialect=dialect, joins=joins)  # a wrong name is raised here, not reported once a document
    find = partial(_found, dialect=dialect, joins=joins, invalid=invalid)
    return chain.from_iterable(_gleaned_from(item, find) if isinstance(item, Document) else (item,) for item in items)


def _found(part: TextPart, *, dialect: str, joins: str, invalid: bool) -> list[Finding]:
    if not part.whole:
        return extract(part.text, dialect=dialect, joins=joins, invalid=invalid)
    finding = read_whole(part.text, dialect=dialect)
    return [finding] if finding.valid or invalid else []


def _gleaned_from(document: Document, find: Callable[[TextPart], list[Finding]]) -> Iterator[Sighting | Trouble]:
    try:
        message = read(document)
    except Exception as error:  # noqa: BLE001  the other documents can still be read
        yield _trouble(document, _cause(error))
        return
    for cause in message.troubles:
        yield _trouble(document, cause)
    for part in message.parts:
        try:
            yield from _placed(find(part), part, message, document)
        except Exception as error:  # noqa: BLE001  the other parts can still be scanned
            yield _trouble(document, f"part {part.part or part.field or 'body'}: {_cause(error)}")


def rendered(items: Iterable[Gleaned], *, valid: Line, rejected: Line) -> Iterator[Row | Trouble | Skipped]:
    """Each sighting as a row: by `valid`, or by `rejected` where it is no URL; what is no sighting passes through."""
    for item in items:
        if isinstance(item, Sighting):
            try:
                yield Row(item.finding.valid, (valid if item.finding.valid else rejected)(item))
            except Exception as error:  # noqa: BLE001  a row asks the judge again; the other rows can still be written
                yield _trouble(item.document, f"{item.finding.url[:100]}: {_cause(error)}")
        else:
            yield item


def _placed(found: Iterable[Finding], part: TextPart, message: Message, document: Document) -> Iterator[Sighting]:
    """Sightings with their lines, counted on from one finding to the next: findings come in text order."""
    line, counted = 1, 0
    for finding in found:
        line += _line_ends(part.text, counted, finding.span.start)
        counted = finding.span.start
        yield Sighting(finding, line, part, message.envelope, document)


def _line_ends(text: str, start: int, end: int) -> int:
    """How many lines end in a stretch of text: by LF, CRLF or, in old files, CR alone."""
    return text.count("\n", start, end) + text.count("\r", start, end) - text.count("\r\n", start, end)


def _trouble(document: Document, cause: str) -> Trouble:
    return Trouble(document.path, cause, document.member, document.message)


def _cause(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
