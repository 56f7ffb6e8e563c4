"""What a run says that goes on with an earlier one, or begins anew, and what it leaves of the earlier one."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from click.testing import CliRunner

from commands import ENVIRONMENT, run
from journals import change_records
from urlglean.cli import main
from urlglean.output.files import locked, part_of
from urlglean.pipeline.outputs import Outputs
from urlglean.pipeline.results import ChunkResult
from urlglean.pipeline.run import RunOptions, Settings

# The command, killed before it writes the n-th result. Each is of one file, and in the journal.
SCRIPT = """
import os, signal, sys
from urlglean.cli import main
from urlglean.pipeline.outputs import Outputs
from urlglean.pipeline.run import RunOptions, Settings
left, write = int(sys.argv.pop(1)), Outputs.write
def deadly(*arguments):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    write(*arguments)
Outputs.write = deadly
main(obj=Settings(RunOptions(chunk=1, every=0)))
"""

MAIL = b"From: a@b.example\nSubject: x\n\nhttp://a.example/\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files with a URL and a reject each, and one that is not there."""
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    for number in range(40):
        Path(f"in/{number:02}").write_text(f"http://h.example/{number} <URL:http://:x/>\n")
    Path("in/a").symlink_to("nowhere")
    return tmp_path


def killed(*arguments: str, at: int) -> None:
    """A scan of the folder that is killed before it writes that result."""
    command = [sys.executable, "-c", SCRIPT, str(at), "scan", "in", "--jobs", "1", *arguments]
    assert subprocess.run(command, check=False, env=ENVIRONMENT, capture_output=True).returncode == -signal.SIGKILL


@pytest.mark.parametrize("at", [1, 9])
@pytest.mark.parametrize("name", ["rows.jsonl", "rows.parquet"])
def test_a_run_that_begins_anew_leaves_no_part_of_the_earlier_one(folder: Path, name: str, at: int) -> None:
    """Though it writes fewer files; one that another process has is left to that."""
    killed("-o", name, "--errors", "e", "--rejects", "r", at=at)
    for part in ("e.part", "r.part"):
        assert Path(part).exists()
    assert "e.part" in run("scan", "in", "-o", name).stderr
    descriptor = locked(part_of(Path("r")))
    assert descriptor is not None
    assert run("scan", "in", "-o", name, "--overwrite").exit_code == 2
    os.close(descriptor)
    assert sorted(path.name for path in folder.iterdir()) == ["in", "r.part", name]


@pytest.mark.parametrize("at", [1, 9])
def test_the_copy_of_a_journal_is_no_reason_to_delete_what_it_names(folder: Path, at: int) -> None:
    """A scan that begins anew in a copy of a folder leaves the part files of the interrupted one, which goes on."""
    Path("out").mkdir()
    asked = ("-o", "out/rows.jsonl", "--errors", "out/e", "--rejects", "out/r")
    killed(*asked, at=at)
    left = {path.name: path.read_bytes() for path in Path("out").iterdir()}
    shutil.copytree("out", "copy")
    run("scan", "in", "-o", "copy/rows.jsonl", "--overwrite")
    assert {path.name: path.read_bytes() for path in Path("out").iterdir()} == left
    run("scan", "in", *asked, "--resume")
    assert sorted(path.name for path in Path("out").iterdir()) == ["e", "r", "rows.jsonl"]


@pytest.mark.parametrize("at", [2, 9])
def test_a_journal_with_right_sums_is_no_reason_to_delete_what_it_names(folder: Path, at: int) -> None:
    """The part file of another scan stays, and that scan goes on."""
    killed("-o", "rows.jsonl", "--rejects", "r", at=at)
    killed("-o", "other.jsonl", at=9)

    def forge(record: dict[str, Any]) -> None:
        if "files" in record:
            record["files"][1] = str(folder / "other.jsonl")

    change_records(Path("rows.jsonl.journal"), forge)
    held = Path("other.jsonl.part").read_bytes()
    run("scan", "in", "-o", "rows.jsonl", "--overwrite")
    assert Path("other.jsonl.part").read_bytes() == held
    run("scan", "in", "-o", "other.jsonl", "--resume")
    assert Path("other.jsonl").exists()


