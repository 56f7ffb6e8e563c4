"""MIME: the texts of a message, their order and their numbers."""

from __future__ import annotations

import base64
import quopri

import pytest
from msgspec.structs import replace

from growth import BOUND, growth
from unframing import texts
from urlglean import extract_message
from urlglean.bounds import DEFAULT, Bounds
from urlglean.mail import body_part, read
from urlglean.mail.body_part import REPORTS
from urlglean.mail.encoded_message import NEAR
from urlglean.mail.mime_tree import READ_AS_TEXT
from urlglean.records import Flowed, Message, TextPart


def message(octets: bytes) -> Message:
    """Reads octets as a message, with a From field before them."""
    found = read(b"From: a@b\n" + octets)
    return replace(found, parts=texts(found.parts))


NESTED = b"""\
Content-Type: multipart/mixed; boundary=outer

Get a reader of MIME from http://preamble/.
--outer
Content-Type: multipart/alternative; boundary="inner"

--inner

first
--inner
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

<p>se=
cond =E9 <a href=3D"http://a/">link</a>
--inner--
--outer
Content-Type: image/gif
Content-Location: http://location/
Content-Transfer-Encoding: base64

aHR0cDovL2EvCg==
--outer
Content-Type: message/rfc822

X-URL: http://field/

fourth
--outer
Content-Type: message/rfc822

Content-Type: multipart/digest; boundary=digest

--digest

X-URL: http://digest/

fifth
--digest--
--outer--
A footer of http://epilogue/
"""


def test_parts_are_numbered_and_ordered() -> None:
    """Numbers are those of IMAP (RFC 3501 6.4.5), fields of inner parts precede their text, images are skipped."""
    found = message(NESTED)
    assert found.troubles == ()
    assert found.parts == (
        TextPart("Get a reader of MIME from http://preamble/."),
        TextPart("first", "1.1"),
        TextPart("second é link", "1.2"),
        TextPart("http://a/", "1.2", "a@href", whole=True, label="link"),
        TextPart("http://location/", "2", "Content-Location"),
        TextPart("http://field/", "3", "X-URL"),
        TextPart("fourth", "3.1"),
        TextPart("http://digest/", "4.1", "X-URL"),
        TextPart("fifth", "4.1.1"),
        TextPart("A footer of http://epilogue/\n"),
    )


def test_crlf_makes_no_difference_to_the_structure() -> None:
    """With CRLF, as in transport, the same parts come out."""
    assert [(p.part, p.field) for p in message(NESTED.replace(b"\n", b"\r\n")).parts] == [
        (p.part, p.field) for p in message(NESTED).parts
    ]


NO_TYPES = ["text", "nonsense", "text/plain/x", "plain/text", "signature/plain", "textplain", "/", ""]


@pytest.mark.parametrize("kind", [*NO_TYPES, "text/x-patch", *sorted(READ_AS_TEXT)])
def test_types_that_are_text(kind: str) -> None:
    """Text of any kind, an invalid type (RFC 2045 5.2), and the types of the table are read unchanged."""
    body = "A: http://a/\n\nB: http://b/\n"
    flowed: Flowed = "flowed" if kind in REPORTS else ""
    assert message(f"Content-Type: {kind}\n\n{body}".encode()).parts == (TextPart(body, "1", flowed=flowed),)


HEADER = b"""\
From: a@b.example
Subject: =?utf-8?q?http=3A//a.example/=C3=A9?=
X-URL: http://b.
 example/
Content-Type: multipart/mixed; boundary=lost
"""


@pytest.mark.parametrize("kind", ["text/rfc822-headers", "message/global-headers", "message/rfc822"])
@pytest.mark.parametrize("end", ["", "--x--\n", "--x\n"])
def test_a_header_that_is_given_back_may_have_the_beginning_of_its_parts(kind: str, end: str) -> None:
    """A report of undelivered mail cuts the message anywhere."""
    cut = f"To: z@y\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nSee http://a.example/ now\n{end}"
    (part,) = message(f"From: a@b\nContent-Type: {kind}\n\n{cut}".encode()).parts
    assert part.text.strip() == "See http://a.example/ now"


