"""Many processes: the same outcomes in the same order, whatever happens to a process."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

import urlglean
from urlglean.errors import UnknownNameError, WorkerError
from urlglean.pipeline import worker_pool
from urlglean.pipeline.inputs import Chunk, Inputs, Progress, opened
from urlglean.pipeline.options import Options
from urlglean.pipeline.run import RunOptions, added_up, share_results
from urlglean.pipeline.scan_task import ScanTask
from urlglean.pipeline.shares import Share, shares
from urlglean.records import Document, Trouble
from urlglean.sources import Item, Skipped, Taken
from whole import joined

# Every Python process imports this at its start, workers too: some documents then kill or block their process.
# Restores the handling of Ctrl-C, which children ignore if the tests run in the background or by nohup.
CUSTOM = """
import os, signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)
import urlglean.pipeline.glean
read = urlglean.pipeline.glean.read
def deadly(octets, *rest):
    if b"KILL" in octets:
        os.kill(os.getpid(), signal.SIGKILL)
    if b"EXIT" in octets:
        os._exit(3)
    if b"HANG" in octets:
        open("hanging", "w").close()
        time.sleep(600)
    return read(octets, *rest)
urlglean.pipeline.glean.read = deadly
"""

# The command, but it shares even a little work.
SCRIPT = """
import urlglean.cli
from urlglean.bounds import Bounds
from urlglean.pipeline.run import RunOptions, Settings
if __name__ == "__main__":
    urlglean.cli.main(obj=Settings(RunOptions(chunk=1 << 6, alone=0), Bounds(block=1 << 10, lookahead=1 << 11)))
"""

NO_START = """
import os, sys
if "-c" in sys.orig_argv:
    os._exit(7)
"""


TWO = RunOptions(jobs=2, alone=0)
"""Two workers, even for little work."""


def message(number: int, body: str = "") -> Document:
    """A message with a URL and a reject that contain its number."""
    text = f"Subject: {number}\n\nhttp://a.example/{number}\n<URL:http://:x{number}/>\n{body}"
    return Document("p", text.encode(), "message", message=number)


def items() -> Iterator[Item]:
    """Documents of many sizes, and all other kinds of items between them."""
    yield Taken("p", "mbox")
    for number in range(1, 60):
        yield message(number, "prose\n" * (number * 7919 % 300))
        if number % 20 == 0:
            yield Trouble("q", f"torn after {number}")
            yield Skipped("r", "a picture")


def all_of(of: Iterable[Item], jobs: int, alone: int = 0) -> list[object]:
    """The outcomes of items, in small chunks."""
    return list(
        share_results(
            Inputs(of).chunks(1 << 12), ScanTask("jsonl", Options(invalid=True)), RunOptions(jobs=jobs, alone=alone)
        )
    )


def test_workers_look_for_what_is_asked_for() -> None:
    """Further schemes and hosts without a scheme are part of the task."""
    task = ScanTask("jsonl", Options(schemes=("doi",), bare_hosts=True))
    of = [message(number, "www.a.example/b or doi:10.1/c\n") for number in range(1, 60)]
    alone, shared = (
        list(share_results(Inputs(of).chunks(1 << 12), task, RunOptions(jobs=jobs, alone=0))) for jobs in (1, 2)
    )
    assert alone == shared
    rows = b"".join(chunk_result.rows for chunk_result in alone)
    assert rows.count(b'"url":"http://www.a.example/b"') == rows.count(b'"url":"doi:10.1/c"') == 59


def test_two_jobs_give_the_results_of_one() -> None:
    """Rows, rejects, notes, counts and positions are the same, in the same order."""
    alone = all_of(items(), 1)
    assert len(alone) > 8
    assert all_of(items(), 2) == alone


def test_no_more_is_read_than_the_workers_can_take() -> None:
    """Only a few chunks are in work at a time, however large the input is."""
    read = 0

    def endless() -> Iterator[Item]:
        nonlocal read
        while True:
            read += 1
            yield message(read)

    found = share_results(Inputs(endless()).chunks(0), ScanTask(), TWO)
    for number in range(1, 51):
        assert sum(portion.items for portion in next(found).read or ()) == 1
        assert read <= number + 16
    found.close()


def test_huge_documents_are_not_read_ahead() -> None:
    """Once the chunks in work exceed the bound on bytes, no more are read."""
    read = 0

    def endless() -> Iterator[Item]:
        nonlocal read
        while True:
            read += 1
            yield Document("p", bytes(1 << 25), "text")

    found = share_results(Inputs(endless()).chunks(), ScanTask(), TWO)
    for number in range(1, 4):
        assert sum(portion.items for portion in next(found).read or ()) == 1
        assert read <= number + 3
    found.close()


@pytest.mark.parametrize(("alone", "chunks"), [(0, 1), (1 << 23, 1), (1 << 23, 2), (1 << 23, 8)])
def test_little_needs_no_worker(monkeypatch: pytest.MonkeyPatch, alone: int, chunks: int) -> None:
    """Starting processes takes longer than reading a few messages, and a single chunk cannot be shared."""
    monkeypatch.setattr("urlglean.pipeline.worker_pool._Worker", None)
    found = list(
        share_results([Chunk([message(1)], size=1 << 20)] * chunks, ScanTask(), RunOptions(jobs=2, alone=alone))
    )
    assert [chunk_result.rows for chunk_result in found] == [b"p[1]:1: http://a.example/1\n"] * chunks


def test_much_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is shared as soon as the bound in bytes is reached."""
    monkeypatch.setattr("urlglean.pipeline.worker_pool._Worker", None)
    with pytest.raises(TypeError):
        list(share_results([Chunk([message(1)], size=1 << 20)] * 9, ScanTask(), RunOptions(jobs=2, alone=1 << 23)))


