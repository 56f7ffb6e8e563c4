"""Small versions of the long runs in `soak.py`: memory, kills and hostile files, by the command itself."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

import msgspec
import pytest

import soak

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="measures and kills processes as Linux does")


class Row(msgspec.Struct):
    """The keys of a row or an error that the tests compare."""

    url: str = ""
    path: str = ""
    cause: str = ""


def lines(path: Path) -> list[Row]:
    """The lines of a file of rows or errors."""
    return [msgspec.json.decode(line, type=Row) for line in path.read_bytes().splitlines()]


def test_a_mailbox_of_a_seed_is_always_the_same_and_of_all_shapes() -> None:
    """Two runs must read the same mailbox to be compared, and every shape comes early."""
    first = list(islice(soak.messages(1), 60))
    assert first == list(islice(soak.messages(1), 60))
    marks = (
        b"good news",
        b"> > You",
        b"/library/",
        b"text/html",
        b"image/png",
        b"K\xf6ln",
        b"long.example",
        b"ratio 1:2",
    )
    assert all(any(mark in message for message in first) for mark in marks)


def test_a_mailbox_is_read_in_little_memory_by_one_process_and_by_two(tmp_path: Path) -> None:
    """Each process stays below the limit, and the rows are the same."""
    one, two = soak.run_mailbox(tmp_path, size=6 * soak.MB).values()
    assert (one.status, two.status) == (0, 0)
    assert 0 < one.peak < soak.LIMIT
    assert 0 < two.peak < soak.LIMIT
    assert soak.same(tmp_path / "1.jsonl", tmp_path / "2.jsonl")
    written = {row.url for row in lines(tmp_path / "1.jsonl")}
    # Each message has its number in its URLs; the plain messages have this URL.
    number = next(each for each, mail in enumerate(soak.messages(seed=1738), 1) if b"/pub/" in mail)
    assert f"ftp://ftp.example.org/pub/{number}" in written


def test_a_killed_run_can_be_resumed(tmp_path: Path) -> None:
    """A run that is killed twice, at any moments, ends with the rows of an undisturbed run."""
    reached = soak.run_kills(tmp_path, size=8 * soak.MB, runs=2, every=0)
    assert any(reached), "no kill came after the journal had recorded a position"
    for run in range(2):
        assert soak.same(tmp_path / "whole.jsonl", tmp_path / f"{run}.jsonl")
        assert not list(tmp_path.glob(f"{run}.jsonl.*"))


@pytest.mark.parametrize(
    ("name", "scale", "last", "causes"),
    [
        ("mime-tree", 0.05, "http://deep.example.org/", ["nested deeper than 32"]),
        ("headers", 0.02, "http://body.example.org/", ["more than 10,000 header fields"]),
        ("gzip-bomb", 0.01, "http://bomb.example.org/", ["more than 200 times its size"]),
        ("header-line", 0.04, "http://body.example.org/", ["longer than 1,048,576 octets"]),
        ("from-lines", 0.02, "http://last.example.org/", []),
        ("one-message", 0.0025, "http://one.example.org/", []),
        ("odd-files", 1, "http://last.example.org/", ["No such file or directory", "Input/output error"]),
    ],
)
def test_a_hostile_file_is_read_within_bounds(
    tmp_path: Path, name: str, scale: float, last: str, causes: list[str]
) -> None:
    """Time and memory are bounded. The URL behind the hostile part is found, and what was not read is reported."""
    ran = soak.run_hostile(tmp_path, name, scale, timeout=60)
    assert ran.status == (2 if causes else 0), ran.said
    # More than a mailbox may take, because a long message is in memory whole, with its copies.
    assert ran.peak < 2 * soak.LIMIT
    assert lines(tmp_path / "rows.jsonl")[-1].url == last
    said = lines(tmp_path / "errors.jsonl")
    assert len(said) == len(causes)
    assert all(cause in error.cause for cause, error in zip(causes, said, strict=True))


def test_fifos_and_links_are_left_out_and_named(tmp_path: Path) -> None:
    """A FIFO without a writer is not waited for, a link to a parent folder is not followed, and `-v` names both."""
    said = soak.run_hostile(tmp_path, "odd-files", timeout=60).said
    assert "in/fifo: left out: a FIFO\n" in said
    assert "in/sub/loop: left out: a symbolic link to a directory\n" in said


def test_archives_within_archives_end_somewhere(tmp_path: Path) -> None:
    """A zip of ten zips of ten zips ... is opened to a depth of six, and each unopened one is reported."""
    ran = soak.run_hostile(tmp_path, "zip-of-zips", 0.001, timeout=60)
    assert ran.status == 2
    assert ran.peak < soak.LIMIT
    assert not (tmp_path / "rows.jsonl").exists()
    causes = {error.cause for error in lines(tmp_path / "errors.jsonl")}
    assert "packed more than 6 times over" in causes


def test_same_tells_files_apart(tmp_path: Path) -> None:
    """Files differ if one is longer, or if their last bytes differ."""
    block = bytes(soak.MB)
    for name, data in (
        ("a", block + b"x"),
        ("b", block + b"x"),
        ("c", block + b"y"),
        ("d", block),
        ("e", block + b"xx"),
    ):
        (tmp_path / name).write_bytes(data)
    assert [soak.same(tmp_path / "a", tmp_path / other) for other in "abcde"] == [True, True, False, False, False]
