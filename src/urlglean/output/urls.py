"""Writes only the URLs, one in each line, as input for other programs.

Spaces and characters that are not seen are percent-encoded as UTF-8 (RFC 3986 2.1; RFC 3987 3.1 does so with all
characters outside ASCII). So no line holds another line end, a blank or a control character, and each line is still a
URL. A surrogate that represents an octet that could not be decoded becomes that octet, percent-encoded; any other lone
surrogate becomes U+FFFD.
"""

from __future__ import annotations

from collections.abc import Sequence

from urlglean.occurrence import Occurrence
from urlglean.text.invisible import is_visible


def lines(occurrences: Sequence[Occurrence]) -> list[bytes]:
    r"""The URL of each occurrence, ending in "\n"."""
    return [f"{escaped(each.finding.url)}\n".encode() for each in occurrences]


def escaped(url: str) -> str:
    """The URL with spaces and characters that are not seen percent-encoded."""
    if is_visible(url) and " " not in url:
        return url
    return "".join(char if is_visible(char) and char != " " else _escape(char) for char in url)


def _escape(char: str) -> str:
    try:
        octets = char.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        octets = "\ufffd".encode()
    return "".join(f"%{octet:02X}" for octet in octets)
