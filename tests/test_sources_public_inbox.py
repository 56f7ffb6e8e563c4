"""Public-inbox archives, made by git itself: which messages are read, in which order, and what cannot be read."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from urlglean.bounds import Bounds
from urlglean.cli import main
from urlglean.errors import ResumeError
from urlglean.pipeline.inputs import Inputs, Position, Progress
from urlglean.records import Document, Trouble
from urlglean.sources import Item, Skipped, Taken, bundled, public_inbox, unbundled

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

V1_NAME = "{:02x}/" + "0" * 38


def message(number: int) -> bytes:
    """A message with a URL of its own."""
    return f"Message-ID: <{number}@h.example>\nFrom: a@b.example\n\nsee http://h.example/{number}\n".encode()


class Repository:
    """A bare repository to which commits are added, one for each change."""

    def __init__(self, path: Path) -> None:
        """Make it, without commits."""
        self.path = path
        self.git("init", "--quiet", "--bare", "--initial-branch=master", str(path))

    def git(self, *arguments: str, given: bytes = b"") -> bytes:
        """Run git."""
        environment = os.environ | {"GIT_DIR": str(self.path), "GIT_CONFIG_GLOBAL": os.devnull}
        environment |= {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        return subprocess.run(["git", *arguments], input=given, env=environment, capture_output=True, check=True).stdout

    def commit(self, *changes: tuple[str, bytes | None]) -> None:
        """Add a commit that writes files, or removes those without content."""
        has_parent = self.git("for-each-ref")
        lines = [b"commit refs/heads/master\ncommitter a <a@b.example> 1000000000 +0000\ndata 1\nx\n"]
        lines += [b"from refs/heads/master^0\n"] if has_parent else []
        for name, content in changes:
            if content is None:
                lines.append(f"D {name}\n".encode())
            else:
                lines.append(b"M 100644 inline %s\ndata %d\n%s\n" % (name.encode(), len(content), content))
        self.git("fast-import", "--quiet", given=b"".join(lines))

    def blob(self, content: bytes) -> str:
        """The name of a blob."""
        return self.git("hash-object", "--stdin", given=content).decode().strip()

    def items(self, bounds: Bounds | None = None) -> list[Item]:
        """All that is read from it."""
        return list(unbundled(bundled(str(self.path), bounds=bounds or Bounds())))

    def messages(self) -> list[bytes]:
        """The messages that are read from it."""
        return [item.data for item in self.items() if isinstance(item, Document)]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository without commits."""
    return Repository(tmp_path / "0.git")


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


def loose(repository: Repository) -> None:
    """Unpack all packs of a repository."""
    store = repository.path / "objects"
    for pack in [*store.glob("pack/*.pack")]:
        moved = pack.rename(repository.path / pack.name)
        pack.with_suffix(".idx").unlink()
        repository.git("unpack-objects", "-q", given=moved.read_bytes())
        moved.unlink()


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


def test_a_long_message_is_cut(repository: Repository) -> None:
    """At the bound of every message, with a trouble; the next one is read."""
    long = message(1) + b"x" * 5000 + b"\n"
    repository.commit(("m", long))
    repository.commit(("m", message(2)))
    items = repository.items(Bounds(document=1000, block=300))
    assert [item.data for item in items if isinstance(item, Document)] == [long[:1000], message(2)]
    (trouble,) = [item for item in items if isinstance(item, Trouble)]
    assert trouble.cause == "longer than 1,000 bytes; only those were read"


def test_the_configuration_of_a_repository_starts_no_program(repository: Repository, tmp_path: Path) -> None:
    """A stranger's repository may name programs in its configuration."""
    repository.commit(("m", message(1)))
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n", encoding="utf-8")
    program.chmod(0o755)
    names = ("core.fsmonitor", "core.pager", "core.sshCommand", "core.gitProxy", "diff.external", "gpg.program")
    for name in (*names, "core.alternateRefsCommand", "pager.rev-list", "alias.cat-file", "core.askPass"):
        repository.git("config", name, f"!{program}" if name.startswith("alias") else str(program))
    for name, value in (("log.showSignature", "true"), ("extensions.partialClone", "origin")):
        repository.git("config", name, value)
    repository.git("config", "core.repositoryFormatVersion", "1")
    repository.git("config", "remote.origin.url", "ssh://h.example/box")
    repository.git("config", "remote.origin.promisor", "true")
    loose(repository)
    blob = repository.blob(message(1))
    (repository.path / "objects" / blob[:2] / blob[2:]).unlink()
    assert any(isinstance(item, Trouble) for item in repository.items())
    assert not ran.exists()


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


@pytest.mark.parametrize("harm", ["HEAD leads nowhere", "HEAD is garbage", "broken configuration"])
def test_a_broken_repository_is_a_trouble(repository: Repository, harm: str) -> None:
    """It is not left out in silence: a catalogue would lose all that it has of it."""
    repository.commit(("m", message(1)))
    name, content = {
        "HEAD leads nowhere": ("HEAD", "ref: refs/heads/gone\n"),
        "HEAD is garbage": ("HEAD", "x\n"),
        "broken configuration": ("config", "[core\n"),
    }[harm]
    (repository.path / name).write_text(content, encoding="utf-8")
    (found,) = [item for item in repository.items() if not isinstance(item, Taken)]
    assert isinstance(found, Trouble)


