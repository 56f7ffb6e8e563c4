"""Runs that are broken off and gone on with: what is written in the end is what an undisturbed run writes."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import urlglean
from journals import with_sums, without_sums
from urlglean.bounds import Bounds
from urlglean.cli import main
from urlglean.cli.reading import summary
from urlglean.output.files import part_of
from urlglean.pipeline.results import Tally
from urlglean.pipeline.run import RunOptions, Settings
from urlglean.pipeline.scan_task import ScanTask

# Those of the script below: a run is gone on with by the bounds that it was begun with.
BOUNDS = Bounds(block=1 << 13, lookahead=1 << 11)

# As the command, but with a journal line for every few documents, and a death before the n-th call of a function.
SCRIPT = """
import os, pathlib, signal
import urlglean.cli
from urlglean.bounds import Bounds
from urlglean.pipeline.run import RunOptions, Settings
name, left = os.environ["DIE_AT"], int(os.environ["CALL"])
holder = os if name == "fsync" else pathlib.Path
call = getattr(holder, name)
def deadly(*arguments):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return call(*arguments)
if __name__ == "__main__":
    setattr(holder, name, deadly)
    run = RunOptions(chunk=1 << 13, alone=0, every=0)
    urlglean.cli.main(obj=Settings(run, Bounds(block=1 << 13, lookahead=1 << 11)))
"""

SOURCE = str(Path(urlglean.__file__).parent.parent)
NAMES = ("rows.jsonl", "rejects.jsonl", "errors.jsonl")


def filled(folder: Path) -> Path:
    """A mailbox of some hundred messages, each with a URL and a reject, and three texts, one of which is not there."""
    mail = "".join(
        f"From a@b.example Mon Dec 12 10:00:00 1994\nSubject: {number}\n\n"
        f"http://a.example/{number}\n<URL:http://:x{number}/>\n\n"
        for number in range(400)
    )
    (folder / "in").mkdir()
    (folder / "in" / "a.mbox").write_text(mail)
    (folder / "in" / "b.txt").write_text("http://b.example/\n" * 500)
    (folder / "in" / "c").symlink_to("nowhere")
    (folder / "in" / "d.txt").write_text("http://d.example/\n" * 500)
    (folder / "script.py").write_text(SCRIPT)
    return folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be scanned, beneath a folder that all runs start from: rows tell of the same paths."""
    monkeypatch.chdir(tmp_path)
    return filled(tmp_path)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run writes that nobody breaks off."""
    folder = filled(tmp_path_factory.mktemp("undisturbed"))
    assert finished(scan(folder, "whole"))[0] == 2  # the file that is not there
    whole = written(folder / "whole")
    assert set(whole) == set(NAMES)
    assert [whole[name].count(b"\n") for name in NAMES] == [1400, 400, 1]
    return whole


def options(out: str, *more: str) -> list[str]:
    """A scan of the folder into files beneath `out`."""
    rows, rejects, errors = (f"{out}/{name}" for name in NAMES)
    return ["scan", "in", "-o", rows, "--rejects", rejects, "--errors", errors, "--jobs", "1", *more]


def scan(folder: Path, out: str, *more: str, die_at: str = "fsync", call: int = 0) -> subprocess.Popen[str]:
    """The scan in a process of its own; `call` 0 is a call that never comes."""
    (folder / out).mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "script.py", *options(out, *more)],
        cwd=folder,
        env=os.environ | {"DIE_AT": die_at, "CALL": str(call), "PYTHONPATH": SOURCE},
        stderr=subprocess.PIPE,
        text=True,
    )


def run(*arguments: object, how: RunOptions | None = None) -> Result:
    """Run the command in this process."""
    given = [str(argument) for argument in arguments]
    return CliRunner().invoke(main, given, input="http://a.example/\n", obj=Settings(how or RunOptions(), BOUNDS))


def finished(process: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit status and the messages of a run."""
    with process:
        _, messages = process.communicate()
    return process.returncode, messages


