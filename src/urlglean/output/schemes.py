"""Lists the schemes that the dialects know: as lines for people, as JSON lines, and as a table in Markdown.

current: RFC 3986 and what succeeded RFC 1738
  http        RFC 9110 4.2.1        80  http://user:password@host:port/path?query
  gopher      RFC 4266 2.1          70  gopher://host:port/gophertype selector %09search %09gopher+_string
              doubled-scheme (RFC 3986 3.2.3 port), line-end-in-selector (RFC 1738 3.4.1 selector)
  ...
  others      RFC 3986 3                scheme://user:password@host:port/path?query
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from urlglean.errors import UnknownNameError
from urlglean.grammar.dialect_tables import DIALECTS, DialectTable
from urlglean.grammar.schemes import DialectRow

_INDENT = " " * 14


def lines(dialect: str | None = None) -> Iterator[str]:
    """Lines for people, without line ends: each dialect, its schemes in their order, the rules checked beyond the BNF.

    Args:
        dialect: the only dialect to show; None for all.

    Raises:
        UnknownNameError: there is no such dialect.
    """
    for table in _tables(dialect):
        yield f"{table.name}: {table.document}"
        for row in _rows(table):
            port = "" if row.port is None else str(row.port)
            yield f"  {_name(row):<11} {row.source:<19} {port:>5}  {row.form}"
            if row.rules:
                yield _INDENT + ", ".join(f"{rule.code} ({rule.source})" for rule in row.rules)


def jsonl_lines(dialect: str | None = None) -> Iterator[bytes]:
    r"""One JSON object for each scheme of each dialect, ending in "\n". All have the same keys; absent is null.

    Args:
        dialect: the only dialect to list; None for all.

    Raises:
        UnknownNameError: there is no such dialect.
    """
    for table in _tables(dialect):
        for row in _rows(table):
            values = {
                "dialect": table.name,
                "scheme": None if row is table.other else row.name,
                "source": row.source,
                "production": row.production or None,
                "port": row.port,
                "form": row.form,
                "rules": [{"code": rule.code, "source": rule.source} for rule in row.rules],
            }
            yield msgspec.json.encode(values) + b"\n"


def markdown() -> Iterator[str]:
    """The lines of a Markdown table of all schemes: for each dialect the document by which it judges the scheme."""
    tables = tuple(DIALECTS.values())
    names = list(dict.fromkeys(row.name for table in tables for row in table.schemes))
    yield f"| scheme | port | {' | '.join(f'`{table.name}`' for table in tables)} |"
    yield "|---" * (len(tables) + 2) + "|"
    for name in names:
        rows = [next((row for row in table.schemes if row.name == name), None) for table in tables]
        port = next((str(row.port) for row in rows if row is not None and row.port is not None), "")
        sources = " | ".join("generic" if row is None else row.source for row in rows)
        yield f"| `{name}` | {port} | {sources} |"
    yield f"| all others | | {' | '.join(table.other.source for table in tables)} |"


def _tables(dialect: str | None) -> tuple[DialectTable, ...]:
    if dialect is None:
        return tuple(DIALECTS.values())
    if dialect not in DIALECTS:
        raise UnknownNameError("dialect", dialect, tuple(DIALECTS))
    return (DIALECTS[dialect],)


def _rows(table: DialectTable) -> tuple[DialectRow, ...]:
    return (*table.schemes, table.other)


def _name(row: DialectRow) -> str:
    return "others" if row.name == "*" else row.name
