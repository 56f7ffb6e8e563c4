"""Plain-text files that are longer than a window: read in constant memory, with the rows of the same text as one."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from broken_texts import broken
from test_inline_binaries import uuencoded, yencoded
from urlglean import scan
from urlglean.bounds import Bounds
from urlglean.charsets import decode
from urlglean.cli import main
from urlglean.inline_binaries import without_binaries
from urlglean.mail import rewriting
from urlglean.pipeline.glean import glean
from urlglean.pipeline.options import Options
from urlglean.pipeline.run import RunOptions, scanned
from urlglean.pipeline.scan_task import ScanTask
from urlglean.records import Document, Trouble
from urlglean.sources import Item, Taken, detect, text_file, unbundled
from urlglean.sources.streams import Stream
from urlglean.text.extract import Extractor
from urlglean.windows import GRID, WindowSize, line_ends

TEXTS = broken("\r", "gr\u00fc\u00df ", "\u20ac")
SIZES = st.builds(WindowSize, own=st.integers(1, 90), margin=st.integers(1, 40))
MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
LONG = GRID // 25 + 1


def read(data: bytes, size: WindowSize, block: int = 1 << 20) -> list[Item]:
    """What a text file holds, read in blocks of that size and windows of that size."""
    bounds = Bounds(block=block, window=size)
    found = unbundled(detect.read(Stream("file", io.BytesIO(data).read1, bounds=bounds), "text"))
    return [item for item in found if not isinstance(item, Taken)]


def rows(data: bytes, size: WindowSize, block: int = 1 << 20) -> list[dict[str, Any]]:
    """The rows of a text file, without what is the same for all."""
    documents = [item for item in read(data, size, block) if isinstance(item, Document)]
    reports = glean(documents, Options(bounds=Bounds(window=size)))
    found = [each.to_dict() for report in reports for each in report.occurrences]
    assert all((row["path"], row["offset"], row["message"]) == ("file", 0, None) for row in found)
    return found


def expected(text: str, size: WindowSize) -> list[dict[str, Any]]:
    """The rows of the same text, given whole to the extractor."""
    found = Extractor("current", "likely", window=size)(text)
    return [each.to_dict() | {"line": 1 + line_ends(text, 0, each.span.start)} for each in found]


def same(found: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> bool:
    """Whether rows say of their findings what is wanted."""
    return [{name: row[name] for name in want} for row, want in zip(found, wanted, strict=True)] == wanted


@given(TEXTS, SIZES, st.integers(1, 50), st.sampled_from(["", *MARKS]))
def test_a_text_read_as_a_stream_has_the_rows_of_the_text(text: str, size: WindowSize, block: int, mark: str) -> None:
    """Whatever goes over the end of a block or of a window: a URL, a CR LF, a character."""
    data = MARKS[mark] + text.encode(mark) if mark else text.encode()
    assert same(rows(data, size, block), expected(text, size))


@pytest.mark.parametrize("charset", MARKS)
def test_a_text_is_told_by_its_byte_order_mark(charset: str) -> None:
    """Though it has a NUL in most characters, it is not binary."""
    data = MARKS[charset] + "see http://h.example/\n".encode(charset)
    found = unbundled(detect.read(Stream("file", io.BytesIO(data).read1)))
    assert [item.kind for item in found if isinstance(item, Document)] == ["text"]


@given(TEXTS, TEXTS, st.integers(500, 4000), st.integers(1, 3000))
def test_so_has_a_text_whose_beginning_is_given_up(text: str, more: str, own: int, block: int) -> None:
    """The windows behind the first begin somewhere in the file."""
    text = "a line that is not long.\n" * (2 * LONG) + text + "an \u00f6 in the line here. \n" * LONG + more
    size = WindowSize(own=own, margin=100)
    assert same(rows(text.encode(), size, block), expected(text, size))
    assert any(item.offset for item in read(text.encode(), size, block) if isinstance(item, Document))


@given(TEXTS, SIZES, st.integers(1, 50))
@example("http://a.example/-\r\r\nhttp://b.example/", WindowSize(own=1, margin=1), 1)  # a window ends in a line end
def test_octets_that_are_not_utf_8_are_windows_1252(text: str, size: WindowSize, block: int) -> None:
    """Also those that Microsoft left undefined."""
    data = (text + "\u20ac").encode("cp1252") + b"\x81 "
    assert same(rows(data, size, block), expected(decode(data).text, size))
    assert all(isinstance(item, Document) for item in read(data, size, block))


@pytest.mark.parametrize(("late", "charset"), [("gr\u00fc\u00df", "utf-8"), ("gr\u00fc\u00df", "cp1252")])
def test_the_first_octet_that_is_not_ascii_may_come_late(late: str, charset: str) -> None:
    """Where it comes, what follows shows the charset, though all windows before it are gone."""
    text = "a line that is not long.\n" * 500 + f"see http://{late}.example.org/ there\n" * 100
    size = WindowSize(own=1000, margin=50)
    documents = [item for item in read(text.encode(charset), size, 100) if isinstance(item, Document)]
    assert {each.stretch.charset for each in documents if each.stretch} == {"ascii", charset}
    assert same(rows(text.encode(charset), size, 100), expected(text, size))


def test_what_is_not_in_the_charset_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Octets that are not UTF-8, in a text that said it is, or that was taken for it."""
    monkeypatch.setattr(text_file, "GUESSED_FROM", 200)
    size = WindowSize(own=100, margin=50)
    body = "gr\u00fc\u00df http://host.example/ \n".encode() * 30
    for front in (codecs.BOM_UTF8, b""):
        *documents, trouble = read(front + body + b"\xff\xfe\n" + body, size, 64)
        assert len(documents) > 5
        assert trouble == Trouble("file", "2 octets are not utf-8, replaced")
        assert len(rows(front + body + b"\xff\xfe\n" + body, size, 64)) == 60
    *documents, trouble = read(
        codecs.BOM_UTF16_LE + "http://a.b/\ud800 \n".encode("utf-16-le", "surrogatepass") * 50, size
    )
    assert trouble == Trouble("file", "100 octets are not utf-16-le, replaced")
    assert "".join(own_text(each) for each in documents) == "http://a.b/\ufffd \n" * 50


