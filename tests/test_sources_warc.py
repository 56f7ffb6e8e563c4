"""Archives of the web: which records are read, what their rows tell, and what cannot be read."""

from __future__ import annotations

import gzip
import io
import json
import logging
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from urlglean.bounds import Bounds
from urlglean.cli import main
from urlglean.records import Document, Trouble
from urlglean.sources import Item, Skipped, Taken, detect, unbundled
from urlglean.sources.http_content import content_of
from urlglean.sources.items import NO_FILE
from urlglean.sources.streams import Stream

pytest.importorskip("warcio")

HOME = "http://www.example.org/"
PAGE = b"<!DOCTYPE html><title>x</title><base href='http://h.example/'><a href='a?x=1&amp;y=2'>a</a>"
DATE = "2002-09-26T08:01:25Z"


class Archive:
    """A WARC file (ISO 28500) that is being written."""

    def __init__(self, *, packed: bool = False) -> None:
        """Begin it; each record is packed by itself if it is `packed`."""
        self.octets = b""
        self._packed = packed

    def add(
        self, content: bytes, uri: str = HOME, kind: str = "response", status: str = "200 OK", **fields: str
    ) -> None:
        """Add a record: an answer by HTTP with these header fields, or another kind."""
        of_record = {"WARC-Type": kind, "WARC-Target-URI": uri, "WARC-Date": DATE}
        named = {name.replace("_", "-"): value for name, value in fields.items()}
        if kind == "response":
            of_record["Content-Type"] = "application/http; msgtype=response"
            content = f"HTTP/1.1 {status}\r\n{as_lines(named)}\r\n".encode() + content
        else:
            of_record |= named
        of_record["Content-Length"] = str(len(content))
        record = f"WARC/1.0\r\n{as_lines(of_record)}\r\n".encode() + content + b"\r\n\r\n"
        self.octets += gzip.compress(record) if self._packed else record


def as_lines(fields: dict[str, str]) -> str:
    """Header fields."""
    return "".join(f"{name}: {value}\r\n" for name, value in fields.items())


def read(octets: bytes, bounds: Bounds | None = None) -> list[Item]:
    """All that is read from a file, but what its members are taken for."""
    found = unbundled(detect.read(Stream("file", io.BytesIO(octets).read1, bounds=bounds or Bounds())))
    return [item for item in found if not isinstance(item, Taken)]


def causes(items: list[Item]) -> list[str]:
    """What was left out or could not be read, in order."""
    return [item.cause for item in items if isinstance(item, Skipped | Trouble)]


def document(data: bytes, kind: Any, uri: str = HOME) -> Document:
    """The document of a record."""
    return Document("file", data, kind, uri, date="Thu, 26 Sep 2002 08:01:25 +0000")


@pytest.mark.parametrize("packed", [False, True])
def test_texts_and_pages_are_read_as_files_are(packed: bool) -> None:  # noqa: FBT001
    """Each with its URI as member, and the date on which it was got."""
    archive = Archive(packed=packed)
    archive.add(PAGE, Content_Type="text/html; charset=utf-8")
    archive.add(b"GET / HTTP/1.0\r\n\r\n", kind="request")
    archive.add(b"fetched: 1\r\n", kind="metadata", Content_Type="application/warc-fields")
    archive.add(b"see http://h.example/\n", uri=HOME + ".git/b.txt", Content_Type="text/plain")
    mail = b"From: a@b.example\n\nhttp://h.example/\n"
    archive.add(mail, uri=HOME + "m", kind="resource", Content_Type="message/rfc822")
    assert read(archive.octets) == [
        document(PAGE, "html"),
        document(b"see http://h.example/\n", "text", HOME + ".git/b.txt"),
        document(mail, "message", HOME + "m"),
    ]


def test_content_is_unpacked() -> None:
    """As it came over the net: in chunks, and packed."""
    archive = Archive()
    packed = gzip.compress(b"http://h.example/packed\n")
    archive.add(packed, Content_Type="text/plain", Content_Encoding="gzip")
    chunks = b"5\r\nhttp:\r\n12\r\n//h.example/chunk\n\r\n0\r\n\r\n"
    archive.add(chunks, Content_Type="text/plain", Transfer_Encoding="chunked")
    assert [item.data for item in read(archive.octets) if isinstance(item, Document)] == [
        b"http://h.example/packed\n",
        b"http://h.example/chunk\n",
    ]


