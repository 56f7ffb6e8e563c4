"""Reads the texts of a part without inner parts: undoes transfer encoding and charset, removes files, reads HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from urlglean.bounds import Bounds
from urlglean.charsets import decode
from urlglean.inline_binaries import without_binaries
from urlglean.lazy import pattern
from urlglean.mail.format_flowed import flowed
from urlglean.mail.headers import shows_url
from urlglean.mail.octet_range import OctetRange
from urlglean.mail.transfer_encoding import undo
from urlglean.records import Decoding, TextPart, Transfer

_META_CHARSET = pattern(rb"<meta[^>]{0,300}?charset\s{0,9}=\s{0,9}[\"']?([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)
_META_WITHIN = 1_024
"""HTML 5 (12.2.3.2) wants a document to declare its charset within so many octets."""


class Declared(Struct, frozen=True):
    """What the header fields of a part declare about its body.

    Attributes:
        kind: type and subtype, in lower case.
        content_type: the value of the field Content-Type, unfolded; empty if there is no such field.
        charset: the parameter "charset" of that field, if there is one.
        transfer: the transfer encoding.
        boundary: the boundary between the parts of a multipart.
    """

    kind: str
    content_type: bytes
    charset: str | None
    transfer: Transfer
    boundary: bytes = b""


def text_of(body: OctetRange, declared: Declared, number: str, bounds: Bounds) -> Iterator[TextPart | str]:
    """Yield the texts of a part of type text, in order. A str is a trouble with the text before it.

    Args:
        body: the body of the part, not decoded.
        declared: what its fields declare.
        number: the number of the part.
        bounds: limits, such as that on the length of HTML.
    """
    kind, charset = declared.kind, declared.charset
    octets, miscoded = undo(body.octets, declared.transfer)
    html = kind == "text/html"
    if html and charset is None and (meta := _META_CHARSET.search(octets, 0, _META_WITHIN)):
        charset = meta[1].decode("ascii")
    kept = octets if html else without_binaries(octets)
    text, lossy, used, marked = decode(kept, charset)
    if text:
        end = body.start + len(body.octets)
        made = Decoding(
            *(body.start, end, declared.transfer, kept != octets, used, marked), html=html, within=body.within
        )
        if html:
            yield from _html(text, number, made, bounds)
        else:
            yield TextPart(
                text, number, flowed=flowed(declared.content_type) if kind == "text/plain" else "", decoding=made
            )
    yield from (f"{place(number)}: {flaw}" for flaw in (miscoded, lossy) if flaw)


def _html(source: str, number: str, made: Decoding, bounds: Bounds) -> Iterator[TextPart | str]:
    """Yield the texts of an HTML part: what a reader sees, then the URL of each attribute."""
    from urlglean.mail import html  # noqa: PLC0415 - most messages have no HTML, so they do not need its parser

    page = html.read(source, bounds)
    if page is None:
        yield TextPart(source, number, decoding=replace(made, html=False))
        yield f"{place(number)}: HTML too long or too deeply nested, read as source text"
        return
    if page.text:
        yield TextPart(page.text, number, decoding=made)
    yield from (TextPart(url, number, field, whole=True, decoding=made) for field, url in page.links)


def text_around(around: OctetRange, number: str) -> Iterator[TextPart]:
    """Yield the text before or after the parts of a multipart, if it may hold a URL.

    Args:
        around: the octets of that text.
        number: the number of the multipart; "" if it is the message itself.
    """
    octets, start = around.octets, around.start
    if octets and shows_url(octets):
        text, _, used, marked = decode(octets)
        made = Decoding(start, start + len(octets), charset=used, marked=marked, within=around.within)
        yield TextPart(text, number or None, decoding=made)


def below(number: str, index: int) -> str:
    """The number of the inner part `index`, counted from 1, of the part `number`."""
    return f"{number}.{index}" if number else str(index)


def place(number: str) -> str:
    """The name of a part in troubles; `number` is "" for the body of the message."""
    return f"part {number}" if number else "body"
