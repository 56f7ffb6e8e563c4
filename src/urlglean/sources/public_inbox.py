"""Public-inbox archives: bare git repositories of mail, read by git itself.

In format v2 (public-inbox-v2-format(5)) each commit adds a message as the file `m`, or deletes one, whose octets are
then the file `d`. In format v1 the tree has a file for each message, named after its Message-ID: `ab/cdef...`, 40
hexadecimal digits. Messages are read in the order of the commits, and those that were deleted are left out.
"""

from __future__ import annotations

import os
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import IO, NamedTuple, cast

from urlglean.bounds import Bounds
from urlglean.errors import UnreadableError
from urlglean.lazy import pattern
from urlglean.records import Document, Trouble
from urlglean.sources.items import Skipped, Taken
from urlglean.sources.message_file import message_of

KIND = "public-inbox"

_MARKS = frozenset({"HEAD", "objects", "refs"})
"""What lies in a bare git repository (gitrepository-layout(5))."""

_IS_INBOX = pattern(rb"[0-9]{6} blob [0-9a-f]+\t[md]\n|[0-9]{6} tree [0-9a-f]+\t[0-9a-f]{2}\n")
# The line of a changed file: `:100644 100644 OLD NEW M<tab>PATH`.
_CHANGE = pattern(
    rb":[0-7]{6} [0-7]{6} ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([AMD])\t(?:([md])|[0-9a-f]{2}/[0-9a-f]{38,62}+)\n"
)

_EARLY = "cat-file ended before its time"

MEMORY = 512_000_000
"""Octets of memory that a git may take for data; packs are mapped, and do not count."""

_AHEAD = 64
"""How many blobs are asked for at a time: their names must fit into a pipe, which holds 4,096 octets at least."""

# Nothing in the configuration of a stranger's repository may start a program or open a connection. What a partial clone
# lacks, git would fetch; only newer versions know GIT_NO_LAZY_FETCH.
_GIT = ("git", "-c", "protocol.allow=never", "--no-replace-objects", "--literal-pathspecs")
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ALLOW_PROTOCOL": "",  # none, whatever `protocol.*.allow` in the configuration says
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class _Change(NamedTuple):
    """A change that a commit makes: the blobs of a message that it adds, and of one that it deletes."""

    added: bytes | None
    deleted: bytes | None


def is_repository(names: Iterable[str]) -> bool:
    """Whether a folder with these entries is a bare git repository."""
    return _MARKS.issubset(names)


def read_repository(path: str, bounds: Bounds) -> Iterator[Document | Skipped | Taken | Trouble]:
    """Yield the messages of a bare git repository, if it is a public-inbox; `member` is the name of the blob.

    Args:
        path: the folder of the repository.
        bounds: limits on what hostile input may use.
    """
    try:
        if special := _special(path):
            yield Trouble(path, f"a git repository in which {special} is no file: git might wait for it, and for ever")
            return
        if not _is_inbox(path):
            yield Skipped(path, "a git repository that is no public-inbox")
            return
        yield Taken(path, KIND)
        yield from _messages(path, bounds)
    except FileNotFoundError:
        yield Trouble(path, "a git repository, and there is no program git to read it")
    except (OSError, UnreadableError) as error:
        yield Trouble(path, f"git: {error}")


def _is_inbox(path: str) -> bool:
    # A repository without commits, such as the `all.git` that v2 puts beside its epochs, has no tree. It has no branch
    # or tag either: where there is one, a HEAD that leads nowhere is a fault.
    with _git(path, "for-each-ref", "--count=1") as git:
        has_commits = bool(git.stdout.read())
    if not has_commits and os.path.isfile(os.path.join(path, "HEAD")):  # noqa: PTH113, PTH118  `path` may be no text
        with _git(path, "rev-parse", "--verify", "--quiet", "HEAD", may_fail=True) as git:
            if not git.stdout.read():
                return False
    with _git(path, "ls-tree", "HEAD") as git:
        return any(_IS_INBOX.fullmatch(line) for line in git.stdout.readlines())


def _special(path: str) -> str | None:
    """The first name in a repository that is neither a file nor a folder, such as a FIFO; None if there is none."""
    for folder, _, names in os.walk(path):
        for name in names:
            place = os.path.join(folder, name)  # noqa: PTH118  a Path for each object would take long
            with suppress(OSError):
                if not stat.S_ISREG(os.stat(place).st_mode):  # noqa: PTH116
                    return os.path.relpath(place, path)
    return None


