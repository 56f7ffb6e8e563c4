"""The dialects: each a table of the schemes that it judges, made of the rows of the registry, and what judges them.

What judges is a `.bnf` file, with the names that its productions have among the parts, or an engine, a library that
judges alone. A scheme that has a row is judged by it; the row for others is for those that have none.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from urlglean.grammar.schemes import SCHEMES, DialectRow, generic
from urlglean.grammar.semantic_rules import opaque_path


class DialectTable(Struct, frozen=True, kw_only=True):
    """What every dialect has: its name, its document, and its rows."""

    name: str
    document: str
    schemes: tuple[DialectRow, ...]
    other: DialectRow


class GrammarTable(DialectTable, frozen=True, kw_only=True):
    """All that makes a dialect of productions besides these.

    `fragment` is the production that judges what stands behind a "#"; `escapes` says where encoding is prescribed.
    """

    fragment: str
    escapes: str
    captures: Mapping[str, str]


class EngineTable(DialectTable, frozen=True, kw_only=True):
    """A dialect that a library judges by; `engine` is its package. Its rows name no production, but a section."""

    engine: str


def _rows(dialect: str) -> tuple[DialectRow, ...]:
    """The rows of the schemes that the dialect judges."""
    return tuple(
        replace(row, name=scheme.name, port=scheme.port)
        for scheme in SCHEMES
        if (row := scheme.dialects.get(dialect)) is not None
    )


RFC1738 = GrammarTable(
    name="rfc1738",
    document="RFC 1738",
    fragment="fragment",
    escapes="RFC 1738 2.2, 5",
    schemes=_rows("rfc1738"),
    other=DialectRow("otherurl", "RFC 1738 5 otherurl", "scheme:schemepart", complete=opaque_path),
    captures={
        "user": "user",
        "password": "password",
        "host": "host",
        "port": "port",
        "urlpath": "path",
        "fpath": "path",
        "hpath": "path",
        "ppath": "path",
        "search": "search",
        "ftptype": "ftp_type",
        "gtype": "gopher_type",
        "selector": "selector",
        "encoded822addr": "address",
        "group": "newsgroup",
        "article": "message_id",
        "digits": "article_number",
        "database": "database",
        "wtype": "wais_type",
        "wpath": "wais_path",
        "fieldspec": "fields",
    },
)

EARLY = GrammarTable(
    name="early",
    document="the BNF before RFC 1738",
    fragment="fragmentid",
    escapes="BNF before RFC 1738, escape",
    schemes=_rows("early"),
    other=DialectRow("generic", "BNF before RFC 1738", "scheme:path?search"),
    captures={
        "user": "user",
        "password": "password",
        "host": "host",
        "port": "port",
        "path": "path",
        "hsoname": "path",
        "search": "search",
        "gtype": "gopher_type",
        "selector": "selector",
        "group": "newsgroup",
        "article": "message_id",
        "database": "database",
        "wtype": "wais_type",
        "wpath": "wais_path",
    },
)

CURRENT = GrammarTable(
    name="current",
    document="RFC 3986 and what succeeded RFC 1738",
    fragment="fragment",
    escapes="RFC 3986 2",
    schemes=_rows("current"),
    other=generic(),
    captures={
        "user": "user",
        "password": "password",
        "host": "host",
        "port": "port",
        "port-given": "port",
        "port-empty": "port",
        "path": "path",
        "path-single": "path",
        "path-rootless": "path",
        "fpath": "path",
        "fpath-single": "path",
        "hsoname": "path",
        "query": "search",
        "hfields": "search",
        "magnet-query": "search",
        "gophertype": "gopher_type",
        "gopher-path": "selector",
        "to": "address",
        "newsgroups": "newsgroup",
        "newsgroups-nz": "newsgroup",
        "group": "newsgroup",
        "article": "message_id",
        "message-id": "message_id",
        "content-id": "content_id",
        "article-number": "article_number",
        "database": "database",
        "wtype": "wais_type",
        "wpath": "wais_path",
        "fieldspec": "fields",
        "uri-parameter": "fields",
        "sip-user": "user",
    },
)

WEB = EngineTable(
    name="web",
    document="the URL Standard of the WHATWG",
    schemes=_rows("web"),
    other=DialectRow("", "URL Standard 4.4", "scheme://host:port/path?query#fragment, scheme:path"),
    engine="ada-url",
)
"""The rows are its special schemes: they need a host, have a port by default, and take a backslash for a slash."""

GRAMMARS: Mapping[str, GrammarTable] = {table.name: table for table in (CURRENT, RFC1738, EARLY)}
"""The dialects that productions judge by."""

ENGINES: Mapping[str, EngineTable] = {table.name: table for table in (WEB,)}
"""Those that a library judges by."""

DIALECTS: Mapping[str, DialectTable] = {**GRAMMARS, **ENGINES}
"""All of them, in the order in which they are listed."""
