"""The registry of schemes: one row for each scheme, with everything that is known about it.

`dialects` holds what the standards say: which production of which document judges the scheme's URLs. `prose` holds
guesses about text: when a word and a colon begin a URL. All other modules take the schemes from here:
`grammar.dialect_tables` makes the tables of the dialects from the rows, `text.scheme_triggers` makes the patterns for
the scan, and `text.fast_path` those of the fast path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from urlglean.grammar.part_order import COMMON, EARLY_GOPHER, GOPHER, PartOrder
from urlglean.grammar.semantic_rules import (
    NEEDS_ADDR_SPEC,
    NOT_DOUBLED,
    ON_THE_GLOBE,
    SELECTOR_IS_A_LINE,
    PartsDict,
    SemanticRule,
    every_group,
    gopher_parts,
    link_attributes,
    local_host,
    opaque_path,
    trailing_slash,
    typecode,
)


class InProse(Struct, frozen=True, kw_only=True):
    """The rules that distinguish bare URLs of a scheme from prose. All of them are guesses.

    Attributes:
        slashes: whether "//" and any character but a blank behind the colon are enough. Behind the "//" of all other
            schemes, a plausible host must follow.
        behind: a pattern of what follows the colon of a URL without "//"; it ignores case. "" if the scheme has no such
            URLs.
        wrapped: a pattern of what, besides that, follows the colon of such a URL that is alone in angle brackets or
            quotation marks. "" if nothing does.
        glued: whether the scheme begins a URL even directly behind a word: it is well known, so readers recognise it.
        colon: whether the scheme, its colon and a letter or digit are enough to begin another URL inside the characters
            of a URL. For a scheme with `slashes`, its "://" always is enough.
        enclosed: whether an address or message-id behind the colon may stand in angle brackets, as in its header field.
        by_rest: a pattern of what follows the colon, by which the scheme begins a URL even directly behind a word or
            another URL. "" if it never does.
        around: prefixes, without their colon, of URLs of the scheme that hold another whole URL, as in
            `view-source:http://...`.
        fast: the URLs that the fast path takes: "host" for URLs with a host (and path, query, fragment), "mailbox" for
            URLs with one mailbox, "" for none.
    """

    slashes: bool = False
    behind: str = ""
    wrapped: str = ""
    glued: bool = False
    colon: bool = False
    enclosed: bool = False
    by_rest: str = ""
    around: tuple[str, ...] = ()
    fast: Literal["", "host", "mailbox"] = ""


class DialectRow(Struct, frozen=True):
    """The rules by which a dialect judges a scheme: `source` is the document and section, `form` shows its URLs.

    `production` is "" if an engine judges. `grammar.dialect_tables` copies `name` and `port` from the scheme's row.
    """

    production: str
    source: str
    form: str
    rules: tuple[SemanticRule, ...] = ()
    complete: Callable[[PartsDict, str], PartsDict] | None = None
    """Corrects the parts if the BNF does not divide them fully; its arguments are the parts and the URL without its
    fragment."""
    fragment_behind: str = ""
    """If this is not "", a "#" begins a fragment only behind the first occurrence of this sign."""
    slashes: str = "//"
    """The text before the user or host."""
    layout: PartOrder = COMMON
    name: str = "*"
    port: int | None = None


class Scheme(Struct, frozen=True):
    """A row: the name in lower case, the default port, the rules for prose, and the rows of the dialects."""

    name: str
    port: int | None = None
    prose: InProse = InProse()
    dialects: Mapping[str, DialectRow] = {}
    """The rows by the name of the dialect. All other dialects judge the scheme's URLs by their row `other`."""


_AUTHORITY = "//user:password@host:port"
_COMMON_RULES = (NOT_DOUBLED,)
_GOPHER_FORM = "gopher://host:port/gophertype selector %09search %09gopher+_string"
_WAIS_FORM = "wais://host:port/database, .../database?search, .../database/wtype/wpath"
_EARLY = "BNF before RFC 1738"


