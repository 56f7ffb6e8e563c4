"""Finds the URLs in documents: `glean`, a pure function of octets and options.

`urlglean scan`, its workers, `urlglean show` and the library all call it. It depends on no state of the process.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct, structs

from urlglean.bounds import Bounds
from urlglean.columns import shown
from urlglean.errors import NEEDS_MEMORY
from urlglean.mail import envelope_of, read, read_stretch
from urlglean.occurrence import Occurrence
from urlglean.pipeline.options import Options
from urlglean.pipeline.wanted import LeftOut, left_out, wants_part, wants_url
from urlglean.records import Document, Envelope, Message, Origin, TextPart, Trouble
from urlglean.sources import unframed
from urlglean.text.extract import Extractor
from urlglean.text.finding import Finding
from urlglean.windows import line_ends

TOGETHER = 64
"""How many documents to pass to one call of `glean`. More are not faster, and all their texts are in memory at once."""


class Report(Struct, frozen=True, gc=False):
    """The result of one document, or a piece of the result of a long one.

    Attributes:
        message: the parts that were read from the document; empty if it could not be read, or if `last` is false.
        occurrences: the findings, part by part, in the order of the text.
        troubles: what could not be read completely.
        unlikely: how many findings were left out because of `Options.least`.
        unwanted: how many findings were left out because of `Options.wanted`.
        unsearched: how many of the parts were not searched because of it.
        left_out: why the whole document was not read because of it; "" if it was.
        last: whether no other piece follows.
        limited: whether a limit of time or memory kept the document from being read completely.
    """

    message: Message
    occurrences: tuple[Occurrence, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    unlikely: int = 0
    unwanted: int = 0
    unsearched: int = 0
    left_out: LeftOut = ""
    last: bool = True
    limited: bool = False


def glean(documents: Sequence[Document], options: Options) -> list[Report]:
    """The report of each document. It does not depend on the other documents in the call.

    An exception that a document causes, be it by a defect in this program, becomes a trouble with its place.

    Raises:
        UnknownNameError: `options` name a dialect or a level of joins that does not exist.
        SchemeNameError: one of the schemes is not a possible name of a scheme.
        TypeError: the schemes are a single str.
        MemoryError: the findings of all documents need more memory than there is; `gleaned` gives them in pieces.
    """
    if not options.wanted.of_messages:
        return _glean(documents, options)
    reasons = [_left_out(document, options) for document in documents]
    kept = [document for document, reason in zip(documents, reasons, strict=True) if not reason]
    found = iter(_glean(kept, options))
    return [Report(_NO_MESSAGE, left_out=reason) if reason else next(found) for reason in reasons]


def _glean(documents: Sequence[Document], options: Options) -> list[Report]:
    extractor = extractor_of(options)
    # One step for all documents, then the next step: the code of one step fits into a processor's caches, that of all
    # steps does not. Measured on plain mail of 2.7 kB (Python 3.11): 29 us a message one by one, 24 us in groups of 8,
    # 20 us in groups of 64, 22 us in groups of 256.
    messages = [_message(document, options.bounds) for document in documents]
    found = [
        _found_in_parts(
            _searched(message, options),
            message,
            document,
            _beside(extractor, document, message, options),
            options.bounds,
        )
        for document, message in zip(documents, messages, strict=True)
    ]
    reports = [_report(*each) for each in zip(documents, messages, found, strict=True)]
    return [_selected(report, options) for report in reports] if options.selects else reports


def gleaned(document: Document, options: Options) -> Iterator[Report]:
    """The report of a long document in pieces, one for each part that holds a URL, or for each window of a long part.

    Together they are what `glean` returns. Only the findings of one piece are in memory.

    Raises:
        UnknownNameError: as in `glean`, like the other exceptions.
    """
    extractor = extractor_of(options)
    if reason := _left_out(document, options):
        yield Report(_NO_MESSAGE, left_out=reason)
        return
    message = _message(document, options.bounds)
    extractor = _beside(extractor, document, message, options)
    for part in _searched(message, options):
        for found in _pieces_of(part, message, document, extractor, options.bounds):
            if found != _NOTHING:
                yield structs.replace(_selected(_report(document, _NO_MESSAGE, found), options), last=False)
    yield _selected(_report(document, message, _NOTHING), options)


_Found = tuple[Sequence[Occurrence], Sequence[Trouble]]
"""The findings of one or more parts, in the order of the text, and why some could not be searched."""

_NO_MESSAGE = Message(())
_NOTHING: _Found = ((), ())


@lru_cache(maxsize=1 << 4)
def extractor_of(options: Options) -> Extractor:
    """The extractor for these options. It is made once and used for all documents.

    Raises:
        UnknownNameError: as in `glean`.
        SchemeNameError: as in `glean`.
        TypeError: as in `glean`.
    """
    return Extractor(
        options.dialect,
        options.joins,
        invalid=options.invalid,
        strict=options.strict,
        schemes=options.schemes,
        bare_hosts=options.bare_hosts,
        window=options.bounds.window,
    )


def _beside(extractor: Extractor, document: Document, message: Message, options: Options) -> Extractor:
    """The extractor for one document: doubtful readings are settled if there is a catalogue."""
    if options.evidence is None:
        return extractor
    from urlglean.pipeline.collection import ForDocument  # noqa: PLC0415  few runs open a database

    return extractor.beside(ForDocument(options.evidence, document, message, options.bounds))


def _left_out(document: Document, options: Options) -> LeftOut:
    if not options.wanted.of_messages:
        return ""
    try:
        return left_out(document, options.wanted, options.bounds)
    except Exception:  # noqa: BLE001  reading all of it reports what is wrong
        return ""


def _searched(message: Message, options: Options) -> Sequence[TextPart]:
    """The parts in which URLs are wanted."""
    if not options.wanted.of_parts:
        return message.parts
    return [part for part in message.parts if wants_part(part, options.wanted)]


def _message(document: Document, bounds: Bounds) -> Message:
    message, failed = Message(()), None
    try:
        if document.stretch:
            message = read_stretch(document.data, document.stretch, document.offset)
        else:
            message = read(unframed(document.data, document.framing), document.kind, bounds)
    except Exception as error:  # noqa: BLE001  the other documents can still be read
        failed = error.with_traceback(None)  # whose frames would hold all that fills the memory
    if failed is not None:
        return Message((), (cause_of(failed),))
    if document.date:  # a Date field of its own is the better one
        message = structs.replace(message, header={b"date": document.date.encode(), **message.header})
    return message


def _found_in_parts(
    parts: Iterable[TextPart], message: Message, document: Document, extractor: Extractor, bounds: Bounds
) -> _Found:
    """The findings of some parts of a message, each with its line's number.

    Raises:
        MemoryError: they need more memory than they may take.
    """
    occurrences: list[Occurrence] = []
    troubles: list[Trouble] = []
    place: tuple[Envelope, Origin] | None = None
    for part in parts:
        try:
            if findings := _found_in(part, extractor):
                place = place or (envelope_of(message.header, bounds), document.origin)
                occurrences += _placed(findings, part, *place, _line_of(part))
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001  the other parts can still be scanned
            troubles.append(_failed(part, document, error))
    return (occurrences, troubles) if occurrences or troubles else _NOTHING  # most messages have nothing


def _found_in(part: TextPart, extractor: Extractor) -> list[Finding]:
    if part.whole:
        return extractor.whole(part.text)
    if part.stretch:
        return extractor.in_window(part.text, part.stretch.window, part.flowed)
    return extractor(part.text, part.flowed)


def _pieces_of(
    part: TextPart, message: Message, document: Document, extractor: Extractor, bounds: Bounds
) -> Iterator[_Found]:
    """What `_found_in_parts` returns for a part alone, window by window if the part is long.

    A part that needs too much memory is a trouble.
    """
    failed: Exception | None = None
    line, origin = _line_of(part), document.origin
    try:
        if part.whole or part.stretch or len(part.text) <= extractor.window.own:
            yield _found_in_parts((part,), message, document, extractor, bounds)
        else:
            for found in extractor.windows(part.text, part.flowed):
                if found:
                    yield _placed(found, part, envelope_of(message.header, bounds), origin, line), ()
    except Exception as error:  # noqa: BLE001  the other parts can still be scanned
        failed = error.with_traceback(None)  # whose frames would hold all that fills the memory
    if failed is not None:
        yield (), [_failed(part, document, failed)]


class _Line(Struct):
    """A place in the text of a part, and the number of its line."""

    number: int = 1
    place: int = 0


def _line_of(part: TextPart) -> _Line:
    """The first place of a part; for a window of a long text, where the code points begin that it owns."""
    stretch = part.stretch
    return _Line(stretch.lines + 1, stretch.window.start - part.first) if stretch else _Line(part.line)


def _placed(found: list[Finding], part: TextPart, envelope: Envelope, origin: Origin, line: _Line) -> list[Occurrence]:
    """Findings with their lines. `line` is that of a place before them, and afterwards that of the last one."""
    placed = []
    for finding in found:
        start = finding.span.start
        if start > line.place:
            line.number += line_ends(part.text, line.place, start)
            line.place = start
        placed.append(Occurrence(finding, line.number, part, envelope, origin))
    return placed


def _failed(part: TextPart, document: Document, error: Exception) -> Trouble:
    return trouble_of(document.origin, f"part {part.part or part.field or 'body'}: {cause_of(error)}")


def _report(document: Document, message: Message, found: _Found) -> Report:
    """All that was found in a document, or in a piece of it."""
    occurrences, troubles = found
    if not message.troubles and not troubles:  # nearly all
        return Report(message, tuple(occurrences))
    told = (*[trouble_of(document.origin, cause) for cause in message.troubles], *troubles)
    limited = any(NEEDS_MEMORY in each.cause for each in told)  # then it is lost, or read as plain text
    return Report(message, tuple(occurrences), told, limited=limited)


def _selected(report: Report, options: Options) -> Report:
    """The report without what the options leave out, which it counts."""
    wanted = report.occurrences
    if options.wanted.of_urls:
        wanted = tuple([one for one in wanted if wants_url(one.finding, options.wanted)])
    likely = tuple([one for one in wanted if one.finding.rejected or _is_likely(one, options.least)])
    return structs.replace(
        report,
        occurrences=likely,
        unlikely=len(wanted) - len(likely),
        unwanted=len(report.occurrences) - len(wanted),
        unsearched=len(report.message.parts) - len(_searched(report.message, options)),
    )


def _is_likely(occurrence: Occurrence, least: float) -> bool:
    """Whether the confidence of a finding, rounded as in its row, is at least `least`.

    A caller who copies the number from a row into `least` therefore gets that row.
    """
    return shown(occurrence.finding.confidence) >= least


def trouble_of(origin: Origin, cause: str) -> Trouble:
    """A trouble at the place of a document."""
    return Trouble(origin.path, cause, origin.member, origin.message)


_LOST = "without"
"""In a message of SystemError: Python's patterns lose a MemoryError ("error return without exception set")."""

_NO_MEMORY = f"MemoryError: it {NEEDS_MEMORY}"


def cause_of(error: Exception) -> str:
    """An exception as one line: its type and its message."""
    if isinstance(error, MemoryError) or (isinstance(error, SystemError) and _LOST in str(error)):
        return _NO_MEMORY
    return " ".join(f"{type(error).__name__}: {error}".split())
