"""Measures a scan of real mail: mailboxes made from folders of mail, beside the script that one would write otherwise.

    python tests/benchmarks/real.py FOLDER... [--size MB] [--rounds N] [--base SRC]

Each folder becomes one mailbox of `--size` megabytes: its messages over and over, each copy with another Message-ID.
The ways run in turns as whole processes. Their processor time is taken, children included, and the table has the least
of all rounds. `--base` names the `src` of another checkout, to be measured in the same rounds: its rows must be the
same octets. The second table has the cost of each stage.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from urlglean.mail import envelope_of, read
from urlglean.mail.headers import split
from urlglean.mail.octet_range import OctetRange
from urlglean.mail.url_fields import fields_with_signs, url_fields
from urlglean.occurrence import Occurrence
from urlglean.output import FORMATS
from urlglean.pipeline.glean import glean
from urlglean.pipeline.inputs import opened
from urlglean.pipeline.options import Options
from urlglean.records import Document
from urlglean.sources import unbundled, unframed
from urlglean.text.extract import Extractor

SRC = Path(__file__).parents[2] / "src"
OBVIOUS = """
import email, mailbox, re, sys
url = re.compile(r"(?:https?|ftp|gopher|mailto|news|nntp|telnet|wais|file)://?[^\\s<>\\"]+")
count = 0
for message in mailbox.mbox(sys.argv[1], create=False):
    for part in message.walk():
        if part.get_content_maintype() == "text":
            octets = part.get_payload(decode=True) or b""
            try:
                text = octets.decode(part.get_content_charset("latin-1"), "replace")
            except LookupError:
                text = octets.decode("latin-1")
            count += sum(1 for _ in url.finditer(text))
    count += sum(1 for value in message.values() for _ in url.finditer(str(value)))
print(count)
"""
"""What one writes without a tool: the standard library and a regular expression."""

_ID = re.compile(rb"^(message-id:[^\n]*?<)", re.IGNORECASE | re.MULTILINE)


def messages_of(folder: str) -> list[bytes]:
    """The messages below a folder, without the frames of their files."""
    items = unbundled(opened([folder]))
    return [
        unframed(item.data, item.framing) for item in items if isinstance(item, Document) and item.kind == "message"
    ]


def mailbox_of(messages: list[bytes], size: int, path: Path) -> int:
    """Write the messages over and over as one mbox of at least `size` octets. Returns how often all are in it."""
    copies = 0
    with path.open("wb") as file:
        while file.tell() < size:
            copies += 1
            for message in messages:
                quoted = re.sub(rb"^(>*From )", rb">\1", message, flags=re.MULTILINE)
                file.write(b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n")
                file.write(_ID.sub(rb"\g<1>%d." % copies, quoted, count=1).rstrip(b"\n") + b"\n\n")
    return copies


def processor_time(command: list[str], path: str) -> tuple[float, bytes]:
    """The processor seconds that a command takes with its children, and what it writes to stdout."""
    # Otherwise all modules may be compiled again at each start, which takes as long as ten megabytes.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = os.times()
    done = subprocess.run(
        command, env={**kept, "PYTHONPATH": path}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    after = os.times()
    spent = after.children_user - before.children_user + after.children_system - before.children_system
    # 1 says that a scan has found no URL, or that the script broke off.
    if done.returncode > 1 or not done.stdout:
        raise SystemExit(f"{command} ended with status {done.returncode}")
    return spent, done.stdout


def whole_processes(path: Path, rounds: int, base: str | None) -> dict[str, float]:
    """The least processor time of each way, in seconds."""
    scan = [sys.executable, "-m", "urlglean", "scan", "--jobs", "1", "--format", "jsonl", str(path)]
    ways = {"scan": (scan, str(SRC)), "mailbox, email, re": ([sys.executable, "-c", OBVIOUS, str(path)], "")}
    if base:
        ways["scan, base"] = (scan, base)
    times: dict[str, list[float]] = {name: [] for name in ways}
    answers: dict[str, bytes] = {}
    for _ in range(rounds):
        for name, (command, source) in ways.items():
            spent, answers[name] = processor_time(command, source)
            times[name].append(spent)
    if base and answers["scan"] != answers["scan, base"]:
        raise SystemExit("the rows are not those of the base")
    return {name: min(spent) for name, spent in times.items()}


def stages(messages: list[bytes], rounds: int) -> Iterator[tuple[str, float]]:
    """The seconds of each stage for all messages once: the least of the rounds."""
    headers = [split(octets) for octets in messages]
    opened_mail = [read(octets) for octets in messages]
    parts = [part for message in opened_mail for part in message.parts]
    extractor = Extractor("current", "likely")
    documents = [Document("box", octets, "message") for octets in messages]
    occurrences: list[Occurrence] = [one for report in glean(documents, Options()) for one in report.occurrences]
    work: dict[str, Callable[[], Any]] = {
        "split": lambda: [split(octets) for octets in messages],
        "header fields with URLs": lambda: [
            list(url_fields(fields_with_signs(each.block), OctetRange(each.block, 0, each.within), None))
            for each in headers
            if each.may_hold_url
        ],
        "message -> texts, with the two above": lambda: [read(octets) for octets in messages],
        "text -> findings": lambda: [
            extractor.whole(part.text) if part.whole else extractor(part.text, part.flowed) for part in parts
        ],
        "envelope": lambda: [envelope_of(message.header) for message in opened_mail],
        "findings -> rows": lambda: FORMATS["jsonl"].lines(occurrences),
    }
    for name, run in work.items():
        least = float("inf")
        for _ in range(rounds):
            start = time.process_time()
            run()
            least = min(least, time.process_time() - start)
        yield name, least


def main() -> None:
    """Print the two tables of each folder."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folders", nargs="+")
    arguments.add_argument("--size", type=int, default=100)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--base")
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory() as held:
        for folder in asked.folders:
            messages = messages_of(folder)
            path = Path(held) / "box"
            copies = mailbox_of(messages, asked.size * 1_000_000, path)
            size, number = path.stat().st_size, len(messages)
            print(f"{folder}: {number:,} messages of {sum(map(len, messages)) / number:,.0f} octets, {copies} times")
            for name, spent in whole_processes(path, asked.rounds, asked.base).items():
                print(f"  {name:36} {size / spent / 1e6:8.1f} MB/s {spent / copies / number * 1e6:8.1f} us a message")
            for name, spent in stages(messages, asked.rounds):
                print(
                    f"  {name:36} {spent / sum(map(len, messages)) * 1e9:8.2f} ns/octet {spent / number * 1e6:7.1f} us"
                )


if __name__ == "__main__":
    main()
