r"""Mailboxes in mbox format: consecutive messages, each of which begins with a `From ` line.

RFC 4155 appendix A gives the default format; existing files vary more. Here, a `From ` line begins a message if it has
the form of an envelope (`From sender date`) and either follows a blank line, as in the RFC, or is directly followed by
a header field: Mailman's archiver leaves out the blank line where it has removed an attachment. A `From ` line of any
other form, whose date is in another language for example, begins one if it follows a blank line and two different
fields that nearly all mail has are in the header directly behind it. In the formats of System V (mboxcl, mboxcl2) the
Content-Length of a message says where it ends; it may be wrong. An envelope that holds a URL is left to the message: it
may be a line of text that has the same form.

Unquoting: writers put `>` before a line of the body that begins with `From `. mboxo does so only with `From `, mboxrd
also with `>From `, and nothing in a file says which of them it is. Exactly `>From ` loses its `>` here, which is right
in both. `>>From ` stays, unless the caller knows that the file is an mboxrd: in mboxo, which is much more common, it is
the quotation of a reply, and for a URL one quote mark too many is no worse than one too few.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from urlglean.lazy import pattern
from urlglean.records import Framing
from urlglean.sources import message_splitter
from urlglean.sources.items import Bundled
from urlglean.sources.message_splitter import BYTE_ORDER_MARK, Form, end_before_blank_line, follows_blank_line
from urlglean.sources.streams import Stream

_WEEKDAY = rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_TIME = rb"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
_ZONE = rb"(?: +(?:[+-][0-9]{4}|[A-Z]{1,5}(?:[+-][0-9]{1,4})?(?: DST)?|\([A-Za-z ]{1,40}\))){0,2}"
_YEAR = rb"(?: +[0-9]{4}| +[0-9]{2})?"

FIELD = rb"[!-9;-~]{1,76}+[ \t]*+:(?!//)"
"""The name of a header field and its colon (RFC 5322 2.2; white space before the colon: 4.5). `http://` does not match,
because it is a URL at the beginning of a line."""

ENVELOPE = (
    rb"(?:From (?:[^\n \0]*+ )*?(?:"
    # The date of ctime(3), as in RFC 4155. Sendmail and System V put a zone before or after the year; the oldest
    # programs wrote no year.
    rb"%(weekday)s +%(month)s +[0-9]{1,2},? +%(time)s%(zone)s%(year)s%(zone)s"
    # The date-time of RFC 5322 3.3, in archives that were made from Date fields; RFC 850 2.1.4 has hyphens.
    rb"|(?:%(weekday)s[a-z]{0,6}, *)?[0-9]{1,2}[ -]%(month)s[ -][0-9]{2,4} +%(time)s%(zone)s"
    # RFC 976: the host from which a message came by UUCP; the mail program of Seventh Edition wrote other words.
    rb")(?: +(?:remote from|forwarded by) [!-~]+)?[ \t]*+\r*+(?:\n|\Z)"
    # Google's export of Usenet: a number instead of sender and date, directly followed by a field.
    rb"|From -?[0-9]{8,20}\r*+\n(?=%(field)s))"
) % {b"weekday": _WEEKDAY, b"month": _MONTH, b"time": _TIME, b"zone": _ZONE, b"year": _YEAR, b"field": FIELD}
"""An envelope line: `From `, a sender, a date."""

# Envelopes of hosts before, as mail had them that came by UUCP (RFC 976), may precede the fields.
_FIELDS = rb"(?:>" + ENVELOPE + rb"){0,20}+(?:" + FIELD + rb"[^\n]*+\n(?:[ \t][^\n]*+\n)*+)*?"
_USUAL = rb"(?i:(%s))[ \t]*+:" % b"|".join(
    (b"date", b"delivered-to", b"from", b"message-id", b"newsgroups", b"received", b"return-path", b"subject", b"to")
)
_HEADER_AHEAD = (
    rb"(?=%s%s)" % (_FIELDS, _USUAL)
    # The second field is not the first one again.
    + rb"(?=%s(?!(?i:\1)[ \t]*+:)%s)" % (_FIELDS, _USUAL)
)
ODD_ENVELOPE = rb"From (?![ \t]*+:|[^\n\0]*://)[^\n\0]*+\n" + _HEADER_AHEAD
"""A `From ` line in another form, directly behind which a header is. The pattern has groups. Neither form holds a NUL,
behind which the next may begin."""

_BEGINNING = pattern(rb"(?:\xef\xbb\xbf)?+(?:[ \t]*+\r*+\n)*+(?:" + ENVELOPE + rb"|" + ODD_ENVELOPE + rb")")
_ENVELOPE = pattern(ENVELOPE)
_ODD_ENVELOPE = pattern(ODD_ENVELOPE)
_FIELD = pattern(FIELD)
# A line with a URL stays before the header: `mail.read` reads it.
# Empty lines before the header belong to no message, as in a file of one message.
_OWN_ENVELOPE = pattern(
    rb"From (?![ \t]*+:|[^\n]*://)[^\n]*+\n?+(?:>(?![^\n]*://)"
    + ENVELOPE
    + rb")*(?:(?:\r*+\n)++"
    + _HEADER_AHEAD
    + rb")?+"
)
QUOTED = message_splitter.marked(b">From ")
QUOTED_RD = pattern(rb"^>(>*+From )", re.MULTILINE)
# A message may begin without an empty line before it. Its envelope ends the header of the one before.
_HEADER_END = pattern(rb"\n(?:(\r?\n)|(?=From ))")
# Nobody writes the name in capitals, which would make the search for its sign slower.
_LENGTH_FIELD = pattern(rb"\n[Cc]ontent-[Ll]ength:[ \t]*+([0-9]{1,12})[ \t]*+\r?\n")
_SIGN = b"ength:"
_BETWEEN = pattern(rb"(?:\r?\n){0,2}(?:%b)?" % BYTE_ORDER_MARK)


def shows(head: bytes) -> bool:
    """Whether the first bytes of a file are those of an mbox."""
    return _BEGINNING.match(head) is not None


def read(stream: Stream) -> Iterator[Bundled]:
    """Yield the messages of an mbox, numbered from 1."""
    return message_splitter.bundles(stream, FORM)


def read_rd(stream: Stream) -> Iterator[Bundled]:
    """Yield the messages of an mbox that is known to be an mboxrd, numbered from 1."""
    return message_splitter.bundles(stream, FORM_RD)


def unquoted(data: bytes) -> bytes:
    """The message without its envelope lines. A line that begins with exactly `>From ` loses its `>`."""
    return QUOTED.sub(b"From ", _inside(data))


def unquoted_rd(data: bytes) -> bytes:
    """The message of an mboxrd without its envelope lines. Every quoted `From ` loses one `>`."""
    return QUOTED_RD.sub(rb"\1", _inside(data))


def place(data: bytes, start: int = 0) -> tuple[int, int]:
    """Where the message lies in the octets from `start` on, without its envelope lines and the blank line behind it."""
    envelope = _OWN_ENVELOPE.match(data, start)
    start = envelope.end() if envelope else start
    return start, end_before_blank_line(data, start)


def header_end(data: bytes, at: int, within: int) -> int | None:
    """Where the header of the message at `at` ends for its mailbox, behind the first empty line of so many octets.

    None if no such line ends it. A Content-Length counts from there. To `mail.read` a header may end elsewhere, at a
    line that is no field.
    """
    for end in _HEADER_END.finditer(data, at, at + within):
        if end[1]:
            return end.end()
        if _begins(data, end.end(), within):
            return None
    return None


def _inside(data: bytes) -> bytes:
    """The message without its envelope lines and without the blank line before the next message, still quoted."""
    start, end = place(data)
    return data[start:end]


def _begins(data: bytes, at: int, within: int) -> bool:
    envelope = _ENVELOPE.match(data, at, at + message_splitter.REACH)
    if follows_blank_line(data, at):
        return envelope is not None or _ODD_ENVELOPE.match(data, at, at + within) is not None
    return envelope is not None and _FIELD.match(data, envelope.end()) is not None


def _end(data: bytes, at: int, within: int) -> int | None:
    header = header_end(data, at, within)
    length = _LENGTH_FIELD.search(data, at, header) if header else None
    return header + int(length[1]) if header and length else None


def _meets(data: bytes, at: int, within: int) -> int:
    between = _BETWEEN.match(data, at)
    begin = between.end() if between else at
    if (
        begin == len(data)
        or _ENVELOPE.match(data, begin, begin + message_splitter.REACH)
        or _ODD_ENVELOPE.match(data, begin, begin + within)
    ):
        return begin
    return 0


FORM = Form(message_splitter.marked(b"From "), _begins, Framing.MBOX, _SIGN, _end, _meets)
FORM_RD = replace(FORM, framing=Framing.MBOXRD)