def written(folder: Path) -> dict[str, bytes]:
    """All that a run has left."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_that_is_killed_again_and_again_writes_what_one_run_does(
    folder: Path, undisturbed: dict[str, bytes], jobs: str
) -> None:
    """Whenever the kill comes, no row is lost and none comes twice."""
    chance = random.Random(f"SIGKILL {jobs}")
    part = part_of(folder / "cut" / NAMES[0])
    for _ in range(3):
        held = part.stat().st_size if part.exists() else 0
        wanted = held + chance.randrange(len(undisturbed[NAMES[0]]) // 3)
        with scan(folder, "cut", "--resume", "--jobs", jobs) as process:
            while process.poll() is None and not (part.exists() and part.stat().st_size >= wanted):
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


@pytest.fixture
def broken_off(folder: Path) -> Path:
    """The folder, with a run that was killed half way."""
    assert finished(scan(folder, "cut", die_at="fsync", call=30))[0] == -signal.SIGKILL
    assert (folder / "cut" / "rows.jsonl.journal").exists()
    return folder


def change_size(folder: Path) -> None:
    """Mail has come in."""
    with (folder / "in" / "a.mbox").open("a") as mailbox:
        mailbox.write("more\n")


def change_time(folder: Path) -> None:
    """The mailbox was written over by one of its size."""
    os.utime(folder / "in" / "a.mbox", (0, 0))


def add_file(folder: Path) -> None:
    """A file has come in that is read before the others."""
    (folder / "in" / "0.txt").write_text("http://new.example/\n")


def lose_rows(folder: Path) -> None:
    """Half of the rows that the journal tells of are gone."""
    (folder / "cut" / "rows.jsonl.part").write_text("")


def change_row(folder: Path) -> None:
    """An octet of the first row is another."""
    part = folder / "cut" / "rows.jsonl.part"
    part.write_bytes(part.read_bytes().replace(b"//a.example", b"//A.example", 1))


def change_reject(folder: Path) -> None:
    """So is one of the first reject."""
    part = folder / "cut" / "rejects.jsonl.part"
    part.write_bytes(part.read_bytes().replace(b"//:x0", b"//:y0", 1))


def spoil_journal(folder: Path) -> None:
    """The journal is something else."""
    (folder / "cut" / "rows.jsonl.journal").write_text('["shopping list"]\n')


@pytest.mark.parametrize(
    ("change", "more", "cause"),
    [
        (change_size, [], "in/a.mbox was added or changed, or "),
        (change_time, [], "in/a.mbox was added or changed, or "),
        (add_file, [], "in/0.txt was added or changed, or "),
        (lose_rows, [], "holds less"),
        (change_row, [], "rows.jsonl.part is not as it was written"),
        (change_reject, [], "rejects.jsonl.part is not as it was written"),
        (spoil_journal, [], "is no journal"),
        (None, ["--dialect", "rfc1738"], "other --dialect"),
        (None, ["--scheme", "doi"], "other --scheme"),
        (None, ["--www"], "other --www"),
        (None, ["--as", "text"], "other --as"),
        (None, ["--host", "*.example", "--since", "1990"], "other --host, --since, which"),
        (None, ["--exclude", "*.txt"], "other --include or --exclude"),
        (None, ["in/b.txt"], "other paths"),
    ],
)
def test_what_cannot_be_gone_on_with_is_refused(
    broken_off: Path, change: Callable[[Path], None] | None, more: list[str], cause: str
) -> None:
    """With the cause, and what was written stays as it is."""
    folder = broken_off
    if change is not None:
        change(folder)
    before = {name: data for name, data in written(folder / "cut").items() if name.endswith(("part", "journal"))}
    refused = run(*options("cut", "--resume", *more))
    assert refused.exit_code == 2
    assert cause in refused.stderr
    assert refused.stderr.count("\n") == 1
    after = written(folder / "cut")
    assert all(before[name].startswith(after[name]) for name in before)
    assert NAMES[0] not in after


@pytest.mark.parametrize("arguments", [("-", "-o", "rows.jsonl"), ("notes.txt",)])
def test_only_files_to_files_can_be_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    """Stdin cannot be read again, nor stdout be written again."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("http://a.example/\n")
    result = run("scan", "--resume", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""


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


def older(journal: dict[str, object]) -> None:
    """The journal of a version that counted what was left out."""
    del journal["form"]


def negative(journal: dict[str, object]) -> None:
    """Sizes that no file can have."""
    if "sizes" in journal:
        journal["sizes"] = [-1, -1, -1]


def too_few(journal: dict[str, object]) -> None:
    """Sizes of two of three files."""
    if "sizes" in journal:
        journal["sizes"] = [0, 0]


def too_far(journal: dict[str, object]) -> None:
    """A position behind the end."""
    if "position" in journal:
        journal["position"] = {"items": 1 << 80, "digest": "0", "bytes": 0}


def torn_apart(journal: dict[str, object]) -> None:
    """Sizes at which no row ends."""
    if "sizes" in journal:
        journal["sizes"] = [1, 1, 0]


def finished_already(journal: dict[str, object]) -> None:
    """More rows than there are."""
    if "sizes" in journal:
        journal |= {"sizes": [1 << 40] * 3, "finished": True}


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (older, "other version of urlglean"),
        (negative, "is no journal"),
        (too_few, "tells of 2 files, not of 3"),
        (too_far, "in/a.mbox was added or changed"),
        (finished_already, "holds less"),
        (torn_apart, "rows.jsonl.part is not as it was written"),
    ],
)
def test_a_journal_that_tells_something_else_is_refused(
    broken_off: Path, change: Callable[[dict[str, object]], None], cause: str
) -> None:
    """With one line that names the file, and nothing is written."""
    journal = broken_off / "cut" / "rows.jsonl.journal"
    lines = list(map(json.loads, without_sums(journal.read_bytes()).splitlines()))
    for line in lines[:1] if change is older else lines:
        change(line)
    journal.write_bytes(with_sums("".join(f"{json.dumps(line)}\n" for line in lines).encode()))
    before = written(broken_off / "cut")
    refused = run(*options("cut", "--resume"))
    assert refused.exit_code == 2
    assert cause in refused.stderr
    assert "rows.jsonl" in refused.stderr or change is too_far
    assert refused.stderr.count("\n") == 1
    after = written(broken_off / "cut")
    assert set(after) == set(before)
    assert all(before[name].startswith(after[name]) for name in before)