@pytest.mark.parametrize("kind", ["text/rfc822-headers", "message/global-headers", "Text/RFC822-Headers; charset=x"])
@pytest.mark.parametrize("transfer", ["7bit", "quoted-printable", "base64"])
@pytest.mark.parametrize("behind", [b"", b"\nhttp://c.example/\n"])
def test_a_header_that_is_given_back_is_read_as_one(kind: str, transfer: str, behind: bytes) -> None:
    """Its fields are unfolded and decoded (RFC 6522 4), what is behind them is text. The lost body is no trouble."""
    octets = HEADER + behind
    coded = {"base64": base64.encodebytes, "quoted-printable": quopri.encodestring}.get(transfer, bytes)(octets)
    fields = f"Content-Type: {kind}\nContent-Transfer-Encoding: {transfer}\n\n".encode()
    report = (
        b"From: a@b\nContent-Type: multipart/report; boundary=x\n\n--x\n\nsorry\n--x\n" + fields + coded + b"\n--x--\n"
    )
    found = message(report)
    assert [(part.part, part.field, part.text.rstrip("\n")) for part in found.parts] == [
        ("1", None, "sorry"),
        ("2", "Subject", "http://a.example/é"),
        ("2", "X-URL", "http://b. example/"),
        *([("2.1", None, "http://c.example/")] if behind else []),
    ]
    assert len(found.troubles) == bool(behind)


@pytest.mark.parametrize(
    "kind", ["text/html", "text/x-amp-html", "text/watch-html", "application/xhtml+xml", "Application/XHTML+XML; a=b"]
)
@pytest.mark.parametrize("front", [b"", b"Content-Type: multipart/mixed; boundary=x\n\n--x\n"])
def test_types_that_are_html(kind: str, front: bytes) -> None:
    """The last is that of XHTML (RFC 3236)."""
    (text, link) = message(front + f"Content-Type: {kind}\n\n<p>text <a href='http://a/?b&amp;c'>d\n".encode()).parts
    assert (text.text, link.text) == ("text d", "http://a/?b&c")


def test_a_cdata_section_is_text_of_xhtml() -> None:
    """XML 1.0 2.7. In HTML it is a comment (HTML Standard 13.2.5.42), whatever the name of the page is."""
    page = "<p>see <![CDATA[http://a.example/?b&c <d> &lt;]]> e</p>"
    (text,) = message(f"Content-Type: application/xhtml+xml\n\n{page}".encode()).parts
    assert text.text == "see http://a.example/?b&c <d> &lt; e"
    for named in ("", "; name=a.xhtml"):
        (text,) = message(f"Content-Type: text/html{named}\n\n{page}".encode()).parts
        assert "http" not in text.text


@pytest.mark.parametrize(
    "begin", ["<!-- <![CDATA[ -->", "<?a <![CDATA[ ?>", "<![CDATA[", "<script>'<![CDATA['</script>"]
)
@pytest.mark.parametrize("end", ["", "<!-- ]]> -->"])
def test_what_begins_no_cdata_section_hides_nothing(begin: str, end: str) -> None:
    """XML 1.0 2.5 and 2.6: a comment holds none. Behind one that nothing closes, the page goes on."""
    if end and "--" not in begin:
        return
    page = f"<body>{begin}<p>http://a.example/</p><a href='http://b.example/'>x</a>{end}</body>"
    text, link = message(f"Content-Type: application/xhtml+xml\n\n{page}".encode()).parts
    assert ("http://a.example/" in text.text, link.text) == (True, "http://b.example/")


