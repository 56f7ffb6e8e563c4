"""Counts how often URLs of each kind are read exactly, and writes `urlglean/text/confidence.json`.

    python tests/joining/kinds.py LABELLED.jsonl...

A window has either `urls` (all URLs of the text) or `at` and `accept` (one URL). In windows of hosts without a scheme
`bare_hosts` is true, and `accept` is empty if a reader would see no URL. A URL at the end of a line counts for its kind
only if it goes on over as many breaks as a reader says, because the probability of that is weighed for each URL by
itself. Kinds that occur in no window keep their counts.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from windows import Window, windows

from urlglean.records import JoinRule, Reading
from urlglean.text.candidates import Evidence, Found
from urlglean.text.choosing import Choice
from urlglean.text.confidence import FILE, KINDS, Count, Kind, counts
from urlglean.text.interpret import Interpreter
from urlglean.text.policy import Policy
from urlglean.text.scanner import scan_text
from urlglean.text.search_terms import USUAL, SearchTerms, search_terms

_INSIDE_A_JOIN = {JoinRule.QUOTE_PREFIX, JoinRule.HYPHEN_DROPPED, JoinRule.HYPHEN_KEPT}


def choices(text: str, wanted: SearchTerms = USUAL) -> Iterator[tuple[Found, Choice, bool]]:
    """The choice for each candidate of a text, and whether a hyphen was in doubt."""
    found = [each for each in scan_text(text, fast=False, search_terms=wanted) if isinstance(each, Found)]
    reader = Interpreter(text, Evidence(text, found), Policy("current"), "likely", "")
    for each in found:
        bare = each.wrapper in {"bare", "url-prefix"}
        read = reader.bare(each, reader.ways(each)) if bare else reader.wrapped(each)
        first = read.choices[0] if read.choices else Choice(read.otherwise, "rejected", 0)
        joins = {join.rule for choice in read.choices for join in choice.reading.joins}
        yield each, first, JoinRule.HYPHEN_DROPPED in joins


def told(window: Window) -> Iterator[tuple[tuple[Kind, ...], bool]]:
    """The kinds of the choices in a window, and whether each choice is right, as far as the labels say."""
    if "urls" in window:
        wanted = [*window["urls"], *(url for other in window.get("or", ()) for url in other)]
        for found, choice, hyphen in choices(window["text"]):
            yield _kinds(found, choice, hyphen=hyphen), _is_one_of(wanted, window["text"], choice.reading)
        return
    for found, choice, hyphen in choices(window["text"], search_terms(bare_hosts=window.get("bare_hosts", False))):
        if found.span.start <= window["at"] < max(found.span.end, found.span.start + 1):
            if choice.kind in {"bare-at-line-end", "bare-joined"} and not _on_the_path(choice, window):
                return
            yield _kinds(found, choice, hyphen=hyphen), _is_one_of(window["accept"], window["text"], choice.reading)
            return


def _is_one_of(accepted: Sequence[str], text: str, reading: Reading) -> bool:
    """Whether a reading is one of the accepted ones, or would be if no sign in it were mended."""
    spans = sorted([*reading.pieces, *(mend.at for mend in reading.mends)], key=lambda span: span.start)
    as_it_stands = "".join(text[span.start : span.end] for span in spans)
    return reading.text in accepted or (bool(reading.mends) and as_it_stands in accepted)


def _kinds(found: Found, choice: Choice, *, hyphen: bool) -> tuple[Kind, ...]:
    """The kinds for which a choice counts. A host whose scheme was assumed counts only as `bare-host`."""
    if found.assumed:
        return ("bare-host",) if choice.kind != "rejected" else ()
    return (choice.kind, "hyphen-kept") if hyphen else (choice.kind,)


def _on_the_path(choice: Choice, window: Window) -> bool:
    """Whether the choice goes on over as many breaks as the likeliest right reading, judged by its length."""
    if not window.get("joined"):
        return choice.kind == "bare-at-line-end"
    return choice.kind == "bare-joined" and any(
        abs(len(choice.reading.text) - len(url)) <= 1 for url in window["accept"]
    )


def main() -> None:
    """Writes the counts and prints them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labelled", nargs="+", metavar="LABELLED.jsonl")
    parser.add_argument("--output", type=Path, default=FILE, help="the file to write; default: the package's own")
    given = parser.parse_args()
    right: Counter[Kind] = Counter()
    every: Counter[Kind] = Counter()
    for window in windows(given.labelled):
        for kinds, is_right in told(window):
            for kind in kinds:
                every[kind] += 1
                right[kind] += is_right
    if not every:
        sys.exit("no URL was found in any window")
    held = counts() if FILE.exists() else {}
    for kind in KINDS:
        if every[kind]:
            held[kind] = Count(right[kind], every[kind])
        print(f"{kind:18} {right[kind]:5} of {every[kind]:5}")
    given.output.write_text(json.dumps(msgspec.to_builtins(held), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
