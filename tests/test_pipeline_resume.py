"""Runs that are broken off and gone on with: what is written in the end is what an undisturbed run writes."""

import json
import random
import signal
import time
from pathlib import Path

import pytest
from click.testing import Result

from broken_runs import NAMES, filled, finished, folder, options, run, scan, written
from urlglean.cli.reading import summary
from urlglean.output.files import part_of
from urlglean.pipeline.outputs import Outputs
from urlglean.pipeline.results import ChunkResult, Tally
from urlglean.pipeline.run import RunOptions
from urlglean.pipeline.scan_task import ScanTask

__all__ = ["folder"]  # the fixture


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run writes that nobody breaks off."""
    folder = filled(tmp_path_factory.mktemp("undisturbed"))
    assert finished(scan(folder, "whole"))[0] == 2  # the file that is not there
    whole = written(folder / "whole")
    assert set(whole) == set(NAMES)
    assert [whole[name].count(b"\n") for name in NAMES] == [1400, 400, 1]
    return whole


def size(file: Path) -> int:
    """How many octets it has; 0 if it has not begun, or has its name already."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_that_is_killed_again_and_again_writes_what_one_run_does(
    folder: Path, undisturbed: dict[str, bytes], jobs: str
) -> None:
    """Whenever the kill comes, no row is lost and none comes twice."""
    chance = random.Random(f"SIGKILL {jobs}")
    part = part_of(folder / "cut" / NAMES[0])
    for _ in range(3):
        wanted = size(part) + chance.randrange(len(undisturbed[NAMES[0]]) // 3)
        with scan(folder, "cut", "--resume", "--jobs", jobs) as process:
            while process.poll() is None and size(part) < wanted:
                time.sleep(0.001)
            process.kill()
    assert run(*options("cut", "--resume")).exit_code == 2
    assert written(folder / "cut") == undisturbed


@pytest.mark.parametrize(
    ("die_at", "call"),
    [*(("fsync", call) for call in (1, 2, 3, 7, 11)), *(("replace", call) for call in (1, 2, 3)), ("unlink", 1)],
)
def test_a_kill_at_the_worst_moment_loses_nothing(
    folder: Path, undisturbed: dict[str, bytes], die_at: str, call: int
) -> None:
    """Between rows and journal, between the last row and the names, between one name and the next."""
    died = finished(scan(folder, "cut", die_at=die_at, call=call))
    assert died[0] == -signal.SIGKILL
    assert run(*options("cut", "--resume")).exit_code == 2
    assert written(folder / "cut") == undisturbed


def test_the_header_of_a_format_is_not_repeated(folder: Path) -> None:
    """Whether the kill comes before the first row, or after some."""
    run("scan", "in", "-o", "whole.csv")
    whole = Path("whole.csv").read_bytes()
    for call in (2, 30):
        with scan(folder, "cut", "--format", "csv", die_at="fsync", call=call) as process:
            process.communicate()
        run(*options("cut", "--format", "csv", "--resume"))
        assert (folder / "cut" / NAMES[0]).read_bytes() == whole


def test_a_torn_last_line_of_the_journal_is_not_believed(folder: Path, undisturbed: dict[str, bytes]) -> None:
    """The line before it is."""
    finished(scan(folder, "cut", die_at="fsync", call=30))
    with (folder / "cut" / "rows.jsonl.journal").open("ab") as journal:
        journal.write(b'{"position": {"items": 9999')
    run(*options("cut", "--resume"))
    assert written(folder / "cut") == undisturbed


def test_what_a_killed_run_has_left_is_thrown_away_only_if_asked(folder: Path, undisturbed: dict[str, bytes]) -> None:
    """A run that asks neither to go on nor to begin anew is refused, and touches nothing."""
    finished(scan(folder, "cut", die_at="replace", call=1))
    left = written(folder / "cut")
    refused = run(*options("cut"))
    assert refused.exit_code == 2
    assert "--resume continues it, --overwrite begins anew" in refused.stderr
    assert written(folder / "cut") == left
    assert run(*options("cut", "--resume", "--overwrite")).exit_code == 2
    assert written(folder / "cut") == left
    run(*options("cut", "--overwrite"))
    assert written(folder / "cut") == undisturbed


def test_a_run_with_schemes_of_ones_own_is_gone_on_with(folder: Path) -> None:
    """However the same names are written, and with hosts without a scheme."""
    (folder / "in" / "e.txt").write_text("www.e.example/a or doi:10.1/b\n" * 500)
    (folder / "whole").mkdir()
    run(*options("whole", "--scheme", "doi", "--scheme", "Mid", "--www"))
    finished(scan(folder, "cut", "--scheme", "doi", "--scheme", "mid", "--www", die_at="fsync", call=30))
    assert run(*options("cut", "--scheme", "MID", "--scheme", "Doi", "--www", "--resume")).exit_code == 2
    assert written(folder / "cut") == written(folder / "whole")
    assert b'"http://www.e.example/a"' in written(folder / "cut")[NAMES[0]]


@pytest.mark.parametrize("call", [6, 18, 30])
def test_what_is_left_out_may_vanish_and_appear_between_the_runs(folder: Path, call: int) -> None:
    """No row is lost and none comes twice; the counts are those of a run over what is there in the end."""
    (folder / "in" / "0.txt").touch()
    (folder / "in" / "a").touch()
    (folder / "in" / "c2").touch()
    assert finished(scan(folder, "cut", die_at="fsync", call=call))[0] == -signal.SIGKILL
    (folder / "in" / "0.txt").unlink()
    (folder / "in" / "c2").unlink()
    for name in (".DS_Store", "dovecot.index", "b1"):
        (folder / "in" / name).touch()
    resumed = run(*options("cut", "--resume"))
    (folder / "whole").mkdir()
    whole = run(*options("whole"))
    assert written(folder / "cut") == written(folder / "whole")
    assert resumed.exit_code == whole.exit_code == 2
    assert counts(resumed) == counts(whole)


def test_the_rate_is_that_of_what_was_read_now() -> None:
    """A resumed run counts what the one before it has read, but did not read it."""
    tally = Tally(bytes=20_000_000)
    assert summary(tally, ScanTask(), 20_000_000, 2.0).endswith(", 20.0 MB in 2.0 s (10.0 MB/s)")
    assert summary(tally, ScanTask(), 5_000_000, 2.0).endswith(", 20.0 MB, 5.0 of them in 2.0 s (2.5 MB/s)")


def counts(result: Result) -> str:
    """What the summary counts, without the size and the time."""
    return result.stderr.splitlines()[-1].partition(" MB")[0].rpartition(",")[0]


def test_nothing_to_go_on_with_is_a_run_from_the_beginning(folder: Path) -> None:
    """So that a script may always ask for it; and when it is done, no journal is left."""
    rows = folder / "rows.jsonl"
    assert run("scan", "--resume", folder / "in" / "b.txt", "-o", rows).exit_code == 0
    assert len(rows.read_bytes().splitlines()) == 500
    assert not list(folder.glob("*.journal"))


def test_ctrl_c_leaves_a_run_that_can_be_gone_on_with(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rows so far are whole, and the rest comes later."""
    rows = folder / "rows.jsonl"
    with monkeypatch.context() as patch:
        patch.setattr("urlglean.pipeline.outputs.Outputs.write", interrupted_at(3))
        assert run("scan", folder / "in", "-o", rows, "--jobs", 1, how=RunOptions(chunk=1 << 12)).exit_code == 130
    assert all(json.loads(line)["url"] for line in part_of(rows).read_bytes().splitlines())
    resumed = run("scan", folder / "in", "-o", rows, "--resume")
    assert resumed.exit_code == 2
    assert "begins anew" not in resumed.stderr
    assert [json.loads(line)["message"] for line in rows.read_bytes().splitlines()[:400]] == list(range(1, 401))


def interrupted_at(count: int) -> object:
    """`Outputs.write`, which Ctrl-C stops the n-th time."""
    write, left = Outputs.write, iter(range(count - 1, -1, -1))

    def interrupted(self: Outputs, chunk_result: object) -> None:
        if next(left) == 0:
            raise KeyboardInterrupt
        write(self, chunk_result)  # type: ignore[arg-type]

    return interrupted


@pytest.mark.parametrize("within", ["rows", "pieces"])
def test_ctrl_c_while_a_document_is_written_repeats_no_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, within: str
) -> None:
    """What was recorded before stays: a document is read again from its beginning."""
    long = "".join(f"http://long.example/{number} words\n" for number in range(30_000))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("http://first.example/\n")
    (tmp_path / "in" / "b.txt").write_text(long)
    rows = tmp_path / "rows.jsonl"
    write, done = Outputs.write, []

    class Interrupted(Tally):
        """Ctrl-C comes when it is asked."""

        def add(self, other: Tally) -> None:
            raise KeyboardInterrupt

    def interrupted(self: Outputs, outcome: ChunkResult) -> None:
        done.append(outcome.end)
        if within == "rows" and len(done) == 2:
            self.tally = Interrupted()  # rows are written, and not counted yet
        write(self, outcome)
        if within == "pieces" and len(done) > 1 and outcome.end is None:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Outputs, "write", interrupted)
        how = RunOptions(chunk=1)
        assert run("scan", tmp_path / "in", "-o", rows, "--jobs", 1, how=how).exit_code == 130
    assert run("scan", tmp_path / "in", "-o", rows, "--resume").exit_code == 0
    found = [json.loads(line)["url"] for line in rows.read_bytes().splitlines()]
    assert found == ["http://first.example/", *(line.split()[0] for line in long.splitlines())]
