"""How the parts of a URL stand in it: what puts them together again, and tells where each one stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

PartOrder = tuple[tuple[str, str], ...]
"""The parts behind the authority in the order in which they stand, each behind the sign that introduces it."""

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
"""Of all schemes but one: no scheme has parts that another one has in another order."""

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
    """The text of a URL without its fragment, piece by piece: parts with their names, and the signs between them.

    A "/" that would open a URL without an authority is part of its path.
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
    """RFC 1738 3.1: <user>:<password>@<host>:<port>."""
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
