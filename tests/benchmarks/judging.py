"""Measures whether judging is linear, by the slowest of some shapes for each production.

    python tests/benchmarks/judging.py

Each shape is measured at 50,000 and 100,000 characters. Prints the slowest shape of each production and the ratio of
its two times (2.0 is linear), once for yes-or-no answers and once for whole verdicts. A shape is the beginning of a
URL, a short stretch that is repeated until the size is reached, and an end. The last lines are about the hot path: the
time for a plain http URL, and the time of `import urlglean` beside that of its dependencies.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import product

from urlglean.grammar.dialect_tables import GRAMMARS
from urlglean.text.judge import judge_of

TINY, SMALL, LARGE = 2_000, 50_000, 100_000
OPENINGS = ("", "//", "//a@", "//a/", "a:a/?")
STRETCHES = (
    "a",
    "1",
    "-",
    "a-",
    "a.",
    "1.",
    ".",
    "/",
    "@",
    "a@",
    ":",
    "%",
    "%41",
    "%09",
    ";",
    ";a=",
    "=",
    "?",
    "&",
    "é",
)
ENDS = ("", "\x00", "~", "@a")


def shapes(scheme: str) -> Iterator[Callable[[int], str]]:
    """Ways to make a long text that begins like a URL of the scheme: the stretch to repeat, and the text behind it."""
    for opening, stretch, end in product(OPENINGS, STRETCHES, ENDS):
        yield lambda size, head=f"{scheme}:{opening}", stretch=stretch, end=end: (  # type: ignore[misc]
            head + stretch * (size // len(stretch)) + end
        )


def seconds(judge: Callable[[str], object], text: str, runs: int = 5) -> float:
    """The least processor time of several runs, in seconds, because other programs run on the machine too."""

    def once() -> float:
        start = time.process_time()
        judge(text)
        return time.process_time() - start

    return min(once() for _ in range(runs))


def slowest(judge: Callable[[str], object], makers: Iterable[Callable[[int], str]]) -> tuple[float, float, str]:
    """The slowest shape: its time at the larger size, the ratio to its time at the smaller size, and its beginning."""
    makers = list(makers)
    for make in makers:
        judge(make(10))  # compiles the patterns that are compiled at first use
    make = max(makers, key=lambda make: seconds(judge, make(TINY), runs=1))
    large = seconds(judge, make(LARGE))
    return large, large / seconds(judge, make(SMALL)), make(20)


def main() -> None:
    """Prints the table."""
    for name, table in GRAMMARS.items():
        judge = judge_of(name)
        schemes = {row.production: row.name for row in table.schemes} | {table.other.production: "x-other"}
        for production, scheme in schemes.items():
            for what, call in (("valid", judge.valid), ("verdict", judge)):
                large, ratio, shown = slowest(call, shapes(scheme))
                print(f"{name:8} {production:16} {what:8} {large * 1e3:8.1f} ms  ratio {ratio:.2f}  {shown!r}")
    hot_path()


IMPORTS = ("import urlglean", "import regex, msgspec")


def child_seconds(code: str) -> float:
    """The processor time, in seconds, of a new interpreter that runs the code."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def hot_path() -> None:
    """Prints the time for one plain verdict, and for the imports."""
    valid, url = judge_of("current").valid, "http://www.example.org/pub/www/doc/overview.html?a=b"
    runs = [seconds(lambda _: [valid(url) for _ in range(10_000)], url) / 10_000 for _ in range(5)]
    print(f"valid() of a plain http URL: {min(runs) * 1e6:.2f} us")
    ours, theirs = (statistics.median(child_seconds(code) for _ in range(15)) for code in IMPORTS)
    print(f"import urlglean: {ours * 1e3:.0f} ms, {ours / theirs:.2f} times its dependencies")


if __name__ == "__main__":
    main()
