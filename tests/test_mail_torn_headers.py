"""Headers that end too early, or go on behind a line that is no field."""

from __future__ import annotations

import pytest

from unframing import message
from urlglean import extract_message, scan
from urlglean.mail import read

CODED = "Content-Transfer-Encoding: base64\n\naHR0cDovL2EuYi8x\n"
HIDDEN = "its header ends at an empty line, and goes on behind it; the fields there were read as text"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "torn",
    [
        f"its rest\n{CODED}",
        f"its rest\nX: y\n{CODED}",
        f"From its rest\nX: y\n{CODED}",
        f">From its rest\n{CODED}",
        f": its rest\n{CODED}",
        f"see://its.rest/\nX: y\n{CODED}",
        f"its rest\n with its rest\nX: y\n z\n{CODED}",
        f"its rest\nDate: z\nthe rest of that\nX: y\n{CODED}",
        f"its rest\n{CODED}".replace("\n\n", "\nX: y\n\n"),
    ],
)
@pytest.mark.parametrize("head", ["", "Content-Type: multipart/mixed; boundary=x\n\n--x\n"])
def test_a_header_goes_on_behind_a_line_that_has_lost_its_blank(head: str, torn: str, end: str) -> None:
    """If a well-known field is among the fields from there to the empty line; in a part too."""
    found = message(f"From: a@b\n{head}Subject: s\n{torn}".replace("\n", end).encode())
    assert [part.text for part in found.parts if not part.field] == ["http://a.b/1"]
    assert not found.troubles


@pytest.mark.parametrize("line", ["--b", "-- ", "--", "--b -", "-- -- c"])
def test_a_line_of_two_hyphens_ends_a_header(line: str) -> None:
    """Whether or not its header says one."""
    found = message(f"From: a@b\nSubject: s\n{line}\nDate: z\n\nso\n".encode())
    assert [part.text for part in found.parts] == [f"{line}\nDate: z\n\nso\n"]


def test_a_ruler_that_has_lost_its_blank_ends_no_header() -> None:
    """It begins as a boundary does; between parts it is one."""
    found = message(f"From: a@b\nX-Table:\n---- ------ -----\n a b c\nX: y\nDate: z\n{CODED}".encode())
    assert [part.text for part in found.parts] == ["http://a.b/1"]
    parts = f"--- -- -\n\nso\n--- -- -\n{CODED}--- -- ---\n"
    found = message(f'From: a@b\nContent-Type: multipart/mixed; boundary="- -- -"\n\n{parts}'.encode())
    assert [part.text for part in found.parts] == ["so", "http://a.b/1"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "head", ["", "Content-Type: message/rfc822\n\nFrom: a@b\n", "Content-Type: multipart/mixed; boundary=x\n\n--x\n"]
)
def test_a_uri_in_angle_brackets_begins_no_field(head: str, end: str) -> None:
    """A fold of the fields of a list (RFC 2369 2) that has lost its indent begins so."""
    fields = "List-Help: <http://a.b/1>,\n<mailto:a@b.c?subject=help>\nList-Post:\n<mailto:a@b.c>\nDate: z\n\nso\n"
    found = message(f"From: a@b\n{head}{fields}".replace("\n", end).encode())
    texts = [part.text for part in found.parts if part.field]
    assert ["<http://a.b/1>" in texts[0], "<mailto:a@b.c?subject=help>" in texts[0], "<mailto:a@b.c>" in texts[1]] == [
        True
    ] * 3
    assert not found.troubles


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "fold",
    [
        "List-Help: <http://a.b/2>,\n<mailto:a@b.c>,\n<a:b>\n",
        "List-Help: <http://a.b/2>, \n<mailto:a@b.c>,\n <a:b>\n",
        "List-Help:\n<mailto:a@b.c>\n",
        "List-Help: \n<mailto:a@b.c>\nX: y\n",
        "List-Help: (so)\n<mailto:a@b.c>\nX: y\n",
    ],
)
def test_a_uri_in_angle_brackets_may_end_a_header(fold: str, end: str) -> None:
    """Where the value above goes on (RFC 2369 2)."""
    found = message(f"From: a@b\n{fold}\n".replace("\n", end).encode() + b"so")
    assert "<mailto:a@b.c>" in found.parts[0].text
    assert [(part.field, part.text) for part in found.parts][-1] == (None, "so")
    assert found.parts[0].field == "List-Help"
    coded = f"From: a@b\n{CODED}".replace("\n\n", f"\n{fold}\n").replace("\n", end)
    assert message(coded.encode()).parts[-1].text == "http://a.b/1"
    assert not message(coded.encode()).troubles


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "body",
    ["<http://a.b/long/\npath>\nand more\n", "<mailto:a@b.c>\n\nso\n", "<a:b>\n<c:d>\nso", "<http://a.b/,\nc>\nd\n"],
)
@pytest.mark.parametrize("coded", ["", "Content-Transfer-Encoding: quoted-printable\n"])
def test_a_uri_in_angle_brackets_may_begin_a_body(coded: str, body: str, end: str) -> None:
    """Behind a header without an empty line."""
    found = message(f"From: a@b\nSubject: s\n{coded}{body}".replace("\n", end).encode())
    assert [(part.field, part.text.replace("\r", "")) for part in found.parts] == [(None, body)]
    found = message("From: a@b\nSubject: see:\n<http://a.b/long/\npath>\nso\n".replace("\n", end).encode())
    assert found.parts[0].field is None


