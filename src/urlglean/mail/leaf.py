"""One part of a message that holds no others -> its texts: transfer encoding, charset, embedded files, HTML undone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from urlglean.lazy import pattern
from urlglean.mail.binaries import without_binaries
from urlglean.mail.charsets import decode
from urlglean.mail.flow import flowed
from urlglean.mail.headers import shows_url
from urlglean.mail.transfer import undo
from urlglean.records import TextPart

MAX_STRUCTURE = 2_000
"""Octets of a Content-* field that say how a part is built; the parser of parameters is quadratic in them."""

_META_CHARSET = pattern(rb"<meta[^>]{0,300}?charset\s{0,9}=\s{0,9}[\"']?([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)
_META_WITHIN = 1_024
"""Octets in which HTML 5 wants a document's own charset to be (12.2.3.2)."""


class Declared(Struct, frozen=True):
    """What the fields of a part say of its body.

    Attributes:
        kind: type and subtype, in lower case.
        content_type: the field, unfolded; empty where there is none.
        charset: its parameter of that name, if there is one.
        encoding: the Content-Transfer-Encoding, "" where there is none.
        boundary: what stands between the parts of a multipart.
    """

    kind: str
    content_type: bytes
    charset: str | None
    encoding: str
    boundary: bytes = b""


def text_of(octets: bytes, declared: Declared, number: str) -> Iterator[TextPart | str]:
    """The texts of a part of type text, in order; a str is a trouble and belongs to what stands before it.

    Args:
        octets: the part's body as it lies.
        declared: what its fields say.
        number: the part's.
    """
    kind, charset = declared.kind, declared.charset
    octets, miscoded = undo(octets, declared.encoding)
    if kind == "text/html":
        if charset is None and (meta := _META_CHARSET.search(octets, 0, _META_WITHIN)):
            charset = meta[1].decode("ascii")
        text, lossy = decode(octets, charset)
        yield from _html(text, number) if text else ()
    else:
        text, lossy = decode(without_binaries(octets), charset)
        if text:
            yield TextPart(text, number, flowed=flowed(declared.content_type) if kind == "text/plain" else "")
    yield from (f"{place(number)}: {flaw}" for flaw in (miscoded, lossy) if flaw)


def _html(source: str, number: str) -> Iterator[TextPart | str]:
    """An HTML part: what a reader sees, then each attribute's URL."""
    from urlglean.mail import html  # noqa: PLC0415 - most messages have no HTML, and need no parser for it

    page = html.read(source)
    if page is None:
        yield TextPart(source, number)
        yield f"{place(number)}: HTML too long or too deeply nested, read as source text"
        return
    if page.text:
        yield TextPart(page.text, number)
    yield from (TextPart(url, number, field, whole=True) for field, url in page.links)


def text_around(octets: bytes, number: str) -> Iterator[TextPart]:
    """What stands before or after a multipart's parts, if it may hold a URL."""
    if octets and shows_url(octets):
        yield TextPart(decode(octets).text, number or None)


def below(number: str, index: int) -> str:
    """The number of a part's part."""
    return f"{number}.{index}" if number else str(index)


def place(number: str) -> str:
    """How a trouble calls a part."""
    return f"part {number}" if number else "body"
