"""The journal of a run: a file beside the files of the run that says whose they are, and records the progress.

    {"urlglean": "0.1.0", "paths": ["mail"], "task": {...}, "files": [...], "form": 6, ...}  what was asked for
    {"process": 1738, "host": "news", "crc32": "0e91a7c4"}                                   who writes the files
    {"opened": [[2049, 1311], [2049, 1312]], ...}                                            which files these are
    {"position": {"items": 420, ...}, "sizes": [18204, 77], "sums": [...], ...}              the progress
    ...

The progress has the size of each file, and the CRC-32 of what it holds, so that rows that are not as they were written
are told. `journal_lines` does the same for the lines.

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
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Literal
from zlib import crc32

from urlglean.errors import OutputError, ResumeError
from urlglean.output.files import (
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
from urlglean.pipeline.journal_lines import Opened, Owner, Record, Run, State, line_of, owner_of, read
from urlglean.pipeline.replaced import refuse_foreign
from urlglean.pipeline.results import Tally

Earlier = Literal["refuse", "resume", "overwrite"]
"""What to do about what an interrupted run has left: nothing, and not begin; go on with it; throw it away."""

EVERY = 2.0
"""Seconds between two lines of the journal. A run that is resumed repeats about that much work at most."""


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
                raise OutputError(f"{files[0]} is being written by another scan{owner_of(self.path)}")
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
        begun, opened, states, whole = read(self.path, data)
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
            is_written = partial(_is_written, part, at, opened, states)
            refuse_foreign(part, begun.paths if begun else (), is_written, _recorded(states, at)[0])
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

    def _add(self, record: Record) -> None:
        line, self._crc = line_of(record, self._crc)
        self._stream.write(line)
        self._stream.flush()
        os.fsync(self._stream.fileno())


def _version(run: Run) -> dict[str, object]:
    return {"version of urlglean": f"{run.urlglean} (form {run.form} of the journal)"}


def _asked(run: Run) -> dict[str, object]:
    """All that was asked for, by names for people."""
    files = dict(zip(run.contents, run.files, strict=False))
    written = {"-o": files.get("rows"), "--rejects": files.get("rejects"), "--errors": files.get("errors")}
    return {"paths": run.paths} | settings_of(run.task) | written


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
    size, told = _recorded(states, at)
    if not size:
        return file_id(part) in opened.opened[at : at + 1]
    with part.open("rb") as rows:
        return _sum(rows.fileno(), 0, size) == told


def _recorded(states: Sequence[State], at: int) -> tuple[int, int]:
    """How many octets of the run's file number `at`, from 0, were recorded last, and their CRC-32."""
    known = list(zip(states[-1].sizes, states[-1].sums, strict=False)) if states else []
    return known[at] if at < len(known) else (0, 0)


_BLOCK = 1 << 18
"""How many bytes are read at a time, of a file of rows whose sum is made: 1.7 GB/s (measured; by megabytes 1.3)."""


def _sum(descriptor: int, start: int, end: int, before: int = 0) -> int:
    """The CRC-32 of what an open file holds up to `end`, from that of what it holds up to `start`."""
    while block := os.pread(descriptor, min(_BLOCK, end - start), start):
        before = crc32(block, before)
        start += len(block)
    return before
