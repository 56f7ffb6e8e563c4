"""Writes the files of a run: rows, rejects, errors, and the journal by which the run can be resumed.

A file gets its name only when it is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from urlglean.errors import ResumeError
from urlglean.output import FORMATS, Format, Sink, document_lines, jsonl
from urlglean.output.files import DiscardError, Target, give_name, is_row_file, keep_mode, named_errors, part_of
from urlglean.output.packing import RowStream, row_file
from urlglean.pipeline.inputs import Position
from urlglean.pipeline.journal import EVERY, Earlier, Journal
from urlglean.pipeline.journal_lines import Run
from urlglean.pipeline.replaced import refuse_kept
from urlglean.pipeline.results import ChunkResult, Tally
from urlglean.pipeline.scan_task import ScanTask
from urlglean.records import Trouble
from urlglean.version import __version__


class Targets(Struct, frozen=True):
    """The files that were asked for: paths here, URLs of files elsewhere. Without one for rows, they go to stdout."""

    rows: Target | None = None
    rejects: Target | None = None
    errors: Target | None = None

    @property
    def named(self) -> tuple[tuple[str, Target], ...]:
        """All files, that of the rows first, each with the name of its content."""
        names = ("rows", "rejects", "errors")
        return tuple((name, path) for name in names if (path := getattr(self, name)) is not None)

    @property
    def beside(self) -> tuple[Path, ...]:
        """The files here other than that of the rows."""
        return tuple(path for name, path in self.named if name != "rows" and isinstance(path, Path))

    @property
    def files(self) -> tuple[Target, ...]:
        """All files, that of the rows first."""
        return tuple(path for _, path in self.named)

    @property
    def here(self) -> tuple[Path, ...]:
        """The files here, that of the rows first."""
        return tuple(path for path in self.files if isinstance(path, Path))

    @property
    def contents(self) -> dict[str, Path]:
        """Those of `regular` by the names of their contents."""
        return {name: path for name, path in self.named if is_row_file(path)}

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """The URLs of the files elsewhere, that of the rows first."""
        return tuple(path for path in self.files if isinstance(path, str))

    @property
    def regular(self) -> tuple[Path, ...]:
        """Those of the files that are regular, or will be: they have a part file, and the first of them a journal."""
        return tuple(self.contents.values())


class _Named:
    """A sink whose errors name its file."""

    def __init__(self, sink: Sink, path: Target) -> None:
        self._sink, self._path = sink, path

    def write(self, lines: bytes, /) -> None:
        """Write lines.

        Raises:
            OSError: they cannot be written.
        """
        with named_errors(self._path):
            self._sink.write(lines)


class Outputs:
    """The open files of a run, and its counts.

    Attributes:
        position: the position behind the last item whose rows are written.
        tally: the counts of all items up to there.
        finished: whether an earlier run has written everything already.
        begins_anew: as in `Journal`.
        discarded: whether the rows and rejects get no name at the end; set by who has read nothing at all. Files of
            these names stay as they were.
    """

    def __init__(self, sinks: dict[str, _Named], files: Sequence[RowStream], journal: Journal | None) -> None:
        """Write to `sinks`, by what is written to each; `files` are those whose sizes go into the journal."""
        state = journal.state if journal else None
        self.positions = journal.positions if journal else ()
        self.position = state.position if state else Position()
        self.finished = bool(state and state.finished)
        self.begins_anew = bool(journal and journal.begins_anew)
        # The files that a resumed run passes over are counted anew: those that were left out may be others by now.
        self.tally = Tally() if state is None else state.tally if self.finished else replace(state.tally, **_RECOUNTED)
        self.discarded = False
        self._sinks, self._files = sinks, files
        self._journal = journal if journal and journal.resumable else None
        self._marks: list[str] = []
        self._is_behind_item = False

    def write(self, outcome: ChunkResult) -> None:
        """Write a result: its rows, and its rejects and errors if they were asked for.

        The progress is recorded only behind the last result of a chunk: a document is read again from its beginning.

        Raises:
            OSError: a file cannot be written; it is named.
        """
        self._is_behind_item = False
        for name, lines in (("rows", outcome.rows), ("rejects", outcome.rejects), ("errors", _errors(outcome))):
            if name in self._sinks:
                self._sinks[name].write(lines)
        self.tally.add(outcome.tally)
        if outcome.end is not None:
            self.position = outcome.end
            if self._journal:
                self._marks.append(outcome.end.marks)
                if self._journal.due:
                    self.record()
            self._is_behind_item = True

    def record(self, *, finished: bool = False) -> None:
        """If the run can be resumed, bring what was written to the disk and add the progress to the journal."""
        if self._journal:
            position = replace(self.position, marks="".join(self._marks))
            self._journal.record(position, self.tally, self._files, finished=finished)
            self._marks.clear()

    def keep(self) -> None:
        """Record the progress of a run that is interrupted, unless an item is written in part only."""
        if self._is_behind_item:
            self.record()


_RECOUNTED = {"files": 0, "skipped": 0}
"""The counts of a tally that `scanned` gives for the files that a resumed run passes over."""


def is_resumable(targets: Targets, task: ScanTask) -> bool:
    """Whether a run can be resumed after an interruption: it must write all lines, and only to regular files."""
    of_lines = targets.rows is not None and FORMATS[task.format].file is None and all(map(is_row_file, targets.files))
    return of_lines and not task.unique  # nothing on the disk says which URLs were seen


@contextmanager
def outputs(  # noqa: PLR0913 - the files, the settings, and how to resume
    targets: Targets,
    stdout: Sink | None,
    task: ScanTask,
    run: Callable[[], Run],
    *,
    earlier: Earlier = "refuse",
    every: float = EVERY,
) -> Iterator[Outputs]:
    """Open the files of a run. They get their names when the block ends; if an exception ends it, they do not.

    Such a run can be resumed if `is_resumable` says so.

    Args:
        targets: the files that were asked for.
        stdout: where rows go if there is no file for them; None if there is one.
        task: the settings of the run.
        run: returns the record of the run for the journal; called only if there is a journal.
        earlier: what to do about what an interrupted run has left.
        every: seconds between two lines of the journal.

    Raises:
        OutputError: another run writes one of the files, a file is in the way that is not of an interrupted run, or one
            is not replaced.
        ResumeError: the earlier run cannot be resumed.
        OSError: a file cannot be made or written.
    """
    files, form, resumable = targets.files, FORMATS[task.format], is_resumable(targets, task)
    if earlier == "resume" and targets.elsewhere:
        raise ResumeError(
            f"{targets.elsewhere[0]} lies elsewhere, where a file is complete or not there: no run goes on"
        )
    if earlier == "resume" and not resumable:
        of_lines = ", ".join(name for name, each in FORMATS.items() if each.file is None)
        raise ResumeError(f"only rows in a regular file, in a format of lines ({of_lines}), can be resumed")
    with ExitStack() as stack:
        journal = None
        if targets.regular:
            asked = run()
            journal = Journal(asked, targets.regular, earlier, resumable=resumable, every=every)
            stack.push(lambda error, *_: journal.close(finished=error is None))
        if journal and journal.state and journal.state.finished:
            _name(targets.here)
            yield Outputs({}, (), journal)
            return
        sizes = journal.state.sizes if journal and journal.state else (0,) * len(files)
        ours = [journal is not None and isinstance(path, Path) and journal.names(path) for path in files]
        sinks, streams = _opened(stack, targets, form, sizes, ours)
        if journal:
            journal.open()
            refuse_kept(targets.regular, asked.paths)  # once more: from here on no other run can make one
        if stdout:
            sinks["rows"] = _Named(stdout, "stdout")
        if not (journal and journal.state):
            about = document_lines.run_line(__version__, task.options.of_findings) if form.of_documents else form.header
            sinks["rows"].write(about)
        out = Outputs(sinks, streams, journal)
        try:
            yield out
        except KeyboardInterrupt:
            out.keep()
            raise
        if out.discarded:
            raise DiscardError
        out.record(finished=True)


def _opened(
    stack: ExitStack, targets: Targets, form: Format, sizes: Sequence[int], ours: Sequence[bool]
) -> tuple[dict[str, _Named], list[RowStream]]:
    """Open the files: the sinks by what is written to each, and the streams of those that have lines, rows first.

    A `DiscardError` that ends the block of the stack discards rows and rejects: what could not be read is told still.
    """
    sinks: dict[str, _Named] = {}
    streams: dict[str, RowStream] = {}
    earlier = dict(zip(targets.files, zip(sizes, ours, strict=True), strict=True))

    def open_file(name: str, path: Target) -> None:
        size, known = earlier[path]
        if name == "rows" and form.file:
            sinks[name] = _Named(stack.enter_context(form.file(path, ours=known)), path)
        else:
            streams[name] = stack.enter_context(row_file(path, keep=size, ours=known))
            sinks[name] = _Named(streams[name], path)

    if targets.errors:
        open_file("errors", targets.errors)
    stack.enter_context(suppress(DiscardError))
    # That of the rows last: some formats write to it at once, and what is not empty stays if another cannot be opened.
    for name, path in reversed(targets.named):
        if name != "errors":
            open_file(name, path)
    return sinks, [streams[name] for name, _ in targets.named if name in streams]


def _name(files: Sequence[Path]) -> None:
    """Rename the part files of a finished run, except those that were renamed already."""
    for file in files:
        if part_of(file).exists():
            keep_mode(file)
            give_name(file)


def _errors(outcome: ChunkResult) -> bytes:
    return b"".join(jsonl.trouble_line(note) for note in outcome.notes if isinstance(note, Trouble))
