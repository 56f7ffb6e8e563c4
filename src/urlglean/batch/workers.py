"""Chunks to outcomes by many processes, in order; one that dies takes no more with it than the document it died of.

A thread of this process waits for each worker, so that chunks are handed out, taken back and, after a death, tried
again in plain sequence. Workers are spawned, not forked: a forked one would hold this process's ends of the others'
pipes, and live on without work when this process is killed.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.resource_tracker import ensure_running
from queue import SimpleQueue

from urlglean.batch.gleaner import Outcome, Task, joined, lost
from urlglean.batch.inputs import Chunk
from urlglean.batch.worker import HungUpError, Line, serve
from urlglean.errors import WorkerError
from urlglean.sources import unbundled

_AHEAD = 4
"""Chunks under way for each worker: enough that none waits while an earlier chunk takes long."""

_HELD = 1 << 26
"""Bytes of chunks under way past which the first is waited for: messages may be huge, and many."""

_LAST_BREATH = 1.0
"""Seconds that a worker has to end by itself after its pipe broke, so that its exit status can be told."""


def shared(chunks: Iterable[Chunk], task: Task, jobs: int) -> Generator[Outcome, None, None]:
    """The outcome of each chunk, in order, by as many worker processes as `jobs`.

    Raises:
        WorkerError: a worker process cannot be started.
    """
    workers = _Workers(task, jobs)
    threads = ThreadPoolExecutor(jobs)
    under_way: deque[tuple[Future[Outcome], int]] = deque()
    held = 0
    try:
        for chunk in chunks:
            under_way.append((threads.submit(workers.outcome, chunk), chunk.size))
            held += chunk.size
            while under_way and (under_way[0][0].done() or len(under_way) > jobs * _AHEAD or held > _HELD):
                future, size = under_way.popleft()
                held -= size
                yield future.result()
        for future, _ in under_way:
            yield future.result()
    finally:
        workers.stop()
        threads.shutdown(cancel_futures=True)


class _DiedError(Exception):
    """A worker process is no more."""


class _Workers:
    """As many workers as jobs, each busy with one chunk or idle."""

    def __init__(self, task: Task, jobs: int) -> None:
        self._task = task
        self._stopped = False
        self._all = {_Worker(task) for _ in range(jobs)}
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self._all:
            self._idle.put(worker)

    def outcome(self, chunk: Chunk) -> Outcome:
        """What an idle worker makes of a chunk; if it dies, what others make of each item of it."""
        try:
            return self._tried(chunk)
        except _DiedError:
            return joined([self._alone(Chunk([item], chunk.end)) for item in unbundled(chunk.items)])

    def _alone(self, chunk: Chunk) -> Outcome:
        try:
            return self._tried(chunk)
        except _DiedError as error:
            return lost(chunk, str(error))

    def _tried(self, chunk: Chunk) -> Outcome:
        if self._stopped:
            raise _DiedError("stopped")
        worker = self._idle.get()
        try:
            return worker.outcome(chunk)
        except _DiedError:
            self._all.discard(worker)
            if not self._stopped:
                worker = _Worker(self._task)
                self._all.add(worker)
            raise
        finally:
            self._idle.put(worker)

    def stop(self) -> None:
        """End all workers, whatever they are at."""
        self._stopped = True
        for worker in tuple(self._all):
            worker.stop()


class _Worker:
    """One process."""

    def __init__(self, task: Task) -> None:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        self._line = Line(ours)
        self._process = context.Process(target=serve, args=(theirs, task), daemon=True)
        self._ready = False
        with _without_interrupts():
            self._process.start()
        theirs.close()

    def outcome(self, chunk: Chunk) -> Outcome:
        """What the process makes of a chunk.

        Raises:
            _DiedError: it died of it.
            WorkerError: it died before that.
        """
        try:
            self._ready = self._ready or self._line.receive() is not None
            self._line.send(chunk)
            outcome: Outcome = self._line.receive()
        except HungUpError as error:
            self._process.join(_LAST_BREATH)
            self.stop()
            end = _end(self._process.exitcode)
            if not self._ready:  # the next one would not live longer, whatever it was handed
                raise WorkerError(f"a worker process could not start ({end})") from error
            raise _DiedError(f"the process that read it died ({end})") from error
        return outcome

    def stop(self) -> None:
        """End the process and wait for it."""
        self._process.terminate()
        self._process.join()
        self._line.close()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ctrl-C goes to all processes of a terminal; what is started here leaves it to the one that started it."""
    ensure_running()  # multiprocessing starts its own helper with the first process, and unblocks Ctrl-C as it does
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(status: int | None) -> str:
    return f"signal {-status}" if status is not None and status < 0 else f"exit status {status}"
