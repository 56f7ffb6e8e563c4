"""The tables of the dialects. Each lists the schemes that the dialect judges; the rows come from the scheme registry.

A dialect judges either by a `.bnf` file and a map from its productions to the parts of a URL, or by an engine, which is
a library. A scheme without a row of its own is judged by the row `other`.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from urlglean.grammar.schemes import SCHEMES, DialectRow, generic
from urlglean.grammar.semantic_rules import opaque_path


class DialectTable(Struct, frozen=True, kw_only=True):
    """A dialect: its name, its document, the rows of its schemes, and the row for all other schemes."""

    name: str
    document: str
    schemes: tuple[DialectRow, ...]
    other: DialectRow


class GrammarTable(DialectTable, frozen=True, kw_only=True):
    """A dialect that judges by productions.

    Attributes:
        fragment: the production that judges the fragment, behind the "#".
        escapes: the document and section that prescribes encoding.
        captures: the part of a URL that each production matches, by the production's name.
    """

    fragment: str
    escapes: str
    captures: Mapping[str, str]


class EngineTable(DialectTable, frozen=True, kw_only=True):
    """A dialect whose URLs a library judges; `engine` is its package. Its rows name no production, only a section."""

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
        "headers": "search",
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
"""Its rows are the standard's special schemes: they take a backslash for a slash, and all except "file" need a host and
have a default port."""

GRAMMARS: Mapping[str, GrammarTable] = {table.name: table for table in (CURRENT, RFC1738, EARLY)}
"""The dialects that judge by productions, by name."""

ENGINES: Mapping[str, EngineTable] = {table.name: table for table in (WEB,)}
"""The dialects that judge by a library, by name."""

DIALECTS: Mapping[str, DialectTable] = {**GRAMMARS, **ENGINES}
"""All dialects by name, in the order in which they are shown."""