def test_what_lies_in_another_folder_is_not_deleted(folder: Path) -> None:
    """Who puts a forged journal into one folder may have no right to delete in the other."""
    Path("elsewhere").mkdir()
    killed("-o", "rows.jsonl", "--rejects", "elsewhere/r", "--errors", "e", at=9)
    held = Path("elsewhere/r.part").read_bytes()
    run("scan", "in", "-o", "rows.jsonl", "--overwrite")
    assert sorted(path.name for path in folder.iterdir()) == ["elsewhere", "in", "rows.jsonl"]
    assert Path("elsewhere/r.part").read_bytes() == held


def test_a_refused_run_deletes_nothing(folder: Path) -> None:
    """Neither its own files nor those of the earlier run, which still goes on."""
    killed("-o", "rows.jsonl", "--rejects", "r", at=9)
    Path("e.part").write_text("not ours")
    assert "e.part is there" in run("scan", "in", "-o", "rows.jsonl", "--errors", "e", "--overwrite").stderr
    run("scan", "in", "-o", "rows.jsonl", "--rejects", "r", "--resume")
    assert sorted(path.name for path in folder.iterdir()) == ["e.part", "in", "r", "rows.jsonl"]


@pytest.mark.parametrize("name", ["r", "a/../r", "/\0"])
@pytest.mark.parametrize("more", [(), ("--resume",), ("--overwrite",)])
def test_a_journal_names_files_by_absolute_paths(folder: Path, name: str, more: tuple[str, ...]) -> None:
    """Another name is that of no file of a scan."""
    killed("-o", "rows.jsonl", at=9)
    change_records(Path("rows.jsonl.journal"), lambda record: record.get("files", []).append(name))
    Path("r.part").write_text("not ours")
    refused = run("scan", "in", "-o", "rows.jsonl", *more)
    assert refused.exit_code == 2
    assert "is no journal of urlglean" in refused.stderr
    assert Path("r.part").read_text() == "not ours"


def test_a_part_without_rows_is_told_too(folder: Path) -> None:
    """The files beside the rows are made first."""
    killed("-o", "rows.jsonl", "--errors", "e", at=1)
    Path("rows.jsonl.part").unlink()
    assert "e.part" in run("scan", "in", "-o", "rows.jsonl").stderr


def test_a_resumed_run_says_that_it_begins_anew(folder: Path) -> None:
    """Where the earlier one has recorded no progress; not where there was none, or it goes on."""
    assert "anew" not in run("scan", "in", "-o", "rows.jsonl", "--resume").stderr
    whole = Path("rows.jsonl").read_bytes()
    for at, more in ((1, ()), (1, ("-q",)), (9, ())):
        killed("-o", "rows.jsonl", at=at)
        told = run("scan", "in", "-o", "rows.jsonl", "--resume", *more).stderr
        line = "the earlier scan to rows.jsonl had recorded no progress, so the scan begins anew\n"
        assert told.count(f"urlglean: {line}") == told.count("anew") == (at == 1)
        assert Path("rows.jsonl").read_bytes() == whole


MANY = tuple(f"x-{number:02}" for number in range(20))


def schemes(number: int) -> tuple[str, ...]:
    """The option for many schemes."""
    return tuple(f"--scheme=x-{each:03}" for each in range(number))


