"""From octets to documents: kinds told by content and shape, compression, and files that change while they are read."""

from __future__ import annotations

import builtins
import bz2
import gzip
import io
import lzma
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from files import ENVELOPE, MAIL, MBOX, place, read
from packed import zipped
from unframing import documents, taken_out
from urlglean.bounds import DEFAULT, Bounds
from urlglean.errors import UnknownNameError
from urlglean.records import Document, Trouble
from urlglean.sources import Item, Skipped, Taken, detect
from urlglean.sources.entries import as_opened, stream_of
from urlglean.sources.folders import File
from urlglean.sources.mailboxes import MMDF_MARK


@pytest.mark.parametrize(
    "data",
    [
        MAIL,
        MAIL.replace(b"\n", b"\r\n"),
        MAIL.replace(b"\n", b"\r\r\n"),
        b"Path: a!b\nNewsgroups: x.y\n\nNUL \0 in the body\n",
        b"X-First: 1\n folded\nFrom  : a@b\n\n",
        b"From : a@b\n\n",
        b"Subject:no space\n\n",
        b"Subject: the file ends here",
    ],
)
def test_header_fields_make_a_message(data: bytes) -> None:
    """A file whose first lines are fields of mail or news is one message, NUL or not."""
    assert read(data) == [Document("file", data, "message")]


@pytest.mark.parametrize("lead", [b"\xef\xbb\xbf", b"\n \r\n\r\r\n", b"From x\n>From y\n", b"From x\r\r\n>From y\n"])
def test_what_stands_before_the_header_goes(lead: bytes) -> None:
    """A byte order mark, blank lines and envelope lines without a date are no part of the message."""
    assert read(lead + MAIL) == [Document("file", MAIL, "message")]


@pytest.mark.parametrize(
    "data",
    [
        b"http://host.example/\nhttp://host.example/b\n",
        b"mailto:a@b.example\nnews:comp.text\n",
        b"Note: the shape of a field\nTitle: but none of mail or news\n",
        b"Plain words.\n\nSubject: later\n",
        b"\n\n",
        b"GIF89a is a format of pictures\n",
        b"Rar! says the dinosaur\n",
        b"%PDF-1.x begins each such file\n",
        b"1994\nwas the year\n",
        b"caf\xe9 latin-1\n",
        "caf\u00e9\n".encode("utf-16"),
        "caf\u00e9\n".encode(),
        b"\x1b$B$3$s\x1b(B iso-2022-jp\n",
        b"no line end",
    ],
)
def test_anything_else_that_looks_like_text_is_text(data: bytes) -> None:
    """Text in any charset is a text, whole."""
    assert read(data) == [Document("file", data, "text")]


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b"", "empty"),
        (b"%PDF-1.3\n", "PDF"),
        (b"GIF89a", "image"),
        (b"Rar!\x1a\7\0", "archive"),
        (b"GIF87a\x20\3\x58\2\xf7\0\0", "image"),
        (zipped({"mimetype": b"application/epub+zip", "OPS/a.xhtml": b"<p>a"}), "zip archive"),
        (zipped({"META-INF/MANIFEST.MF": b"Manifest-Version: 1.0\n", "a.class": b"a"}), "zip archive"),
        (zipped({"_rels/.rels": b"<a/>", "[Content_Types].xml": b"<a/>"}), "zip archive"),
        (b"SQLite format 3\0", "database"),
        (b"// <!-- <mdb:mork:z v=", "Mozilla"),
        (b"text, then \0", "binary"),
        (b"text, then \0\b", "binary"),
        (b"\0\b[index] \0", "binary"),
        (b"\x01\x02\x03 abc", "binary"),
    ],
)
def test_what_holds_no_text_is_left_out_with_a_reason(data: bytes, cause: str) -> None:
    """Binary files and empty ones are left out, and a line says why."""
    (found,) = read(data)
    assert isinstance(found, Skipped)
    assert cause in found.cause


@pytest.mark.parametrize("mark", [b"\0\b[index\0\b]", b'\0\b[image src="a.png" text="[b]"\0\b]', b"\0\b[index"])
def test_info_files_are_text(mark: bytes) -> None:
    """They mark indexes and pictures so."""
    text = b"This is x.info, produced by makeinfo.\n\x1f\n" + mark + b"\nSee http://a.example/.\n"
    (found,) = read(text)
    assert found == Document("file", text, "text")


def test_an_arc_file_is_text_though_it_holds_pictures() -> None:
    """Its first record says what it is; the Internet Archive wrote such files before WARC."""
    octets = b"filedesc://a.arc 0.0.0.0 19960101000000 text/plain 4\n1 0\n\nhttp://a.example/i.gif GIF89a\0\1\0\n"
    (found,) = read(octets)
    assert found == Document("file", octets, "text")


