"""Repositories of mail as public-inbox keeps it, made by git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from urlglean.bounds import Bounds
from urlglean.records import Document
from urlglean.sources import Item, bundled, unbundled


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


def loose(repository: Repository) -> None:
    """Unpack all packs of a repository."""
    store = repository.path / "objects"
    for pack in [*store.glob("pack/*.pack")]:
        moved = pack.rename(repository.path / pack.name)
        pack.with_suffix(".idx").unlink()
        repository.git("unpack-objects", "-q", given=moved.read_bytes())
        moved.unlink()