@pytest.mark.parametrize(
    ("then", "now", "others"),
    [
        (("--errors", "e"), (), "--errors {}/e, now none"),
        ((), ("--errors", "e"), "--errors none, now {}/e"),
        (("--rejects", "r"), (), "--rejects {}/r, now none"),
        (
            ("--rejects", "r", "--errors", "e"),
            ("--rejects", "e", "--errors", "r"),
            "--rejects {0}/r, now {0}/e; --errors {0}/e, now {0}/r",
        ),
        (
            ("--errors", "e", "--least", "0.5"),
            ("--format", "csv", "--strict"),
            "--format jsonl, now csv; --least 0.5, now 0.0; --strict off, now on; --errors {}/e, now none",
        ),
        (("--www", "--as", "text"), (), "--www on, now off; --as text, now none"),
        (("--memory-limit", "9", "--time-limit", "9"), (), "--time-limit 9.0, now 30.0; --memory-limit in octets "),
        (
            ("--only-scheme", "http"),
            ("--host", "*.example"),
            "--only-scheme http, now none; --host none, now *.example",
        ),
        (("--no-header",), ("--include", "*"), "--header off, now none; --include none, now *"),
        ((), ("other", *MANY), "paths in, now in,other,x-00,and 19 more"),
        (schemes(100), schemes(50), "--scheme ...,x-049,x-050,x-051,and 48 more, now ...,x-049"),
    ],
)
def test_the_options_that_differ_are_told(
    folder: Path, then: tuple[str, ...], now: tuple[str, ...], others: str
) -> None:
    """Each once, with both values, also those of the files to write."""
    killed("-o", "rows.jsonl", *then, at=9)
    refused = run("scan", "in", "-o", "rows.jsonl", "--resume", *now)
    assert refused.exit_code == 2
    told = f"urlglean: rows.jsonl was begun with {others.format(folder)}"
    assert refused.stderr.startswith(told)
    assert refused.stderr.endswith(": --overwrite begins anew\n")


def test_a_journal_of_an_earlier_version_is_told_as_such(folder: Path) -> None:
    """It did not say what is written to each file."""
    killed("-o", "rows.jsonl", at=9)

    def aged(record: dict[str, Any]) -> None:
        if record.pop("contents", None):
            record["form"] = 4

    change_records(Path("rows.jsonl.journal"), aged)
    assert (
        "begun with version of urlglean 0.1.0 (form 4 of the journal), now 0.1.0 (form 6 of the journal): "
        in run("scan", "in", "-o", "rows.jsonl", "--resume").stderr
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda: Path("in/20").write_text("other"), "in/20 was added or changed, or a file before it was removed,"),
        (lambda: Path("in/015").write_text("other"), "in/015 was added or changed, or a file before it was removed,"),
        (lambda: shutil.move("in/20", "."), "in/21 was added or changed, or a file before it was removed,"),
        (lambda: shutil.move("in/00", "."), "in/01 was added or changed, or a file before it was removed,"),
        (lambda: [shutil.move(f"in/{at}", ".") for at in range(20, 40)], "a file behind in/19 was removed"),
        (lambda: shutil.rmtree("in"), "in was added or changed, or a file before it was removed,"),
    ],
)
@pytest.mark.parametrize(
    ("how", "ends"),
    [
        (RunOptions(chunk=1, every=0), (24, 52)),  # what a file is taken for is a result too
        (RunOptions(chunk=1, every=9), (24, 52)),
        (RunOptions(chunk=1 << 12, every=0), (6, 14)),
        (RunOptions(), (1,)),
    ],
)
def test_the_file_that_has_changed_is_named(
    folder: Path, change: Callable[[], object], told: str, how: RunOptions, ends: tuple[int, ...]
) -> None:
    """However many files there are between two lines of the journal; also by a run that was resumed once before."""
    Path("in/a").unlink()
    arguments = ["scan", "in", "-o", "rows.jsonl", "--jobs", "1"]
    write = Outputs.write
    for number, end in enumerate(ends):
        results = count(1)

        def interrupted(out: Outputs, outcome: ChunkResult, results: Iterator[int] = results, end: int = end) -> None:
            write(out, outcome)
            if next(results) == end:
                out.record()
                raise KeyboardInterrupt

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Outputs, "write", interrupted)
            resumed = ["--resume"] if number else []
            assert CliRunner().invoke(main, [*arguments, *resumed], obj=Settings(how)).exit_code == 130
    change()
    refused = run(*arguments, "--resume")
    assert refused.exit_code == 2
    assert refused.stderr == f"urlglean: {told} since the interrupted scan; --overwrite begins anew\n"


