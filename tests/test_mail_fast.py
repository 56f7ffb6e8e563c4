"""The fast paths of reading mail: each gives what the plain path gives, and is used for ordinary mail."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from unframing import documents
from urlglean.bounds import Bounds
from urlglean.mail import base64_octets, envelope, html_lines
from urlglean.mail.field_lines import NAME_AND_VALUE, Field
from urlglean.mail.header_values import value
from urlglean.mail.headers import TOLD, Headers, split
from urlglean.mail.mime_fast_path import regular_parts
from urlglean.mail.mime_parts import text_parts
from urlglean.mail.octet_range import OctetRange
from urlglean.mail.url_fields import fields_with_signs, url_fields
from urlglean.records import Document, TextPart
from urlglean.sources import unframed
from urlglean.text.extract import extract

CORPUS = Path(__file__).parent.parent / "corpus"

ALTERNATIVE = b"""\
Subject: two ways
Content-Type: multipart/alternative;
 boundary="=_b"
Content-Transfer-Encoding: 7bit

Get a reader of MIME from http://preamble/.
--=_b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable
X-URL: http://field/

caf=C3=A9
--=_b
Content-Type: multipart/mixed; boundary=inner

--inner
Content-Type: text/html

<a href="http://a/">link</a>
--inner
Content-Type: image/png; name="a b.png"

nothing to read
--inner--
--=_b

no fields
--=_b--
A footer of http://epilogue/
"""
TEXTS = [
    (None, None, "Get a reader of MIME from http://preamble/."),
    ("1", "X-URL", "http://field/"),
    ("1", None, "café"),
    ("2.1", None, "link"),
    ("2.1", "a@href", "http://a/"),
    ("3", None, "no fields"),
    (None, None, "A footer of http://epilogue/\n"),
]


def test_a_regular_message_takes_the_fast_path() -> None:
    """It gives preamble, fields, nested parts and epilogue, numbered and in order."""
    found = regular_parts(split(ALTERNATIVE))
    assert found is not None
    assert [(part.part, part.field, part.text) for part in found if isinstance(part, TextPart)] == TEXTS


@pytest.mark.parametrize(
    ("regular", "odd"),
    [
        (b"--=_b--\nA", b"A"),
        (b"--=_b\n\nno", b"--=_b\n--=_b\n\nno"),
        (b"--inner--\n", b""),
        (b"--inner\nContent-Type: text", b"--inner--\nContent-Type: text"),
        (b'"=_b"', b'"=_b "'),
        (b'"=_b"', b'"=_b"; boundary*=other'),
        (b"multipart/alternative", b"multipart/digest"),
        (b"text/html", b"message/rfc822"),
        (b"text/html", b"text/html (a comment)"),
        (b"text/html", b"html"),
        (b"text/html", b"application/pgp"),
        (b"text/html", b"text/html; name=" + b"a" * 2_000),
        (b"X-URL: http", b"X-URL http"),
        (b"\n", b"\r\n"),
    ],
)
def test_an_irregular_message_does_not_take_the_fast_path(regular: bytes, odd: bytes) -> None:
    """The full parser reads every message with anything out of the ordinary."""
    assert regular in ALTERNATIVE
    assert regular_parts(split(ALTERNATIVE.replace(regular, odd))) is None


PIECES = [
    *(b"--x\n", b"--x--\n", b"--x \t\n", b"--xy\n", b"--x", b"--y\n", b"--y--\n", b"\n", b"\n\n", b" ", b"\t", b"\r\n"),
    *(b"Content-Type: text/plain", b"Content-Type: text/html; charset=", b"Content-Type: multipart/mixed; boundary=y"),
    *(b"Content-Type: image/gif", b"Content-type:text/html", b'CONTENT-TYPE: Multipart/Related; Boundary="y";'),
    *(b"Content-Transfer-Encoding: base64", b"Content-Transfer-Encoding: quoted-printable ", b"; charset=utf-8"),
    *(b'; a="b;c"', b";\n format=flowed", b"X: http://a/", b"X:y", b"http://b/", b"=E9=\n", b"QUJD\n", b"QQ==\n"),
    *(b"<a href='http://c/'>d</a>", b"From x\n", b">From y\n", b"\xe9", b": z", b"=?utf-8?q?a?="),
]
BODIES = st.lists(st.sampled_from(PIECES) | st.binary(max_size=3), max_size=24).map(b"".join)
HEADS = [
    b"Content-Type: multipart/mixed; boundary=x\n",
    b'Content-Type: multipart/alternative;\n\tboundary="x"; type="text/plain"\nContent-Transfer-Encoding: 8bit\n',
    b"Content-Type: text/html\nContent-Transfer-Encoding: BASE64\n",
    b"Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: Quoted-Printable\n",
    b"Content-Transfer-Encoding: base64\n",
]


@example(HEADS[0], b"X: http://a/\n\n", True)  # noqa: FBT003
@given(st.sampled_from(HEADS), BODIES, st.booleans())
def test_regular_messages_are_read_as_the_full_parser_reads_them(head: bytes, body: bytes, closed: bool) -> None:  # noqa: FBT001
    """If the fast path reads a message, the full path gives the same texts and troubles."""
    headers = split(b"From: a@b\n" + head + b"\n" + (b"--x\n" + body + b"\n--x--\n" if closed else body))
    found = regular_parts(headers)
    if found is not None and headers.body:
        assert list(found) == list(text_parts(headers))


def test_messages_of_the_corpus_are_read_as_the_full_parser_reads_them() -> None:
    """The same holds for the messages in the corpus."""
    served = 0
    for document in documents(str(CORPUS)):
        if (
            isinstance(document, Document)
            and document.kind == "message"
            and (headers := split(unframed(document.data, document.framing))).body
        ):
            found = regular_parts(headers)
            served += found is not None
            assert found is None or list(found) == list(text_parts(headers))
    assert served


def test_the_parser_of_mime_is_not_imported_for_regular_messages() -> None:
    """Its import takes longer than reading a thousand such messages."""
    code = f"""
