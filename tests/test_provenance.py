"""The places of documents in their files, and of parts in their messages, are exact for every kind of file."""

from __future__ import annotations

import base64
import binascii
import gzip
import io
import json
import quopri
import re
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from c_client_files import mbx
from dbox_files import dbox
from unframing import documents
from urlglean.bounds import DEFAULT, Bounds
from urlglean.cli import main
from urlglean.mail import html, read
from urlglean.mail.mime_tree import Entity, Reading
from urlglean.mail.octet_range import OctetRange
from urlglean.mail.rewriting import decoded
from urlglean.records import Document, Framing, TextPart
from urlglean.sources import Item, Taken, detect, unbundled, unframed
from urlglean.sources.streams import Stream

ENVELOPE = b"From a@b.example Mon Jan  1 00:00:00 2001\n"
BABYL = b"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n\n"


def mail(body: bytes) -> bytes:
    """A message."""
    return b"From: a@b.example\nSubject: s\n\n" + body + b"\n"


KINDS: dict[str, Callable[[list[bytes]], bytes]] = {
    "mbox": lambda mails: b"".join(ENVELOPE + each.replace(b"\nFrom ", b"\n>From ") + b"\n" for each in mails),
    "mboxrd": lambda mails: b"".join(ENVELOPE + each.replace(b"\nFrom ", b"\n>From ") + b"\n" for each in mails),
    "mmdf": lambda mails: b"".join(b"\1\1\1\1\n" + each + b"\1\1\1\1\n" for each in mails),
    "babyl": lambda mails: BABYL + b"".join(b"\x1f\x0c\n1,,\n" + each + b"\n" for each in mails) + b"\x1f\n",
    "listserv": lambda mails: b"".join(b"=" * 73 + b"\n" + each for each in mails),
    "dbox": dbox,
    "mbx": mbx,
    "rnews": lambda mails: b"".join(b"#! rnews %d\n" % len(each) + each for each in mails),
}
"""Mailboxes, as their writers make them."""

SINGLE: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "message": ("message", lambda each: each),
    "message with an envelope": ("message", lambda each: ENVELOPE + each),
    "message behind blank lines": ("message", lambda each: b"\n\r\n" + each),
    "article in wire format": (
        "message",
        lambda each: each.replace(b"\n.", b"\n..").replace(b"\n", b"\r\n") + b".\r\n",
    ),
    "emlx": ("emlx", lambda each: b"%-10d\n" % len(each) + each + b"<?xml version='1.0'?>\n<plist/>\n"),
    "text": ("text", lambda each: each),
}
"""Files that hold one thing."""

LINES = st.lists(
    st.sampled_from([b"text", b"", b"From me", b">From x", b".", b"..a", b"http://a.example/", b"\xe9", b"A: b"]),
    max_size=6,
)
MAILS = st.lists(LINES.map(b"\n".join).map(mail), min_size=1, max_size=5)


def taken(data: bytes, kind: str | None, block: int = 1 << 20) -> list[Item]:
    """The items of a file that is read as a kind, in blocks of a given size."""
    bounds = Bounds(block=block, lookahead=1 << 11)
    found = unbundled(detect.read(Stream("file", io.BytesIO(data).read1, bounds=bounds), kind))
    return [item for item in found if not isinstance(item, Taken)]


def where(data: bytes, document: Document) -> bytes:
    """The octets of a file at the place that a document names."""
    origin = document.origin
    return data[origin.offset : origin.offset + origin.length]


@pytest.mark.parametrize("kind", KINDS)
@given(MAILS, st.integers(1, 400))
@example([mail(b"x" * 3000), mail(b"y" * 3000)], 1)
def test_the_origin_of_a_message_is_exact(kind: str, mails: list[bytes], block: int) -> None:
    """Its octets are those of the file, and alone they are a mailbox of that kind with the same message."""
    data = KINDS[kind](mails)
    found = taken(data, kind, block)
    assert len(found) == len(mails)
    for number, item in enumerate(found, 1):
        assert isinstance(item, Document)
        assert where(data, item) == item.data
        assert (item.framing, item.origin.message) == (Framing(kind), number)
        (alone,) = taken(item.data, kind)
        assert isinstance(alone, Document)
        assert unframed(alone.data, alone.framing) == unframed(item.data, item.framing)