@pytest.mark.parametrize(
    "declared",
    [
        *("application/x-gzip", "application/octet-stream", "application/rss+xml", "application/xml; charset=utf-8"),
        *("application/json", "application/mbox", "binary/octet-stream", "x", "text/javascripts", ""),
    ],
)
def test_the_first_bytes_decide_what_a_declared_type_leaves_open(declared: str) -> None:
    """Servers declare mailboxes, packed ones and feeds in many ways."""
    mail = b"From: a@b.example\n\nhttp://h.example/\n"
    box = b"From a@b.example Mon Jan  1 00:00:00 2001\n" + mail
    archive = Archive()
    for content in (gzip.compress(box), box, mail, PAGE, b"<rss><link>http://h.example/</link></rss>\n", b"\0\1\2" * 9):
        archive.add(content, Content_Type=declared)
    items = read(archive.octets)
    kinds = [item.kind for item in items if isinstance(item, Document)]
    assert kinds == ["message", "message", "message", "html", "text"]
    assert causes(items) == ["binary"]


@pytest.mark.parametrize(
    "declared",
    [
        *("image/svg+xml", " Audio/mpeg", "video/mp4", "font/woff2", "text/css;charset=utf-8", "text/javascript"),
        *("application/x-javascript", "application/ecmascript", "text/javascript1.5", "text/jscript"),
    ],
)
def test_types_that_nobody_reads_are_left_out(declared: str) -> None:
    """Pictures, sounds, fonts, styles and scripts, though these are text."""
    archive = Archive()
    archive.add(b"http://h.example/\n", Content_Type=declared)
    assert causes(read(archive.octets)) == [f"{declared.strip().partition(';')[0]}, which is no text"]


def test_what_is_no_text_is_left_out() -> None:
    """By its type, by its status, or by its first bytes."""
    archive = Archive()
    archive.add(b"http://h.example/\n", Content_Type="image/png")
    archive.add(b"a { background: url(http://h.example/) }", Content_Type="text/css")
    archive.add(b"no such page: http://h.example/\n", status="404 Not Found", Content_Type="text/html")
    archive.add(b"GIF89a\0\0")
    items = read(archive.octets)
    assert causes(items) == ["image/png, which is no text", "text/css, which is no text", "HTTP status 404", "an image"]
    assert {item.member for item in items if isinstance(item, Skipped)} == {HOME}


def test_the_rows_tell_uri_and_date(tmp_path: Path) -> None:
    """A message keeps the date that it has itself."""
    archive = Archive(packed=True)
    archive.add(PAGE, Content_Type="text/html")
    archive.add(b"From: a@b.example\nDate: 1 May 1993 10:00 GMT\n\nhttp://h.example/\n", uri="http://h.example/m")
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(archive.octets)
    done = CliRunner().invoke(main, ["scan", str(path), "--format", "jsonl"])
    rows = [json.loads(line) for line in done.output.splitlines() if line.startswith("{")]
    assert [(row["url"], row["field"], row["member"], row["date"]) for row in rows] == [
        ("http://h.example/", "base@href", HOME, DATE),
        ("http://h.example/a?x=1&y=2", "a@href", HOME, DATE),
        ("http://h.example/", None, "http://h.example/m", "1993-05-01T10:00:00Z"),
    ]


def test_the_messages_of_a_mailbox_have_the_date_of_their_record() -> None:
    """Whether they come one by one, as from MMDF, or several together, as from an mbox."""
    archive = Archive()
    mail = b"From: a@b.example\n\nhttp://h.example/\n\n"
    archive.add((b"From a@b Mon Mar  3 10:00:00 1997\n" + mail) * 2, kind="resource", Content_Type="application/mbox")
    archive.add((b"\1\1\1\1\n" + mail + b"\1\1\1\1\n") * 2, kind="resource", Content_Type="application/mbox")
    found = [item for item in read(archive.octets) if isinstance(item, Document)]
    assert [(item.kind, item.date) for item in found] == [("message", "Thu, 26 Sep 2002 08:01:25 +0000")] * 4


