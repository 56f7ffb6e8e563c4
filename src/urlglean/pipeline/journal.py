"""The journal of a run: a file beside the files of the run that says whose they are, and records the progress.

    {"urlglean": "0.1.0", "paths": ["mail"], "task": {...}, "files": [...], "form": 6, ...}  what was asked for
    {"process": 1738, "host": "news", "crc32": "0e91a7c4"}                                   who writes the files
    {"opened": [[2049, 1311], [2049, 1312]], ...}                                            which files these are
    {"position": {"items": 420, ...}, "sizes": [18204, 77], "sums": [...], ...}              the progress
    ...

The progress has the size of each file, and the CRC-32 of what it holds. Each line ends with the CRC-32 of all that
stands before this value's key in the journal. So rows and lines that are not as they were written are told, and lines
that are missing.

It is there before the first of the files and gone after they have their names, so that it names every part file that a
killed run has left. It is locked as long as the run goes on. A name alone proves nothing: the journal may be forged, or
older than a file. What is no rows by its first octets, or is only deleted, must hold what was recorded, or be the file
that was opened; what lies in another folder is not deleted.

If the run can be resumed, a line is added every few seconds, after the rows that it counts have reached the disk. So if
it is killed, the last whole line agrees with the files, except that they may be longer. The journal counts items, not
chunks, so that a run can be resumed with another number of jobs.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Literal
from zlib import crc32

import msgspec
from msgspec import Meta, Struct

from urlglean.errors import OutputError, ResumeError
from urlglean.expressions import compiled
from urlglean.output.files import (
    FileId,
    file_id,
    locked,
    named_errors,
    part_of,
    refuse_other,
    refuse_written,
    remove_part,
    sync_folder,
)
from urlglean.output.packing import RowStream
from urlglean.pipeline.differences import differences, settings_of
from urlglean.pipeline.inputs import Position
from urlglean.pipeline.replaced import refuse_foreign
from urlglean.pipeline.results import Tally
from urlglean.pipeline.scan_task import ScanTask
from urlglean.version import __version__

Earlier = Literal["refuse", "resume", "overwrite"]
"""What to do about what an interrupted run has left: nothing, and not begin; go on with it; throw it away."""

EVERY = 2.0
"""Seconds between two lines of the journal. A run that is resumed repeats about that much work at most."""


_FORM = 6
"""The form of the journal: what its positions count, and how its lines end."""


class Run(Struct, frozen=True):
    """What was asked for. A run is resumed only if all of this is equal.

    Attributes:
        urlglean: the version that runs.
        paths: what is read.
        task: the settings.
        files: the absolute paths of the files to write, rows first.
        form: the form of the journal.
        contents: what is written to each of the files: "rows", "rejects" or "errors".
    """

    urlglean: str
    paths: tuple[str, ...]
    task: ScanTask
    files: tuple[Annotated[str, Meta(pattern=r"\A/[^\0]*\Z")], ...]
    form: int = 1
    contents: tuple[str, ...] = ()

    @classmethod
    def of(cls, paths: Sequence[str], task: ScanTask, files: Mapping[str, Path]) -> Run:
        """The record for a run of this version of urlglean. `files` are by their content, rows first."""
        places = tuple(str(path.resolve()) for path in files.values())
        return cls(__version__, tuple(paths), task, places, _FORM, tuple(files))


class Owner(Struct, frozen=True):
    """The process that writes the files of a run, and the name of its machine."""

    process: int
    host: str


class Opened(Struct, frozen=True):
    """The identities of the part files. Each was empty, or of this run, when it was opened."""

    opened: tuple[FileId | None, ...]


class State(Struct, frozen=True):
    """The progress of a run: the position in its input, the size in bytes and the CRC-32 of each file, its counts."""

    position: Position
    sizes: tuple[Annotated[int, Meta(ge=0)], ...]
    sums: tuple[int, ...]
    tally: Tally
    finished: bool = False
    """Whether all rows are written, so that only the renaming of the files remains."""


def journal_of(path: Path) -> Path:
    """The path of the journal of a run that writes its rows to `path`."""
    target = path.resolve()
    return target.with_name(f"{target.name}.journal")


class Journal:
    """The open journal of a run.

    Attributes:
        path: its path.
        positions: those of the earlier run that is resumed, in order.
        state: the last state of the earlier run; None if this run begins anew.
        resumable: whether the run can be resumed, so that its progress is recorded.
        begins_anew: whether the run was to be resumed, but was killed before its first progress was recorded.
    """

    def __init__(
        self, run: Run, files: Sequence[Path], earlier: Earlier, *, resumable: bool, every: float = EVERY
    ) -> None:
        """Begin a journal, or continue the existing one.

        Args:
            run: what is asked for.
            files: the files to write, rows first; regular ones only. The journal is beside the first.
            earlier: what to do about an earlier run; "resume" begins anew if there is no journal, or no progress in it.
            resumable: as in the attribute.
            every: seconds between two lines.

        Raises:
            OutputError: another process writes the same files, something else has the name of the journal, or an
                earlier run has left part files and `earlier` is "refuse", or a file that the journal names is of a kind
                that no run writes.
            ResumeError: the journal is that of another run, or a file is missing or shorter than the journal says.
            OSError: the journal cannot be read or written.
        """
        self.path = journal_of(files[0])
        self._files, self.resumable = files, resumable
        self._sizes = self._sums = (0,) * len(files)  # a resumed run reads the rows once more for its first line
        self.state: State | None = None
        self.positions: tuple[Position, ...] = ()
        self.begins_anew = self._opened = False
        self._crc = 0
        with named_errors(self.path):
            descriptor = locked(self.path)
            if descriptor is None:
                raise OutputError(f"{files[0]} is being written by another scan{_owner(self.path)}")
            self._stream = open(descriptor, "r+b")  # noqa: PTH123, SIM115  a descriptor; `close` closes it
            try:
                self._begin(run, files, earlier)
            except BaseException:
                if not os.fstat(descriptor).st_size:
                    self.path.unlink()
                self._stream.close()
                raise
        self._every = every
        self._due = monotonic() + every

    def _begin(self, run: Run, files: Sequence[Path], earlier: Earlier) -> None:
        data = self._stream.read()
        begun, opened, states, whole = _read(self.path, data)
        # A copy of a journal tells of the files of another run, which may go on.
        self._named = begun.files if begun and begun.files[:1] == run.files[:1] else ()
        parts = [part_of(Path(name)) for name in self._named]
        self.begins_anew = earlier == "resume" and bool(data) and not states
        if begun and earlier == "resume":
            _check(begun, run, states, files, self.path)
            self.positions = tuple(state.position for state in states)
            self.state = states[-1] if states else None
        else:
            left = [str(part) for part in parts if part.exists()]
            if (left or states) and earlier != "overwrite":
                resume = "--resume continues it, " if self.resumable else ""
                held = ", ".join([*left, f"{self.path} are of" if left else f"{self.path} is of"])
                raise OutputError(f"{held} an interrupted scan: {resume}--overwrite begins anew")
            whole = 0
        for path in files:  # before the journal names them
            if not self.names(path):
                refuse_written(path)
                refuse_other(part_of(path))
        for at, part in enumerate(parts):
            refuse_foreign(part, begun.paths if begun else (), partial(_is_written, part, at, opened, states))
        if not whole:
            wanted = set(map(part_of, files))
            for at, part in enumerate(parts):  # as long as the journal names them
                if part not in wanted and self._may_remove(part, at, opened, states):
                    remove_part(part)
        self._kept, self._recorded = whole, False
        self._crc = crc32(data[:whole])
        self._stream.truncate(whole)
        self._stream.seek(whole)
        if not whole:
            self._add(run)
        self._add(Owner(os.getpid(), os.uname().nodename))
        sync_folder(self.path.parent)

    def _may_remove(self, part: Path, at: int, opened: Opened, states: Sequence[State]) -> bool:
        """Whether to delete the part file of an earlier run that has no use for this one.

        Who has put a forged journal into a folder could have deleted what lies there, but not what lies elsewhere.
        """
        if part.parent != self.path.parent or not part.exists():
            return False
        return not part.stat().st_size or _is_written(part, at, opened, states)

    def names(self, path: Path) -> bool:
        """Whether the journal of an earlier run names a file, so that its part file is that of this program."""
        return str(path.resolve()) in self._named

    def open(self) -> None:
        """Record which files are those of the run: all are open, and nothing is written to a new one yet."""
        self._add(Opened(tuple(file_id(part_of(path)) for path in self._files)))
        self._opened = True

    @property
    def due(self) -> bool:
        """Whether it is time for another line."""
        return monotonic() >= self._due

    def record(self, position: Position, tally: Tally, streams: Sequence[RowStream], *, finished: bool = False) -> None:
        """Write the progress of a run that can be resumed: bring the rows to the disk, then add the line about them."""
        known: list[tuple[int, int]] = []
        for path, stream, size, before in zip(self._files, streams, self._sizes, self._sums, strict=True):
            with named_errors(path):
                stream.flush()
                os.fsync(stream.fileno())
                known.append((stream.tell(), _sum(stream.fileno(), size, stream.tell(), before)))
        self._sizes, self._sums = zip(*known, strict=True)
        with named_errors(self.path):
            self._add(State(position, self._sizes, self._sums, tally, finished))
        self._recorded = True
        self._due = monotonic() + self._every

    def close(self, *, finished: bool) -> None:
        """Close the journal. Delete its file if the run is finished, or has left no file.

        A resumed run that recorded nothing leaves the journal as it was.
        """
        left = self._opened and any(part_of(path).exists() for path in self._files)
        if finished or not (self._recorded or self._kept or left):
            self.path.unlink()  # while it is locked
        elif self._kept and not self._recorded:
            self._stream.truncate(self._kept)
        self._stream.close()

    def _add(self, record: Run | Owner | Opened | State) -> None:
        line, self._crc = _summed(_encoded(record), self._crc)
        self._stream.write(line)
        self._stream.flush()
        os.fsync(self._stream.fileno())


def _encoded(record: Run | Owner | Opened | State) -> bytes:
    # The standard library's encoder, because msgspec's refuses lone surrogates, which represent octets of a file name
    # that are not UTF-8.
    import json  # noqa: PLC0415  imported here and below, because a run that writes to a pipe has no journal

    return json.dumps(msgspec.to_builtins(record)).encode()


def _summed(record: bytes, before: int) -> tuple[bytes, int]:
    """The line for a record that follows what has this CRC-32, and the CRC-32 with it."""
    crc = crc32(record[:-1], before)
    line = record[:-1] + b', "crc32": "%08x"}\n' % crc
    return line, crc32(line, before)


_LINE = compiled(rb'(\{.*), "crc32": "([0-9a-f]{8})"\}\n')


def _checked(data: bytes) -> None:
    """Check that each line is as it was written, behind those before it.

    Raises:
        ValueError: one is not.
    """
    crc = 0
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        found = _LINE.fullmatch(line)
        if not found or _summed(found[1] + b"}", crc)[0] != line:
            raise ValueError(f"line {number} is not as it was written")
        crc = crc32(line, crc)


def _version(run: Run) -> dict[str, object]:
    return {"version of urlglean": f"{run.urlglean} (form {run.form} of the journal)"}


def _asked(run: Run) -> dict[str, object]:
    """All that was asked for, by names for people."""
    files = dict(zip(run.contents, run.files, strict=False))
    written = {"-o": files.get("rows"), "--rejects": files.get("rejects"), "--errors": files.get("errors")}
    return {"paths": run.paths} | settings_of(run.task) | written


_MARK = b'{"urlglean": "'
"""How every journal begins."""


def _read(path: Path, data: bytes) -> tuple[Run | None, Opened, list[State], int]:
    """What a journal holds: its run, the files last opened, its states, and the size in bytes of its whole lines.

    The run is None if the process died before it was written.

    Raises:
        OutputError: it is no journal.
    """
    if not data.startswith(_MARK[: len(data)]):
        raise OutputError(f"{path} is there, and is no journal of urlglean: move it away")
    data = data[: data.rfind(b"\n") + 1]
    if not data:
        return None, Opened(()), [], 0
    import json  # noqa: PLC0415

    first, *others = data.splitlines()
    try:
        _checked(data)
        run = msgspec.convert(json.loads(first), Run)
        later: list[dict[str, Any]] = [json.loads(line) for line in others]
        opened = [msgspec.convert(line, Opened) for line in later if "opened" in line]
        states = [msgspec.convert(line, State) for line in later if "position" in line]
        return run, opened[-1] if opened else Opened(()), states, len(data)
    except (ValueError, TypeError, OverflowError, RecursionError, msgspec.ValidationError) as error:
        raise OutputError(f"{path} is no journal of urlglean: {error}; move it away") from error


def _owner(path: Path) -> str:
    """Who writes the files of a run, for people; "" if its journal does not say so yet."""
    import json  # noqa: PLC0415

    owner = None
    for line in path.read_bytes().splitlines()[1:]:
        try:
            owner = msgspec.convert(json.loads(line), Owner)
        except (ValueError, msgspec.ValidationError):
            continue
    return f" (process {owner.process} on {owner.host})" if owner else ""


def _check(begun: Run, run: Run, states: Sequence[State], files: Sequence[Path], journal: Path) -> None:
    """Check that a run can be resumed.

    Raises:
        ResumeError: it is another run, or a file is missing, shorter than the journal says, or not as it was written.
    """
    # What a journal of another version tells of may be something else.
    if others := differences(_version(begun), _version(run)) or differences(_asked(begun), _asked(run)):
        raise ResumeError(f"{files[0]} was begun with {'; '.join(others)}: --overwrite begins anew")
    if not states:
        return
    for state in states:
        if not len(state.sizes) == len(state.sums) == len(files):
            raise ResumeError(f"{journal} tells of {len(state.sizes)} files, not of {len(files)}")
    for file, size, told in zip(files, states[-1].sizes, states[-1].sums, strict=True):
        held = part_of(file)
        if states[-1].finished and not held.exists():  # it has its name already
            held = file
        if size > (held.stat().st_size if held.exists() else 0):
            raise ResumeError(f"{held} holds less than was written to it, by {journal}; --overwrite begins anew")
        if size:
            with held.open("rb") as rows:
                found = _sum(rows.fileno(), 0, size)
            if found != told:
                raise ResumeError(
                    f"{held} is not as it was written: {journal} tells of other octets; --overwrite begins anew"
                )


def _is_written(part: Path, at: int, opened: Opened, states: Sequence[State]) -> bool:
    """Whether what a part file holds is that of the run: as was recorded of the run's file number `at`, from 0.

    If no octet of it was recorded yet, it must be the file that the run had open.
    """
    recorded = list(zip(states[-1].sizes, states[-1].sums, strict=False)) if states else []
    for size, told in filter(any, recorded[at : at + 1]):
        with part.open("rb") as rows:
            return _sum(rows.fileno(), 0, size) == told
    return file_id(part) in opened.opened[at : at + 1]


_BLOCK = 1 << 18
"""How many bytes are read at a time, of a file of rows whose sum is made: 1.7 GB/s (measured; by megabytes 1.3)."""


def _sum(descriptor: int, start: int, end: int, before: int = 0) -> int:
    """The CRC-32 of what an open file holds up to `end`, from that of what it holds up to `start`."""
    while block := os.pread(descriptor, min(_BLOCK, end - start), start):
        before = crc32(block, before)
        start += len(block)
    return before