@pytest.mark.parametrize("name", ["rows.jsonl", "film"])
@pytest.mark.parametrize("octets", [MAIL, bytes(9), b"PAR1\x15" + bytes(9) + b"PAR1"])
@pytest.mark.parametrize("more", ["--overwrite", "--resume"])
def test_what_no_scan_writes_is_not_deleted(folder: Path, name: str, octets: bytes, more: str) -> None:
    """Though a journal names it whose sums are right: anybody can write such a journal."""
    killed("-o", "rows.jsonl", at=9)
    journal, part = Path("rows.jsonl.journal"), Path(f"{name}.part")
    files = [str(folder / "rows.jsonl"), *([] if name == "rows.jsonl" else [str(folder / name)])]
    journal.write_bytes(journal.read_bytes().splitlines(keepends=True)[0])  # no progress
    change_records(journal, lambda record: record.update(files=files))
    part.write_bytes(octets)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    refused = run("scan", "in", "-o", "rows.jsonl", more)
    assert refused.exit_code == 2
    assert f"{folder / part} is not that of a scan" in refused.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


@pytest.mark.parametrize("size", [len(MAIL), 1 << 40, 1 << 63])
@pytest.mark.parametrize("more", [b"", bytes(300)])
def test_a_mailbox_is_not_that_of_a_scan_whatever_a_journal_tells_of_it(folder: Path, size: int, more: bytes) -> None:
    """Also if its sum is right, and NULs are behind it."""
    killed("-o", "rows.jsonl", at=9)
    part = Path("rows.jsonl.part")
    part.write_bytes(MAIL + more)
    told = {"sizes": [size], "sums": [crc32(MAIL)]}
    change_records(Path("rows.jsonl.journal"), lambda record: record.update(told) if "sizes" in record else None)
    for option in ("--overwrite", "--resume"):
        assert run("scan", "in", "-o", "rows.jsonl", option).exit_code == 2
        assert part.read_bytes() == MAIL + more


def test_half_of_a_parquet_file_is_thrown_away(folder: Path) -> None:
    """A scan that was killed behind its first rows leaves one, which lacks the end that says whose it is."""
    run("scan", "in", "-o", "rows.parquet")
    whole = Path("rows.parquet").read_bytes()
    killed("-o", "rows.parquet", at=9)
    Path("rows.parquet.part").write_bytes(whole[: len(whole) // 2])
    run("scan", "in", "-o", "rows.parquet", "--overwrite")
    assert Path("rows.parquet").read_bytes() == whole
    assert sorted(path.name for path in folder.iterdir()) == ["in", "rows.parquet"]


@pytest.mark.parametrize("at", [1, 9])
@pytest.mark.parametrize("more", [bytes(3000), bytes(1 << 17)])
def test_nuls_behind_what_was_recorded_are_thrown_away(folder: Path, more: bytes, at: int) -> None:
    """File systems leave them where the power failed. Of the rejects, nothing was recorded."""
    Path("in/a").unlink()
    asked = ("-o", "rows.jsonl", "--rejects", "rejects.jsonl")
    run("scan", "in", *asked)
    whole = Path("rows.jsonl").read_bytes(), Path("rejects.jsonl").read_bytes()
    Path("rows.jsonl").unlink()
    Path("rejects.jsonl").unlink()
    killed(*asked, at=at)
    for name in ("rows.jsonl", "rejects.jsonl"):
        with Path(f"{name}.part").open("ab") as part:
            part.write(more)
    resumed = run("scan", "in", *asked, "--resume")
    assert resumed.exit_code == 0
    assert (Path("rows.jsonl").read_bytes(), Path("rejects.jsonl").read_bytes()) == whole


@pytest.mark.parametrize("more", [bytes(300), bytes(300) + b"x"])
def test_a_part_file_without_rows_may_hold_nuls_alone(folder: Path, more: bytes) -> None:
    """Other octets are those of somebody else, though the file is that of the run."""
    for path in Path("in").iterdir():
        path.unlink()
    Path("in/1").write_text("see http://a.example/\n")
    Path("in/2").write_text("see http://b.example/\n")
    asked = ("-o", "rows.jsonl", "--rejects", "rejects.jsonl")
    killed(*asked, at=1)
    Path("rejects.jsonl.part").write_bytes(more)
    resumed = run("scan", "in", *asked, "--resume")
    assert (resumed.exit_code == 0) == (not more.strip(b"\0"))
    assert ("is not that of a scan" in resumed.stderr) == bool(resumed.exit_code)