def test_chunks_read_ahead_are_neither_lost_nor_read_twice() -> None:
    """Some chunks are read only to find out whether there is enough work to share."""
    alone = all_of(items(), 1)
    assert len(alone) > (1 << 14) // (1 << 12)
    assert all_of(items(), 2, 1 << 14) == alone


def test_a_wrong_name_is_raised_before_anything_is_read() -> None:
    """Wrong use is not a trouble of every document."""
    with pytest.raises(UnknownNameError):
        next(share_results(iter([]), ScanTask(options=Options(dialect="rfc0")), RunOptions()))  # type: ignore[arg-type]


def scan(folder: Path, *bodies: str, custom: str = CUSTOM, to_stdout: bool = False) -> "subprocess.Popen[str]":
    """Scans a mailbox of messages with these bodies by two workers, in a session of its own."""
    mail = "".join(f"From a@b.example Mon Dec 12 10:00:00 1994\nSubject: x\n\n{body}\n\n" for body in bodies)
    (folder / "in.mbox").write_text(mail)
    (folder / "custom").mkdir()
    (folder / "custom" / "sitecustomize.py").write_text(custom)
    (folder / "script.py").write_text(SCRIPT)
    options = ["--jobs", "2", *(() if to_stdout else ("-o", "rows.jsonl")), "--errors", "errors.jsonl"]
    return subprocess.Popen(
        [sys.executable, "script.py", "scan", "in.mbox", *options],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{folder / 'custom'}{os.pathsep}{Path(urlglean.__file__).parent.parent}"},
        stdout=subprocess.PIPE if to_stdout else None,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def records(path: Path) -> list[dict[str, object]]:
    """The objects in a file of JSON lines."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_a_message_that_kills_its_process_costs_no_other(tmp_path: Path) -> None:
    """Each such message is an error with its place; the messages beside it in its chunk are read."""
    bodies = [f"http://a.example/{number}" for number in range(1, 201)]
    bodies[49], bodies[50], bodies[149] = "KILL", "EXIT", "KILL"
    with scan(tmp_path, *bodies) as process:
        _, messages = process.communicate(timeout=60)
    assert process.returncode == 2
    assert [row["message"] for row in records(tmp_path / "rows.jsonl")] == [
        number for number in range(1, 201) if number not in {50, 51, 150}
    ]
    ends = {50: "signal 9", 51: "exit status 3", 150: "signal 9"}
    assert records(tmp_path / "errors.jsonl") == [
        {"path": "in.mbox", "member": None, "message": number, "cause": f"the process that read it died ({end})"}
        for number, end in ends.items()
    ]
    assert "200 messages" in messages
    assert "3 troubles" in messages


@pytest.mark.parametrize("divided", [False, True])
def test_the_death_of_a_process_changes_no_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, divided: bool
) -> None:
    """A run that is broken off behind it can be resumed."""
    (tmp_path / "sitecustomize.py").write_text(CUSTOM)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(9):
        (folder / f"{number}").write_text("Subject: x\n\n" + ("KILL" if number == 4 else "fine"))
    task, paths = ScanTask(), [str(folder)]
    few = Inputs(opened(paths)).chunks(1 << 12)
    every: Iterable[Share] = shares(paths, task, frozenset(), 1 << 10) if divided else few
    results = list(added_up(share_results(every, task, TWO), Progress()))
    assert sum(result.tally.troubles for result in results) == 1
    alone = list(added_up(share_results(Inputs(opened(paths)).chunks(), task, RunOptions()), Progress()))
    ends, whole = ([each.end for each in some if each.end] for some in (results, alone))
    assert replace(ends[-1], marks="") == replace(whole[-1], marks="")
    assert "".join(end.marks for end in ends) == "".join(end.marks for end in whole)


def test_workers_that_do_not_start_end_the_run(tmp_path: Path) -> None:
    """There is one message with the exit status, instead of one trouble for each document."""
    with scan(tmp_path, *["http://a.example/"] * 100, custom=CUSTOM + NO_START) as process:
        _, messages = process.communicate(timeout=60)
    assert process.returncode == 2
    assert messages == "urlglean: a worker process could not start (exit status 7)\n"


def test_a_worker_that_cannot_be_started_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system may have no process left, or the interpreter may be gone."""
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(WorkerError, match=r"could not start \(No such file"):
        all_of(items(), 2)


def descriptors() -> int:
    """The number of open files, sockets and pipes of this process."""
    return len(list(Path("/dev/fd").iterdir()))


def test_a_worker_is_started_again_after_each_death(monkeypatch: pytest.MonkeyPatch) -> None:
    """No descriptor remains open after any death. Each failed start raises."""
    chunk = Chunk([message(1)])
    worker, before = worker_pool._Worker(ScanTask()), descriptors()
    for _ in range(3):
        assert joined(worker.results_of(chunk)).rows == b"p[1]:1: http://a.example/1\n"
        assert worker._running is not None
        worker._running[0].kill()
        with pytest.raises(worker_pool._DiedError, match="signal 9"):
            joined(worker.results_of(chunk))
        assert descriptors() == before
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/nowhere/python")
        for _ in range(2):
            with pytest.raises(WorkerError):
                joined(worker.results_of(chunk))
        assert descriptors() == before
    assert joined(worker.results_of(chunk)).rows
    worker.kill()
    with pytest.raises(worker_pool._DiedError, match="signal 15"):
        joined(worker.results_of(chunk))
    with pytest.raises(WorkerError, match="ended"):
        joined(worker.results_of(chunk))
    worker.stop()
    assert descriptors() == before


def test_a_run_that_is_given_up_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """No descriptor remains either, whether workers are busy, idle or starting."""
    before = descriptors()
    started: list[subprocess.Popen[bytes]] = []
    process = worker_pool._process

    def kept() -> object:
        made = process()
        started.append(made[0])
        return made

    monkeypatch.setattr(worker_pool, "_process", kept)
    for taken in range(4):
        found = share_results(Inputs(items()).chunks(1 << 10), ScanTask(), RunOptions(jobs=3, alone=0))
        for _ in range(taken):
            next(found)
        found.close()
        assert descriptors() == before
    assert started
    assert all(one.returncode is not None for one in started)


def test_output_of_a_worker_is_no_row(tmp_path: Path) -> None:
    """Its stdout goes to the null device."""
    loud = CUSTOM + "import sys\nif '-c' in sys.orig_argv:\n    print('I am here')\n"
    with scan(tmp_path, *["http://a.example/"] * 100, custom=loud, to_stdout=True) as process:
        rows, _ = process.communicate(timeout=60)
    assert (rows.count("http://a.example/"), rows.count("\n")) == (100, 100)


def test_workers_import_what_the_command_does(tmp_path: Path) -> None:
    """They do not import modules from the folder in which they start."""
    for name in ("pickle.py", "regex.py", "urlglean.py"):
        (tmp_path / name).write_text("raise SystemExit('not this one')\n")
    (tmp_path / "in.mbox").write_text("From a@b.example Mon Dec 12 10:00:00 1994\n\nhttp://a.example/\n\n" * 200_000)
    command = [sys.executable, "-P", "-m", "urlglean", "scan", "in.mbox", "--jobs", "2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == 200_000


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_an_interrupted_run(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C reaches all processes of a terminal; a kill reaches only the first.

    After a kill, a worker finishes its work, because it gets no signal. After Ctrl-C it is stopped, even if it hangs.
    """
    sign, last = ("hanging", "HANG") if number == signal.SIGINT else ("rows.jsonl.part", "http://b.example/")
    with scan(tmp_path, *["http://a.example/"] * 100, *[last] * 100) as process:
        while process.poll() is None and not (tmp_path / sign).exists():
            time.sleep(0.001)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.kill()
        try:
            _, messages = process.communicate(timeout=60)  # waits for all processes that have stderr open
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert "Traceback" not in messages
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert not (tmp_path / "rows.jsonl").exists()


# A worker dies after a number of results of a long message, unless another has died before.
DYING = """
import os, signal
import urlglean.pipeline.chunk_result as chunks
gleaned = chunks.gleaned
def deadly(document, options):
    number = 0
    for report in gleaned(document, options):
        yield report
        number += b"TWICE" in document.data or not os.path.exists("died")
        if b"DIE" in document.data and number == 3:
            open("died", "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
chunks.gleaned = deadly
"""


@pytest.mark.parametrize("mark", ["DIE", "DIE TWICE"])
def test_rows_of_a_long_message_survive_the_death_of_its_process(tmp_path: Path, mark: str) -> None:
    """The rows that it has sent are kept.

    If it dies again, there is also a trouble, and the following documents are read.
    """
    urls = [[f"http://{name}.example/{number:0600}" for number in range(9000)] for name in "abc"]
    bodies = ["\n".join(urls[0]), mark + "\n" + "\n".join(urls[1]), "\n".join(urls[2])]
    with scan(tmp_path, *bodies, custom=DYING) as process:
        process.communicate(timeout=120)
    found = [json.loads(line)["url"] for line in (tmp_path / "rows.jsonl").read_bytes().splitlines()]
    again = [url for url in found if "//b." in url]
    assert [url for url in found if "//b." not in url] == urls[0] + urls[2]
    assert again == urls[1][: len(again)]
    assert process.returncode == (2 if "TWICE" in mark else 0)
    assert (len(again) == 9000) == ("TWICE" not in mark)
    assert len(again) > 1000
