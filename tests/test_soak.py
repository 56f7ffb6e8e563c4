"""Small versions of the long runs in `soak.py`: memory, kills and hostile files, through the command itself."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

import msgspec
import pytest

import soak

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="measures and kills processes as Linux does")


class Row(msgspec.Struct):
    """What is looked at of a row, or of an error."""

    url: str = ""
    path: str = ""
    cause: str = ""


def lines(path: Path) -> list[Row]:
    """The lines of a file of rows or errors."""
    return [msgspec.json.decode(line, type=Row) for line in path.read_bytes().splitlines()]


def test_a_mailbox_of_a_seed_is_always_the_same_and_of_all_shapes() -> None:
    """What one run is compared with must be what another has read; every shape comes early."""
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
    # Each message has its number in its URLs, and the plain ones have this one.
    number = next(each for each, mail in enumerate(soak.messages(seed=1738), 1) if b"/pub/" in mail)
    assert f"ftp://ftp.example.org/pub/{number}" in written


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """Whenever it is killed, and killed again, it ends with what an undisturbed run writes."""
    reached = soak.run_kills(tmp_path, size=8 * soak.MB, runs=2, every=0)
    assert any(reached), "no kill came while the journal told of something"
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
def test_a_hostile_file_is_read_as_far_as_it_may_be(
    tmp_path: Path, name: str, scale: float, last: str, causes: list[str]
) -> None:
    """Within a bound of time and memory; the URL behind what is hostile is found, and what was not read is said."""
    ran = soak.run_hostile(tmp_path, name, scale, timeout=60)
    assert ran.status == (2 if causes else 0), ran.said
    # A text that is not in a mailbox is held whole, and so is what a bomb unpacks to, up to 64 MiB.
    assert ran.peak < 2 * soak.LIMIT
    assert lines(tmp_path / "rows.jsonl")[-1].url == last
    said = lines(tmp_path / "errors.jsonl")
    assert len(said) == len(causes)
    assert all(cause in error.cause for cause, error in zip(causes, said, strict=True))


def test_what_is_no_file_is_left_out_by_name(tmp_path: Path) -> None:
    """A FIFO, which nobody writes to, and a link back up are not waited for nor followed, and -v says so."""
    said = soak.run_hostile(tmp_path, "odd-files", timeout=60).said
    assert "in/fifo: left out: a FIFO\n" in said
    assert "in/sub/loop: left out: a symbolic link to a directory\n" in said


def test_archives_within_archives_end_somewhere(tmp_path: Path) -> None:
    """A zip of ten zips of ten zips ... is opened six times over (README, Limits), and each that was not is said."""
    ran = soak.run_hostile(tmp_path, "zip-of-zips", 0.001, timeout=60)
    assert ran.status == 2
    assert ran.peak < soak.LIMIT
    assert not (tmp_path / "rows.jsonl").exists()
    causes = {error.cause for error in lines(tmp_path / "errors.jsonl")}
    assert "packed more than 6 times over" in causes


def test_same_tells_files_apart(tmp_path: Path) -> None:
    """One that is longer, and one that differs in its last byte, are not the same."""
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
