"""Reads the texts in folders of mail by urlglean's own readers, so that all tools see the same characters."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from comparison.records import Found
from urlglean.mail import read as read_mail
from urlglean.output.text import place
from urlglean.pipeline.inputs import opened
from urlglean.records import Document, TextPart, Trouble
from urlglean.sources import Skipped, unbundled, unframed
from urlglean.text.extract import Extractor
from urlglean.text.finding import Finding

LONGEST = 1_000_000
"""In code points. Some tools take quadratic time, so longer texts are left out for all tools."""


class Text(NamedTuple):
    """A text, and its place in a form for people."""

    part: TextPart
    place: str


class Read(NamedTuple):
    """Iterates over texts, and counts what it reads."""

    texts: Iterator[Text]
    counts: Counter[str]


def read(paths: Iterable[str], *, bare: bool, longest: int = LONGEST) -> Read:
    """The texts of all messages in files and folders: header fields, plain parts, and what a reader sees of HTML.

    Attributes of HTML are left out, because each is a whole URL. So are texts of more than `longest` code points, and
    texts without a colon, unless hosts without a scheme are looked for as well.
    """
    counts: Counter[str] = Counter()
    return Read(_texts(paths, counts, longest, bare=bare), counts)


def _texts(paths: Iterable[str], counts: Counter[str], longest: int, *, bare: bool) -> Iterator[Text]:
    for item in unbundled(opened(paths)):
        if not isinstance(item, Document):
            if isinstance(item, Trouble):
                print(f"{place(item)}: {item.cause}", file=sys.stderr)
            counts["paths passed over"] += isinstance(item, Skipped)
            continue
        counts["messages and files"] += 1
        message = read_mail(unframed(item.data, item.framing), item.kind)
        counts["of them not read whole"] += bool(message.troubles)
        for part in message.parts:
            if part.whole:
                continue
            counts["texts"] += 1
            counts["characters"] += len(part.text)
            if len(part.text) > longest:
                counts["texts left out for their length"] += 1
            elif bare or ":" in part.text:
                yield Text(part, f"{place(item)} {part.field or part.part or ''}".rstrip())


class Ours:
    """Finds URLs by urlglean, as a scan does."""

    def __init__(self) -> None:
        self._find = Extractor("current", "likely")
        self._find_all = Extractor("current", "likely", invalid=True)

    def find(self, part: TextPart) -> list[Found]:
        """The URLs in a text."""
        return [_found(finding) for finding in self._find(part.text, part.flowed)]

    def rejects(self, part: TextPart) -> list[tuple[int, int, str]]:
        """The stretches that urlglean rejects, each with the code of its first problem."""
        return [
            (one.span.start, one.span.end, one.problems[0].code if one.problems else "")
            for one in self._find_all(part.text, part.flowed)
            if one.rejected
        ]


def _found(finding: Finding) -> Found:
    return Found(finding.span.start, finding.span.end, finding.url, bool(finding.joins), finding.wrapper)
