"""The first octets by which kinds of files are told: no front that shows a kind may begin with another octet."""

from __future__ import annotations

import io

import pytest

from dbox_files import dbox, record
from files import read
from urlglean import UnreadableWarning, scan
from urlglean.bounds import DEFAULT
from urlglean.records import Document, Trouble
from urlglean.sources import Skipped
from urlglean.sources.kinds import KINDS, Kind, kind_of
from urlglean.sources.message_file import LONGEST_HEADER
from urlglean.sources.streams import HEAD, LONGEST_HEAD, Stream

ENVELOPE = b"From jo@example.org Mon Mar  3 10:00:00 1997\n"

FRONTS = {
    "urlglean": (
        b'{"url":"http://a.example/","scheme":"http","host":"a.example","wrapper":"bare"',
        b'{"urlglean": "1.0", "paths": []',
        b'{"href":"http://a.example/","surt":"(example,a,)/"',
        b"href,surt,scheme,host,domain,confidence,documents",
        b'{"path":"a","member":null,"message":1,"cause":"b"}',
        b"url,scheme,host,wrapper,certainty,confidence,valid",
        b'"url","scheme","host","wrapper","certainty","confidence","valid"',
        b"SQLite format 3\0" + bytes(52) + b"UGLS",
    ),
    "gzip": (b"\x1f\x8b\x08",),
    "bzip2": (b"BZh91AY&SY",),
    "xz": (b"\xfd7zXZ\0",),
    "lzma": (b"]\0\0\x80\0" + b"\xff" * 8 + b"\0", b"]\0\0\0\4" + (5000).to_bytes(8, "little") + b"\0"),
    "zstd": (b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18"),
    "compress": (b"\x1f\x9d\x90",),
    "package": tuple(
        mark + b"PK\3\4" + bytes(22) + bytes([len(name), 0, 0, 0]) + name
        for name in (
            *(b"mimetype", b"[Content_Types].xml", b"_rels/", b"_rels/.rels", b"META-INF/", b"META-INF/MANIFEST.MF"),
        )
        for mark in (b"", b"PK\7\x08", b"PK00")
    ),
    "zip": (b"PK\3\4", b"PK\5\6", b"PK00PK\3\4", b"PK\7\x08PK\3\4"),
    "warc": (b"WARC/1.0\r\n",),
    "packed batch": (b"#! cunbatch\n",),
    "rnews": (b"#! rnews 100\n",),
    "mmdf": (b"\1\1\1\1\n", b" \r\n\1\1\1\1\n"),
    "babyl": (b"BABYL OPTIONS:", b"\n\tBABYL OPTIONS:"),
    "dbox": (dbox([b""]), dbox([b""]).replace(b"2", b"1", 1), record(b"")),
    "mbox": tuple(lead + ENVELOPE for lead in (b"", b"\n", b"\r\n", b" \n", b"\t\n", b"\xef\xbb\xbf", b"\0")),
    "lines of CR": (
        *(lead + ENVELOPE.replace(b"\n", b"\r") for lead in (b"", b"\r", b" \r", b"\t\r", b"\xef\xbb\xbf")),
        *(b"\1\1\1\1\r", b"BABYL OPTIONS:\r", b"=" * 73 + b"\rFrom: a@b\r"),
    ),
    "text": (b"\xff\xfeH\0", b"\xfe\xff\0H", b"\0\0\xfe\xff", b"filedesc://a.arc 0.0.0.0 19970101000000"),
    "overview": (b"1\ta subject\tjo\tMon\t<1@h.example>\t",),
    "mork": (b"// <!-- <mdb:mork",),
    "pdf": (b"%PDF-1.7",),
    "archive": (b"Rar!\x1a\7", b"7z\xbc\xaf\x27\x1c"),
    "image": (b"\x89PNG", b"GIF89a", b"\xff\xd8\xff\xe0", b"II*\0", b"MM\0*"),
    "listserv": (b"=" * 73 + b"\nDate: Mon, 2 Jan 1995 03:04:05 EST\nFrom: a@b.example\n\nbody\n",),
    "parquet": (b"PAR1\x15",),
    "catalogue": (b"SQLite format 3\0" + bytes(52) + b"UGLN",),
    "sqlite": (b"SQLite format 3\0",),
    "cnfs": (b"Cycbuff", b"CBuf1", b"CBuf3", b"CBuf4"),
    "timecaf": (b"CRMT\0",),
    "appledouble": (b"\0\5\x16\7\0\2\0\0Mac OS X        ", b"\0\5\x16\7\0\1\0\0"),
    "packed by LZ4": (b"Dovecot-LZ4\r*\x9b\xc5\0\1",),
    "encrypted by Dovecot": (b"CRYPTED\3\7\2",),
    "mbx": (
        b"*mbx*\r\n3a1b2c3d00000001\r\n\0",
        *(day + b"-Jul-1986 12:34:56 -0700,1;000000000001\r\n" for day in (b" 7", b"07", b"17", b"27", b"31")),
        b":msg:00000001:20261126220354+0000:00000001:\r\n",
    ),
}
"""For each kind that tells its first octets, a front for each alternative of what shows it."""

WITH_FIRST = [kind for kind in KINDS if kind.first]


def test_each_kind_with_first_octets_has_fronts() -> None:
    """A new row of `KINDS` needs its fronts here."""
    assert {kind.name for kind in WITH_FIRST} == set(FRONTS)


@pytest.mark.parametrize("kind", WITH_FIRST, ids=[kind.name for kind in WITH_FIRST])
def test_a_kind_tells_all_its_first_octets(kind: Kind) -> None:
    """Whatever the first octet of a front is changed to: if the kind is shown still, the row names that octet."""
    for front in FRONTS[kind.name]:
        assert kind.shows(front)
        shown = {octet for octet in range(256) if kind.shows(bytes([octet]) + front[1:])}
        assert shown <= set(kind.first or b"")


@pytest.mark.parametrize(("name", "front"), [(name, front) for name, fronts in FRONTS.items() for front in fronts])
def test_fewer_trials_change_no_kind(name: str, front: bytes) -> None:
    """The kind is the first of all rows that is shown, though only those with the first octet are tried."""
    first = next(kind for kind in KINDS if kind.shows(front))
    assert kind_of(Stream("file", io.BytesIO(front).read)) is first, name


FIELDS = b"X-Unknown: known to nobody else\n"
CODED = b"From: a@b\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS8x\n"


@pytest.mark.parametrize("before", [b"", b"\n", b"From a b\n"])
def test_a_message_may_begin_with_more_unknown_fields_than_are_looked_at_first(before: bytes) -> None:
    """It is a message all the same, and decoded."""
    octets = before + FIELDS * (2 * HEAD // len(FIELDS)) + CODED
    assert [found.finding.url for found in scan(octets)] == ["http://a.example/1"]


def test_a_file_with_too_many_fields_before_a_known_one_is_told() -> None:
    """As a message is: what is encoded in it cannot be read."""
    with pytest.warns(UnreadableWarning, match="more than 10,000 header fields"):
        assert list(scan(FIELDS * (DEFAULT.fields + 1) + CODED)) == []


def test_a_long_text_of_lines_with_colons_is_text() -> None:
    """A log with times, for example. No more of it is held than a header may have."""
    stream = Stream("log", io.BytesIO(b"12:00:01 all is well\n" * 200_000).read1)
    assert kind_of(stream).name == "text"
    assert len(stream.head) == LONGEST_HEADER


@pytest.mark.parametrize("kind", ["mmdf", "babyl", "rnews", "dbox", "listserv"])
def test_mail_behind_nuls_is_told(kind: str) -> None:
    """A crash leaves them."""
    front = FRONTS[kind][0] + b"From: a@b.example\nSubject: s\n\nbody\n"
    (told,) = read(b"\0" * 512 + front)
    assert isinstance(told, Trouble)
    assert told.cause == "NULs stand before its messages, which are not read"


@pytest.mark.parametrize("between", [b"\n\n", b"\n\r\n", b"\0", b"\0" * 512])
def test_a_mailbox_may_begin_behind_other_text_or_nuls(between: bytes) -> None:
    """A crash has left a part of its first message."""
    file = b"torn" + between + ENVELOPE + b"Subject: s\n\nbody\n"
    assert kind_of(Stream("box", io.BytesIO(file).read1)).name == "mbox"


def test_more_nuls_than_are_looked_at_are_told() -> None:
    """A log whose front was removed while a program writes it begins with as many NULs as it had octets."""
    for nuls in (LONGEST_HEAD, LONGEST_HEAD - 10):
        (told,) = read(b"\0" * nuls + b"http://a.example/\n")
        assert isinstance(told, Trouble)
        assert told.cause == f"{nuls:,} NULs stand at its beginning, what is behind them is not read"
    assert list(read(b"\0" * LONGEST_HEAD)) == [Skipped("file", "binary")]


@pytest.mark.parametrize("rest", [b"torn\n", b"torn\nand more\n", b"\n\ntorn\n", b"00\nTo: a@b\n"])
def test_text_behind_nuls_is_what_a_crash_left_of_a_message(rest: bytes) -> None:
    """It may be one line."""
    told, found = read(b"\0" * 512 + rest)
    assert isinstance(told, Trouble)
    assert isinstance(found, Document)
    assert found.kind == "text"


@pytest.mark.parametrize(
    "rest", [b"<!DOCTYPE html>\n<p>x\n", b"<html><p>x</html>", b"<html>\n" + b"<p>text</p>\n" * 10_000]
)
def test_html_behind_nuls_is_read_as_such_and_the_mailbox_behind_it(rest: bytes) -> None:
    """The first octets need not show the mailbox."""
    nuls = b"\0" * 512
    told, found = read(nuls + rest)
    assert isinstance(told, Trouble)
    assert told.cause.endswith("were read as HTML")
    assert found == Document("file", nuls + rest, "html")
    message = b"Subject: s\n\nbody\n"
    _, *found_too = read(nuls + rest + b"\n" + ENVELOPE + message)
    assert found_too == [
        Document("file", nuls + rest + b"\n", "html"),
        Document("file", message, "message", message=1),
    ]


@pytest.mark.parametrize("rest", [b"\x7fELF", b"\x7fELF\0\1\n\2", b"\n", b" \r\n \n", b"\x7fELF" + b"\0\1" * 40_000])
def test_what_is_no_mail_behind_nuls_is_left_out(rest: bytes) -> None:
    """A program reserves a file with NULs, or with one line."""
    assert list(read(b"\0" * 512 + rest)) == [Skipped("file", "binary")]
    assert list(read(b"\x7fELF\0" + rest)) == [Skipped("file", "binary")]
