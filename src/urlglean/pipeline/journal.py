"""The journal of a run: a file beside the file of rows that records the progress, so that the run can be resumed.

    {"urlglean": "0.1.0", "paths": ["mail"], "task": {...}, "files": [...]}                     what was asked for
    {"position": {"items": 420, ...}, "sizes": [18204, 77], "tally": {...}, "finished": false}  the progress
    ...

A line is added every few seconds, after the rows that it counts have reached the disk. So if a run is killed, the last
whole line agrees with the files, except that they may be longer. The journal counts items, not chunks, so that a run
can be resumed with another number of jobs.
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
"""Seconds between two lines of the journal. A run that is resumed repeats about that much work at most."""


class Run(Struct, frozen=True):
    """What was asked for. A run is resumed only if all of this is equal. `files` are the files to write, rows first."""

    urlglean: str
    paths: tuple[str, ...]
    task: ScanTask
    files: tuple[str, ...]

    @classmethod
    def of(cls, paths: Sequence[str], task: ScanTask, files: Sequence[Path]) -> Run:
        """The record for a run of this version of urlglean."""
        return cls(__version__, tuple(paths), task, tuple(str(path.resolve()) for path in files))


class State(Struct, frozen=True):
    """The progress of a run: the position in its input, the size in bytes of each of its files, and its counts."""

    position: Position
    sizes: tuple[int, ...]
    tally: Tally
    finished: bool = False
    """Whether all rows are written, so that only the renaming of the files remains."""


def journal_of(path: Path) -> Path:
    """The path of the journal of a run that writes its rows to `path`."""
    target = path.resolve()
    return target.with_name(f"{target.name}.journal")


class Journal:
    """The open journal of a run."""

    def __init__(self, run: Run, files: Sequence[Path], *, resume: bool, every: float = EVERY) -> None:
        """Begin a journal, or continue the existing one.

        Args:
            run: what is asked for.
            files: the files to write, rows first. The journal is beside the file of rows.
            resume: whether to resume from the last state of the journal, if there is a journal.
            every: seconds between two lines.

        Raises:
            ResumeError: the journal is that of another run, or a file is missing or shorter than the journal says.
            OSError: the journal cannot be read or written.
        """
        self.path = journal_of(files[0])
        self.state: State | None = None
        whole = b""
        if resume and self.path.exists():
            self.state, whole = _last_state(self.path, run, files)
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
        """Whether it is time for another line."""
        return monotonic() >= self._due

    def record(self, position: Position, tally: Tally, streams: Sequence[BinaryIO], *, finished: bool = False) -> None:
        """Write the progress of the run: first bring the rows to the disk, then add the line about them."""
        for stream in streams:
            stream.flush()
            os.fsync(stream.fileno())
        self._add(State(position, tuple(stream.tell() for stream in streams), tally, finished))
        self._due = monotonic() + self._every

    def close(self, *, finished: bool) -> None:
        """Close the journal. Delete its file if the run is finished."""
        self._stream.close()
        if finished:
            self.path.unlink()

    def _add(self, record: Run | State) -> None:
        self._stream.write(_encoded(record))
        self._stream.flush()
        os.fsync(self._stream.fileno())


def _encoded(record: Run | State) -> bytes:
    # The standard library's encoder, because msgspec's refuses lone surrogates, which represent octets of a file name
    # that are not UTF-8.
    import json  # noqa: PLC0415  imported here and below, because a run that writes to a pipe has no journal

    return json.dumps(msgspec.to_builtins(record)).encode() + b"\n"


def _compared(then: Run, now: Run) -> Iterator[tuple[str, object, object]]:
    """For each setting: a name for people, its value in the earlier run, its value now."""
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
"""Names for the options that have another name on the command line, or no option there."""


def _last_state(path: Path, run: Run, files: Sequence[Path]) -> tuple[State | None, bytes]:
    """The last state in a journal (None if it has none), and the whole lines of the journal.

    Raises:
        ResumeError: as in `Journal`.
    """
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
        raise ResumeError(f"it was begun with other {', '.join(others)}, which are in {path}")
    if state is not None and not state.finished:
        for file, size in zip(files, state.sizes, strict=True):
            if not part_of(file).exists() or part_of(file).stat().st_size < size:
                raise ResumeError(f"{part_of(file)} holds less than was written to it")
    return state, data