@pytest.mark.parametrize("kind", ["mbox", "mmdf", "babyl", "listserv", "dbox", "mbx", "rnews"])
@given(MAILS, st.integers(1, 400))
def test_text_before_all_messages_shifts_their_origins(kind: str, mails: list[bytes], block: int) -> None:
    """That text is a document from the beginning of the file; the messages follow it."""
    junk = b"some junk\nand more\n\n"
    data = junk + KINDS[kind](mails)
    _trouble, text, *found = taken(data, kind, block)
    assert isinstance(text, Document)
    assert (text.origin.offset, text.kind) == (0, "text")
    assert where(data, text) == text.data
    assert all(isinstance(item, Document) and where(data, item) == item.data for item in found)
    assert len(found) == len(mails)


@pytest.mark.parametrize("form", SINGLE)
@given(LINES)
def test_the_origin_of_a_single_message_is_its_whole_file(form: str, lines: list[bytes]) -> None:
    """It reaches from the first octet to the last, including what surrounds the message."""
    kind, framed = SINGLE[form]
    data = framed(mail(b"\n".join(lines)))
    (found,) = taken(data, kind)
    assert isinstance(found, Document)
    origin = found.origin
    assert (origin.path, origin.member, origin.offset, origin.length, origin.message) == (
        *("file", None, 0),
        *(len(data), None),
    )
    assert found.data == data


def test_every_framing_is_a_case() -> None:
    """A new framing must be tested above."""
    assert {*KINDS, "none", "file", "emlx"} == {str(framing) for framing in Framing}


def test_in_a_mailbox_of_cr_the_places_are_those_of_the_file() -> None:
    """The document has LF for CR, so the number of octets is the same."""
    data = KINDS["mbox"]([mail(b"one"), mail(b"two")]).replace(b"\n", b"\r")
    for item in taken(data, None):
        assert isinstance(item, Document)
        assert where(data, item).replace(b"\r", b"\n") == item.data


def test_a_message_that_is_cut_does_not_move_the_next() -> None:
    """The length of the long message is the number of octets that were kept."""
    data = KINDS["mbox"]([mail(b"x" * 9000), mail(b"y")])
    bounds = Bounds(document=3000, block=100, lookahead=1 << 11)
    found = unbundled(detect.read(Stream("file", io.BytesIO(data).read1, bounds=bounds)))
    first, second = (item for item in found if isinstance(item, Document))
    assert (first.origin.offset, first.origin.length) == (0, 3000)
    assert where(data, first) == first.data
    assert where(data, second) == second.data


def test_places_in_compressed_files_count_unpacked_octets(tmp_path: Path) -> None:
    """This holds in a compressed mailbox, in a member of an archive, and in a compressed member."""
    box = KINDS["mbox"]([mail(b"one"), mail(b"two"), mail(b"three")])
    (tmp_path / "1.mbox.gz").write_bytes(gzip.compress(box))
    with zipfile.ZipFile(tmp_path / "2.zip", "w") as archive:
        archive.writestr("a/box", box)
    with tarfile.open(tmp_path / "3.tar", "w") as tar:
        info = tarfile.TarInfo("b/box.gz")
        info.size = len(gzip.compress(box))
        tar.addfile(info, io.BytesIO(gzip.compress(box)))
    found = [item for item in documents(str(tmp_path)) if isinstance(item, Document)]
    assert [item.origin.member for item in found] == [None] * 3 + ["a/box"] * 3 + ["b/box.gz"] * 3
    assert [item.origin.offset for item in found] == [0, found[0].origin.length, found[2].origin.offset] * 3
    assert all(where(box, item) == item.data for item in found)


