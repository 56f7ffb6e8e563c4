"""What a caller wants of all that can be found: `Wanted`, a record, and the tests that it stands for.

Whole messages are left out before they are decoded, parts before they are searched, URLs after they were found. What is
left out is counted in the report of its document. A rejected candidate has neither a scheme nor a host that anybody can
be sure of, so only the message and the part decide about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from fnmatch import translate
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import force_setattr

from urlglean.bounds import Bounds
from urlglean.errors import ContradictionError, DateError
from urlglean.expressions import compiled
from urlglean.mail import envelope_of, header_of
from urlglean.mail.envelope import bare_id
from urlglean.records import Document, TextPart
from urlglean.sources import unframed
from urlglean.text.finding import Finding, scheme_and_host
from urlglean.text.search_terms import search_terms, several_names

LeftOut = Literal["", "unwanted", "undated"]
"""Why a document is left out: it is not wanted; or dates are asked for and it has none. "": it is not left out."""

LONGEST_NAME = 255
"""Characters of a host that may be a name of the DNS (RFC 1035 2.3.4, in octets). Converting it takes time that grows
with the square of its length."""

_DATE = compiled(r"[0-9]{4}(?:-[0-9]{2}){0,2}")
_NUMBER = compiled("[0-9]+")
_NOTHING = (
    (("hosts", "newsgroups", "messages"), compiled(""), "it is empty"),
    (("hosts", "newsgroups"), compiled(r"(?:[^\[]|\[!?+\]?+[^\]]*+\])*+\[.*", re.DOTALL), 'its "[" is not closed'),
    (("messages",), compiled("0+"), "the first message has number 1"),
)
"""What nothing matches: the fields in which it may stand, its pattern, and why."""


def check_date(text: str) -> None:
    """Check that a text is a year, a month or a day, as ISO 8601 writes them.

    Raises:
        DateError: it is none.
    """
    try:
        date.fromisoformat((text + "-01-01")[:10])
    except ValueError:
        raise DateError(text) from None
    if not _DATE.fullmatch(text):
        raise DateError(text)


def _check_period(since: str, until: str) -> None:
    """Check that both are dates, as `check_date` does, or "", and that a period is between them.

    Raises:
        DateError: one of them is no date.
        ContradictionError: the period ends before it begins.
        TypeError: one of them is no str.
    """
    for name, text in (("since", since), ("until", until)):
        if not isinstance(text, str):
            raise TypeError(f"{name} must be str, not {type(text).__name__}")
        if text:
            check_date(text)
    shortest = min(len(since), len(until))
    if since[:shortest] > until[:shortest]:
        raise ContradictionError(f"since {since} and until {until} leave nothing: the end is before the beginning")


class Wanted(Struct, frozen=True, kw_only=True):
    """Which messages, parts and URLs are wanted. An empty value wants all; several fields must all be met.

    In a pattern, "*" stands for anything, "?" for one character, "[...]" for one of several; case makes no difference.

    Attributes:
        schemes: the only schemes that are wanted (RFC 3986 3.1).
        hosts: patterns, one of which the host must match, as the row has it or in the other form of a name in IDNA
            (RFC 5890 2.3.2: "bücher.example", "xn--bcher-kva.example"). A pattern need not have the dot at the end of a
            host and the brackets of an IPv6 address. A URL without a host matches none.
        newsgroups: patterns, one of which must match one of the groups to which a message was posted (RFC 5536 3.1.4).
        messages: numbers of messages in their file, from 1, or Message-IDs, with or without angle brackets (RFC 5322
            3.6.4). A file that is one message has number 1.
        since: the first year, month or day of messages that are wanted, such as "1994-05", by their Date in UTC.
        until: the last year, month or day, the whole of which is wanted.
        header: True wants only header fields, False all but them (RFC 5322 2.2); None both.
        html: True wants only what stands in HTML, its links too, False all but that; None both.

    Raises:
        SchemeNameError: one of `schemes` is not a possible name of a scheme.
        DateError: `since` or `until` is no year, month or day.
        ContradictionError: `until` is before `since`, header fields that stand in HTML are asked for, a pattern is
            empty or has a "[" that is not closed, or a message has number 0.
        TypeError: a field has a wrong type; one that has several names must not be a single str.
    """

    schemes: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    newsgroups: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    header: bool | None = None
    html: bool | None = None

    def __post_init__(self) -> None:
        for name in ("schemes", "hosts", "newsgroups", "messages"):
            names = several_names(name, getattr(self, name))
            force_setattr(self, name, names)  # so that it can be hashed
            for fields, pattern, cause in _NOTHING:
                if name in fields and (met := next(filter(pattern.fullmatch, names), None)) is not None:
                    raise ContradictionError(f"{met!r} in {name} leaves nothing: {cause}")
        search_terms(self.schemes)
        for name in ("header", "html"):
            if (asked := getattr(self, name)) not in (True, False, None):
                raise TypeError(f"{name} must be True, False or None, not {asked!r}")
        _check_period(self.since, self.until)
        if self.header and self.html:
            raise ContradictionError("header and html leave nothing: no header field is HTML")

    @property
    def of_urls(self) -> bool:
        """Whether something is asked of URLs."""
        return bool(self.schemes or self.hosts)

    @property
    def of_parts(self) -> bool:
        """Whether something is asked of the parts of a message."""
        return self.header is not None or self.html is not None

    @property
    def of_messages(self) -> bool:
        """Whether something is asked of whole messages."""
        return bool(self.newsgroups or self.messages or self.since or self.until)

    @property
    def asked(self) -> dict[str, str | bool | list[str]]:
        """What is asked for, by the names of the command line."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in zip(OPTIONS, map(self.__getattribute__, self.__struct_fields__), strict=True)
            if value not in {(), "", None}
        }


