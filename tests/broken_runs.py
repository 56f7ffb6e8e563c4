"""Scans that are killed before a chosen call, and what they leave: material for tests of `--resume`."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from commands import ENVIRONMENT
from urlglean.bounds import Bounds
from urlglean.cli import main
from urlglean.pipeline.run import RunOptions, Settings

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
        env=ENVIRONMENT | {"DIE_AT": die_at, "CALL": str(call)},
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
