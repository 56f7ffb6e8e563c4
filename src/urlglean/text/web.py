"""The judge of dialect `web`: the URL Standard of the WHATWG (https://url.spec.whatwg.org/), by `ada-url`.

That is the parser of Node.js. It says yes or no, and how a URL is written anew; what it does not like of a URL that it
takes, it mends without a word. Which part it refuses is asked of it with the others left out, and what it mends is
told by the standard's own names of validation errors, as cautions, so far as that can be seen without another parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from urlglean.grammar.codes import CODES
from urlglean.grammar.dialect_tables import WEB
from urlglean.records import Parts, Problem, Span, Verdict

_ROWS = {row.name: row for row in WEB.schemes}

# 4.4, basic URL parser: what goes before anything is looked at.
_ENDS = "".join(map(chr, range(0x21)))
_SCHEME = re.compile(r"[\x00-\x20]*+([A-Za-z][A-Za-z0-9+.\t\n\r-]*+):")
# Behind it in a special URL, and in any other.
_SPECIAL = re.compile(r"([/\\\t\n\r]*+)([^/\\?#]*+)")
_OTHER = re.compile(r"(//)([^/?#]*+)")
_PORT = re.compile(r":([^:\]]*)\Z")

# 4.3, URL units, those outside ASCII but for non-characters (Infra 4.5) and surrogates.
_PLANES = "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 17))
_UNIT = rf"[!$&'()*+,\-./0-9:;=?@A-Z_a-z~\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd{_PLANES}]|%[0-9A-Fa-f]{{2}}"
_NO_UNITS = re.compile(rf"(?!(?:{_UNIT})*+(?:#(?:{_UNIT})*+)?\Z)", re.DOTALL)
_REMOVED = re.compile(r"\A[\x00-\x20]|[\t\n\r]|[\x00-\x20]\Z")

# 4.5: how a URL is written.
_HREF = re.compile(
    r"([^:]+):(?://(?:([^/?#:@]*)(?::([^/?#@]*))?@)?(\[[^]]*\]|[^/?#:]*)(?::([0-9]+))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?",
    re.DOTALL,
)


class Authority(Struct, frozen=True):
    """What stands in a URL as written, the scheme in lower case: where its slashes, host and port (or None) are."""

    scheme: str
    slashes: Span
    host: Span
    port: Span | None

    @property
    def special(self) -> bool:
        """Whether the scheme is one of those that the standard has rows for (4.2)."""
        return self.scheme in _ROWS


def authority_of(url: str) -> Authority | None:
    """The scheme, slashes, host and port of a URL as written; None without a scheme."""
    scheme = _SCHEME.match(url)
    if scheme is None:
        return None
    name = re.sub(r"[\t\n\r]", "", scheme[1]).lower()
    found = (_SPECIAL if name in _ROWS else _OTHER).match(url, scheme.end())
    if found is None:
        at = Span(scheme.end(), scheme.end())
        return Authority(name, at, at, None)
    start, end = found.span(2)
    start += found[2].rfind("@") + 1
    open_literal = url.startswith("[", start) and "]" not in url[start:end]
    port = None if open_literal or name == "file" else _PORT.search(url, start, end)
    host = Span(start, port.start() if port else end)
    return Authority(name, Span(*found.span(1)), host, Span(*port.span(1)) if port else None)


class WebCaution(Struct, frozen=True):
    """A row: the code, and when it holds (of the URL as written and its authority, which it has)."""

    code: str
    holds: Callable[[str, Authority], bool]


def _before_search(text: str) -> str:
    return re.split(r"[?#]", text, maxsplit=1)[0]


def _no_unit(url: str, at: Authority) -> bool:
    """A tab or line end anywhere, a blank at an end, or behind the host what has to be encoded."""
    if _REMOVED.search(url):
        return True
    rest = url[(at.port or at.host).end :]
    head = _before_search(rest)
    slashed = head.replace("\\", "/") if at.special else head
    return _NO_UNITS.match(slashed + rest[len(head) :]) is not None


def _backslash(url: str, at: Authority) -> bool:
    """Where a slash would part the URL, but for the first two, of which another row tells."""
    start = at.slashes.start if at.scheme == "file" else at.host.start
    return at.special and "\\" in _before_search(url[start:])


def _slashes(url: str, at: Authority) -> bool:
    """Not just two of them; a path of `file` may begin with more."""
    slashes = url[at.slashes.start : at.slashes.end]
    return at.special and not (slashes.startswith("//") if at.scheme == "file" else slashes == "//")


CAUTIONS = (
    WebCaution("invalid-url-unit", _no_unit),
    WebCaution("invalid-reverse-solidus", _backslash),
    WebCaution("special-scheme-missing-following-solidus", _slashes),
)
"""In the order in which verdicts list them, behind those of all dialects."""


class WebJudge:
    """Judges URLs by the URL Standard."""

    __slots__ = ()

    def valid(self, url: str) -> bool:
        """The verdict's yes or no alone."""
        from ada_url import URL  # noqa: PLC0415  most runs do without

        return URL.can_parse(_scalar(url))

    def knows(self, _scheme: str) -> bool:
        """Never: no scheme has a grammar by which its host would stay as written."""
        return False

    def __call__(self, url: str) -> Verdict:
        """The whole verdict: parts, cautions and `href` of a valid URL, the part at fault of another."""
        from ada_url import URL  # noqa: PLC0415

        at = authority_of(url)
        try:
            href = URL(_scalar(url)).href
        except ValueError:
            scheme = at.scheme if at else None
            return Verdict(valid=False, scheme=scheme, parts=None, problems=(self._refused(url, at),), cautions=())
        from urlglean.text.cautions import cautions_of  # noqa: PLC0415  compiles patterns

        parts = parts_of(href)
        # What a host disguises is gone where it is written anew.
        written = replace(parts, host=url[at.host.start : at.host.end]) if at and parts.host else parts
        cautions = cautions_of(written, _ROWS.get(parts.scheme, WEB.other))
        if at is not None:
            cautions += tuple(row.code for row in CAUTIONS if row.holds(url, at))
        return Verdict(valid=True, scheme=parts.scheme, parts=parts, problems=(), cautions=cautions, href=href)

    def _refused(self, url: str, at: Authority | None) -> Problem:
        """The one problem of a URL that the parser does not take: it stops at the first."""
        if at is None:
            return _problem("no-scheme", Span(0, len(url)))
        host = url[at.host.start : at.host.end]
        if not host.strip(_ENDS):
            return _problem("host-missing", at.host)
        if at.port is not None and self.valid(f"{at.scheme}://{host}"):
            return _problem("port-invalid", at.port)
        return _problem("host-invalid", at.host)


def _problem(code: str, span: Span) -> Problem:
    rule = "URL Standard 4.4" if code == "no-scheme" else CODES[code].source
    return Problem(code, span, rule, CODES[code].meaning)


def parts_of(href: str) -> Parts:
    """The parts of a URL that was written anew, as they stand in it. None is absent, "" is empty.

    As in the grammars, the slash between host and path is neither's.
    """
    found = _HREF.fullmatch(href)
    assert found is not None, "the standard writes URLs so"
    scheme, user, password, host, port, path, search, fragment = found.groups()
    if host is not None:
        path = path[1:] if path else None
    return Parts(
        scheme=scheme, user=user, password=password, host=host, port=port, path=path, search=search, fragment=fragment
    )


def _scalar(url: str) -> str:
    """The URL with U+FFFD for each lone surrogate, as a browser is given it (Web IDL 3.2.6, USVString)."""
    return url if url.isascii() else url.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
