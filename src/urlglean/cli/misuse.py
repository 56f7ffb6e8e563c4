"""Arguments of `urlglean scan` that contradict each other, or that would overwrite something by mistake."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import click

from urlglean.output import FORMATS
from urlglean.output.files import FileId, file_id, part_of
from urlglean.output.text import printable
from urlglean.pipeline.chunk_result import ScanTask
from urlglean.pipeline.journal import journal_of
from urlglean.pipeline.outputs import Targets

STDIN = "-"
_STDOUT, _STDIN_DESCRIPTOR = Path("-"), 0


def refuse_misuse(paths: tuple[str, ...], targets: Targets, task: ScanTask, *, resume: bool, overwrite: bool) -> None:
    """Check the arguments against each other, before anything is written.

    Raises:
        UsageError: they contradict each other.
    """
    if any(path == _STDOUT for _, path in targets.beside):
        raise click.UsageError("--rejects and --errors need a file each: stdout is for rows.")
    if targets.rows is None and FORMATS[task.format].file is not None:
        raise click.UsageError(f"{task.format} is no format of lines: it needs -o FILE.")
    if targets.rows is not None and targets.rows not in targets.regular and FORMATS[task.format].file is not None:
        raise click.UsageError(f"{printable(str(targets.rows))} is no regular file, which {task.format} needs.")
    if task.csv_safe and FORMATS[task.format].safe is None:
        raise click.UsageError("--csv-safe is for --format csv.")
    if resume and STDIN in paths:
        raise click.UsageError("--resume reads its input again up to where it was, which stdin cannot be.")
    if resume and overwrite:
        raise click.UsageError("--resume continues what --overwrite throws away.")
    evidence = task.options.evidence
    _refuse_shared((*paths, evidence.path) if evidence else paths, targets)


def refuse_missing_folders(files: Iterable[Path]) -> None:
    """Check that the folders of the files are there.

    Raises:
        OSError: one is not.
    """
    for path in files:
        if not path.parent.is_dir():
            raise OSError(f"{path}: there is no such folder")


def written(targets: Targets) -> frozenset[FileId]:
    """The identities of the files that a run writes; stdout is one of them if it is a file."""
    found = {file_id(path) for path in _names(targets)} | {_id_of(1)}
    return frozenset(each for each in found if each is not None)


def _refuse_shared(paths: Iterable[str], targets: Targets) -> None:
    """Check that nothing is written to a file that is also used otherwise.

    Raises:
        UsageError: one of the paths is also an output, two outputs are the same file, or one is where a stream goes.
    """
    for path in paths:
        if file_id(_STDIN_DESCRIPTOR if path == STDIN else path) in written(targets):
            raise click.UsageError(f"{printable(path)} would be both read and written.")
    names = [path.resolve() for path in _names(targets)]
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(
                f"{printable(str(name))} would be written twice: each output needs a file of its own."
            )
    streams = {_id_of(2): "stderr"} | ({_id_of(1): "stdout"} if targets.rows is None else {})
    for name in names:
        if (found := file_id(name)) and found in streams:
            raise click.UsageError(
                f"{printable(str(name))} is where {streams[found]} goes: it needs a file of its own."
            )


def _names(targets: Targets) -> list[Path]:
    """All paths at which a run writes: the files, their part files, and the journal."""
    return [*targets.files, *map(part_of, targets.regular), *map(journal_of, targets.regular[:1])]


def _id_of(descriptor: int) -> FileId | None:
    """The identity of the file to which stdout (1) or stderr (2) goes, if it is one."""
    stream = sys.stdout if descriptor == 1 else sys.stderr
    with suppress(OSError, AttributeError):  # it has no descriptor, or was closed before the process started
        return file_id(stream.fileno())
    return None
