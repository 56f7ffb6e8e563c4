"""Measures urlglean beside other programs that run in alternation with it, and checks every answer.

    python tests/benchmarks/run.py [--size MB] [--rounds N] [--write] [--check]

Absolute times of a shared machine mean little. So each row is a ratio, the median over the rounds, and both sides are
measured in the same round. `--write` appends the table to `results.md` beside this file, with the date and a
description of the machine. With `--check` the exit status is 1 if a bound is exceeded, and each such bound is named.
The bounds have a margin of a fifth to a third over the ratios that were measured, so that a regression exceeds them.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import mailbox
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import inputs
import regex

from urlglean import extract

NAIVE = regex.compile(r"(?i)\b(?:https?|ftp|gopher|mailto|news|nntp|telnet|wais|file|prospero):\S+")
"""The pattern that one would write first: the schemes, a colon, and all characters but white space."""

HERE = Path(__file__).parent
Side = Callable[[], object]


def seconds(side: Side) -> float:
    """The elapsed time of one run, in seconds."""
    start = time.perf_counter()
    side()
    return time.perf_counter() - start


def memory(side: Side) -> float:
    """The peak memory of the largest process that one run starts; measured in a fork, which has no other children."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        side()
        os.write(writer, str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writer)
    with os.fdopen(reader, "rb") as held:
        return float(held.read())


class Measure(NamedTuple):
    """A row: `ours` and `theirs` are run in turn. The ratio is ours to theirs, or theirs to ours if `faster`."""

    name: str
    ours: Side
    theirs: Side
    bound: float
    faster: bool = False
    hits: int = 0
    unit: Callable[[Side], float] = seconds


def expect(found: object, wanted: object) -> None:
    """Asserts that an answer is right: a wrong answer must not count as a fast one."""
    if found != wanted:
        raise SystemExit(f"wrong answer: {str(found)[:200]!r} instead of {str(wanted)[:200]!r}")


def text_measures(size: int) -> Iterator[Measure]:
    """`extract` on text in memory."""
    prose = inputs.prose(size)
    expect(extract(prose), [])
    yield Measure("prose without URLs / `text.count`", lambda: extract(prose), lambda: prose.count("://"), 3.0)
    for what, places, gap, bound in (
        ("URL", inputs.BETWEEN_BLANKS, 880, 5.0),
        ("URL as in mail", inputs.AS_IN_MAIL, 880, 62.0),
        ("URL", inputs.BETWEEN_BLANKS, 150, 9.0),
        ("URL as in mail", inputs.AS_IN_MAIL, 150, 77.0),
    ):
        text, urls = inputs.mail_text(size, gap, places)
        expect([finding.url for finding in extract(text)], urls)
        # The naive pattern also takes what is glued to the end of a URL.
        expect([found[: len(url)] for found, url in zip(NAIVE.findall(text), urls, strict=True)], urls)
        name = f"a {what} every {gap} characters / naive alternation"
        yield Measure(name, partial(extract, text), partial(NAIVE.findall, text), bound, hits=len(urls))


def walk(path: Path) -> int:
    """Reads a mailbox with the standard library and decodes every part."""
    count = 0
    with closing(mailbox.mbox(path)) as box:
        for message in box:
            for part in message.walk():
                part.get_payload(decode=True)
            count += 1
    return count


def scan(path: Path, out: Path, jobs: int) -> None:
    """Runs a scan as a process."""
    command = [
        sys.executable,
        "-m",
        "urlglean",
        "scan",
        str(path),
        "--format",
        "jsonl",
        "-o",
        str(out),
        "--jobs",
        str(jobs),
    ]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def mailbox_measures(folder: Path, size: int) -> Iterator[Measure]:
    """`urlglean scan` of mailboxes, as processes: of three times `size`, of `size`, and of ten times that."""
    out = folder / "rows.jsonl"
    for kind, messages, bound in (
        ("plain mbox, two URLs a message", inputs.plain_messages(3 * size), 0.9),
        ("plain mbox, two URLs in every eighth", inputs.plain_messages(3 * size, every=8), 1.5),
        ("MIME-heavy mbox", inputs.mime_messages(3 * size), 0.65),
    ):
        data, urls = inputs.mbox(messages)
        path = folder / "walked.mbox"
        path.write_bytes(data)
        scan(path, out, 1)
        expect([json.loads(row)["url"] for row in out.read_text(encoding="utf-8").splitlines()], urls)
        name = f"scan of a {kind} / `mailbox.mbox` walk"
        yield Measure(name, partial(scan, path, out, 1), partial(walk, path), bound, faster=True)
    small, large = folder / "small.mbox", folder / "large.mbox"
    data, _ = inputs.mbox(inputs.plain_messages(size))
    small.write_bytes(data)
    large.write_bytes(data * 10)
    once, ten_times, shared = partial(scan, small, out, 1), partial(scan, large, out, 1), partial(scan, large, out, 2)
    yield Measure("two jobs / one job, large plain mbox", shared, ten_times, 1.3, faster=True)
    yield Measure("peak memory: a plain mbox ten times as large", ten_times, once, 1.2, unit=memory)