@pytest.mark.parametrize("name", ["HEAD", "config", "packed-refs", "commondir"])
def test_git_never_waits_for_a_fifo(repository: Repository, name: str) -> None:
    """A repository in which one lies is a trouble."""
    repository.commit(("m", message(1)))
    (repository.path / name).unlink(missing_ok=True)
    os.mkfifo(repository.path / name)
    (found,) = repository.items()
    assert isinstance(found, Trouble)
    assert f"{name} is no file" in found.cause


def test_a_tree_of_trees_takes_no_more_memory_than_a_document(repository: Repository) -> None:
    """Ten trees within one another, each ten times, are ten thousand million files in a few kilobytes."""
    entry = b"100644 blob %s\ta" % repository.git("hash-object", "-w", "--stdin", given=message(1)).strip()
    for _ in range(10):
        names = b"".join(entry[:-1] + b"%d\n" % number for number in range(10))
        entry = b"040000 tree %s\ta" % repository.git("mktree", given=names).strip()
    tree = repository.git("mktree", given=entry[:-1] + b"ab\n").decode().strip()
    author = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    commit = repository.git(*author, "commit-tree", "-m", "x", tree).decode().strip()
    repository.git("update-ref", "refs/heads/master", commit)
    causes = [item.cause for item in repository.items() if isinstance(item, Trouble)]
    assert len(causes) == 1
    assert "out of memory" in causes[0]


def test_no_configuration_allows_a_protocol(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Older versions of git know no GIT_NO_LAZY_FETCH, and would run what a repository names."""
    monkeypatch.setattr(
        public_inbox,
        "_ENVIRONMENT",
        {name: value for name, value in public_inbox._ENVIRONMENT.items() if name != "GIT_NO_LAZY_FETCH"},
    )
    repository.commit(("m", message(1)))
    repository.commit(("m", message(2)))
    proof, blob = tmp_path / "proof", repository.blob(message(1))
    for pack in list((repository.path / "objects/pack").glob("*.pack")):
        moved = pack.rename(tmp_path / pack.name)
        repository.git("unpack-objects", "-q", given=moved.read_bytes())
    (repository.path / "objects" / blob[:2] / blob[2:]).unlink()
    with (repository.path / "config").open("a", encoding="utf-8") as config:
        config.write(
            "[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\n"
            f'[remote "origin"]\nurl = ext::touch {proof}\npromisor = true\n[protocol "ext"]\nallow = always\n'
        )
    assert [item.data for item in repository.items() if isinstance(item, Document)] == [message(2)]
    assert not proof.exists()


def bombs(repository: Repository, count: int, size: int) -> None:
    """Add messages that take next to no room in the repository."""
    for number in range(count):
        repository.commit(("m", message(number) + b"\n" * size))
    repository.git("gc", "--quiet")


def test_what_a_repository_unpacks_to_is_bounded(repository: Repository) -> None:
    """As it is for an archive: by the size of the repository, and by a number."""
    bombs(repository, 10, 100_000)
    size = sum(file.stat().st_size for file in repository.path.rglob("*") if file.is_file())
    bounds = Bounds(ratio_free=150_000, ratio=1, unpacked=450_000)
    assert size < 150_000
    *found, trouble = [item for item in repository.items(bounds) if not isinstance(item, Taken)]
    cause = "unpacks to more than {}; no more of its messages were read".format
    assert [item.member for item in found if isinstance(item, Document)] == [
        repository.blob(message(number) + b"\n" * 100_000) for number in range(2)
    ]
    assert trouble == Trouble(str(repository.path), cause("1 times its size"))
    *found, trouble = [item for item in repository.items(Bounds(unpacked=450_000)) if not isinstance(item, Taken)]
    assert len(found) == 5
    assert trouble == Trouble(str(repository.path), cause("450,000 bytes"))
    assert len(repository.items()) == 1 + 10


def test_what_is_not_kept_of_a_message_is_bounded_too(repository: Repository) -> None:
    """It is not held, but it has to be unpacked. What is kept of the message is read."""
    bombs(repository, 1, 10_000_000)
    _, long, kept, rest = repository.items(Bounds(document=1000, block=1000, ratio_free=100_000, ratio=1))
    assert isinstance(long, Trouble)
    assert isinstance(kept, Document)
    assert len(kept.data) == 1000
    assert isinstance(rest, Trouble)
    assert "unpacks to more than 1 times its size" in rest.cause


def test_what_a_repository_borrows_counts_as_its_own(repository: Repository, tmp_path: Path) -> None:
    """A clone that shares the objects of another repository has no size of its own."""
    for number in range(300):
        repository.commit(("m", message(number)))
    repository.git("gc", "--quiet")
    shared = Repository(tmp_path / "shared.git")
    (shared.path / "objects/info/alternates").write_text(f"{repository.path}/objects\n", encoding="utf-8")
    shared.git("update-ref", "refs/heads/master", repository.git("rev-parse", "HEAD").decode().strip())
    shutil.rmtree(shared.path / "hooks")
    own = sum(file.stat().st_size for file in shared.path.rglob("*") if file.is_file())
    octets = sum(len(message(number)) for number in range(300))
    bounds = Bounds(ratio_free=octets // 2, ratio=octets // (2 * own))
    assert len(shared.items(bounds)) == 1 + 300


def test_a_long_line_of_git_is_not_held() -> None:
    """A name in a tree may be of any length, and packs well."""
    lines = list(public_inbox._lines(io.BytesIO(b"a\n" + b"x" * 100_000 + b"\nb\n")))
    assert (lines[0], lines[-1]) == (b"a\n", b"b\n")
    assert max(map(len, lines)) == public_inbox._LONGEST_LINE
