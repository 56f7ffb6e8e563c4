"""The one composition: paths to outcomes, from the beginning or from where another run was."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from msgspec import Struct

from urlglean.batch.glean import opened
from urlglean.batch.gleaner import Outcome, Task
from urlglean.batch.inputs import CHUNK, Inputs, Position
from urlglean.batch.workers import outcomes
from urlglean.output.files import FileId


class How(Struct, frozen=True):
    """How a run goes about its work, which makes no difference to what it finds.

    Attributes:
        own: the files that are being written, which no run may take for its input.
        start: where a run before was.
        jobs: how many processes share the work.
        chunk: bytes of documents for each outcome, about; 0 for one document each.
    """

    own: frozenset[FileId] = frozenset()
    start: Position = Position()
    jobs: int = 1
    chunk: int = CHUNK


def scanned(paths: Iterable[str], task: Task, how: How, *, kind: str | None = None) -> Generator[Outcome, None, None]:
    """What the files and folders at `paths` come to, in order, a chunk at a time.

    Args:
        paths: files, folders, or "-" for stdin.
        task: what is wanted.
        how: how to go about it.
        kind: what each file is taken for, as in `sources.documents`.

    Raises:
        UnknownNameError: for a dialect or a joins level that does not exist.
        ResumeError: what lies before `how.start` is not what lay there.
    """
    inputs = Inputs(opened(paths, kind=kind, own=how.own))
    inputs.skip(how.start)
    yield from outcomes(inputs.chunks(how.chunk), task, jobs=how.jobs)
