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

from urlglean.batch.gleaner import Outcome, Task, joined, lost
from urlglean.batch.inputs import Chunk
from urlglean.batch.worker import HungUpError, Line
from urlglean.errors import WorkerError
from urlglean.sources import unbundled

_START = "import sys; _, number, *sys.path = sys.argv; from urlglean.batch.worker import work; work(int(number))"
"""What a worker runs: it finds what this process finds, and not what happens to lie in the folder at hand."""

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
    workers = _Workers(task)
    threads = ThreadPoolExecutor(jobs)
    under_way: deque[tuple[Future[Outcome], int]] = deque()
    held = 0
    try:
        workers.start(jobs)
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

    def __init__(self, task: Task) -> None:
        self._task = task
        self._stopped = False
        self._all: set[_Worker] = set()
        self._idle: SimpleQueue[_Worker] = SimpleQueue()

    def start(self, jobs: int) -> None:
        """Start so many workers.

        Raises:
            WorkerError: one cannot be started.
        """
        for _ in range(jobs):
            worker = _Worker(self._task)
            self._all.add(worker)
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
        self._task = task
        self._ready = False
        ours, theirs = socketpair()
        self._line = Line(ours)
        command = [sys.executable, "-c", _START, str(theirs.fileno()), *sys.path]
        try:
            with theirs, _without_interrupts():
                self._process = Popen(command, stdin=DEVNULL, stdout=DEVNULL, pass_fds=[theirs.fileno()])  # noqa: S603  our own
        except OSError as error:
            self._line.close()
            raise WorkerError(f"a worker process could not start ({error.strerror})") from error

    def outcome(self, chunk: Chunk) -> Outcome:
        """What the process makes of a chunk.

        Raises:
            _DiedError: it died of it.
            WorkerError: it died before that.
        """
        try:
            if not self._ready:
                self._line.send(self._task)
                self._ready = self._line.receive() is not None
            self._line.send(chunk)
            outcome: Outcome = self._line.receive()
        except HungUpError as error:
            with suppress(TimeoutExpired):
                self._process.wait(_LAST_BREATH)
            self.stop()
            end = _end(self._process.returncode)
            if not self._ready:  # the next one would not live longer, whatever it was handed
                raise WorkerError(f"a worker process could not start ({end})") from error
            raise _DiedError(f"the process that read it died ({end})") from error
        return outcome

    def stop(self) -> None:
        """End the process and wait for it."""
        self._process.terminate()
        self._process.wait()
        self._line.close()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ctrl-C goes to all processes of a terminal; what is started here leaves it to the one that started it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit status {status}"
