"""Dovecot's dbox: messages by their sizes, packed ones, and what is damaged in such files."""

from __future__ import annotations

import base64
import bz2
import gzip
import lzma
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from dbox_files import VERSION, dbox, record
from files import MAIL, place, read
from unframing import documents
from urlglean import scan
from urlglean.records import Document, Trouble
from urlglean.sources import FromPath, Skipped, bundled, unframed

INSIDE = record(b"From: c@d.example\n\nquoted\n")
"""A whole record, as the body of a message may hold it."""


def told(items: Iterable[FromPath]) -> tuple[list[bytes], list[str]]:
    """What documents hold, and the causes of troubles."""
    found = list(items)
    held = [unframed(item.data, item.framing) for item in found if isinstance(item, Document)]
    return held, [item.cause for item in found if isinstance(item, Trouble)]


@given(st.lists(st.lists(st.sampled_from([b"text", b"", b"\1\3", b"\1\2N", INSIDE])).map(b"\n".join), max_size=4))
def test_messages_come_back_as_they_were_saved(bodies: list[bytes]) -> None:
    """Their sizes say where they end, whatever they hold."""
    messages = [MAIL, *(MAIL + body for body in bodies)]
    assert told(read(dbox(messages))) == (messages, [])


def test_what_is_encoded_in_a_message_is_read(tmp_path: Path) -> None:
    """In a file of one message, and of several; each row has its number and its place."""
    coded = b"From: a@b.example\nContent-Transfer-Encoding: base64\n\n" + base64.b64encode(b"http://a.example/x")
    (tmp_path / "u.1").write_bytes(dbox([coded]))
    (tmp_path / "m.1").write_bytes(dbox([MAIL, coded]))
    found = [
        (Path(one.origin.path).name, one.origin.message, one.origin.offset, one.finding.url) for one in scan(tmp_path)
    ]
    assert sorted(found) == [
        ("m.1", 1, len(VERSION), "http://host.example/"),
        ("m.1", 2, len(dbox([MAIL])), "http://a.example/x"),
        ("u.1", 1, len(VERSION), "http://a.example/x"),
    ]


@pytest.mark.parametrize(
    ("size", "metadata"), [(b"a" * 8, b""), (b" " * 8, b"X0 5 - 01/ab\n"), (b"0" * 8, b"Q\1\xff\nK\n")]
)
def test_lines_of_other_versions_are_known(size: bytes, metadata: bytes) -> None:
    """In version 1, a message has a number, the file a place to append at, and metadata end in a line of blanks."""
    old = record(MAIL, metadata=metadata).replace(b"N          ", b"N " + size + b" ")
    for end in (b"\n", b"   \n"):
        held, _ = told(read(b"1 M1e C3b9aca00 A000000f0\n" + (old[:-1] + end) * 2))
        assert held == [MAIL, MAIL]


@pytest.mark.parametrize("said", [0, 7, len(MAIL) - 1, len(MAIL) + 1, 1 << 40, (1 << 64) - 1])
def test_a_wrong_size_is_told_and_the_message_is_whole(said: int) -> None:
    """The metadata behind it say where it ends."""
    held, causes = told(read(VERSION + record(MAIL) + record(MAIL, said) + record(MAIL)))
    assert held == [MAIL] * 3
    assert causes == [f"a message said to have {said:,} bytes has {len(MAIL):,}"]


def test_a_file_that_is_cut_off_is_read_to_its_end() -> None:
    """A trouble says so, unless only metadata are missing."""
    whole = dbox([MAIL, MAIL])
    held, causes = told(read(whole[: whole.rindex(MAIL) + 10]))
    assert held == [MAIL, MAIL[:10]]
    assert causes == [f"a message said to have {len(MAIL):,} bytes has 10"]
    assert told(read(whole[:-8])) == ([MAIL, MAIL], [])
    held, causes = told(read(dbox([MAIL]) + b"\1\2N    "))
    assert held == [MAIL, b"\1\2N    "]
    assert causes == ["3 bytes behind a message belong to none; they were read as text"]