def own_text(item: Item) -> str:
    """The text that a window owns."""
    assert isinstance(item, Document)
    ((part,),) = [report.message.parts for report in glean([item], Options())]
    window = item.stretch and item.stretch.window
    return part.text[window.start - window.first : window.end - window.first] if window else part.text


BINARIES = st.lists(
    st.sampled_from(["see http://a.example/ \n", "text\n", "\u00fc\n"]).map(str.encode)
    | st.binary(max_size=200).map(lambda data: b"begin 644 x\n" + uuencoded(data) + b"`\nend\n")
    | st.binary(max_size=300).map(uuencoded)
    | st.binary(max_size=200).map(
        lambda data: b"=ybegin line=20 size=9 name=x\n" + yencoded(data, 20) + b"=yend size=9\n"
    ),
    max_size=12,
).map(b"".join)


@given(BINARIES, SIZES, st.integers(1, 90))
def test_files_inside_a_text_are_emptied(data: bytes, size: WindowSize, block: int) -> None:
    """As in a text that is read whole, wherever blocks and windows end."""
    assert same(rows(data, size, block), expected(decode(without_binaries(data)).text, size))


@given(TEXTS, SIZES, st.integers(1, 50), st.sampled_from(["", "utf-8", "utf-16-be"]))
def test_a_window_lies_where_it_is_said_to_lie(text: str, size: WindowSize, block: int, mark: str) -> None:
    """Its octets are those of the file, and decode to its text; all that windows own is the file."""
    data = MARKS[mark] + text.encode(mark) if mark else text.encode()
    found = [item for item in read(data, size, block) if isinstance(item, Document)]
    for item in found:
        ((part,),) = [report.message.parts for report in glean([item], Options())]
        assert part.decoding
        octets = data[item.origin.offset : item.origin.offset + item.origin.length]
        assert octets[part.decoding.start : part.decoding.end] == item.data
        assert rewriting.decoded(octets, part.decoding) == part.text
    assert "".join(map(own_text, found)) == text
    assert sum(item.size for item in found) == len(data)


def test_where_files_were_emptied_the_places_are_those_of_the_file() -> None:
    """A window behind them lies as many octets later as they had lost."""
    before, after = b"a line before it\n" * 100, b"a line behind it\n" * 1000
    data = before + b"begin 644 x\n" + uuencoded(bytes(9000)) + b"`\nend\n" + after
    found = [item for item in read(data, WindowSize(own=2000, margin=100)) if isinstance(item, Document)]
    *_, last = found
    assert last.offset > len(before) + 9000
    assert data[last.offset : last.offset + len(last.data)] == last.data
    assert last.stretch
    assert last.stretch.octets == len(last.data)
    assert sum(len(item.data) < item.stretch.octets for item in found if item.stretch) >= 1


def long_text(count: int = 3000) -> str:
    """A text of some windows of `SMALL`."""
    return "".join(f"line {n}: see http://www.example.org/{n}/ \u00fc and more\n" for n in range(count))