@pytest.mark.parametrize("name", ["mimetypes.txt", "_rels/note", "META-INF/note", "[Content_Types].xml.txt"])
def test_a_zip_whose_first_name_is_only_like_that_of_a_document_is_opened(name: str) -> None:
    """The length of the name counts."""
    assert read(zipped({name: b"http://host.example/\n"})) == [
        Document("file", b"http://host.example/\n", "text", name)
    ]


def test_others_lines_of_json_are_text() -> None:
    """Only rows of our own begin with a URL and its scheme."""
    data = b'{"url":"http://host.example/","title":"a"}\n'
    assert read(data) == [Document("file", data, "text")]


def test_an_mbox_is_told_by_its_envelope() -> None:
    """Blank lines may stand before the first envelope; junk there is told, NULs or not. Any line ends will do."""
    for end in (b"\n", b"\r\n", b"\r\r\n"):
        message, box = MAIL.replace(b"\n", end), MBOX.replace(b"\n", end)
        messages = [Document("file", message, "message", message=number) for number in (1, 2)]
        assert read(end * 2 + box) == messages
        trouble, junk, *rest = read(bytes(9) + end * 2 + box)
        assert isinstance(trouble, Trouble)
        assert junk == Document("file", bytes(9) + end * 2, "text")
        assert rest == messages


def test_a_kind_that_is_asked_for_is_taken_at_its_word(tmp_path: Path) -> None:
    """`kind` beats what the content looks like, also inside compression."""
    path = place(tmp_path / "x.gz", gzip.compress(MBOX))
    assert taken_out(documents(path, kind="text")) == [Document(path, MBOX, "text")]
    path = place(tmp_path / "x.bin", b"\0\1\2")
    assert taken_out(documents(path, kind="message")) == [Document(path, b"\0\1\2", "message")]


