r"""Lines for people, as grep would print them.

    notes.txt:12: http://host/whole
    inbox.mbox[7]:3: http://host/a-b  (inferred, 0.842; or http://host/ab)
    old.zip!news/4711:1: news:comp.infosystems  (in subject)

`[7]` is the message's number in the file and `!` goes before a path inside an archive; the line is counted in the text
of the part. What is doubtful stands in brackets after the URL, which itself never holds a space: whether it
was inferred, its confidence, what is wrong with it, its rivals.

What a terminal might obey, hide or reorder is written as an escape (`\x1b`, `\u202e`), and so are lone surrogates:
everything that Unicode does not call printable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from urlglean.occurrence import Occurrence
from urlglean.text.finding import Finding


def printable(text: str) -> str:
    r"""`text` with each character that is neither printable nor a space as its escape: ESC becomes `\x1b`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


class Placed(Protocol):
    """What has a place: at least a file and, in an archive, a member of it."""

    @property
    def path(self) -> str:
        """The file."""

    @property
    def member(self) -> str | None:
        """The path inside it."""


def place(source: Placed) -> str:
    """Where something lies, for people: `path!member[message]`, without what is absent."""
    number = getattr(source, "message", None)
    member = "" if source.member is None else f"!{source.member}"
    message = "" if number is None else f"[{number}]"
    return printable(f"{source.path}{member}{message}")


def lines(occurrences: Sequence[Occurrence]) -> list[bytes]:
    r"""Occurrences as lines for people, in UTF-8, each with its "\n"."""
    written, part, origin, shared = [], None, None, ""
    for each in occurrences:
        if each.part is not part or each.origin is not origin:
            part, origin = each.part, each.origin
            shared = place(each.origin)
        written.append(f"{shared}:{each.line}: {_shown(each.finding, each.part.field)}\n".encode())
    return written


def _shown(finding: Finding, field: str | None) -> str:
    notes = "; ".join(_notes(finding, field))
    rest = f"  ({notes})" if notes else ""
    return f"{printable(finding.url)}{rest}"


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
