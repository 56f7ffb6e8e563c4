"""Content-Type fields in odd forms, and several in one message."""

from __future__ import annotations

import pytest

from growth import BOUND, growth
from urlglean.mail import read
from urlglean.mail.content_type import usual

PART = b"--x\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS8K\n--x--\n"
"""A multipart whose only part has a URL in base64."""
MULTIPART = b"Content-Type: multipart/mixed; boundary=x\n"
OTHER = b"Content-Type: multipart/mixed; boundary=y\n"
PLAIN = b"Content-Type: text/plain; charset=koi8-r\n"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("(MIME) text/html; charset=utf-8", "text/html; charset=utf-8"),
        (" Text / HTML;a=b", "Text/HTML;a=b"),
        ('"text/html" ; a=b', "text/html ; a=b"),
        ("text/(see (RFC 2045) 5.1) html (really)", "text/html "),
        ('multipart/mixed; boundary="abc"(d); e="f(g)"', 'multipart/mixed; boundary="abc"; e="f(g)"'),
        ("text/html; a=(b) c; (d) e=f", "text/html; a=(b) c;  e=f"),  # a bracket within a token is none of a comment
        ('text/html; name="a (b\\" (c).txt" (d)', 'text/html; name="a (b\\" (c).txt" '),
        ("text/html (never closed", "text/html (never closed"),
        ("nonsense", "nonsense"),
        (" Multipart (MIME); boundary=x", "multipart/mixed; boundary=x"),
        ("multipart boundary=x", "multipart/mixed; boundary=x"),
        ('text/plain charset="koi8-r"', 'text/plain; charset="koi8-r"'),
        ("text/plain, Charset = koi8-r; a=b", "text/plain; Charset= koi8-r; a=b"),
        ("text/plain; charset:koi8-r", "text/plain; charset=koi8-r"),
        ("text/plain words charset=koi8-r", "text/plain words charset=koi8-r"),
        ('"message"', "message/rfc822"),
        ("messages; a=b", "messages; a=b"),
        ("text; charset=koi8-r", "text; charset=koi8-r"),
    ],
)
def test_what_may_stand_between_tokens_is_left_out(written: str, meant: str) -> None:
    """Comments and blanks between the tokens mean nothing (RFC 822 3.1.4, RFC 2045 5.1)."""
    assert usual(written) == meant


@pytest.mark.parametrize(
    "parameter", [' charset="koi8-r"', ", charset=koi8-r", "; charset:koi8-r", "\n\tcharset=koi8-r"]
)
@pytest.mark.parametrize("transfer", ["", "Content-Transfer-Encoding: 8bit\n"])
def test_the_first_parameter_may_lack_its_signs(parameter: str, transfer: str) -> None:
    """Programs of senders have left out the semicolon, or written another sign."""
    message = f"From: a@b.example\nContent-Type: text/plain{parameter}\n{transfer}\nhttp://a.example/\u043f\u0443 is\n"
    assert read(message.encode("koi8-r")).parts[-1].text == "http://a.example/\u043f\u0443 is\n"


@pytest.mark.parametrize("kind", [b"(MIME) multipart/mixed", b"multipart / mixed", b'"multipart/mixed"', b"Multipart"])
@pytest.mark.parametrize("boundary", [b"x", b"x (the boundary)", b'"x" (it)'])
def test_a_multipart_is_one_in_any_form(kind: bytes, boundary: bytes) -> None:
    """Its parts are read with their own encodings, in a message and in a part."""
    found = b"Content-Type: " + kind + b"; boundary=" + boundary + b"\n\n" + PART
    for octets in (b"From: a@b\n" + found, b"From: a@b\n" + OTHER + b"\n--y\n" + found + b"--y--\n"):
        assert [part.text for part in read(octets).parts] == ["http://a.example/\n"]


@pytest.mark.parametrize(
    "fields",
    [
        *(PLAIN + MULTIPART, MULTIPART + PLAIN, OTHER + MULTIPART, MULTIPART + OTHER, PLAIN + OTHER + MULTIPART),
        PLAIN + MULTIPART.replace(b"=x", b"=x (it)"),
        PLAIN.replace(b"k", b"\xf6") + MULTIPART,
    ],
)
def test_of_several_types_the_body_proves_one(fields: bytes) -> None:
    """The multipart whose boundary is in the body is the true one, wherever its field stands."""
    message = fields + b"\n" + PART
    for outer in (
        b"From: a@b\n%b",
        b"From: a@b\nContent-Type: multipart/mixed; boundary=z\n\n--z\n%b--z--\n",
        b"From: a@b\nContent-Type: message/rfc822\n\nFrom: a@b\n%b",
    ):
        assert [part.text for part in read(outer % message).parts] == ["http://a.example/\n"]


