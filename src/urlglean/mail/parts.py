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

from urlglean.mail.headers import MAX_FIELDS, Field, Headers, url_fields
from urlglean.mail.leaf import MAX_STRUCTURE, Declared, below, place, text_around, text_of
from urlglean.mail.transfer import undo
from urlglean.records import TextPart

MAX_DEPTH = 32
"""How deep parts may nest: the parser tries each line against the boundary of every open multipart."""

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
        return _octets(self._payload)

    @property
    def encoding(self) -> str:
        """The Content-Transfer-Encoding as written, "" where there is none."""
        return str(self.get("content-transfer-encoding", ""))

    @property
    def fields(self) -> Iterator[Field]:
        """The part's own header fields."""
        return ((name.encode(), str(value).encode("ascii", "surrogateescape")) for name, value in self.raw_items())


def text_parts(headers: Headers) -> Iterator[TextPart | str]:
    """The texts of a message's body in order; a str is a trouble and belongs to what stands before it.

    A message that is not multipart has the one part "1". The header fields of inner parts and of attached messages
    that may hold a URL come before their part's text, under its number. Multipart's preamble and epilogue, where lists
    put their footers, are texts of the multipart's number, None for the message's own.
    """
    names = (b"Content-Type", b"Content-Transfer-Encoding")
    values = ((name, headers.first.get(name.lower())) for name in names)
    # One octet past the bound: enough to see that it was passed.
    head = b"".join(
        name + b": " + octets.strip()[: MAX_STRUCTURE + 1] + b"\n" for name, octets in values if octets is not None
    )
    parser: BytesParser[_Entity] = BytesParser(_Entity)
    yield from _body(parser.parsebytes(head + b"\n" + headers.body), "")


def _body(message: _Entity, number: str) -> Iterator[TextPart | str]:
    """The body of a message, itself or attached as part `number`: a multipart has its number, else it is its .1."""
    compound = message.is_multipart() and message.get_content_maintype() == "multipart"
    return _part(message, number if compound else below(number, 1))


def _part(entity: _Entity, number: str) -> Iterator[TextPart | str]:
    """One part, whatever it is."""
    if entity.flaw:
        yield f"{place(number)}: {entity.flaw}"
    if not entity.is_multipart():
        yield from _leaf(entity, number)
        return
    inner = [part for part in entity.get_payload() if isinstance(part, _Entity)]
    if entity.get_content_maintype() == "message":
        for message in inner:
            yield from url_fields(message.fields, number)
            yield from _body(message, number)
        return
    yield from text_around(_octets(entity.preamble), number)
    for index, part in zip(count(1), inner, strict=False):
        inside = below(number, index)
        yield from url_fields(part.fields, inside)
        yield from _part(part, inside)
    yield from text_around(_octets(entity.epilogue), number)


def _leaf(entity: _Entity, number: str) -> Iterator[TextPart | str]:
    """A part without parts: text or HTML decoded, anything else passed over."""
    kind = entity.get_content_type()
    maintype = kind.partition("/")[0]
    if maintype not in {"text", "multipart", "message"}:
        return
    if entity.depth > MAX_DEPTH and entity.declared.startswith(("multipart/", "message/")):
        yield f"{place(number)}: nested deeper than {MAX_DEPTH}, read as plain text"
    elif maintype != "text":
        yield f"{place(number)}: {maintype} without parts, its boundary does not occur, read as plain text"
    if entity.is_encoded and entity.declared in _MESSAGES and entity.depth <= MAX_DEPTH:
        octets, _ = undo(entity.octets, entity.encoding)
        parser: BytesParser[_Entity] = BytesParser(partial(_Entity, depth=entity.depth + 1))
        message = parser.parsebytes(octets)
        yield from url_fields(message.fields, number)
        yield from _body(message, number)
        return
    content_type = str(entity.get("content-type", "")).encode("utf-8", "replace")
    declared = Declared(kind, content_type, entity.get_content_charset(), entity.encoding)
    yield from text_of(entity.octets, declared, number)


def _octets(text: object) -> bytes:
    """The octets of what the parser holds as a str; of anything else, which is no text, none."""
    return text.encode("ascii", "surrogateescape") if isinstance(text, str) else b""
