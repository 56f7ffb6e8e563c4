r"""Writes lines for people, in the form of grep's.

    notes.txt:12: http://host/whole
    inbox.mbox[7]:3: http://host/a-b  (inferred, 0.842; or http://host/ab)
    old.zip!news/4711:1: news:comp.infosystems  (in subject)
    12: http://host/from-stdin

`[7]` is the number of the message in the file, and `!` precedes a path inside an archive. Lines are counted in the text
of the part. Notes on a URL follow it in brackets: the field that holds it, whether it was inferred, its confidence, its
problems, its rivals. The URL itself never holds a space.

Every character that Unicode does not call printable, or shows as nothing, is written as an escape (`\x1b`, `\u202e`,
`\u034f`): what a terminal might obey, hide or reorder, and lone surrogates.

A terminal gets `terminal_lines` instead, from which `terminal` makes groups with headings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from urlglean.lazy import pattern
from urlglean.occurrence import Occurrence
from urlglean.output.openable import may_link
from urlglean.records import STDIN, Origin
from urlglean.text.finding import Finding
from urlglean.text.invisible import printable

__all__ = ["Placed", "TerminalRow", "are_lines", "counted", "lines", "place", "printable", "setting", "terminal_lines"]

_LINE = pattern(r":[0-9]++: [^ ]++(?:  \(.*\))?\Z")


class Placed(Protocol):
    """Something with a place: a file and, if that is an archive, a member of it."""

    @property
    def path(self) -> str:
        """The file."""

    @property
    def member(self) -> str | None:
        """The path inside the file, if it is an archive; else None."""


def place(source: Placed) -> str:
    """The place of something, for people: `path!member[message]`, without the pieces that are absent."""
    number = getattr(source, "message", None)
    return _file(source) if number is None else f"{_file(source)}[{number}]"


def _file(source: Placed) -> str:
    return printable(source.path if source.member is None else f"{source.path}!{source.member}")


def counted(number: int, what: str) -> str:
    """A number of things, for people: "1 file", "1,000 files"."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def setting(value: object) -> str:
    """The value of an option, for people."""
    match value:
        case True:
            return "on"
        case False:
            return "off"
        case None | "" | [] | ():
            return "none"
        case list() | tuple():
            return ",".join(map(str, value))
        case _:
            return str(value)


def lines(occurrences: Sequence[Occurrence]) -> list[bytes]:
    r"""A line for people for each occurrence, in UTF-8, ending in "\n"."""
    written, origin, shared = [], None, ""
    for each in occurrences:
        if each.origin is not origin:
            origin = each.origin
            shared = _before_line(origin)
        written.append(f"{shared}{each.line}: {_shown(each.finding, each.part.field)}\n".encode())
    return written


class TerminalRow(Struct, frozen=True, gc=False):
    """What a terminal shows of an occurrence. All texts in it are printable.

    Attributes:
        file: the file, and the path inside it, as `place` writes them; "" for stdin, which has no name.
        message: which message of the file, from 1; None if there is only one.
        subject: the subject of the message; "" without one.
        line: the line in the text of the part, from 1.
        url: the URL.
        valid: whether the URL is valid by the dialect.
        links: whether the URL may be the target of a link (`openable.may_link`).
        notes: the notes on the URL; "" without any.
    """

    file: str
    message: int | None
    subject: str
    line: int
    url: str
    valid: bool
    links: bool
    notes: str


def terminal_lines(occurrences: Sequence[Occurrence]) -> list[bytes]:
    r"""A `TerminalRow` for each occurrence, as a line of JSON ending in "\n"."""
    return [_encoder.encode(_terminal_row(each)) + b"\n" for each in occurrences]


_encoder = msgspec.json.Encoder()


def _terminal_row(occurrence: Occurrence) -> TerminalRow:
    finding, origin = occurrence.finding, occurrence.origin
    return TerminalRow(
        "" if (origin.path, origin.member) == (STDIN, None) else _file(origin),
        origin.message,
        printable(occurrence.envelope.subject or ""),
        occurrence.line,
        printable(finding.url),
        finding.valid,
        may_link(finding.url, valid=finding.valid),
        _noted(finding, occurrence.part.field),
    )


def _before_line(origin: Origin) -> str:
    """The place of a document, and a colon. Of stdin, as of grep's, there is nothing to say but what is in it."""
    where = place(replace(origin, path="") if origin.path == STDIN else origin)
    return f"{where}:" if where else ""


def are_lines(text: str, paths: Sequence[str]) -> bool:
    """Whether a text is nothing but lines for people about findings at and under these paths, the last perhaps cut.

    Lines about stdin do not say so, and are none.
    """
    places = tuple(printable(path) for path in paths if path != STDIN)
    whole = text[: text.rfind("\n") + 1].splitlines()
    return bool(whole) and all(line.startswith(places) and _LINE.search(line) for line in whole)


def _shown(finding: Finding, field: str | None) -> str:
    notes = _noted(finding, field)
    rest = f"  ({notes})" if notes else ""
    return f"{printable(finding.url)}{rest}"


def _noted(finding: Finding, field: str | None) -> str:
    return "; ".join(_notes(finding, field))


def _notes(finding: Finding, field: str | None) -> Iterator[str]:
    if field is not None:
        yield f"in {printable(field)}"
    if finding.certainty == "inferred":
        yield f"inferred, {finding.confidence:.3f}"
    elif finding.rivals:
        yield f"{finding.confidence:.3f}"
    if not finding.valid:
        yield "not valid: " + ", ".join(dict.fromkeys(problem.code for problem in finding.problems))
    for rival in finding.rivals:
        yield f"or {printable(rival)}"