def test_a_parameter_may_stand_in_a_line_that_has_lost_its_blank() -> None:
    """As mailers have written it."""
    part = "Content-Type: text/plain;\ncharset=iso-8859-2\nContent-Transfer-Encoding: quoted-printable\n\n=B1"
    for head in ("", "Content-Type: multipart/mixed; boundary=x\n\n--x\n"):
        found = message(f"From: a@b\n{head}{part}".encode())
        assert [part.text for part in found.parts] == ["ą"]


@pytest.mark.parametrize(
    "text",
    [
        "A line\nand another\nX: y\nSubject: z\n\nb",  # two lines
        "A line\nX: y\n\nSubject: z",  # no well-known field before the empty line
        "A line\nX: y\nSubject: z\nand no field\n\nb",
        "--\nSubject: z\n\nb",
        "--a: b\nSubject: z\n\nb",
    ],
)
def test_a_text_behind_no_empty_line_is_no_header(text: str) -> None:
    """Though lines of it look like fields."""
    for head, end in (("", ""), ("Content-Type: multipart/mixed; boundary=x\n\n--x\n", "\n--x--\n")):
        found = message(f"From: a@b\n{head}Content-Language: en\n{text}{end}".encode())
        assert [part.text for part in found.parts] == [text]


@pytest.mark.parametrize("end", ["", "--x--\n"])
@pytest.mark.parametrize("head", ["", "Content-Type: multipart/mixed; boundary=x\n\n--x\n"])
@pytest.mark.parametrize("boundary", ["y", "y:y"])
def test_a_boundary_ends_a_header(boundary: str, head: str, end: str) -> None:
    """Without an empty line before it, too."""
    parts = f"--{boundary}\nContent-Type: text/html\n{CODED}--{boundary}--\n{end}"
    found = message(f'From: a@b\n{head}Content-Type: multipart/mixed; boundary="{boundary}"\n{parts}'.encode())
    assert [part.text for part in found.parts if not part.field] == ["http://a.b/1"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("behind", "is_told"),
    [
        (f"X: y\n{CODED}", True),
        ("X: y\ncontent-type: text/html", True),
        ("X: y\n\nContent-Type: text/html\n", False),
        ("X: y\n--z\nContent-Type: text/html\n", False),
        ("X: y\nX-Content-Type: text/html\n\n", False),
        ("X: y\nContent-Language: en", False),
    ],
)
@pytest.mark.parametrize(("head", "place"), [("", ""), ("Content-Type: message/rfc822\n\n", "part 1.1: ")])
def test_what_a_torn_header_loses_is_told(head: str, place: str, behind: str, *, is_told: bool, end: str) -> None:
    """Its encoding or type, if they stand behind lines that are no fields, before an empty line and a boundary."""
    text = f"its rest\nand more\n{behind}".replace("\n", end)
    found = message(f"From: a@b\n{head}Subject: s\n".replace("\n", end).encode() + text.encode())
    told = f"{place}its header ends at a line that is no field; the fields behind it were read as text"
    assert found.troubles == ((told,) if is_told else ())
    assert found.parts[0].text == text


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_empty_line_before_the_fields_of_a_part_is_told(end: str) -> None:
    """They were read as text, so that nobody decoded the body."""
    whole = "From: a@b\nContent-Type: multipart/mixed; boundary=z\n\n--z\n{}\n--z--\n"
    for text, is_told in (
        *(
            (f"\n{fields}{CODED}", True)
            for fields in ("", "\n", "DKIM-Signature: v=1;\n a=b\n", "X-To: a\nARC-Seal: b\n")
        ),
        *((f"\n{fields}{CODED}", False) for fields in ("See:\n", "See this: a\n")),
        (CODED, False),
    ):
        troubles = message(whole.format(text).replace("\n", end).encode()).troubles
        assert (f"part 1: {HIDDEN}" in troubles) == is_told
    digest = whole.format(f"\n{CODED}").replace("mixed", "digest").replace("\n", end)
    found = message(digest.encode())
    assert not found.troubles
    assert "http://a.b/1" in [part.text for part in found.parts]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("front", ["\n{}", "{}\n", "{}\n{}", "\n>{}"])
