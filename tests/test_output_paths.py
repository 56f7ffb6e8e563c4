"""A path in a row finds its file again, whatever octets its name has; and no cell of safe CSV is a formula."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote_to_bytes
from zlib import crc32

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from journals import with_sums
from urlglean.cli import main
from urlglean.columns import COLUMNS
from urlglean.occurrence import Occurrence
from urlglean.output import csv_lines, jsonl
from urlglean.output.file_names import as_octets, as_text, file_name
from urlglean.records import Envelope, Origin, Span, TextPart
from urlglean.text.finding import Finding

MAIL = b"From: a@b.example\nSubject: one\n\nhttp://a.example/\n"
NAMES = [
    b"caf\xe9.txt",
    b"\xff\xfe\x80",
    b"%E9 100%.txt",
    "caf\u00e9.txt".encode(),
    "\u6f22\u5b57 \U0001f600".encode(),
    b"caf\xc3\xa9 \xe9",
    b"file:",
    b"back\\slash \xe9",
    b"a#b?c \xe9",
    b"line\nend \xe9",
]


def from_uri(path: str) -> bytes:
    """The path that a table's `path` names, decoded as docs/rows.md says."""
    return unquote_to_bytes(path.removeprefix("file://")) if path.startswith("file://") else path.encode()


def from_jsonl(rows: Path) -> Iterator[bytes]:
    """The path in a line of JSON, decoded by PEP 383."""
    return (os.fsencode(json.loads(line)["path"]) for line in rows.read_bytes().splitlines())


def from_csv(rows: Path) -> Iterator[bytes]:
    """The path in CSV, decoded by RFC 4180 and RFC 8089."""
    with rows.open(encoding="utf-8", newline="") as file:
        yield from [from_uri(row["path"]) for row in csv.DictReader(file, strict=True)]


def from_sqlite(rows: Path) -> Iterator[bytes]:
    """The path in SQLite, decoded by RFC 8089."""
    with closing(sqlite3.connect(rows)) as connection:
        yield from [from_uri(path) for (path,) in connection.execute("SELECT path FROM places ORDER BY id")]


def from_parquet(rows: Path) -> Iterator[bytes]:
    """The path in Parquet, decoded by RFC 8089."""
    table = pytest.importorskip("pyarrow.parquet").read_table(rows)
    return map(from_uri, table.column("path").to_pylist())


