"""The MIME structure of a message -> its text parts, numbered as IMAP does (RFC 3501 6.4.5).

The standard library's `email` parser finds the parts. Transfer encodings and charsets are undone here, not there: its
decoding raises on some lies and is silent about what it replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesParser
from email.policy import Policy, compat32
from functools import partial
from itertools import count
from typing import Any

from urlglean.mail.binaries import without_binaries
from urlglean.mail.charsets import decode
from urlglean.mail.flow import flowed
from urlglean.mail.headers import MAX_FIELDS, Field, Headers, may_hold_url, url_fields
from urlglean.mail.transfer import undo
from urlglean.records import TextPart

MAX_DEPTH = 32
"""How deep parts may nest: the parser tries each line against the boundary of every open multipart."""

MAX_STRUCTURE = 2_000
"""Characters of a Content-* field that say how a part is built; the parser of parameters is quadratic in them."""

READ_AS_TEXT = frozenset(
    {
        # Reports of fields, one a line (RFC 3464, 8098, 5965): as text they keep the order a reader sees.
        "message/delivery-status",
        "message/disposition-notification",
        "message/feedback-report",
        "message/global-delivery-status",
        # PGP's own type before RFC 2015: a text with its signature.
        "application/pgp",
    },
)
"""Types that are text whatever their name says."""

_MESSAGES = frozenset({"message/rfc822", "message/global", "message/news"})
_STRUCTURE = frozenset({"content-type", "content-transfer-encoding", "content-disposition"})
_TOO_LONG = f"Content-* field longer than {MAX_STRUCTURE} characters, cut"
_TOO_MANY = f"more than {MAX_FIELDS:,} header fields, the others left out"
_FOLD = re.compile(r"\r?\n(?=[ \t])")
_ENCODED = re.compile(r"\s*+(?:base64|quoted|x-uue|uue)", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]{0,300}?charset\s{0,9}=\s{0,9}[\"']?([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)
_META_WITHIN = 1_024
"""Octets in which HTML 5 wants a document's own charset to be (12.2.3.2)."""


class _Entity(Message):
    """A part as the parser builds it, with bounds: through these methods alone it hands over what it read."""

    _payload: Any  # the base class's own, which its stubs leave out

    def __init__(self, policy: Policy = compat32, *, depth: int = 0) -> None:
        super().__init__(policy)
        self.depth = depth
        self.flaw: str | None = None

    def attach(self, payload: Any) -> None:
        """Take a part in and tell it how deep it lies, before its type is asked for."""
        if isinstance(payload, _Entity):
            payload.depth = self.depth + 1
        super().attach(payload)

    def set_raw(self, name: str, value: str) -> None:
        """Store a field, if there are not too many; those that the parser takes apart are bounded and unfolded."""
        if name.lower() in _STRUCTURE:
            self.flaw = self.flaw or (_TOO_LONG if len(value) > MAX_STRUCTURE else None)
            value = _FOLD.sub("", value[:MAX_STRUCTURE])
        if len(self) < MAX_FIELDS:
            super().set_raw(name, value)
        else:
            self.flaw = _TOO_MANY

    def get_content_type(self) -> str:
        """The type to read the part by, which past `MAX_DEPTH` is plain text."""
        declared = super().get_content_type()
        return "text/plain" if self.depth > MAX_DEPTH or declared in READ_AS_TEXT or self.is_encoded else declared

    @property
    def is_encoded(self) -> bool:
        """Whether it is a message that was encoded before it was attached, which RFC 2046 5.2.1 forbids."""
        return self.declared.startswith("message/") and _ENCODED.match(self.encoding) is not None

    @property
    def declared(self) -> str:
        """The type as the part declares it."""
        return super().get_content_type()

    @property
    def octets(self) -> bytes:
        """The body's octets as they lie. `get_payload` would decode them, by the charset that they declare."""
        body = self._payload
        return body.encode("ascii", "surrogateescape") if isinstance(body, str) else b""

    @property
    def encoding(self) -> str:
        """The Content-Transfer-Encoding as written, "" where there is none."""
        return str(self.get("content-transfer-encoding", ""))

    @property
    def fields(self) -> Iterator[Field]:
        """The part's own header fields."""
        return (Field(name, str(value).encode("ascii", "surrogateescape")) for name, value in self.raw_items())


