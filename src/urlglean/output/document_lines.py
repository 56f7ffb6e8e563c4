"""Writes JSON lines that tell of all documents, not only of the URLs in them: for `tables`, which makes tables of them.

    ["run", version, options, folder]
    ["document", digest, text, kind, path, ..., findings, rejects, troubles, limited, last]
    ["trouble", path, member, message, cause]
    ["counts", files, messages, texts, octets, skipped]

A document is one line, or several if it holds many findings; `last` is true in the last of them. As in all tables,
`path` is as in `file_names.as_text`, and a lone surrogate is U+FFFD.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Raw, Struct

from urlglean.columns import ProblemRow, Value, shown
from urlglean.occurrence import Occurrence, of_finding
from urlglean.output.file_names import as_text
from urlglean.output.jsonl import SURROGATE, encoded
from urlglean.records import Document, Envelope, Trouble
from urlglean.text.finding import moved


class RunLine(Struct, frozen=True, array_like=True, tag="run", gc=False):
    """The run that writes the lines behind this one.

    Attributes:
        version: that of urlglean.
        options: those on which the findings depend.
        folder: the folder to which relative paths belong; None if there are none.
    """

    version: str
    options: dict[str, str | bool | float | list[str]]
    folder: str | None


class FindingLine(Struct, frozen=True, array_like=True, gc=False):
    """A finding, or a rejected candidate: the columns of its row, and what tables have besides.

    `joins` are `(start, end, rule)`, in code points of the part's text, like `start` and `end`.
    """

    url: str
    scheme: str | None
    host: str | None
    wrapper: str
    certainty: str
    confidence: float
    valid: bool
    rivals: list[str]
    problems: list[ProblemRow]
    cautions: list[str]
    start: int
    end: int
    line: int
    part: str | None
    field: str | None
    label: str | None
    rival_confidences: list[float]
    joins: list[tuple[int, int, str]]


class DocumentLine(Struct, frozen=True, array_like=True, tag="document", gc=False):
    """A document, or a piece of one with many findings.

    Attributes:
        digest: of its octets, by `pipeline.digest`.
        text: the digest of the first window, if it is a window of a long text.
        kind: as in `records.Document`.
        path: and the following up to `message`: as in `records.Origin`.
        window: the first code point of the window; 0 if it is none.
        envelope: the values of `records.Envelope`, in its order.
        findings: those of this piece.
        rejects: those of this piece.
        troubles: causes of what could not be read completely in it.
        limited: whether a limit of the run kept it from being read completely, so that another run may read it.
        last: whether this is the last piece.
    """

    digest: str
    text: str | None
    kind: str
    path: str
    member: str | None
    offset: int
    length: int
    message: int | None
    window: int
    envelope: tuple[str | None, str | None, str | None, str | None, list[str] | None]
    findings: list[FindingLine]
    rejects: list[FindingLine]
    troubles: list[str]
    limited: bool
    last: bool


class TroubleLine(Struct, frozen=True, array_like=True, tag="trouble", gc=False):
    """What could not be read completely, besides what the lines of documents tell."""

    path: str
    member: str | None
    message: int | None
    cause: str


class CountsLine(Struct, frozen=True, array_like=True, tag="counts", gc=False):
    """What was read since the last such line."""

    files: int
    messages: int
    texts: int
    octets: int
    skipped: int


Line = RunLine | DocumentLine | TroubleLine | CountsLine

decode = msgspec.json.Decoder(Line).decode_lines


def run_line(version: str, options: Mapping[str, object], folder: str | None = None) -> bytes:
    r"""A `RunLine`, ending in "\n"."""
    return encoded(("run", version, options, folder and as_text(folder))) + b"\n"


def findings(occurrences: Sequence[Occurrence]) -> list[bytes]:
    """A `FindingLine` for each occurrence, as JSON without a line end: parts of a `document_line`."""
    return [encoded(_finding(one)) for one in occurrences]


def _finding(occurrence: Occurrence) -> tuple[Value | list[float] | list[tuple[int, int, str]], ...]:
    finding, part = occurrence.finding, occurrence.part
    placed = moved(finding, part.first) if finding.joins and part.stretch else finding
    joins = [(join.at.start, join.at.end, join.rule.value) for join in placed.joins]
    rivals = [shown(confidence) for confidence in finding.rival_confidences]
    return (*of_finding(occurrence), part.part, part.field, part.label, rivals, joins)


def document_line(  # noqa: PLR0913 - what a line tells
    document: Document,
    digest: str,
    envelope: Envelope,
    found: Sequence[bytes],
    rejected: Sequence[bytes],
    *,
    troubles: Sequence[str] = (),
    limited: bool = False,
    last: bool = True,
) -> bytes:
    r"""A `DocumentLine`, ending in "\n"; `found` and `rejected` are made by `findings`."""
    values = (
        "document",
        digest,
        document.stretch.text if document.stretch else None,
        document.kind,
        *place_of(document),
        msgspec.structs.astuple(envelope),
        [Raw(each) for each in found],
        [Raw(each) for each in rejected],
        troubles,
        limited,
        last,
    )
    return encoded(values) + b"\n"


def place_of(document: Document) -> tuple[str, str | None, int, int, int | None, int]:
    """Where a document lies: `path` to `window` of its `DocumentLine`, which are columns of the table `places` too.

    No database takes lone surrogates, so what of a member's name is no UTF-8 is U+FFFD.
    """
    origin, stretch = document.origin, document.stretch
    window = stretch.window.start if stretch else 0
    member = origin.member and SURROGATE.sub("\ufffd", origin.member)
    return as_text(origin.path), member, origin.offset, origin.length, origin.message, window


def trouble_line(trouble: Trouble) -> bytes:
    r"""A `TroubleLine`, ending in "\n"."""
    return encoded(("trouble", as_text(trouble.path), trouble.member, trouble.message, trouble.cause)) + b"\n"


def counts_line(counts: Sequence[int]) -> bytes:
    r"""A `CountsLine`, ending in "\n"; `counts` are its values, in its order."""
    return encoded(("counts", *counts)) + b"\n"