import sys
from urlglean.mail import read
assert read({ALTERNATIVE!r}).parts
print("email.parser" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"False\n"


VALUE = st.lists(
    st.sampled_from(
        [
            "http:",
            "//",
            ":",
            "a",
            "<",
            "<mailto:",
            "URL:",
            "www.a.example/",
            ">",
            " ",
            "\n ",
            "\n",
            "=?utf-8?q?=3A/?=",
            "é",
            "10:30",
        ]
    ),
    max_size=8,
).map("".join)


def all_fields(headers: Headers) -> list[Field]:
    """The fields of a header, also those that `fields_with_signs` leaves out."""
    return NAME_AND_VALUE.findall(headers.block)


LINE = st.sampled_from(
    [
        "To: a@b",
        "X-A:http://a.example/",
        "X-A: see http://a.example/",
        "http://a.example/ is no field",
        "References: <news:1@b>",
        " folded http://b.example/",
        "\tfolded",
        "lost its indent mailto:a@b",
        "Date : today",
        "Subject: =?utf-8?q?=3A?=",
        "Subject: x?=?",
        "X: <",
        " http: //c.example/>",
        ">From a@b: http://d.example/",
        "From : //e.example/",
    ]
)


@given(st.lists(LINE, max_size=8), st.lists(LINE, max_size=8), st.integers(0, 60))
def test_fields_without_a_sign_are_left_out_for_nothing(first: list[str], more: list[str], most: int) -> None:
    """With all fields, `url_fields` finds the same texts and troubles, at the same places."""
    for line_end in ("\n", "\r\n"):
        written = line_end.join([*first, "From: a@b", *more, "To: c@d", "", "body"])
        headers = split(written.encode())
        block = OctetRange(headers.block, 0)
        for bounds in (Bounds(), Bounds(field=most)):
            assert list(url_fields(fields_with_signs(headers.block, bounds.field), block, None, bounds)) == list(
                url_fields(all_fields(headers), block, None, bounds)
            )


def test_few_fields_are_looked_at() -> None:
    """Only those with a sign, each with its folds, are."""
    headers = split(b"From: a@b\nX-A: 1\n 2 http://a/\n 3\nTo: c@d\nX-B: =?utf-8?q?a?=\nDate: 10:30\n\n")
    assert fields_with_signs(headers.block) == [(b"X-A", b" 1\n 2 http://a/\n 3"), (b"X-B", b" =?utf-8?q?a?=")]


@given(st.lists(st.tuples(st.sampled_from(["To", "X-A", "References", "Subject"]), VALUE), max_size=4))
def test_no_field_with_a_url_is_missed(fields: list[tuple[str, str]]) -> None:
    """If the test on all fields at once says that there is no URL, no single field has one."""
    headers = split("".join(f"{name}: {held}\n" for name, held in (("From", "a@b"), *fields)).encode() + b"\n")
    given = list(url_fields(fields_with_signs(headers.block), OctetRange(headers.block, 0), None))
    assert headers.may_hold_url or not given
    texts = {part.text for part in given if isinstance(part, TextPart)}
    for name, octets in all_fields(headers):
        text = value(octets).text
        assert name == b"References" or text in texts or not extract(text)


NAME = st.sampled_from(
    ["From", "DATE", "date ", "Content-Type", "content-Type\t", "Message-ID", "Subject", "X", "Xdate"]
)


@given(st.lists(st.tuples(NAME, VALUE), max_size=6))
def test_fields_that_are_looked_for_are_those_that_are_listed(fields: list[tuple[str, str]]) -> None:
    """`first` has the first field of each name, among odd names, folds, lost folds, and lines that are no fields."""
    headers = split("".join(f"{name}:{held}\n" for name, held in (("To", "a@b"), *fields)).encode() + b"\n")
    listed = {name.lower(): held for name, held in reversed(all_fields(headers))}
    assert headers.first == {name: held for name, held in listed.items() if name in TOLD}


@pytest.mark.parametrize(
    "field", ["< http: //a.example/b> y", "<\n http:\n //a.example/b>", "< URL: http: //a.example/b>"]
)
def test_a_field_with_blanks_in_a_wrapper_is_not_missed(field: str) -> None:
    """The blanks are behind the bracket and behind the scheme."""
    headers = split(f"From: a@b\nSubject: x {field}\n\n".encode())
    (found,) = url_fields(fields_with_signs(headers.block), OctetRange(headers.block, 0), None)
    assert isinstance(found, TextPart)
    assert [finding.url for finding in extract(found.text)] == ["http://a.example/b"]


def test_content_disposition_alone_makes_no_header() -> None:
    """Unlike the other known fields, it is no sign that a header begins."""
    assert split(b"Content-Disposition: inline\nSee-Also: x\n\nbody").body.startswith(b"Content-Disposition")


def test_usual_fields_are_seen_to_have_no_url() -> None:
    """The test on all fields at once says so for the fields that every message has."""
    head = b"From: a@b\nDate: Mon, 3 Mar 1997 10:30:00 +0000\nMessage-ID: <a.1@b>\nSubject: Re: noon\n\n"
    assert not split(head).may_hold_url
    assert split(b"X-Url: http://a/\n" + head).may_hold_url


ZONES = st.sampled_from(["GMT", "+0000", "-0000", "-0430", "+1400", "+0199", "GMT (UT)", "+0200 (CEST)"])


DAYS = st.builds(
    "{}{} {} {}".format,
    st.sampled_from(["", "Mon, ", "Sun, "]),
    st.integers(0, 32),
    st.sampled_from(["Jan", "Feb", "Apr", "Sep", "Dec"]),
    st.integers(1899, 2100),
)
TIMES = st.builds("{:02}:{:02}:{:02}".format, st.integers(0, 25), st.integers(0, 61), st.integers(0, 61))


@given(DAYS, TIMES, ZONES)
def test_common_dates_are_those_of_the_library(day: str, time: str, zone: str) -> None:
    """A date read by the pattern is the same as that of the standard library, or None if the library reads none."""
    text = f"{day} {time} {zone}"
    assert envelope.iso_utc(text) == envelope._any_date(text)


@given(DAYS, TIMES)
def test_dates_of_ctime_are_those_of_the_library(day: str, time: str) -> None:
    """The date of ctime(3) has no zone."""
    *_, number, month, year = day.split()
    text = f"Mon {month} {number:>2} {time} {year}"
    assert envelope.iso_utc(text) == envelope._any_date(text)


@pytest.mark.parametrize(
    "date",
    [
        "3 Mar 1997 10:30:00 GMT",
        "Mon, 3 Mar 1997 10:30:00 +0000",
        "Mon, 03 Mar 1997 05:30:00 -0500 (EST)",
        "Mon Mar  3 10:30:00 1997",
    ],
)
def test_common_dates_do_without_the_library(date: str) -> None:
    """The patterns read the forms that nearly all mail and news has."""
    assert envelope._common_date(date) == "1997-03-03T10:30:00Z"


LINES = st.lists(
    st.sampled_from([b"QUJD", b"QQ==", b"Q", b"=", b"see", b" ", b"\t", b"\n", b"\r\n", b"\r", b"_"]), max_size=12
)


@given(LINES.map(b"".join))
@example(b"QUJD======\n==")
def test_fast_base64_agrees_with_line_by_line_decoding(octets: bytes) -> None:
    """If base64 can be decoded at once, decoding it line by line gives the same, without rest or loss."""
    whole = base64_octets.strict(octets)
    if whole is not None:
        assert base64_octets.by_lines(octets) == (whole, None)


def test_usual_base64_takes_the_fast_path() -> None:
    """Lines have 76 characters, LF or CRLF, and padding at the end."""
    octets = bytes(range(256))
    encoded = base64.encodebytes(octets)
    assert base64_octets.strict(encoded) == octets
    assert base64_octets.strict(encoded.replace(b"\n", b"\r\n")) == octets


@given(st.text("a \t\n\r\f\v\u00a0", max_size=200))
def test_runs_of_blanks_become_one_space(text: str) -> None:
    """HTML's white space (HTML 5 13.1.2) does, and no other characters."""
    assert html_lines.collapsed(text) == re.sub("[ \t\n\r\f]+", " ", text)
