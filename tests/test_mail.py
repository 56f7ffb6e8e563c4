"""Whole messages and texts: headers, envelope, the fast path, hostile input."""

from __future__ import annotations

import base64
from collections.abc import Callable
from email.header import Header

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from growth import BOUND, growth
from unframing import message, texts
from urlglean import extract_message
from urlglean.bounds import DEFAULT
from urlglean.errors import UnknownNameError
from urlglean.mail import envelope_of, read
from urlglean.mail.encoded_words import MOST_FLAWS
from urlglean.mail.headers import split
from urlglean.mail.message import plain_body
from urlglean.mail.mime_parts import text_parts
from urlglean.mail.octet_range import OctetRange
from urlglean.mail.url_fields import SKIPPED, fields_with_signs, url_fields
from urlglean.records import Envelope, Message, TextPart

ARTICLE = b"""\
Path: host!news:not-for-mail
From: =?iso-8859-1?q?Andr=E9?= <andre@example.org>
Newsgroups: comp.infosystems.www.misc, alt.test,
 de.test
Subject: where is
 it?
Message-ID: <1994Dec12.1@example.org>
References: <http://x@example.org>
Date: Mon, 12 Dec 1994 17:30:00 -0500
X-Home-Page: <URL:http://example.org/~andre/
 index.html>

See <URL:ftp://example.org/pub/>.
"""


def test_an_article_is_read_whole() -> None:
    """The envelope, the one header field that holds a URL, and the body come out unchanged."""
    found = message(ARTICLE)
    assert envelope_of(found.header) == Envelope(
        message_id="1994Dec12.1@example.org",
        date="1994-12-12T22:30:00Z",
        sender="André <andre@example.org>",
        subject="where is it?",
        newsgroups=("comp.infosystems.www.misc", "alt.test", "de.test"),
    )
    assert found.parts == (
        TextPart("<URL:http://example.org/~andre/ index.html>", None, "X-Home-Page"),
        TextPart("See <URL:ftp://example.org/pub/>.\n", "1"),
    )
    assert not found.troubles


@pytest.mark.parametrize("end", [b"\r\n", b"\r", b"\r\r\n"])
def test_line_ends_do_not_matter_to_the_headers(end: bytes) -> None:
    """CRLF, the lone CR of old Macintosh files, and what DOS makes of CRLF separate headers from body as LF does."""
    other, plain = message(ARTICLE.replace(b"\n", end)), message(ARTICLE)
    assert envelope_of(other.header) == envelope_of(plain.header)
    assert [part.text.split() for part in other.parts] == [part.text.split() for part in plain.parts]


def test_lines_of_cr_cr_lf_anywhere_end_once() -> None:
    """A body that was copied as text on DOS and got new fields; a lone CR elsewhere still ends no line."""
    body = b"--x\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS8K\n--x--\n".replace(b"\n", b"\r\r\n")
    front = b"From: a@b\nSubject: http://b.example/\r c\nContent-Type: multipart/mixed; boundary=x\n\n"
    assert [part.text for part in message(front + body).parts] == ["http://b.example/\r c", "http://a.example/\n"]


@pytest.mark.parametrize(
    ("octets", "bodies"),
    [
        (b"", []),
        (b"From: a@b\n", []),
        (b"From: a@b\n\n", []),
        (b"From: a@b\n\n\nx", ["\nx"]),
        (b"\nFrom: a@b\n\nx", ["\nFrom: a@b\n\nx"]),
        (b"http://example.org/ is\n\ngood", ["http://example.org/ is\n\ngood"]),
        (b"Note: news:alt.test is\n\ngood", ["Note: news:alt.test is\n\ngood"]),
        (b"From: a@b\nhttp://example.org/\n", ["http://example.org/\n"]),
        (b"From: a@b\nno header\n\nx", ["no header\n\nx"]),
        (b"Dear all\nSubject: a\n\nx", ["Dear all\nSubject: a\n\nx"]),
        (b"From a@b Mon Dec 12 17:30:00 1994\nTo: a@b\n\nx", ["x"]),
        (b"Subject : a\nFrom: a@b\n\nx\0y", ["x\0y"]),
        (b"Subject: lost\nits fold\nFrom: a@b\n\nx", ["x"]),
        (b"Subject: a\rstray\nFrom: a@b\n\nx", ["x"]),
    ],
)
def test_where_the_body_starts(octets: bytes, bodies: list[str]) -> None:
    """The headers end at the first empty line, or at the first line that is no field; nothing between is lost."""
    assert [part.text for part in message(octets).parts] == bodies


