"""One run writes a file at a time, and no run writes over what is not of a run."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from commands import COMMAND, ENVIRONMENT, run
from urlglean.output.files import part_of
from urlglean.pipeline.journal import journal_of

FORMATS = ["rows.jsonl", "rows.csv", "rows.txt", "rows.db", "rows.parquet"]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A text with a URL."""
    path = tmp_path / "notes"
    path.write_text("see http://a.example/1 here <URL:http://:x/>\n")
    return path


@contextmanager
def running(*arguments: object, until: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A scan of stdin that waits for more of it, once it has opened its files; it is killed when the block ends."""
    command = [*COMMAND, "scan", "-", *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT) as process:
        try:
            while not until.exists():
                assert process.poll() is None
                time.sleep(0.005)
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("more", [(), ("--overwrite",), ("--resume",)])
def test_a_file_that_another_scan_writes_is_refused(notes: Path, name: str, more: tuple[str, ...]) -> None:
    """With the process that writes it; that one goes on undisturbed, and is the only one that writes."""
    rows = notes.with_name(name)
    with running("-o", rows, until=part_of(rows)) as first:
        refused = run("scan", notes, "-o", rows, *more)
        assert refused.exit_code == 2
        if not (more == ("--resume",) and name in {"rows.db", "rows.parquet"}):
            assert f"{rows} is being written by another scan (process {first.pid} on " in refused.stderr
        first.communicate(b"http://first.example/\n")
        assert first.returncode == 0
    assert b"first.example" in rows.read_bytes()
    assert sorted(path.name for path in notes.parent.iterdir()) == ["notes", name]


@pytest.mark.parametrize("option", ["--rejects", "--errors"])
def test_a_file_beside_the_rows_has_one_writer_too(notes: Path, option: str) -> None:
    """Of two scans with other rows; the one that is refused leaves nothing behind."""
    beside, rows = notes.with_name("beside"), notes.with_name("rows.jsonl")
    with running(option, beside, until=part_of(beside)) as first:
        for more in ((option, beside), ("-o", beside), ("-o", rows, option, beside)):
            refused = run("scan", notes, *more)
            assert refused.exit_code == 2
            assert "is being written by another" in refused.stderr
        first.communicate(b"<URL:http://:x/>\n")
    assert sorted(path.name for path in notes.parent.iterdir()) == ["beside", "notes"]


def test_a_link_to_a_file_that_is_written_is_that_file(notes: Path) -> None:
    """By whatever name it is called."""
    rows, link = notes.with_name("rows.jsonl"), notes.with_name("link.jsonl")
    link.symlink_to(rows)
    with running("-o", rows, until=part_of(rows)):
        assert "is being written by another scan" in run("scan", notes, "-o", link).stderr


@pytest.mark.parametrize("name", FORMATS)
def test_a_kill_frees_the_files(notes: Path, name: str) -> None:
    """What was left is told, and thrown away only if asked."""
    rows = notes.with_name(name)
    with running("-o", rows, until=part_of(rows)) as first:
        first.send_signal(signal.SIGKILL)
        first.wait()
    refused = run("scan", notes, "-o", rows)
    assert refused.exit_code == 2
    assert f"{part_of(rows)}, {journal_of(rows)} are of an interrupted scan" in refused.stderr
    assert "--overwrite begins anew" in refused.stderr
    assert run("scan", notes, "-o", rows, "--overwrite").exit_code == 0
    assert b"a.example" in rows.read_bytes()
    assert sorted(path.name for path in notes.parent.iterdir()) == ["notes", name]


def scanned_at_once(paths: tuple[str, str], start: object) -> None:
    """One of several scans that begin at the same moment."""
    start.wait()  # type: ignore[attr-defined]
    os._exit(run("scan", paths[0], "-o", paths[1]).exit_code)


def test_of_scans_that_begin_at_once_each_is_whole_or_refused(notes: Path) -> None:
    """Whoever is first; the rows are those of one of them."""
    notes.write_text("http://a.example/\n" * 20_000)
    rows = notes.with_name("rows.jsonl")
    spawn = multiprocessing.get_context("fork")
    for _ in range(5):
        start = spawn.Event()
        processes = [spawn.Process(target=scanned_at_once, args=((str(notes), str(rows)), start)) for _ in range(4)]
        for process in processes:
            process.start()
        start.set()
        for process in processes:
            process.join()
        assert {process.exitcode for process in processes} <= {0, 2}
        assert 0 in {process.exitcode for process in processes}
        assert [json.loads(line)["line"] for line in rows.read_bytes().splitlines()] == list(range(1, 20_001))
        assert not part_of(rows).exists()
        assert not journal_of(rows).exists()
        rows.unlink()


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("more", [(), ("--overwrite",), ("--resume",)])
def test_what_only_has_the_name_of_a_part_is_left_alone(notes: Path, name: str, more: tuple[str, ...]) -> None:
    """No journal says that a scan has written it."""
    rows = notes.with_name(name)
    part_of(rows).write_text("half of a film")
    refused = run("scan", notes, "-o", rows, *more)
    assert refused.exit_code == 2
    assert part_of(rows).read_text() == "half of a film"
    assert sorted(path.name for path in notes.parent.iterdir()) == ["notes", part_of(rows).name]
    rejects = notes.with_name("rejects")
    part_of(rejects).write_text("half of a song")
    assert run("scan", notes, "--rejects", rejects, *more).exit_code == 2
    assert part_of(rejects).read_text() == "half of a song"


@pytest.mark.parametrize("more", [(), ("--overwrite",), ("--resume",)])
@pytest.mark.parametrize("held", ["notes on a journey", "[1, 2]\n", '{"paths": []}\n'])
def test_what_only_has_the_name_of_a_journal_is_left_alone(notes: Path, held: str, more: tuple[str, ...]) -> None:
    """It is no journal of a scan."""
    rows = notes.with_name("rows.jsonl")
    journal_of(rows).write_text(held)
    refused = run("scan", notes, "-o", rows, *more)
    assert refused.exit_code == 2
    assert "is no journal of urlglean: move it away" in refused.stderr
    assert journal_of(rows).read_text() == held
    assert not rows.exists()


@pytest.mark.parametrize("torn", [b"", b'{"urlgl', b'{"urlglean": "0.1.0", "paths": ["no'])
def test_a_journal_that_a_kill_has_torn_is_begun_anew(notes: Path, torn: bytes) -> None:
    """No file was made before it was whole."""
    rows = notes.with_name("rows.jsonl")
    journal_of(rows).write_bytes(torn)
    assert run("scan", notes, "-o", rows, "--resume").exit_code == 0
    assert not journal_of(rows).exists()


def test_a_link_in_the_place_of_a_part_is_not_followed(notes: Path) -> None:
    """Whoever may make links in the folder could have any file of the user written over."""
    rows, other = notes.with_name("rows.jsonl"), notes.with_name("other")
    other.touch()
    part_of(rows).symlink_to(other)
    assert run("scan", notes, "-o", rows, "--overwrite").exit_code == 2
    assert other.read_bytes() == b""
    assert part_of(rows).is_symlink()


def test_names_that_a_run_makes_are_not_outputs_too(notes: Path) -> None:
    """One would be written over the other."""
    rows = notes.with_name("rows.jsonl")
    for other in (rows, part_of(rows), journal_of(rows)):
        refused = run("scan", notes, "-o", rows, "--errors", other)
        assert (refused.exit_code, other.exists()) == (2, False)
        assert "would be written twice" in refused.stderr


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize("where", ["rejects", "rejects.part", "rejects.journal"])
def test_an_output_is_not_where_stdout_or_stderr_goes(notes: Path, stream: str, where: str) -> None:
    """The rows would be gone when the file of rejects gets its name; by `>` as by `>>`."""
    rejects = notes.with_name("rejects")
    with notes.with_name(where).open("ab") as file:
        other = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | {stream: file}
        done = subprocess.run(
            [*COMMAND, "scan", str(notes), "--rejects", str(rejects)],
            check=False,
            env=ENVIRONMENT,
            **other,  # type: ignore[call-overload]
        )
    assert done.returncode == 2
    said = done.stderr if stream == "stdout" else notes.with_name(where).read_bytes()
    assert f"{notes.with_name(where)} is where {stream} goes" in said.decode()


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o604])
def test_an_output_keeps_the_permissions_that_it_had(notes: Path, name: str, mode: int) -> None:
    """And while it is written nobody reads it who could not read what it replaces."""
    rows = notes.with_name(name)
    rows.write_text("old")
    rows.chmod(mode)
    with running("-o", rows, until=part_of(rows)) as first:
        assert stat.S_IMODE(part_of(rows).stat().st_mode) & 0o077 == 0
        first.communicate(b"http://first.example/\n")
    assert stat.S_IMODE(rows.stat().st_mode) == mode


def test_a_resumed_run_that_only_has_to_name_its_files_keeps_permissions_too(notes: Path) -> None:
    """It was killed between its last row and the names."""
    rows = notes.with_name("rows.jsonl")
    rows.write_text("old")
    rows.chmod(0o640)
    script = (
        "import os, pathlib, signal\n"
        "pathlib.Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "from urlglean.cli import main\nmain()\n"
    )
    command = [sys.executable, "-c", script, "scan", str(notes), "-o", str(rows)]
    assert subprocess.run(command, check=False, env=ENVIRONMENT, capture_output=True).returncode == -signal.SIGKILL
    part_of(rows).chmod(0o600)
    assert run("scan", notes, "-o", rows, "--resume").exit_code == 0
    assert stat.S_IMODE(rows.stat().st_mode) == 0o640
    assert b"a.example" in rows.read_bytes()


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_and_its_folder_are_on_the_disk_before_the_run_ends(
    notes: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last of its bytes before its name, the name before the journal goes."""
    rows = notes.with_name(name)
    done: list[tuple[str, int]] = []
    fsync, replace, unlink = os.fsync, Path.replace, Path.unlink

    def synced(descriptor: int) -> None:
        fsync(descriptor)
        done.append(("fsync", os.fstat(descriptor).st_ino))

    def replaced(self: Path, target: Path) -> Path:
        done.append(("replace", self.stat().st_ino))
        return replace(self, target)

    def unlinked(self: Path, missing_ok: bool = False) -> None:  # noqa: FBT001, FBT002  that of Path
        done.append(("unlink", self.stat().st_ino))
        unlink(self, missing_ok)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    monkeypatch.setattr(Path, "unlink", unlinked)
    assert run("scan", notes, "-o", rows).exit_code == 0
    file, folder = rows.stat().st_ino, notes.parent.stat().st_ino
    (journal,) = [inode for what, inode in done if what == "unlink"]
    wanted = [("fsync", file), ("replace", file), ("fsync", folder), ("unlink", journal)]
    at = done.index(("replace", file))
    assert done[at - 1 : at + 3] == wanted
    if name == "rows.db":
        with closing(sqlite3.connect(rows)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