def test_an_unknown_kind_is_refused_at_the_call() -> None:
    """A wrong name raises at once, not at the first document."""
    with pytest.raises(UnknownNameError, match="emlx, message, text"):
        documents("x", kind="msg")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compression_is_undone_around_any_kind(pack: Callable[[bytes], bytes]) -> None:
    """Compressed files, also several put together or one in another, read as what they hold."""
    messages = [Document("file", MAIL, "message", message=number) for number in (1, 2)]
    assert read(pack(MBOX)) == messages
    assert read(pack(ENVELOPE + MAIL + b"\n") + pack(ENVELOPE + MAIL)) == messages
    assert read(gzip.compress(pack(MBOX))) == messages
    assert read(pack(b"")) == [Skipped("file", "empty")]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_cut_compressed_file_gives_what_is_there(pack: Callable[[bytes], bytes]) -> None:
    """What can be unpacked is read, and a trouble says where it broke off."""
    text = random.Random(1).randbytes(1_000_000).hex().encode()  # more than one block of bzip2
    packed = pack(text)
    document, trouble = read(packed[: len(packed) * 3 // 4])
    assert isinstance(document, Document)
    assert document.data
    assert text.startswith(document.data)
    assert isinstance(trouble, Trouble)
    assert f"after {len(document.data):,} bytes" in trouble.cause


def test_broken_compressed_data_are_a_trouble_alone() -> None:
    """A file that is compressed by its first bytes and broken after them is not called empty."""
    (trouble,) = read(b"\x1f\x8b\x08" + b"\xff" * 50)
    assert isinstance(trouble, Trouble)


def test_bombs_are_stopped() -> None:
    """Bounds on ratio, size and layers are told when they are reached."""
    bomb = gzip.compress(b"a line\n" * (1 << 23))
    *documents, trouble = read(bomb, Bounds(ratio_free=1 << 20))
    assert 1 << 20 < sum(each.size for each in documents if isinstance(each, Document)) < 1 << 25
    assert isinstance(trouble, Trouble)
    assert "200 times" in trouble.cause
    _, trouble = read(bomb, Bounds(unpacked=1 << 10))
    assert isinstance(trouble, Trouble)
    assert "1,024 bytes" in trouble.cause
    onion = b"text"
    for _ in range(DEFAULT.layers + 1):
        onion = gzip.compress(onion)
    assert read(gzip.decompress(onion)) == [Document("file", b"text", "text")]
    (trouble,) = read(onion)
    assert isinstance(trouble, Trouble)


def test_damage_at_the_front_of_packed_mail_is_told() -> None:
    """It makes binary data of all that bzip2 has packed together, of which only the end shows that it is wrong."""
    packed = bz2.compress(b"".join(MBOX + b"%d\n\n" % number for number in range(4000)))
    for place_of_bit in range(60, 2060, 50):
        broken = bytearray(packed)
        broken[place_of_bit] ^= 4
        assert any(isinstance(item, Trouble) for item in read(bytes(broken)))
    assert read(bz2.compress(bytes(range(32)) * 99)) == [Skipped("file", "binary")]


def test_a_long_message_is_cut_and_told() -> None:
    """A message past the bound is cut there; one at the bound is whole. A text is never cut."""
    bounds = Bounds(document=len(MAIL))
    assert read(MAIL, bounds) == [Document("file", MAIL, "message")]
    document, trouble = read(MAIL + b"more", bounds)
    assert document == Document("file", MAIL, "message")
    assert isinstance(trouble, Trouble)
    assert read(b"text" * 100, bounds) == [Document("file", b"text" * 100, "text")]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` is standard input, of whatever kind, compressed or not."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(gzip.compress(MBOX))))
    assert taken_out(documents("-")) == [Document("-", MAIL, "message", message=number) for number in (1, 2)]


@given(st.binary(max_size=300), st.sampled_from([b"", ENVELOPE, MAIL, b"\x1f\x8b\x08", b"BZh91AY&SY", b"\xfd7zXZ\0"]))
def test_no_bytes_raise(data: bytes, lead: bytes) -> None:
    """Whatever the bytes are, something comes out or a line says why not; a mailbox may be empty."""
    assert read(lead + data) or not (lead + data).replace(MMDF_MARK, b"").strip()


class Changing(io.FileIO):
    """A file of 31 bytes that another process changes when the first ten are read."""

    def __init__(self, path: Path, change: Callable[[Path], object]) -> None:
        path.write_bytes(b"some text 1234567890 more text\n")
        super().__init__(path)
        self._path, self._change = path, change

    def read(self, size: int | None = None) -> bytes:
        """Read ten bytes at most, however many are asked for."""
        block = super().read(10)
        self._change(self._path)
        return block


def read_changing(path: Path, change: Callable[[Path], object]) -> list[Item]:
    """What comes of a file that changes so."""
    entry = File(str(path), one_message=False)
    with Changing(path, change) as file:
        found = taken_out(detect.read(stream_of(entry, file, as_opened(entry, file), DEFAULT)))
    return [item for item in found if not isinstance(item, Taken)]


@pytest.mark.parametrize("left", [0, 5, 10, 15])
def test_a_file_that_is_cut_off_while_it_is_read_is_a_trouble(tmp_path: Path, left: int) -> None:
    """It is read as far as it went, and the trouble tells how far."""
    path = tmp_path / "file"
    document, trouble = read_changing(path, lambda path: os.truncate(path, left))
    assert document == Document(str(path), b"some text 12345"[: max(10, left)], "text")
    assert trouble == Trouble(str(path), f"cut off while it was read: {max(10, left)} bytes of 31")


def test_a_file_that_grows_while_it_is_read_is_none(tmp_path: Path) -> None:
    """Mailboxes do: what is there when its end is reached is read."""
    path = tmp_path / "file"
    whole = b"some text 1234567890 more text\nand more\n"
    assert read_changing(path, lambda path: path.write_bytes(whole)) == [Document(str(path), whole, "text")]


def test_a_small_file_is_read_at_once(tmp_path: Path) -> None:
    """Nothing is asked for behind its end: of 100,000 small files, each call of the system counts."""

    class Counting(io.FileIO):
        """A file that counts how often it is read."""

        reads = 0

        def read(self, size: int | None = None) -> bytes:
            self.reads += 1
            return super().read(size)

    entry = File(place(tmp_path / "file"), one_message=False)
    with Counting(entry.path) as file:
        found = taken_out(detect.read(stream_of(entry, file, as_opened(entry, file), DEFAULT)))
        assert file.reads == 1
    assert found == [Taken(entry.path, "message"), Document(entry.path, MAIL, "message")]


def test_what_vanishes_between_two_looks_is_a_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that a mail program moves away while the folder is walked, and what a link points to: both are told."""
    linked, listed, read_on = str(tmp_path / "a"), place(tmp_path / "b"), place(tmp_path / "c")
    Path(linked).symlink_to(read_on)
    stat_, open_ = os.stat, builtins.open

    def stat_or_vanish(path: str, **how: bool) -> os.stat_result:
        if path == linked:
            raise FileNotFoundError(2, "No such file or directory")
        return stat_(path, **how)

    def open_or_vanish(path: str, *how: Any, **named: Any) -> object:
        if path == listed:
            raise FileNotFoundError(2, "No such file or directory")
        return open_(path, *how, **named)

    monkeypatch.setattr(os, "stat", stat_or_vanish)
    monkeypatch.setattr(builtins, "open", open_or_vanish)
    assert taken_out(documents(str(tmp_path))) == [
        Trouble(linked, "No such file or directory"),
        Trouble(listed, "No such file or directory"),
        Document(read_on, MAIL, "message"),
    ]
