"""What `--resume` refuses: other input, other options, rows or a journal that are not as they were written."""

import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from broken_runs import NAMES, finished, folder, options, run, scan, written
from journals import change_records

__all__ = ["folder"]  # the fixture


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
        (None, ["--dialect", "rfc1738"], "begun with --dialect current, now rfc1738: "),
        (None, ["--scheme", "doi"], "begun with --scheme none, now doi: "),
        (None, ["--www"], "begun with --www off, now on: "),
        (None, ["--as", "text"], "begun with --as none, now text: "),
        (
            None,
            ["--host", "*.example", "--since", "1990"],
            "begun with --host none, now *.example; --since none, now 1990: ",
        ),
        (None, ["--exclude", "*.txt"], "begun with --exclude none, now *.txt: "),
        (None, ["in/b.txt"], "begun with paths in, now in,in/b.txt: "),
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


def older(journal: dict[str, object]) -> None:
    """The journal of a version that counted what was left out."""
    journal.pop("form", None)


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
        (older, "begun with version of urlglean 0.1.0 (form 1 of the journal), now "),
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
    change_records(journal, change)
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