def test_the_line_of_an_envelope_beside_that_empty_line_hides_nothing(front: str, end: str) -> None:
    """Programs that attach a message out of a mailbox may leave it there."""
    line = "From a@b Mon Jan  1 00:00:00 2001\n"
    text = f"From: a@b\nContent-Type: message/rfc822\n\n{front.format(line, line)}Subject: s\n{CODED}"
    assert message(text.replace("\n", end).encode()).troubles == (f"part 1.1: {HIDDEN}",)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "head", ["", "Content-Type: message/rfc822\n\n", "Content-Type: multipart/mixed; boundary=z\n\n--z\n"]
)
@pytest.mark.parametrize(
    ("behind", "body", "is_told"),
    [
        ("Content-Transfer-Encoding: base64", "aHR0cDovL2EuYi8x", True),
        ("X-Mailer: p\nContent-Transfer-Encoding: base64", "aHR0cDovL2EuYi8x\n", True),
        ("Content-Transfer-Encoding: quoted-printable", "http://a.b/?c=3D1 =\nso\n--z--\n5=6", True),
        ("Content-Transfer-Encoding: quoted-printable", "http://a.b/?c=1 so\n", False),
        ("Content-Transfer-Encoding: base64", "It is an encoding.\n", False),
        ("Content-Transfer-Encoding: base64", "\n", False),
        ("Content-Transfer-Encoding: base64", "help\n", False),
        ("Content-Transfer-Encoding: 8bit", "aHR0cDovL2EuYi8x\n", False),
        ("Subject: s\nContent-Transfer-Encoding: base64", "aHR0cDovL2EuYi8x\n", True),
        ("User-Agent: u\nContent-Transfer-Encoding: base64\nDate: d\n e", "aHR0cDovL2EuYi8x\n", True),
        (" charset=utf-8\nContent-Transfer-Encoding: base64", "aHR0cDovL2EuYi8x\n", True),
        ("From a@b Mon Jan  1 00:00:00 2001\nContent-Transfer-Encoding: base64", "aHR0cDovL2EuYi8x\n", True),
        (">From a@b Mon Jan  1 00:00:00 2001\nX: y\nContent-Transfer-Encoding: base64", "aHR0cDovL2EuYi8x\n", True),
        ("So\nContent-Transfer-Encoding: base64", "aHR0cDovL2EuYi8x\n", False),
        ("Content-Type: text/html", "aHR0cDovL2EuYi8x\n", False),
        ("Content-Type: multipart/mixed; boundary=b", "--b\n", True),
        ("MIME-Version: 1.0\nContent-Type: multipart/mixed;\n boundary=b", "so\n\n--b\n", True),
        ("Content-Type: multipart/mixed; boundary=b", "--c\n", False),
        ("Content-Type: multipart/mixed", "--b\n", False),
        ("Content-Type: multipart/mixed; boundary=b", f"{'so ' * 4000}\n--b\n", False),
    ],
)
def test_an_encoding_behind_an_empty_line_is_told_if_the_body_shows_it(
    head: str, behind: str, body: str, end: str, *, is_told: bool
) -> None:
    """Else the fields may be what the message is about."""
    for fields in (
        "Content-Type: text/plain",
        "Content-Type: html",
        "Content-Type: text\nContent-Transfer-Encoding: 7BIT",
    ):
        text = f"{fields}\n\n{behind}\n\n{body}".replace("\n", end)
        found = message(f"From: a@b\n{head}".replace("\n", end).encode() + text.encode())
        assert [trouble.removeprefix("part 1: ").removeprefix("part 1.1: ") for trouble in found.troubles] == [
            HIDDEN
        ] * is_told


