"""Mailboxes and folders into which another program writes while they are read."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from io import BytesIO
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from urlglean import scan
from urlglean.archive.rewrite import RewriteOptions
from urlglean.archive.rewrite_files import Source, rewrite_file
from urlglean.archive.rewrite_paths import rewrite_to_stream
from urlglean.archive.rewrite_trees import rewrite_tree
from urlglean.errors import OutputError, UnreadableError
from urlglean.pipeline.splits import items_of, located, plan, survey
from urlglean.records import Trouble
from urlglean.sources import Bundle
from urlglean.sources.changes import CHANGED, Watch
from urlglean.sources.folders import File, walk

LINES = b"a line of it\n" * 50
COUNT = 3000


def message(number: int, status: bytes = b"") -> bytes:
    """One of a mailbox. All have one length."""
    return b"From a@b Mon Dec 12 10:00:00 1994\nFrom: a@b\n%s\nsee http://h%05d.example/\n%s\n" % (
        status,
        number,
        LINES,
    )


WHOLE = b"".join(map(message, range(COUNT)))


def expunged(path: Path) -> None:
    """The first hundred messages are removed in place, and others delivered."""
    with path.open("r+b") as file:
        file.write(b"".join(map(message, range(100, COUNT + 200))))


def seen(path: Path) -> None:
    """Each message gets a field in place."""
    with path.open("r+b") as file:
        file.write(b"".join(message(number, b"Status: RO\n") for number in range(COUNT)))


def seen_later(path: Path) -> None:
    """Only messages behind the middle get a field."""
    later = COUNT // 2 + 20
    with path.open("r+b") as file:
        file.seek(later * len(message(0)))
        file.write(b"".join(message(number, b"Status: RO\n") for number in range(later, COUNT)))


def set_back(path: Path) -> None:
    """The same, and the file gets its time back, as mutt gives it."""
    os.utime(path, (800_000_000, 800_000_000))
    time.sleep(0.05)  # the clock of a file system has ticks of some milliseconds
    seen(path)
    os.utime(path, (800_000_000, 800_000_000))


def delivered(path: Path) -> None:
    """A message is appended."""
    with path.open("ab") as file:
        file.write(message(COUNT))


def touched(path: Path) -> None:
    """Nothing but its time is changed."""
    os.utime(path, (0, 0))


CHANGES = [(expunged, True), (seen, True), (set_back, True), (delivered, False), (touched, False)]
"""What is done to a mailbox, and whether it moves messages."""


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A mailbox that was written long ago."""
    path = tmp_path / "box"
    path.write_bytes(WHOLE)
    os.utime(path, (800_000_000, 800_000_000))
    return path


@pytest.mark.parametrize(("change", "is_told"), CHANGES)
def test_a_mailbox_that_is_written_anew_in_place_is_a_trouble(
    box: Path, change: Callable[[Path], None], *, is_told: bool
) -> None:
    """Messages move in it, so that some are missed or read twice. What is appended moves none."""
    troubles: list[Trouble] = []
    rows = scan(box, on_trouble=troubles.append)
    urls = [next(rows).finding.url]
    change(box)
    urls += [row.finding.url for row in rows]
    assert [trouble.cause for trouble in troubles] == [CHANGED] * is_told
    if not is_told:
        assert urls[:COUNT] == [f"http://h{number:05}.example/" for number in range(COUNT)]


