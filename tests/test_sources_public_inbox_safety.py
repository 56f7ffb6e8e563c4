"""Repositories of a stranger: they start no program, wait for nothing, and unpack to no more than the bounds."""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path

import pytest

from repositories import Repository, loose, message, repository
from urlglean.bounds import Bounds
from urlglean.records import Document, Trouble
from urlglean.sources import Taken, public_inbox

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
__all__ = ["repository"]  # the fixture


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