@pytest.mark.parametrize(
    "type_",
    [
        *("message/rfc822", "Message/RFC822; name=a", "message/delivery-status", "text/rfc822-headers", "message"),
        "application/octet-stream",
    ],
)
@pytest.mark.parametrize("fields", ["From: a@b\nSubject: s\n", "X-Mailer: p\n", ""])
def test_the_header_of_an_attached_message_is_no_torn_one(type_: str, fields: str) -> None:
    """It stands behind the empty line of the part (RFC 2046 5.2.1), whatever encoding it declares."""
    part = f"Content-Type: {type_}\n\n{fields}{CODED}"
    for text in (part, f"Content-Type: multipart/mixed; boundary=z\n\n--z\n\nso\n--z\n{part}--z--\n"):
        assert message(f"From: a@b\n{text}".encode()).troubles == ()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_fields_that_a_part_quotes_are_not_those_of_the_next_part(end: str) -> None:
    """Its body ends at the boundary, directly below them."""
    quoted = "Content-Type: text/plain\n\nContent-Transfer-Encoding: quoted-printable\n"
    text = f"From: a@b\nContent-Type: multipart/mixed; boundary=z\n\n--z\n{quoted}--z\n"
    other = "Content-Transfer-Encoding: quoted-printable\n\nhttp://a.b/?c=3D1 =\nso\n--z--\n"
    assert message(f"{text}{other}".replace("\n", end).encode()).troubles == ()


@pytest.mark.parametrize("front", range(3))
def test_a_long_body_shows_its_encoding_too(front: int) -> None:
    """It is not cut within an escape."""
    body = "=D0=BE" * 12 + "=\n"
    fields = "Content-Type: text/plain\n\nContent-Transfer-Encoding: quoted-printable\n\n"
    text = f"From: a@b\n{fields}{'x' * front}{body * 300}"
    assert message(text.encode()).troubles == (HIDDEN,)


def test_prose_above_a_field_is_no_envelope() -> None:
    """That of an envelope has a time."""
    text = "\nFrom here on\nContent-Type: is a field\n"
    whole = f"From: a@b\nContent-Type: multipart/mixed; boundary=z\n\n--z\n{text}--z--\n"
    assert message(whole.encode()).troubles == ()


@pytest.mark.parametrize("field", ["Content-Description: c", "X-Number: 1", "MIME-Version: 1.0"])
def test_a_part_of_a_digest_may_have_fields_before_its_message(field: str) -> None:
    """Its header ends at the empty line, where that of the message begins (RFC 2046 5.1.5)."""
    part = f"{field}\n\nFrom: a@b\nSubject: s\n{CODED}"
    found = read(f"Content-Type: multipart/digest; boundary=x\n\n--x\n{part}--x--\n".encode())
    assert found.troubles == ()
    assert [part.text for part in found.parts][-1] == "http://a.b/1"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("sign", ["a", "é"])
@pytest.mark.parametrize(
    ("head", "place"),
    [
        ("", ""),
        ("From: a@b\n", ""),
        ("Content-Type: message/rfc822\n\n", "part 1.1: "),
        ("Content-Type: message/rfc822\n\nSubject: s\n", "part 1.1: "),
        ("Content-Type: multipart/mixed; boundary=x\n\n--x\n", "part 1: "),
        ("Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Disposition: inline\n", "part 1: "),
    ],
)
def test_an_empty_line_within_a_header_is_told(head: str, place: str, sign: str, end: str) -> None:
    """Whatever the body holds. Without a field before the empty line, other fields may precede the encoding."""
    front = f"From: a@b\n{head}" if place else head
    tail = f"{sign}\n--x--\n" if "boundary" in head else f"{sign}\n"
    others = "" if head.endswith(("a@b\n", "s\n", "inline\n")) else "Content-Disposition: inline\n"
    for text, is_told in ((f"{others}{CODED}", True), (f"See\n{CODED}", False)):
        found = read(f"{front}\n{text}{tail}".replace("\n", end).encode("latin-1"))
        assert found.troubles == ((place + HIDDEN,) if is_told else ())