def start_measures() -> Iterator[Measure]:
    """The time to start, as processes."""
    message = b"From: jo@example.org\nSubject: hello\n\nsee http://www.example.org/a/b.html for more\n"

    def glean() -> None:
        command = [sys.executable, "-m", "urlglean", "scan", "-", "--format", "jsonl"]
        run = subprocess.run(command, input=message, capture_output=True, check=True)
        expect(json.loads(run.stdout)["url"], "http://www.example.org/a/b.html")

    def bare_imports() -> None:
        subprocess.run([sys.executable, "-c", "import regex, msgspec, click"], check=True)

    def import_ours() -> None:
        subprocess.run([sys.executable, "-c", "import urlglean"], check=True)

    def import_theirs() -> None:
        subprocess.run([sys.executable, "-c", "import regex, msgspec"], check=True)

    yield Measure("one small message on standard input / `import regex, msgspec, click`", glean, bare_imports, 3.3)
    yield Measure("`import urlglean` / `import regex, msgspec`", import_ours, import_theirs, 2.2)


def peer_measures(size: int) -> Iterator[Measure]:
    """The peers that are installed, on the same text, including their start. Their answers are not checked."""
    sys.path.append(str(HERE.parent))
    from comparison.filters import MissingError  # noqa: PLC0415 - it lies in the folder above
    from comparison.peers import LINKIFY_IT, URI_FIND, URLEXTRACT, Peer  # noqa: PLC0415
    from comparison.records import Found  # noqa: PLC0415

    text, urls = inputs.mail_text(min(size, 300_000), 880)

    def started_and_asked(peer: Peer) -> list[Found]:
        return peer.start(bare=False).find(text)

    for peer in (URI_FIND, LINKIFY_IT, URLEXTRACT):
        with suppress(MissingError):
            expect(len(started_and_asked(peer)), len(urls))
            yield Measure(f"extract / {peer.name}", lambda: extract(text), partial(started_and_asked, peer), 1.0)
    if shutil.which("rg"):
        command = ["rg", "-o", r"(?i)\bhttps?://\S+", "-"]
        run = lambda: subprocess.run(command, input=text.encode(), capture_output=True, check=True)  # noqa: E731
        yield Measure("extract / `rg -o`", lambda: extract(text), run, 100.0)


class Row(NamedTuple):
    """The result of a measure: whether its bound is kept, and its line of the table."""

    name: str
    kept: bool
    line: str


def measured(measure: Measure, rounds: int) -> Row:
    """The median ratio over several rounds, compared with its bound."""
    pairs = [(measure.unit(measure.ours), measure.unit(measure.theirs)) for _ in range(rounds)]
    ratios = [theirs / ours if measure.faster else ours / theirs for ours, theirs in pairs]
    ratio = statistics.median(ratios)
    kept = ratio >= measure.bound if measure.faster else ratio <= measure.bound
    bound = f"{'≥' if measure.faster else '≤'} {measure.bound}"
    each = f"{min(ours for ours, _ in pairs) / measure.hits * 1e6:.2f} µs" if measure.hits else ""
    shown = f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.1g}"
    return Row(measure.name, kept, f"| {measure.name} | {shown} | {bound} | {'yes' if kept else 'NO'} | {each} |")


HEAD = ("| measure | ratio | bound | kept | a finding |", "|---|---|---|---|---|")


def rows(size: int, rounds: int) -> Iterator[Row]:
    """The rows of the table, one at a time."""
    with tempfile.TemporaryDirectory() as folder:
        for group in (
            text_measures(size),
            mailbox_measures(Path(folder), 10 * size),
            start_measures(),
            peer_measures(size),
        ):
            for measure in group:
                yield measured(measure, rounds)


def main() -> None:
    """Prints the table. `--write` appends it to a file; `--check` exits with 1 if a bound is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--size",
        type=float,
        default=3.0,
        metavar="MB",
        help="the text in memory; mailboxes are larger",
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="append the table to results.md")
    parser.add_argument("--check", action="store_true", help="exit status 1 if a bound is not kept")
    options = parser.parse_args()
    lines, missed = list(HEAD), []
    print(*HEAD, sep="\n")
    for row in rows(int(options.size * 1e6), options.rounds):
        print(row.line, flush=True)
        lines.append(row.line)
        missed += [] if row.kept else [row.name]
    if options.write:
        today = dt.datetime.now(tz=dt.UTC).date()
        shape = f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
        with (HERE / "results.md").open("a", encoding="utf-8") as file:
            file.write(
                f"\n## {today}: {shape}, {options.size} MB, {options.rounds} rounds\n\n" + "\n".join(lines) + "\n"
            )
    if options.check and missed:
        raise SystemExit("\n".join(f"bound not kept: {name}" for name in missed))


if __name__ == "__main__":
    main()
