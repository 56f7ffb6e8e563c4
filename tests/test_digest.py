"""A message has one digest wherever it lies, and what reads otherwise has another."""

from __future__ import annotations

import gzip
import re
import zipfile
from pathlib import Path
from typing import Literal

import pytest
from msgspec.structs import replace

from dbox_files import dbox
from urlglean.bounds import Bounds
from urlglean.pipeline.digest import digest_of
from urlglean.pipeline.inputs import opened
from urlglean.records import Document
from urlglean.sources import unbundled
from urlglean.windows import GRID, WindowSize

HEADER = b"From: a@b.example\nMessage-ID: <1@x.example>\nSubject: s\n\n"
BODIES = {
    "plain": b"see http://a.example/\n",
    "without-line-end": b"see http://a.example/",
    "blank-lines": b"\n\nsee\n\n\n",
    "empty": b"",
    "dots": b".\n..x\n",
    "from": b"hello\nFrom here to there\n",
}


def digests(path: Path, kind: str | None = None, bounds: Bounds | None = None) -> list[str]:
    """Those of the documents at a path."""
    items = opened([str(path)], kind=kind, bounds=bounds or Bounds())
    return [digest_of(item) for item in unbundled(items) if isinstance(item, Document)]


def framed(message: bytes, how: str, folder: Path) -> Path:
    """A file or folder with a message twice, framed in one way."""
    line_end = b"" if message.endswith(b"\n") else b"\n"
    mbox = re.sub(rb"(?m)^From ", b">From ", message) + line_end + b"\n"
    mbox = (b"From a@b.example Mon Jan  1 00:00:00 2001\n" + mbox) * 2
    path = folder / how
    match how:
        case "maildir" | "spool":
            inside = path / ("cur" if how == "maildir" else "group")
            inside.mkdir(parents=True)
            if how == "maildir":
                (path / "new").mkdir()
            for number in (1, 2):
                (inside / str(number)).write_bytes(message)
        case "mbox" | "mboxrd":
            path.write_bytes(mbox)
        case "mmdf":
            path.write_bytes((b"\1\1\1\1\n" + message + line_end + b"\1\1\1\1\n") * 2)
        case "rnews":
            path.write_bytes((b"#! rnews %d\n" % len(message) + message) * 2)
        case "dbox":
            path.write_bytes(dbox([message, gzip.compress(message)]))
        case "gzip":
            path.write_bytes(gzip.compress(mbox))
        case "zip":
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("old/mbox", mbox)
    return path


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("how", ["mbox", "mboxrd", "maildir", "spool", "mmdf", "dbox", "rnews", "gzip", "zip"])
def test_a_message_has_one_digest_wherever_it_lies(tmp_path: Path, how: str, body: str) -> None:
    """Frames, quoting, line ends at its end and compression do not count."""
    message = HEADER + BODIES[body]
    path = framed(message, how, tmp_path)
    expected = digest_of(Document("", message, "message"))
    assert digests(path, "mboxrd" if how == "mboxrd" else None) == [expected] * 2


def test_other_octets_have_another_digest() -> None:
    """So has what is read as another kind, and a text with another line end at its end."""
    message = Document("", HEADER + b"text\n", "message")
    others = [
        replace(message, data=HEADER + b"text.\n"),
        replace(message, data=HEADER + b"text \n"),
        replace(message, data=message.data.replace(b"\n", b"\r\n")),
        replace(message, kind="text"),
        replace(message, kind="text", data=message.data + b"\n"),
        replace(message, kind="html"),
    ]
    assert len({digest_of(each) for each in (message, *others)}) == 1 + len(others)
    assert digest_of(replace(message, path="elsewhere", message=7, offset=9)) == digest_of(message)


def test_a_window_is_told_by_its_text_and_place(tmp_path: Path) -> None:
    """The same octets elsewhere in a text, behind other lines, or in another text, are another window."""
    bounds = Bounds(window=WindowSize(own=1 << 12, margin=GRID))
    page = b"".join(b"line %03d of the page\n" % number for number in range(60)) + b"\n"
    for name, octets in {"log": page * 20, "same": page * 20, "other": b"x" + page * 20}.items():
        (tmp_path / name).write_bytes(octets)
    found = {name: digests(tmp_path / name, "text", bounds) for name in ("log", "same", "other")}
    assert len(set(found["log"])) == len(found["log"]) > 3
    assert found["log"] == found["same"]
    assert not set(found["log"]) & set(found["other"])
    with (tmp_path / "log").open("ab") as file:
        file.write(page)
    assert digests(tmp_path / "log", "text", bounds)[:-3] == found["log"][:-2]


@pytest.mark.parametrize("kind", ["message", "text", "html"])
def test_the_date_of_fetching_counts_where_rows_have_it(kind: Literal["message", "text", "html"]) -> None:
    """A message with a Date of its own is the same in each capture, and elsewhere."""
    for header in (HEADER, b"Date: 13 May 1994 15:02:10 +0000\n" + HEADER):
        document = Document("a", header + BODIES["plain"], kind)
        captures = {digest_of(replace(document, date=f"{year}-01-01T00:00:00Z")) for year in (2001, 2002)}
        is_dated = kind == "message" and header.startswith(b"Date")
        assert len(captures | {digest_of(document)}) == (1 if is_dated else 3)