def test_of_several_types_of_which_the_body_proves_none_the_first_holds() -> None:
    """A boundary in the middle of a line begins no part."""
    message = read(b"From: a@b\n" + PLAIN + MULTIPART + b"\nhttp://a.example/\xd6 --x\n")
    assert [part.text for part in message.parts] == ["http://a.example/ж --x\n"]
    assert not message.troubles


@pytest.mark.parametrize("outer", [b"From: a@b\n%b", b"From: a@b\n" + OTHER + b"\n--y\n%b--y--\n"])
def test_a_message_is_one_without_its_subtype(outer: bytes) -> None:
    """Its parts are read, and a text without a header is read as one."""
    for inner in (b"From: c@d\n" + MULTIPART + b"\n" + PART, b"http://a.example/\n"):
        found = read(outer % (b"Content-Type: message\n\n" + inner))
        assert [part.text.strip() for part in found.parts] == ["http://a.example/"]
        assert not found.troubles


PARTS = "--b 1\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuYi8x\n--b 1--\n"


QUOTED = (
    "This came. What is it?\n\n--b 1\nContent-Type: text/plain\n\nso\n--b 1\nContent-Type: image/png\n"
    "Content-Transfer-Encoding: {}\n\niVBO\n...\nSee http://a.b/2\n{}"
)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "body",
    [
        PARTS,
        f" \n\n{PARTS}",
        f"This is a message in several parts.\nso\n \n{PARTS}",
        PARTS.replace("Content-Type: text/plain\n", ""),
        PARTS.replace("Content-Type: text/plain\n", "Content-ID: <a@b>\n"),
        PARTS.replace("Content-Type: text/plain\n", "MIME-Version: 1.0\n"),
        f"> THIS IS A MESSAGE IN 'MIME' FORMAT.\n{PARTS}",
        f"this message is of several parts\nso\n\n{PARTS}",
        PARTS.replace("b 1", "b1").replace("--b1--\n", "--b1\n\nso\n"),
        PARTS.replace("--b 1--", "--b 1\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBO\n--b 1--"),
        PARTS.replace("--b 1--", "--b 1\nContent-Type: application/pgp-signature\n\nso\n--b 1--"),
        f"--b 1\nContent-ID: <a@b>\nX-So: so\n so\n{PARTS.removeprefix('--b 1')[1:]}",
        *(
            f"{prose}\n{PARTS}"
            for prose in (
                "This is an OpenPGP/MIME signed message (RFC 4880)",
                "This document has several parts.",
                "Dies ist eine Nachricht im MIME-Format.",
                "Your program does not support MIME!",
                "[A multipart message]",
            )
        ),
    ],
)
@pytest.mark.parametrize(
    "field",
    [
        "",
        "Content-Type: \n",
        "Content-Type: text/plain; boundary=b\n",
        "Content-Type: boundary=b\n",
        'Content-Type: multipart/mixed; boundary=""\n',
        "Content-Type: multipart/mixed; boundary=\n",
    ],
)
def test_parts_that_nobody_declares_are_parts(field: str, body: str, end: str) -> None:
    """The field of the type was lost on the way, or another one put in its place."""
    found = read(f"From: a@b\nMIME-Version: 1.0\n{field}\n{body}".replace("\n", end).encode())
    assert "http://a.b/1" in [part.text for part in found.parts]


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ("", PARTS.replace("--b 1--", "-- b")),
        ("", f"So:\n{PARTS}"),
        ("", PARTS.replace("Content-T", "X-T")),
        ("", PARTS.replace("b 1", '"')),
        ("", PARTS.replace("b 1", "b" * 71)),
        ("", PARTS.replace("b 1", "b\u00e9")),
        ("", PARTS.replace("--b 1--", "-----").replace("b 1", "---")),
        ("", PARTS.replace("text/plain", "application/x-a")),
        ("", PARTS.replace("Content-Type: text/plain", "Content-ID: <a@b>\nContent-Type: image/png")),
        ("", f"Look at this MIME thing\n\n{PARTS}"),
        *(
            ("", PARTS.replace("--b 1--", f"--b 1\nContent-Type: {type_}\n\nhttp://a.b/2\n--b 1--"))
            for type_ in ("application/x-a", "image/svg\nContent-Transfer-Encoding: 7bit")
        ),
        ("Content-Type: text/plain; a=boundar\n", PARTS.replace("--b 1--", "--b 1")),
        ("Content-Type: text/plain\n", PARTS.replace("--b 1--", "--b 1")),
        ("Content-Type: text/plain\n", f"So:\n\n{PARTS}"),
        # Somebody quotes a part, and writes behind it.
        ("", QUOTED.format("base64", "")),
        ("", QUOTED.format("base64", "--b 1--\n")),
        ("Content-Type: text/plain; charset=koi8-r\n", PARTS),
        ("Content-Type: text/plain; format=flowed\n", PARTS),
        ("", QUOTED.format("8bit", "--b 1--\n")),
    ],
)
def test_a_text_that_looks_like_parts_is_a_text(fields: str, body: str) -> None:
    """It has no second boundary, or text before the first, or a type."""
    assert [part.text for part in read(f"From: a@b\n{fields}\n{body}".encode()).parts] == [body]


