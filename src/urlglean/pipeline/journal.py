"""The journal of a run: a file beside its rows that says how far they go, so that a run can be gone on with.

    {"urlglean": "0.1.0", "paths": ["mail"], "task": {...}, "files": [...]}                     what was asked for
    {"position": {"items": 420, ...}, "sizes": [18204, 77], "tally": {...}, "finished": false}  how far it is
    ...

A line is added every few seconds, after what it tells of has reached the disk: of a run that was killed, the last
whole line is true of the files, which may only be longer. Items, not chunks, are counted, so that a run may go on with
another number of jobs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import BinaryIO

import msgspec
from msgspec import Struct

from urlglean.errors import ResumeError
from urlglean.output.files import part_of, sync_folder
from urlglean.pipeline.chunk_result import ScanTask, Tally
from urlglean.pipeline.inputs import Position
from urlglean.pipeline.options import Options
from urlglean.version import __version__

EVERY = 2.0
"""Seconds between two lines: at most so much work is done twice."""


class Run(Struct, frozen=True):
    """What was asked for; a run is gone on with only if nothing of it differs. `files` are written, rows first."""

    urlglean: str
    paths: tuple[str, ...]
    task: ScanTask
    files: tuple[str, ...]

    @classmethod
    def of(cls, paths: Sequence[str], task: ScanTask, files: Sequence[Path]) -> Run:
        """The run that this version of urlglean is asked for."""
        return cls(__version__, tuple(paths), task, tuple(str(path.resolve()) for path in files))


class State(Struct, frozen=True):
    """How far a run is: what it has read, the bytes that stand in each of its files, what it has counted."""

    position: Position
    sizes: tuple[int, ...]
    tally: Tally
    finished: bool = False
    """All rows are written, and only the names of the files are left to be changed."""


def journal_of(path: Path) -> Path:
    """Where the journal of a run stands whose rows go to `path`."""
    target = path.resolve()
    return target.with_name(f"{target.name}.journal")


class Journal:
    """The journal of a run that is under way."""

    def __init__(self, run: Run, files: Sequence[Path], *, resume: bool, every: float = EVERY) -> None:
        """Begin a journal, or take up the one that is there.

        Args:
            run: what is asked for.
            files: the files to be written, rows first; the journal stands beside those.
            resume: whether to go on, if there is a journal, from its last state.
            every: seconds between two lines.

        Raises:
            ResumeError: that journal is of another run, or what it tells of is not there.
            OSError: the journal cannot be read or written.
        """
        self.path = journal_of(files[0])
        self.state: State | None = None
        whole = b""
        if resume and self.path.exists():
            self.state, whole = _taken_up(self.path, run, files)
        self._stream = self.path.open("r+b" if whole else "wb")
        self._stream.truncate(len(whole))
        self._stream.seek(len(whole))
        if not whole:
            self._add(run)
            sync_folder(self.path.parent)
        self._every = every
        self._due = monotonic() + every

    @property
    def due(self) -> bool:
        """Whether the last line is old enough for another."""
        return monotonic() >= self._due

    def record(self, position: Position, tally: Tally, streams: Sequence[BinaryIO], *, finished: bool = False) -> None:
        """Say how far the run is: first the rows go to the disk, then the line that tells of them."""
        for stream in streams:
            stream.flush()
            os.fsync(stream.fileno())
        self._add(State(position, tuple(stream.tell() for stream in streams), tally, finished))
        self._due = monotonic() + self._every

    def close(self, *, finished: bool) -> None:
        """Take the journal away once the run is over; until then it stays."""
        self._stream.close()
        if finished:
            self.path.unlink()

    def _add(self, record: Run | State) -> None:
        self._stream.write(_encoded(record))
        self._stream.flush()
        os.fsync(self._stream.fileno())


def _encoded(record: Run | State) -> bytes:
    # The standard library's: it alone keeps the surrogates that stand for a file name's strange octets.
    import json  # noqa: PLC0415  here and below: a run to a pipe keeps no journal

    return json.dumps(msgspec.to_builtins(record)).encode() + b"\n"


def _compared(then: Run, now: Run) -> Iterator[tuple[str, object, object]]:
    """What was asked for then and now, each by a word for people."""
    for name, word in (("urlglean", "version of urlglean"), ("paths", "paths"), ("files", "files")):
        yield word, getattr(then, name), getattr(now, name)
    yield "--format", then.task.format, now.task.format
    yield "--time-limit", then.task.seconds, now.task.seconds
    for name in Options.__struct_fields__:
        word = _WORDS.get(name, f"--{name}")
        yield word, getattr(then.task.options, name), getattr(now.task.options, name)


_WORDS = {
    "invalid": "--rejects",
    "schemes": "--scheme",
    "bare_hosts": "--www",
    "kind": "--as",
    "bounds": "bounds",
}
"""Words for the options of a run that the command line calls otherwise, or has no option for."""


def _taken_up(path: Path, run: Run, files: Sequence[Path]) -> tuple[State | None, bytes]:
    """The last state in a journal, and the journal as far as it is whole."""
    data = path.read_bytes()
    data = data[: data.rfind(b"\n") + 1]
    if not data:
        return None, b""
    import json  # noqa: PLC0415

    first, *states = data.splitlines()
    try:
        begun = msgspec.convert(json.loads(first), Run)
        state = msgspec.convert(json.loads(states[-1]), State) if states else None
    except (ValueError, msgspec.ValidationError) as error:
        raise ResumeError(f"{path} is no journal of urlglean: {error}") from error
    others = [word for word, then, now in _compared(begun, run) if then != now]
    if others:
        raise ResumeError(f"it was begun with other {', '.join(others)}; {path} has those of then")
    if state is not None and not state.finished:
        for file, size in zip(files, state.sizes, strict=True):
            if not part_of(file).exists() or part_of(file).stat().st_size < size:
                raise ResumeError(f"{part_of(file)} holds less than was written to it")
    return state, data
