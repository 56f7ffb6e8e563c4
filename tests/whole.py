"""Makes one result of a chunk, however many pieces it came in."""

from __future__ import annotations

from collections.abc import Iterable

from urlglean.pipeline.chunk_result import results_of
from urlglean.pipeline.inputs import Chunk
from urlglean.pipeline.results import ChunkResult, Tally
from urlglean.pipeline.scan_task import ScanTask


def joined(results: Iterable[ChunkResult]) -> ChunkResult:
    """One result made of consecutive ones; there must be at least one."""
    pieces = list(results)
    tally = Tally()
    for piece in pieces:
        tally.add(piece.tally)
    return ChunkResult(
        b"".join(piece.rows for piece in pieces),
        b"".join(piece.rejects for piece in pieces),
        [note for piece in pieces for note in piece.notes],
        tally,
        tuple(read for piece in pieces for read in piece.read or ()),
        pieces[-1].done,
    )


def chunk_result(chunk: Chunk, task: ScanTask) -> ChunkResult:
    """The whole result of a chunk."""
    return joined(results_of(chunk, task))
