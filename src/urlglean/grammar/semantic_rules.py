"""The rules that the standards state only in prose: rules about the parts, and divisions that the BNF does not make."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

PartsDict = dict[str, str]


class SemanticRule(Struct, frozen=True):
    """A row: the code of the problem, its source, the part at fault, and a function that says whether it is broken."""

    code: str
    source: str
    part: str
    broken: Callable[[PartsDict], bool]


# The addr-spec of RFC 822 6.1, without the blanks and comments that are allowed between its tokens.
_ATOM = r"[!#-'*+\-/-9=?A-Z^-~]++"
_QUOTED = r'"(?:[^"\\\r]|\\[\x00-\x7f])*+"'
_LITERAL = r"\[(?:[^\[\]\\\r]|\\[\x00-\x7f])*+\]"
_WORD, _SUB_DOMAIN = f"(?:{_ATOM}|{_QUOTED})", f"(?:{_ATOM}|{_LITERAL})"
_ADDR_SPEC = rf"{_WORD}(?:\.{_WORD})*+@{_SUB_DOMAIN}(?:\.{_SUB_DOMAIN})*+"


def _no_addr_spec(parts: PartsDict) -> bool:
    from urllib.parse import unquote  # noqa: PLC0415  slow to import, and few texts hold a mailto URL

    return re.fullmatch(_ADDR_SPEC, unquote(parts["address"], "latin-1")) is None


def _line_end_in_selector(parts: PartsDict) -> bool:
    selector = parts.get("selector", "").lower()
    return "%0a" in selector or "%0d" in selector


def _doubled_scheme(parts: PartsDict) -> bool:
    if parts.get("port") != "":
        return False
    from urlglean.grammar.schemes import FAMILIAR  # noqa: PLC0415 - it imports this module

    return parts["host"].lower() in FAMILIAR


# In WGS-84, the system that holds if no other is named (RFC 5870 3.4.1).
_OTHER_SYSTEM = r"(?i);crs=(?!wgs84(?:;|\Z))"
_FARTHEST_NORTH, _FARTHEST_EAST = 90, 180


def _beyond_the_globe(parts: PartsDict) -> bool:
    if re.search(_OTHER_SYSTEM, parts["path"]):
        return False
    latitude, longitude, *_ = parts["path"].partition(";")[0].split(",")
    return abs(float(latitude)) > _FARTHEST_NORTH or abs(float(longitude)) > _FARTHEST_EAST


NEEDS_ADDR_SPEC = SemanticRule("no-addr-spec", "RFC 1738 3.5 addr-spec", "address", _no_addr_spec)
SELECTOR_IS_A_LINE = SemanticRule("line-end-in-selector", "RFC 1738 3.4.1 selector", "selector", _line_end_in_selector)
ON_THE_GLOBE = SemanticRule("no-such-place", "RFC 5870 3.4.2", "path", _beyond_the_globe)
NOT_DOUBLED = SemanticRule("doubled-scheme", "RFC 3986 3.2.3 port", "host", _doubled_scheme)


def gopher_parts(parts: PartsDict, url: str) -> PartsDict:
    """The parts with the selector divided at encoded tabs into selector, search and gopher+ string.

    This is RFC 1738 3.4.1-3.4.3. In the BNF, *xchar matches the tabs too, although no selector may hold one.
    """
    if "gopher_type" not in parts:
        return trailing_slash(parts, url)
    names = ("selector", "search", "gopher_string")
    return parts | dict(zip(names, parts.get("selector", "").split("%09", 2), strict=False))


def trailing_slash(parts: PartsDict, url: str) -> PartsDict:
    """The parts with an empty path if the URL ends in the optional "/" behind the host (RFC 1738 3.4.1, 3.8)."""
    return parts | {"path": ""} if url.endswith("/") else parts


def every_group(parts: PartsDict, _url: str) -> PartsDict:
    """The parts with the newsgroup "*", which means all newsgroups, if the URL has no other (RFC 1738 3.6)."""
    return parts if "newsgroup" in parts or "message_id" in parts else parts | {"newsgroup": "*"}


def typecode(parts: PartsDict, _url: str) -> PartsDict:
    """The parts with the typecode apart: `;type=<typecode>` ends an FTP path (RFC 1738 3.2.2).

    By RFC 3986 alone it would be part of the path. Letters of any case are allowed (RFC 822 3.4.7, by RFC 1738 5).
    """
    found = re.fullmatch("(.*);type=([aid])", parts.get("path", ""), re.IGNORECASE | re.DOTALL)
    return parts | {"path": found[1], "ftp_type": found[2]} if found else parts


def link_attributes(parts: PartsDict, _url: str) -> PartsDict:
    """The parts with the Prospero link's fields apart: `%00` ends the hsoname, a version and attributes follow it.

    The source is the production prosperolink of the BNF before RFC 1738.
    """
    path, found, rest = parts["path"].partition("%00")
    return parts | {"path": path, "fields": found + rest} if found else parts


def local_host(parts: PartsDict, url: str) -> PartsDict:
    """The parts with an empty host if nothing follows the "//"; without "//" the URL has no host.

    In a `file` URL the empty host means the machine that interprets the URL (RFC 1738 3.10).
    """
    if "host" in parts:
        return parts
    return parts | {"host": ""} if url.partition(":")[2].startswith("//") else opaque_path(parts, url)


def opaque_path(parts: PartsDict, url: str) -> PartsDict:
    """The parts of a URL that does not follow the common Internet scheme syntax; those of other URLs stay as they are.

    Its path is everything behind the scheme, except the search. If it begins with "//", it has an empty host instead.
    """
    if "host" in parts:
        return parts
    rest = url.partition(":")[2]
    if rest.startswith("//") and "path" in parts:
        return parts | {"host": ""}
    tail = len(parts["search"]) + 1 if "search" in parts else 0
    return parts | {"path": rest[: len(rest) - tail]}
