"""Writes verdicts for people: the parts of a valid URL, or what is wrong with a URL and where.

http://host:8o/x: not valid by rfc1738
  http://host:8o/x
              ^ RFC 1738 3.3 port: `o` at 13 cannot stand after `http://host:8`: port takes a digit, `/` or the end
http://user:p%40w@host/: valid by current
  scheme          http
  user            user
  password        p%40w, decoded p@w
  ...
  caution         password: a password stands in the URL for all to read
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from rich.cells import cell_len

from urlglean.grammar.codes import CODES
from urlglean.output.text import printable
from urlglean.records import Problem, Verdict
from urlglean.url_parts import Parts

_BEFORE, _UNDER, _AFTER = 40, 60, 20
"""How many characters of a URL are shown before, inside and after a span. In longer lines, which a terminal wraps, the
carets would not be below the span."""


Paint = Callable[[str, str], str]
"""Returns a text in the colour of its role: "valid", "invalid", "ruler" or "caution"."""


def unpainted(text: str, _what: str) -> str:
    """The text without colour, for output that does not go to a terminal."""
    return text


def lines(url: str, verdict: Verdict, dialect: str, paint: Paint = unpainted) -> Iterator[str]:
    """The lines about `url`, without line ends: whether it is valid, its problems, parts, `href` and cautions."""
    yes_or_no = paint("valid", "valid") if verdict.valid else paint("not valid", "invalid")
    yield f"{printable(url)}: {yes_or_no} by {dialect}"
    for problem in verdict.problems:
        yield from _piece_with_carets(url, problem, paint)
    if verdict.parts is not None:
        yield from _parts(verdict.parts)
    if verdict.href is not None:
        yield f"  {'href':<14}  {printable(verdict.href)}"
    for caution in verdict.cautions:
        yield f"  {paint('caution', 'caution')}         {caution}: {CODES[caution].meaning}"


def _parts(parts: Parts) -> Iterator[str]:
    """A line for each part of the URL. If decoding changes the part, the line has both forms."""
    for name, part in msgspec.structs.asdict(parts).items():
        if part is None:
            continue
        decoded = parts.decoded(name)
        also = f", decoded {printable(decoded)}" if isinstance(decoded, str) and decoded != part else ""
        yield f"  {name:<14}  {printable(part)}{also}".rstrip()


def _piece_with_carets(url: str, problem: Problem, paint: Paint) -> Iterator[str]:
    """The piece of the URL around a problem, and a line with carets below its span.

    An empty span, at which something is missing, has one caret. Columns are counted as a terminal shows them: two for a
    wide character, none for a combining mark.
    """
    start = min(max(problem.span_in_url.start, 0), len(url))
    end = min(max(problem.span_in_url.end, start), start + _UNDER, len(url))
    first, last = max(start - _BEFORE, 0), min(end + _AFTER, len(url))
    before = ("…" if first else "") + printable(url[first:start])
    shown = printable(url[start:end])
    after = printable(url[end:last]) + ("…" if last < len(url) else "")
    yield f"  {before}{shown}{after}"
    carets = paint("^" * max(cell_len(shown), 1), "ruler")
    yield f"  {' ' * cell_len(before)}{carets} {printable(f'{problem.rule}: {problem.message}')}"