READERS = {"rows.jsonl": from_jsonl, "rows.csv": from_csv, "rows.db": from_sqlite, "rows.parquet": from_parquet}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a text of each name, inside one whose own name is not UTF-8."""
    monkeypatch.chdir(tmp_path)
    inside = os.path.join(os.fsencode(tmp_path), b"in \xfc")  # noqa: PTH118  octets have no Path
    try:
        os.mkdir(inside)  # noqa: PTH102
        for number, name in enumerate(NAMES):
            Path(os.fsdecode(os.path.join(inside, name))).write_text(f"http://{number}.example/\n")  # noqa: PTH118
    except OSError:
        pytest.skip("this file system does not accept such names")
    return tmp_path


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("given_as", ["absolute", "relative"])
def test_the_path_of_a_row_opens_its_file(folder: Path, name: str, given_as: str) -> None:
    """Each format has its own way to write such a path."""
    inside = os.fsdecode(b"in \xfc")
    path = str(folder / inside) if given_as == "absolute" else inside
    rows = folder / name
    assert CliRunner().invoke(main, ["scan", path, "-o", str(rows)]).exit_code == 0
    found = list(READERS[name](rows))
    assert len(found) == len(NAMES)
    read = []
    for each in found:
        with open(each) as file:  # noqa: PTH123  octets have no Path
            read.append(file.read())
    assert sorted(read) == sorted(f"http://{number}.example/\n" for number in range(len(NAMES)))


def test_lines_for_people_show_each_octet(folder: Path) -> None:
    """It is shown as an escape, from which a reader can tell the octet."""
    rows = folder / "rows.txt"
    CliRunner().invoke(main, ["scan", os.fsdecode(b"in \xfc"), "-o", str(rows)])
    line = next(line for line in rows.read_text().splitlines() if "//0.example" in line)
    shown = line.partition(":1: ")[0]
    assert shown == r"in \udcfc/caf\udce9.txt"
    with open(re.sub(r"\\(udc[0-9a-f]{2})", lambda found: chr(int(found[1][1:], 16)), shown)) as file:  # noqa: PTH123
        assert file.read() == "http://0.example/\n"


def test_errors_name_the_file_too(folder: Path) -> None:
    """A user first looks for the file that could not be read."""
    errors = folder / "errors"
    (folder / os.fsdecode(b"in \xfc") / os.fsdecode(b"gone\xe9")).symlink_to("nowhere")
    CliRunner().invoke(main, ["scan", os.fsdecode(b"in \xfc"), "--errors", str(errors)])
    (error,) = map(json.loads, errors.read_bytes().splitlines())
    assert os.readlink(os.fsencode(error["path"])) == b"nowhere"  # noqa: PTH115


@given(st.binary(max_size=9).map(lambda octets: octets.replace(b"\0", b"")))
def test_any_octets_come_back(octets: bytes) -> None:
    """The path is absolute, because a file URI is (RFC 8089 2)."""
    path = os.fsdecode(b"/x" + octets.replace(b"/", b"").replace(b".", b""))
    assert from_uri(as_text(path)) == os.fsencode(path)
    assert as_text(path).isascii() or as_text(path) == path


def test_a_path_that_looks_like_a_uri_is_written_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it would be decoded wrongly. What is no file here is one by that URI."""
    monkeypatch.chdir(tmp_path)
    assert from_uri(as_text("file:///x %20y")) == b"/x %20y"
    Path("file:").mkdir()
    Path("file:/x").touch()
    there = os.path.abspath("file:///x")  # noqa: PTH100
    assert from_uri(as_text("file:///x")) == os.fsencode(there)


def test_a_file_by_its_uri_is_found_by_its_row(tmp_path: Path) -> None:
    """Its path is such a URI too."""
    pytest.importorskip("fsspec")
    (tmp_path / "a b").write_text("http://h.example/\n")
    result = CliRunner().invoke(main, ["scan", f"file://{tmp_path}", "--format", "tsv"])
    header, row = (line.split("\t") for line in result.stdout.splitlines())
    assert from_uri(dict(zip(header, row, strict=True))["path"]) == os.fsencode(tmp_path / "a b")


