"""URLs alone, one a line: what a pipe is fed with.

What is not printable, and each space, is written as escapes of its octets in UTF-8 (RFC 3986 2.1, as RFC 3987 3.1 does
for all but ASCII): no line holds another line end, a blank, or what a terminal would obey, and each is still a URL.
Octets that were no text stay themselves; any other lone surrogate becomes U+FFFD.
"""

from __future__ import annotations

from collections.abc import Sequence

from urlglean.occurrence import Occurrence


def lines(occurrences: Sequence[Occurrence]) -> list[bytes]:
    r"""The URL of each occurrence, with its "\n"."""
    return [f"{_escaped(each.finding.url)}\n".encode() for each in occurrences]


def _escaped(url: str) -> str:
    if url.isprintable() and " " not in url:
        return url
    return "".join(char if char.isprintable() and char != " " else _escape(char) for char in url)


def _escape(char: str) -> str:
    try:
        octets = char.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        octets = "\ufffd".encode()
    return "".join(f"%{octet:02X}" for octet in octets)