@pytest.mark.parametrize(
    ("fields", "is_told"),
    [
        ("MIME-Version: 1.0\nContent-Type: text/plain\n", True),
        ("Content-Type: text/plain\n charset=koi8-r\nMime-Version:1.0\n", True),
        (">From a@b Mon Jan  1 00:00:00 2001\nMIME-Version: 1.0\nContent-Type: text/plain\n", True),
        (" folded\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=y\n", True),
        ("X-Mailer: p\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=y\n", True),
        ("List-Id: <x.y>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=y\n", True),
        ("User-Agent: p\nContent-Type: message/rfc822\n", True),
        ("User-Agent: p\nMIME-Version: 1.0\nContent-Type: text/plain\n", True),
        ("MIME-Version: 1.0\nContent-Type: text/plain\nX-Mailer: p\n", True),
        ("MIME-Version: 1.0\nContent-Type: message/rfc822\nX-Mailer: p\n", True),
        ("Date: d\nMIME-Version: 1.0\nContent-Type: text/plain\n", False),
        ("User-Agent: p\nMIME-Version: 1.0\nContent-Type: text/html\n", True),
        ("Subject: s\nContent-Type: text/html\n", False),
        ("Note p: q\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=y\n", False),
        ("Content-Language: de\nContent-Type:\n multipart/mixed; boundary=y\n", True),
        ("content-transfer-encoding: Quoted-Printable\n", True),
        ("MIME-Version: 1.0\nContent-Language: de\n", False),
        ("Content-Type: text/html; charset=utf-8\n", False),  # the output of a CGI program
        ("Content-Transfer-Encoding: 8bit\nContent-Type: text/html\n", True),
        ("Content-Transfer-Encoding: 8bit\n", False),
        ("Content-Type: is the field that you must set to multipart/mixed\n", False),
        # With other fields it may be a message that somebody put into the text.
        ("To: b@c\nContent-Type: text/plain\nDate: d\nContent-Transfer-Encoding: base64\n", True),
        ("To: b@c\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=y\n", True),
        ("To: b@c\nContent-Type: text/plain\nContent-Transfer-Encoding: base64url\n", False),
        ("To: b@c\nMIME-Version: 1.0\nContent-Type: text/plain\nContent-Transfer-Encoding: 8bit\n", False),
    ],
)
@pytest.mark.parametrize(
    "head", ["", "Content-Type: message/rfc822\n\n", "Content-Type: multipart/mixed; boundary=x\n\n--x\n"]
)
def test_fields_behind_an_empty_line_are_those_of_mail_or_text(head: str, fields: str, *, is_told: bool) -> None:
    """Prose may begin as a field does."""
    found = read(f"From: a@b\n{head}Subject: s\n\n{fields}\nsee\n".encode())
    assert [cause.endswith(HIDDEN) for cause in found.troubles] == [True] * is_told
    if "Content-Type: text/html" in fields:
        told = read(f"From: a@b\n{head}Mime-Version: 1.0\n\n{fields}\nsee\n".encode()).troubles
        assert [cause.endswith(HIDDEN) for cause in told] == [True]


@pytest.mark.parametrize(
    "line", ["From a b", "From http://a.example/ on", ">From http://a.example/", "see://this", "and"]
)
@pytest.mark.parametrize(
    ("head", "place"),
    [
        ("From: a@b\nContent-Type: message/rfc822\n\n", "part 1.1: "),
        ("From: a@b\nContent-Type: multipart/mixed; boundary=x\n\n--x\n", "part 1: "),
        ("", ""),
    ],
)
def test_what_is_lost_behind_a_first_line_that_is_no_field_is_told(head: str, place: str, line: str) -> None:
    """Of a part or message whose header it hides."""
    text = f"{line}\nand more\nX: y\n{CODED}".rstrip()
    found = message(f"{head}{text}".encode())
    assert found.troubles == (
        f"{place}its header ends at a line that is no field; the fields behind it were read as text",
    )
    assert [part.text for part in found.parts] == [text]
    assert message(f"{head}{line}\nand more\n\n{CODED}".encode()).troubles == ()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("lines", [1, 2])
