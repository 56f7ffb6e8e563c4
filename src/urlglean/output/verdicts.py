"""A verdict for people: what a URL consists of, or what is wrong with it and where.

http://host:8o/x: not valid by rfc1738
  http://host:8o/x
               ^ RFC 1738 5 port: only digits may stand in a port
http://user:pw@host/: valid by current
  scheme    http
  ...
  caution   password-in-url
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from rich.cells import cell_len

from urlglean.output.text import printable
from urlglean.records import Problem, Verdict

_BEFORE, _UNDER, _AFTER = 40, 60, 20
"""How many characters of a URL are shown before, inside and after a span: a ruler that wraps points at nothing."""


def lines(url: str, verdict: Verdict, dialect: str) -> Iterator[str]:
    """Lines on `url`, without line ends: its verdict, then its problems, parts and cautions."""
    yield f"{printable(url)}: {'valid' if verdict.valid else 'not valid'} by {dialect}"
    for problem in verdict.problems:
        yield from _ruled(url, problem)
    if verdict.parts is not None:
        for name, part in msgspec.structs.asdict(verdict.parts).items():
            if part is not None:
                yield f"  {name:<14}  {printable(part)}".rstrip()
    for caution in verdict.cautions:
        yield f"  {'caution':<14}  {caution}"


def _ruled(url: str, problem: Problem) -> Iterator[str]:
    """The stretch of the URL around a problem, and under it carets; an empty span has one, where something lacks.

    Columns are counted as a terminal shows them: two for a wide character, none for a mark that combines.
    """
    start = min(max(problem.span_in_url.start, 0), len(url))
    end = min(max(problem.span_in_url.end, start), start + _UNDER, len(url))
    first, last = max(start - _BEFORE, 0), min(end + _AFTER, len(url))
    before = ("…" if first else "") + printable(url[first:start])
    shown = printable(url[start:end])
    after = printable(url[end:last]) + ("…" if last < len(url) else "")
    yield f"  {before}{shown}{after}"
    yield f"  {' ' * cell_len(before)}{'^' * max(cell_len(shown), 1)} {printable(f'{problem.rule}: {problem.message}')}"
