"""Arguments of `urlglean scan` that contradict each other, and outputs that would overwrite something by mistake."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from errno import ELOOP
from pathlib import Path

import click

from urlglean.cli.selection import Reading
from urlglean.errors import OutputError
from urlglean.output import FORMATS
from urlglean.output.files import FileId, descriptor_of, file_id, part_of
from urlglean.output.packing import is_packed
from urlglean.output.text import printable
from urlglean.pipeline.journal import journal_of
from urlglean.pipeline.outputs import Targets
from urlglean.pipeline.replaced import kind_at, refuse_kept
from urlglean.pipeline.scan_task import ScanTask
from urlglean.records import STDIN
from urlglean.remote_urls import as_path, is_remote, usual
from urlglean.sources.folders import File, walk
from urlglean.sources.own_outputs import OWN

_STDOUT, _STDIN_DESCRIPTOR = Path("-"), 0


def refuse_misuse(reading: Reading, targets: Targets, task: ScanTask, *, resume: bool, overwrite: bool) -> None:
    """Check the arguments against each other, before anything is written.

    Raises:
        UsageError: they contradict each other.
    """
    paths = tuple(map(as_path, reading.paths))
    _refuse_loops(targets)
    if any(path == _STDOUT or (targets.rows is None and descriptor_of(path) == 1) for path in targets.beside):
        raise click.UsageError("--rejects and --errors need a file each: stdout is for rows.")
    _refuse_formats(targets, task)
    if task.csv_safe and FORMATS[task.format].safe is None:
        raise click.UsageError("--csv-safe is for --format csv.")
    if resume and STDIN in paths:
        raise click.UsageError("--resume reads its input again from the beginning, which is impossible for stdin.")
    if resume and task.unique:
        raise click.UsageError("--resume cannot know which URLs the interrupted scan has seen, which --unique needs.")
    if task.unique and FORMATS[task.format].of_documents:
        raise click.UsageError(f"--unique is for rows: {task.format} has each URL once, with all its places.")
    if resume and overwrite:
        raise click.UsageError("--resume continues what --overwrite throws away.")
    if overwrite and not targets.files:
        raise click.UsageError("--overwrite is for files that are written, and no -o, --rejects or --errors names one.")
    evidence = task.options.evidence
    beside = (reading.files_from, evidence.path if evidence else None)
    _refuse_shared((*paths, *filter(None, beside)), targets)
    _refuse_shared_elsewhere(paths, targets)
    _refuse_names_of_parts(targets)
    _refuse_input((*paths, *filter(is_remote, reading.paths)), targets, task)
    try:
        refuse_kept((*targets.regular, *targets.elsewhere), reading.paths)
    except OutputError as error:
        raise click.UsageError(f"{printable(str(error))}.") from error


def _refuse_formats(targets: Targets, task: ScanTask) -> None:
    """Check that the rows can be written in their format to where they go.

    Raises:
        UsageError: they cannot.
    """
    if targets.rows is None and FORMATS[task.format].file is not None:
        raise click.UsageError(f"{task.format} is no format of lines: it needs -o FILE.")
    if isinstance(targets.rows, Path) and targets.rows not in targets.regular and FORMATS[task.format].file is not None:
        raise click.UsageError(f"{printable(str(targets.rows))} is no regular file, which {task.format} needs.")
    if targets.rows is not None and is_packed(targets.rows) and FORMATS[task.format].file is not None:
        raise click.UsageError(f"{printable(str(targets.rows))} would be packed, which {task.format} cannot be.")
    if isinstance(targets.rows, str) and FORMATS[task.format].of_documents:
        raise click.UsageError(f"{printable(targets.rows)} lies elsewhere, where no {task.format} can be written.")


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


def _refuse_loops(targets: Targets) -> None:
    """Check that no output is a symbolic link that leads to itself.

    Raises:
        UsageError: one is.
    """
    for path in targets.here:
        try:
            path.stat()
        except OSError as error:
            if error.errno == ELOOP:
                raise click.UsageError(f"{printable(str(path))} is a symbolic link that leads to itself.") from error


def _refuse_shared(paths: Iterable[str], targets: Targets) -> None:
    """Check that nothing is written to a file that is also used otherwise.

    Raises:
        UsageError: one of the paths is also an output, two outputs are the same file, or one is where a stream goes.
    """
    files = written(targets)
    for path in paths:
        if file_id(_STDIN_DESCRIPTOR if path == STDIN else path) in files:
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


def _refuse_shared_elsewhere(paths: Iterable[str], targets: Targets) -> None:
    """Check that no file elsewhere that is written is also read, lies in a folder that is read, or is written twice.

    Raises:
        UsageError: one is.
    """
    read = [usual(path) for path in paths if is_remote(path)] if targets.elsewhere else []
    names = list(map(usual, targets.elsewhere))
    for url, name in zip(targets.elsewhere, names, strict=True):
        if any(f"{name}/".startswith(f"{path}/") for path in read):
            raise click.UsageError(f"{printable(url)} would be both read and written.")
        if names.count(name) > 1:
            raise click.UsageError(f"{printable(url)} would be written twice: each output needs a file of its own.")


def _refuse_names_of_parts(targets: Targets) -> None:
    """Check that no output has a name that the part file or the journal of another scan may have.

    Raises:
        UsageError: one has.
    """
    for path in targets.regular:
        if path.resolve().suffix in {part_of(path).suffix, journal_of(path).suffix}:
            raise click.UsageError(
                f"{printable(str(path))} is what a scan calls its own files while it runs: it needs another ending."
            )


def _refuse_input(paths: Sequence[str], targets: Targets, task: ScanTask) -> None:
    """Check that no output replaces a file that lies among what is read, unless that holds rows of an earlier scan.

    Raises:
        UsageError: one does.
    """
    replaced = {
        found: path
        for path in targets.regular
        if (found := file_id(path)) and kind_at(path, paths) not in {"empty", OWN}
    }
    for folder in (path for path in paths if replaced and path != STDIN and Path(path).is_dir()):
        for place in walk(folder, by_name=task.options.kind is None):
            found = file_id(place.path) if isinstance(place, File) else None
            if found in replaced:
                raise click.UsageError(
                    f"{printable(str(replaced[found]))} lies in {printable(folder)}, which is read, and is not known to"
                    " hold rows of an earlier scan: move it away, or write to another file."
                )


def _names(targets: Targets) -> list[Path]:
    """All paths at which a run writes: the files, their part files, and the journal."""
    return [*targets.here, *map(part_of, targets.regular), *map(journal_of, targets.regular[:1])]


def _id_of(descriptor: int) -> FileId | None:
    """The identity of the file to which stdout (1) or stderr (2) goes, if it is one."""
    stream = sys.stdout if descriptor == 1 else sys.stderr
    with suppress(OSError, AttributeError):  # it has no descriptor, or was closed before the process started
        return file_id(stream.fileno())
    return None