@pytest.mark.parametrize("unit", [b"<![CDATA[", b"<![CDATA[x]]", b"<![CDATA[]]>", b"<!--", b"<?", b"<!--<?<![CDATA["])
def test_hostile_cdata_takes_no_quadratic_time(unit: bytes) -> None:
    """Each section is searched for its end once."""
    front = b"Content-Type: application/xhtml+xml\n\n"
    assert growth(message, lambda size: front + unit * (size // len(unit)), 30_000) < BOUND


def test_each_line_of_a_list_of_uris_is_whole() -> None:
    """RFC 2483 5. In other text, the first would go on in the second."""
    lines = (
        "# A list of the pages about the town, as it was made\r\nhttp://h.example/guide/opening-times-of-the-town-\r\n"
    )
    assert message(f"Content-Type: text/uri-list\r\n\r\n{lines}".encode()).parts == (
        TextPart(lines, "1", flowed="flowed"),
    )


@pytest.mark.parametrize("kind", ["plain/text", "/", "x-world/x-vrml"])
def test_binary_data_under_no_type_are_no_text(kind: str) -> None:
    """What holds a NUL is none, decoded, if its type has no known beginning."""
    octets = base64.b64encode(b"\0\1\2 http://a.example/ \3").decode()
    found = message(f"Content-Type: {kind}\nContent-Transfer-Encoding: base64\n\n{octets}\n".encode())
    assert (found.parts, found.troubles) == ((), ())


@pytest.mark.parametrize(
    "kind", ["html", "HTML; charset=utf-8", "html/text", "text/html/x", "text/html charset=utf-8", "text/html (x)"]
)
def test_html_under_a_wrong_type(kind: str) -> None:
    """What is meant is told; a type that only ends in its name is another."""
    body = "<a href='http://a.example/?b&amp;c'>x</a>"
    found = message(f"Content-Type: {kind}\n\n{body}".encode())
    assert [(part.text, part.field) for part in found.parts] == [("x", None), ("http://a.example/?b&c", "a@href")]
    for other in ("text/nohtml", "text/plain name=x.html", "text/html-like"):
        for end in ("\n", "\r\n"):  # the fast way and the slow one
            octets = f"Content-Type: {other}\n\n{body}\n".replace("\n", end).encode()
            assert [part.text for part in message(octets).parts] == [f"{body}{end}"]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["fast", "slow"])
@pytest.mark.parametrize("kind", ["text/plain", "multipart/mixed; boundary=x", "message/rfc822"])
def test_two_transfer_encodings_in_one_header(kind: str, end: bytes) -> None:
    """The body shows which of them it has, in a part and in an attached message too."""
    fields = "Content-Transfer-Encoding: 7bit\nContent-transfer-encoding: base64\n"
    text = "Subject: s\n\nhttp://a.example/\n"
    coded = f"{base64.b64encode(text.encode()).decode()}\n"
    if kind.startswith("multipart"):
        whole = f"Content-Type: {kind}\n\n--x\n{fields}\n{coded}--x\n{fields}\n{text}--x--\n"
        expected = [text, text.rstrip("\n")]
    else:
        whole = f"Content-Type: {kind}\n{fields}\n{coded}"
        expected = ["http://a.example/\n"] if kind.startswith("message") else [text]
    found = message(whole.encode().replace(b"\n", end))
    assert [part.text.replace("\r", "") for part in found.parts] == expected


TOP_LEVEL = ["application/x", "audio/x", "example/x", "font/x", "haptics/x", "image/x", "model/x", "video/x"]


@pytest.mark.parametrize("kind", [*TOP_LEVEL, "application/pdf"])
def test_types_that_are_no_text(kind: str) -> None:
    """Parts of other types are skipped without a trouble, by the fast way and the slow one."""
    for end in ("\n", "\r\n"):
        found = message(f"Content-Type: {kind}\n\nhttp://a/\n".replace("\n", end).encode())
        assert (found.parts, found.troubles) == ((), ())


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("number", ["2", '"2"', "02", "11", '"11"'])
def test_a_later_piece_of_a_message_is_text(number: str, end: str) -> None:
    """Only the first one has the header (RFC 2046 5.2.2.1), and fields in the others may be text."""
    text = "From: here http://a.example/\nContent-Type: application/zip\n\nhttp://b.example/?c=3Dd\n".replace("\n", end)
    found = message(f"Content-Type: message/partial; id=x; number={number}; total=20{end}{end}{text}".encode())
    assert [part.text.replace("\r", "") for part in found.parts] == [text.replace("\r", "")]
    assert found.troubles == (
        "part 1: a later piece of a message, read as plain text, whatever the first piece declares",
    )


@pytest.mark.parametrize("number", ["; number=1", '; number="1"', "; number=01", ""])
def test_the_first_piece_of_a_message_has_the_header(number: str) -> None:
    """It is read as an attached message."""
    inner = "Content-Transfer-Encoding: quoted-printable\n\nhttp://b.example/?c=3Dd\n"
    found = message(f"Content-Type: message/partial; id=x{number}; total=2\n\n{inner}".encode())
    assert [part.text for part in found.parts] == ["http://b.example/?c=d\n"]
    assert found.troubles == ()


@pytest.mark.parametrize("parameter", ["", "; boundary=elsewhere", "; boundary=", "; boundary*0*=x''%00"])
def test_a_multipart_without_its_boundary_is_text(parameter: str) -> None:
    """Nothing of it is lost, and there is a trouble."""
    found = message(f"Content-Type: multipart/mixed{parameter}\n\n--x\n\nhttp://a/\n".encode())
    assert found.parts == (TextPart("--x\n\nhttp://a/\n", "1"),)
    assert found.troubles == ("part 1: multipart without parts, no boundary begins one, read as plain text",)


@pytest.mark.parametrize("type_", ["multipart/mixed; boundary=b", "multipart/mixed", "message/rfc822"])
@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\r\n \r\n"])
def test_the_header_of_a_multipart_alone_lacks_nothing(type_: str, end: str) -> None:
    """Bounces may return no more of a message."""
    header = f"From: a@b\nSubject: s\nContent-Type: {type_}\n"
    assert message(f"{header}{end}".encode()).troubles == ()
    bounce = "From: a@b\nContent-Type: multipart/report; boundary=r\n\n--r\n\nso\n--r\nContent-Type: message/rfc822\n\n"
    assert message(f"{bounce}{header}{end}\n--r--\n".encode()).troubles == ()


def test_a_multipart_cut_short_keeps_its_last_part() -> None:
    """If the boundary is never closed, the part ends with the message."""
    found = message(b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\none\n--x\n\nhttp://a/")
    assert found.parts == (TextPart("one", "1"), TextPart("http://a/", "2"))


def test_the_trouble_names_the_lossy_part() -> None:
    """It gives the part, the number of octets, and the charset to which they do not belong."""
    part = b"--x\nContent-Type: text/plain; charset=gb2312\n\na\xff\xff\n"
    found = message(
        b"Content-Type: multipart/mixed; boundary=x\n\n" + part + part.replace(b"\xff", b"b") + part + b"--x--\n"
    )
    assert [p.text for p in found.parts] == ["a\ufffd\ufffd", "abb", "a\ufffd\ufffd"]
    assert found.troubles == (
        "part 1: 2 octets are not gb2312, replaced",
        "part 3: 2 octets are not gb2312, replaced",
    )


def nested(depth: int) -> bytes:
    """Multiparts within each other; the innermost holds one text."""
    opened = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))
    return b"".join(opened) + b"\nhttp://a/"