@pytest.mark.parametrize("cut", [30, 200, -30])
def test_a_file_that_is_cut_off_loses_only_its_end(cut: int) -> None:
    """The records before are read; of the last one what is there, or a trouble."""
    archive = Archive()
    archive.add(b"http://h.example/first\n", Content_Type="text/plain")
    first = len(archive.octets)
    archive.add(b"http://h.example/second " * 20, Content_Type="text/plain")
    whole = archive.octets
    items = read(whole[: first + cut] if cut > 0 else whole[:cut])
    found = [item.data for item in items if isinstance(item, Document)]
    assert found[0] == b"http://h.example/first\n"
    assert causes(items) or found[1:]


def test_a_record_of_another_length_is_a_trouble(capfd: pytest.CaptureFixture[str]) -> None:
    """The library would write it to stderr, with what stands there."""
    archive = Archive()
    archive.add(b"http://h.example/first\n", Content_Type="text/plain")
    archive.add(b"http://h.example/second\n", Content_Type="text/plain")
    length = archive.octets.index(b"Content-Length: ") + len(b"Content-Length: ")
    octets = archive.octets
    end = octets.index(b"\r\n", length)
    short = octets[:length] + str(int(octets[length:end]) - 3).encode() + octets[end:]
    items = read(short)
    assert causes(items) == ["a WARC record that is longer or shorter than it says"]
    assert [item.data for item in items if isinstance(item, Document)][-1] == b"http://h.example/second\n"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("behind", [b"", b"http://h.example/second\n"])
def test_a_record_that_is_longer_than_it_says_is_a_trouble(behind: bytes) -> None:
    """The last one too."""
    archive = Archive()
    archive.add("http://h.example/first/größe".encode(), Content_Type="text/plain")
    short = archive.octets.replace(b"Content-Length: 75", b"Content-Length: 73")
    assert short != archive.octets
    if behind:
        archive = Archive()
        archive.add(behind, Content_Type="text/plain")
        short += archive.octets
    items = read(short)
    assert causes(items) == ["a WARC record that is longer or shorter than it says"]
    held = [item.data for item in items if isinstance(item, Document)]
    assert held == ["http://h.example/first/grö".encode() + b"\xc3", *[behind] * bool(behind)]


def test_headers_are_bounded() -> None:
    """A header without an end is not read to its end."""
    endless = b"WARC/1.0\r\nWARC-Type: response\r\nX: " + b"a" * 300_000
    (trouble,) = read(endless, Bounds(tar_header=100_000))
    assert isinstance(trouble, Trouble)
    assert "a header longer than 100,000 bytes" in trouble.cause


def test_members_are_bounded() -> None:
    """As in every archive."""
    archive = Archive()
    for number in range(5):
        archive.add(b"http://h.example/\n", uri=f"{HOME}{number}", Content_Type="text/plain")
    items = read(archive.octets, Bounds(members=2))
    assert len([item for item in items if isinstance(item, Document)]) == 2
    assert causes(items)[-1] == "holds more than 2 members; no more of its members were read"


def test_the_package_writes_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It warns of a URI with a blank, with all the signs that a terminal obeys."""
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # those of the tests
    archive = Archive()
    archive.add(PAGE, uri=f"{HOME} \x1b[31m")
    assert len([item for item in read(archive.octets) if isinstance(item, Document)]) == 1
    assert capsys.readouterr().err == ""


def test_without_the_package_there_is_a_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the package."""
    monkeypatch.setitem(sys.modules, "warcio.archiveiterator", None)
    archive = Archive()
    archive.add(PAGE)
    assert causes(read(archive.octets)) == ["a WARC file; to read it, install the package warcio"]