def _messages(path: str, bounds: Bounds) -> Iterator[Document | Trouble]:
    """The messages in the order of the commits, without those that a later commit deletes."""
    with _git(path, "rev-list", "--merges", "--max-count=1", "HEAD") as git:
        if git.stdout.read():  # public-inbox makes none
            yield Trouble(path, "its history has merges; messages that only a merge brings are not read")
    deleted = {change.deleted: number for number, change in enumerate(_changes(path)) if change.deleted}
    added = (
        change.added
        for number, change in enumerate(_changes(path))
        if change.added and deleted.get(change.added, -1) <= number
    )
    with _git(path, "cat-file", "--batch", given=subprocess.PIPE) as git:
        while blobs := list(islice(added, _AHEAD)):
            git.stdin.write(b"".join(blob + b"\n" for blob in blobs))
            git.stdin.flush()
            for blob in blobs:
                yield from _message(path, blob.decode(), git.stdout, bounds)


def _message(path: str, blob: str, told: IO[bytes], bounds: Bounds) -> Iterator[Document | Trouble]:
    """The message that `git cat-file --batch` tells next: a line of name, type and length, the octets, a line end.

    Raises:
        UnreadableError: git has ended.
    """
    head = told.readline().decode(errors="replace").split()
    if not head:
        raise UnreadableError(_EARLY)
    if head[:2] != [blob, "blob"]:
        yield Trouble(path, f"git: {' '.join(head[1:])}", blob)
        return
    length = int(head[2])
    data = told.read(min(length, bounds.document))
    if len(data) < min(length, bounds.document):
        raise UnreadableError(_EARLY)
    if len(data) < length:
        for start in range(len(data), length, bounds.block):
            told.read(min(bounds.block, length - start))
        yield Trouble(path, f"longer than {bounds.document:,} bytes; only those were read", blob)
    told.read(1)
    yield message_of(path, blob, data)


def _changes(path: str) -> Iterator[_Change]:
    """What the commits change, the oldest first."""
    raw = ("diff-tree", "--stdin", "--root", "-r", "--raw", "--no-renames", "--no-commit-id", "--no-abbrev")
    with (
        _git(path, "rev-list", "--reverse", "--topo-order", "HEAD") as commits,
        _git(path, *raw, given=commits.stdout) as git,
    ):
        for line in git.stdout:
            if (found := _CHANGE.fullmatch(line)) is None:
                continue
            old, new, how, file = found.groups()
            added = None if how == b"D" else new
            if file == b"d":
                yield _Change(None, added)
            elif file == b"m":
                yield _Change(added, None)
            else:
                yield _Change(added, None if how == b"A" else old)


class _Pipes(NamedTuple):
    """The pipes of a running git. There is no `stdin` unless it was started with `subprocess.PIPE`."""

    stdin: IO[bytes]
    stdout: IO[bytes]


def _bound_memory(process: int) -> None:
    """Limit the memory of a git that begins (Linux): a tree that has itself below it many times would take all."""
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource  # noqa: PLC0415  POSIX only

        hard = resource.prlimit(process, resource.RLIMIT_DATA)[1]
        most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
        resource.prlimit(process, resource.RLIMIT_DATA, (most, hard))


@contextmanager
def _git(
    path: str, *arguments: str, given: int | IO[bytes] = subprocess.DEVNULL, may_fail: bool = False
) -> Iterator[_Pipes]:
    """Run a command of git on a repository. It is killed if an exception ends the block.

    Raises:
        FileNotFoundError: there is no git.
        UnreadableError: the command failed, with the last line that it told.
    """
    command = [*_GIT, f"--git-dir={path}", *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _ENVIRONMENT
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(command, env=environment, stdin=given, stdout=subprocess.PIPE, stderr=told)  # noqa: S603
        _bound_memory(process.pid)
        pipes = _Pipes(cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout))
        try:
            if not isinstance(given, int):
                given.close()  # it belongs to this process now: the other one must learn when this one has ended
            yield pipes
            if process.stdin:
                process.stdin.close()
            if not pipes.stdout.closed:  # another git may have it
                pipes.stdout.read()
            if process.wait() and not may_fail:
                told.seek(0)
                last = told.read().decode(errors="replace").strip().rpartition("\n")[2]
                raise UnreadableError(last or f"{arguments[0]} ended with status {process.returncode}")
        finally:
            process.kill()
            for pipe in filter(None, pipes):
                with suppress(OSError):
                    pipe.close()
            process.wait()