OPTIONS = ("only-scheme", "host", "newsgroup", "message", "since", "until", "header", "from-html")
"""The names of the fields of `Wanted` on the command line, in their order."""

ALL = Wanted()


def left_out(document: Document, wanted: Wanted, bounds: Bounds) -> LeftOut:
    """Whether and why a whole document is left out. Only its header is read for that, and only if it must be."""
    numbers, ids = _named(wanted.messages)
    is_message = document.kind == "message"
    is_numbered = is_message and str(document.message or 1) in numbers
    if wanted.messages and not is_numbered and not (is_message and ids):
        return "unwanted"
    envelope = envelope_of(_header(document, bounds), bounds)
    if wanted.messages and not is_numbered and envelope.message_id not in ids:
        return "unwanted"
    if wanted.newsgroups and not matches(wanted.newsgroups, envelope.newsgroups or ()):
        return "unwanted"
    if not (wanted.since or wanted.until):
        return ""
    if envelope.date is None:
        return "undated"
    in_time = wanted.since <= envelope.date and envelope.date[: len(wanted.until)] <= wanted.until
    return "" if in_time else "unwanted"


@lru_cache(maxsize=16)
def _named(messages: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """The numbers and the Message-IDs among what names messages."""
    numbers = frozenset(each for each in messages if _NUMBER.fullmatch(each))
    return frozenset(each.lstrip("0") for each in numbers), frozenset(bare_id(each) for each in {*messages} - numbers)


def _header(document: Document, bounds: Bounds) -> dict[bytes, bytes]:
    """As `Message.header`."""
    found = {b"date": document.date.encode()} if document.date else {}
    return found | header_of(unframed(document.data, document.framing), bounds) if document.kind == "message" else found


def wants_part(part: TextPart, wanted: Wanted) -> bool:
    """Whether a part is to be searched."""
    made = part.decoding
    is_field, is_html = (made.field != "", made.html) if made else (False, False)
    return wanted.header in {None, is_field} and wanted.html in {None, is_html}


def wants_url(finding: Finding, wanted: Wanted) -> bool:
    """Whether a URL is wanted; a rejected candidate always is."""
    if finding.rejected:
        return True
    scheme, host = scheme_and_host(finding)
    if wanted.schemes and scheme not in _schemes(wanted.schemes):
        return False
    return not wanted.hosts or (host is not None and matches(wanted.hosts, forms_of(host)))


@lru_cache(maxsize=16)
def _schemes(names: tuple[str, ...]) -> frozenset[str]:
    return search_terms(names).schemes


def matches(patterns: tuple[str, ...], names: Iterable[str]) -> bool:
    """Whether one of the patterns, which are those of `Wanted`, matches one of the names."""
    glob = _glob(patterns)
    return any(glob.fullmatch(name) for name in names)


@lru_cache(maxsize=16)
def _glob(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return compiled("|".join(map(translate, patterns)), re.IGNORECASE)


@lru_cache(maxsize=1 << 12)
def forms_of(host: str) -> tuple[str, ...]:
    """The forms in which a host may be asked for, as in `Wanted.hosts`."""
    bare = host.removeprefix("[").removesuffix("]").removesuffix(".")
    if len(bare) > LONGEST_NAME or (bare.isascii() and "xn--" not in bare.lower()):
        return host, bare
    from ada_url import idna_to_ascii, idna_to_unicode  # noqa: PLC0415  few hosts are internationalized

    octets = bare.encode("utf-8", "surrogatepass")
    try:
        ascii_form = idna_to_ascii(octets)
        return host, bare, ascii_form.decode(), idna_to_unicode(ascii_form)
    except (ValueError, UnicodeError):  # it is no name in IDNA
        return host, bare