@pytest.mark.parametrize(
    ("date", "day"),
    [
        ("", None),
        ("yesterday", None),
        ("0001-01-01T00:00:00+23:59", None),
        ("20020926123456", None),
        ("20020926123456Z", None),
        ("2002-09-26t08:01:25z", "Thu, 26 Sep 2002 08:01:25 +0000"),
        ("20020926", "Thu, 26 Sep 2002 00:00:00 +0000"),
        ("2002", "Tue, 01 Jan 2002 00:00:00 +0000"),
        ("2002-09", "Sun, 01 Sep 2002 00:00:00 +0000"),
        ("2002-09-26", "Thu, 26 Sep 2002 00:00:00 +0000"),
        ("2002-09-26T08:01:25", "Thu, 26 Sep 2002 08:01:25 +0000"),
        ("2002-09-26T08:01:25+02:00", "Thu, 26 Sep 2002 06:01:25 +0000"),
    ],
)
def test_a_date_may_be_short(date: str, day: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in UTC, wherever it is read; one that cannot be read is absent."""
    monkeypatch.setenv("TZ", "EST5")
    time.tzset()
    try:
        archive = Archive()
        archive.add(b"http://h.example/\n", Content_Type="text/plain")
        (found,) = read(archive.octets.replace(DATE.encode(), date.encode()))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert isinstance(found, Document)
    assert found.date == day


def test_a_file_that_is_cut_off_in_its_last_record_is_a_trouble() -> None:
    """What is there of the record is read."""
    archive = Archive()
    archive.add(b"see http://h.example/\n" * 50, Content_Type="text/plain")
    (found, trouble) = read(archive.octets[:-800])
    assert isinstance(found, Document)
    assert trouble == Trouble("file", "a WARC file that is cut off in record 1")


def test_a_file_that_is_cut_off_anywhere_in_a_record_is_a_trouble() -> None:
    """In the header too, and in that of HTTP; nowhere else than between two records does it look whole."""
    archive = Archive()
    archive.add(b"GET / HTTP/1.0\r\n\r\n", kind="request")
    ends = [len(archive.octets)]
    for kind in ("response", "resource"):
        archive.add(b"see http://h.example/\n", kind=kind, Content_Type="text/plain")
        ends.append(len(archive.octets))
    silent = [
        cut for cut in range(20, ends[-1]) if not any(isinstance(item, Trouble) for item in read(archive.octets[:cut]))
    ]
    # Two empty lines stand behind each record, and warcio reads what they lack from the next.
    assert [cut for cut in silent if not any(end - 4 <= cut <= end for end in ends)] == []


def test_packed_content_that_is_cut_off_is_a_trouble() -> None:
    """The records behind it are read."""
    archive = Archive()
    packed = gzip.compress("".join(f"see http://h.example/{number * number}\n" for number in range(3000)).encode())
    archive.add(packed[: len(packed) // 2], Content_Type="text/plain", Content_Encoding="gzip")
    archive.add(b"last\n", Content_Type="text/plain")
    items = read(archive.octets)
    (trouble,) = [item for item in items if isinstance(item, Trouble)]
    assert trouble.member == HOME
    assert "ended before the end-of-stream marker" in trouble.cause
    assert isinstance(items[-1], Document)
    assert items[-1].data == b"last\n"


@pytest.mark.parametrize(
    ("field", "empty"),
    [("WARC-Type", b""), ("WARC-Type", b"%s: \r\n"), ("WARC-Target-URI", b""), ("WARC-Target-URI", b"%s: <>\r\n")],
)
@pytest.mark.parametrize("kind", ["response", "resource", "conversion"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_record_without_a_field_that_it_needs_costs_only_itself(
    field: str, empty: bytes, kind: str, *, packed: bool
) -> None:
    """It is a trouble, and the records behind it are read."""
    lacking, whole = Archive(), Archive(packed=packed)
    lacking.add(b"http://h.example/lost\n", kind=kind, Content_Type="text/plain")
    name = field.encode()
    record = lacking.octets.replace(name, (empty and empty % name) + b"X", 1)
    whole.add(b"http://h.example/read\n", Content_Type="text/plain")
    items = read((gzip.compress(record) if packed else record) + whole.octets)
    assert causes(items) == [f"WARC record 1 has no {field}; it is not read"]
    assert [item.data for item in items if isinstance(item, Document)] == [b"http://h.example/read\n"]


def test_a_record_about_the_crawl_needs_no_uri() -> None:
    """Nor one of a type that is not known."""
    archive = Archive()
    for kind in ("warcinfo", "metadata", "unheard"):
        archive.add(b"a: b\r\n", kind=kind)
    assert read(archive.octets.replace(b"WARC-Target-URI", b"X")) == [Skipped("file", NO_FILE)]


def test_a_record_without_a_length_ends_the_file() -> None:
    """Nothing says where the next record begins."""
    archive = Archive()
    archive.add(b"http://h.example/first\n", Content_Type="text/plain")
    assert causes(read(archive.octets.replace(b"Content-Length", b"X"))) == [
        "a WARC file that is broken at record 1: its header is cut off, or has no Content-Length"
    ]


def of_answers(*answers: bytes) -> list[Item]:
    """What is read of a file with a record for each of these answers by HTTP, which have a header of their own."""
    archive = Archive()
    for octets in answers:
        archive.add(octets, kind="resource", Content_Type="application/http; msgtype=response")
    return read(archive.octets.replace(b"WARC-Type: resource", b"WARC-Type: response"))


@pytest.mark.parametrize("page", [PAGE, PAGE + b"\n" + PAGE * 100, b"see http://h.example/\n", b"HTTP/1.1 is old\n"])
def test_an_answer_by_http_0_9_is_the_page(page: bytes) -> None:
    """It has no status line, and no header."""
    (found,) = of_answers(page)
    assert isinstance(found, Document)
    assert found.data == page


def test_interim_answers_are_passed_over() -> None:
    """The last answer counts; that one may also be a fault, or another protocol, or missing."""
    interim = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
    last = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 20\r\n\r\nsee http://b.example"
    found, *others = of_answers(
        interim + last,
        interim + b"HTTP/1.1 404 Not Found\r\n\r\nhttp://h.example/",
        interim + b"HTTP/1.1 101 Switching Protocols\r\n\r\n\x81\x05Hello",
        interim,
    )
    assert found == document(b"see http://b.example", "text")
    assert causes(others) == ["HTTP status 404", "HTTP status 101", "empty"]


@pytest.mark.parametrize("codings", [b"identity, chunked", b"identity\r\nTransfer-Encoding: chunked"])
def test_several_fields_are_one_list(codings: bytes) -> None:
    """RFC 9110 5.3."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: %s\r\n\r\n" % codings
    (text,) = of_answers(head + chunked(b"see http://a.example/b\n", 9))
    assert isinstance(text, Document)
    assert text.data == b"see http://a.example/b\n"


def test_a_length_that_is_stated_twice_is_one() -> None:
    """RFC 9110 8.6. Content that is shorter is told."""
    for fields in (b"Content-Length: 94", b"Content-Length: 94\r\nContent-Length: 94", b"Content-Length: 94, 94"):
        items = of_answers(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n%s\r\n\r\nsee http://a.example/\n" % fields)
        assert any("cut off" in cause for cause in causes(items))


def test_a_header_of_http_that_is_too_long_costs_only_its_record() -> None:
    """The bound is that of all headers of the record together."""
    archive = Archive()
    for fields in ({"X": "a" * 60_000}, {"X": "a" * 120_000}, {}):
        archive.add(b"see http://h.example/\n", Content_Type="text/plain", **fields)
    items = read(archive.octets, Bounds(tar_header=100_000))
    assert [type(item) for item in items] == [Document, Trouble, Document]
    assert causes(items) == ["a header longer than 100,000 bytes"]


def test_segments_are_told() -> None:
    """Only the first segment of a long record is read. Types are names in upper or lower case."""
    archive = Archive()
    archive.add(b"http://h.example/first\n", kind="Resource", Content_Type="text/plain")
    archive.add(b"http://h.example/second\n", kind="continuation")
    items = read(archive.octets)
    assert [item.data for item in items if isinstance(item, Document)] == [b"http://h.example/first\n"]
    assert causes(items) == ["it comes in segments, of which only the first is read"]


LINES = b"".join(b"see http://h.example/%d\n" % number for number in range(4000))


def chunked(content: bytes, size: int = 5000, end: bytes = b"\r\n") -> bytes:
    """Content in chunks of a size, each with an extension, and with a field behind the last (RFC 9112 7.1)."""
    parts = [content[at : at + size] for at in range(0, len(content), size)]
    last = b"0%sX: y%s%s" % (end, end, end)
    return b"".join(b"%x ; a=b%s%s%s" % (len(part), end, part, end) for part in parts) + last


def answer(content: bytes, **fields: str) -> tuple[bytes, list[str]]:
    """What is read of an answer, and its troubles; the record behind it is read too."""
    archive = Archive()
    archive.add(content, Content_Type="text/plain", **fields)
    archive.add(b"last\n", Content_Type="text/plain")
    *found, last = read(archive.octets)
    assert last == document(b"last\n", "text")
    assert {item.member for item in found} <= {HOME}
    return b"".join(item.data for item in found if isinstance(item, Document)), causes(found)


def deflated(content: bytes, bits: int) -> bytes:
    """Content that is packed by zlib."""
    packer = zlib.compressobj(wbits=bits)
    return packer.compress(content) + packer.flush()


PACKED = {
    "gzip": gzip.compress(LINES),
    "x-gzip": gzip.compress(LINES[:1000]) + gzip.compress(LINES[1000:]),
    "deflate": deflated(LINES, zlib.MAX_WBITS),
    "Deflate": deflated(LINES, -zlib.MAX_WBITS),
    "identity": LINES,
}


@pytest.mark.parametrize("coding", PACKED)
def test_content_is_read_however_it_was_sent(coding: str) -> None:
    """Packed, in chunks or with a length, or both; and as it is where the header says what is not so."""
    packed = PACKED[coding]
    for content, fields in (
        (packed, {}),
        (packed, {"Content_Length": str(len(packed))}),
        (chunked(packed), {"Transfer_Encoding": "chunked"}),
        (chunked(packed, 100_000), {"Transfer_Encoding": "gzip, Chunked", "Content_Length": "1000000"}),
        (b"1\r\n" + packed[:1] + b"\r\n" + chunked(packed[1:]), {"Transfer_Encoding": "chunked"}),
        (chunked(packed, end=b"\n"), {"Transfer_Encoding": "chunked"}),
        (packed, {"Transfer_Encoding": "chunked"}),
        (LINES, {}),
        (LINES, {"Transfer_Encoding": "chunked"}),
    ):
        assert answer(content, Content_Encoding=coding, **fields) == (LINES, []), fields


@pytest.mark.parametrize("coding", PACKED)
@pytest.mark.parametrize("left", [0.99, 0.5])
def test_content_that_ends_early_is_a_trouble(coding: str, left: float) -> None:
    """What is there of it is read, however it was sent."""
    packed = PACKED[coding]
    short = packed[: int(left * len(packed))]
    ways = [
        (short, {"Content_Length": str(len(packed))}),
        (chunked(packed)[: int(left * len(chunked(packed)))], {"Transfer_Encoding": "chunked"}),
    ]
    if coding.lower() != "deflate":  # which says itself where it ends
        ways += [(chunked(packed)[: -len(b"0\r\nX: y\r\n\r\n")], {"Transfer_Encoding": "chunked"})]
    if coding != "identity":
        ways += [(short, {}), (chunked(short), {"Transfer_Encoding": "chunked"})]
    for content, fields in ways:
        found, told = answer(content, Content_Encoding=coding, **fields)
        assert len(found) > len(LINES) // 4
        assert LINES.startswith(found)
        assert told, fields


@pytest.mark.parametrize("coding", ["deflate", "Deflate"])
def test_octets_behind_packed_content_are_a_trouble(coding: str) -> None:
    """White space there is none. Without a frame they show that it may be a text: it begins with such signs."""
    assert answer(PACKED[coding] + b"\r\n", Content_Encoding="deflate") == (LINES, [])
    if coding == "deflate":
        for content in (LINES, b"see http://h.example/\n"):
            packed = deflated(content, zlib.MAX_WBITS)
            found, told = answer(packed + b"see http://b.example/\n", Content_Encoding="deflate")
            assert (found, len(told)) == (content, 1)


@pytest.mark.parametrize("text", [b'{\n  "url": "http://h.example/"\n}\n', b"see http://h.example/\n"])
def test_a_text_that_is_said_to_be_packed_is_read_as_it_is(text: bytes) -> None:
    """Whatever signs it begins with."""
    assert answer(text, Content_Encoding="deflate") == (text, [])


@pytest.mark.parametrize("content", [LINES, b"<p>see http://h.example/</p>\n"])
@pytest.mark.parametrize("size", [4, 8])
def test_a_checksum_may_stand_behind_packed_content(content: bytes, size: int) -> None:
    """Some servers cut off the beginning of the frame of zlib or gzip only."""
    packed = deflated(content, -zlib.MAX_WBITS) + b"\x9f\1\xc2\3" * (size // 4)
    assert answer(packed, Content_Encoding="deflate") == (content, [])
    for end in (b"", b"\r\n", b"\0"):
        for chunk in (1, 2, len(packed) - 2):
            whole = chunked(packed + end, chunk)
            assert answer(whole, Content_Encoding="deflate", Transfer_Encoding="chunked") == (content, [])


@pytest.mark.parametrize("bits", [zlib.MAX_WBITS, -zlib.MAX_WBITS])
def test_a_text_in_several_chunks_behind_packed_content_is_a_trouble(bits: int) -> None:
    """Its first chunk may be as long as a checksum."""
    packed = deflated(LINES, bits)
    for first in (b"see ", b"see here", b"", b"s", b"\r\n" * 9000, b"\x9f\1\xc2\3\r\n\r\n\r\n"):
        text = chunked(packed + first, len(packed + first)).removesuffix(b"0\r\nX: y\r\n\r\n")
        whole = text + chunked(b"http://b.example/\n")
        found, told = answer(whole, Content_Encoding="deflate", Transfer_Encoding="chunked")
        assert (found, len(told)) == (LINES, 1)


@pytest.mark.parametrize(
    "text", [b'{\n  "url": "http://h.example/"\n}\n', b"see http://h.example/\n", b"<p>http://a.b/"]
)
@pytest.mark.parametrize("size", [1, 2, 3, 5, 9])
def test_a_text_in_chunks_that_is_said_to_be_packed_is_read_as_it_is(text: bytes, size: int) -> None:
    """However few signs its first chunk has."""
    assert answer(chunked(text, size), Content_Encoding="deflate", Transfer_Encoding="chunked") == (text, [])


def test_octets_behind_the_last_chunk_are_a_trouble() -> None:
    """It may be a text that begins with a number. Fields may stand there (RFC 9112 7.1.2)."""
    for text in (
        b"0\nsee http://h.example/\n",
        b"0\r\n\r\nhttp://h.example/\n",
        b"0\nhttp://h.example/\n",
        b"0\n\nA: b\nsee this\n",
        b"0\n\tsee http://h.example/\n",
    ):
        found, told = answer(text, Transfer_Encoding="chunked")
        assert (found, len(told)) == (b"", 1)
        assert "behind" in told[0]
    assert "behind" not in str(answer(b"0\r\nX-Sum: 1\r\n 2\r\n\r\n", Transfer_Encoding="chunked"))


def test_chunks_that_are_not_as_they_say_are_a_trouble() -> None:
    """What was read before them stays."""
    whole = chunked(LINES)
    for broken in (whole.replace(b"1388 ; a=b\r\n", b"1389\r\n"), whole.replace(b"\r\n1388 ;", b"\r\nno size ;", 2)):
        found, told = answer(broken, Transfer_Encoding="chunked")
        assert LINES.startswith(found[:5000])
        assert len(told) == 1


def test_a_long_chunk_is_not_held() -> None:
    """It is read piece by piece, as far as it is asked for."""
    from warcio.statusandheaders import StatusAndHeaders  # noqa: PLC0415  an extra

    asked: list[int] = []

    class Endless(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            asked.append(size or 0)
            return super().read(size)

    chunk = Endless(b"7fffffff\r\n" + b"x" * 100_000)
    take, _ = content_of(chunk, StatusAndHeaders("200 OK", [("Transfer-Encoding", "chunked")]))
    assert take(1000) == b"x" * 1000
    assert max(asked) == 1000


def test_what_cannot_be_unpacked_or_was_cut_by_the_crawler_is_a_trouble() -> None:
    """Brotli cannot be told from other octets, nor what is packed once more behind "deflate".

    WARC-Truncated says why a record is short (ISO 28500 5.13).
    """
    assert answer(b"\x0b\x02\x80http\x03", Content_Encoding="br")[1] == [
        "reading stopped after 0 bytes: its content is packed by br, which is not read"
    ]
    twice = gzip.compress(deflated(LINES, zlib.MAX_WBITS))
    assert answer(twice, Content_Encoding="deflate, gzip") == (
        b"",
        ["reading stopped after 0 bytes: its content is packed by deflate, gzip, which is not read"],
    )
    twice = deflated(gzip.compress(LINES), zlib.MAX_WBITS)
    assert answer(twice, Content_Encoding="gzip, deflate, none") == (LINES, [])
    archive = Archive()
    archive.add(b"a\n", kind="resource", Content_Type="text/plain", WARC_Truncated="length")
    assert causes(read(archive.octets)) == ["cut off when it was archived: length"]


def test_what_content_unpacks_to_is_bounded() -> None:
    """As in every archive."""
    archive = Archive()
    bomb = deflated(b"x\n" * 1_500_000, zlib.MAX_WBITS)
    archive.add(bomb, Content_Type="text/plain", Content_Encoding="deflate")
    told = causes(read(archive.octets, Bounds(ratio_free=1_000_000)))
    assert any("unpacks to more than 200 times its size" in cause for cause in told)
