"""Files that urlglean has written are recognised by their first bytes and left out of later scans."""

from __future__ import annotations

import gzip
import io
import json
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from unframing import taken_out
from urlglean.cli import main
from urlglean.output import FORMATS, jsonl
from urlglean.output.files import part_of
from urlglean.records import Document, Trouble
from urlglean.sources import Item, Skipped, detect
from urlglean.sources.streams import Stream

TEXT = 'see http://a.example/"quoted",http://b.example/ or <URL:http://:x/>\nand http://a.example/\n'
TOLD = {"jsonl": "urlglean's own output", "csv": "urlglean's own output", "sqlite": "urlglean's own output"}
TOLD["tsv"] = "urlglean's own output"
TOLD["parquet"] = "a Parquet file"


def taken_for(data: bytes) -> Item:
    """The kind as which a file with these bytes is read."""
    *_, found = taken_out(detect.read(Stream("file", io.BytesIO(data).read1)))
    return found


def written(folder: Path, form: str, text: str) -> Path:
    """The file of rows from a scan of a text."""
    rows = folder / f"rows{FORMATS[form].endings[0]}"
    CliRunner().invoke(main, ["scan", "-", "-o", str(rows)], input=text)
    return rows


@pytest.mark.parametrize("form", TOLD)
@pytest.mark.parametrize("text", [TEXT, TEXT * 2000, "nothing\n"], ids=["few", "many", "none"])
def test_files_of_rows_are_recognised(tmp_path: Path, form: str, text: str) -> None:
    """This holds for each format but `text` and `urls`, whole, compressed, and without rows."""
    data = written(tmp_path, form, text).read_bytes()
    cause = TOLD[form] if data else "empty"
    assert taken_for(data) == Skipped("file", cause)
    assert taken_for(gzip.compress(data)) == Skipped("file", cause)


def test_every_format_but_text_and_urls_is_recognised() -> None:
    """A new format must say how its files are recognised; a list of URLs is an ordinary text."""
    assert set(TOLD) == set(FORMATS) - {"text", "urls"}


@pytest.mark.parametrize("form", [form for form in TOLD if FORMATS[form].file])
def test_the_part_file_of_an_interrupted_run_is_recognised(tmp_path: Path, form: str) -> None:
    """It holds the rows so far. Part files of line formats begin as the whole file does."""
    lines, rows = written(tmp_path, "jsonl", TEXT).read_bytes(), tmp_path / "rows"
    make = FORMATS[form].file
    assert make is not None
    with suppress(KeyboardInterrupt), make(rows) as sink:
        sink.write(b"" if FORMATS[form].of_documents else lines)
        raise KeyboardInterrupt
    assert taken_for(part_of(rows).read_bytes()) == Skipped("file", TOLD[form])


def test_a_parquet_file_without_a_page_is_recognised() -> None:
    """A killed run leaves such a file."""
    assert taken_for(b"PAR1") == Skipped("file", "a Parquet file")


def test_rejects_errors_and_the_journal_are_recognised(tmp_path: Path) -> None:
    """They are JSON lines in every format of rows."""
    rejects, errors = tmp_path / "rejects", tmp_path / "errors"
    CliRunner().invoke(
        main, ["scan", "-", str(tmp_path / "none"), "--rejects", str(rejects), "--errors", str(errors)], input=TEXT
    )
    for path in (rejects, errors):
        assert json.loads(path.read_bytes().splitlines()[0])
        assert taken_for(path.read_bytes()) == Skipped("file", "urlglean's own output")
    journal = b'{"urlglean": "0.1.0", "paths": ["mail"], "task": {}}\n{'
    assert taken_for(journal) == Skipped("file", "urlglean's own output")


LONG = "%41" * 100_000
"""More than is looked at to tell other files."""


