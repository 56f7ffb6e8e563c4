"""The order of the parts in a URL: needed to put parts together again, and to find the place of each part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

PartOrder = tuple[tuple[str, str], ...]
"""The parts behind the authority in their order: pairs of the sign that introduces a part and the part's name."""

COMMON: PartOrder = (
    ("/", "path"),
    (";type=", "ftp_type"),
    ("", "fields"),
    ("", "address"),
    ("/", "newsgroup"),
    ("/", "message_id"),
    ("/", "content_id"),
    ("/", "article_number"),
    ("/", "database"),
    ("/", "wais_type"),
    ("/", "wais_path"),
    ("?", "search"),
)
"""The order of all schemes except gopher. One order is enough, because no two of them order their parts differently."""

GOPHER: PartOrder = (
    ("/", "path"),
    ("/", "gopher_type"),
    ("", "selector"),
    ("%09", "search"),
    ("%09", "gopher_string"),
)

EARLY_GOPHER: PartOrder = (
    ("/", "gopher_type"),
    ("", "selector"),
    ("?", "search"),
)

Pieces = Iterator[tuple[str | None, str]]


def laid_out(parts: Mapping[str, str | None], slashes: str, layout: PartOrder) -> Pieces:
    """The text of a URL without its fragment, piece by piece: pairs of a part's name and its text.

    The name is None for a sign between parts. `slashes` precede the authority, if there is one. In a URL without an
    authority, no "/" is put before the first part: it belongs to the path.
    """
    yield "scheme", parts["scheme"] or ""
    yield None, ":"
    opened = parts.get("host") is not None
    if opened:
        yield None, slashes
        yield from _authority(parts)
    for sign, name in layout:
        if (part := parts.get(name)) is not None:
            if opened or sign != "/":
                yield None, sign
            yield name, part
            opened = True


def _authority(parts: Mapping[str, str | None]) -> Pieces:
    """The pieces of the authority, <user>:<password>@<host>:<port> (RFC 1738 3.1)."""
    if (user := parts.get("user")) is not None:
        yield "user", user
        if (password := parts.get("password")) is not None:
            yield None, ":"
            yield "password", password
        yield None, "@"
    yield "host", parts["host"] or ""
    if (port := parts.get("port")) is not None:
        yield None, ":"
        yield "port", port