def test_a_fold_that_lost_its_indent_belongs_to_the_field_before() -> None:
    """Its text is added to that field behind a blank, and the fields after it count too."""
    envelope = envelope_of(message(b"Subject: lost\nits fold\nFrom: a@b\n\n").header)
    assert (envelope.subject, envelope.sender) == ("lost its fold", "a@b")


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (b"X-URL: http://example.org/", "http://example.org/"),
        (b"List-Post: <mailto:\n list@example.org>", "<mailto:list@example.org>"),
        (b"Subject: =?utf-8?q?http=3A//example.org/?=", "http://example.org/"),
        (b"Subject: =?utf-8?q?http://example.org/a==3Db?=", "http://example.org/a==b"),
        (b"Subject: =?us-ascii*en?B?aHR0cDovL2E=?= \n =?us-ascii?B?LmIv?=", "http://a.b/"),
        # Question marks and blanks in an encoded word that should have been encoded too.
        (b"Subject: =?utf-8?q?http=3A//a/b?id=3D1?=", "http://a/b?id=1"),
        (b"Subject: =?utf-8?q?What??= =?utf-8?q?_See http=3A//a/b?c?= d", "What? See http://a/b?c d"),
        (b"Subject: =?utf-8?q?lost? =?utf-8?q?http=3A//a/?= =?utf-8?b?YQ==?=", "=?utf-8?q?lost? http://a/a"),
        # It has no soft breaks.
        (b"Subject: =?utf-8?q?http://a/?b=?=", "http://a/?b="),
        (b"Subject: =?utf-8?q?http://a/?b==?=", "http://a/?b=="),
        (b"Subject: =?utf-8?q?http://a/?b=?= =?utf-8?q?c?=", "http://a/?b=c"),
        # Base64 that was divided within its groups.
        (b"Subject: =?utf-8?b?aHR0c?=\n =?utf-8?b?DovL2?= =?utf-8?b?E/Yg==?= =?utf-8?b?Yw==?=", "http://a?bc"),
        (b"Subject: =?utf-8?b?aHR0cDovL2EvYg?= =?latin1?b?Yw==?=", "http://a/bc"),
        # The bits behind the last octet are zero by chance, but no octets are encoded as one sign more than groups.
        (b"Subject: =?utf-8?b?aHR0cDovL2EvMi8?= =?utf-8?b?z?= =?latin1?q?_z?=", "http://a/2/3 z"),
        # Base64 without its padding; the third word has it.
        (b"Subject: =?utf-8?b?aHR0cDovL2EvYg?= =?utf-8?b?Yw?= =?utf-8?b?Yw==?= =?utf-8?b?Yw?=", "http://a/bccc"),
        (b"Subject: =?utf-8?b?aHR0cDovL2E?= =?utf-8?b?vYg== ?=", "http://a/b"),
        # What is no sign of base64 does not count, such as a fold before the word's end.
        (b"Subject: =?utf-8?b?aHR0cDovL2E=\n ?=\n =?utf-8?b?L2I= ?= =?utf-8?b?L2M\n ?= =?utf-8?b?v?=", "http://a/b/c/"),
        # One character, U+00E9 in UTF-8, divided between two encoded words.
        (b"Subject: =?utf-8?q?http://a/=C3?= =?utf-8?q?=A9?=", "http://a/é"),
        (b"X-URL: http://a/\xe9", "http://a/é"),
        # White space that folds a URI is none of it (RFC 2557 4.4).
        (b"Content-Location: http://a/b/\r\n\tc\n d", "http://a/b/cd"),
        (b"content-base:\n http://a/b\n (a comment) x", "http://a/b (a comment) x"),
        (b"Content-Location: http://a/b c", "http://a/b c"),
        (b"Content-Location: a/b\n c", None),
        # Nor is what folds one in angle brackets in the fields of a list (RFC 2369 2).
        (
            b"List-Help: <mailto:a@b.c?subject=unsub\r\n ribe>,\r\n\t<htt\n ps://a/>",
            "<mailto:a@b.c?subject=unsubribe>,\t<https://a/>",
        ),
        (b"list-post: NO (see\n http://a/b\n c)", "NO (see http://a/b c)"),
        (b"List-Owner: <http://a/b\n http://c/>", "<http://a/b http://c/>"),
        (b"X-List: <http://a/b\n c>", "<http://a/b c>"),
        (b"Received: from a by b; Mon, 12 Dec 1994 17:30:00 -0500", None),
        (b"Subject: Re: good news: it works", None),
        (b"Subject: =?utf-8?q?no?= URL", None),
    ],
)
def test_fields_that_may_hold_a_url(field: bytes, text: str | None) -> None:
    """Only fields that may hold a URL become texts, unfolded and with their encoded words decoded."""
    parts = message(b"From: a@b\n" + field + b"\n\n").parts
    assert [part.text for part in parts] == ([] if text is None else [text])
    assert all(part.field == field.partition(b":")[0].decode() and part.part is None for part in parts)


