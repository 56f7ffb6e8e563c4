"""A document that would take too much memory is given up and reported, and the run goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import soak
from commands import COMMAND, ENVIRONMENT
from urlglean.pipeline.memory_limit import memory_limit

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the system has no such limit")

MB = 1_000_000


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in a folder, with rows to rows.jsonl."""
    command = [*COMMAND, "scan", "in", "-o", "rows.jsonl", *arguments]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)


def hosts(folder: Path) -> list[str]:
    """The hosts of the rows."""
    return [json.loads(line)["host"] for line in (folder / "rows.jsonl").read_bytes().splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A mailbox of three messages; the second takes 4 octets of memory for each of its own."""
    envelope = "From a@b.example Mon Dec 12 10:00:00 1994\nSubject: x\n\n"
    large = "\U0001f600 words and words\n" * 1_000_000
    bodies = ("http://first.example/", large, "http://last.example/")
    (tmp_path / "in").write_text("".join(f"{envelope}{body}\n\n" for body in bodies), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_document_beyond_the_memory_limit_is_a_trouble(folder: Path, jobs: str) -> None:
    """The trouble has its place; the documents before and behind it are read."""
    done = run(folder, "--memory-limit", "150", "--jobs", jobs)
    assert done.returncode == 2
    assert hosts(folder) == ["first.example", "last.example"]
    assert "in[2]: MemoryError: it needs more memory than it may take (--memory-limit)\n" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("limit", ["512", "0"])
def test_with_more_memory_it_is_read(folder: Path, limit: str) -> None:
    """The default limit is enough; 0 means no limit."""
    done = run(folder, "--memory-limit", limit, "--jobs", "1")
    assert (done.returncode, hosts(folder)) == (0, ["first.example", "last.example"])


def test_the_limit_ends_with_the_block() -> None:
    """A lower limit that the process already has remains."""
    import resource  # noqa: PLC0415

    before = resource.getrlimit(resource.RLIMIT_DATA)
    with memory_limit(4_000 * MB):
        limit = resource.getrlimit(resource.RLIMIT_DATA)
        assert limit != before
        with memory_limit(5_000 * MB):
            assert resource.getrlimit(resource.RLIMIT_DATA) == limit
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
    with memory_limit(0):
        assert resource.getrlimit(resource.RLIMIT_DATA) == before


@pytest.mark.parametrize(("name", "most"), [("rows.jsonl", 220), ("rows.db", 220), ("rows.parquet", 330)])
def test_the_findings_of_a_long_message_are_not_in_memory_at_once(tmp_path: Path, name: str, most: int) -> None:
    """All 150,000 findings would take 200 MB more than the 130, 145 and 280 MB that were measured."""
    (tmp_path / "in").write_bytes(b"Subject: x\n\n" + b"ws://a.b words\n" * 150_000)
    ran = soak.scan(tmp_path, "in", "-o", name, "--jobs", "1")
    assert ran.status == 0
    assert "150,000 URLs" in ran.said
    assert ran.peak < most * MB
