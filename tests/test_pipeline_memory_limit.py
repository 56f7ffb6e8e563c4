"""A document that would take too much memory is given up and reported, and the run goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import soak
from commands import COMMAND, ENVIRONMENT
from urlglean import Finding, scan
from urlglean.cli import main
from urlglean.pipeline.glean import Report, cause_of, gleaned
from urlglean.pipeline.memory_limit import memory_limit
from urlglean.pipeline.options import Options
from urlglean.records import Document, Trouble
from urlglean.text.extract import Extractor

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


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """A mailbox in which the link `http://full.example/` takes more memory than there is; others stand around it."""
    whole = Extractor.whole

    def reading(self: Extractor, text: str) -> list[Finding]:
        if "full.example" in text:
            raise MemoryError
        return whole(self, text)

    monkeypatch.setattr(Extractor, "whole", reading)
    envelope = "From a@b.example Mon Dec 12 10:00:00 1994\nSubject: x\n"
    links = "".join(f"<a href=http://{name}.example/>x</a>" for name in ("before", "full", "behind"))
    messages = "\nhttp://first.example/", f"Content-Type: text/html\n\n{links}", "\nhttp://last.example/"
    return "".join(f"{envelope}{message}\n\n" for message in messages).encode()


NAMES = ["first.example", "before.example", "behind.example", "last.example"]


def test_a_link_that_takes_too_much_memory_loses_no_other(full: bytes, tmp_path: Path) -> None:
    """Neither of its message nor of others, which are read at once with it."""
    (tmp_path / "in").write_bytes(full)
    done = CliRunner().invoke(main, ["scan", str(tmp_path / "in"), "--jobs", "1", "-o", str(tmp_path / "rows.jsonl")])
    assert (done.exit_code, hosts(tmp_path)) == (2, NAMES)
    assert done.stderr.count("in[2]: part a@href: MemoryError") + done.stderr.count("in[2]: part 1: MemoryError") == 1


def test_what_takes_too_much_memory_with_others_is_read_alone(
    tmp_path: Path, full: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then there is room for it, and no trouble."""
    once, whole = iter([True]), Extractor.whole

    def reading(self: Extractor, text: str) -> list[Finding]:
        if next(once, None):
            raise MemoryError
        return whole(self, text)

    monkeypatch.setattr(Extractor, "whole", reading)
    (tmp_path / "in").write_bytes(full.replace(b"full", b"mid"))
    done = CliRunner().invoke(main, ["scan", str(tmp_path / "in"), "--jobs", "1", "-o", str(tmp_path / "rows.jsonl")])
    assert (done.exit_code, len(hosts(tmp_path))) == (0, 5)


def test_the_library_loses_no_other_either(full: bytes) -> None:
    """It has no limit of its own, but the process may have one."""
    troubles: list[Trouble] = []
    assert [found.finding.url.split("/")[2] for found in scan(full, on_trouble=troubles.append)] == NAMES
    assert [trouble.cause.partition(": ")[2].partition(":")[0] for trouble in troubles] == ["MemoryError"]


def test_what_takes_too_much_memory_between_the_parts_is_a_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The documents behind it are read."""

    def reading(document: Document, options: Options) -> Iterator[Report]:
        if b"full" in document.data:
            raise MemoryError
        yield from gleaned(document, options)

    monkeypatch.setattr("urlglean.pipeline.chunk_result.is_long", lambda _document: True)
    monkeypatch.setattr("urlglean.pipeline.chunk_result.gleaned", reading)
    for name in ("a", "full", "z"):
        (tmp_path / name).write_text(f"http://{name}.example/")
    done = CliRunner().invoke(main, ["scan", str(tmp_path), "--jobs", "1", "-o", str(tmp_path / "rows.jsonl")])
    assert (done.exit_code, hosts(tmp_path)) == (2, ["a.example", "z.example"])
    assert "full: MemoryError: it needs more memory" in done.stderr


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
    """All 100,000 findings would take 130 MB more than the 130, 145 and 280 MB that were measured."""
    (tmp_path / "in").write_bytes(b"Subject: x\n\n" + b"ws://a.b words\n" * 100_000)
    ran = soak.scan(tmp_path, "in", "-o", name, "--jobs", "1")
    assert ran.status == 0
    assert "100,000 URLs" in ran.said
    assert ran.peak < most * MB


def test_a_memory_error_that_python_lost_is_told_as_one() -> None:
    """Its patterns raise SystemError where there is no memory for what they remember."""
    assert cause_of(SystemError("error return without exception set")) == cause_of(MemoryError())
    assert cause_of(SystemError("a bug")) == "SystemError: a bug"


@pytest.mark.parametrize("size", [1 << 63, 1 << 90])
def test_a_limit_beyond_all_memory_is_none(size: int) -> None:
    """The system takes no such number."""
    with memory_limit(size):
        assert len(bytearray(1 << 20)) == 1 << 20