@pytest.mark.parametrize(
    ("word", "cause"),
    [
        (b"=?utf-8?b?aHR0cDovL2EvY?=", "lacks characters"),
        (b"=?utf-8?b?aHR0cDovL2EvY?= =?latin1?b?Yw==?=", "lacks characters"),
        (b"=?utf-8?b?aHR0cDovL2EvY?= =?utf-8?q?c?=", "lacks characters"),
        (b"=?utf-8?b?aHR0cDovL2EuZXhhbXBsZS8_YT0xJmI9Mj5-w6k=?=", "holds characters that are none of it"),
    ],
)
def test_torn_base64_of_an_encoded_word_is_a_trouble(word: bytes, cause: str) -> None:
    """Whether a URL is left of it or not; a word without a URL that lost a letter only is none."""
    (trouble,) = message(b"From: a@b\nX-Link: " + word + b"\n\n").troubles
    assert trouble.startswith("X-Link: its base64 ")
    assert cause in trouble
    assert message(b"From: a@b\nX-Link: =?utf-8?q?=FF?=\n\n").troubles == ()
    long = b"x: " * (DEFAULT.field // 3 + 9)  # without a URL so far as it is read
    assert message(b"From: a@b\nX-Link: " + long + b"\n\n").troubles == (
        f"X-Link: longer than {DEFAULT.field:,} octets, cut",
    )


def test_what_was_lost_of_a_field_is_said_once() -> None:
    """However many words are torn, and of however many charsets."""
    torn = b" ".join(b"=?x-%d?b?a?=" % number for number in range(1000))
    assert message(b"From: a@b\nX-A: " + torn + b"\n\nx\n").troubles == ("X-A: its base64 lacks characters",)
    words = b" ".join(b"=?x-%d?q?=FF?=" % number for number in range(1000))
    (trouble,) = message(b"From: a@b\nX-A: http://a.example/ " + words + b"\n\nx\n").troubles
    assert trouble.count("not known") == MOST_FLAWS


@pytest.mark.parametrize("name", SKIPPED)
def test_skipped_fields_hold_no_urls(name: str) -> None:
    """A field in the table is skipped in any spelling of its name."""
    assert message(b"From: a@b\n" + name.title().encode() + b": <http://a/>\n\n").parts == ()


@pytest.mark.parametrize("name", SKIPPED)
@pytest.mark.parametrize("value", ["http://a/", "a!b:c\n\thttps://a/"])
def test_a_skipped_field_with_a_word_that_is_a_url_is_searched(name: str, value: str) -> None:
    """It is of another kind, as in an advisory."""
    (part,) = message(f"From: a@b\n{name}: {value}\n\n".encode()).parts
    assert part.text == value.replace("\n", "")


@pytest.mark.parametrize("name", SKIPPED)
def test_text_behind_a_skipped_field_is_read(name: str) -> None:
    """A line that has lost its indent may be text: the lines before it belong to the field, and are skipped."""
    field = name.encode() + b": <http://a/>\n <http://b/>\n"
    headers = split(b"From: a@b\n" + field + b"See http://c/ and\n http://d/\nSubject: http://e/\n\n")
    part, _ = url_fields(fields_with_signs(headers.block), OctetRange(headers.block, 0), None)
    assert isinstance(part, TextPart)
    assert part.text == "See http://c/ and http://d/"
    assert part.decoding
    assert part.decoding.start == len(b"From: a@b\n" + field)


@pytest.mark.parametrize(
    ("date", "iso"),
    [
        (b"Thu, 26 Sep 2002 08:01:25 -0000", "2002-09-26T08:01:25Z"),
        (b"26 Sep 02 10:01 +0200 (CEST)", "2002-09-26T08:01:00Z"),
        # Three digits of a year count from 1900 (RFC 5322 4.3).
        (b"Tue, 23 Jul 102 10:00:00 GMT", "2002-07-23T10:00:00Z"),
        # So does the same number with a zero before it: programs that count from 1900 and print four digits wrote it.
        (b"Tue, 23 Jul 0102 10:00:00 GMT", "2002-07-23T10:00:00Z"),
        # In four digits, it is none before the year 100.
        (b"Mon, 01 Jan 0001 00:00:00 +0000", None),
        (b"1-January-0000 00:00:00 GMT", None),
        (b"1-January-2001 00:00:00", "2001-01-01T00:00:00Z"),
        (b"0001-01-01T00:00:00", None),
        (b"5 Mar 01 10:00:00 +0000 GMT", "2001-03-05T10:00:00Z"),
        (b"5 Mar 01 10:00:00 -0800 PST", "2001-03-05T18:00:00Z"),
        (b"5 Mar 01 10:00:00 +0100 GMT", "2001-03-05T09:00:00Z"),
        (b"Mon Mar  5 10:00:00 2001 PST", "2001-03-05T18:00:00Z"),
        (b"Mon Mar  5 10:00  2001 GMT", "2001-03-05T10:00:00Z"),
        (b"Mon Mar 05 10:00:00 GMT-05:00 2001", "2001-03-05T15:00:00Z"),
        (b"Mon Mar 05 10:00:00 UTC+0100 2001", "2001-03-05T09:00:00Z"),
        (b"5 Mar 01 10:00 0030", "2001-03-05T09:30:00Z"),
        (b"Tue, 23 Jul 102 10:00:00 +0102", "2002-07-23T08:58:00Z"),
        # In two digits, those from 50 on are of the 20th century.
        (b"Tue, 23 Jul 52 10:00:00 -0052", "1952-07-23T10:52:00Z"),
        (b"Tue, 23 Jul 49 10:00:00 GMT", "2049-07-23T10:00:00Z"),
        (b"23 Jul 2052 10:00 UT", "2052-07-23T10:00:00Z"),
        (b"Wed, 3 Jan 1996 00:30:00 +01:00", "1996-01-02T23:30:00Z"),  # a zone as in ISO 8601
        (b"Wed, 3 Jan 1996 00:30:00 +01", "1996-01-02T23:30:00Z"),
        (b"Wed, 3 Jan 1996 00:30:00+0100", "1996-01-02T23:30:00Z"),
        (b"Wed, 3 Jan 1996 00:30:00 +01: 0", "1996-01-03T00:30:00Z"),
        (b"Mon, 5 Mar 2001 10:00:00 +0900(JST)", "2001-03-05T01:00:00Z"),  # comments (RFC 5322 3.2.2)
        (b"Mon, 5 (five (5)) Mar 2001 10:00:00 (EST) -0500 (EST)", "2001-03-05T15:00:00Z"),
        (b"Mon, 5 Mar 2001 10:00:00 X -0500", None),  # the library does not see this zone
        (b"Mon Mar 05 2001 10:00:00 GMT+0100 (CET)", "2001-03-05T09:00:00Z"),
        (b"Mon, 5 Mar 2001 10:00:00 EST-05:00", "2001-03-05T15:00:00Z"),
        # ISO 8601.
        (b"2001-03-05T10:00:00-08:00", "2001-03-05T18:00:00Z"),
        (b"2001-03-05t10:00:00.123z", "2001-03-05T10:00:00Z"),
        (b"2001-03-05 10:00 +0100", "2001-03-05T09:00:00Z"),
        (b"2001-03-05  01:00:00 PM", "2001-03-05T13:00:00Z"),
        (b"2001-13-05T10:00:00Z", None),
        (b"2001-02-31T10:00:00Z", None),
        # Hours of the clock's face.
        (b"Mon, 5 Mar 2001 10:00:00 PM -0500", "2001-03-06T03:00:00Z"),
        (b"Monday, March 5, 2001 1:35 pm", "2001-03-05T13:35:00Z"),
        (b"Mar 5, 2001 1:35PM EST", "2001-03-05T18:35:00Z"),
        (b"05 Mar 01 1.35.10 p.m.", "2001-03-05T13:35:10Z"),
        (b"Mon Mar  5 09:35:10 AM 2001", "2001-03-05T09:35:10Z"),
        (b"5 Mar 2001 12:35 AM", "2001-03-05T00:35:00Z"),
        (b"5 Mar 2001 12:35 (noon) PM", "2001-03-05T12:35:00Z"),
        (b"5 Mar 2001 13:35 PM", "2001-03-05T13:35:00Z"),
        (b"Monday, 5-Mar-01 10:00:00 GMT", "2001-03-05T10:00:00Z"),
        (b"Monday, 5-Mar-01 10:00:00", "2001-03-05T10:00:00Z"),
        (b"5-Mar-2001 10:00", "2001-03-05T10:00:00Z"),
        (b"Mon, 5-Mar-2001 10:00:00 (EST)", "2001-03-05T10:00:00Z"),
        (b"Sat, 31 Dec 2016 23:59:60 +0000", "2016-12-31T23:59:59Z"),  # RFC 5322 3.3: a leap second
        (b"Sat, 31 Dec 2016 23:59:61 +0000", None),
        # RFC 5322 3.3 allows zones up to 99 hours; those beyond a day are not read by the fast pattern.
        (b"1 Jan 2001 00:00:00 +2400", "2000-12-31T00:00:00Z"),
        (b"1 Jan 2001 00:00:00 -9959", "2001-01-05T03:59:00Z"),
        # A year has four digits (ISO 8601).
        (b"1 Jan 1000 00:00:00 +2400", "0999-12-31T00:00:00Z"),
        (b"Thu, 26 Sep 2002 04:01:25 EDT", "2002-09-26T08:01:25Z"),
        (b"Sun, 31 Feb 2002 08:01:25 GMT", None),
        (b"Thu, 26 Sep 2002 08:01:25 +99999999999999999", None),
        (b"yesterday", None),
        (b"", None),
    ],
)
def test_dates(date: bytes, iso: str | None) -> None:
    """RFC 5322 dates, obsolete forms included, become UTC. A date that cannot be read is None, and nothing is lost."""
    found = message(b"Date: " + date + b"\n\n")
    assert envelope_of(found.header).date == iso
    assert found.troubles == ()


@pytest.mark.parametrize(
    ("written", "bare"),
    [
        (b"<1@x>", "1@x"),
        (b" 1@x ", "1@x"),
        (b"(a) <1@x> b", "1@x"),
        (b"<1 Jo <1@x>", "1 Jo <1@x"),
        (b"<<1@x>>", "1@x"),
        (b"(c <d) <1@x>", "1@x"),
        (b"< 1@x", "< 1@x"),
        (b"", ""),
    ],
)
def test_a_message_id_has_no_angle_brackets(written: bytes, bare: str) -> None:
    """RFC 5322 3.6.4 asks for them, but some programs leave them out."""
    assert envelope_of({b"message-id": written}).message_id == bare


def test_absent_and_empty_fields_differ() -> None:
    """An absent field is None, an empty one is ""."""
    assert envelope_of(message(b"Subject:\n\n").header) == Envelope(subject="")


@pytest.mark.parametrize(
    ("octets", "text", "troubles"),
    [
        (b"From: a@b\n\nhttp://a/", "From: a@b\n\nhttp://a/", ()),
        (b"\xef\xbb\xbfa", "a", ()),
        ("é".encode("utf-16"), "é", ()),
        (b"caf\xe9", "café", ()),
        (b"\xef\xbb\xbfa\xff", "a\ufffd", ("1 octet is not utf-8, replaced",)),
        (b"", "", ()),
    ],
)
def test_a_text_is_one_part(octets: bytes, text: str, troubles: tuple[str, ...]) -> None:
    """A plain text has no envelope. Its charset is that of the byte order mark, else UTF-8, else windows-1252."""
    found = read(octets, "text")
    assert replace(found, parts=texts(found.parts)) == Message((TextPart(text),), troubles)


TYPES = [
    "",
    "text/plain",
    "text/plain; charset=US-ASCII",
    'Text/Plain; charset="utf-8"; format=flowed; delsp=yes;',
    "text/plain; charset=iso-8859-1",
    "text/plain; charset=windows-1251",
    "text/plain; charset=utf-8; charset=us-ascii",
    "text/html",
    "text",
    "multipart/mixed",
]


@given(
    st.sampled_from(TYPES),
    st.sampled_from(["", "7bit", "8BIT", "binary", "base64", "x-none"]),
    st.binary(max_size=500)
    | st.text(max_size=200).map(str.encode)
    | st.lists(st.sampled_from([b" ", b"\n", b"<p>", b"</p>", b"<html>", b"<http://a/>"])).map(b"".join),
    st.sampled_from([b"\n", b"\r\n"]),
)
def test_the_fast_path_agrees_with_the_full_one(kind: str, encoding: str, body: bytes, end: bytes) -> None:
    """If the fast path reads a message, the full path gives the same part and no trouble."""
    fields = [b"From: a@b"]
    fields += [b"Content-Type: " + kind.encode()] if kind else []
    fields += [b"Content-Transfer-Encoding: " + encoding.encode()] if encoding else []
    headers = split(end.join((*fields, b"", body)))
    fast = plain_body(headers)
    if fast is not None and headers.body:
        assert [fast] == list(text_parts(headers))


@pytest.mark.parametrize("kind", TYPES[:5])
def test_the_fast_path_serves_plain_mail(kind: str) -> None:
    """Plain ASCII takes the fast path under each of the common declarations."""
    headers = split(b"From: a@b\n" + (b"Content-Type: " + kind.encode() + b"\n" if kind else b"") + b"\nhttp://a/\n")
    found = plain_body(headers)
    assert found is not None
    assert (found.text, found.part) == ("http://a/\n", "1")


@pytest.mark.parametrize("kind", TYPES[:3])
@pytest.mark.parametrize("charset", ["utf-16-le", "utf-16-be"])
def test_a_body_in_utf_16_without_a_mark_is_none_of_plain_mail(kind: str, charset: str) -> None:
    """Its NULs tell what it is, if that is not declared."""
    head = "From: a@b\n" + (f"Content-Type: {kind}\n" if kind else "")
    found = message(f"{head}\n".encode() + "Все на http://a/\n".encode(charset))
    assert found.parts[0].text == "Все на http://a/\n"


@pytest.mark.parametrize("charset", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("kind", ["text/plain; charset=utf-16", "text/html; charset=utf-16", "text/plain"])
def test_quoted_printable_of_utf_16_whose_line_ends_are_not_encoded(charset: str, line_end: str, kind: str) -> None:
    """The octet LF is written as a line end, which is CR LF if the message was stored so."""
    text = "see http://a.example/one\r\n\r\nhttp://a.example/two\r\n"
    lines = text.encode(charset).split(b"\n")
    body = line_end.encode().join(line.replace(b"\0", b"=00").replace(b"\r", b"=0D") for line in lines)
    head = f"From: a@b\nContent-Type: {kind}\nContent-Transfer-Encoding: quoted-printable\n\n"
    found = message(head.replace("\n", line_end).encode() + body)
    assert (found.parts[0].text.split(), found.troubles) == (text.split(), ())


PIECES = [
    b"From: a@b\n",
    b"Content-Type: ",
    b"multipart/mixed",
    b"; boundary=x",
    b"text/html",
    b"message/rfc822",
    b"\n",
    b"\n\n",
    b"--x\n",
    b"--x--\n",
    b"Content-Transfer-Encoding: base64\n",
    b"; charset=\x00",
    b"=?x?b?=?=",
    b"Date: ",
    b"; charset*=utf-7''%00",
    b"; charset*0*=a; charset*x",
    b"\r",
    b"<a href='//[x'>",
    b"\x80",
    b" ",
    b"QQ=",
    b"<base href=http://[/>",
    b"text/plain; charset=idna",
]


@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=5)).map(b"".join), st.sampled_from([b"", b"From: a@b\n"]))
def test_no_octets_raise(octets: bytes, head: bytes) -> None:
    """Any octets give texts that can be encoded, and troubles of one line each."""
    for kind in ("message", "text"):
        found = read(head + octets, "message" if kind == "message" else "text")
        "".join(part.text for part in found.parts).encode("utf-8")
        assert all(trouble.isprintable() for trouble in found.troubles)


