"""Removes the wrappers of URLs.

For the bare URLs that remain, it is known where they end and whether they are broken.

    python tests/joining/unwrapped.py OUT.jsonl PATH...
    python tests/joining/measure.py OUT.jsonl --as-is

The paths are folders of texts, mailboxes, or files of windows (`*.jsonl`). The wrapper of a URL says where the URL ends
(RFC 1738, appendix). Each wrapped URL that was broken over lines, or that ends its line, gives a window: the text
around it, with the wrappers of all URLs replaced by blanks, so that lines keep their columns. The same URL is taken at
most once broken and once whole. The windows have the fields of labelled ones. OUT.jsonl contains other people's texts:
do not publish it.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rebreak import AROUND, texts

from urlglean import Finding, extract

INVENTED = {
    "ftp://ds.internic.net/rfc",
    "ftp://ds.internic.net/rfc/",
    "ftp://info.cern.ch/pub/www/doc;type=d",
    "http://ds.internic.net/instructions/overview.html#WARNING",
    "http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING",
}
"""URLs that a standard breaks to show how URLs are wrapped."""

LONGEST_OPENING = 60
"""The wrapper is looked for within this many code points before the URL."""

_OPENS = re.compile(r"<(?:URL:)?\s*\Z", re.IGNORECASE)
_CLOSES = re.compile(r"\s*>")
_ENDS_LINE = re.compile(r"[.,;:)]*[ \t]*\n")


class _Wrapped(NamedTuple):
    """A wrapped URL: where its wrapper opens, the finding, where the wrapper closes."""

    opens: int
    found: Finding
    closes: int


def unwrapped(text: str, source: str) -> Iterator[dict[str, Any]]:
    """The windows of a text."""
    held = list(_wrapped(text))
    bare, starts, done = "", [], 0
    for each in held:
        begin, end = each.found.span.start, each.found.span.end
        at_margin = each.opens == 0 or text[each.opens - 1] == "\n"
        bare += text[done : each.opens] + ("" if at_margin else re.sub(r"\S", " ", text[each.opens : begin]))
        starts.append(len(bare))
        bare += text[begin:end]
        done = each.closes
    bare += text[done:]
    for each, start in zip(held, starts, strict=True):
        broken = _is_broken(text, each.found)
        if broken is None or not (broken or _ENDS_LINE.match(text, each.closes)):
            continue
        first = bare.rfind("\n", 0, max(0, start - AROUND)) + 1
        last = bare.find("\n", start + len(each.found.url) + AROUND)
        yield {
            "source": source,
            "stratum": "w",
            "text": bare[first : last if last > 0 else len(bare)],
            "at": start - first,
            "accept": [each.found.url],
            "joined": broken,
            "sure": True,
        }


def _wrapped(text: str) -> Iterator[_Wrapped]:
    """The wrapped URLs of a text, except those that only show how to wrap URLs."""
    done = 0
    for found in extract(text):
        opens = _OPENS.search(text, max(done, found.span.start - LONGEST_OPENING), found.span.start)
        closes = _CLOSES.match(text, found.span.end)
        if opens and closes and found.url not in INVENTED:
            done = closes.end()
            yield _Wrapped(opens.start(), found, done)


def _is_broken(text: str, found: Finding) -> bool | None:
    """Whether it contains line ends. None if it has blanks within a line too, because then it may contain a remark."""
    gaps = [text[before.end : behind.start] for before, behind in zip(found.pieces, found.pieces[1:], strict=False)]
    return None if any("\n" not in gap for gap in gaps) else bool(gaps)


def main() -> None:
    """Writes the windows and prints their counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT.jsonl")
    parser.add_argument("paths", nargs="+", metavar="PATH")
    given = parser.parse_args()
    held: dict[tuple[str, bool], dict[str, Any]] = {}
    for text, source in texts(given.paths):
        for window in unwrapped(text, source):
            held.setdefault((window["accept"][0], window["joined"]), window)
    if not held:
        sys.exit("no wrapped URL there is broken or ends its line")
    with given.out.open("w", encoding="utf-8") as file:
        for number, window in enumerate(held.values()):
            file.write(json.dumps({"id": f"{window['source']} {number}", **window}) + "\n")
    for (source, broken), count in sorted(Counter((each["source"], each["joined"]) for each in held.values()).items()):
        print(f"{source:30} {'broken' if broken else 'whole ':6} {count:5}")


if __name__ == "__main__":
    main()
