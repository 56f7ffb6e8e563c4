"""The one composition: paths to outcomes, from the beginning or from where another run was."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from itertools import chain

from msgspec import Struct

from urlglean.bounds import DEFAULT, Bounds
from urlglean.output.files import FileId
from urlglean.pipeline.chunk_result import ChunkResult, ScanTask, chunk_result
from urlglean.pipeline.glean import extractor_of
from urlglean.pipeline.inputs import CHUNK, Chunk, Inputs, Position, opened
from urlglean.pipeline.journal import EVERY
from urlglean.sources import unbundled

_FED = 14
"""Workers that one process can feed: it hands out 350 MB/s and more, a worker takes 15 (HTML) to 95 (measured)."""

ALONE = 1 << 23
"""Bytes that one process reads sooner than two that have to be started first: the two are even at 20 MB of plain mail
(measured), and at less of HTML."""


def cores() -> int:
    """How many workers are of use here: one for each core that this process may use, as long as they can be fed."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, _FED)


class RunOptions(Struct, frozen=True):
    """How a run goes about its work, which makes no difference to what it finds.

    Attributes:
        own: the files that are being written, which no run may take for its input.
        start: where a run before was.
        jobs: how many processes share the work.
        chunk: bytes of documents for each outcome, about; 0 for one document each.
        alone: bytes up to which one process reads alone, however many jobs there are.
        every: seconds between two lines of the journal: at most so much work is done twice.
    """

    own: frozenset[FileId] = frozenset()
    start: Position = Position()
    jobs: int = 1
    chunk: int = CHUNK
    alone: int = ALONE
    every: float = EVERY


class Settings(Struct, frozen=True):
    """What a program that calls the command hands over, by `main(obj=Settings(...))`, beside its options."""

    how: RunOptions = RunOptions()
    bounds: Bounds = DEFAULT


def scanned(paths: Iterable[str], task: ScanTask, how: RunOptions) -> Generator[ChunkResult, None, None]:
    """What the files and folders at `paths` come to, in order, a chunk at a time.

    Args:
        paths: files, folders, or "-" for stdin.
        task: what is wanted.
        how: how to go about it.

    Raises:
        UnknownNameError: for a dialect or a joins level that does not exist.
        ResumeError: what lies before `how.start` is not what lay there.
    """
    items = opened(paths, kind=task.options.kind, own=how.own, bounds=task.options.bounds)
    inputs = Inputs(items if how.chunk else unbundled(items))
    inputs.skip(how.start)
    yield from chunk_results(inputs.chunks(how.chunk), task, how)


def chunk_results(chunks: Iterable[Chunk], task: ScanTask, how: RunOptions) -> Generator[ChunkResult, None, None]:
    """The outcome of each chunk, in order; the same however it is gone about.

    Args:
        chunks: read as they are needed, at most a few for each worker ahead.
        task: what is wanted.
        how: how many worker processes share the work; none is started for a single chunk, nor for what is no larger
            than `how.alone`, nor for one job.

    Raises:
        UnknownNameError: for a dialect or a joins level that does not exist.
        WorkerError: a worker process cannot be started.
    """
    extractor_of(task.options)  # which raises what would be raised of each chunk
    rest = iter(chunks)
    first: list[Chunk] = []
    size = 0
    while how.jobs > 1 and (len(first) < 2 or size <= how.alone) and (chunk := next(rest, None)) is not None:
        first.append(chunk)
        size += chunk.size
    if len(first) < 2 or size <= how.alone:
        yield from (chunk_result(chunk, task) for chunk in chain(first, rest))
    else:
        from urlglean.pipeline.worker_pool import shared  # noqa: PLC0415  a run on little does without

        found = shared(chain(first, rest), task, how.jobs)
        del first, chunk  # which would be held to the end
        yield from found