@pytest.mark.parametrize("footer", ["EOF", "ID4711", "12/2003", "7d" * 20, "Unsubscribe", "2003"])
def test_a_footer_behind_an_empty_line_is_no_rest_of_a_url(footer: str) -> None:
    """The empty line between base64 and what a list has appended stays, if the encoded text ends in the URL."""
    url = "http://www.example.org/~joe/a/long/path/to/a/page/of/his/"
    body = base64.encodebytes(f"see {url}".encode()).decode()
    head = "From: a@b\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
    assert [each.finding.url for each in extract_message(f"{head}{body}\n{footer}\n".encode())] == [url]


def test_each_encoded_word_in_utf_16_may_have_a_mark() -> None:
    """So Python writes them, because each word stands for itself (RFC 2047 6.2)."""
    text = "see http://www.example.org/a/long/path/that/goes/on/index.html Grüße"
    written = Header(text, "utf-16").encode()
    assert written.count("=?") > 2
    assert message(f"Subject: {written}\n\n".encode()).parts[0].text == text


def test_header_fields_are_bounded() -> None:
    """Fields beyond the bound are read as text, so that their URLs are found, with a trouble."""
    found = message(b"From: a@b\n" + b"X: y\n" * DEFAULT.fields + b"X-URL: http://a/\n\nbody")
    assert found.parts == (TextPart("X: y\nX-URL: http://a/\n\nbody", "1"),)
    assert found.troubles == (f"more than {DEFAULT.fields:,} header fields; the others were read as text",)
    found = message(b"X: y\n" * (DEFAULT.fields + 1) + b"From: a@b\n\nbody")  # the bound precedes all that is known
    assert found.troubles == (f"more than {DEFAULT.fields:,} header fields; the others were read as text",)
    found = message(b"From: a@b\n" + b"X: y\n" * (DEFAULT.fields - 2) + b"X-URL: http://a/\n\nbody")
    assert found.parts == (TextPart("http://a/", None, "X-URL"), TextPart("body", "1"))
    assert not found.troubles


