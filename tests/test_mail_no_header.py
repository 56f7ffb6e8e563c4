"""Parts and attached messages whose text begins at once, without a header or the empty line behind it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urlglean import extract_message, scan
from urlglean.mail import read

HEAD = "From: a@b.example\nSubject: s\n"
A, B, C = "http://a.example/1", "http://b.example/2", "ftp://c.example/3"


def bodies(message: str) -> list[str]:
    """The texts of the body of a message that has no troubles."""
    found = read(message.encode())
    assert found.troubles == ()
    return [part.text for part in found.parts if not part.field]


TEXTS = (
    A,
    f"{A}\n{B}\n\n{C}",
    f"{A}\n\n{B}",
    f"news://n.example/ and {A}",
)
ODD_TEXTS = (
    f"  {A}\nand {B}",  # to the parser of the library, the rest of a field that is not there
    f":{A}",
    f"From {A} on",
    f"From {A} on\n:{B}\n {C}",
    f"From {A} we learn\nNote: that",
)
FIELDS = ("Content-Type: text/plain\n", "Content-Type: text/plain;\n charset=utf-8\n")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("fields", "text"),
    [*(("", text) for text in (*TEXTS, *ODD_TEXTS)), *((fields, text) for fields in FIELDS for text in TEXTS)],
)
@pytest.mark.parametrize("kind", ["multipart/mixed", "multipart/digest", "message/rfc822"])
def test_text_behind_no_empty_line_is_text(kind: str, fields: str, text: str, end: str) -> None:
    """It is no header, and no rest of one. A field may stand before it, if it begins with a URL."""
    front, behind = ("", "\n") if kind == "message/rfc822" else ("--x\n", "\n--x--\n")
    if kind == "multipart/digest" and fields:
        fields = f"Content-Type: message/rfc822\n\n{fields}"
    whole = f"{HEAD}Content-Type: {kind}; boundary=x\n\n{front}{fields}{text}{behind}"
    (found,) = bodies(whole.replace("\n", end))
    assert found.rstrip() == text.replace("\n", end)


@pytest.mark.parametrize("kind", ["mixed", "digest"])
def test_the_fields_before_a_url_are_those_of_the_part(kind: str) -> None:
    """And what stands behind the URL is none of them."""
    fields = "Content-Type: text/html\n" if kind == "mixed" else "Subject: t\nContent-Type: text/html\n"
    body = f"{fields}{A}\nX-Content-Type: image/png\n\n<p>{B}"
    whole = f"{HEAD}Content-Type: multipart/{kind}; boundary=x\n\n--x\n{body}\n--x--\n"
    (text,) = bodies(whole)
    assert text.split() == [A, "X-Content-Type:", "image/png", B]


@pytest.mark.parametrize("at", range(3))
@pytest.mark.parametrize("name", ["From", "Return-Path", "X-URL"])
@pytest.mark.parametrize("front", ["", "Content-Type: message/rfc822\n\n", "multipart/mixed", "multipart/digest"])
def test_a_blank_may_stand_before_the_colon_of_a_field(front: str, name: str, at: int) -> None:
    """RFC 5322 4.5. `From :` is a field, and no line of an envelope."""
    fields = ["Date: Mon, 1 Jan 2001 00:00:00 +0000", "Content-Type \t: text/html"]
    fields.insert(at, f"{name} : <{B}>")
    inner = "\n".join(fields) + f"\n\n<a href={A}>behind</a>\n"
    if front.startswith("multipart"):
        digest = "\n" if front.endswith("digest") else ""
        front, inner = f"Content-Type: {front}; boundary=x\n\n--x\n{digest}", f"{inner}\n--x--\n"
    found = read((f"{HEAD}{front}{inner}" if front else inner).encode())
    assert [(part.field, part.text.strip()) for part in found.parts] == [
        (name, f"<{B}>"),
        (None, "behind"),
        ("a@href", A),
    ]
    assert found.troubles == ()


def test_an_envelope_line_before_fields_is_none_of_the_text() -> None:
    """Attached messages may have one, and an odd line does not end a header with fields."""
    whole = f"{HEAD}Content-Type: message/rfc822\n\nFrom x@y.example Thu Jan  1 00:00:00 1970\nSubject: t\n\n{A}\n"
    assert bodies(whole) == [f"{A}\n"]


@pytest.mark.parametrize("behind", ["", "\n", "\n\n"])
def test_the_line_of_an_envelope_may_end_in_cr(behind: str) -> None:
    """As all lines, but for some at the end that somebody has appended."""
    octets = f"From x@y.example Thu Jan  1 00:00:00 1970\n{HEAD}\n{A}".replace("\n", "\r") + behind
    for found in (extract_message(octets.encode()), list(scan(octets.encode()))):
        assert [each.finding.url for each in found] == [A]


LINES = st.sampled_from(
    [
        "http://h.example/{}",
        "ftp://h.example/{} and",
        ":http://h.example/{}",
        "X: http://h.example/{}",
        " http://h.example/{}",
        "\tat http://h.example/{}",
        "see http://h.example/{}",
        "Content-Type: text/plain",
        "Content-Type: message/rfc822",
        "Content-Type: multipart/mixed; boundary=y",
        "Content-Type: multipart/digest; boundary=x",
        "Content-Transfer-Encoding: quoted-printable",
        "Subject: s",
        "From a b",
        ">From b",
        " on",
        "",
        "--x",
        "--y",
        "--x--",
        "--y--",
    ]
)


@given(
    st.sampled_from(["mixed", "digest"]),
    st.lists(LINES, max_size=16),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
)
@settings(max_examples=400)
def test_no_line_of_a_multipart_is_lost(kind: str, lines: list[str], end: str, is_closed: bool) -> None:  # noqa: FBT001
    """Whatever is a header in it, and whatever ends that."""
    numbered = [line.format(number) for number, line in enumerate(lines)]
    whole = [*HEAD.splitlines(), f"Content-Type: multipart/{kind}; boundary=x", "", "--x", *numbered]
    found = read(end.join([*whole, *(["--x--"] if is_closed else [])]).encode())
    texts = "\n".join(part.text for part in found.parts)
    urls = [url for line in numbered for url in re.findall(r"\w+://\S+", line)]
    assert [url for url in urls if not re.search(rf"{url}\b", texts)] == []