def test_what_lies_between_records_is_told_and_read(tmp_path: Path) -> None:
    """Before them too, and its place is right."""
    data = VERSION + b"http://a.example/\n" + record(MAIL) + b"http://b.example/\n" + record(MAIL)
    items = list(bundled(place(tmp_path / "m.1", data)))
    held, causes = told(items)
    assert held == [VERSION + b"http://a.example/\n", MAIL, b"http://b.example/\n", MAIL]
    assert causes == [
        f"the first {len(VERSION) + 18} bytes belong to no message; they were read as text",
        "17 bytes behind a message belong to none; they were read as text",
    ]
    assert all(data[item.offset :].startswith(item.data) for item in items if isinstance(item, Document))


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstandard.compress])
def test_packed_messages_are_unpacked(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """Dovecot packs each by itself; the rows are those of the message."""
    packed = pack(MAIL)
    items = read(VERSION + record(packed) + record(MAIL) + record(packed))
    assert told(items) == ([MAIL] * 3, [])
    held, causes = told(read(VERSION + record(packed[:-9]) + record(MAIL)))
    assert len(causes) == 1
    assert MAIL.startswith(held[0])
    assert held[1:] == [MAIL]
    (tmp_path / "m.1").write_bytes(VERSION + record(packed))
    assert [one.finding.url for one in scan(tmp_path / "m.1")] == ["http://host.example/"]


def test_what_cannot_be_unpacked_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its octets are no text. The other messages are read."""
    monkeypatch.setitem(sys.modules, "zstandard", None)
    unread = [b"Dovecot-LZ4\r*\x9b\xc5\0\1", b"CRYPTED\3\7\1\2", b"\x28\xb5\x2f\xfd\x20\1"]
    held, causes = told(read(VERSION + b"".join(map(record, [*unread, MAIL]))))
    assert held == [MAIL]
    assert causes == [
        "a message that is packed by LZ4, which is not read",
        "a message that is encrypted by Dovecot, which is not read",
        "compressed by zstd; to read it, install the package zstandard",
    ]


def test_packed_messages_keep_to_the_bounds() -> None:
    """All of them together may unpack to a multiple of their file, and each to the size of a document."""
    bomb = record(gzip.compress(bytes(40 << 20)))
    held, causes = told(read(VERSION + bomb * 3 + record(MAIL)))
    assert [len(each) for each in held] == [40 << 20, len(MAIL)]
    assert len(causes) == 2
    assert all(cause.endswith("unpacks to more than 200 times its size") for cause in causes)


def test_attachments_in_other_files_are_told() -> None:
    """Dovecot's `mail_attachment_dir`: the message lies there without them."""
    held, causes = told(read(VERSION + record(MAIL, metadata=b"X1e 20 B64/76 0a/1b/0a1b\n")))
    assert held == [MAIL]
    assert causes == ["a message of which Dovecot keeps attachments in other files; they are missing"]


def test_the_folders_of_dovecot_are_read(tmp_path: Path) -> None:
    """Its indexes are left out."""
    messages = [
        place(tmp_path / "mdbox" / "storage" / "m.1", dbox([MAIL])),
        place(tmp_path / "sdbox" / "mailboxes" / "INBOX" / "dbox-Mails" / "u.1", dbox([MAIL])),
    ]
    for name in ("dovecot.map.index", "dovecot.map.index.log", "dovecot.index.cache", "dovecot.list.index.log"):
        place(tmp_path / "mdbox" / "storage" / name, b"http://a.example/\n")
    found = list(documents(str(tmp_path)))
    assert [item.path for item in found if isinstance(item, Document)] == messages
    assert len([item for item in found if isinstance(item, Skipped)]) == 4


@pytest.mark.parametrize(
    "unit", [b"\1\2N ", b"\n\1\3\n", record(b""), record(b"", 1 << 20), record(b"", 1 << 63), b"\nX"]
)
def test_hostile_repetition_ends(unit: bytes) -> None:
    """A megabyte of marks, of metadata, or of sizes that reach far."""
    data = dbox([MAIL]) + unit * (1_000_000 // len(unit))
    assert len(read(data)) <= 1_000_000


@pytest.mark.parametrize("front", [b"2 M1e C3b9aca00\n", b"2 apples\n\1\2N", b"\1\2N 1\n"])
def test_what_only_looks_like_dbox_is_text(front: bytes) -> None:
    """Without the first line of a message it is none."""
    (text,) = read(front + b"http://a.example/\n")
    assert isinstance(text, Document)
    assert text.kind == "text"
