"""The file of `catalog --errors` has one writer, and a stream that it names keeps what it has."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from catalogues import catalog
from commands import COMMAND, ENVIRONMENT
from urlglean.output.files import only_writer


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which something cannot be read."""
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    Path("in/a").write_text("http://h.example/\n")
    Path("in/b").symlink_to("nowhere")
    return tmp_path


def test_two_runs_write_two_files(folder: Path) -> None:
    """Lines of both in one file could not be told apart; by a link it is the same file."""
    Path("link").symlink_to("errors")
    Path("errors").write_bytes(b"of another run\n")
    with only_writer(Path("errors")):
        for name in ("errors", "link"):
            refused = catalog(Path("a.db"), "in", "--errors", name)
            assert refused.exit_code == 2
            assert f"{name} is being written by another run" in refused.output
    assert Path("errors").read_bytes() == b"of another run\n"
    assert not Path("a.db").exists()
    for _ in range(2):
        assert catalog(Path("a.db"), "in", "--errors", "link").exit_code == 2
        assert [json.loads(line)["path"] for line in Path("errors").read_text().splitlines()] == ["in/b"]


def test_a_run_that_is_refused_leaves_the_file(folder: Path) -> None:
    """What the last run has told is still there."""
    catalog(Path("a.db"), "in", "--errors", "errors")
    before = Path("errors").read_bytes()
    assert "it was made with" in catalog(Path("a.db"), "in", "--strict", "--errors", "errors").output
    assert Path("errors").read_bytes() == before != b""
    assert sorted(path.name for path in folder.iterdir()) == ["a.db", "errors", "in"]


def test_a_stream_is_not_emptied(folder: Path) -> None:
    """The shell has opened it at its end."""
    Path("log").write_text("earlier\n")
    command = [*COMMAND, "catalog", "a.db", "in", "--errors", "/dev/stdout"]
    with Path("log").open("ab") as log:
        done = subprocess.run(command, check=False, env=ENVIRONMENT, stdout=log, stderr=subprocess.PIPE)
    assert done.returncode == 2
    first, second = Path("log").read_text().splitlines()
    assert (first, json.loads(second)["path"]) == ("earlier", "in/b")