def generic(name: str = "scheme") -> DialectRow:
    """The row of dialect `current` for a scheme to which no document gives a syntax of its own."""
    return DialectRow(
        "other-URI", "RFC 3986 3", f"{name}:{_AUTHORITY}/path?query", rules=_COMMON_RULES, complete=opaque_path
    )


def _http(name: str, source: str) -> DialectRow:
    # No rules, for speed: most URLs are http URLs, and without rules one match judges them.
    return DialectRow("http-URI", source, f"{name}:{_AUTHORITY}/path?query")


def _ftp(name: str) -> DialectRow:
    return DialectRow("ftpurl", "RFC 1738 3.2", f"{name}:{_AUTHORITY}/path;type=typecode", complete=typecode)


def _telnet(name: str, source: str) -> DialectRow:
    return DialectRow("telneturl", source, f"{name}:{_AUTHORITY}/", complete=trailing_slash)


def _netnews(name: str, source: str) -> DialectRow:
    form = f"{name}:newsgroups, {name}:message-id, {name}://host/..."
    return DialectRow("newsURL", source, form, fragment_behind="@")


def _sip(name: str) -> DialectRow:
    return DialectRow("SIP-URI", "RFC 3261 19.1.1", f"{name}:user@host:port;parameter=value", slashes="")


def _ws(name: str) -> DialectRow:
    return DialectRow("ws-URI", "RFC 6455 3", f"{name}://host:port/path?query", rules=_COMMON_RULES)


def _ldap(name: str) -> DialectRow:
    form = f"{name}://host:port/dn?attributes?scope?filter?extensions"
    return DialectRow("ldapurl", "RFC 4516 2", form, rules=_COMMON_RULES, complete=local_host)


def _web(name: str, form: str = "{}://user:password@host:port/path?query#fragment") -> DialectRow:
    return DialectRow("", "URL Standard 4.2", form.format(name))


# An address's local part has at most 64 octets (RFC 5321 4.5.3.1.1), a message-id fits in a line of 250.
LONGEST_LOCAL_PART = 250
_ADDRESS = rf"[^\s<>\"@]{{1,{LONGEST_LOCAL_PART}}}@[^\s<>\"@]"
# In news a line may end before the "@" of a message-id. It is recognised then only if a digit precedes the line end.
_ARTICLE = (
    rf"{_ADDRESS}|(?=[^\s<>\"@0-9]{{0,{LONGEST_LOCAL_PART}}}[0-9])[^\s<>\"@]{{1,{LONGEST_LOCAL_PART}}}"
    r"[ \t]{0,8}(?:\r{0,2}\n|\r)[ \t>|:]{0,80}@[a-z0-9]"
)
# These distinguish a URL from prose such as "good news: the".
_NEWSGROUP_OR_ARTICLE = rf"[a-z0-9][a-z0-9+_-]*\.[a-z0-9]|[a-z*.]{{0,80}}\*|{_ARTICLE}"

_SLASHES = InProse(slashes=True)
_KNOWN = InProse(slashes=True, glued=True)
_FAST = InProse(slashes=True, glued=True, fast="host")
_OF_ADDRESS = InProse(behind=_ADDRESS)
# Of a host without a user (RFC 3261 19.1.1). Names of files and versions have dots too, so a usual top level domain or
# an address of the Internet is needed before what stands behind a URL in SIP, or one of its parameters.
_LABELS = r"(?:[a-z0-9-]{1,63}+\.){1,9}"
_OF_ADDRESS_OR_HOST = InProse(
    behind=rf"{_ADDRESS}|(?:{_LABELS}(?:com|net|org|edu|gov|mil|int|info|biz|example|local)|(?:[0-9]{{1,3}}\.){{3}}[0-9]{{1,3}})"
    rf"(?:\Z|[>;]|:[0-9]| SIP/2)|{_LABELS}[a-z]{{2,63}}+(?::[0-9]{{1,5}}+)?;(?:lr|maddr|method|transport|ttl|user)\b"
)


