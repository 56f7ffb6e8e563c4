"""Public-inbox archives, made by git itself: which messages are read, in which order, and what cannot be read."""

from __future__ import annotations

import json
import shutil
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from repositories import Repository, loose, message, repository
from urlglean.bounds import Bounds
from urlglean.cli import main
from urlglean.errors import ResumeError
from urlglean.pipeline.inputs import Inputs, Position, Progress, opened
from urlglean.records import Document, Trouble
from urlglean.sources import Skipped, Taken, bundled, unbundled
from urlglean.sources.globs import Globs

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
__all__ = ["repository"]  # the fixture

V1_NAME = "{:02x}/" + "0" * 38
TYPES = {"120000": "blob", "160000": "commit"}
"""By the mode of what is no file: the type of its object."""


def test_messages_of_v2_come_in_the_order_of_the_commits(repository: Repository) -> None:
    """Each with the repository as its path and the blob as its member."""
    for number in range(200):
        repository.commit(("m", message(number)))
    taken, *found = repository.items()
    path = str(repository.path)
    assert taken == Taken(path, "public-inbox")
    assert found == [
        Document(path, message(number), "message", repository.blob(message(number))) for number in range(200)
    ]


def test_what_v2_deletes_is_left_out(repository: Repository) -> None:
    """The file `d` holds the message that is deleted. One that is added again behind it is read, once."""
    for number in (1, 2, 3):
        repository.commit(("m", message(number)))
    repository.commit(("m", None), ("d", message(2)))
    repository.commit(("d", None), ("m", message(4)))
    assert repository.messages() == [message(number) for number in (1, 3, 4)]
    repository.commit(("m", message(2)))
    assert repository.messages() == [message(number) for number in (1, 3, 4, 2)]


def test_messages_of_v1_are_those_of_its_last_tree(repository: Repository) -> None:
    """Removed files are deleted messages; of a file that was written anew only the last form is read."""
    for number in (1, 2, 3):
        repository.commit((V1_NAME.format(number), message(number)))
    repository.commit((V1_NAME.format(2), None))
    repository.commit((V1_NAME.format(3), message(30)))
    repository.commit((V1_NAME.format(4), message(4)), (V1_NAME.format(5), message(5)))
    assert repository.messages() == [message(number) for number in (1, 30, 4, 5)]


def test_packed_repositories_are_read_too(repository: Repository) -> None:
    """As they lie on servers: one pack, and references in a file."""
    for number in range(5):
        repository.commit(("m", message(number)))
    repository.git("gc", "--quiet")
    assert repository.messages() == [message(number) for number in range(5)]


def test_an_inbox_is_read_epoch_by_epoch(tmp_path: Path) -> None:
    """`all.git` beside them has no commits of its own; the indexes are left out."""
    for epoch in (0, 1, 2, 10):
        Repository(tmp_path / "git" / f"{epoch}.git").commit(("m", message(epoch)))
    every = Repository(tmp_path / "all.git")
    (every.path / "objects/info/alternates").write_text("../../git/0.git/objects\n", encoding="utf-8")
    (tmp_path / "msgmap.sqlite3").write_bytes(b"SQLite format 3\0" + bytes(100))
    items = list(unbundled(bundled(str(tmp_path))))
    assert [item.data for item in items if isinstance(item, Document)] == [message(epoch) for epoch in (0, 1, 2, 10)]
    assert not [item for item in items if isinstance(item, Trouble)]
    assert Skipped(str(every.path), "a git repository that is no public-inbox") in items


@pytest.mark.parametrize(
    ("base", "pattern"),
    [
        *(("", each) for each in ("0.git", "0.git/", "git/", "git/0.git/", "/git/0.git", "*.git/", "**/0.git/**")),
        *(("git", each) for each in ("0.git/*", "/0.git/", "0.git")),
    ],
)
def test_a_pattern_for_a_repository_is_one_for_a_folder(tmp_path: Path, base: str, pattern: str) -> None:
    """It matches all that is in it (gitignore(5))."""
    Repository(tmp_path / "git/0.git").commit(("m", message(0)))
    (tmp_path / base / "a.eml").write_bytes(message(1))
    for globs, number in ((Globs((pattern,)), 0), (Globs((), (pattern,)), 1)):
        assert [item.data for item in documents(tmp_path / base, globs)] == [message(number)]


@pytest.mark.parametrize("pattern", ["0*", "*0", "[0-9]*", "*.eml", "0*.git", "1.git"])
def test_other_patterns_are_none_for_the_messages_of_a_repository(tmp_path: Path, pattern: str) -> None:
    """They have no names that people know. What is given itself is always read."""
    Repository(tmp_path / "git/1.git").commit(("m", message(0)))
    for globs in (Globs((pattern,)), Globs((), (pattern,))):
        (given,) = (item.data for item in documents(tmp_path / "git/1.git", globs))
        assert given == message(0)
        is_matched = pattern in {"[0-9]*", "1.git"}
        assert len(documents(tmp_path, globs)) == (is_matched if globs.include else not is_matched)


