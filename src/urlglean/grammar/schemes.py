"""The schemes, one row each: which production judges them in which dialect, and what the BNF cannot say.

A dialect is a table of rows, the row for all other schemes, and what judges: a `.bnf` file with the names that its
productions have among the parts, or an engine, a library that judges alone. A scheme that has a row is judged by it;
the row for others is for those that have none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from urlglean.grammar.layout import COMMON, EARLY_GOPHER, GOPHER, Layout
from urlglean.grammar.prose import (
    NEEDS_ADDR_SPEC,
    NOT_DOUBLED,
    SELECTOR_IS_A_LINE,
    PartsDict,
    ProseRule,
    every_group,
    gopher_parts,
    link_attributes,
    local_host,
    opaque_path,
    trailing_slash,
    typecode,
)


class Scheme(Struct, frozen=True):
    """How a dialect judges a scheme: `source` is the document and section, `form` what its URLs look like.

    `production` is "" where an engine judges.
    """

    name: str
    production: str
    source: str
    form: str
    port: int | None = None
    rules: tuple[ProseRule, ...] = ()
    complete: Callable[[PartsDict, str], PartsDict] | None = None
    """Finishes the parts where the BNF leaves two of them in one; gets the parts and the URL without its fragment."""
    fragment_behind: str = ""
    """A "#" before the first of this sign begins no fragment."""
    slashes: str = "//"
    """What stands before the user or host."""
    layout: Layout = COMMON


class DialectTable(Struct, frozen=True, kw_only=True):
    """What every dialect has: its name, its document, and its rows."""

    name: str
    document: str
    schemes: tuple[Scheme, ...]
    other: Scheme


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


RFC1738 = GrammarTable(
    name="rfc1738",
    document="RFC 1738",
    fragment="fragment",
    escapes="RFC 1738 2.2, 5",
    schemes=(
        Scheme("ftp", "ftpurl", "RFC 1738 3.2", "ftp://user:password@host:port/cwd/.../name;type=typecode", 21),
        Scheme("http", "httpurl", "RFC 1738 3.3", "http://host:port/path?searchpart", 80),
        Scheme(
            "gopher",
            "gopherurl",
            "RFC 1738 3.4",
            "gopher://host:port/gophertype selector %09search %09gopher+_string",
            70,
            rules=(SELECTOR_IS_A_LINE,),
            complete=gopher_parts,
            layout=GOPHER,
        ),
        Scheme("mailto", "mailtourl", "RFC 1738 3.5", "mailto:addr-spec", rules=(NEEDS_ADDR_SPEC,)),
        Scheme("news", "newsurl", "RFC 1738 3.6", "news:newsgroup-name, news:message-id, news:*", complete=every_group),
        Scheme("nntp", "nntpurl", "RFC 1738 3.7", "nntp://host:port/newsgroup-name/article-number", 119),
        Scheme("telnet", "telneturl", "RFC 1738 3.8", "telnet://user:password@host:port/", 23, complete=trailing_slash),
        Scheme(
            "wais",
            "waisurl",
            "RFC 1738 3.9",
            "wais://host:port/database, .../database?search, .../database/wtype/wpath",
            210,
        ),
        Scheme("file", "fileurl", "RFC 1738 3.10", "file://host/path", complete=local_host),
        Scheme("prospero", "prosperourl", "RFC 1738 3.11", "prospero://host:port/hsoname;field=value", 1525),
    ),
    other=Scheme("*", "otherurl", "RFC 1738 5 otherurl", "scheme:schemepart", complete=opaque_path),
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
    schemes=(
        Scheme("http", "httpaddress", "BNF before RFC 1738", "http://hostport/path?search", 80),
        Scheme("ftp", "ftpaddress", "BNF before RFC 1738", "ftp://login/path", 21),
        Scheme("news", "newsaddress", "BNF before RFC 1738", "news:group, news:article, news:*", complete=every_group),
        Scheme(
            "prospero",
            "prosperoaddress",
            "BNF before RFC 1738",
            "prospero://hostport/hsoname%00version attributes",
            1525,
            complete=link_attributes,
        ),
        Scheme("telnet", "telnetaddress", "BNF before RFC 1738", "telnet://login", 23),
        Scheme(
            "gopher",
            "gopheraddress",
            "BNF before RFC 1738",
            "gopher://hostport/gtype selector?search",
            70,
            layout=EARLY_GOPHER,
        ),
        Scheme(
            "wais",
            "waisaddress",
            "BNF before RFC 1738",
            "wais://hostport/database?search, .../database/wtype/digits/path",
            210,
        ),
    ),
    other=Scheme("*", "generic", "BNF before RFC 1738", "scheme:path?search"),
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

_AUTHORITY = "//user:password@host:port"
_COMMON_RULES = (NOT_DOUBLED,)


def _ftp(name: str, port: int) -> Scheme:
    form = f"{name}:{_AUTHORITY}/path;type=typecode"
    return Scheme(name, "ftpurl", "RFC 1738 3.2", form, port, complete=typecode)


def _generic(name: str, port: int | None) -> Scheme:
    form = f"{'scheme' if name == '*' else name}:{_AUTHORITY}/path?query"
    return Scheme(name, "other-URI", "RFC 3986 3", form, port, _COMMON_RULES, opaque_path)


CURRENT = GrammarTable(
    name="current",
    document="RFC 3986 and what succeeded RFC 1738",
    fragment="fragment",
    escapes="RFC 3986 2",
    schemes=(
        # No rules for the first ones: what judges most URLs is one match.
        Scheme("http", "http-URI", "RFC 9110 4.2.1", f"http:{_AUTHORITY}/path?query", 80),
        Scheme("https", "http-URI", "RFC 9110 4.2.2", f"https:{_AUTHORITY}/path?query", 443),
        _ftp("ftp", 21),
        _ftp("ftps", 990),
        _ftp("sftp", 22),
        Scheme(
            "gopher",
            "gopherurl",
            "RFC 4266 2.1",
            "gopher://host:port/gophertype selector %09search %09gopher+_string",
            70,
            (NOT_DOUBLED, SELECTOR_IS_A_LINE),
            gopher_parts,
            layout=GOPHER,
        ),
        Scheme("mailto", "mailtoURI", "RFC 6068 2", "mailto:addr-spec,...?header=value&..."),
        Scheme(
            "news", "newsURL", "RFC 5538 4", "news:newsgroups, news:message-id, news://host/...", fragment_behind="@"
        ),
        Scheme(
            "snews",
            "newsURL",
            "RFC 5538 8.1",
            "snews:newsgroups, snews:message-id, snews://host/...",
            563,
            fragment_behind="@",
        ),
        Scheme("nntp", "nntpURL", "RFC 5538 3", "nntp://host:port/group/article-number", 119),
        Scheme("nntps", "nntpURL", "RFC 5538 3", "nntps://host:port/group/article-number", 563),
        Scheme("telnet", "telneturl", "RFC 4248 2", f"telnet:{_AUTHORITY}/", 23, complete=trailing_slash),
        Scheme("tn3270", "telneturl", "RFC 6270 2.1", f"tn3270:{_AUTHORITY}/", 23, complete=trailing_slash),
        Scheme(
            "wais",
            "waisurl",
            "RFC 4156 2",
            "wais://host:port/database, .../database?search, .../database/wtype/wpath",
            210,
            _COMMON_RULES,
        ),
        Scheme("file", "fileurl", "RFC 8089 2", "file://host/path, file:/path", complete=local_host),
        Scheme(
            "prospero", "prosperourl", "RFC 4157 2", "prospero://host:port/hsoname;field=value", 1525, _COMMON_RULES
        ),
        Scheme("mid", "mid-url", "RFC 2392 2", "mid:message-id/content-id"),
        Scheme("cid", "cid-url", "RFC 2392 2", "cid:content-id"),
        Scheme("urn", "namestring", "RFC 8141 2", "urn:NID:NSS", complete=opaque_path),
        Scheme("tel", "telephone-uri", "RFC 3966 3", "tel:+number;parameter=value", complete=opaque_path),
        Scheme("data", "dataurl", "RFC 2397 3", "data:type/subtype;base64,data", complete=opaque_path),
        Scheme("sip", "SIP-URI", "RFC 3261 19.1.1", "sip:user@host:port;parameter=value", 5060, slashes=""),
        Scheme("sips", "SIP-URI", "RFC 3261 19.1.1", "sips:user@host:port;parameter=value", 5061, slashes=""),
        Scheme("ws", "ws-URI", "RFC 6455 3", "ws://host:port/path?query", 80, _COMMON_RULES),
        Scheme("wss", "ws-URI", "RFC 6455 3", "wss://host:port/path?query", 443, _COMMON_RULES),
        Scheme(
            "ldap",
            "ldapurl",
            "RFC 4516 2",
            "ldap://host:port/dn?attributes?scope?filter?extensions",
            389,
            _COMMON_RULES,
            local_host,
        ),
        Scheme(
            "ldaps",
            "ldapurl",
            "RFC 4516 2",
            "ldaps://host:port/dn?attributes?scope?filter?extensions",
            636,
            _COMMON_RULES,
            local_host,
        ),
        Scheme("nfs", "nfsurl", "RFC 2224 2", "nfs://host:port/path", 2049, _COMMON_RULES),
        Scheme("geo", "geo-URI", "RFC 5870 3.3", "geo:latitude,longitude", complete=opaque_path),
        # No document gives these a syntax of their own; their rows are there for the ports.
        _generic("gophers", 70),
        _generic("irc", 194),
        _generic("ircs", 994),
        _generic("rtsp", 554),
        _generic("ssh", 22),
        _generic("git", 9418),
        _generic("svn", 3690),
        _generic("rsync", 873),
        _generic("imap", 143),
        _generic("imaps", 993),
        _generic("pop", 110),
        _generic("dict", 2628),
        _generic("finger", 79),
        _generic("whois", 43),
        _generic("ipp", 631),
    ),
    other=_generic("*", None),
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


def _web(name: str, port: int | None, form: str = "{}://user:password@host:port/path?query#fragment") -> Scheme:
    return Scheme(name, "", "URL Standard 4.2", form.format(name), port)


WEB = EngineTable(
    name="web",
    document="the URL Standard of the WHATWG",
    schemes=(
        _web("http", 80),
        _web("https", 443),
        _web("ws", 80),
        _web("wss", 443),
        _web("ftp", 21),
        _web("file", None, "{}://host/path"),
    ),
    other=Scheme("*", "", "URL Standard 4.4", "scheme://host:port/path?query#fragment, scheme:path"),
    engine="ada-url",
)
"""The rows are its special schemes: they need a host, have a port by default, and take a backslash for a slash."""

GRAMMARS: Mapping[str, GrammarTable] = {table.name: table for table in (CURRENT, RFC1738, EARLY)}
"""The dialects that productions judge by."""

ENGINES: Mapping[str, EngineTable] = {table.name: table for table in (WEB,)}
"""Those that a library judges by."""

DIALECTS: Mapping[str, DialectTable] = {**GRAMMARS, **ENGINES}
"""All of them, in the order in which they are listed."""