@pytest.mark.parametrize(("change", "is_told"), CHANGES)
def test_a_mailbox_that_is_written_anew_between_its_ranges_is_a_trouble(
    box: Path, change: Callable[[Path], None], *, is_told: bool
) -> None:
    """A range is divided, and read, by other processes at other times."""
    splits = list(plan([str(box)], size=len(WHOLE) // 4))
    known = list(located(splits, map(survey, splits)))
    assert len(known) > 3
    assert not [item for item in items_of(known[0]) if isinstance(item, Trouble)]
    change(box)
    told = [[item for item in items_of(split) if isinstance(item, Trouble)] for split in known[1:]]
    assert all(any(item.cause == CHANGED for item in items) == is_told for items in told)


@pytest.mark.parametrize(("change", "is_told"), CHANGES)
@pytest.mark.parametrize("to_file", [False, True])
def test_a_mailbox_that_is_written_anew_meanwhile_is_not_rewritten(
    box: Path, change: Callable[[Path], None], *, to_file: bool, is_told: bool
) -> None:
    """Messages would be missing in the copy."""
    outcomes = rewrite_file(Source(box, "box"), BytesIO() if to_file else None, RewriteOptions())
    next(outcomes)
    change(box)
    with pytest.raises(OutputError, match="box was changed while it was read") if is_told else nullcontext():
        list(outcomes)


@pytest.mark.parametrize(
    ("change", "is_told"),
    [*CHANGES, (seen_later, True)],
)
def test_a_mailbox_that_is_written_anew_while_a_range_is_read_is_a_trouble(
    box: Path, change: Callable[[Path], None], *, is_told: bool
) -> None:
    """What was read of it begins in the middle of the file."""
    splits = list(plan([str(box)], size=len(WHOLE) // 4))
    items = items_of(list(located(splits, map(survey, splits)))[2])
    while not isinstance(next(items), Bundle):
        pass
    change(box)
    assert any(isinstance(item, Trouble) and item.cause == CHANGED for item in items) == is_told


@pytest.mark.parametrize("by", ["path", "stdin"])
def test_a_file_that_grows_as_it_is_read_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    """As the list in `urlglean scan . | tee list`. What was appended before its end was reached is read."""
    path = tmp_path / "list"
    line = b"see http://h.example/ and more of it" + b" word" * 200 + b"\n"
    path.write_bytes(line * 5000)
    with path.open("rb") as stdin, path.open("ab", buffering=0) as out:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stdin))
        troubles: list[Trouble] = []
        rows = scan(path if by == "path" else "-", on_trouble=troubles.append)
        found = 0
        for _ in zip(range(30_000), rows, strict=False):
            out.write(line * 3)
            found += 1
    assert 5000 < found < 30_000
    assert not troubles


def truncated(path: Path) -> None:
    """The last quarter is gone."""
    os.truncate(path, len(WHOLE) * 3 // 4)


@pytest.mark.parametrize(
    ("change", "is_told"),
    [*CHANGES, (truncated, True)],
)
def test_a_mailbox_on_stdin_is_watched_too(
    box: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None], *, is_told: bool
) -> None:
    """A shell opens it, and it may have been read in part."""
    with box.open("rb") as stdin:
        stdin.seek(len(message(0)))
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stdin))
        troubles: list[Trouble] = []
        rows = scan("-", on_trouble=troubles.append)
        assert next(rows).finding.url == "http://h00001.example/"
        change(box)
        assert sum(1 for _ in rows) > 100
        assert len(troubles) == is_told
        box.write_bytes(WHOLE)
        stdin.seek(0)
        reads = count()
        monkeypatch.setattr(
            "urlglean.archive.rewrite_paths.Watch.read", lambda watch, size: _read_and(watch, size, box, change, reads)
        )
        with pytest.raises(UnreadableError, match="changed while it was read") if is_told else nullcontext():
            list(rewrite_to_stream("-", BytesIO(), RewriteOptions()))


def _read_and(watch: Watch, size: int, path: Path, change: Callable[[Path], None], reads: Iterator[int]) -> bytes:
    block = READ(watch, size)
    if next(reads) == 1:
        change(path)
    return block


READ = Watch.read