def documents(path: Path, globs: Globs) -> list[Document]:
    """What is read."""
    return [item for item in unbundled(opened([str(path)], globs=globs)) if isinstance(item, Document)]


def test_other_repositories_are_left_out(repository: Repository) -> None:
    """With a cause, and nothing of their store is taken for text."""
    assert repository.items() == [Skipped(str(repository.path), "a git repository that is no public-inbox")]
    repository.commit(("README", b"http://h.example/\n"), ("src/a", b"x\n"))
    assert repository.items() == [Skipped(str(repository.path), "a git repository that is no public-inbox")]


def test_without_git_there_is_a_trouble(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what is missing."""
    repository.commit(("m", message(1)))
    monkeypatch.setenv("PATH", "")
    (found,) = repository.items()
    assert isinstance(found, Trouble)
    assert "no program git" in found.cause


def test_a_message_that_is_lost_is_a_trouble(repository: Repository) -> None:
    """The others are read."""
    for number in (1, 2, 3):
        repository.commit(("m", message(number)))
    blob = repository.blob(message(2))
    loose(repository)
    (repository.path / "objects" / blob[:2] / blob[2:]).unlink()
    items = repository.items()
    assert [item.data for item in items if isinstance(item, Document)] == [message(1), message(3)]
    assert [item for item in items if isinstance(item, Trouble)] == [
        Trouble(str(repository.path), "git: missing", blob)
    ]


def test_a_broken_history_is_a_trouble(repository: Repository) -> None:
    """Where a commit is lost, git says so."""
    repository.commit(("m", message(1)))
    repository.commit(("m", message(2)))
    loose(repository)
    first = repository.git("rev-parse", "HEAD^").decode().strip()
    (repository.path / "objects" / first[:2] / first[2:]).unlink()
    troubles = [item.cause for item in repository.items() if isinstance(item, Trouble)]
    assert troubles
    assert all(cause.startswith("git: ") for cause in troubles)


def test_a_history_with_merges_is_a_trouble(repository: Repository) -> None:
    """Public-inbox makes none; what a merge brings is not read."""
    repository.commit(("m", message(1)))
    tree, parent = (repository.git("rev-parse", name).decode().strip() for name in ("HEAD^{tree}", "HEAD"))
    other = repository.git("commit-tree", tree, "-m", "x", "-p", parent).decode().strip()
    merge = repository.git("commit-tree", tree, "-m", "x", "-p", parent, "-p", other).decode().strip()
    repository.git("update-ref", "refs/heads/master", merge)
    items = repository.items()
    assert [item.data for item in items if isinstance(item, Document)] == [message(1)]
    assert any("merges" in item.cause for item in items if isinstance(item, Trouble))


def test_a_shallow_clone_is_a_trouble(repository: Repository, tmp_path: Path) -> None:
    """The messages before it are not there; what is there is read."""
    for number in (1, 2, 3):
        repository.commit(("m", message(number)))
    clone = tmp_path / "clone"
    repository.git("clone", "--quiet", "--bare", "--depth", "2", f"file://{repository.path}", str(clone))
    *items, last = [item for item in unbundled(bundled(str(clone))) if not isinstance(item, Taken)]
    assert any("shallow" in item.cause for item in items if isinstance(item, Trouble))
    assert isinstance(last, Document)
    assert last.data == message(3)


def test_a_shallow_clone_of_v1_lacks_nothing(repository: Repository, tmp_path: Path) -> None:
    """Its last tree has all messages."""
    for number in (1, 2, 3):
        repository.commit((V1_NAME.format(number), message(number)))
    clone = tmp_path / "clone"
    repository.git("clone", "--quiet", "--bare", "--depth", "2", f"file://{repository.path}", str(clone))
    items = [item for item in unbundled(bundled(str(clone))) if not isinstance(item, Taken)]
    assert sorted(item.data for item in items if isinstance(item, Document)) == [message(n) for n in (1, 2, 3)]
    assert len(items) == 3


def test_the_history_is_that_of_the_commits(repository: Repository) -> None:
    """Grafts would cut it off (gitrepository-layout(5))."""
    for number in (1, 2, 3):
        repository.commit(("m", message(number)))
    (repository.path / "info").mkdir(exist_ok=True)
    (repository.path / "info" / "grafts").write_bytes(repository.git("rev-parse", "HEAD"))
    assert repository.messages() == [message(number) for number in (1, 2, 3)]


@pytest.mark.parametrize("mode", ["120000", "160000"])
def test_only_files_are_messages(repository: Repository, mode: str) -> None:
    """A file may have been a symbolic link before, or a module."""
    repository.commit(("m", message(1)))
    blob = repository.git("rev-parse", "HEAD") if mode == "160000" else repository.blob(message(2)).encode()
    repository.git("hash-object", "-w", "--stdin", given=message(2))
    tree = repository.git("mktree", "--missing", given=f"{mode} {TYPES[mode]} {blob.decode().strip()}\tm\n".encode())
    commit = repository.git("commit-tree", tree.decode().strip(), "-m", "x", "-p", "HEAD")
    repository.git("update-ref", "refs/heads/master", commit.decode().strip())
    repository.commit(("m", message(3)))
    assert repository.messages() == [message(1), message(3)]


def test_of_two_equal_messages_of_v1_one_may_be_removed(repository: Repository) -> None:
    """The other one stays."""
    repository.commit((V1_NAME.format(1), message(1)))
    repository.commit((V1_NAME.format(2), message(1)))
    repository.commit((V1_NAME.format(1), None))
    assert repository.messages() == [message(1)]


def test_a_long_message_is_cut(repository: Repository) -> None:
    """At the bound of every message, with a trouble; the next one is read."""
    long = message(1) + b"x" * 5000 + b"\n"
    repository.commit(("m", long))
    repository.commit(("m", message(2)))
    items = repository.items(Bounds(document=1000, block=300))
    assert [item.data for item in items if isinstance(item, Document)] == [long[:1000], message(2)]
    (trouble,) = [item for item in items if isinstance(item, Trouble)]
    assert trouble.cause == "longer than 1,000 bytes; only those were read"


def position_behind(repository: Repository, items: int) -> Position:
    """The position of a run that has read so many items."""
    progress = Progress()
    for chunk in islice(Inputs(bundled(str(repository.path))).chunks(1), items):
        progress.add(chunk.read)
    return progress.position


def test_a_run_goes_on_behind_new_commits(repository: Repository) -> None:
    """Those are read behind what was read. Where a message was deleted that was read, the run is refused."""
    for number in (1, 2, 3):
        repository.commit(("m", message(number)))
    known = position_behind(repository, 3)
    repository.commit(("m", message(4)))
    repository.git("pack-refs", "--all")
    inputs = Inputs(bundled(str(repository.path)))
    inputs.skip([known])
    left = [item for chunk in inputs.chunks() for item in chunk.items]
    assert [item.data for item in left if isinstance(item, Document)] == [message(3), message(4)]
    repository.commit(("m", None), ("d", message(1)))
    with pytest.raises(ResumeError, match="was added or changed, or"):
        Inputs(bundled(str(repository.path))).skip([known])


def scanned(*arguments: str) -> tuple[int, str]:
    """The exit status and the output of `urlglean scan`."""
    done = CliRunner().invoke(main, ["scan", *arguments])
    return done.exit_code, done.output


def test_a_scan_tells_repository_and_blob(repository: Repository) -> None:
    """In the row; and the same rows for any number of workers."""
    for number in (1, 2):
        repository.commit(("m", message(number)))
    status, rows = scanned(str(repository.path), "--format", "jsonl")
    found = [json.loads(line) for line in rows.splitlines() if line.startswith("{")]
    assert status == 0
    assert [(row["url"], row["path"], row["member"], row["message_id"]) for row in found] == [
        (f"http://h.example/{number}", str(repository.path), repository.blob(message(number)), f"{number}@h.example")
        for number in (1, 2)
    ]
    again = scanned(str(repository.path), "--format", "jsonl", "--jobs", "2")[1]
    assert [line for line in again.splitlines() if line.startswith("{")] == rows.splitlines()[: len(found)]


def test_a_repository_that_is_named_and_left_out_is_told(repository: Repository) -> None:
    """With exit status 2."""
    status, told = scanned(str(repository.path))
    assert status == 2
    assert "a git repository that is no public-inbox" in told


@pytest.mark.parametrize(
    "harm", ["HEAD leads nowhere", "HEAD is garbage", "broken configuration", "empty branch", "NULs"]
)
def test_a_broken_repository_is_a_trouble(repository: Repository, harm: str) -> None:
    """It is not left out in silence: a catalogue would lose all that it has of it."""
    repository.commit(("m", message(1)))
    name, content = {
        "HEAD leads nowhere": ("HEAD", "ref: refs/heads/gone\n"),
        "HEAD is garbage": ("HEAD", "x\n"),
        "broken configuration": ("config", "[core\n"),
        "empty branch": ("refs/heads/master", ""),
        "NULs": ("refs/heads/master", "\0" * 41),
    }[harm]
    (repository.path / name).write_text(content, encoding="utf-8")
    (found,) = [item for item in repository.items() if not isinstance(item, Taken)]
    assert isinstance(found, Trouble)
