"""The judge of dialect `web`: the URL Standard of the WHATWG (https://url.spec.whatwg.org/), with `ada-url`.

`ada-url` is the parser of Node.js. It says whether a URL is valid, and gives its normalized form; it corrects small
errors silently. To find the part that it refuses, this module asks it again without the other parts. The corrections
are reported as cautions, by the names of the standard's validation errors, if they can be found without another parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from urlglean.expressions import compiled
from urlglean.grammar.codes import CODES
from urlglean.grammar.dialect_tables import WEB
from urlglean.records import Problem, Span, Verdict
from urlglean.url_parts import Parts

_ROWS = {row.name: row for row in WEB.schemes}

# 4.4, basic URL parser: the characters that are removed from both ends before parsing.
_ENDS = "".join(map(chr, range(0x21)))
_SCHEME = compiled(r"[\x00-\x20]*+([A-Za-z][A-Za-z0-9+.\t\n\r-]*+):")
# The slashes and the authority behind the scheme, in a special URL and in any other.
_SPECIAL = compiled(r"([/\\\t\n\r]*+)([^/\\?#]*+)")
_NOT_SPECIAL = compiled(r"(//)([^/?#]*+)")
_PORT = compiled(r":([^:\]]*)\Z")

# 4.3, URL units; outside ASCII they are all characters except non-characters (Infra 4.5) and surrogates.
_PLANES = "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 17))
_UNIT = rf"[!$&'()*+,\-./0-9:;=?@A-Z_a-z~\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd{_PLANES}]|%[0-9A-Fa-f]{{2}}"
_NO_UNITS = compiled(rf"(?!(?:{_UNIT})*+(?:#(?:{_UNIT})*+)?\Z)", re.DOTALL)
_REMOVED = compiled(r"\A[\x00-\x20]|[\t\n\r]|[\x00-\x20]\Z")

# 4.5, the normalized form of a URL.
_HREF = compiled(
    r"([^:]+):(?://(?:([^/?#:@]*)(?::([^/?#@]*))?@)?(\[[^]]*\]|[^/?#:]*)(?::([0-9]+))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?",
    re.DOTALL,
)


class Authority(Struct, frozen=True):
    """The beginning of a URL as written: the scheme in lower case, and the places of slashes, host and port.

    `port` is None if there is no port. All spans are code points of the URL.
    """

    scheme: str
    slashes: Span
    host: Span
    port: Span | None

    @property
    def special(self) -> bool:
        """Whether the scheme is a special scheme (4.2)."""
        return self.scheme in _ROWS


def authority_of(url: str) -> Authority | None:
    """The scheme, slashes, host and port of a URL as written; None if it has no scheme."""
    scheme = _SCHEME.match(url)
    if scheme is None:
        return None
    name = re.sub(r"[\t\n\r]", "", scheme[1]).lower()
    found = (_SPECIAL if name in _ROWS else _NOT_SPECIAL).match(url, scheme.end())
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
    """A row: the code, and a function of the URL as written and its authority that says whether the caution applies."""

    code: str
    holds: Callable[[str, Authority], bool]


def _before_search(text: str) -> str:
    return re.split(r"[?#]", text, maxsplit=1)[0]


def _no_unit(url: str, at: Authority) -> bool:
    """Whether a tab or line end is anywhere, a blank at an end, or behind the host a character to be encoded."""
    if _REMOVED.search(url):
        return True
    rest = url[(at.port or at.host).end :]
    head = _before_search(rest)
    slashed = head.replace("\\", "/") if at.special else head
    return _NO_UNITS.match(slashed + rest[len(head) :]) is not None


def _backslash(url: str, at: Authority) -> bool:
    """Whether a backslash is in the place of a slash. The slashes behind the scheme belong to another caution."""
    start = at.slashes.start if at.scheme == "file" else at.host.start
    return at.special and "\\" in _before_search(url[start:])


def _slashes(url: str, at: Authority) -> bool:
    """Whether a special scheme has not exactly two slashes behind it. A `file` URL may have more."""
    slashes = url[at.slashes.start : at.slashes.end]
    return at.special and not (slashes.startswith("//") if at.scheme == "file" else slashes == "//")


CAUTIONS = (
    WebCaution("invalid-url-unit", _no_unit),
    WebCaution("invalid-reverse-solidus", _backslash),
    WebCaution("special-scheme-missing-following-solidus", _slashes),
)
"""The cautions of this dialect, in the order in which verdicts list them; those of all dialects precede them."""


class WebJudge:
    """Judges URLs by the URL Standard."""

    __slots__ = ()

    def valid(self, url: str) -> bool:
        """Whether the URL is valid, without the rest of the verdict."""
        from ada_url import URL  # noqa: PLC0415  most runs do not need it

        return URL.can_parse(_scalar(url))

    def knows(self, _scheme: str) -> bool:
        """False: this dialect has no grammar for any scheme, and it may normalize the host."""
        return False

    def __call__(self, url: str) -> Verdict:
        """The whole verdict: parts, cautions and `href` of a valid URL, or the one problem of an invalid one."""
        from ada_url import URL  # noqa: PLC0415

        at = authority_of(url)
        try:
            href = URL(_scalar(url)).href
        except ValueError:
            scheme = at.scheme if at else None
            return Verdict(valid=False, scheme=scheme, parts=None, problems=(self._refused(url, at),), cautions=())
        from urlglean.text.cautions import cautions_of  # noqa: PLC0415  compiles patterns

        parts = parts_of(href)
        # The cautions need the host as written, because the normalized host is no longer disguised.
        written = replace(parts, host=url[at.host.start : at.host.end]) if at and parts.host else parts
        cautions = cautions_of(written, _ROWS.get(parts.scheme, WEB.other))
        if at is not None:
            cautions += tuple(row.code for row in CAUTIONS if row.holds(url, at))
        return Verdict(valid=True, scheme=parts.scheme, parts=parts, problems=(), cautions=cautions, href=href)

    def _refused(self, url: str, at: Authority | None) -> Problem:
        """The problem of a URL that the parser refuses. There is only one, because the parser stops at the first."""
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
    """The parts of a normalized URL, as written. None means absent, "" means empty.

    As in the grammars, the slash between host and path belongs to neither.
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
    """The URL with U+FFFD for each lone surrogate, as browsers convert strings (Web IDL 3.2.6, USVString)."""
    return url if url.isascii() else url.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