@pytest.mark.parametrize("field", ["text/plain", "Text/HTML; charset=us-ascii", '"text/plain";'])
@pytest.mark.parametrize("prose", ["", "This is a multi-part message in MIME format.\n\n"])
def test_parts_that_the_last_boundary_closes_are_parts_under_a_type_of_text(field: str, prose: str) -> None:
    """The message has two headers: a program put its own before that of the parts."""
    found = read(f"From: a@b\nContent-Type: {field}\n\n{prose}{PARTS}".encode())
    assert "http://a.b/1" in [part.text for part in found.parts]
    (image,) = read(f"From: a@b\nContent-Type: image/x-a\n\n{prose}{PARTS}".encode()).parts or [None]
    assert image is None


def test_a_multipart_without_a_boundary_keeps_its_subtype() -> None:
    """The parts of a digest are messages (RFC 2046 5.1.5)."""
    part = "--abcd\nContent-ID: <x@y>\n\nSubject: http://a.b/2\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuYi8x\n"
    found = read(f'From: a@b\nContent-Type: multipart/digest; boundary=""\n\n{part}--abcd--\n'.encode())
    assert [part.text for part in found.parts] == ["http://a.b/2", "http://a.b/1"]


@pytest.mark.parametrize("boundary", ['boundary*0="ab"; boundary*1="cd"', "boundary*=us-ascii''abcd"])
def test_a_boundary_in_an_extended_form_is_not_lost(boundary: str) -> None:
    """RFC 2231 3 and 4. The type stays what it is."""
    part = "--abcd\nContent-ID: <x@y>\n\nSubject: http://a.b/2\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuYi8x\n"
    found = read(f"From: a@b\nContent-Type: multipart/digest; {boundary}\n\n{part}--abcd--\n".encode())
    assert [part.text for part in found.parts] == ["http://a.b/2", "http://a.b/1"]


def test_a_multipart_that_lost_its_boundary_is_one_whatever_its_files_hold() -> None:
    """It says that it is one. Elsewhere, foreign signs in base64 may be prose."""
    file = "--b 1\nContent-Type: image/gif\nContent-Transfer-Encoding: base64\n\nAAAA\n*\n--b 1--"
    body = PARTS.replace("--b 1--", file)
    for field, is_one in (("multipart/mixed; boundary=", True), ("text/plain", False)):
        found = read(f"From: a@b\nContent-Type: {field}\n\n{body}".encode())
        assert ("http://a.b/1" in [part.text for part in found.parts]) == is_one


def test_the_parts_that_a_coded_text_begins_with_are_text() -> None:
    """The encoding is that of the whole; a multipart has none (RFC 2045 6.4)."""
    coded = "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n"
    body = PARTS.replace("aHR0cDovL2EuYi8x", "http://a.b/?c=3D4=\n5")
    (part,) = read(f"From: a@b\n{coded}\n{body}".encode()).parts
    assert "http://a.b/?c=45" in part.text


def test_boundaries_among_the_fields_of_a_part_cost_little() -> None:
    """Each field is read once."""

    def octets(size: int) -> bytes:
        return b"From: a@b\n\n--b\nContent-Type: text/plain\n\n" + b"X:--b\n" * (size // 6) + b"\n--b--\n"

    assert growth(read, octets) < BOUND
