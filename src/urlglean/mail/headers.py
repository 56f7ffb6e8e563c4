"""Splits a message into header and body: finds where the header ends, and looks up the fields that tell what it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from urlglean.bounds import DEFAULT, Bounds
from urlglean.expressions import compiled
from urlglean.lazy import pattern
from urlglean.mail.content_type import proven, undeclared
from urlglean.mail.external_body import is_external
from urlglean.mail.field_lines import (
    ASTRAY_OR_RULER,
    ENVELOPE,
    FIELD,
    FIELD_NAME,
    NAME,
    TRANSFER,
    TYPE,
    VALUE,
    WELL_KNOWN_NAMES,
    Field,
)
from urlglean.mail.header_values import is_plain
from urlglean.mail.octet_range import OctetRange
from urlglean.mail.torn_headers import torn, torn_behind
from urlglean.mail.transfer_encoding import undo
from urlglean.mail.url_fields import shows_url
from urlglean.records import Decoding

TOLD = (
    *(b"date", b"from", b"message-id", b"newsgroups", b"subject"),
    *(b"content-disposition", b"content-transfer-encoding", b"content-type"),
)
"""The fields that are looked up by name: those of the envelope, and those of the MIME structure."""

_BLOCK = rb"%s(?:(?=%s)(?:%s|%s){0,%%d}+)?+" % (ENVELOPE, NAME, FIELD, ASTRAY_OR_RULER)
_ENVELOPE_LINES = pattern(ENVELOPE)
# Begins with the one character for which the search looks; the character after it excludes most lines.
_TOLD_FIELD = compiled(rb"\n(?=[cdfmnsCDFMNS])(?i:(%s))(?![ \t]*+://)" % b"|".join(TOLD) + VALUE)
_EVIDENCE = compiled(rb"^(?:%s)[ \t]*+:" % WELL_KNOWN_NAMES.encode(), re.MULTILINE | re.IGNORECASE)
_EMPTY_LINE = compiled(rb"\r?\n")
_EMPTY_LINES = compiled(rb"(?:[ \t]*+\r?\n)++")
# `bytes` looks for a number ten times as fast as for an octet of `bytes`, for which it raises an error first.
_CR = ord("\r")


class Headers(Struct, frozen=True):
    """The header and the body of a message.

    Attributes:
        block: the fields, not decoded, with their line ends. They are the beginning of the message.
        first: as from `first_of`, for the names in `TOLD`.
        body: the octets behind the header.
        body_start: the offset at which they begin.
        within: as in `OctetRange`, for both block and body.
        is_plain: whether all values are short, and ASCII without encoded words, so that decoding loses nothing.
        may_hold_url: whether `url_fields` may yield anything.
        flaw: the cause if not all fields were read, else None.
    """

    block: bytes
    first: dict[bytes, bytes]
    body: bytes
    body_start: int
    within: Decoding | None
    is_plain: bool = True
    may_hold_url: bool = False
    flaw: str | None = None


@lru_cache(maxsize=8)
def _block(fields: int) -> re.Pattern[bytes]:
    return compiled(_BLOCK % fields)


def split(octets: bytes, bounds: Bounds = DEFAULT) -> Headers:
    """Split a message into header and body at its first empty line (RFC 5322 2.1).

    Without an empty line, the body begins at the first line that is not a field; such a line may also be a continuation
    line that has lost its indent. A block without any well-known field is not a header but text with a colon, and
    belongs to the body. Lines end in LF or CRLF. If the first line ends in a lone CR, all lines do, and any may
    end in CR CR LF; elsewhere a lone CR does not end a line.
    """
    within = None
    end = octets.find(b"\n")
    ends_in_cr = -1 < octets.find(b"\r", 0, end if end >= 0 else None) != end - 1
    if ends_in_cr or (_CR in octets and b"\r\r\n" in octets):
        within = Decoding(0, len(octets), "cr")
        octets = undo(octets, "cr").octets
    stop, is_header = _end(octets, bounds.fields)
    block = octets[:stop]
    empty = _EMPTY_LINE.match(octets, stop)
    flaw = None if empty and stop else _flaw(octets, stop, bounds)
    if not is_header:
        return Headers(b"", {}, octets, 0, within, flaw=flaw or torn_behind(octets, 0, stop, ()))
    start = empty.end() if empty else stop
    body = octets[start:]
    told = _TOLD_FIELD.findall(b"\n" + block)
    first = first_of(told)
    type_ = undeclared(first.get(TYPE, b""), first.get(TRANSFER, b""), body)
    if type_ is None and len(first) < len(told):
        type_ = proven(_of_name(told, TYPE), body)
    if type_ is not None:
        first[TYPE] = type_
    if flaw is None:
        flaw = torn_behind(octets, 0, stop, first)
    # All fields are searched at once: measured, this takes a quarter of the time of four searches. The answer may be
    # yes where it should be no, because names and skipped fields are searched too, but never the reverse.
    most = bounds.of_envelope
    is_short = len(block) <= most or max(map(len, first.values()), default=0) <= most
    plain = is_short and is_plain(block, bounds.field)
    may_hold_url = not plain or shows_url(block) or is_external(block)
    return Headers(block, first, body, start, within, plain, may_hold_url, flaw)


def _end(octets: bytes, fields: int) -> tuple[int, bool]:
    """Where the fields end with which a message begins, and whether they are a header: one of them is well known.

    A mail program may have put fields of its own before the empty line with which the message begins: then the header
    is behind that line.
    """
    begin, first = 0, 0
    while (found := _block(fields).match(octets, begin)) and (stop := found.end()) > begin:
        if _EVIDENCE.search(octets, begin, stop):
            return stop, True
        first = first or stop
        lines = _EMPTY_LINES.match(octets, stop)
        if lines is None:
            break
        begin = lines.end()
    return first, False


def first_of(fields: Sequence[Field]) -> dict[bytes, bytes]:
    """Name, in lower case -> the value of the first field of that name.

    Of several Content-Transfer-Encoding the values of all, separated by commas: only the body tells which is true.
    """
    first = {name.lower(): held for name, held in reversed(fields)}
    if len(first) < len(fields) and TRANSFER in first:
        first[TRANSFER] = b",".join(_of_name(fields, TRANSFER))
    return first


def _of_name(fields: Sequence[Field], name: bytes) -> Iterator[bytes]:
    return (held for written, held in fields if written.lower() == name)


def _flaw(octets: bytes, stop: int, bounds: Bounds) -> str | None:
    """What is lost of a header that ends without an empty line, at the offset `stop`; None if nothing is."""
    if FIELD_NAME.match(octets, stop):
        return f"more than {bounds.fields:,} header fields; the others were read as text"
    return torn(octets, stop)


def envelope_lines(headers: Headers) -> OctetRange:
    """The lines `From ` before the first field of a header. One of them may be text that has come to stand there."""
    lines = _ENVELOPE_LINES.match(headers.block)
    return OctetRange(lines[0] if lines else b"", 0, headers.within)
