"""Closed or full standard streams, and full disks: rows are written, the status is right, there is no traceback."""

from __future__ import annotations

import json
import os
import resource
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from commands import COMMAND, ENVIRONMENT
from urlglean.output.files import part_of
from urlglean.pipeline.journal import journal_of

FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
BROKEN = ["2>&-", pytest.param("2>/dev/full", marks=FULL), "<&-", "<&- 2>&-"]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A text with a URL."""
    path = tmp_path / "notes"
    path.write_text("see http://a.example/1 here\n")
    return path


def shell(streams: str, *arguments: object) -> tuple[int, str, str]:
    """Runs the command with streams that a shell redirects: the status, stdout and stderr."""
    line = ["sh", "-c", f'"$@" {streams}', "sh", *COMMAND, *map(str, arguments)]
    done = subprocess.run(line, capture_output=True, text=True, check=False, env=ENVIRONMENT)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("streams", BROKEN)
def test_rows_do_not_depend_on_stdin_or_stderr(notes: Path, streams: str) -> None:
    """Neither does the status, with and without URLs, with a trouble, and with a wrong argument."""
    row = f"{notes}:1: http://a.example/1\n"
    assert shell(streams, "scan", notes)[:2] == (0, row)
    assert shell(streams, "scan", "-v", notes, notes.with_name("none"))[:2] == (2, row)
    notes.with_name("empty.txt").write_text("nothing\n")
    assert shell(streams, "scan", notes.with_name("empty.txt"))[:2] == (1, "")
    assert shell(streams, "scan", "--nope")[:2] == (2, "")
    assert shell(streams, "scan", notes, "-o", "/none/rows.txt")[:2] == (2, "")
    assert shell(streams, "check", "http://a.example/")[0] == 0
    assert shell(streams, "show", notes)[0] == 0
    assert shell(streams, "show", notes.with_name("none"))[0] == 2


@pytest.mark.parametrize("streams", [*BROKEN, ">&- 2>&- <&-"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_no_file_gets_the_number_of_a_stream(notes: Path, streams: str, jobs: int) -> None:
    """Otherwise messages would go into the rows, or a worker would read the wrong file."""
    for number in range(3):
        line = f"http://{number}.example/ {'and words ' * 26}\n"  # long lines: enough octets for two workers
        notes.with_name(f"{number}.txt").write_text(line * 2_000)
    rows, errors = notes.with_name("rows.jsonl"), notes.with_name("errors.jsonl")
    paths = [notes.with_name(f"{number}.txt") for number in range(3)]
    more = ("-v", "-o", rows, "--errors", errors, "--jobs", jobs)
    assert shell(streams, "scan", *paths, notes.with_name("none"), *more)[:2] == (2, "")
    found = [json.loads(line)["host"] for line in rows.read_bytes().splitlines()]
    assert found == [f"{number}.example" for number in range(3) for _ in range(2_000)]
    assert len(errors.read_bytes().splitlines()) == 1


def test_a_closed_stdin_that_is_asked_for_is_a_trouble(notes: Path) -> None:
    """It is asked for by `-` or by no path."""
    for arguments in (("scan",), ("scan", "-"), ("show", "-")):
        status, rows, said = shell("<&-", *arguments)
        assert (status, "http" in rows) == (2, False)
        assert said.splitlines()[0] == "urlglean: -: stdin is closed"
    assert shell("<&-", "scan", notes, "-")[:2] == (2, f"{notes}:1: http://a.example/1\n")


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["scan", "--help"], ["schemes"], ["codes"], ["check", "a:b"], ["scan"]]
)
@pytest.mark.parametrize(
    ("streams", "cause"),
    [
        pytest.param(">/dev/full", "no space left on device", marks=FULL),
        pytest.param(">/dev/full 2>&-", None, marks=FULL),
        (">&-", "it is closed"),
        (">&- 2>&-", None),
    ],
)
def test_a_failure_of_stdout_is_reported_in_one_line(
    notes: Path, arguments: list[str], streams: str, cause: str | None
) -> None:
    """This holds for help and version too; the status is 2."""
    more = [notes] if arguments == ["scan"] else []
    status, _, said = shell(streams, *arguments, *more)
    assert status == 2
    assert said == (f"urlglean: cannot write stdout: {cause}\n" if cause else "")


@pytest.mark.parametrize("arguments", ["--help", "scan --help", "--version", "codes"])
def test_a_reader_that_is_gone_is_success(arguments: str) -> None:
    """A closed pipe is success for help as for rows."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, *arguments.split()], stdout=writing, stderr=subprocess.PIPE, check=False, env=ENVIRONMENT
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def limited(*arguments: object, size: int) -> subprocess.CompletedProcess[str]:
    """Runs the command with a limit on the size of files, which fails as a full disk does."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        # Python would leave compiled modules that are cut off.
        env=ENVIRONMENT | {"PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )


def incompressible(number: int) -> Iterator[str]:
    """Names of random signs, long, so that few of them fill a packed file."""
    return (os.urandom(250).hex() for _ in range(number))


@pytest.mark.parametrize("size", [0, 900, 5000, 100_000])
@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv", "rows.db", "rows.parquet", "rejects"])
def test_a_file_that_cannot_grow_is_reported_with_its_name(notes: Path, name: str, size: int) -> None:
    """One line names it, and says how to resume if that is possible. Afterwards one can resume or begin again."""
    rows = notes.with_name(name)
    notes.write_text("".join(f"http://h.example/{name} <URL:http://:{name}/>\n" for name in incompressible(500)))
    option = "--rejects" if name == "rejects" else "-o"
    done = limited("scan", notes, option, rows, size=size)
    assert done.returncode == 2
    said = done.stderr.splitlines()
    told = said[0].removeprefix("urlglean: cannot write ")
    causes = ("file too large", "disk I/O error")
    assert told.startswith(tuple(f"{path}: {cause}" for path in (rows, journal_of(rows)) for cause in causes))
    assert len(said) == 1
    assert not rows.exists()
    resumable = name in {"rows.jsonl", "rows.csv"} and part_of(rows).exists()
    assert told.endswith("--resume continues") == resumable
    more = ["--resume"] if resumable else ["--overwrite"]
    assert limited("scan", notes, option, rows, *more, size=1 << 30).returncode == 0
    assert rows.stat().st_size > 100_000
    assert not part_of(rows).exists()


def test_nothing_is_left_of_a_page_that_cannot_grow(notes: Path) -> None:
    """One line names it. Then the same command makes it."""
    if find_spec("pygal") is None:
        pytest.skip("no pygal")
    notes.write_text("See http://a.example/.\n")
    database, page = notes.with_name("urls.db"), notes.with_name("page.html")
    assert limited("catalog", database, notes, size=1 << 30).returncode == 0
    done = limited("report", database, "-o", page, size=33_000)
    assert (done.returncode, done.stderr) == (2, f"urlglean: cannot write {page}: file too large\n")
    assert not part_of(page).exists()
    assert limited("report", database, "-o", page, size=1 << 30).returncode == 0


def mounted() -> bool:
    """Whether this process may mount a small file system."""
    command = ["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /tmp"]
    try:
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    except OSError:
        return False


@pytest.mark.skipif(not mounted(), reason="needs a file system of its own")
@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv", "rows.db", "rows.parquet"])
@pytest.mark.parametrize("size", [4, 8, 64])
def test_a_full_disk_is_reported_in_one_line(notes: Path, name: str, size: int) -> None:
    """The line names the file, and says how to resume if that is possible."""
    notes.write_text("".join(f"http://h.example/{name}\n" for name in incompressible(500)))
    (notes.parent / "disk").mkdir()
    script = f'mount -t tmpfs -o size={size}k tmpfs disk && "$@"; status=$?; ls disk/*.part; exit $status'
    command = ["unshare", "-rm", "sh", "-c", script, "sh", *COMMAND, "scan", str(notes), "-o", f"disk/{name}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT, cwd=notes.parent)
    first, *rest = [line for line in done.stderr.splitlines() if not line.startswith("ls: ")]
    assert done.returncode == 2
    assert first.startswith(f"urlglean: cannot write disk/{name}: no space left on device")
    assert not rest
    assert first.endswith("--resume continues") == (name.endswith(("jsonl", "csv")) and "part" in done.stdout)


def test_a_closed_stdout_is_trouble_unless_rows_go_to_a_file(notes: Path) -> None:
    """If stdout is closed, rows for it would be lost."""
    shell = ["sh", "-c", '"$@" >&-', "sh", *COMMAND, "scan", str(notes)]
    closed = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert (closed.returncode, closed.stderr) == (2, "urlglean: cannot write stdout: it is closed\n")
    rows = notes.with_name("rows.txt")
    assert subprocess.run([*shell, "-o", str(rows)], capture_output=True, check=False).returncode == 0
    assert rows.read_text() == f"{notes}:1: http://a.example/1\n"


def test_a_pipe_that_closes_early_is_success(tmp_path: Path) -> None:
    """After `urlglean scan big | head -1` there is no message, and the exit status is 0."""
    big = tmp_path / "big.txt"
    big.write_text("http://a.example/\n" * 20_000)
    with subprocess.Popen(
        [*COMMAND, "scan", big], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == f"{big}:1: http://a.example/\n".encode()
        process.stdout.close()
        messages = process.stderr.read()
    assert (process.returncode, messages) == (0, b"")


@pytest.mark.parametrize("arguments", [("scan", "-"), ("check", "http://a.example/")])
def test_a_pipe_that_was_never_read_is_success(arguments: tuple[str, ...]) -> None:
    """A few rows fail only when the stream is flushed; they do not fail again when the interpreter exits."""
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as pipe:  # noqa: PTH123  a descriptor has no Path
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=b"http://a.example/\n",
            stdout=pipe,
            stderr=subprocess.PIPE,
            check=False,
            env=ENVIRONMENT,
        )
    assert (done.returncode, done.stderr) == (0, b"")


@FULL
def test_a_full_disk_is_trouble() -> None:
    """There is one message, the status is 2, and nothing fails again when the interpreter exits."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "scan"],
            input=b"http://a.example/\n",
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env=ENVIRONMENT,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"urlglean: cannot write stdout: ")
    assert done.stderr.count(b"\n") == 1
