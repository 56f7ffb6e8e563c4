"""Reads the MIME structure of a message into text parts, numbered as in IMAP (RFC 3501 6.4.5).

The `email` parser of the standard library finds the parts. Transfer encodings and charsets are undone by this package,
because the decoding of the library raises on some wrong declarations and does not report what it replaced.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from urlglean.bounds import DEFAULT, Bounds
from urlglean.expressions import compiled
from urlglean.mail.body_part import REPORTS, Declared, below, place, text_around, text_of
from urlglean.mail.external_body import flaw_of
from urlglean.mail.headers import Headers
from urlglean.mail.mime_tree import HEADERS, Entity, Reading
from urlglean.mail.octet_range import OctetRange
from urlglean.mail.transfer_encoding import transfer_of, transfers_of, undo
from urlglean.mail.url_fields import url_fields
from urlglean.records import Decoding, TextPart

_MESSAGES = HEADERS | {"message/rfc822", "message/global", "message/news"}
# What ends a line to the parser though the value goes on: a CR alone, or the line end before a line that is no field.
_NO_FOLD = compiled(rb"\r(?!\n[ \t])|\n(?![ \t])")


def text_parts(headers: Headers, bounds: Bounds = DEFAULT) -> Iterator[TextPart | str]:
    """Yield the texts of the body of a message, in order. A str is a trouble with the text before it.

    A message that is not multipart has one part, "1". Header fields of inner parts and of attached messages that may
    hold a URL precede the text of their part, and have its number. The text before and after the parts of a multipart,
    where mailing lists put footers, has the number of the multipart; None if that is the message itself.
    """
    names = (b"Content-Type", b"Content-Transfer-Encoding")
    values = ((name, headers.first.get(name.lower())) for name in names)
    # One octet more than the bound, so that `set_raw` sees that the value is too long.
    head = b"".join(
        name + b": " + _NO_FOLD.sub(b" ", octets.strip()[: bounds.structure + 1]) + b"\n"
        for name, octets in values
        if octets is not None
    )
    stretch = OctetRange(head + b"\n" + headers.body, headers.body_start - len(head) - 1, headers.within)
    yield from _body(Reading(stretch, bounds, 0).message(), "", bounds)


def _body(message: Entity, number: str, bounds: Bounds) -> Iterator[TextPart | str]:
    """Yield the texts of the body of a message, which is attached as part `number` or is the outermost one ("").

    If the body is a multipart, its number is `number`, else `number`.1.
    """
    compound = message.is_multipart() and message.get_content_maintype() == "multipart"
    return _part(message, number if compound else below(number, 1), bounds)


def _part(entity: Entity, number: str, bounds: Bounds) -> Iterator[TextPart | str]:
    """Yield the texts and troubles of a part of any type, inner parts included."""
    if entity.flaw:
        yield f"{place(number)}: {entity.flaw}"
    if flaw := flaw_of(str(entity.get("content-type", ""))):
        yield f"{place(number)}: {flaw}"
    if not entity.is_multipart():
        yield from _leaf(entity, number, bounds)
        return
    inner = [part for part in entity.get_payload() if isinstance(part, Entity)]
    if entity.get_content_maintype() == "message":
        for message in inner:
            yield from _attached(message, entity, number, bounds)
        return
    before, after = entity.around()
    yield from text_around(before, number)
    for index, part in zip(count(1), inner, strict=False):
        inside = below(number, index)
        yield from url_fields(part.fields, part.block, inside, bounds)
        yield from _part(part, inside, bounds)
    yield from text_around(after, number)


def _attached(message: Entity, entity: Entity, number: str, bounds: Bounds) -> Iterator[TextPart | str]:
    """Yield the texts and troubles of a message that is attached as part `number`, which is `entity`."""
    yield from url_fields(message.fields, message.block, number, bounds)
    # That the body of a header alone is empty, whatever its fields say, is no trouble.
    if entity.declared not in HEADERS or message.is_multipart() or message.body.octets.strip():
        yield from _body(message, number, bounds)


def _leaf(entity: Entity, number: str, bounds: Bounds) -> Iterator[TextPart | str]:
    """Yield the texts and troubles of a part in which the parser found no inner parts.

    Text and HTML are decoded. A multipart or message without parts is read as plain text, and an attached message that
    was encoded is decoded and parsed. All other types are left out, and what holds a NUL under a type that is none.
    """
    kind = entity.get_content_type()
    maintype = kind.partition("/")[0]
    if maintype not in {"text", "multipart", "message"}:
        return
    transfers = transfers_of(entity.encoding)
    octets = entity.body.octets
    if not entity.is_known and b"\0" in undo(octets, transfer_of(transfers, octets)).octets:
        return
    if entity.depth > bounds.depth and entity.declared.startswith(("multipart/", "message/")):
        yield f"{place(number)}: nested deeper than {bounds.depth}, read as plain text"
    elif entity.is_later_piece:
        yield f"{place(number)}: a later piece of a message, read as plain text, whatever the first piece declares"
    elif maintype != "text" and octets.strip():  # a bounce may return the header of a message alone
        yield f"{place(number)}: {maintype} without parts, no boundary begins one, read as plain text"
    if entity.is_encoded and entity.declared in _MESSAGES and entity.depth <= bounds.depth:
        body = entity.body
        transfer = transfer_of(transfers, body.octets)
        made = Decoding(body.start, body.start + len(body.octets), transfer, within=body.within)
        inside = OctetRange(undo(body.octets, transfer).octets, 0, made)
        message = Reading(inside, bounds, entity.depth + 1).message()
        yield from _attached(message, entity, number, bounds)
        return
    content_type = str(entity.get("content-type", "")).encode("utf-8", "replace")
    kind = entity.declared if entity.declared in REPORTS else kind
    declared = Declared(kind, content_type, entity.get_content_charset(), transfers)
    yield from text_of(entity.body, declared, number, bounds)