def test_the_offset_of_a_row_is_that_of_its_message(tmp_path: Path) -> None:
    """`offset` is right for each message of a mailbox."""
    box = KINDS["mbox"]([mail(b"http://a.example/1"), mail(b"no URL"), mail(b"http://a.example/3")])
    path = tmp_path / "box"
    path.write_bytes(box)
    result = CliRunner().invoke(main, ["scan", "--format", "jsonl", str(path)])
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    begins = [found.start() for found in re.finditer(rb"^From ", box, re.MULTILINE)]
    assert [(row["message"], row["offset"]) for row in rows] == [(1, begins[0]), (3, begins[2])]


def of_its_octets(octets: bytes, part: TextPart) -> bool:
    """Whether the octets that a part names, decoded by its steps, give its text."""
    made = part.decoding
    assert made is not None
    text = decoded(octets, made)
    if not made.html:
        return text == part.text
    page = html.read(text)
    assert page is not None
    return (
        page.text == part.text if part.field is None else (part.field, part.text, part.line, part.label) in page.links
    )


def test_parts_of_the_corpus_come_from_their_octets() -> None:
    """This holds for every part of every message and text in the corpus."""
    parts = 0
    for document in documents(str(Path(__file__).parent.parent / "corpus")):
        if isinstance(document, Document):
            octets = unframed(document.data, document.framing)
            for part in read(octets, document.kind).parts:
                assert of_its_octets(octets, part), (document.path, part)
                parts += 1
    assert parts > 100


TEXTS = st.lists(
    st.sampled_from(["see http://a.example/ ", "é", "=", "\n", "--x", "x" * 80, "line\n", " "]), max_size=8
)
CODED: dict[str, Callable[[bytes], bytes]] = {
    "": lambda octets: octets,
    "8bit": lambda octets: octets,
    "base64": base64.encodebytes,
    "quoted-printable": quopri.encodestring,
    "x-uuencode": lambda octets: b"".join(binascii.b2a_uu(octets[at : at + 45]) for at in range(0, len(octets), 45)),
    "nonsense": lambda octets: octets,
}


@st.composite
def entities(draw: st.DrawFn, depth: int = 3) -> bytes:
    """A header block and its body: a text, or a multipart or message that holds others, well formed or not."""
    head = draw(st.sampled_from([b"", b"X-URL: <http://field.example/\n a>\n", b"X: =?utf-8?q?http=3A//w/?=\n"]))
    kind = draw(st.sampled_from(["text", "html", "mixed", "message", "image"] if depth else ["text", "html"]))
    if kind in {"text", "html"}:
        charset = draw(st.sampled_from(["", "us-ascii", "utf-8", "iso-8859-1", "koi8-r", "utf-16", "utf-7", "klingon"]))
        coding = draw(st.sampled_from(list(CODED)))
        text = "".join(draw(TEXTS))
        if kind == "html":
            text = f"<p>{text}<a href='http://link.example/'>x</a>"
        octets = text.encode(charset if charset not in {"", "us-ascii", "klingon"} else "utf-8", "replace")
        kinds = {"text": b"plain", "html": b"html"}
        head += b"Content-Type: text/" + kinds[kind] + (f"; charset={charset}".encode() if charset else b"") + b"\n"
        head += f"Content-Transfer-Encoding: {coding}\n".encode() if coding else b""
        return head + b"\n" + CODED[coding](octets)
    if kind == "image":
        return head + b"Content-Type: image/gif\n\nhttp://no.example/"
    if kind == "message":
        coding = draw(st.sampled_from(["", "base64", "quoted-printable"]))
        inner = b"From: b@c\n" + draw(entities(depth - 1))
        head += b"Content-Type: message/rfc822\n"
        head += f"Content-Transfer-Encoding: {coding}\n".encode() if coding else b""
        return head + b"\n" + CODED[coding](inner)
    parts = draw(st.lists(entities(depth - 1), max_size=3))
    boundary = draw(st.sampled_from([b"x", b"y", b"xx"]))
    around = st.sampled_from([b"", b"text", b"See http://around.example/ here.", b"\n\nhttp://b.example/\n"])
    closed = draw(st.sampled_from([b"\n--%s--\n", b"\n--%s--", b"", b"\n--%s-- \n"]))
    return b"".join(
        (
            *(head, b"Content-Type: multipart/mixed; boundary=", boundary, b"\n\n", draw(around)),
            *(b"\n--" + boundary + b"\n" + part for part in parts),
            *(closed.replace(b"%s", boundary), draw(around)),
        )
    )