FORMULAS = st.sampled_from(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＠A"])
OTHERS = st.sampled_from(["", "a=1", "'=1", " =1", "1", "‐1", '"=1"'])


def occurrence(url: str, subject: str) -> Occurrence:
    """An occurrence with these values."""
    span = Span(0, 0)
    finding = Finding(url, span, "bare", (), (), (), "plain", 0.5, valid=True, problems=(), dialect="current")
    return Occurrence(finding, 1, TextPart(""), Envelope(subject=subject), Origin("-p", None, 0, 0, None))


def cells(lines: Callable[[list[Occurrence]], list[bytes]], url: str, subject: str) -> dict[str, str]:
    """The cells of one record, by column."""
    (line,) = lines([occurrence(url, subject)])
    (record,) = csv.reader([line.decode()], strict=True)
    return dict(zip([column.name for column in COLUMNS], record, strict=True))


@given(FORMULAS | OTHERS, FORMULAS | OTHERS)
def test_no_cell_of_safe_csv_is_a_formula(url: str, subject: str) -> None:
    """Such a cell gets an apostrophe. All other cells, and all cells without the option, are unchanged."""
    plain, safe = cells(csv_lines.lines, url, subject), cells(csv_lines.safe_lines, url, subject)
    assert (plain["url"], plain["subject"], plain["path"]) == (url, subject, "-p")
    for name, cell in plain.items():
        dangerous = cell[:1] in set("=+-@\t\r\n＝＋－＠")
        assert safe[name] == (f"'{cell}" if dangerous else cell)


def scan(*arguments: object) -> Result:
    """Runs the command in this process."""
    return CliRunner().invoke(main, ["scan", *map(str, arguments)])


def test_the_command_writes_safe_cells_and_knows_them_again(tmp_path: Path) -> None:
    """The mail has a formula as its subject. A file of safe cells is recognised as our own, like other rows."""
    mail, rows, safe = tmp_path / "mail", tmp_path / "rows.csv", tmp_path / "safe.csv"
    mail.write_text("From: a@b.example\nSubject: =HYPERLINK(1)\n\nhttp://a.example/\n")
    assert scan(mail, "-o", rows).exit_code == 0
    assert scan(mail, "-o", safe, "--csv-safe").exit_code == 0
    assert b'"=HYPERLINK(1)"' in rows.read_bytes()
    assert safe.read_bytes() == rows.read_bytes().replace(b'"=HYPERLINK(1)"', b'"\'=HYPERLINK(1)"')
    again = scan(tmp_path, "--format", "csv", "--csv-safe")
    assert again.stdout.count("http://a.example/") == 1
    assert ", 2 left out, " in again.stderr


@pytest.mark.parametrize("option", ["-o", "--rejects", "--errors"])
@pytest.mark.parametrize(
    "octets", [MAIL, gzip.compress(MAIL, mtime=0), b"From a@b Mon Mar  3 10:00:00 1997\n" + MAIL, bytes(9)]
)
def test_no_mailbox_is_replaced(tmp_path: Path, option: str, octets: bytes) -> None:
    """An option without its value takes the next path, here a mailbox that is not read, for the file to write."""
    mail, inbox = tmp_path / "mail", tmp_path / "inbox"
    mail.write_bytes(MAIL)
    inbox.write_bytes(octets)
    refused = scan(mail, "--format", "jsonl", option, inbox)
    assert refused.exit_code == 2
    assert f"{inbox} is not replaced" in refused.stderr
    assert inbox.read_bytes() == octets


@pytest.mark.parametrize("command", [("catalog", "a.db", "mail", "--errors"), ("report", "a.db", "-o")])
def test_no_command_replaces_a_mailbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """The troubles of a catalogue, and a page about it, replace their earlier ones but no mail."""
    monkeypatch.chdir(tmp_path)
    for name in ("mail", "inbox"):
        Path(name).write_bytes(MAIL)
    assert CliRunner().invoke(main, ["catalog", "a.db", "mail"]).exit_code == 0
    refused = CliRunner().invoke(main, [*command, "inbox"])
    assert refused.exit_code == 2
    assert "inbox is not replaced" in refused.stderr
    assert Path("inbox").read_bytes() == MAIL
    for _ in range(2):
        assert CliRunner().invoke(main, [*command, "made"]).exit_code == 0


def test_rows_that_begin_like_a_header_are_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines for people begin with the path, here with the name of a field."""
    monkeypatch.chdir(tmp_path)
    Path("Subject").write_bytes(MAIL)
    for _ in range(2):
        assert scan("Subject", "-o", "rows.txt").exit_code == 0
    assert Path("rows.txt").read_bytes().startswith(b"Subject:1: http://a.example/")


@pytest.mark.parametrize("name", ["rows.txt", "rows.jsonl", "rows.csv", "rows.tsv.gz", "rows.db", "rows.parquet"])
def test_rows_are_replaced(tmp_path: Path, name: str) -> None:
    """The second of two equal scans writes its rows as the first one did; so does one where a text was."""
    mail, rows = tmp_path / "mail", tmp_path / name
    mail.write_bytes(MAIL)
    for _ in range(2):
        assert scan(mail, "-o", rows, "--errors", tmp_path / "errors").exit_code == 0
    rows.write_text("Dear reader, this is no row.\n")
    assert scan(mail, "-o", rows).exit_code == 0


@pytest.mark.parametrize("form", ["text", "urls", "jsonl", "sqlite"])
def test_other_formats_refuse_csv_safe(tmp_path: Path, form: str) -> None:
    """The option would have no effect."""
    refused = scan(tmp_path, "--format", form, "--csv-safe", "-o", tmp_path / "rows")
    assert refused.exit_code == 2
    assert "--csv-safe is for --format csv" in refused.stderr


def test_a_run_is_resumed_with_the_same_cells(tmp_path: Path) -> None:
    """A file with both kinds of cells would mislead."""
    from urlglean.pipeline.inputs import Position  # noqa: PLC0415
    from urlglean.pipeline.journal import journal_of  # noqa: PLC0415
    from urlglean.pipeline.journal_lines import Run, State, _encoded  # noqa: PLC0415
    from urlglean.pipeline.results import Tally  # noqa: PLC0415
    from urlglean.pipeline.scan_task import ScanTask  # noqa: PLC0415

    rows = tmp_path / "rows.csv"
    Path(f"{rows}.part").write_text("x\n")
    begun = Run.of([str(tmp_path)], ScanTask("csv"), {"rows": rows})
    lines = (begun, State(Position(), (2,), (crc32(b"x\n"),), Tally()))
    journal_of(rows).write_bytes(with_sums(b"".join(_encoded(line) + b"\n" for line in lines)))
    refused = scan(tmp_path, "-o", rows, "--csv-safe", "--resume")
    assert refused.exit_code == 2
    assert "begun with --csv-safe off, now on: " in refused.stderr


def test_table_lines_are_utf_8() -> None:
    """Any path gives UTF-8, because the readers of these lines accept nothing else."""
    one = occurrence("http://a.example/", "x")
    for path in ("a\udc80", "a\ud800", "a\udc80\ud800"):
        (line,) = jsonl.table_lines(
            [Occurrence(one.finding, 1, one.part, one.envelope, Origin(path, None, 0, 0, None))]
        )
        assert json.loads(line)["path"].encode()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("form", ["sqlite", "parquet"])
def test_a_pipe_is_not_replaced_by_a_database(tmp_path: Path, form: str) -> None:
    """A database needs a regular file; a device or pipe with that name remains."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "in").write_text("http://a.example/\n")
    result = scan(tmp_path / "in", "-o", pipe, "--format", form)
    assert result.exit_code == 2
    assert f"is no regular file, which {form} needs" in result.stderr
    assert pipe.is_fifo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "pipe"]


