"""What proves that a run may replace or delete a file: the look at it under the lock, and what the journal recorded."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from catalogues import catalog
from commands import run
from journals import change_records, with_sums, without_sums
from urlglean.output.files import part_of
from urlglean.pipeline import run as pipeline_run
from urlglean.pipeline.journal import journal_of
from urlglean.pipeline.results import ChunkResult
from urlglean.pipeline.scan_task import ScanTask

FORMATS = ["rows.jsonl", "rows.csv", "rows.txt", "rows.db", "rows.parquet"]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A text with a URL."""
    path = tmp_path / "notes"
    path.write_text("see http://a.example/1 here\n")
    return path


def interrupted(monkeypatch: pytest.MonkeyPatch, *asked: object) -> None:
    """Scan, with Ctrl-C before the end."""
    scanned = pipeline_run.scanned

    def broken_off(paths: tuple[str, ...], task: ScanTask, how: pipeline_run.RunOptions) -> Iterator[ChunkResult]:
        yield from scanned(paths, task, how)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("urlglean.cli.scan.scanned", broken_off)
        assert run(*asked).exit_code == 130


@pytest.mark.parametrize("name", FORMATS)
def test_what_another_run_makes_before_the_files_are_locked_is_not_replaced(
    notes: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A catalogue that was not there when the arguments were checked."""
    rows = notes.with_name(name)

    def checked(files: Iterable[Path]) -> None:
        assert list(files) == [rows]
        catalog(rows, notes)

    monkeypatch.setattr("urlglean.cli.scan.refuse_missing_folders", checked)
    refused = run("scan", notes, "-o", rows)
    assert refused.exit_code == 2
    assert f"{rows} is not replaced (its kind is catalogue)" in refused.stderr
    with closing(sqlite3.connect(rows)) as connection:
        assert connection.execute("SELECT count(*) FROM urls").fetchone() == (1,)


@pytest.mark.parametrize("more", [("--overwrite",), ("--resume",)])
@pytest.mark.parametrize("recorded", [(), (0,), (4,)])
def test_a_journal_alone_does_not_make_a_text_ours(
    notes: Path, more: tuple[str, ...], recorded: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is older than the part file, or forged: it tells of another file, or of other octets."""
    rows = notes.with_name("rows.urls")
    asked = ("scan", notes, "--format", "urls", "-o", rows)
    interrupted(monkeypatch, *asked)
    others = part_of(rows).with_name("others")
    others.write_text("half of a film")
    others.replace(part_of(rows))

    def forge(record: dict[str, Any]) -> None:
        if "position" in record:
            record["sizes"] = recorded

    lines = without_sums(journal_of(rows).read_bytes()).splitlines(keepends=True)
    kept = [line for line in lines if recorded or b'"position"' not in line]
    journal_of(rows).write_bytes(with_sums(b"".join(kept)))
    change_records(journal_of(rows), forge)
    journal = journal_of(rows).read_bytes()
    refused = run(*asked, *more)
    assert refused.exit_code == 2
    assert part_of(rows).read_text() == "half of a film"
    assert journal_of(rows).read_bytes() == journal


@pytest.mark.parametrize("more", [("--overwrite",), ("--resume",)])
@pytest.mark.parametrize("moved", [False, True])
def test_what_was_recorded_makes_a_text_ours(
    notes: Path,
    more: tuple[str, ...],
    moved: bool,  # noqa: FBT001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A copy of the files may be another file; without a record it must be the same."""
    rows = notes.with_name("rows.urls")
    asked = ("scan", notes, "--format", "urls", "-o", rows)
    interrupted(monkeypatch, *asked)
    if moved:
        copy = part_of(rows).with_name("copy")
        copy.write_bytes(part_of(rows).read_bytes())
        copy.replace(part_of(rows))
    else:
        lines = journal_of(rows).read_bytes().splitlines(keepends=True)
        journal_of(rows).write_bytes(b"".join(line for line in lines if b'"position"' not in line))
    assert run(*asked, *more).exit_code == 0
    assert rows.read_text() == "http://a.example/1\n"
