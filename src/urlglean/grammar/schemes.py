"""The schemes, one row each: which production judges them in which dialect, and what the BNF cannot say.

A dialect is a `.bnf` file, a table of rows, the row for all other schemes, and the names that its productions have
among the parts. A scheme that has a row is judged by its production alone; `otherurl` is for those that have none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

PartsDict = dict[str, str]


class ProseRule(Struct, frozen=True):
    """What a standard says in prose only.

    `broken` gets the parts and gives the name of the part at fault, None when the rule is kept.
    """

    code: str
    source: str
    broken: Callable[[PartsDict], str | None]
    message: str


class Scheme(Struct, frozen=True):
    """How a dialect judges a scheme: `source` is the document and section, `form` what its URLs look like."""

    name: str
    production: str
    source: str
    form: str
    port: int | None = None
    rules: tuple[ProseRule, ...] = ()
    complete: Callable[[PartsDict, str], PartsDict] | None = None
    """Finishes the parts where the BNF leaves two of them in one; gets the parts and the URL without its fragment."""


class DialectTable(Struct, frozen=True):
    """All that makes a dialect besides its productions."""

    name: str
    schemes: tuple[Scheme, ...]
    other: Scheme
    captures: Mapping[str, str]


def _split_selector(parts: PartsDict, _url: str) -> PartsDict:
    """RFC 1738 3.4.1-3.4.3: encoded tabs part the selector, the search and the gopher+ string.

    The BNF lets *xchar take the tabs too, though no selector may hold one.
    """
    names = ("selector", "search", "gopher_string")
    return parts | dict(zip(names, parts["selector"].split("%09", 2), strict=False)) if "selector" in parts else parts


def _split_typecode(parts: PartsDict, _url: str) -> PartsDict:
    """RFC 1738 3.2.2: `;type=<typecode>` ends an FTP path; RFC 3986 alone would leave it in the path."""
    path, found, code = parts.get("path", "").rpartition(";type=")
    return parts | {"path": path, "ftp_type": code} if found and code.lower() in {"a", "i", "d"} else parts


def _opaque_path(parts: PartsDict, url: str) -> PartsDict:
    """A scheme part that does not follow the common Internet scheme syntax is a path as a whole, its search aside."""
    if "host" in parts:
        return parts
    rest = url.partition(":")[2]
    tail = len(parts["search"]) + 1 if "search" in parts else 0
    return parts | {"path": rest[: len(rest) - tail]}


NEEDS_ADDR_SPEC = ProseRule(
    "no-addr-spec",
    "RFC 1738 3.5 addr-spec",
    lambda parts: None if "@" in parts["address"].strip("@") else "address",
    "a mailto URL holds an addr-spec, local-part@domain",
)

RFC1738 = DialectTable(
    name="rfc1738",
    schemes=(
        Scheme("ftp", "ftpurl", "RFC 1738 3.2", "ftp://user:password@host:port/cwd/.../name;type=typecode", 21),
        Scheme("http", "httpurl", "RFC 1738 3.3", "http://host:port/path?searchpart", 80),
        Scheme(
            "gopher",
            "gopherurl",
            "RFC 1738 3.4",
            "gopher://host:port/gophertype selector %09search %09gopher+_string",
            70,
            complete=_split_selector,
        ),
        Scheme("mailto", "mailtourl", "RFC 1738 3.5", "mailto:addr-spec", rules=(NEEDS_ADDR_SPEC,)),
        Scheme("news", "newsurl", "RFC 1738 3.6", "news:newsgroup-name, news:message-id, news:*"),
        Scheme("nntp", "nntpurl", "RFC 1738 3.7", "nntp://host:port/newsgroup-name/article-number", 119),
        Scheme("telnet", "telneturl", "RFC 1738 3.8", "telnet://user:password@host:port/", 23),
        Scheme(
            "wais",
            "waisurl",
            "RFC 1738 3.9",
            "wais://host:port/database, .../database?search, .../database/wtype/wpath",
            210,
        ),
        Scheme("file", "fileurl", "RFC 1738 3.10", "file://host/path"),
        Scheme("prospero", "prosperourl", "RFC 1738 3.11", "prospero://host:port/hsoname;field=value", 1525),
    ),
    other=Scheme("*", "otherurl", "RFC 1738 5 otherurl", "scheme:schemepart", complete=_opaque_path),
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

_AUTHORITY = "//user:password@host:port"

CURRENT = DialectTable(
    name="current",
    schemes=(
        Scheme("http", "http-URI", "RFC 9110 4.2.1", f"http:{_AUTHORITY}/path?query", 80),
        Scheme("https", "http-URI", "RFC 9110 4.2.2", f"https:{_AUTHORITY}/path?query", 443),
        Scheme("ftp", "ftpurl", "RFC 1738 3.2", f"ftp:{_AUTHORITY}/path;type=typecode", 21, complete=_split_typecode),
        Scheme(
            "ftps", "ftpurl", "RFC 1738 3.2", f"ftps:{_AUTHORITY}/path;type=typecode", 990, complete=_split_typecode
        ),
        Scheme("sftp", "ftpurl", "RFC 1738 3.2", f"sftp:{_AUTHORITY}/path", 22, complete=_split_typecode),
        Scheme("gopher", "gopherurl", "RFC 4266 2.1", "gopher://host:port/gopher-path", 70, complete=_split_selector),
        Scheme("mailto", "mailtoURI", "RFC 6068 2", "mailto:addr-spec,...?header=value&..."),
        Scheme("news", "newsURL", "RFC 5538 4", "news:newsgroups, news:message-id, news://host/..."),
        Scheme("snews", "newsURL", "RFC 5538 8.1", "snews:newsgroups, snews:message-id, snews://host/...", 563),
        Scheme("nntp", "nntpURL", "RFC 5538 3", "nntp://host:port/group/article-number", 119),
        Scheme("telnet", "telneturl", "RFC 4248 2", f"telnet:{_AUTHORITY}/", 23),
        Scheme("tn3270", "telneturl", "RFC 6270 2.1", f"tn3270:{_AUTHORITY}/", 23),
        Scheme("wais", "waisurl", "RFC 4156 2", "wais://host:port/database, ...?search, .../wtype/wpath", 210),
        Scheme("file", "fileurl", "RFC 8089 2", "file://host/path, file:/path"),
        Scheme("prospero", "prosperourl", "RFC 4157 2", "prospero://host:port/hsoname;field=value", 1525),
        Scheme("mid", "midurl", "RFC 2392 2", "mid:message-id/content-id"),
        Scheme("cid", "cidurl", "RFC 2392 2", "cid:content-id"),
        Scheme("urn", "namestring", "RFC 8141 2", "urn:NID:NSS", complete=_opaque_path),
        Scheme("tel", "telephone-uri", "RFC 3966 3", "tel:+number;parameter=value", complete=_opaque_path),
        Scheme("data", "dataurl", "RFC 2397 3", "data:type/subtype;base64,data", complete=_opaque_path),
        Scheme("sip", "SIP-URI", "RFC 3261 19.1.1", "sip:user@host:port;parameter=value", 5060),
        Scheme("sips", "SIP-URI", "RFC 3261 19.1.1", "sips:user@host:port;parameter=value", 5061),
        Scheme("ws", "ws-URI", "RFC 6455 3", "ws://host:port/path?query", 80),
        Scheme("wss", "ws-URI", "RFC 6455 3", "wss://host:port/path?query", 443),
        Scheme("ldap", "ldapurl", "RFC 4516 2", "ldap://host:port/dn?attributes?scope?filter?extensions", 389),
        Scheme("ldaps", "ldapurl", "RFC 4516 2", "ldaps://host:port/dn?attributes?scope?filter?extensions", 636),
        Scheme("nfs", "nfsurl", "RFC 2224 2", "nfs://host:port/path", 2049),
        Scheme("geo", "geo-URI", "RFC 5870 3.3", "geo:latitude,longitude", complete=_opaque_path),
    ),
    other=Scheme("*", "other-URI", "RFC 3986 3", f"scheme:{_AUTHORITY}/path?query", complete=_opaque_path),
    captures={
        "user": "user",
        "password": "password",
        "host": "host",
        "port": "port",
        "path": "path",
        "fpath": "path",
        "path-rootless": "path",
        "hsoname": "path",
        "query": "search",
        "hfields": "search",
        "gophertype": "gopher_type",
        "gopher-path": "selector",
        "to": "address",
        "newsgroups": "newsgroup",
        "group": "newsgroup",
        "article": "message_id",
        "article-number": "article_number",
        "database": "database",
        "wtype": "wais_type",
        "wpath": "wais_path",
        "fieldspec": "fields",
        "sip-user": "user",
    },
)

DIALECTS: Mapping[str, DialectTable] = {table.name: table for table in (CURRENT, RFC1738)}
