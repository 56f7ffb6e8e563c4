"""Reads the texts of a part without inner parts: undoes transfer encoding and charset, removes files, reads HTML."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from urlglean.bounds import Bounds
from urlglean.charsets import codec_of, decode
from urlglean.errors import NEEDS_MEMORY
from urlglean.expressions import compiled
from urlglean.html_recognition import is_html, is_of_eudora
from urlglean.inline_binaries import without_binaries
from urlglean.mail import enriched
from urlglean.mail.directory_text import DIRECTORY, with_whole_characters
from urlglean.mail.format_flowed import flowed
from urlglean.mail.octet_range import OctetRange
from urlglean.mail.transfer_encoding import transfer_of, undo, undo_lost
from urlglean.records import Decoding, Flowed, TextPart, Transfer

if TYPE_CHECKING:
    from urlglean.mail.html import Page

# The others are for mail that a program may change when it is shown, and for watches.
_HTML = frozenset({"text/html", "text/x-amp-html", "text/watch-html"})
# A scheme that the caller asks for may stand before any colon, and a host without a scheme has a dot.
_MAY_HOLD_URL = compiled(rb":|[A-Za-z0-9]\.[A-Za-z0-9]")
REPORTS = frozenset(
    f"message/{name}"
    for name in ("delivery-status", "disposition-notification", "feedback-report", "global-delivery-status")
)
"""Types of reports that consist of header fields (RFC 3464, 8098, 5965). As text they keep their order."""
# RFC 2483 5: a URI in each line. In a field, a fold is a blank.
_WHOLE_LINES = DIRECTORY | REPORTS | {"text/uri-list"}


class Declared(Struct, frozen=True):
    """What the header fields of a part declare about its body.

    Attributes:
        kind: type and subtype, in lower case.
        content_type: the value of the field Content-Type, unfolded; empty if there is no such field.
        charset: the parameter "charset" of that field, if there is one.
        transfers: the transfer encodings, one at least. If there are several, the body shows which of them it has.
        boundary: the boundary between the parts of a multipart.
    """

    kind: str
    content_type: bytes
    charset: str | None
    transfers: tuple[Transfer, ...]
    boundary: bytes = b""


def text_of(body: OctetRange, declared: Declared, number: str, bounds: Bounds) -> Iterator[TextPart | str]:
    """Yield the texts of a part of type text, in order. A str is a trouble with the text before it.

    Args:
        body: the body of the part, not decoded.
        declared: what its fields declare.
        number: the number of the part.
        bounds: limits, such as that on the length of HTML.
    """
    transfer = transfer_of(declared.transfers, body.octets)
    octets, miscoded = undo(body.octets, transfer)
    # Without a type it would be plain (RFC 2045 5.2), but archives of mail leave out the type of HTML too.
    is_page = (
        declared.kind in _HTML or (not declared.content_type and is_html(octets.lstrip(b"\0"))) or is_of_eudora(octets)
    )
    # Some programs encode it twice.
    if is_page and (lost := undo_lost(octets)) is not None:
        octets, transfer = lost, transfer or "quoted-printable"
    stretch = Decoding(body.start, body.start + len(body.octets), transfer, within=body.within)
    if is_page:
        is_xml = b"xhtml" in declared.content_type.partition(b";")[0].lower()
        found = _html(octets, declared.charset, number, stretch, bounds, is_xml=is_xml)
    else:
        found = _plain(octets, declared, number, stretch, bounds)
    if miscoded:
        found = chain([miscoded], found)
    yield from (f"{place(number)}: {item}" if isinstance(item, str) else item for item in found)


def page_texts(octets: bytes, bounds: Bounds) -> Iterator[TextPart | str]:
    """Yield the texts of a page of HTML that is no part of a message, as those of a part without a number."""
    made = Decoding(0, len(octets))
    if (lost := undo_lost(octets)) is not None:
        octets, made = lost, replace(made, transfer="quoted-printable")
    return _html(octets, None, None, made, bounds)


def _plain(
    octets: bytes, declared: Declared, number: str, stretch: Decoding, bounds: Bounds
) -> Iterator[TextPart | str]:
    kept = without_binaries(octets)
    is_directory = declared.kind in DIRECTORY
    text, lossy, charset, marked = decode(with_whole_characters(kept) if is_directory else kept, declared.charset)
    if text:
        made = replace(stretch, blanked=kept != octets, charset=charset, marked=marked)
        if is_directory:
            from urlglean.mail.directory_html import as_shown  # noqa: PLC0415 - as below

            yield from _of_page(as_shown(text, bounds), number, made, bounds, _flowed(declared))
        else:
            shown = enriched.plain(text) if declared.kind in enriched.ENRICHED else text
            yield TextPart(shown, number, flowed=_flowed(declared), decoding=made)
    if lossy:
        yield lossy


def _flowed(declared: Declared) -> Flowed:
    if declared.kind in _WHOLE_LINES:  # as all lines of flowed text that do not end in a blank
        return "flowed"
    return flowed(declared.content_type) if declared.kind == "text/plain" else ""


def _html(  # noqa: PLR0913
    octets: bytes, declared: str | None, number: str | None, stretch: Decoding, bounds: Bounds, *, is_xml: bool = False
) -> Iterator[TextPart | str]:
    """Yield the texts of HTML: what a reader sees, then the URL of each attribute."""
    from urlglean.mail import html, html_charset, html_lexer  # noqa: PLC0415 - most messages have no HTML and need no lexer for it

    codec = codec_of(declared or "")  # it may mean nothing, or not be known
    if codec is None:
        declared = html_charset.charset_of(octets) or declared
    if not (codec or "").startswith("iso2022"):
        declared = html_charset.shown_by(octets) or declared
    source, lossy, charset, marked = decode(octets, declared)
    made = replace(stretch, charset=charset, marked=marked, html=True)
    try:
        page = html.read(html_lexer.with_plain_cdata(source) if is_xml else source, bounds)
    except MemoryError:
        yield TextPart(source, number, decoding=replace(made, html=False))
        yield f"HTML that {NEEDS_MEMORY}, read as source text"
    else:
        yield from _of_page(page, number, made, bounds)
    if lossy:
        yield lossy


def _of_page(
    page: Page, number: str | None, made: Decoding, bounds: Bounds, flowed: Flowed = ""
) -> Iterator[TextPart | str]:
    """Yield the visible text and the links of a page, or of a text that has HTML in it."""
    if page.text:
        yield TextPart(page.text, number, flowed=flowed, decoding=made)
    if page.links:
        made = replace(made, html=True)
    for field, url, line, label in page.links:
        yield TextPart(url, number, field, whole=True, decoding=made, line=line, label=label)
    if page.more:
        yield f"HTML with more than {bounds.links:,} links, the others left out"
    if page.overlong:
        yield "HTML whose base would make its relative links much longer than the page, left out"


def text_around(around: OctetRange, number: str) -> Iterator[TextPart]:
    """Yield the text before or after the parts of a multipart, if it may hold a URL.

    Args:
        around: the octets of that text.
        number: the number of the multipart; "" if it is the message itself.
    """
    octets, start = around.octets, around.start
    if _MAY_HOLD_URL.search(octets):
        text, _, used, marked = decode(octets)
        made = Decoding(start, start + len(octets), charset=used, marked=marked, within=around.within)
        yield TextPart(text, number or None, decoding=made)


def below(number: str, index: int) -> str:
    """The number of the inner part `index`, counted from 1, of the part `number`."""
    return f"{number}.{index}" if number else str(index)


def place(number: str) -> str:
    """The name of a part in troubles; `number` is "" for the body of the message."""
    return f"part {number}" if number else "body"
