"""Turns labelled windows of mail into the breaks on the way of each window's URL, and the number it goes over.

A file of windows has one JSON object on each line, with the keys `text`, `at` (where the URL begins), `accept` (the
right readings, the likeliest first), `joined` (whether it goes on in the next line), `source`, and `program` if a
program broke it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from urlglean.text.candidates import Evidence, Found
from urlglean.text.joining.break_record import Break
from urlglean.text.joining.breaks import Surroundings
from urlglean.text.joining.decided import decided
from urlglean.text.joining.decision import steps
from urlglean.text.joining.line_geometry import LineGeometry
from urlglean.text.policy import Policy
from urlglean.text.quote_prefix import PREFIX
from urlglean.text.scanner import scan_text
from urlglean.text.tail_rules import TAILS

Window = dict[str, Any]

# Signs that a reading may lack at a break, or that a program inserted there.
_AT_BREAKS = re.compile(r"[-=*]")
# A line break, and what a reply puts before lines.
_BREAK = re.compile(rf"[ \t]*\r?\n{PREFIX}")


class Way(NamedTuple):
    """The breaks of a window's URL that are decided by evidence, and how many of them the URL goes over."""

    window: Window
    breaks: list[Break]
    joined: int


def windows(paths: Iterable[str]) -> Iterator[Window]:
    """The windows of the files. A folder of marked texts gives its bare URLs that reach the end of a line."""
    for path in map(Path, paths):
        if path.is_dir():
            yield from _marked(path)
        else:
            yield from (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def _marked(folder: Path) -> Iterator[Window]:
    for path in sorted(folder.glob("*.txt")):
        text = path.read_bytes().decode()
        head, *marks = map(json.loads, path.with_suffix(".jsonl").read_bytes().splitlines())
        if head.get("flowed") or head.get("schemes") or head.get("bare_hosts"):
            continue
        whole, places = _without_breaks(text)
        at = 0
        for url in (mark["url"] for mark in marks):
            if (begin := whole.find(url, at)) >= 0:
                at = begin + len(url)
                yield {
                    "id": path.stem,
                    "source": "corpus",
                    "stratum": "m",
                    "text": text,
                    "at": places[begin],
                    "accept": [url],
                    "joined": "\n" in text[places[begin] : places[at - 1]],
                }


def _without_breaks(text: str) -> tuple[str, list[int]]:
    """A text without line breaks and what a reply puts before lines, and the place of each character that is left."""
    places: list[int] = []
    at = 0
    for found in _BREAK.finditer(text):
        places += range(at, found.start())
        at = found.end()
    places += range(at, len(text))
    return "".join(map(text.__getitem__, places)), places


def ways(paths: Iterable[str]) -> list[Way]:
    """The ways of the windows whose URL reaches a line end that evidence decides.

    URLs not read as bare are left out.
    """
    return [way for window in windows(paths) if (way := way_of(window)) is not None]


def way_of(window: Window) -> Way | None:
    """The way of a window's URL; None if no break has to be weighed, or if no path gives the right reading."""
    text = window["text"]
    found = list(scan_text(text, fast=False))
    at = next((one for one in found if isinstance(one, Found) and one.span.start <= window["at"] < one.span.end), None)
    if at is None or at.wrapper not in {"bare", "url-prefix"} or not TAILS.issuperset(at.cut_by):
        return None
    around = Surroundings(text, LineGeometry(text), Evidence(text, found), Policy("current").joins)
    way = steps(around, at.span.start, at.run_end, whole=True)
    if not way or any(decided(step.at) for step in way):
        return None
    breaks = [step.at for step in way]
    joined = max((_joined(breaks, url) for url in window["accept"]), default=0) if window["joined"] else 0
    return Way(window, breaks, joined) if bool(joined) == window["joined"] else None


def _joined(breaks: list[Break], url: str) -> int:
    """The number of the breaks over which a reading goes on."""
    wanted, count = _AT_BREAKS.sub("", url), 0
    for at in breaks:
        so_far, token = (_AT_BREAKS.sub("", part) for part in (at.url, at.token))
        rest = wanted.removeprefix(so_far)
        if rest == wanted or not rest or rest[:1] != token[:1]:
            break
        count += 1
    return count
