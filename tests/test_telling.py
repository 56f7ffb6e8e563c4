"""`--unique`, `--count` and `--quiet`: each URL once, only numbers, no messages."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from urlglean.cli import main
from urlglean.pipeline import run as pipeline_run
from urlglean.pipeline.options import Options
from urlglean.pipeline.results import ChunkResult, RowKey, Tally
from urlglean.pipeline.rows_of import first_of_each_url
from urlglean.pipeline.run import RunOptions, scanned
from urlglean.pipeline.scan_task import ScanTask


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with three texts and an archive, which repeat URLs within and between them; one has none."""
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "1.txt").write_text("http://a.example/ http://b.example/ <URL:http://a.example/>\n")
    (folder / "2.txt").write_text("nothing\n")
    (folder / "3.txt").write_text("http://b.example/ http://a.example/2|3 http://A.example/\n")
    with zipfile.ZipFile(folder / "4.zip", "w") as archive:
        archive.writestr("a", "http://a.example/2|3 http://c.example/\n")
        archive.writestr("b", "http://c.example/ http://d.example/\n")
    return folder


def run(*arguments: object, stdin: str = "") -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["scan", *map(str, arguments)], input=stdin)


FIRST = ["http://a.example/", "http://b.example/", "http://a.example/2|3", "http://A.example/"]
FIRST += ["http://c.example/", "http://d.example/"]


@pytest.mark.parametrize("name", ["text", "urls", "jsonl", "csv", "parquet"])
def test_each_url_has_one_row_in_every_format(tree: Path, tmp_path: Path, name: str) -> None:
    """That of its first place, in order. URLs are the same if they are letter by letter."""
    out = tmp_path / "rows"
    done = run("--unique", "--format", name, "-o", out, tree)
    assert done.exit_code == 0
    assert done.stderr.startswith("urlglean: 5 URLs, 1 more not valid by current, 4 more seen before, rejects not ")
    if name == "parquet":
        import pyarrow.parquet  # noqa: PLC0415  a format of few tests

        assert pyarrow.parquet.read_table(out)["url"].to_pylist() == FIRST
        return
    rows = out.read_text().splitlines()[name == "csv" :]
    assert len(rows) == len(FIRST)
    if name == "urls":
        assert rows == FIRST
    if name == "jsonl":
        assert [json.loads(row)["url"] for row in rows] == FIRST


def test_workers_send_what_tells_rows_apart(tree: Path) -> None:
    """The process that writes sees all rows in order, whoever made them."""
    task = ScanTask("csv", Options(), unique=True)
    alone, shared, split = (
        b"".join(result.rows for result in scanned([str(tree)] * 2, task, how))
        for how in (RunOptions(), RunOptions(jobs=2, chunk=0, alone=0), RunOptions(jobs=2, chunk=1, alone=0))
    )
    assert alone == shared == split
    assert alone.count(b"\n") == len(FIRST)


@given(st.lists(st.lists(st.tuples(st.sampled_from("abcde"), st.integers(0, 3), st.booleans()))))
def test_rows_are_cut_where_they_end(chunks: list[list[tuple[str, int, bool]]]) -> None:
    """Whatever is in them, line ends too: their lengths say where."""
    results = [
        ChunkResult(
            b"".join(f"{name}\n{'x' * more}".encode() for name, more, _ in chunk),
            b"",
            [],
            Tally(findings=sum(valid for *_, valid in chunk), raw=sum(not valid for *_, valid in chunk)),
            keys=[RowKey("p", name.encode(), 2 + more, valid) for name, more, valid in chunk],
        )
        for chunk in chunks
    ]
    flat = [each for chunk in chunks for each in chunk]
    first = list({name: (name, more, valid) for name, more, valid in reversed(flat)}.values())
    first = sorted(first, key=lambda each: [name for name, *_ in flat].index(each[0]))
    kept = list(first_of_each_url(results))
    assert b"".join(each.rows for each in kept).decode() == "".join(f"{name}\n{'x' * more}" for name, more, _ in first)
    total = Tally()
    for each in kept:
        total.add(each.tally)
    assert total.findings == sum(valid for *_, valid in first)
    assert total.findings + total.raw + total.repeated == len(flat)


def test_rejects_are_not_made_unique(tmp_path: Path) -> None:
    """They are no URLs."""
    text, rejects = tmp_path / "a.txt", tmp_path / "rejects"
    text.write_text("<URL:http://:x/>\n<URL:http://:x/>\nhttp://a.example/\n")
    run("--unique", "--rejects", rejects, text)
    assert rejects.read_text().count("\n") == 2


def test_numbers_are_those_of_rows_file_by_file(tree: Path) -> None:
    """As grep counts: zero too. An archive is one file."""
    done = run("--count", tree)
    assert done.stdout == f"{tree}/1.txt:3\n{tree}/2.txt:0\n{tree}/3.txt:3\n{tree}/4.zip:4\n"
    assert done.exit_code == 0
    assert done.stderr.startswith("urlglean: 8 URLs, 2 more not valid by current, ")