def test_parts_nest_up_to_the_bound() -> None:
    """The allowed number of levels is read as parts."""
    found = message(nested(DEFAULT.depth))
    assert found.parts == (TextPart("http://a/", ".".join("1" * DEFAULT.depth)),)
    assert found.troubles == ()


def test_well_formed_parts_nest_up_to_the_same_bound() -> None:
    """The fast path has the same bound."""
    inner = b"Content-Type: text/plain\n\nhttp://a/"
    for n in range(3):
        inner = b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n%b\n--b%d--\n" % (n, n, inner, n)
    octets = b"From: a@b\n" + inner
    assert [part.part for part in read(octets).parts] == ["1.1.1"]
    assert not read(octets, bounds=Bounds(depth=3)).troubles
    (trouble,) = read(octets, bounds=Bounds(depth=1)).troubles
    assert trouble.endswith("nested deeper than 1, read as plain text")


def test_past_the_bound_parts_are_text() -> None:
    """Deeper parts are read as plain text, with a trouble; their text is not lost."""
    found = message(nested(DEFAULT.depth + 3))
    assert "http://a/" in found.parts[-1].text
    assert [trouble.endswith("read as plain text") for trouble in found.troubles] == [True]


def test_an_encoded_message_is_read_as_a_message() -> None:
    """RFC 2046 5.2.1 forbids it, but an attached message in base64 or quoted-printable is decoded and read."""
    inner = b"To: a\nX-URL: http://field/\nContent-Type: text/html\n\n<a href='http://a/'>b</a>\n"
    expected = (
        TextPart("http://field/", "1", "X-URL"),
        TextPart("b", "1.1"),
        TextPart("http://a/", "1.1", "a@href", whole=True, label="b"),
    )
    for encoding, octets in (
        ("base64", base64.encodebytes(inner)),
        ('(as always) "Base 64"', base64.encodebytes(inner)),
        ("quoted-printable", inner.replace(b"=", b"=3D")),
    ):
        head = "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: message/rfc822\n"
        found = message(f"{head}Content-Transfer-Encoding: {encoding}\n\n".encode() + octets + b"\n--x--\n")
        assert found.parts == expected
        assert not found.troubles