def text_parts(headers: Headers) -> Iterator[TextPart | str]:
    """The texts of a message's body in order; a str is a trouble and belongs to what stands before it.

    A message that is not multipart has the one part "1". The header fields of inner parts and of attached messages
    that may hold a URL come before their part's text, under its number. Multipart's preamble and epilogue, where lists
    put their footers, are texts of the multipart's number, None for the message's own.
    """
    names = (b"Content-Type", b"Content-Transfer-Encoding")
    values = ((name, headers.first(name.decode().lower())) for name in names)
    # One octet past the bound: enough to see that it was passed.
    head = b"".join(name + b": " + octets[: MAX_STRUCTURE + 1] + b"\n" for name, octets in values if octets is not None)
    parser: BytesParser[_Entity] = BytesParser(_Entity)
    yield from _body(parser.parsebytes(head + b"\n" + headers.body), "")


def _body(message: _Entity, number: str) -> Iterator[TextPart | str]:
    """The body of a message, itself or attached as part `number`: a multipart has its number, else it is its .1."""
    compound = message.is_multipart() and message.get_content_maintype() == "multipart"
    return _part(message, number if compound else _below(number, 1))


def _part(entity: _Entity, number: str) -> Iterator[TextPart | str]:
    """One part, whatever it is."""
    if entity.flaw:
        yield f"{_place(number)}: {entity.flaw}"
    if not entity.is_multipart():
        yield from _leaf(entity, number)
        return
    inner = [part for part in entity.get_payload() if isinstance(part, _Entity)]
    if entity.get_content_maintype() == "message":
        for message in inner:
            yield from url_fields(tuple(message.fields), number)
            yield from _body(message, number)
        return
    yield from _around(entity.preamble, number)
    for index, part in zip(count(1), inner, strict=False):
        below = _below(number, index)
        yield from url_fields(tuple(part.fields), below)
        yield from _part(part, below)
    yield from _around(entity.epilogue, number)


def _leaf(entity: _Entity, number: str) -> Iterator[TextPart | str]:
    """A part without parts: text or HTML decoded, anything else passed over."""
    kind = entity.get_content_type()
    maintype = kind.partition("/")[0]
    if maintype not in {"text", "multipart", "message"}:
        return
    if entity.depth > MAX_DEPTH and entity.declared.startswith(("multipart/", "message/")):
        yield f"{_place(number)}: nested deeper than {MAX_DEPTH}, read as plain text"
    elif maintype != "text":
        yield f"{_place(number)}: {maintype} without parts, its boundary does not occur, read as plain text"
    octets, miscoded = undo(entity.octets, entity.encoding)
    if entity.is_encoded and entity.declared in _MESSAGES and entity.depth <= MAX_DEPTH:
        parser: BytesParser[_Entity] = BytesParser(partial(_Entity, depth=entity.depth + 1))
        message = parser.parsebytes(octets)
        yield from url_fields(tuple(message.fields), number)
        yield from _body(message, number)
        return
    charset = entity.get_content_charset()
    if kind == "text/html" and charset is None:
        meta = _META_CHARSET.search(octets, 0, _META_WITHIN)
        charset = meta[1].decode("ascii") if meta else None
    if kind == "text/html":
        text, lossy = decode(octets, charset)
        yield from _html(text, number) if text else ()
    else:
        text, lossy = decode(without_binaries(octets), charset)
        content_type = str(entity.get("content-type", "")).encode("utf-8", "replace") if kind == "text/plain" else b""
        yield from (TextPart(text, number, flowed=flowed(content_type)),) if text else ()
    yield from (f"{_place(number)}: {flaw}" for flaw in (miscoded, lossy) if flaw)


def _html(source: str, number: str) -> Iterator[TextPart | str]:
    """An HTML part: what a reader sees, then each attribute's URL."""
    from urlglean.mail import html  # noqa: PLC0415 - most messages have no HTML, and need no parser for it

    page = html.read(source)
    if page is None:
        yield TextPart(source, number)
        yield f"{_place(number)}: HTML too long or too deeply nested, read as source text"
        return
    if page.text:
        yield TextPart(page.text, number)
    yield from (TextPart(url, number, field, whole=True) for field, url in page.links)


def _around(text: str | None, number: str) -> Iterator[TextPart]:
    """What stands before or after a multipart's parts, if it may hold a URL."""
    if text and may_hold_url(text):
        yield TextPart(decode(text.encode("ascii", "surrogateescape")).text, number or None)


def _below(number: str, index: int) -> str:
    """The number of a part's part."""
    return f"{number}.{index}" if number else str(index)


def _place(number: str) -> str:
    """How a trouble calls a part."""
    return f"part {number}" if number else "body"
