"""The header block: where it ends, its fields unfolded and decoded, the envelope, and the fields that hold URLs."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from msgspec import Struct

from urlglean.bounds import DEFAULT, Bounds
from urlglean.lazy import pattern
from urlglean.mail.charsets import decode
from urlglean.mail.octet_range import OctetRange
from urlglean.mail.transfer_encoding import undo
from urlglean.records import Decoding, FieldForm, TextPart

SKIPPED = {
    # Identifiers: `news:` or `//` in one is part of an id, and a careful reader counts no Message-ID as a URL.
    "message-id": "identifier",
    "in-reply-to": "identifiers",
    "references": "identifiers",
    "supersedes": "identifier",
    "see-also": "identifiers (RFC 1849)",
    "resent-message-id": "identifier",
    "original-message-id": "identifier",
    "x-original-message-id": "identifier",
    "content-id": "identifier",
    # Traces whose own syntax looks like a URL's.
    "path": "news hosts: `host!news:x` is no URL",
    "xref": "group:number pairs: `news.group:12`",
    # Encoded or compressed octets, and lists of field names between colons.
    "x-face": "a picture in printable characters",
    "face": "a picture in base64",
    "dkim-signature": "field names and base64",
    "domainkey-signature": "field names and base64",
    "x-google-dkim-signature": "field names and base64",
    "arc-message-signature": "field names and base64",
    "arc-seal": "base64",
}
"""Fields in which a hit would certainly be false: name, lower case -> why. All others may hold a URL."""

_SKIPPED = frozenset(map(str.encode, SKIPPED))

TOLD = (
    *(b"date", b"from", b"message-id", b"newsgroups", b"subject"),
    *(b"content-disposition", b"content-transfer-encoding", b"content-type"),
)
"""The fields of which something is told, or taken, by their name."""

_KNOWN = (
    "from|to|cc|date|subject|sender|reply-to|message-id|references|in-reply-to|received|return-path|delivered-to"
    "|newsgroups|path|mime-version|content-type|content-transfer-encoding|control|xref"
)
# field-name *WSP ":" (RFC 5322 2.2, 4.5.8); but `http://...` is the first line of a body that no blank line precedes.
_NAME = rb"[!-9;-~]++[ \t]*+:(?!//)"
# A line that is none is a fold that lost its indent, if another field goes on right after it.
_ASTRAY = rb"(?!%s)[^\r\n][^\n]*+\n(?=(?i:%s)[ \t]*+:)" % (_NAME, _KNOWN.encode())
_BLOCK = (
    rb"(?:>?From [^\n]*+(?:\n|\Z))*+"
    rb"(?:%s[^\n]*+(?:\n|\Z)(?:[ \t][^\n]*+(?:\n|\Z)|>From [^\n]*+(?:\n|\Z)|%s)*+){0,%%d}+" % (_NAME, _ASTRAY)
)
_ANOTHER = pattern(_NAME)
_VALUE = rb"[ \t]*+:([^\n]*+(?:\n(?!%s)[^\n]*+)*+)" % _NAME
_FIELD = pattern(rb"^([!-9;-~]++)" + _VALUE, re.MULTILINE)
# Begins with the one character that is searched for; most lines are told by the next.
_TOLD_FIELD = re.compile(rb"\n(?=[cdfmnsCDFMNS])(?i:(%s))(?![ \t]*+://)" % b"|".join(TOLD) + _VALUE)
_EVIDENCE = re.compile(rb"^(?:%s)[ \t]*+:" % _KNOWN.encode(), re.MULTILINE | re.IGNORECASE)
_ENDS = frozenset({b"", b"\n", b"\r"})
_FIRST_END = re.compile(rb"\r\n|\n|\r")
_EMPTY_LINE = re.compile(rb"\r?\n")
_FOLD = pattern(r"\r?\n(?=[ \t])")
_LOST_FOLD = pattern(r"\r?\n")
# RFC 2047 section 2, but of any length: mailers do not keep to 75. The standard library's own pattern is quadratic.
_ENCODED_WORD = pattern(r"=\?([^?\s]{1,60})\?([QqBb])\?([^?]*+)\?=")
_ENCODED_WORDS = pattern(r"(?:=\?[^?\s]{1,60}\?[QqBb]\?[^?]*+\?=)++")
_BETWEEN_WORDS = pattern(r"\?=\s++(?==\?)")
# Where a URL may stand: `://`, a colon with something right behind it (times have none), or `<scheme:`. Of octets two
# patterns ask, which begin with the one character that is searched for; white space is what it is in a str.
_TIGHT_COLON = r":(?://|(?<=[A-Za-z]:)[^\s\x1c-\x1f/])"
_ANGLE_SCHEME = r"<[\s\x1c-\x1f]*+[A-Za-z][A-Za-z0-9+.-]*+:"
_IN_TEXT = pattern(f"{_TIGHT_COLON}|{_ANGLE_SCHEME}")
_COLON_IN_OCTETS = re.compile(_TIGHT_COLON.encode())
_ANGLE_IN_OCTETS = re.compile(_ANGLE_SCHEME.encode())


Field = tuple[bytes, bytes]
"""A header field as it lies: its name as written, its value's octets with their folds."""