PLAIN = 'Content-Type: multipart/mixed; boundary="y"\n\n--y\n\nsee http://a/?b=3D41\n--y--\n'
BY_ITSELF = "Content-Transfer-Encoding: quoted-printable\n\nsee http://a/?b=3D41 and=\n so on\n"


@pytest.mark.parametrize("declared", ["quoted-printable", "base64", "x-uuencode", "base64, quoted-printable"])
@pytest.mark.parametrize("front", ["", "From a@b Thu Jan  1 00:00:00 1970\n"])
@pytest.mark.parametrize(("inner", "url"), [(PLAIN, "http://a/?b=3D41"), (BY_ITSELF, "http://a/?b=41")])
def test_a_message_may_lie_there_without_its_declared_encoding(declared: str, front: str, inner: str, url: str) -> None:
    """The encoding may be that of the attached message itself, or of a part of it."""
    head = f"Content-Type: message/rfc822\nContent-Transfer-Encoding: {declared}\n\n{front}To: a\n"
    found = message((head + inner).encode())
    assert [each.finding.url for each in extract_message((head + inner).encode())] == [url]
    assert not found.troubles


@pytest.mark.parametrize("text", ["see http://a/?b=41 and\n", "see http://a/?b=41 http://b/?c=3D\n"])
def test_a_message_may_be_encoded_twice(text: str) -> None:
    """The escapes of its own encoding are escaped then."""
    once = text.replace("=", "=3D").replace(" and", " =\nand")
    inner = f"To: a\nContent-Transfer-Encoding: quoted-printable\n\n{once}".replace("=", "=3D")
    head = "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n"
    assert text in message((head + inner).encode()).parts[-1].text


BOUNCE = "Content-Type: multipart/report; boundary={0}\n\n--{0}\n{1}\n--{0}\nContent-Type: a/b; x=y\n\n--{0}--\n"
ENCODED = "Content-Type: {0}\nContent-Transfer-Encoding: quoted-printable\n\n"


@pytest.mark.parametrize("own", ["", "Content-Transfer-Encoding: quoted-printable\n"])
@pytest.mark.parametrize("boundary", ["===x", "x"])
@pytest.mark.parametrize(
    "front", ["To: a\n", "X-A: b=\n c\n", *("X-A: " + "a" * (NEAR - len("X-A: ") - cut) + "=3D\n" for cut in (1, 2, 3))]
)
def test_the_escapes_of_its_fields_show_that_a_message_is_encoded(own: str, boundary: str, front: str) -> None:
    """Whatever its own encoding is. The next part of the bounce is none of it, nor is half an escape no escape."""
    header = f"{front}{own}X-B: http://h/?a=3D41\nX-C: charset=3Da\n"
    for kind, text in (("text/rfc822-headers", ""), ("message/rfc822", "\nno escapes\n")):
        part = (ENCODED.format(kind) + header + text).rstrip("\n")
        for octets in (part, BOUNCE.format(boundary, part)):
            assert [each.finding.url for each in extract_message(octets.encode())] == ["http://h/?a=41"]


