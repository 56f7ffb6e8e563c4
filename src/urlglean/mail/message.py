"""A document -> its message: envelope, texts in order, and the causes of what could not be read whole."""

from __future__ import annotations

import re
from collections.abc import Iterable

from urlglean.mail.binaries import without_binaries
from urlglean.mail.charsets import decode
from urlglean.mail.envelope import envelope
from urlglean.mail.flow import flowed
from urlglean.mail.headers import Headers, split, url_fields
from urlglean.records import Document, Envelope, Message, TextPart

_PLAIN_TYPE = re.compile(
    rb"\s*+text/plain\s*+"
    rb"(?:;\s*+(?:charset\s*+=\s*+\"?(?:us-ascii|utf-8|(iso-8859-1|iso-8859-15|windows-125[0-8]))\"?"
    rb"|(?:format|delsp)\s*+=\s*+\"?[a-z]++\"?)\s*+)*+;?\s*+",
    re.IGNORECASE,
)
_PLAIN_ENCODINGS = frozenset({b"", b"7bit", b"8bit", b"binary"})
_MARK_OCTETS = (b"\xef", b"\xfe", b"\xff", b"\0")


def read(document: Document) -> Message:
    """Read one document of storage. No octets raise: what is broken is read as well as can be, and said.

    Args:
        document: a plain text, which is one part with an empty envelope, or a message (RFC 5322, RFC 5536, MIME).

    Returns:
        The envelope; the texts: first each header field that may hold a URL (unfolded, decoded, `field` its name as
        written, `part` None), then the body's parts in order (`part` "1.2", field None), each HTML part's links after
        its visible text (`field` "a@href", `whole`); and the troubles, one line each: what was lost or replaced, a
        structure that could not be read, a bound that was reached. Lines of uuencoded and yEnc files inside a text are
        empty in it. Flowed text is as it lies, `flowed` says how its lines are to be joined.
    """
    if document.kind == "text":
        text, flaw = decode(without_binaries(document.data))
        return Message(Envelope(), (TextPart(text),), (flaw,) if flaw else ())
    headers = split(document.data)
    filled, troubles = envelope(headers)
    if headers.flaw:
        troubles.append(headers.flaw)
    items = [*troubles, *url_fields(headers.fields, None), *_body(headers)]
    return Message(
        filled,
        tuple(item for item in items if isinstance(item, TextPart)),
        tuple(dict.fromkeys(item for item in items if isinstance(item, str))),
    )


def plain_body(headers: Headers) -> TextPart | None:
    """The fast path: the body of a message without MIME, or of MIME's plainest kind; None for all the others.

    The parser of MIME goes through a body line by line; most mail and nearly all news needs none of it.
    """
    # Measured on 1,893 plain messages of 1.6 kB (Python 3.11): 2.4 us each here, 43 us by way of `parts.text_parts`.
    kind = _PLAIN_TYPE.fullmatch(headers.first("content-type") or b"text/plain")
    encoding = (headers.first("content-transfer-encoding") or b"").lower()
    if not kind or encoding not in _PLAIN_ENCODINGS or headers.body.startswith(_MARK_OCTETS):
        return None
    if kind[1] and not headers.body.isascii():
        return None
    try:
        return TextPart(without_binaries(headers.body).decode("utf-8"), "1", flowed=flowed(kind[0]))
    except UnicodeDecodeError:
        return None


def _body(headers: Headers) -> Iterable[TextPart | str]:
    """The body's texts and troubles, by the fast path where it serves."""
    if not headers.body:
        return ()
    plain = plain_body(headers)
    if plain is not None:
        return (plain,)
    from urlglean.mail.parts import text_parts  # noqa: PLC0415 - it imports the parser of MIME

    try:
        return tuple(text_parts(headers))
    except Exception as error:  # noqa: BLE001 - whatever MIME broke, its text is still there to be read
        text, flaw = decode(headers.body)
        causes = (f"body: MIME not understood ({type(error).__name__}: {error}), read as plain text"[:200], flaw)
        return (TextPart(text, "1"), *filter(None, causes))