@pytest.mark.parametrize("mark", ["From", ">From"])
def test_a_line_before_the_header_may_hold_a_url(mark: str, lines: int, end: str) -> None:
    """It has the mark of an envelope, but is text. The header behind it is one."""
    line = f"{mark} http://front.example/ we learn\n" * lines
    octets = f"{line}From: a@b\nX-URL: http://field.example/\n{CODED}".replace("\n", end).encode()
    texts = [part.text for part in read(octets).parts]
    assert texts == [line.replace("\n", end if end == "\r\n" else "\n"), "http://field.example/", "http://a.b/1"]
    found = ["http://front.example/"] * lines + ["http://field.example/", "http://a.b/1"]
    for each in (extract_message(octets), list(scan(octets))):
        assert [occurrence.finding.url for occurrence in each] == found


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "front",
    [
        "X-Mozilla-Status: 0001\nX-Mozilla-Status2: 00000000\n\n",
        "From - Mon Jan  1 00:00:00 2001\nX-Mozilla-Status: 0001\n\n",
        "From - Mon Jan  1 00:00:00 2001\n\n",
        ">From a@b Mon Jan  1 00:00:00 2001\n\n",
        "Status: RO\n \n\n",
        "X-A: b\n c\n\nX-D: e\n\n",
        "X-A: b\n\nFrom a@b Mon Jan  1 00:00:00 2001\n",
    ],
)
def test_a_mail_program_may_put_fields_before_the_empty_line_with_which_a_message_begins(front: str, end: str) -> None:
    """The header is behind the line, with all its fields."""
    text = f"{front}From: a@b\nSubject: s\n{CODED}".replace("\n", end).encode()
    found = read(text)
    assert [part.text for part in found.parts] == ["http://a.b/1"]
    assert (found.header[b"subject"].strip(), found.troubles) == (b"s", ())
    (one,) = extract_message(text)
    assert one.finding.url == "http://a.b/1"


@pytest.mark.parametrize(
    "text", ["X-A: b\nso\n\nFrom: a@b\n", "X-A: b\n\nso\n\nFrom: a@b\n", "X-A: b\n\nX-C: d\n\nso\n", "X-A: b\n\n"]
)
def test_fields_that_nobody_knows_above_a_text_are_text(text: str) -> None:
    """No header is directly behind them."""
    found = read(text.encode())
    assert [part.text for part in found.parts] == [text]
    assert found.header == {}


def test_a_mailbox_of_a_mail_program_whose_messages_begin_with_an_empty_line() -> None:
    """Its own fields stand below the line of the envelope."""
    message = f"From - Mon Jan  1 00:00:00 2001\nX-Mozilla-Status: 0001\n\nFrom: a@b\nSubject: s\n{CODED}\n"
    found = [(one.finding.url, one.origin.message) for one in scan((message * 2).encode())]
    assert found == [("http://a.b/1", 1), ("http://a.b/1", 2)]
    lone = f"From: a@b\nSubject: s\n{CODED}"
    for fields in ("X-Mozilla-Status: 0001\nX-Keywords: a\n b\n", "Status: RO\n", "Envelope-to: a@b\r\n"):
        (one,) = scan(f"{fields}\n{lone}".encode())
        assert one.finding.url == "http://a.b/1"
    assert not list(scan(f"Note: this\n\n{lone}".encode()))


@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n", "\n\r\n", "\n\n\n", "\r\n\r\n\r\n"])
@pytest.mark.parametrize("envelope", ["", "\n", "From x@y  Mon Jan  1 10:00:00 2001\n"])
def test_empty_lines_between_all_lines_of_a_header_are_told(end: str, envelope: str) -> None:
    """A program doubled the line ends."""
    fields = f"{envelope}From: a@b\nReceived: from a\n by b\nSubject: s\nDKIM-Signature: v\n a\n"
    assert message(f"{fields}{CODED}".replace("\n", end).encode()).troubles == (HIDDEN,)
    typed = f"{fields}MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
    assert message(typed.replace("\n", end).encode()).troubles == (HIDDEN,)