def test_what_is_moved_from_new_to_cur_is_found_or_told(tmp_path: Path) -> None:
    """Each program that opens a Maildir does so."""
    for folder in ("cur", "new", "tmp"):
        (tmp_path / folder).mkdir()
    (tmp_path / "cur/1.a.b:2,S").write_bytes(message(1))
    (tmp_path / "new/2.a.b").write_bytes(message(2))
    found = walk(str(tmp_path), by_name=True)
    names = [next(found).path]
    (tmp_path / "new/2.a.b").rename(tmp_path / "cur/2.a.b:2,")
    names += [place.path for place in found if not isinstance(place, File) or place.one_message]
    assert [name.removeprefix(f"{tmp_path}/") for name in names] == ["cur/1.a.b:2,S", "new/2.a.b", "tmp"]
    troubles: list[Trouble] = []
    assert len(list(scan(tmp_path, on_trouble=troubles.append))) == 2
    assert not troubles


def test_a_message_that_is_renamed_while_its_folder_is_written_anew_is_told(tmp_path: Path) -> None:
    """The copy has it twice: a mail program writes the flags of a message into its name."""
    source, target = tmp_path / "in", tmp_path / "out"
    (source / "cur").mkdir(parents=True)
    target.mkdir()
    for number in range(3):
        (source / f"cur/{number}.a.b:2,").write_bytes(message(number))
    outcomes = rewrite_tree(source, target, RewriteOptions())
    found = [next(outcomes), next(outcomes)]
    (source / "cur/0.a.b:2,").rename(source / "cur/0.a.b:2,S")
    (source / "cur/dovecot.index").write_bytes(b"\0")
    found += outcomes
    told = [(outcome.path, outcome.cause) for outcome in found if isinstance(outcome, Trouble)]
    assert told == [(f"{source}/cur/0.a.b:2,S", "it has come, or got this name, in the meantime; copied as it is")]


@pytest.mark.parametrize(
    ("name", "octets", "told"),
    [
        ("4", message(4), 1),
        ("box", b"From a@b Thu Jan  1 00:00:00 1970\n" + message(4), 1),
        ("a.txt", b"<URL:http://www.example.org/\na>\n", 1),
        ("box.lock", b"1234\n", 0),
        (".mh_sequences", b"cur: 4\nsubject: 2\n", 0),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0", 0),
    ],
)
def test_mail_that_comes_while_its_folder_is_written_anew_is_told(
    tmp_path: Path, name: str, octets: bytes, told: int
) -> None:
    """It is copied as it is; so is what mail programs write besides."""
    source, target = tmp_path / "in", tmp_path / "out"
    for folder in (source, target):
        folder.mkdir()
    (source / "1").write_bytes(message(1))
    outcomes = rewrite_tree(source, target, RewriteOptions())
    found = [next(outcomes)]
    (source / name).write_bytes(octets)
    found += outcomes
    assert [outcome.path for outcome in found if isinstance(outcome, Trouble)] == [str(source / name)] * told
    assert (target / name).read_bytes() == octets


@pytest.mark.parametrize("start", [0, 4])
@pytest.mark.parametrize("by_seek", [False, True])
def test_what_a_file_has_grown_by_is_read_once(tmp_path: Path, start: int, *, by_seek: bool) -> None:
    """When all that it had at first is read, it ends where it ends then."""
    path = tmp_path / "box"
    path.write_bytes(b"0123456789")
    with path.open("rb", buffering=0) as file, path.open("ab", buffering=0) as end:
        if by_seek:
            watch = Watch(file)
            assert watch.seek(start) == start
        else:
            file.seek(start)
            watch = Watch(file, start)
        assert watch.read(20) == b"0123456789"[start:]
        end.write(b"abcde")
        assert watch.read(2) == b"ab"
        end.write(b"fghij")
        assert watch.read(20) == b"cde"
        assert watch.read(20) == b""
        assert not watch.has_changed()


def test_a_file_that_is_closed_has_not_changed(tmp_path: Path) -> None:
    """Who reads an archive in place closes it."""
    path = tmp_path / "box"
    path.write_bytes(b"0123456789")
    with path.open("rb", buffering=0) as file:
        watch = Watch(file)
        watch.read(20)
    path.write_bytes(b"9876543210")
    assert not watch.has_changed()