@pytest.mark.parametrize("more", ["--resume", "--overwrite"])
@pytest.mark.parametrize(
    ("then", "now"),
    [
        (rb'"findings": [0-9]+', b'"findings": 7'),
        (rb'"finished": false', b'"finished": true'),
        (rb'"sizes": \[[0-9]+', b'"sizes": [0'),
        (rb'(?m)^\{"process".*\n', b""),  # a line that is gone
        (rb', "crc32": "[0-9a-f]{8}"', b""),
        (rb'\{"position".*\n', b"\0" * 64 + b"\n"),
    ],
)
def test_a_line_of_the_journal_that_is_not_as_it_was_written_is_refused(
    broken_off: Path, then: bytes, now: bytes, more: str
) -> None:
    """Though it could be read; the file is named and nothing is written."""
    journal = broken_off / "cut" / "rows.jsonl.journal"
    data = journal.read_bytes()
    changed = re.sub(then, now, data, count=1)
    assert changed != data
    journal.write_bytes(changed)
    before = written(broken_off / "cut")
    refused = run(*options("cut", more))
    assert refused.exit_code == 2
    assert refused.stderr.startswith(f"urlglean: {journal} is no journal of urlglean: line ")
    assert written(broken_off / "cut") == before


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
    assert run("scan", folder / "in", "-o", rows, "--resume").exit_code == 2
    assert [json.loads(line)["message"] for line in rows.read_bytes().splitlines()[:400]] == list(range(1, 401))


def interrupted_at(count: int) -> object:
    """`Outputs.write`, which Ctrl-C stops the n-th time."""
    from urlglean.pipeline.outputs import Outputs  # noqa: PLC0415

    write, left = Outputs.write, iter(range(count - 1, -1, -1))

    def interrupted(self: Outputs, chunk_result: object) -> None:
        if next(left) == 0:
            raise KeyboardInterrupt
        write(self, chunk_result)  # type: ignore[arg-type]

    return interrupted