def test_header_fields_of_parts_are_bounded() -> None:
    """Fields of a part beyond the bound are left out, with a trouble."""
    head = b"Content-Type: multipart/mixed; boundary=x\n\n--x\n"
    found = message(head + b"X: y\n" * (DEFAULT.fields + 1) + b"X-URL: http://a/\n\nbody\n--x--")
    assert found.parts == (TextPart("body", "1"),)
    assert found.troubles == (f"part 1: more than {DEFAULT.fields:,} header fields, the others left out",)


def test_a_field_is_bounded() -> None:
    """A longer field, folded or not, is cut with a trouble; the body is read."""
    for octets in (b"http://a/ " + b"x" * DEFAULT.field, b"http://a/" + b"\n x" * (DEFAULT.field // 3)):
        found = message(b"From: a@b\nX-URL: " + octets + b"\n\nbody")
        field, body = found.parts
        assert len(field.text) < DEFAULT.field
        assert field.text.startswith("http://a/ x")
        assert body.text == "body"
        assert found.troubles == (f"X-URL: longer than {DEFAULT.field:,} octets, cut",)


def test_a_folded_boundary_is_found() -> None:
    """The fold is not part of a quoted parameter (RFC 5322 2.2.3)."""
    found = message(b'Content-Type: multipart/mixed; boundary="a\n b"\n\n--a b\n\none\n--a b--\n')
    assert (found.parts, found.troubles) == ((TextPart("one", "1"),), ())


def nested(depth: int) -> bytes:
    """Multiparts in each other, each with another boundary."""
    header = b"--b%d\nContent-Type: multipart/mixed; boundary=b%d\n\n"
    first = b"From: a@b\nContent-Type: multipart/mixed; boundary=b0\n\n"
    return first + b"".join(header % (number, number + 1) for number in range(depth))


PARAMETERS = b"Content-Type: multipart/mixed"
HTML = b"From: a@b\nContent-Type: text/html\n\n"
HOSTILE: dict[str, Callable[[int], bytes]] = {
    "one line": lambda n: b"a" * n,
    "colons": lambda n: b":" * n,
    "empty lines": lambda n: b"\n" * n,
    "folds": lambda n: b"From: a@b\nX: a" + b"\n b:c" * (n // 5),
    "encoded words that never end": lambda n: b"From: a@b\nSubject: " + b"=?a?q?" * (n // 6),
    "encoded words with question marks that never end": lambda n: b"From: a@b\nSubject: " + b"=?a?q?b?" * (n // 8),
    "encoded words with equals signs that never end": lambda n: b"From: a@b\nSubject: " + b"=?a?q?b=" * (n // 8),
    "parameters": lambda n: b"From: a@b\n" + PARAMETERS + b";" * n + b"\n\nx",
    "parameters of parts": lambda n: (
        b"From: a@b\nContent-Type: multipart/mixed; boundary=x\n\n"
        + (b"--x\n" + PARAMETERS + b";" * (n // 6) + b"\n\n") * 6
    ),
    "lines in nested multiparts": lambda n: nested(n // 300) + b"\n" * n,
    "nested multiparts": lambda n: nested(n // 40),
    "fields": lambda n: b"From: a@b\n" + b"X: http://a/\n" * (n // 3) + b"\n",
    "lines that have lost their indent": lambda n: b"From: a@b\n" + b"a\nX: y\nTo: z\n" * (n // 13) + b"\n",
    "lines that are no fields in parts": lambda n: (
        b"From: a@b\nContent-Type: multipart/mixed; boundary=a:b\n\n" + b"--a:b\nX: y\ra\n b\nX: y\n" * (n // 22)
    ),
    "parts without an empty line": lambda n: (
        b"From: a@b\nContent-Type: multipart/mixed; boundary=a:b\n\n" + b"--a:b\nX: y\n" * (n // 11) + b"To: c\n\n"
    ),
    "torn headers": lambda n: (
        b"From: a@b\nContent-Type: multipart/digest; boundary=x\n\n" + b"--x\n\nX: y\na\nb\n" * (n // 14)
    ),
    "boundaries behind lone CRs": lambda n: (
        b"From: a@b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(b"Content-Type: multipart/mixed; boundary=x\n\n" + b"\r--x\rA: b\r\r\nX-a: " * (n // 28))
    ),
    "nested messages": lambda n: (
        b"From: a@b\nContent-Type: message/rfc822\n\n" + b"Content-Type: message/rfc822\n\n" * (n // 31)
    ),
    "punycode": lambda n: b"From: a@b\nContent-Type: text/plain; charset=punycode\n\n" + b"a" * n,
    "nested elements": lambda n: HTML + b"<div>" * (n // 5),
    "formatting opened anew": lambda n: (
        HTML + b"".join(b"<font size=%d>" % number for number in range(n // 34)) + b"<p>x" * (n // 8)
    ),
    "a long base": lambda n: HTML + b"<base href='http://" + b"x" * (n // 2) + b"/'>" + b"<a href=x>" * (n // 20),
}


def test_parameters_of_a_part_that_have_lost_their_indent_take_no_quadratic_time() -> None:
    """It takes many of them to see it, because little is done for each."""
    head = b"From: a@b\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain;\n"
    assert growth(message, lambda n: head + b"name=c\n" * (n // 7), 60_000) < BOUND


@pytest.mark.parametrize("octets", HOSTILE.values(), ids=HOSTILE)
def test_hostile_input_takes_no_quadratic_time(octets: Callable[[int], bytes]) -> None:
    """The time for reading it grows as its length does."""
    assert growth(message, octets) < BOUND


@pytest.mark.parametrize("letter", ["a", "é"])
def test_rows_repeat_no_long_field(letter: str) -> None:
    """A subject of a megabyte, repeated for a million URLs, would fill the disk. It is cut, with a trouble."""
    bounds = replace(DEFAULT, repeated=100)
    found = read(f"Subject: {letter * 99} {letter * 99}\n\nx\n".encode(), bounds=bounds)
    subject = envelope_of(found.header, bounds).subject
    assert subject is not None
    assert set(subject) == {letter}
    assert 95 < len(subject.encode()) <= 100
    assert found.troubles == ("Subject: longer than 100 octets, cut",)
    assert read(b"Subject: a\n\nx\n", bounds=bounds).troubles == ()


def test_a_kind_that_does_not_exist_is_refused() -> None:
    """It would be read as a message."""
    with pytest.raises(UnknownNameError, match="no kind of document named 'page'; there are: message, text, html"):
        read(b"http://a.example/", "page")  # type: ignore[arg-type]


@pytest.mark.parametrize("time", ["08:49:37-PST", "0849-PST", "0849 PST", "08:49-PST (Tue)"])
def test_times_of_the_arpanet(time: str) -> None:
    """RFC 733 3.3: a hyphen before the zone, and hours and minutes without a colon between them."""
    date = envelope_of(read(f"Date: 6 Nov 84 {time}\n\nx\n".encode()).header).date
    assert date == f"1984-11-06T16:49:{'37' if ':37' in time else '00'}Z"


@pytest.mark.parametrize("before", [f"({'so ' * 60})", f"x-none{' ' * 200}\nContent-Transfer-Encoding:"])
def test_a_long_field_of_an_encoding_is_read(before: str) -> None:
    """A comment may have any length (RFC 5322 3.2.2), and another field of the name stand before it."""
    text = f"From: a@b\nContent-Transfer-Encoding: {before} base64\n\naHR0cDovL2EuYi8x\n"
    assert [part.text for part in message(text.encode()).parts] == ["http://a.b/1"]