SMALL = WindowSize(own=20_000, margin=2 * GRID)


def scanned_rows(path: Path, how: RunOptions) -> tuple[list[dict[str, Any]], list[Any]]:
    """The rows, and the counts of each chunk, of a scan with small windows."""
    task = ScanTask("jsonl", Options(bounds=Bounds(window=SMALL)))
    results = list(scanned([str(path)], task, how))
    return [json.loads(line) for each in results for line in each.rows.splitlines()], [each.tally for each in results]


@pytest.mark.parametrize("packed", ["", "gzip", "tar", "zip"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_long_file_is_one_text(tmp_path: Path, packed: str, jobs: int) -> None:
    """In its counts; its windows are shared by workers, in order."""
    data = long_text().encode()
    path = tmp_path / "notes.txt"
    path.write_bytes({"": data, "gzip": gzip.compress(data)}.get(packed, b""))
    if packed == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a/notes", data)
    elif packed == "tar":
        with tarfile.open(path, "w") as tar:
            info = tarfile.TarInfo("a/notes")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    found, tallies = scanned_rows(path, RunOptions(jobs=jobs, chunk=1, alone=0))
    assert len(tallies) > 5
    assert [row["url"] for row in found] == [f"http://www.example.org/{n}/" for n in range(3000)]
    assert [row["line"] for row in found] == list(range(1, 3001))
    text = data.decode()
    assert all(text[row["start"] : row["end"]] == row["url"] for row in found)
    assert [sum(getattr(each, name) for each in tallies) for name in ("files", "texts", "parts", "bytes")] == [
        *(1, 1, 1),
        len(data),
    ]


def test_a_run_goes_on_at_any_window(tmp_path: Path) -> None:
    """Each position is the start of the rows behind it."""
    path = tmp_path / "notes.txt"
    path.write_text(long_text())
    task = ScanTask("jsonl", Options(bounds=Bounds(window=SMALL)))
    results = list(scanned([str(path)], task, RunOptions(chunk=1)))
    for n, result in enumerate(results):
        assert result.end is not None
        rest = scanned([str(path)], task, RunOptions(chunk=1, start=(result.end,)))
        assert b"".join(each.rows for each in rest) == b"".join(each.rows for each in results[n + 1 :])


def test_standard_input_and_show_read_windows_too(tmp_path: Path) -> None:
    """By the command itself, in windows of the default size."""
    text = long_text(30_000)
    path = tmp_path / "notes.txt"
    path.write_text(text)
    runner = CliRunner()
    by_name = runner.invoke(main, ["scan", "--format", "jsonl", "--jobs", "1", str(path)])
    by_pipe = runner.invoke(main, ["scan", "--format", "jsonl", "--jobs", "1", "-"], input=text.encode())
    assert len(by_name.stdout.splitlines()) == 30_000
    assert by_name.stdout.replace(json.dumps(str(path)), '"-"') == by_pipe.stdout
    shown = runner.invoke(main, ["show", str(path)]).stdout
    for n in (1, 15_000, 29_999):
        assert shown.count(f"line {n}: see \u27e6{n + 1} http://www.example.org/{n}/\u27e7 \u00fc and more\n") == 1
        assert f"[{n + 1}] http://www.example.org/{n}/\n    found      line {n + 1}, bare, plain" in shown


def test_the_library_reads_windows_too() -> None:
    """The spans of a finding are those of its part, its row has those of the file."""
    data = long_text(30_000).encode()
    found = list(scan(data))
    assert [each.line for each in found] == list(range(1, 30_001))
    assert found[0].part is not found[-1].part
    text = data.decode()
    for each in found:
        span, row = each.finding.span, each.to_dict()
        assert each.part.text[span.start : span.end] == row["url"] == text[row["start"] : row["end"]]


def test_a_run_without_a_break_is_cut_and_told() -> None:
    """Where nothing else ends a window; what is read of a URL is found, up to there."""
    url = "data:," + "x" * (3 * GRID)
    data = (url + " http://a.example/ \n" * 20).encode()
    size = WindowSize(own=50, margin=20, run=2 * GRID)
    *documents, trouble = read(data, size)
    assert len(documents) > 3
    assert trouble == Trouble("file", f"a URL may have been cut after {2 * GRID:,} characters without a break")
    assert [row["url"] for row in rows(data, size)] == [url[: 2 * GRID], *["http://a.example/"] * 20]
    assert [row["url"] for row in rows(data, WindowSize(own=50, margin=20))] == [url, *["http://a.example/"] * 20]
