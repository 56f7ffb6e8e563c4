"""Whatever the command: two runs do not write one file at once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from catalogues import catalog
from commands import run
from urlglean.output.files import locked, only_writer, part_file, part_of

COMMANDS = {
    "rows": ("scan", "notes", "--format", "jsonl", "-o", "FILE"),
    "database": ("scan", "notes", "--format", "sqlite", "-o", "FILE"),
    "parquet": ("scan", "notes", "--format", "parquet", "-o", "FILE"),
    "rejects": ("scan", "notes", "--rejects", "FILE"),
    "errors": ("scan", "notes", "--errors", "FILE"),
    "errors of a catalogue": ("catalog", "other.db", "notes", "--errors", "FILE"),
    "catalogue": ("catalog", "FILE", "notes"),
    "settle": ("settle", "FILE"),
    "report": ("report", "other.db", "-o", "FILE"),
    "copy": ("rewrite", "notes", "-o", "FILE"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A text with a URL and a reject, and a catalogue of it."""
    monkeypatch.chdir(tmp_path)
    Path("notes").write_text("see http://a.example/1 here <URL:http://:x/>\n")
    catalog(Path("other.db"), "notes")
    return tmp_path


def asked(command: str) -> list[str]:
    """The command for a file; `settle` needs a catalogue there."""
    if command == "settle":
        catalog(Path("file"), "notes")
    return [each.replace("FILE", "file") for each in COMMANDS[command]]


def left(folder: Path) -> dict[str, bytes]:
    """All that is there, but what SQLite puts beside a database that is read."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix not in {".db-shm", ".db-wal"}}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("other", [only_writer, part_file])
def test_a_file_has_one_writer(folder: Path, command: str, other: Any) -> None:
    """Another one, which writes it in its place or beside it, is told, and goes on undisturbed."""
    arguments = asked(command)
    with other(Path("file")):
        before = left(folder)
        refused = run(*arguments)
        assert refused.exit_code == 2
        assert "file is being written by another run\n" in refused.stderr
        assert left(folder) == before
    if other is only_writer:
        assert run(*arguments).exit_code in {0, 1}
        assert not part_of(Path("file")).exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_what_an_interrupted_scan_has_left_is_told(folder: Path, command: str) -> None:
    """Whoever writes the file would have it replaced when that scan is finished."""
    arguments = asked(command)
    Path("file.part").write_text("half of the rows\n")
    before = left(folder)
    refused = run(*arguments)
    assert refused.exit_code == 2
    assert f"{folder / 'file.part'} is there, and is not of this run: move it away, unless" in refused.stderr
    assert left(folder) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_an_empty_part_of_a_killed_run_is_taken_over(folder: Path, command: str) -> None:
    """A run that writes a file in its place leaves one."""
    arguments = asked(command)
    Path("file.part").touch()
    assert run(*arguments).exit_code in {0, 1}
    assert not Path("file.part").exists()


@pytest.mark.parametrize("option", ["--errors", "--rejects"])
def test_the_rows_of_a_scan_that_goes_on_are_not_called_left(tmp_path: Path, option: str) -> None:
    """Nobody is told to move them away while they are written."""
    (tmp_path / "in").write_text("http://a.example/\n")
    rows = tmp_path / "rows.jsonl"
    descriptor = locked(part_of(rows))
    assert descriptor is not None
    os.write(descriptor, b"{}\n")
    refused = run("scan", tmp_path / "in", "-o", tmp_path / "others.jsonl", option, rows)
    assert (refused.exit_code, refused.stderr) == (2, f"urlglean: {rows} is being written by another run\n")
    os.close(descriptor)
    refused = run("scan", tmp_path / "in", "-o", tmp_path / "others.jsonl", option, rows)
    assert f"{part_of(rows)} is there, and is not of this run" in refused.stderr


def test_settle_opens_what_it_has_locked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until then a scan may replace the file: what is written to the one before would be lost."""
    database = folder / "rows.db"
    database.write_text("not yet")

    @contextmanager
    def late(path: Path) -> Iterator[None]:
        run("scan", "notes", "-o", path)
        with only_writer(path):
            yield

    monkeypatch.setattr("urlglean.cli.settle.only_writer", late)
    assert "0 settled" in run("settle", database).stderr