@pytest.mark.parametrize("octets", [b"in/caf\xe9", "in/café".encode(), b"in/cafe"])
def test_a_name_is_the_same_text_in_every_locale(octets: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the locale is not UTF-8, Python decodes other octets to the same letters."""
    expected = file_name(os.fsdecode(octets)), as_text(os.fsdecode(octets))
    monkeypatch.setattr(os, "fsencode", lambda path: path.encode("latin-1", "surrogateescape"))
    assert (file_name(octets.decode("latin-1")), as_text(octets.decode("latin-1"))) == expected
    assert as_octets(expected[1]).endswith(octets)


def test_the_working_folder_is_the_same_text_in_every_locale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name, too, is decoded by the locale, where a relative path becomes a whole one."""
    (tmp_path / "café").mkdir()
    monkeypatch.chdir(tmp_path / "café")
    folder = os.fsencode(tmp_path / "café")
    monkeypatch.setattr(os, "getcwd", lambda: folder.decode("latin-1"))
    monkeypatch.setattr(os, "fsencode", lambda path: path.encode("latin-1", "surrogateescape"))
    monkeypatch.setattr(os, "fsdecode", lambda path: path.decode("latin-1", "surrogateescape"))
    assert as_octets(as_text("caf\xe9")) == folder + b"/caf\xe9"


def test_a_path_that_the_locale_cannot_encode_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no name of a file here, but of something on another machine."""
    monkeypatch.setattr(os, "fsencode", lambda path: path.encode("latin-1", "surrogateescape"))
    assert file_name("memory://\u4e2d\ud800") == "memory://\u4e2d\ufffd"
