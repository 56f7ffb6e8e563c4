"""Public-inbox archives: bare git repositories of mail, read by git itself.

In format v2 (public-inbox-v2-format(5)) each commit adds a message as the file `m`, or deletes one, whose octets are
then the file `d`. In format v1 the tree has a file for each message, named after its Message-ID: `ab/cdef...`, 40
hexadecimal digits. Messages are read in the order of the commits, and those that were deleted are left out.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Literal, NamedTuple, cast

from urlglean.bounds import Bounds
from urlglean.errors import UnreadableError
from urlglean.lazy import pattern
from urlglean.records import Document, Trouble
from urlglean.sources.items import Skipped, Taken
from urlglean.sources.message_file import message_of
from urlglean.sources.usage import Usage

KIND = "public-inbox"

_MARKS = frozenset({"HEAD", "objects", "refs"})
"""What lies in a bare git repository (gitrepository-layout(5))."""

_OF_TREE = pattern(rb"[0-9]{6} (?:(blob) [0-9a-f]+\t[md]|tree [0-9a-f]+\t[0-9a-f]{2})\n")
"""A line of the last tree: in format v2 the file of the last message, in v1 a folder of all messages."""
# The line of a changed file: `:100644 100644 OLD NEW M<tab>PATH`. The mode of a symbolic link is 120000.
_CHANGE = pattern(
    rb":[0-7]{6} ([0-7]{3})[0-7]{3} ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [AMDT]\t"
    rb"(?:([md])|([0-9a-f]{2}/[0-9a-f]{38,62}+))\n"
)
_FILE = b"100"
"""The first digits of the mode of a file."""

_EARLY = "git: cat-file ended before its time"

MEMORY = 512_000_000
"""Octets of memory that a git may take for data; packs are mapped, and do not count."""

_LONGEST_LINE = 1 << 12
"""Octets of a line of git that are read at once. A line that tells of a message is shorter; a name may be longer."""

_AHEAD = 64
"""How many blobs are asked for at a time: their names must fit into a pipe, which holds 4,096 octets at least."""

# Nothing in the configuration of a stranger's repository may start a program or open a connection. What a partial clone
# lacks, git would fetch; only newer versions know GIT_NO_LAZY_FETCH. What is longer than `core.bigFileThreshold` git
# does not hold in memory.
_CONFIGURATION = ("-c", "protocol.allow=never", "-c", "core.bigFileThreshold=1m")
_GIT = ("git", *_CONFIGURATION, "--no-replace-objects", "--literal-pathspecs")
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ALLOW_PROTOCOL": "",  # none, whatever `protocol.*.allow` in the configuration says
    "GIT_GRAFT_FILE": os.devnull,  # another history than that of the commits
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class _Held(NamedTuple):
    """A message in a repository: its blob, and the name of its file in format v1, else b""."""

    blob: bytes
    name: bytes


class _Change(NamedTuple):
    """A change that a commit makes: the message that it adds, and the one that it deletes."""

    added: _Held | None
    deleted: _Held | None


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
        spent = Usage(bounds, taken=_size(path))
        found = _format(path)
        if not found:
            yield Skipped(path, "a git repository that is no public-inbox")
            return
        yield Taken(path, KIND)
        if found == "v2" and _is_shallow(path):
            yield Trouble(path, "a shallow clone: the messages before its first commit are not in it")
        yield from _messages(path, spent)
    except FileNotFoundError:
        yield Trouble(path, "a git repository, and there is no program git to read it")
    except UnreadableError as error:
        yield Trouble(path, str(error))
    except OSError as error:
        yield Trouble(path, f"git: {error}")


def _format(path: str) -> Literal["v1", "v2"] | None:
    """The format of a public-inbox, by its last tree; None if the repository is none."""
    # A repository without commits, such as the `all.git` that v2 puts beside its epochs, has no tree. It has no branch
    # or tag either: where there is one, a HEAD that leads nowhere is a fault. git passes over a branch whose file is
    # broken.
    with _git(path, "for-each-ref", "--count=1") as git:
        has_branch = bool(git.stdout.read()) or any(names for _, _, names in os.walk(os.path.join(path, "refs")))  # noqa: PTH118
    if not has_branch and os.path.isfile(os.path.join(path, "HEAD")):  # noqa: PTH113, PTH118  `path` may be no text
        with _git(path, "rev-parse", "--verify", "--quiet", "HEAD", may_fail=True) as git:
            if not git.stdout.read():
                return None
    with _git(path, "ls-tree", "HEAD") as git:
        found = next(filter(None, map(_OF_TREE.fullmatch, _lines(git.stdout))), None)
        return None if found is None else "v2" if found[1] else "v1"


def _is_shallow(path: str) -> bool:
    with _git(path, "rev-parse", "--is-shallow-repository") as git:
        return git.stdout.read() == b"true\n"


def _size(path: str) -> int:
    """How many octets a repository has, with the packs of those of which it borrows objects.

    Raises:
        UnreadableError: something in it is neither a file nor a folder, such as a FIFO.
    """
    size = 0
    for folder, _, names in os.walk(path):
        for name in names:
            place = os.path.join(folder, name)  # noqa: PTH118  a Path for each object would take long
            try:
                found = os.stat(place)  # noqa: PTH116
            except OSError:
                continue
            if not stat.S_ISREG(found.st_mode):
                cause = f"in which {os.path.relpath(place, path)} is no file: git might wait for it, and for ever"
                raise UnreadableError(f"a git repository {cause}")
            size += found.st_size
    return size + sum(pack.stat().st_size for folder in _borrowed(path) for pack in folder.glob("pack/*.pack"))


def _borrowed(path: str) -> Iterator[Path]:
    """The stores of other repositories that a repository uses (`objects/info/alternates`, gitrepository-layout(5))."""
    store = Path(path, "objects")
    with suppress(OSError), (store / "info/alternates").open("rb") as alternates:
        for line in _lines(alternates):
            yield store / os.fsdecode(line.rstrip(b"\n"))


def _messages(path: str, spent: Usage) -> Iterator[Document | Trouble]:
    """The messages in the order of the commits, without those that a later commit deletes."""
    with _git(path, "rev-list", "--merges", "--max-count=1", "HEAD") as git:
        if git.stdout.read():  # public-inbox makes none
            yield Trouble(path, "its history has merges; messages that only a merge brings are not read")
    deleted = {change.deleted: number for number, change in enumerate(_changes(path)) if change.deleted}
    added = (
        change.added.blob
        for number, change in enumerate(_changes(path))
        if change.added and deleted.get(change.added, -1) <= number
    )
    with _git(path, "cat-file", "--batch", given=subprocess.PIPE) as git:
        while blobs := list(islice(added, _AHEAD)):
            git.stdin.write(b"".join(blob + b"\n" for blob in blobs))
            git.stdin.flush()
            for blob in blobs:
                _refuse_excess(spent)
                yield from _message(path, blob.decode(), git.stdout, spent)


def _message(path: str, blob: str, told: IO[bytes], spent: Usage) -> Iterator[Document | Trouble]:
    """The message that `git cat-file --batch` tells next: a line of name, type and length, the octets, a line end.

    Raises:
        UnreadableError: git has ended, or a bound was exceeded behind what is kept of the message.
    """
    head = told.readline().decode(errors="replace").split()
    if not head:
        raise UnreadableError(_EARLY)
    if head[:2] != [blob, "blob"]:
        yield Trouble(path, f"git: {' '.join(head[1:])}", blob)
        return
    length, bounds = int(head[2]), spent.bounds
    data = told.read(min(length, bounds.document))
    spent.unpacked += len(data)
    if len(data) < min(length, bounds.document):
        raise UnreadableError(_EARLY)
    if len(data) < length:
        yield Trouble(path, f"longer than {bounds.document:,} bytes; only those were read", blob)
    yield message_of(path, blob, data)
    for start in range(len(data), length, bounds.block):
        _refuse_excess(spent)
        spent.unpacked += len(told.read(min(bounds.block, length - start)))
    told.read(1)


def _refuse_excess(spent: Usage) -> None:
    """Check that what was read so far is within the bounds.

    Raises:
        UnreadableError: it is not.
    """
    if cause := spent.excess():
        raise UnreadableError(f"{cause}; no more of its messages were read")


def _lines(told: IO[bytes]) -> Iterator[bytes]:
    """The lines that git tells. Those that are too long are torn: they tell nothing that is looked for."""
    return iter(partial(told.readline, _LONGEST_LINE), b"")


def _changes(path: str) -> Iterator[_Change]:
    """What the commits change, the oldest first."""
    raw = ("diff-tree", "--stdin", "--root", "-r", "--raw", "--no-renames", "--no-commit-id", "--no-abbrev")
    with (
        _git(path, "rev-list", "--reverse", "--topo-order", "HEAD") as commits,
        _git(path, *raw, given=commits.stdout) as git,
    ):
        for line in _lines(git.stdout):
            if (found := _CHANGE.fullmatch(line)) is None:
                continue
            mode, old, new, file, name = found.groups(b"")
            added = _Held(new, name) if mode == _FILE else None
            if file == b"d":
                yield _Change(None, added)
            elif file == b"m":
                yield _Change(added, None)
            else:
                yield _Change(added, _Held(old, name))


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
    import tempfile  # noqa: PLC0415  slow to import, and few paths are repositories

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
                while pipes.stdout.read(_LONGEST_LINE):
                    pass
            if process.wait() and not may_fail:
                told.seek(0)
                last = told.read().decode(errors="replace").strip().rpartition("\n")[2]
                raise UnreadableError(f"git: {last or f'{arguments[0]} ended with status {process.returncode}'}")
        finally:
            process.kill()
            for pipe in filter(None, pipes):
                with suppress(OSError):
                    pipe.close()
            process.wait()