def test_numbers_may_be_those_of_urls_not_seen_before(tree: Path) -> None:
    """With `--unique`."""
    assert (
        run("--count", "--unique", tree).stdout == f"{tree}/1.txt:2\n{tree}/2.txt:0\n{tree}/3.txt:2\n{tree}/4.zip:2\n"
    )


def test_numbers_are_those_of_what_is_wanted(tree: Path) -> None:
    """Files without it have zero."""
    counted = run("--count", "--host", "a.example", tree).stdout
    assert [line.rpartition(":")[2] for line in counted.splitlines()] == ["2", "0", "2", "1"]


def test_stdin_has_a_number_and_no_name() -> None:
    """As for grep; unless it was given one."""
    assert run("--count", stdin="http://a.example/\n").stdout == "1\n"
    assert run("--count", "--stdin-name", "in", stdin="http://a.example/\n").stdout == "in:1\n"
    none = run("--count", stdin="nothing\n")
    assert (none.stdout, none.exit_code) == ("0\n", 1)


@pytest.mark.parametrize(
    "how",
    [
        RunOptions(chunk=0),
        RunOptions(chunk=1 << 12),
        RunOptions(jobs=2, chunk=0, alone=0),
        RunOptions(jobs=2, chunk=1 << 5, alone=0),  # in splits
    ],
)
def test_a_file_may_come_in_several_results(tmp_path: Path, how: RunOptions) -> None:
    """A mailbox is cut into chunks; its number is that of all of them."""
    message = "From a@b.example Mon Jan  3 10:00:00 1994\nFrom: a@b.example\n\nhttp://a.example/ http://b.example/\n\n"
    for name in ("a", "b"):
        (tmp_path / name).write_text(message * 50)
    task = ScanTask("urls", count=True)
    rows = b"".join(result.rows for result in scanned([str(tmp_path)], task, how))
    assert rows.decode() == f"{tmp_path}/a:100\n{tmp_path}/b:100\n"


def test_the_name_of_a_counted_file_is_harmless(tmp_path: Path) -> None:
    """No control character reaches a terminal."""
    (tmp_path / "a\x1b[2J").write_text("http://a.example/\n")
    assert run("--count", tmp_path).stdout == f"{tmp_path}/a\\x1b[2J:1\n"


def test_a_quiet_scan_prints_rows_only(tree: Path, tmp_path: Path) -> None:
    """Its exit status says how it went, as without the option."""
    (tree / "lost").symlink_to("nowhere")
    loud, quiet = run(tree), run("-q", tree)
    assert (quiet.stdout, quiet.stderr, quiet.exit_code) == (loud.stdout, "", 2)
    assert "lost" in loud.stderr
    assert run("--quiet", tree / "2.txt").exit_code == 1
    errors = tmp_path / "errors"
    assert run("-q", "--errors", errors, tree).stderr == ""
    assert "lost" in errors.read_text()


def test_a_quiet_scan_still_says_why_it_did_not_begin(tree: Path, tmp_path: Path) -> None:
    """Wrong use, and what cannot be written, are no messages about the input."""
    assert "Error: " in run("-q", "--format", "parquet", tree).stderr
    assert "no such folder" in run("-q", "-o", tmp_path / "none" / "rows", tree).stderr


@pytest.mark.parametrize(
    "options",
    [
        "--count --format jsonl",
        "--count -o rows.txt",
        "--count --csv-safe",
        "--unique --resume -o rows.txt",
        "--unique -o rows.db",
        "-q -v",
    ],
)
def test_contradictions_are_refused(options: str, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read or written."""
    monkeypatch.chdir(tree)
    done = run(*options.split(), "1.txt")
    assert (done.exit_code, done.stdout) == (2, "")
    assert not list(tree.glob("rows*"))


def test_a_database_has_each_url_once_without_being_asked(tree: Path, tmp_path: Path) -> None:
    """That is why `--unique` is refused for it."""
    run("-o", tmp_path / "rows.db", tree)
    connection = sqlite3.connect(tmp_path / "rows.db")
    assert sorted(url for (url,) in connection.execute("SELECT url FROM urls")) == sorted(FIRST)
    connection.close()


def test_an_interrupted_unique_scan_begins_anew(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing says which URLs it has seen. So it does not offer `--resume`."""
    out, other = tmp_path / "rows.txt", tmp_path / "other.txt"
    real = pipeline_run.share_results

    def interrupted(*given: Any) -> Iterator[ChunkResult]:
        yield next(real(*given))
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(pipeline_run, "share_results", interrupted)
        done = run("--unique", "-o", out, tree)
        resumable = run("-o", other, tree)
    assert (done.exit_code, resumable.exit_code) == (130, 130)
    assert "--resume" in resumable.stderr
    assert "--resume" not in done.stderr
    assert run("--unique", "--overwrite", "-o", out, tree).exit_code == 0
    assert out.read_text().count("\n") == len(FIRST)


def test_what_is_not_written_is_told_to_who_wants_quiet(tmp_path: Path) -> None:
    """It is about the output, not about the input."""
    out = tmp_path / "rows.jsonl"
    result = CliRunner().invoke(main, ["scan", "-q", str(tmp_path / "none"), "-o", str(out)])
    assert (result.exit_code, result.stderr) == (2, f"urlglean: nothing could be read, so {out} is not written\n")