@pytest.mark.parametrize("form", ["jsonl", "csv", "tsv", "sqlite", "parquet"])
@pytest.mark.parametrize("url", [f"http://a.example/{LONG}", f"http://{'a' * 300_000}.example/"])
def test_rows_are_told_however_long_the_first_one_is(tmp_path: Path, form: str, url: str) -> None:
    """Its URL, or its host too; rejects and verdicts as well."""
    rejects = tmp_path / "rejects"
    CliRunner().invoke(main, ["scan", "-", "--rejects", str(rejects)], input=f"<URL:http://:x/{LONG}\\\\>\n")
    verdict = CliRunner().invoke(main, ["check", url, "--format", "jsonl"]).stdout_bytes
    for data in (written(tmp_path, form, f"<URL:{url}>\n").read_bytes(), rejects.read_bytes(), verdict):
        assert len(data) > 100_000 or form in {"sqlite", "parquet"}
        assert taken_for(data) == Skipped("file", TOLD[form] if data[:4] == b"PAR1" else TOLD["jsonl"])


def test_errors_are_told_however_long_a_name_is() -> None:
    """Each of its characters may take six bytes, and archives lie in archives."""
    name = "\x01" * 4096
    trouble = Trouble("a.zip", "cut", "/".join([name] * 6), 1)
    assert taken_for(jsonl.trouble_line(trouble) * 2) == Skipped("file", TOLD["jsonl"])


@pytest.mark.parametrize(
    "text",
    [
        b'{"url":"http://a.example/%b","title":"A"}\n' % LONG.encode(),
        b'{"url":"http://a.example/%b' % LONG.encode(),
        b'{"path":"%b","href":"http://a.example/"}\n' % LONG.encode(),
        b'{"url":"http://a.example/","see":[%b]}\n' % b",".join([b'"http://b.example/"'] * 10_000),
        b'{"url":"%b' % (b'a\\"' * 10_000_000),
    ],
    ids=["other key", "cut off", "path", "short", "longer than all"],
)
def test_what_begins_with_a_long_value_of_others_is_text(text: bytes) -> None:
    """All of it: what was looked at is read again."""
    found = detect.read(Stream("file", io.BytesIO(text).read1))
    assert b"".join(item.data for item in found if isinstance(item, Document))[: len(text)].startswith(text[:500_000])


@pytest.mark.parametrize(
    "text",
    [
        b"PAR1 is a form of parity files, see http://a.example/\n",
        b'"url","scheme" and "host" are columns, see http://a.example/\n',
        b'"url","title"\n"http://a.example/","A"\n',
        b'{"url":"http://a.example/","title":"A"}\n',
        b'{"path":"/a","href":"http://a.example/"}\n',
        b'{"path":"/a","note":"cause","see":"http://a.example/"}\n',
        # A crawler or a logger may write lines with some of the same keys.
        b'{"path":"/var/x","cause":"GET http://a.example/ failed"}\n',
        b'{"path":"/var/x","status":404,"cause":"http://a.example/"}\n',
        b'{"url":"http://a.example/","scheme":"http","title":"x"}\n',
        b'{"urlglean": "my notes", "see":"http://a.example/"}\n',
        b"url,scheme,host,wrapper,certainty,note\nhttp://a.example/,http,a.example,x,y,z\n",
    ],
)
def test_similar_files_of_others_are_text(text: bytes) -> None:
    """Tables and JSON of others may hold URLs."""
    assert taken_for(text) == Document("file", text, "text")


def test_other_databases_are_left_out_as_such(tmp_path: Path) -> None:
    """Only a database of findings is reported as our own."""
    data = bytearray(written(tmp_path, "sqlite", TEXT).read_bytes())
    data[68:72] = bytes(4)  # the application's id, https://www.sqlite.org/fileformat2.html 1.3
    assert taken_for(bytes(data)) == Skipped("file", "a database")


def test_a_folder_with_rows_is_scanned_anew(tmp_path: Path) -> None:
    """The rows of earlier scans give no URLs, and are counted as left out."""
    for form in TOLD:
        written(tmp_path, form, TEXT)
    result = CliRunner().invoke(main, ["scan", str(tmp_path)])
    assert (result.exit_code, result.stdout) == (1, "")
    assert f" {len(TOLD)} left out" in result.stderr


def test_the_marks_of_a_text_are_not_read_beside_it() -> None:
    """Otherwise each URL of the corpus would be found twice."""
    for marks in sorted((Path(__file__).parent.parent / "corpus" / "texts").glob("*.jsonl"))[:20]:
        assert taken_for(marks.read_bytes()) == Skipped("file", "urlglean's own output")