class Headers(Struct, frozen=True):
    """The header of a message, and what follows it.

    Attributes:
        block: its fields as they lie, line ends included. The message begins with it.
        first: by name (lower case), the value of the first field of that name, if it is one of `TOLD`.
        body: the octets behind the header.
        body_start: where these begin.
        within: as in `OctetRange`, of both.
        is_plain: whether every value is ASCII without encoded words, so that nothing of it can be lost.
        may_hold_url: whether `url_fields` may give anything at all.
        flaw: a cause, if not all fields were read.
    """

    block: bytes
    first: dict[bytes, bytes]
    body: bytes
    body_start: int
    within: Decoding | None
    is_plain: bool = True
    may_hold_url: bool = False
    flaw: str | None = None

    @property
    def fields(self) -> list[Field]:
        """All fields, in their order."""
        return _FIELD.findall(self.block)


@lru_cache(maxsize=8)
def _block(fields: int) -> re.Pattern[bytes]:
    return re.compile(_BLOCK % fields)


def split(octets: bytes, bounds: Bounds = DEFAULT) -> Headers:
    """Split a message into fields and body at its first empty line (RFC 5322 2.1).

    Without an empty line the body starts at the first line that is no field. A block without a single well-known
    field is prose with a colon in it, and all of it is body. Lines end in LF or CRLF; a lone CR ends one only where
    the message's first line ends so, elsewhere it is a stray.
    """
    end = _FIRST_END.search(octets)
    within = None
    if end is not None and end[0] == b"\r":
        within = Decoding(0, len(octets), "cr")
        octets = undo(octets, "cr").octets
    found = _block(bounds.fields).match(octets)
    stop = found.end() if found else 0
    block = octets[:stop]
    if not _EVIDENCE.search(block):
        return Headers(b"", {}, octets, 0, within)
    first = {name.lower(): held for name, held in reversed(_TOLD_FIELD.findall(b"\n" + block))}
    empty = _EMPTY_LINE.match(octets, stop)
    flaw = None
    if empty is None and _ANOTHER.match(octets, stop):
        flaw = f"more than {bounds.fields:,} header fields; the others were read as text"
    # All fields are asked at once: measured (Python 3.11), 1.0 us for five of them, 2.8 us one by one. This may only
    # err on the side of yes: names, and fields that are skipped, are looked at as well.
    is_plain = _is_plain(block, bounds.field)
    may_hold_url = not is_plain or shows_url(block)
    start = empty.end() if empty else stop
    return Headers(block, first, octets[start:], start, within, is_plain, may_hold_url, flaw)


def _is_plain(octets: bytes, most: int) -> bool:
    """Whether octets are what they say: nothing to decode, and not too much of it."""
    return len(octets) <= most and octets.isascii() and b"=?" not in octets


def shows_url(octets: bytes) -> bool:
    """Whether a URL may stand in octets that are text already; unfolding puts nothing next to a colon."""
    return _COLON_IN_OCTETS.search(octets) is not None or _ANGLE_IN_OCTETS.search(octets) is not None


class Value(Struct, frozen=True, gc=False):
    """A field's value: its text, what of it was lost (one clause without a place, or None), and how it was decoded."""

    text: str
    flaw: str | None = None
    charset: str = "ascii"
    marked: bool = False
    form: FieldForm = "plain"