@pytest.mark.parametrize("end", ["", "--"])
@pytest.mark.parametrize("front", ["WARNING: looked at\n\n", 'Content-Disposition: a; b="c"\n\n', "To: a\nX: b=c\n\n"])
@pytest.mark.parametrize("transfer", ["base64", "quoted-printable"])
def test_a_field_before_what_shows_the_declared_encoding_does_not_hide_it(transfer: str, front: str, end: str) -> None:
    """It may be a remark of a scanner, or a field of the part that an empty line has torn off."""
    body = b"To: a\n\nsee http://a/?b=41 and http://c/\n" * 2
    coded = base64.encodebytes(body) if transfer == "base64" else quopri.encodestring(body)
    head = f"Content-Type: message/rfc822\nContent-Transfer-Encoding: {transfer}\n\n{front}"
    found = extract_message(head.encode() + coded + (f"\n{end}\n".encode() if end else b""))
    assert [each.finding.url for each in found] == ["http://a/?b=41", "http://c/"] * 2


@pytest.mark.parametrize("text", ["see http://a/?b=41\n", "see http://a/ gr\u00fc\u00df\n"])
def test_a_sure_escape_shows_that_a_message_is_encoded(text: str) -> None:
    """That of an equals sign, or of a letter in UTF-8, where a remark has another equals sign."""
    head = "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\nX: b=c\n\n"
    assert message(head.encode() + quopri.encodestring(text.encode())).parts[-1].text == text
    assert message(f"{head}see a=20b\n".encode()).parts[-1].text == "see a=20b\n"


@pytest.mark.parametrize("report", sorted(REPORTS))
def test_a_fold_in_the_fields_of_a_report_ends_a_url(report: str) -> None:
    """It is a blank, as in any header (RFC 5322 2.2.3). Behind it stands what servers write for themselves."""
    field = "Diagnostic-Code: smtp; 550-5.1.1 The account does not exist. Learn more at 550 5.1.1\n"
    url = "    https://support.example.com/mail/?p=NoSuchUser\n"
    text = f"Final-Recipient: rfc822; a@b\n{field}{url}    a640c23a62f3a-ab2c3c4d5e6f7si123456789a12.123 - gsmtp\n"
    found = extract_message(f"Content-Type: {report}\n\n{text}".encode())
    assert [each.finding.url for each in found] == ["https://support.example.com/mail/?p=NoSuchUser"]


def test_encoded_messages_nest_up_to_the_bound() -> None:
    """A message that is nested more deeply, in base64 in base64 and so on, is read as text, with a trouble."""
    octets = b"To: a\n\nhttp://a/\n"
    for _ in range(DEFAULT.depth + 2):
        octets = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + base64.encodebytes(octets)
    found = message(octets)
    assert [part.text for part in found.parts] == ["To: a\n\nhttp://a/\n"]  # with its header, so not as a message
    assert [trouble.endswith("read as plain text") for trouble in found.troubles] == [True]


@pytest.mark.parametrize(
    ("parameters", "flowed"),
    [
        ("", ""),
        ("; format=fixed", ""),
        ("; format=flowed", "flowed"),
        ('; charset=utf-8; Format="Flowed"; DelSp=no', "flowed"),
        ("; delsp=yes; format=flowed; charset=iso-8859-1", "delsp"),
        ("; delsp=yes", ""),
        ("; x=format=flowed", ""),
        ('; name="x; format=flowed; delsp=yes"', ""),
        ('; name="x; \\"; format=fixed"; format=flowed', "flowed"),
        ('; format="flowed; delsp=yes', "delsp"),
        ("; format*=us-ascii''flowed; delsp*=us-ascii'en'yes", "delsp"),
    ],
)
def test_format_and_delsp_are_taken_from_the_part(parameters: str, flowed: str) -> None:
    """This holds for a single part and for one of several (RFC 3676 4). The text itself is unchanged."""
    text = "one \n two\n"
    kind = f"Content-Type: text/plain{parameters}"
    (alone,) = message(f"{kind}\n\n{text}".encode()).parts
    assert (alone.flowed, alone.text) == (flowed, text)
    (among,) = message(f"Content-Type: multipart/mixed; boundary=x\n\n--x\n{kind}\n\n{text}\n--x--".encode()).parts
    assert (among.flowed, among.text) == (flowed, text)