@given(entities(), st.sampled_from([b"\n", b"\r\n", b"\r"]))
def test_parts_come_from_their_octets(entity: bytes, end: bytes) -> None:
    """This holds for any structure of the message and any line ends."""
    octets = (b"From: a@b\n" + entity).replace(b"\n", end)
    for part in read(octets).parts:
        assert of_its_octets(octets, part), part


PIECES = [
    *(b"--x\n", b"--x--\n", b"--x \t\n", b"--x", b"--y\n", b"--y--\n", b"\n", b"\n\n", b" ", b"\r\n", b"\r"),
    *(b"Content-Type: text/plain", b"Content-Type: text/html; charset=", b"Content-Type: multipart/mixed; boundary=y"),
    *(b"Content-Type: message/rfc822\n\n", b"Content-Type: multipart/digest; boundary=y\n\n", b"=?utf-8?q?a?="),
    *(b"Content-Transfer-Encoding: base64", b"Content-Transfer-Encoding: quoted-printable ", b"; charset=utf-8"),
    *(b"X: http://a/", b"X: http://a/\n", b"X:y", b"http://b/", b"=E9=\n", b"QUJD\n", b"\xe9", b"From x\n", b"a?= =?b"),
    *(b"begin 644 a\n#0V%T\n`\nend\n", b"\xef\xbb\xbf", b"\xff\xfe", b'Content-Type: x/y; url="http://a/\n b"\n'),
]


@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=3), max_size=24).map(b"".join), st.booleans())
@example(body=b"\xff\xfe\xc2\x80\x00", is_text=False)
def test_parts_of_broken_messages_come_from_their_octets(body: bytes, is_text: bool) -> None:  # noqa: FBT001
    """This holds for messages made of arbitrary pieces too."""
    octets = body if is_text else b"From: a@b\nContent-Type: multipart/mixed; boundary=x\n\n" + body
    for part in read(octets, "text" if is_text else "message").parts:
        assert of_its_octets(octets, part), part


@pytest.mark.parametrize("end", [b"\r", b"\r--", b"\n-", b"\r\n-", b"\r\r\n-"])
def test_a_line_end_in_a_field_begins_no_text(end: bytes) -> None:
    """For the MIME parser, a lone CR, or a line end before a line that is no field, would end the header."""
    octets = (
        b"From: a@b\nContent-Type: text/plain; charset=gb2312" + end + b"x\nTo: c\n\nsee http://a.example/\n\xb8\xf7"
    )
    (part,) = (part for part in read(octets).parts if part.field is None)
    assert part.text.lstrip().startswith("see http")
    assert of_its_octets(octets, part)


@given(
    entities()
    | st.lists(st.sampled_from(PIECES), max_size=24).map(b"Content-Type: multipart/mixed; boundary=x\n\n".join),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
)
def test_places_agree_with_the_library_parser(entity: bytes, end: bytes) -> None:
    """They are compared for each entity: its body, and the text before and behind its parts."""
    octets = entity.replace(b"\n", end)
    for each in Reading(OctetRange(octets, 0), DEFAULT, 0).message().walk():
        assert isinstance(each, Entity)
        payload = each._payload if isinstance(each._payload, str) else ""
        told = [text.encode("ascii", "surrogateescape") for text in (payload, each.preamble or "", each.epilogue or "")]
        body = each.body.octets if payload else b""
        if each._end:  # the library drops what is behind a boundary that ends its multipart before its first part
            assert body.startswith(told[0])
            body = told[0]
        assert [body, *(stretch.octets for stretch in each.around())] == told
