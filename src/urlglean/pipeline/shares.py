"""Shares of the work of a run: what one process is given to do.

A share is a `Split`, whose files the process opens itself, or a `Chunk` of items that were already read. Items are read
in advance where only one process can read them: from stdin, from a large file that cannot be divided, from a
repository, and behind the position of an earlier run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import tee

from msgspec.structs import replace

from urlglean.output.files import FileId
from urlglean.pipeline.chunk_result import results_of
from urlglean.pipeline.inputs import CHUNK, Chunk, Inputs
from urlglean.pipeline.results import ChunkResult
from urlglean.pipeline.scan_task import ScanTask
from urlglean.pipeline.splits import Split, items_of, located, plan, survey
from urlglean.sources.folders import Repository

Share = Chunk | Split

_CHUNKS = 16
"""How many chunks a split has, about. The last split of a run occupies one process alone, so it must not be long."""


def shares(paths: Iterable[str], task: ScanTask, own: AbstractSet[FileId], chunk: int) -> Iterator[Share]:
    """The shares of the input, in order.

    Args:
        paths: files and folders, but not "-".
        task: the settings of the run.
        own: the files that the run writes. They are not read.
        chunk: the least bytes of documents in a chunk.
    """
    bounds, size = task.options.bounds, chunk * _CHUNKS
    options = task.options
    splits, again = tee(plan(paths, kind=options.kind, size=size, own=own, bounds=bounds, globs=options.globs))
    for split in located(splits, (survey(each, bounds) for each in again), bounds):
        too_long = split.octets is None and split.size > 2 * size
        if split.here or too_long or isinstance(split.entries[0], Repository):
            yield from Inputs(items_of(split, bounds)).chunks(chunk)
        else:
            yield split


def results_of_share(share: Share, task: ScanTask) -> Iterator[ChunkResult]:
    """The results of a share, in order, as `results_of` makes them.

    Raises:
        UnknownNameError: as in `results_of`, like the other exceptions.
    """
    if isinstance(share, Chunk):
        yield from results_of(share, task)
        return
    before = done = 0
    for chunk in Inputs(items_of(share, task.options.bounds)).chunks(CHUNK):
        for result in results_of(chunk, task):
            done = before + result.done
            yield replace(result, done=done)
        before = done