@pytest.mark.parametrize(
    "body",
    [
        f"   ----- Original message -----\n\nReceived: by x\nFrom: x@y\n{CODED}",
        "    Here is an example:\n\nContent-Type: multipart/mixed; boundary=b\n\n--b\n",
        "  Indented\n\nContent-Type: text/html\n\n<p>x\n",
        "Host: a\n\nService: b\n\nContent-Type: text/plain\n\nso\n",
        "Package: a\nVersion: 1\n\nContent-Transfer-Encoding: quoted-printable\n\nis read wrongly=20here=3D\n",
    ],
)
@pytest.mark.parametrize("field", ["", "MIME-Version: 1.0\n", "Content-Type: text/plain\n"])
def test_empty_lines_between_other_lines_are_of_the_text(field: str, body: str) -> None:
    """The lines of the header above them are not doubled."""
    assert message(f"From: a@b\nSubject: s\n{field}\n{body}".encode()).troubles == ()


@pytest.mark.parametrize("own", ["", "Content-Type: text/plain\n"])
@pytest.mark.parametrize("field", ["Subject: win\n", "subject : win\n", "From: y@z\nSubject: win\n"])
def test_a_second_subject_is_of_another_message(field: str, own: str) -> None:
    """Somebody sent it on as the text. A header has one (RFC 5322 3.6)."""
    header = f"From: a@b\nSubject: s\n{own}"
    typed = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nso\n--b--\n"
    assert message(f"{header}\n{field}{typed}".encode()).troubles == ()
    assert message(f"{header}\nX-So: so\n{typed}".encode()).troubles == (HIDDEN,)


def test_the_fields_that_a_server_adds_above_an_empty_line_are_of_the_same_message() -> None:
    """It adds them if the message begins with that line (RFC 6409 8)."""
    fields = "From: a@b\nDate: Mon, 3 Mar 2003 12:34:56 +0100\nMessage-ID: <1@b>\n"
    typed = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nso\n--b--\n"
    assert message(f"{fields}\n{fields}Subject: s\n{typed}".encode()).troubles == (HIDDEN,)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "parameters",
    [
        'name="f.eml"\n',
        'name="a long\n name.eml"\n',
        'name="f"\nsize=5\n',
        "name*0=f\nX-A: b\n",
        "type=f\nContent-Id: <a@b>\n",
        'creation-date="Wed, 12 Feb 1997 16:29:51 -0500"\n',
    ],
)
@pytest.mark.parametrize(
    "above", ["Content-Type: message/rfc822;\n", "Content-Type: message/rfc822\nContent-Disposition: inline; \n"]
)
def test_a_parameter_that_has_lost_its_blank_ends_no_header(above: str, parameters: str, end: str) -> None:
    """Behind a semicolon (RFC 2045 5.1)."""
    part = f"--x\n{above}{parameters}\nFrom: a@b\nSubject: s\n{CODED}--x--\n"
    head = "From: a@b\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n"
    found = message(f"{head}{part}".replace("\n", end).encode())
    assert [part.text for part in found.parts if not part.field] == ["http://a.b/1"]
    assert not found.troubles


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_such_a_parameter_of_a_message_is_read(end: str) -> None:
    """The text is in its charset."""
    head = "From: a@b\nMIME-Version: 1.0\nContent-Type: text/plain;\ncharset=utf-7\n"
    found = message(f"{head}\nhttp://a.b/?a+AD0-b\n".replace("\n", end).encode())
    assert found.parts[0].text.rstrip() == "http://a.b/?a=b"


@pytest.mark.parametrize("line", ["name=http://a.b/1", "a=y\n", "see x=y", "name=y\nso"])
@pytest.mark.parametrize("above", ["Content-Type: text/plain", "Content-Type: text/plain;", "Subject: so;"])
def test_other_lines_begin_a_body(above: str, line: str) -> None:
    """A body may follow its header directly."""
    found = message(f"From: a@b\n{above}\n{line}\n".encode())
    assert [part.text for part in found.parts] == [f"{line}\n"]
