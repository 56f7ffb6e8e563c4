"""Runs the pipeline from paths to results, from the beginning or from the position of an earlier run."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from urlglean.bounds import DEFAULT, Bounds
from urlglean.output.files import FileId
from urlglean.pipeline.glean import extractor_of
from urlglean.pipeline.inputs import CHUNK, Inputs, Position, Progress, opened
from urlglean.pipeline.journal import EVERY
from urlglean.pipeline.results import ChunkResult, Tally
from urlglean.pipeline.rows_of import counts, first_of_each_url
from urlglean.pipeline.scan_task import ScanTask
from urlglean.pipeline.shares import Share, results_of_share, shares
from urlglean.records import STDIN
from urlglean.sources import separated

_FED = 14
"""How many workers one process can supply with input: it sends 350 MB/s or more; a worker reads 15 (HTML) to 95 MB/s
(measured)."""

ALONE = 1 << 23
"""One process reads at most this many bytes alone, because starting workers takes longer. Measured: one process and two
workers take the same time for 20 MB of plain mail, or for less HTML."""


def cores() -> int:
    """The number of workers that are useful: one for each core that this process may use, but at most `_FED`."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, _FED)


class RunOptions(Struct, frozen=True):
    """Options of a run that do not change what it finds.

    Attributes:
        own: the files that this run writes. They are not read.
        start: the positions of an earlier run, in order; the run is resumed from the last of them.
        jobs: how many processes share the work.
        chunk: the least bytes of documents in a chunk; 0: each item is a chunk.
        stdin_name: the path of what comes from stdin, in rows and messages.
        alone: one process reads at most this many bytes of input alone, whatever `jobs` is.
        every: seconds between two lines of the journal. A resumed run repeats about that much work at most.
    """

    own: frozenset[FileId] = frozenset()
    start: tuple[Position, ...] = ()
    jobs: int = 1
    chunk: int = CHUNK
    stdin_name: str = STDIN
    alone: int = ALONE
    every: float = EVERY


class Settings(Struct, frozen=True):
    """Settings without a command-line option. A program that calls the command passes `main(obj=Settings(...))`."""

    how: RunOptions = RunOptions()
    bounds: Bounds = DEFAULT


def scanned(paths: Iterable[str], task: ScanTask, how: RunOptions) -> Generator[ChunkResult, None, None]:
    """The results of the files and folders at `paths`, in order, one or more for each chunk.

    The first result of a run that is resumed only counts the files that are passed over, as they are now.

    Args:
        paths: files, folders, or "-" for stdin.
        task: the settings of the run.
        how: options that do not change the results.

    Raises:
        UnknownNameError: the task names a dialect or a level of joins that does not exist.
        ResumeError: the input before `how.start` has changed.
        WorkerError: a worker process cannot be started.
    """
    with closing(_results(paths, task, how)) as made:
        results: Iterable[ChunkResult] = made
        if task.unique:
            results = first_of_each_url(results)
        if task.count:
            results = counts(results)
        yield from results


def _results(paths: Iterable[str], task: ScanTask, how: RunOptions) -> Generator[ChunkResult, None, None]:
    """The results with all their rows."""
    paths = list(paths)
    if how.jobs > 1 and how.chunk and not how.start and STDIN not in paths:
        yield from added_up(share_results(shares(paths, task, how.own, how.chunk), task, how), Progress())
        return
    options = task.options
    items = opened(
        paths,
        kind=options.kind,
        own=how.own,
        bounds=options.bounds,
        globs=options.globs,
        stdin_name=how.stdin_name,
    )
    inputs = Inputs(items if how.chunk else separated(items))
    if how.start:
        files, skipped = inputs.skip(how.start)
        yield ChunkResult(b"", b"", [], Tally(files=files, skipped=skipped), end=replace(how.start[-1], marks=""))
    yield from added_up(share_results(inputs.chunks(how.chunk), task, how), inputs.progress)


def added_up(results: Iterable[ChunkResult], progress: Progress) -> Iterator[ChunkResult]:
    """Results, in order, with the positions behind them. `progress` is that before them, and goes on with them."""
    for result in results:
        if result.read is None:
            yield result
        else:
            progress.add(result.read)
            yield replace(result, end=progress.position)


def share_results(every: Iterable[Share], task: ScanTask, how: RunOptions) -> Generator[ChunkResult, None, None]:
    """The results of each share, in order. The results do not depend on `how`.

    Args:
        every: the shares. They are made when they are needed, at most a few ahead for each worker.
        task: the settings of the run.
        how: says how many worker processes share the work. None is started for a single share, for at most `how.alone`
            bytes, or if `how.jobs` is 1.

    Raises:
        UnknownNameError: the task names a dialect or a level of joins that does not exist.
        WorkerError: a worker process cannot be started.
    """
    extractor_of(task.options)  # raises here, once, what each chunk would raise
    rest = iter(every)
    first: list[Share] = []
    size = 0
    while how.jobs > 1 and (len(first) < 2 or size <= how.alone) and (share := next(rest, None)) is not None:
        first.append(share)
        size += share.size
    if len(first) < 2 or size <= how.alone:
        for share in chain(first, rest):
            yield from results_of_share(share, task)
    else:
        from urlglean.pipeline.worker_pool import shared  # noqa: PLC0415  a run on little input does not need it

        found = shared(chain(first, rest), task, how.jobs)
        del first, share  # otherwise they would stay in memory to the end
        yield from found
