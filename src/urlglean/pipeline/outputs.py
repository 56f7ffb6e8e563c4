"""Writes the files of a run: rows, rejects, errors, and the journal by which the run can be resumed.

A file gets its name only when it is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from urlglean.errors import ResumeError
from urlglean.output import FORMATS, Sink, jsonl
from urlglean.output.files import is_row_file, part_of, row_file
from urlglean.pipeline.chunk_result import ChunkResult, ScanTask, Tally
from urlglean.pipeline.inputs import Position
from urlglean.pipeline.journal import EVERY, Journal, Run
from urlglean.records import Trouble


class Targets(Struct, frozen=True):
    """The files that were asked for. Without a file for rows, they go to stdout."""

    rows: Path | None = None
    rejects: Path | None = None
    errors: Path | None = None

    @property
    def beside(self) -> tuple[tuple[str, Path], ...]:
        """The files other than that of the rows, each with the name of its content."""
        return tuple((name, path) for name in ("rejects", "errors") if (path := getattr(self, name)) is not None)

    @property
    def files(self) -> tuple[Path, ...]:
        """All files, that of the rows first."""
        return (*filter(None, (self.rows,)), *(path for _, path in self.beside))


class Outputs:
    """The open files of a run, and its counts.

    Attributes:
        position: the position behind the last item whose rows are written.
        tally: the counts of all items up to there.
        finished: whether an earlier run has written everything already.
    """

    def __init__(self, streams: dict[str, Sink], files: Sequence[BinaryIO], journal: Journal | None) -> None:
        """Write to `streams`; `files` are those of them whose sizes go into the journal."""
        state = journal.state if journal else None
        self.position = state.position if state else Position()
        self.tally = state.tally if state else Tally()
        self.finished = bool(state and state.finished)
        self._streams, self._files, self._journal = streams, files, journal

    def write(self, outcome: ChunkResult) -> None:
        """Write the result of a chunk: its rows, and its rejects and errors if they were asked for."""
        for name, lines in (("rows", outcome.rows), ("rejects", outcome.rejects), ("errors", _errors(outcome))):
            if name in self._streams:
                self._streams[name].write(lines)
        self.tally.add(outcome.tally)
        self.position = outcome.end
        if self._journal and self._journal.due:
            self.record()

    def record(self, *, finished: bool = False) -> None:
        """If there is a journal, bring what was written to the disk and add the progress to the journal."""
        if self._journal:
            self._journal.record(self.position, self.tally, self._files, finished=finished)


def is_resumable(targets: Targets, task: ScanTask) -> bool:
    """Whether a run can be resumed after an interruption: it must write lines, and only to regular files."""
    return targets.rows is not None and FORMATS[task.format].file is None and all(map(is_row_file, targets.files))


@contextmanager
def outputs(  # noqa: PLR0913 - the files, the settings, and how to resume
    targets: Targets,
    stdout: BinaryIO | None,
    task: ScanTask,
    run: Callable[[], Run],
    *,
    resume: bool,
    every: float = EVERY,
) -> Iterator[Outputs]:
    """Open the files of a run. They get their names when the block ends; if an exception ends it, they do not.

    Such a run can be resumed if `is_resumable` says so.

    Args:
        targets: the files that were asked for.
        stdout: where rows go if there is no file for them; None if there is one.
        task: the settings of the run.
        run: returns the record of the run for the journal; called only if there is a journal.
        resume: whether to resume an earlier run, if it has left a journal.
        every: seconds between two lines of the journal.

    Raises:
        ResumeError: the earlier run cannot be resumed.
        OSError: a file cannot be made or written.
    """
    files, form = targets.files, FORMATS[task.format]
    resumable = is_resumable(targets, task)
    if resume and not resumable:
        of_lines = ", ".join(name for name, each in FORMATS.items() if each.file is None)
        raise ResumeError(f"only rows in a regular file, in a format of lines ({of_lines}), can be resumed")
    with ExitStack() as stack:
        journal = Journal(run(), files, resume=resume, every=every) if resumable else None
        if journal:
            stack.push(lambda error, *_: journal.close(finished=error is None))
        if journal and journal.state and journal.state.finished:
            _name(files)
            yield Outputs({}, (), journal)
            return
        sizes = journal.state.sizes if journal and journal.state else (0,) * len(files)
        lined = {
            path: stack.enter_context(row_file(path, keep=size))
            for path, size in zip(files, sizes, strict=True)
            if path != targets.rows or form.file is None
        }
        streams: dict[str, Sink] = {}
        if targets.rows:
            streams["rows"] = stack.enter_context(form.file(targets.rows)) if form.file else lined[targets.rows]
        elif stdout:
            streams["rows"] = stdout
        streams |= {name: lined[path] for name, path in targets.beside}
        if not (journal and journal.state):
            streams["rows"].write(form.header)
        out = Outputs(streams, tuple(lined.values()), journal)
        yield out
        out.record(finished=True)


def _name(files: Sequence[Path]) -> None:
    """Rename the part files of a finished run, except those that were renamed already."""
    for file in files:
        if part_of(file).exists():
            part_of(file).replace(file.resolve())


def _errors(outcome: ChunkResult) -> bytes:
    return b"".join(jsonl.trouble_line(note) for note in outcome.notes if isinstance(note, Trouble))
