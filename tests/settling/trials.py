"""Counts what a collection says of doubtful readings, and measures how well `urlglean settle` does.

    python tests/settling/measure.py DATABASE [--fit] PATH... LABELLED.jsonl...

The paths are mailboxes and folders of mail; LABELLED.jsonl has windows as in `tests/joining/`, those with `accept` are
labelled. All of them are the collection; a window is a document of its own. DATABASE is made anew.

Each bare URL of the mail that surely stands whole is broken by the programs of `tests/joining/rebreak.py`, in its own
text, and read; what comes out doubtful is added to its document, so that its own document, author and thread are no
evidence. The labelled windows are broken in truth. `settle` runs once over all.

First come the counts of which the weights are made (`text/settling.json`; `--fit` writes it): of the readings that were
right, and of those that were wrong, how many stand whole elsewhere. The wrong one is the other way to read the same
break: up to the line end, or with the first word behind it. Each pair counts once.
`beginning` is counted on labelled windows alone: mail that programs broke anew has no other copies that were cut at the
same place. Then come the outcomes, first of these pairs, as if the reader had no opinion, then of what it doubts;
`elsewhere` are those whose truth stands whole in an independent document. `--joins` says how the reader reads: with
`never` it takes no join, and all that is broken must come from the collection.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection, connect
from typing import Any, NamedTuple, cast

TESTS = Path(__file__).parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "joining")]

import msgspec  # noqa: E402
import rebreak  # noqa: E402

from databases import Found, Mail, database  # noqa: E402
from urlglean import extract  # noqa: E402
from urlglean.archive.evidence import doubtful  # noqa: E402
from urlglean.archive.settle import Summary, settlements  # noqa: E402
from urlglean.bounds import DEFAULT  # noqa: E402
from urlglean.columns import shown  # noqa: E402
from urlglean.mail import envelope_of, read  # noqa: E402
from urlglean.pipeline.inputs import opened  # noqa: E402
from urlglean.records import Document, Joins  # noqa: E402
from urlglean.sources import unbundled, unframed  # noqa: E402
from urlglean.text.finding import Finding  # noqa: E402
from urlglean.text.settling import FILE, Count, Counts, kind_of, settled  # noqa: E402
from urlglean.text.url_end import end_of  # noqa: E402

PROGRAMS = tuple(name for name in rebreak.PROGRAMS if "ICU" not in name and name not in {"fmt", "emacs", "vim"})
"""ICU is seldom installed, and the others cut no URL."""

WIDTHS = 3
"""At how many widths each program breaks each URL."""

_SENDER = re.compile(r"(?m)^(?:- \*\*From:\*\*|From:) (.+)$")
_SUBJECT = re.compile(r"(?m)^(?:#{2,}[ ↳]*|Subject: )(.+)$")
_NEXT_WORD = re.compile(r"[^\n]*\n[>\s|]*([^\s<>\"]+)")


class Source(NamedTuple):
    """A document of the collection: its texts, and what its header says."""

    texts: list[str]
    sender: str | None
    subject: str | None
    date: str | None
    window: dict[str, Any] | None = None


class Trial(NamedTuple):
    """A URL at a line end, broken or not.

    Attributes:
        document: the number of its document.
        kind: how it was broken.
        joined: whether it goes on.
        accept: the right readings.
        other: the wrong reading of the same break.
        finding: what the reader made of it.
    """

    document: int
    kind: str
    joined: bool
    accept: list[str]
    other: str
    finding: Finding | None


def sources(paths: Iterable[str]) -> Iterator[Source]:
    """The documents at the paths, each Message-ID once."""
    seen = set[str]()
    for path in paths:
        if path.endswith(".jsonl"):
            yield from map(_window, map(json.loads, Path(path).read_text(encoding="utf-8").splitlines()))
            continue
        for item in unbundled(opened([path])):
            if not isinstance(item, Document):
                continue
            message = read(unframed(item.data, item.framing), item.kind)
            envelope = envelope_of(message.header, DEFAULT)
            if envelope.message_id not in seen:
                seen.update(filter(None, [envelope.message_id]))
                texts = [part.text.replace("\r\n", "\n") for part in message.parts if not part.whole]
                yield Source(texts, envelope.sender, envelope.subject, envelope.date)


def _window(window: dict[str, Any]) -> Source:
    """A window as a document. Its thread is its heading, or the longest line near its URL, which quotations share."""
    text, at = window["text"], window["at"]
    senders, subjects = _SENDER.findall(text[:at]), _SUBJECT.findall(text[:at])
    first, lines = text[:at].count("\n"), text.split("\n")
    near = [line.lstrip("> |\t") for line in lines[max(0, first - 3) : first + 6] if "://" not in line]
    subject = subjects[-1] if subjects else max(near, key=len, default="") or None
    return Source([text], senders[-1] if senders else None, subject, None, window)


def found(held: Source) -> Iterator[Found]:
    """The findings of a document."""
    for text in held.texts:
        yield from map(_as_found, extract(text))


def _as_found(finding: Finding) -> Found:
    return Found(
        finding.url,
        dict(zip(finding.rivals, map(shown, finding.rival_confidences), strict=True)),
        shown(finding.confidence),
        finding.certainty,
        finding.wrapper,
        tuple((join.at.start, join.at.end, str(join.rule)) for join in finding.joins),
        finding.valid,
    )


def trials(collection: list[Source], joins: Joins) -> Iterator[Trial]:
    """The trials: mail broken anew, and labelled windows."""
    for number, held in enumerate(collection):
        if held.window and "accept" in held.window:
            yield _trial(held.window, number, "labelled", joins)
    rng = random.Random(1)
    mail = [(text, str(number)) for number, held in enumerate(collection) for text in held.texts]
    samples = rebreak.samples(mail, rng)
    for name in PROGRAMS:
        if shutil.which(rebreak.PROGRAMS[name][0]) is None:
            print(f"{name}: not installed")
            continue
        by_width: dict[int, list[rebreak.Sample]] = {}
        for sample in samples:
            for width in {rng.choice(rebreak.WIDTHS) for _ in range(WIDTHS)}:
                by_width.setdefault(width, []).append(sample)
        for width, some in sorted(by_width.items()):
            for window in rebreak.rebroken(name, width, some):
                yield _trial(window, int(cast(str, window["source"])), "rebroken", joins)


def _trial(window: dict[str, Any], document: int, kind: str, joins: Joins) -> Trial:
    text, at, accept = window["text"], window["at"], window["accept"]
    line = text[at : text.find("\n", at)] if "\n" in text[at:] else text[at:]
    first = line.split()[0] if line.split() else line
    word = _NEXT_WORD.match(text, at + len(first))
    other = _trimmed(first) if window["joined"] else _trimmed(accept[0] + word[1]) if word else ""
    finding = next((each for each in extract(text, joins=joins) if each.span.start <= at < each.span.end), None)
    return Trial(document, kind, window["joined"], accept, other, finding)


def _trimmed(url: str) -> str:
    return url[: end_of(url, 0).at] if url else ""


def add(connection: Connection, document: int, held: Found) -> int:
    """Add a doubtful finding to a document; return its id."""
    connection.execute("INSERT OR IGNORE INTO urls (url) VALUES (?)", (held.url,))
    finding = connection.execute(
        'INSERT INTO findings (url, document, copy, "start", "end", line, wrapper, certainty, confidence, valid,'
        " cautions) VALUES ((SELECT id FROM urls WHERE url = ?), ?, ?, 0, 0, 1, ?, 'inferred', ?, 1, '[]')",
        (held.url, document, document, held.wrapper, held.confidence),
    ).lastrowid
    rows = [(finding, position, *row) for position, row in enumerate(held.rivals.items())]
    connection.executemany("INSERT INTO readings VALUES (?, ?, ?, ?)", rows)
    return cast(int, finding)


def counted(path: Path, held: list[Trial]) -> dict[str, Counts]:
    """The counts of which the weights are made. The database has none of the trials in it afterwards.

    It prints what would be settled if the reader found both readings of each pair equally likely.
    """
    pairs: dict[tuple[str, str], Trial] = {}
    for trial in held:
        right = trial.accept[0]
        if trial.other and trial.other not in trial.accept:
            pairs.setdefault((right, trial.other), trial)
    seen: Counter[tuple[str, str, bool]] = Counter()
    blind: Counter[str] = Counter()
    with closing(connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        kinds = {}
        for (right, other), trial in pairs.items():
            kinds[add(connection, trial.document + 1, Found(right, {other: 0.5}, 0.5))] = trial.kind
        for each in doubtful(connection):
            if each.finding not in kinds:
                continue
            if outcome := settled(each.readings):
                blind["wrong" if outcome.chosen else "right"] += 1
            for reading, which in zip(each.readings, ("right", "wrong"), strict=True):
                kind = kind_of(reading.url, each.readings)
                if kind is None:
                    kind, whole = cast(Any, "front page"), reading.whole
                else:
                    whole = reading.whole if kind == "longer" else reading.surely_whole
                if kind == "longer" or kinds[each.finding] == "labelled":
                    seen[cast(str, kind), which, whole > 0] += 1
        connection.execute("ROLLBACK")
    print(f"both equally likely: {len(kinds):,} pairs, settled right {blind['right']:,}, wrong {blind['wrong']:,}")
    return {kind: Counts(*_counts(seen, kind)) for kind in ("longer", "beginning", "front page")}


def _counts(seen: Counter[tuple[str, str, bool]], kind: str) -> Iterator[Count]:
    for which in ("right", "wrong"):
        elsewhere = seen[kind, which, True]
        yield Count(elsewhere, elsewhere + seen[kind, which, False])


def outcomes(path: Path, held: list[Trial]) -> None:
    """Settle all trials that came out doubtful, and print what became of them."""
    doubtful_ones = [trial for trial in held if trial.finding and trial.finding.rivals]
    with closing(connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        by_id = {
            add(connection, trial.document + 1, _as_found(cast(Finding, trial.finding))): trial
            for trial in doubtful_ones
        }
        known = {
            each.finding
            for each in doubtful(connection)
            if each.finding in by_id
            and any(reading.whole and reading.url in by_id[each.finding].accept for reading in each.readings)
        }
        done = {each.at.finding: each for each in settlements(connection, Summary())}
        connection.execute("ROLLBACK")
    counts: Counter[tuple[str, bool, str]] = Counter()
    bins: dict[int, list[tuple[float, bool]]] = {}
    for finding, trial in by_id.items():
        own = cast(Finding, trial.finding).url
        was = own in trial.accept
        row = (trial.kind, trial.joined)
        counts[*row, "doubtful"] += 1
        counts[*row, "own right"] += was
        counts[*row, "elsewhere"] += finding in known
        if (each := done.get(finding)) is None:
            continue
        url, sure = each.at.readings[each.outcome.chosen].url, each.outcome.confidences[each.outcome.chosen]
        now = url in trial.accept
        what = "confirmed" if not each.outcome.chosen else "changed"
        counts[*row, f"{what} {'right' if now else 'wrong'}"] += 1
        bins.setdefault(min(int(sure * 100), 99) // 5 if sure < 0.95 else int(sure * 100), []).append((sure, now))
        if not now:
            print("  wrong:", own, "->", url, "truth", trial.accept[0], each.outcome)
    whats = (
        "doubtful",
        "own right",
        "elsewhere",
        "confirmed right",
        "confirmed wrong",
        "changed right",
        "changed wrong",
    )
    print(f"{'':24}" + "".join(f"{what:>17}" for what in whats))
    for row in sorted({key[:2] for key in counts}):
        name = f"{row[0]}, {'cut' if row[1] else 'whole'}"
        print(f"{name:24}" + "".join(f"{counts[*row, what]:17,}" for what in whats))
    print("confidence of what was settled: predicted, right, number")
    for _, some in sorted(bins.items()):
        sures, rights = zip(*some, strict=True)
        print(f"  {sum(sures) / len(some):.4f} {sum(rights) / len(some):.4f} {len(some):,}")


def _told(count: Count) -> str:
    return f"{count.elsewhere:,} of {count.of:,}"


def main() -> None:
    """Count and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", type=Path, metavar="DATABASE")
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--fit", action="store_true", help="write the counts to the package")
    parser.add_argument("--joins", default="likely", choices=("never", "evident", "likely"))
    given = parser.parse_args()
    collection = list(sources(given.paths))
    given.database.unlink(missing_ok=True)
    database(
        given.database,
        (
            Mail(held.sender, tuple(found(held)), held.subject, held.date, f"document {number}")
            for number, held in enumerate(collection)
        ),
    )
    held = list(trials(collection, given.joins))
    print(f"{len(collection):,} documents, {len(held):,} trials")
    counts = counted(given.database, held)
    for kind, count in counts.items():
        print(f"{kind:12} elsewhere: right {_told(count.right)}, wrong {_told(count.wrong)}")
    if given.fit:
        weighed = {kind: counts[kind] for kind in ("longer", "beginning")}
        FILE.write_bytes(msgspec.json.format(msgspec.json.encode(weighed), indent=1) + b"\n")
    outcomes(given.database, held)


if __name__ == "__main__":
    main()
