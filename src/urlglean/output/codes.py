"""Lists the codes of problems and cautions, one row for each, for people and for programs.

problems: why a URL is not valid, or what is wrong around it
  no-scheme                 RFC 1738 2.1         a URL begins with the name of its scheme and a colon
  ...
cautions: what to beware of in a URL that is valid
  password                  RFC 1738 6           a password stands in the URL for all to read
  ...
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from urlglean.grammar.codes import CODES

_HEADINGS = {
    "problem": "problems: why a URL is not valid, or what is wrong around it",
    "caution": "cautions: what to beware of in a URL that is valid",
}

_LONG = 30
"""Characters. The width of the column does not allow for longer codes; such a code shifts the rest of its own row."""


def lines() -> Iterator[str]:
    """Lines for people, without line ends: the problems, then the cautions, each in the order of `CODES`."""
    name_width = max(len(row.name) for row in CODES.values() if len(row.name) < _LONG)
    source_width = max(len(row.source) for row in CODES.values())
    for kind, heading in _HEADINGS.items():
        yield heading
        for row in CODES.values():
            if row.kind == kind:
                yield f"  {row.name:<{name_width}}  {row.source:<{source_width}}  {row.meaning}"


def jsonl_lines() -> Iterator[bytes]:
    r"""One JSON object for each code, ending in "\n", with the keys `code`, `kind`, `source` and `meaning`."""
    for row in CODES.values():
        values = {"code": row.name, "kind": row.kind, "source": row.source, "meaning": row.meaning}
        yield msgspec.json.encode(values) + b"\n"
