"""What to beware of in a valid URL (RFC 1738 section 6, RFC 3986 section 7): codes, a row each, no faults."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from urlglean.records import Parts


class Caution(Struct, frozen=True):
    """A row: the code, where it is said, what it means, and when it holds (of the parts and the default port)."""

    code: str
    source: str
    meaning: str
    holds: Callable[[Parts, int | None], bool]


_ENCODED_LINE_END = re.compile(r"%0[0AD]", re.IGNORECASE)
_DOTTED_QUAD = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+\.?")
_DISGUISED_NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)(?:\.(?:0x[0-9a-f]*|[0-9]+)){0,3}\.?", re.IGNORECASE)
_HOST_LIKE = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}", re.IGNORECASE)
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def _texts(parts: Parts) -> str:
    return "\0".join(text for name in parts.__struct_fields__ if (text := getattr(parts, name)))


def _number(digits: str) -> int:
    """The number, cut off above what any port or octet could be: Python refuses to read thousands of digits."""
    return int(digits.lstrip("0")[:7] or "0")


def _odd_low_port(parts: Parts, default: int | None) -> bool:
    return bool(parts.port) and _number(parts.port or "") < 1024 and _number(parts.port or "") != default


def _port_too_high(parts: Parts, _default: int | None) -> bool:
    return _number(parts.port or "") > 65535


def _disguised_host(parts: Parts, _default: int | None) -> bool:
    """A number that programs take for an IP address, but not written as RFC 1738 3.1 writes one."""
    host = parts.host or ""
    if not _DISGUISED_NUMBER.fullmatch(host):
        return False
    plain = _DOTTED_QUAD.fullmatch(host) is not None
    return not plain or any(len(octet) > 1 and octet.startswith("0") for octet in host.split("."))


def _quad_too_high(parts: Parts, _default: int | None) -> bool:
    host = parts.host or ""
    return _DOTTED_QUAD.fullmatch(host) is not None and any(
        _number(octet) > 255 for octet in host.rstrip(".").split(".")
    )


CAUTIONS = (
    Caution(
        "password",
        "RFC 1738 6",
        "a password stands in the URL for all to read",
        lambda parts, _: parts.password is not None,
    ),
    Caution(
        "user-like-host",
        "RFC 3986 7.6",
        "the user name looks like a host; the real host comes after the @",
        lambda parts, _: _HOST_LIKE.fullmatch(parts.user or "") is not None,
    ),
    Caution(
        "odd-low-port",
        "RFC 1738 6",
        "a port below 1024 that belongs to another protocol",
        _odd_low_port,
    ),
    Caution("port-too-high", "RFC 6335 6", "no port has a number above 65535", _port_too_high),
    Caution(
        "encoded-line-end",
        "RFC 1738 6",
        "an encoded CR, LF or NUL, which could pass for a delimiter of the protocol",
        lambda parts, _: _ENCODED_LINE_END.search(_texts(parts)) is not None,
    ),
    Caution("disguised-host", "RFC 3986 7.4", "an IP address in octal, hexadecimal or as one number", _disguised_host),
    Caution(
        "quad-too-high", "RFC 3986 3.2.2", "a dotted quad with a number above 255 is no IP address", _quad_too_high
    ),
    Caution(
        "punycode-host",
        "RFC 5890 4.4",
        "an internationalized name in its encoded form",
        lambda parts, _: "xn--" in (parts.host or "").lower(),
    ),
    Caution(
        "bidi-control",
        "RFC 3987 4.1",
        "a character that changes the direction of writing",
        lambda parts, _: _BIDI.search(_texts(parts)) is not None,
    ),
)


def cautions_of(parts: Parts, default_port: int | None) -> tuple[str, ...]:
    """The codes of the cautions that hold, in the order of the table."""
    return tuple(row.code for row in CAUTIONS if row.holds(parts, default_port))
