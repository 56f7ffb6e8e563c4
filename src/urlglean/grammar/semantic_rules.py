"""What the standards say in prose only: rules on the parts of a URL, and where the BNF leaves two parts in one."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

PartsDict = dict[str, str]


class SemanticRule(Struct, frozen=True):
    """A row: the code of the problem, where it is said, the part that is at fault, and whether the rule is broken."""

    code: str
    source: str
    part: str
    broken: Callable[[PartsDict], bool]


# RFC 822 6.1 addr-spec, without the blanks and comments that may stand between its tokens.
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
    from urlglean.grammar.schemes import FAMILIAR  # noqa: PLC0415 - whose rows name the rules that stand here

    return parts["host"].lower() in FAMILIAR


NEEDS_ADDR_SPEC = SemanticRule("no-addr-spec", "RFC 1738 3.5 addr-spec", "address", _no_addr_spec)
SELECTOR_IS_A_LINE = SemanticRule("line-end-in-selector", "RFC 1738 3.4.1 selector", "selector", _line_end_in_selector)
NOT_DOUBLED = SemanticRule("doubled-scheme", "RFC 3986 3.2.3 port", "host", _doubled_scheme)


def gopher_parts(parts: PartsDict, url: str) -> PartsDict:
    """RFC 1738 3.4.1-3.4.3: encoded tabs part the selector, the search and the gopher+ string.

    The BNF lets *xchar take the tabs too, though no selector may hold one.
    """
    if "gopher_type" not in parts:
        return trailing_slash(parts, url)
    names = ("selector", "search", "gopher_string")
    return parts | dict(zip(names, parts.get("selector", "").split("%09", 2), strict=False))


def trailing_slash(parts: PartsDict, url: str) -> PartsDict:
    """RFC 1738 3.4.1, 3.8: a "/" that may be omitted. It is the end of the host; the path behind it is empty."""
    return parts | {"path": ""} if url.endswith("/") else parts


def every_group(parts: PartsDict, _url: str) -> PartsDict:
    """RFC 1738 3.6: "*" instead of a newsgroup name stands for all there are."""
    return parts if "newsgroup" in parts or "message_id" in parts else parts | {"newsgroup": "*"}


def typecode(parts: PartsDict, _url: str) -> PartsDict:
    """RFC 1738 3.2.2: `;type=<typecode>` ends an FTP path; RFC 3986 alone would leave it in the path."""
    path, found, code = parts.get("path", "").rpartition(";type=")
    return parts | {"path": path, "ftp_type": code} if found and code.lower() in {"a", "i", "d"} else parts


def link_attributes(parts: PartsDict, _url: str) -> PartsDict:
    """The BNF before RFC 1738, prosperolink: `%00` ends the hsoname; a version and attributes follow it."""
    path, found, rest = parts["path"].partition("%00")
    return parts | {"path": path, "fields": found + rest} if found else parts


def local_host(parts: PartsDict, url: str) -> PartsDict:
    """RFC 1738 3.10: the empty host is one: the machine that interprets the URL. Without "//" there is none."""
    if "host" in parts:
        return parts
    return parts | {"host": ""} if url.partition(":")[2].startswith("//") else opaque_path(parts, url)


def opaque_path(parts: PartsDict, url: str) -> PartsDict:
    """A scheme part that does not follow the common Internet scheme syntax is a path as a whole, its search aside."""
    if "host" in parts:
        return parts
    rest = url.partition(":")[2]
    if rest.startswith("//") and "path" in parts:
        return parts | {"host": ""}
    tail = len(parts["search"]) + 1 if "search" in parts else 0
    return parts | {"path": rest[: len(rest) - tail]}