def _around(*written: str, slashes: bool = False) -> InProse:
    return InProse(slashes=slashes, around=written)


SCHEMES = (
    Scheme(
        "http",
        80,
        _FAST,
        {
            "current": _http("http", "RFC 9110 4.2.1"),
            "rfc1738": DialectRow("httpurl", "RFC 1738 3.3", "http://host:port/path?searchpart"),
            "early": DialectRow("httpaddress", _EARLY, "http://hostport/path?search"),
            "web": _web("http"),
        },
    ),
    Scheme("https", 443, _FAST, {"current": _http("https", "RFC 9110 4.2.2"), "web": _web("https")}),
    Scheme(
        "ftp",
        21,
        _FAST,
        {
            "current": _ftp("ftp"),
            "rfc1738": DialectRow("ftpurl", "RFC 1738 3.2", "ftp://user:password@host:port/cwd/.../name;type=typecode"),
            "early": DialectRow("ftpaddress", _EARLY, "ftp://login/path"),
            "web": _web("ftp"),
        },
    ),
    Scheme("ftps", 990, _SLASHES, {"current": _ftp("ftps")}),
    Scheme("sftp", 22, _SLASHES, {"current": _ftp("sftp")}),
    Scheme(
        "gopher",
        70,
        _KNOWN,
        {
            "current": DialectRow(
                "gopherurl",
                "RFC 4266 2.1",
                _GOPHER_FORM,
                rules=(NOT_DOUBLED, SELECTOR_IS_A_LINE),
                complete=gopher_parts,
                layout=GOPHER,
            ),
            "rfc1738": DialectRow(
                "gopherurl",
                "RFC 1738 3.4",
                _GOPHER_FORM,
                rules=(SELECTOR_IS_A_LINE,),
                complete=gopher_parts,
                layout=GOPHER,
            ),
            "early": DialectRow(
                "gopheraddress", _EARLY, "gopher://hostport/gtype selector?search", layout=EARLY_GOPHER
            ),
        },
    ),
    Scheme(
        "mailto",
        None,
        # The text of a link may stand directly before it, in what a program made of HTML.
        InProse(behind=rf"{_ADDRESS}|\?[a-z]+=", colon=True, enclosed=True, by_rest=r"[\w.+-]{1,64}@", fast="mailbox"),
        {
            "current": DialectRow("mailtoURI", "RFC 6068 2", "mailto:addr-spec,...?header=value&..."),
            "rfc1738": DialectRow("mailtourl", "RFC 1738 3.5", "mailto:addr-spec", rules=(NEEDS_ADDR_SPEC,)),
        },
    ),
    Scheme(
        "news",
        None,
        InProse(slashes=True, behind=_NEWSGROUP_OR_ARTICLE, glued=True, colon=True, enclosed=True),
        {
            "current": _netnews("news", "RFC 5538 4"),
            "rfc1738": DialectRow(
                "newsurl", "RFC 1738 3.6", "news:newsgroup-name, news:message-id, news:*", complete=every_group
            ),
            "early": DialectRow("newsaddress", _EARLY, "news:group, news:article, news:*", complete=every_group),
        },
    ),
    Scheme(
        "snews",
        563,
        InProse(slashes=True, behind=_NEWSGROUP_OR_ARTICLE, colon=True, enclosed=True),
        {"current": _netnews("snews", "RFC 5538 8.1")},
    ),
    Scheme(
        "nntp",
        119,
        _KNOWN,
        {
            "current": DialectRow("nntpURL", "RFC 5538 3", "nntp://host:port/group/article-number"),
            "rfc1738": DialectRow("nntpurl", "RFC 1738 3.7", "nntp://host:port/newsgroup-name/article-number"),
        },
    ),
    Scheme(
        "nntps",
        563,
        _SLASHES,
        {"current": DialectRow("nntpURL", "RFC 5538 3", "nntps://host:port/group/article-number")},
    ),
    Scheme(
        "telnet",
        23,
        _KNOWN,
        {
            "current": _telnet("telnet", "RFC 4248 2"),
            "rfc1738": DialectRow(
                "telneturl", "RFC 1738 3.8", "telnet://user:password@host:port/", complete=trailing_slash
            ),
            "early": DialectRow("telnetaddress", _EARLY, "telnet://login"),
        },
    ),
    Scheme("tn3270", 23, _SLASHES, {"current": _telnet("tn3270", "RFC 6270 2.1")}),
    Scheme(
        "wais",
        210,
        _SLASHES,
        {
            "current": DialectRow("waisurl", "RFC 4156 2", _WAIS_FORM, rules=_COMMON_RULES),
            "rfc1738": DialectRow("waisurl", "RFC 1738 3.9", _WAIS_FORM),
            "early": DialectRow(
                "waisaddress", _EARLY, "wais://hostport/database?search, .../database/wtype/digits/path"
            ),
        },
    ),
    Scheme(
        "file",
        None,
        InProse(slashes=True, behind=r"/[^\s/<>\"]"),
        {
            "current": DialectRow("fileurl", "RFC 8089 2", "file://host/path, file:/path", complete=local_host),
            "rfc1738": DialectRow("fileurl", "RFC 1738 3.10", "file://host/path", complete=local_host),
            "web": _web("file", "{}://host/path"),
        },
    ),
    Scheme(
        "prospero",
        1525,
        _SLASHES,
        {
            "current": DialectRow(
                "prosperourl", "RFC 4157 2", "prospero://host:port/hsoname;field=value", rules=_COMMON_RULES
            ),
            "rfc1738": DialectRow("prosperourl", "RFC 1738 3.11", "prospero://host:port/hsoname;field=value"),
            "early": DialectRow(
                "prosperoaddress",
                _EARLY,
                "prospero://hostport/hsoname%00version attributes",
                complete=link_attributes,
            ),
        },
    ),
    Scheme("mid", None, _OF_ADDRESS, {"current": DialectRow("mid-url", "RFC 2392 2", "mid:message-id/content-id")}),
    Scheme("cid", None, _OF_ADDRESS, {"current": DialectRow("cid-url", "RFC 2392 2", "cid:content-id")}),
    Scheme(
        "urn",
        None,
        InProse(behind=r"[a-z0-9][a-z0-9-]{1,31}:[^\s<>\"]"),
        {"current": DialectRow("namestring", "RFC 8141 2", "urn:NID:NSS", complete=opaque_path)},
    ),
    Scheme(
        "tel",
        None,
        # Global numbers (RFC 3966 5.1.4) behind a scheme in lower case: "Tel:0171 ..." in a signature is no URL. Others
        # have a context, which no prose has (RFC 3966 5.1.5), or are in a wrapper: mail programs write links so.
        InProse(
            behind=r"(?-i:(?<=tel:))\+(?:[0-9().-]|%20){3}"
            r"|(?:[0-9A-F*#().-]|%2[03]){1,30}(?:;(?:ext|isub)=[^\s;<>\"]{1,40})?;phone-context=",
            wrapped=r"(?-i:(?<=tel:))\+?(?:(?:[*().-]|%2[03]){0,3}[0-9]){3}(?:[0-9*().-]|%2[03])*+(?=[;|]|\Z)",
        ),
        {"current": DialectRow("telephone-uri", "RFC 3966 3", "tel:+number;parameter=value", complete=opaque_path)},
    ),
    Scheme(
        "data",
        None,
        InProse(behind=r"(?:[a-z]+/[a-z0-9.+-]+)?(?:;[a-z0-9=-]{1,80}){0,8},"),
        {"current": DialectRow("dataurl", "RFC 2397 3", "data:type/subtype;base64,data", complete=opaque_path)},
    ),
    Scheme("sip", 5060, _OF_ADDRESS_OR_HOST, {"current": _sip("sip")}),
    Scheme("sips", 5061, _OF_ADDRESS_OR_HOST, {"current": _sip("sips")}),
    Scheme("ws", 80, _SLASHES, {"current": _ws("ws"), "web": _web("ws")}),
    Scheme("wss", 443, _SLASHES, {"current": _ws("wss"), "web": _web("wss")}),
    Scheme("ldap", 389, _SLASHES, {"current": _ldap("ldap")}),
    Scheme("ldaps", 636, _SLASHES, {"current": _ldap("ldaps")}),
    Scheme(
        "nfs",
        2049,
        _SLASHES,
        {
            "current": DialectRow(
                "nfsurl", "RFC 2224 1, 10", "nfs://host:port/path", rules=_COMMON_RULES, complete=opaque_path
            )
        },
    ),
    Scheme(
        "geo",
        None,
        InProse(behind=r"-?[0-9]{1,3}(?:\.[0-9]+)?,-?[0-9]"),
        {
            "current": DialectRow(
                "geo-URI", "RFC 5870 3.3", "geo:latitude,longitude", rules=(ON_THE_GLOBE,), complete=opaque_path
            )
        },
    ),
    Scheme(
        "magnet",
        None,
        # The pattern excludes prose such as "A magnet: the one from the oven". A topic, which is a URN, may stand in
        # the next line.
        InProse(
            behind=r"\?[a-z]{2}(?:\.[0-9]{1,3})?=(?:[^\s<>\"]|[ \t]*+\r*+\n[>|: \t]{0,20}+urn:[a-z])",
            by_rest=r"\?(?:xt|dn|xl|tr)(?:\.[0-9]{1,3})?=",
        ),
        {"current": DialectRow("magnet-URI", "BEP 9", "magnet:?xt=urn:btih:info-hash&dn=name&tr=url")},
    ),
    # Schemes to which no document gives a syntax of their own, but whose ports are known. Mail of programmers has many
    # URLs of the first.
    Scheme("git", 9418, InProse(slashes=True, fast="host"), {"current": generic("git")}),
    *(
        Scheme(name, port, _SLASHES, {"current": generic(name)})
        for name, port in (
            *(("gophers", 70), ("irc", 194), ("ircs", 994), ("rtsp", 554), ("ssh", 22), ("svn", 3690)),
            *(("rsync", 873), ("imap", 143), ("imaps", 993), ("pop", 110), ("dict", 2628), ("finger", 79)),
            *(("whois", 43), ("ipp", 631)),
        )
    ),
    # Schemes about which nothing is known except that people write them before "//".
    *(
        Scheme(name, None, _SLASHES)
        for name in (
            *("shttp", "tftp", "rlogin", "afs", "afp", "smb", "cifs", "z39.50r", "z39.50s", "rtspu", "mms", "cvs"),
            *("bzr", "hg", "vnc", "rdp", "webcal", "dav", "davs", "ipps", "dns", "mysql", "postgresql", "mongodb"),
            *("postgres", "redis", "amqp", "kafka", "nats", "s3", "s3a", "gs", "hdfs", "abfss", "wasbs", "ipfs"),
            *("ipns", "chrome", "chrome-extension", "moz-extension", "resource", "about", "android-app", "otpauth"),
        )
    ),
    Scheme("xmpp", None, InProse(slashes=True, behind=_ADDRESS)),
    Scheme("feed", None, _around("feed", slashes=True)),
    Scheme("scm", None, _around("scm:git", "scm:svn", "scm:hg", "scm:cvs")),
    *(Scheme(name, None, _around(name)) for name in ("view-source", "blob", "filesystem", "jar", "jdbc", "r2dbc")),
)
"""All schemes, in the order in which they are shown."""

FAMILIAR = tuple(row.name for row in SCHEMES if row.prose.glued or "rfc1738" in row.dialects)
"""The schemes of RFC 1738, and other well-known ones. People paste them before another URL by mistake."""

FAST = {
    "host": tuple(row.name for row in SCHEMES if row.prose.fast == "host" and row.prose.slashes),
    "mailbox": tuple(row.name for row in SCHEMES if row.prose.fast == "mailbox"),
}
"""The schemes of the fast path, by the kind of URL that it takes (`InProse.fast`)."""
