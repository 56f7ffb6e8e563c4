"""Possible dangers in a valid URL (RFC 1738 section 6, RFC 3986 section 7), one row for each. They are no faults."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from urlglean.expressions import compiled
from urlglean.grammar.schemes import DialectRow
from urlglean.lazy import unicode_pattern
from urlglean.text.invisible import INVISIBLE
from urlglean.url_parts import Parts


class Caution(Struct, frozen=True):
    """A row: the code, and a function of the parts and the scheme's row that says whether the caution applies."""

    code: str
    holds: Callable[[Parts, DialectRow], bool]


_ENCODED_LINE_END = compiled(r"%0[0AD]", re.IGNORECASE)
_DOTTED_QUAD = compiled(r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+\.?")
_DISGUISED_NUMBER = compiled(r"(?:0x[0-9a-f]*|[0-9]+)(?:\.(?:0x[0-9a-f]*|[0-9]+)){0,3}\.?", re.IGNORECASE)
_HOST_LIKE = compiled(r"(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/:?#]|\Z)", re.IGNORECASE)
_BIDI = compiled(
    "[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|%E2%80%8[EF]|%E2%80%A[A-E]|%E2%81%A[6-9]|%D8%9C", re.IGNORECASE
)
_RAW_IN_ID = compiled("[#^]|%(?![0-9A-Fa-f]{2})")
_LOOK_ALIKE = tuple(
    unicode_pattern(rf"\p{{{script}}}") for script in ("Latin", "Greek", "Cyrillic", "Armenian", "Cherokee")
)
"""Scripts that share letter shapes (UTS 39): a label with letters of two of them may imitate another label."""

_RESERVED = frozenset({"afs", "mid", "cid", "nfs", "tn3270", "mailserver", "z39.50"})
"""The scheme names that RFC 1738 4 reserves. The caution applies only if the scheme still has no row of its own."""


def _texts(parts: Parts) -> str:
    return "\0".join(text for name in parts.__struct_fields__ if (text := getattr(parts, name)))


def _number(digits: str) -> int:
    """The number of the digits, of which at most 7 are read: Python refuses to convert thousands of digits.

    Seven digits are enough to see that a number is too large for a port or an octet.
    """
    return int(digits.lstrip("0")[:7] or "0")


def _odd_low_port(parts: Parts, row: DialectRow) -> bool:
    """Whether the port is below 1024 and not the scheme's default; never for a scheme without a default port."""
    return bool(parts.port) and row.port is not None and row.port != _number(parts.port or "") < 1024


def _port_too_high(parts: Parts, _row: DialectRow) -> bool:
    return _number(parts.port or "") > 65535


def _disguised_host(parts: Parts, _row: DialectRow) -> bool:
    """Whether programs take the host for an IP address, although it is not written as in RFC 1738 3.1."""
    host = parts.host or ""
    if not _DISGUISED_NUMBER.fullmatch(host):
        return False
    plain = _DOTTED_QUAD.fullmatch(host) is not None
    return not plain or any(len(octet) > 1 and octet.startswith("0") for octet in host.split("."))


def _quad_too_high(parts: Parts, _row: DialectRow) -> bool:
    host = parts.host or ""
    return _DOTTED_QUAD.fullmatch(host) is not None and any(
        _number(octet) > 255 for octet in host.rstrip(".").split(".")
    )


def _mixed_scripts(parts: Parts, _row: DialectRow) -> bool:
    host = parts.host or ""
    if host.isascii() and "xn--" not in host.lower():
        return False
    labels = list(map(_unicode_label, host.split(".")))
    whole = ".".join(labels)
    used = [script for script in _LOOK_ALIKE if script.search(whole)]
    return len(used) > 1 and any(sum(script.search(label) is not None for script in used) > 1 for label in labels)


def _unicode_label(label: str) -> str:
    """The label in Unicode if it is an A-label that can be decoded (RFC 5890 2.3.2.1); else the label as it is."""
    if not label.lower().startswith("xn--") or len(label) > 63:
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return label


def _invisible_in_host(parts: Parts, _row: DialectRow) -> bool:
    """Whether a character of the host is shown as nothing; RFC 5892 2.3 allows none in a name.

    Elsewhere in a URL such characters have their use: joiners in many scripts, variation selectors in emoji.
    """
    host = parts.host or ""
    if host.isascii() and "%" not in host and "xn--" not in host.lower():
        return False
    decoded = parts.decoded("host")
    name = decoded if isinstance(decoded, str) else host
    return INVISIBLE.search(".".join(map(_unicode_label, name.split(".")))) is not None


CAUTIONS = (
    Caution("password", lambda parts, _: parts.password is not None),
    Caution("user-like-host", lambda parts, _: _HOST_LIKE.match(str(parts.decoded("user"))) is not None),
    Caution("odd-low-port", _odd_low_port),
    Caution("port-too-high", _port_too_high),
    Caution("encoded-line-end", lambda parts, _: _ENCODED_LINE_END.search(_texts(parts)) is not None),
    Caution("disguised-host", _disguised_host),
    Caution("quad-too-high", _quad_too_high),
    Caution("punycode-host", lambda parts, _: "xn--" in (parts.host or "").lower()),
    Caution("mixed-script-host", _mixed_scripts),
    Caution("invisible-in-host", _invisible_in_host),
    Caution("bidi-control", lambda parts, _: _BIDI.search(_texts(parts)) is not None),
    Caution("raw-message-id", lambda parts, _: _RAW_IN_ID.search(parts.message_id or "") is not None),
    Caution("encoded-blank", lambda parts, _: parts.scheme == "tel" and "%20" in (parts.path or "").partition(";")[0]),
    Caution("experimental-scheme", lambda parts, _: parts.scheme.startswith("x-")),
    Caution("reserved-scheme", lambda parts, row: row.name != parts.scheme and parts.scheme in _RESERVED),
)
"""All cautions, in the order in which verdicts list them. Their meanings are in `grammar.codes`."""


def cautions_of(parts: Parts, row: DialectRow) -> tuple[str, ...]:
    """The codes of the cautions that apply, in the order of `CAUTIONS`."""
    return tuple(each.code for each in CAUTIONS if each.holds(parts, row))
