"""Chunks to outcomes by many processes, in order; one that dies takes no more with it than the document it died of.

A thread of this process waits for each worker, so that chunks are handed out, taken back and, after a death, tried
again in plain sequence. Workers are processes of their own, not forked: a forked one would hold this process's ends of
the others' lines, and live on without work when this process is killed. `multiprocessing` would start a helper beside
them, and each with the main module: that took two workers 20 ms more.
"""

from __future__ import annotations

import signal
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from socket import socketpair
from subprocess import DEVNULL, Popen, TimeoutExpired
from typing import Any

from urlglean.errors import WorkerError
from urlglean.pipeline.chunk_result import ChunkResult, ScanTask, joined, lost
from urlglean.pipeline.inputs import Chunk
from urlglean.pipeline.worker import Channel, DisconnectedError
from urlglean.sources import unbundled

_START = "import sys; sys.path[:] = sys.argv[1:]; from urlglean.pipeline.worker import work; work()"
"""What a worker runs: it finds what this process finds, and not what happens to lie in the folder at hand."""

_AHEAD = 4
"""Chunks under way for each worker: enough that none waits while an earlier chunk takes long."""

_HELD = 1 << 26
"""Bytes of chunks under way past which the first is waited for: messages may be huge, and many."""

_LAST_BREATH = 1.0
"""Seconds that a worker has to end by itself after it hung up, so that its exit status can be told."""


def shared(chunks: Iterable[Chunk], task: ScanTask, jobs: int) -> Generator[ChunkResult, None, None]:
    """The outcome of each chunk, in order, by as many worker processes as `jobs`.

    Raises:
        WorkerError: a worker process cannot be started.
    """
    workers = _Workers(task, jobs)
    threads = ThreadPoolExecutor(jobs)
    under_way: deque[tuple[Future[ChunkResult], int]] = deque()
    held = 0
    try:
        for chunk in chunks:
            under_way.append((threads.submit(workers.chunk_result, chunk), chunk.size))
            held += chunk.size
            while under_way and (under_way[0][0].done() or len(under_way) > jobs * _AHEAD or held > _HELD):
                future, size = under_way.popleft()
                held -= size
                yield future.result()
        for future, _ in under_way:
            yield future.result()
    finally:
        workers.kill()
        threads.shutdown(cancel_futures=True)
        workers.stop()


class _DiedError(Exception):
    """A worker process is no more."""


class _Workers:
    """As many workers as jobs, each busy with one chunk or idle."""

    def __init__(self, task: ScanTask, jobs: int) -> None:
        self._all = [_Worker(task) for _ in range(jobs)]
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self._all:
            self._idle.put(worker)

    def chunk_result(self, chunk: Chunk) -> ChunkResult:
        """What an idle worker makes of a chunk; if it dies, what others make of each item of it."""
        try:
            return self._tried(chunk)
        except _DiedError:
            return joined([self._alone(Chunk([item], chunk.end)) for item in unbundled(chunk.items)])

    def _alone(self, chunk: Chunk) -> ChunkResult:
        try:
            return self._tried(chunk)
        except _DiedError as error:
            return lost(chunk, str(error))

    def _tried(self, chunk: Chunk) -> ChunkResult:
        worker = self._idle.get()
        try:
            return worker.chunk_result(chunk)
        finally:
            self._idle.put(worker)

    def kill(self) -> None:
        """End all processes, whatever they are at: who waits for one is told that it died."""
        for worker in self._all:
            worker.kill()

    def stop(self) -> None:
        """Wait for the end of all processes, once nobody waits for what they do."""
        for worker in self._all:
            worker.stop()


class _Worker:
    """A process, started when there is work for it, and once more after each that died."""

    def __init__(self, task: ScanTask) -> None:
        self._task = task
        self._running: tuple[Popen[bytes], Channel] | None = None
        self._killed = False

    def chunk_result(self, chunk: Chunk) -> ChunkResult:
        """What the process makes of a chunk.

        Raises:
            _DiedError: it died of it.
            WorkerError: it could not be started.
        """
        process, line = self._running or self._started()
        try:
            chunk_result: ChunkResult = _answer(line, chunk)
        except DisconnectedError as error:
            raise _DiedError(f"the process that read it died ({self._end(process)})") from error
        return chunk_result

    def _started(self) -> tuple[Popen[bytes], Channel]:
        if self._killed:
            raise WorkerError("the run has ended")
        try:
            process, line = self._running = _process()
        except OSError as error:
            raise WorkerError(f"a worker process could not start ({error.strerror})") from error
        if self._killed:
            process.terminate()
        try:
            _answer(line, self._task)
        except DisconnectedError as error:
            # The next one would not live longer, whatever it was handed.
            raise WorkerError(f"a worker process could not start ({self._end(process)})") from error
        return process, line

    def _end(self, process: Popen[bytes]) -> str:
        """What the process, which hung up, ended of."""
        with suppress(TimeoutExpired):
            process.wait(_LAST_BREATH)
        self.stop()
        status = process.returncode
        return f"signal {-status}" if status < 0 else f"exit status {status}"

    def kill(self) -> None:
        """End the process, or the one that is being started, whatever it is at."""
        self._killed = True
        if self._running is not None:
            self._running[0].terminate()

    def stop(self) -> None:
        """End the process and wait for it."""
        if self._running is not None:
            process, line = self._running
            self._running = None
            process.terminate()
            process.wait()
            line.close()


def _process() -> tuple[Popen[bytes], Channel]:
    """A process that waits for its task, and the line to it."""
    ours, theirs = socketpair()
    with theirs, _without_interrupts():
        try:
            command = [sys.executable, "-c", _START, *sys.path]
            return Popen(command, stdin=theirs.fileno(), stdout=DEVNULL), Channel(ours)  # noqa: S603  our own
        except OSError:
            ours.close()
            raise


def _answer(line: Channel, thing: object) -> Any:
    line.send(thing)
    return line.receive()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ctrl-C goes to all processes of a terminal; what is started here leaves it to the one that started it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