def test_html_is_never_flowed() -> None:
    """The parameter belongs to text/plain only."""
    assert message(b"Content-Type: text/html; format=flowed\n\na").parts == (TextPart("a", "1"),)


@pytest.mark.parametrize(
    "declared", ["", '; charset=""', "; charset=us-ascii", "; charset=unknown-8bit", "; charset=x-y"]
)
def test_html_without_a_declared_charset_may_declare_its_own(declared: str) -> None:
    """A <meta> in the first kilobyte counts if the part's header has no charset, or one that says nothing."""
    head = f"Content-Type: text/html{declared}\n\n".encode()
    assert message(head + b'<meta charset="koi8-r"><p>\xc1').parts == (TextPart("а", "1"),)
    japanese = "<p>メーカー選択<p>".encode("iso2022_jp")
    assert message(head + japanese).parts[0].text == "メーカー選択"
    assert message(head + b"<meta charset=x-z><p>\xc1").troubles
    assert bool(message(head + b"<p>\xc1").troubles) == ("x-y" in declared)


def test_a_message_that_breaks_the_parser_is_read_as_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception in the parser becomes a trouble, and the body is one text."""

    def broken(*_: object) -> None:
        raise LookupError("a bug")

    monkeypatch.setattr(body_part, "decode", broken)
    found = message(b"Content-Type: text/html\n\nhttp://a/")
    assert found.parts == (TextPart("http://a/", "1"),)
    assert found.troubles == ("body: MIME not understood (LookupError: a bug), read as plain text",)


def test_an_error_without_words_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as that there is no memory."""

    def broken(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(body_part, "decode", broken)
    found = message(b"Content-Type: text/html\n\nhttp://a/")
    assert found.troubles == ("body: needs more memory than it may take (--memory-limit), read as plain text",)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["fast", "slow"])
@pytest.mark.parametrize("parts", [1, 19, 20, 21, 500])
def test_parts_beyond_the_bound_are_not_read(parts: int, end: bytes) -> None:
    """Those before them are, with their octets in the message as they lie, and the trouble says so."""
    lines = [b"From: a@b", b"Content-Type: multipart/mixed; boundary=b", b""]
    for number in range(parts):
        lines += [b"--b", b"", b"http://a/%d" % number, b""]
    octets = end.join([*lines, b"--b--", b""])
    found = read(octets, bounds=Bounds(parts=20))
    assert [part.text.strip() for part in found.parts] == [f"http://a/{number}" for number in range(min(parts, 20))]
    assert found.troubles == (() if parts <= 20 else ("body: more than 20 parts, the others are not read",))
    for part in found.parts:
        assert part.decoding is not None
        assert octets[part.decoding.start : part.decoding.end].decode() == part.text


def test_parts_are_counted_at_all_depths() -> None:
    """A multipart is one, and so is what lies in it."""
    inner = b"Content-Type: multipart/mixed; boundary=i\n\n--i\n\none\n--i\n\ntwo\n--i--\n"
    octets = b"Content-Type: multipart/mixed; boundary=o\n\n--o\n" + inner + b"--o\n\nthree\n--o--\n"
    for bound, texts_ in ((4, ["one", "two", "three"]), (3, ["one", "two"]), (2, ["one"]), (1, [])):
        found = read(octets, bounds=Bounds(parts=bound))
        assert [part.text.strip() for part in found.parts][: len(texts_)] == texts_
        assert (found.troubles == ()) is (bound == 4)


@pytest.mark.parametrize("text", ["See www.a.example\n", "See b:c\n"])
def test_text_around_parts_may_hold_what_the_caller_asks_for(text: str) -> None:
    """That are hosts without a scheme, and further schemes; the usual words before the first part hold neither."""
    mail = "Content-Type: multipart/mixed; boundary=b\n\n{}--b\n\nc\n--b--\n{}"
    assert [part.text for part in message(mail.format(text, text).encode()).parts] == [text[:-1], "c", text]
    usual = "This is a message in MIME format.\n"
    assert [part.text for part in message(mail.format(usual, usual).encode()).parts] == ["c"]