def value(octets: bytes, bounds: Bounds = DEFAULT) -> Value:
    """Unfold a field's value (RFC 5322 2.2.3) and decode its encoded words (RFC 2047) and raw 8-bit octets."""
    most = bounds.field
    if _is_plain(octets, most):
        text = octets.decode("ascii").strip()
        return Value(unfolded(text) if "\n" in text else text)
    flaws = [f"longer than {most:,} octets, cut"] if len(octets) > most else []
    raw = decode(octets[:most])
    # Blanks between two encoded words are no part of the text (RFC 2047 6.2).
    text = _BETWEEN_WORDS.sub("?=", unfolded(raw.text.strip()))
    pieces: list[str] = []
    done = 0
    for run in _ENCODED_WORDS.finditer(text):
        decoded, flaw = _decode_words(run[0])
        pieces += text[done : run.start()], decoded
        flaws += [flaw] if flaw else []
        done = run.end()
    form: FieldForm = "encoded-words" if pieces else "plain"
    return Value("".join(pieces) + text[done:], "; ".join(flaws) or None, raw.charset, raw.marked, form)


def unfolded(text: str) -> str:
    """A value without its folds; a line end where no fold is was one that lost its blank."""
    return _LOST_FOLD.sub(" ", _FOLD.sub("", text))


def _decode_words(run: str) -> tuple[str, str | None]:
    """Decode encoded words that follow each other, and say what was lost.

    Words of one charset are decoded together: mailers split characters between two words (against RFC 2047 section 5).
    """
    words = [(charset.partition("*")[0].lower(), _octets(*word)) for charset, *word in _ENCODED_WORD.findall(run)]
    decoded = [
        decode(b"".join(octets for _, octets in same), charset) for charset, same in groupby(words, itemgetter(0))
    ]
    flaws = [one.flaw for one in decoded if one.flaw]
    return "".join(one.text for one in decoded), "; ".join(flaws) or None


def _octets(encoding: str, encoded: str) -> bytes:
    """Undo an encoded word's Q or B encoding (RFC 2047 section 4); raw characters among them are taken as UTF-8."""
    octets = encoded.encode("utf-8")
    return undo(octets, "base64").octets if encoding in "Bb" else binascii.a2b_qp(octets, header=True)


def url_fields(
    fields: Iterable[Field], block: OctetRange, part: str | None, bounds: Bounds = DEFAULT
) -> Iterator[TextPart | str]:
    """The fields that may hold a URL, in order, as texts; a str is a trouble.

    Args:
        fields: all of them, in order.
        block: where they lie.
        part: the number of their MIME part.
        bounds: of how long a value is read.
    """
    most, at = bounds.field, 0
    for name, octets in fields:
        # Measured on the 24 fields of a list's mail (Python 3.11): 18 us so, 46 us when each is unfolded and decoded.
        if b":" not in octets and b"=?" not in octets:
            continue
        if (_is_plain(octets, most) and not shows_url(octets)) or name.lower() in _SKIPPED:
            continue
        found = value(octets, bounds)
        may_hold_url = _IN_TEXT.search(found.text) is not None
        if may_hold_url:
            at = _place(block.octets, name, octets, at)
            start = block.start + at
            end = start + min(len(octets), most)
            made = Decoding(
                start, end, charset=found.charset, marked=found.marked, field=found.form, within=block.within
            )
            yield TextPart(found.text, part, name.decode(), decoding=made)
        if found.flaw and (len(octets) > most or may_hold_url):
            yield f"{name.decode()}: {found.flaw}"


def _place(block: bytes, name: bytes, octets: bytes, at: int) -> int:
    """Where the value of the next field of that name and value begins, from a place on.

    Asked for the few fields that hold a URL: to note the places of all of them takes as long as to find them.
    """
    while (at := block.find(octets, at)) >= 0:
        colon = at
        while block[colon - 1 : colon].isspace():  # which the library's parser leaves out of a value
            colon -= 1
        before = colon - 1
        while block[before - 1 : before] in {b" ", b"\t"}:
            before -= 1
        begin = before - len(name)
        if block.endswith(b":", 0, colon) and block.endswith(name, 0, before) and block[begin - 1 : begin] in _ENDS:
            return at
        at += 1
    raise ValueError(f"no field {name!r} of that value in its block")
