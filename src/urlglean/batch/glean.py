"""Paths to sightings, as generators; each document for itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import partial

from urlglean.mail import envelope_of, read
from urlglean.output.files import FileId, file_id
from urlglean.records import Document, Finding, Message, Sighting, TextPart, Trouble
from urlglean.sources import Bundled, Item, Skipped, bundled, content, unbundled
from urlglean.text.extract import extract, read_whole

Gleaned = Sighting | Item
Find = Callable[[TextPart], list[Finding]]


def sightings(  # noqa: PLR0913 - the options of `extract`
    paths: Iterable[str],
    *,
    dialect: str = "current",
    joins: str = "likely",
    invalid: bool = False,
    strict: bool = False,
    schemes: Iterable[str] = (),
    bare_hosts: bool = False,
) -> Iterator[Gleaned]:
    """Every URL in the files and folders at `paths`, with its provenance, in the order in which they lie there.

    `dialect`, `joins`, `invalid`, `strict`, `schemes` and `bare_hosts` are as in `urlglean.extract`.

    Raises:
        UnknownNameError: for a dialect or a joins level that does not exist.
        SchemeNameError: for what can be no scheme's name.
    """
    find = finder(dialect, joins, invalid=invalid, strict=strict, schemes=tuple(schemes), bare_hosts=bare_hosts)
    return gleaned(opened(paths), find)


def opened(
    paths: Iterable[str], *, kind: str | None = None, own: AbstractSet[FileId] = frozenset()
) -> Iterator[Bundled]:
    """The documents at `paths`, in bundles, with what each file was taken for before them, and what was not read.

    Args:
        paths: files, folders, or "-" for stdin.
        kind: what each file is taken for, as in `sources.bundled`.
        own: the files that are being written, which no run may take for its input.
    """
    for path in paths:
        try:
            yield from _without(own, bundled(path, kind=kind))
        except Exception as error:  # noqa: BLE001  the other paths can still be read
            yield Trouble(path, cause_of(error))


def _without(own: AbstractSet[FileId], items: Iterable[Bundled]) -> Iterator[Bundled]:
    path, is_own = None, False
    for item in items:
        if item.path != path:  # one look at the disk a file, not one a message
            path, is_own = item.path, bool(own) and file_id(item.path) in own
            if is_own:
                yield Skipped(path, "it is being written")
        if not is_own:
            yield item


def gleaned(items: Iterable[Bundled], find: Find) -> Iterator[Gleaned]:
    """The sightings in each document of `items`, in order; what is no document passes through."""
    for item in unbundled(items):
        if isinstance(item, Document):
            yield from found_in(item, message_of(item), find)
        else:
            yield item


def finder(  # noqa: PLR0913 - the options of `extract`
    dialect: str,
    joins: str,
    *,
    invalid: bool,
    strict: bool = False,
    schemes: tuple[str, ...] = (),
    bare_hosts: bool = False,
) -> Find:
    """What finds the URLs of one part.

    Raises:
        UnknownNameError: for a dialect or a joins level that does not exist, rather than once a document.
        SchemeNameError: for what can be no scheme's name.
    """
    found = partial(
        extract,
        dialect=dialect,
        joins=joins,
        invalid=invalid,
        strict=strict,
        schemes=schemes,
        bare_hosts=bare_hosts,
    )
    found("")
    return partial(_found, extracted=found, read=partial(read_whole, dialect=dialect, strict=strict), invalid=invalid)


def _found(
    part: TextPart,
    *,
    extracted: Callable[..., list[Finding]],
    read: Callable[[str], Finding],
    invalid: bool,
) -> list[Finding]:
    if not part.whole:
        return extracted(part.text, flowed=part.flowed)
    finding = read(part.text)
    return [finding] if invalid or not finding.rejected else []


def message_of(document: Document) -> Message:
    """The document read; one that cannot be is empty and says why."""
    try:
        return read(content(document), document.kind)
    except Exception as error:  # noqa: BLE001  the other documents can still be read
        return Message((), (cause_of(error),))


def found_in(document: Document, message: Message, find: Find) -> Iterator[Sighting | Trouble]:
    """The troubles of a document's message, then what `find` sees in each of its parts."""
    for cause in message.troubles:
        yield trouble_of(document, cause)
    for part in message.parts:
        found = seen_in(part, message, document, find)
        yield from (found,) if isinstance(found, Trouble) else found


def seen_in(part: TextPart, message: Message, document: Document, find: Find) -> list[Sighting] | Trouble:
    """What `find` sees in a part, in text order, with the lines on which it stands."""
    try:
        found = find(part)
        if not found:
            return []
        envelope = envelope_of(message.header)
    except Exception as error:  # noqa: BLE001  the other parts can still be scanned
        return trouble_of(document, f"part {part.part or part.field or 'body'}: {cause_of(error)}")
    text = part.text
    line, counted, placed = 1, 0, []
    for finding in found:
        start = finding.span.start
        line += _line_ends(text, counted, start)
        counted = start
        placed.append(Sighting(finding, line, part, envelope, document))
    return placed


def _line_ends(text: str, start: int, end: int) -> int:
    """How many lines end in a stretch of text: by LF, CRLF or, in old files, CR alone."""
    ends = text.count("\n", start, end)
    if text.find("\r", start, end) < 0:  # to look for one takes a twentieth of counting them
        return ends
    return ends + text.count("\r", start, end) - text.count("\r\n", start, end)


def trouble_of(document: Document, cause: str) -> Trouble:
    """A trouble with the place of a document."""
    return Trouble(document.path, cause, document.member, document.message)


def cause_of(error: Exception) -> str:
    """An exception in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
