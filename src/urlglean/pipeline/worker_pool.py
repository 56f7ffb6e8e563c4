"""Makes the results of shares in several worker processes, in order.

If a worker process dies, only the document that killed it is lost. For each share under way a thread of this process
sends it to a worker, waits for the result, and tries again after a death, in plain sequential code.

Workers are started with `Popen`, not forked: a forked worker would inherit this process's ends of the channels of the
other workers, so that these would wait forever if this process were killed. `multiprocessing` would start one more
process, and would import the main module in every worker: measured, 20 ms more for two workers.
"""

from __future__ import annotations

import signal
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from queue import SimpleQueue
from socket import socketpair
from subprocess import DEVNULL, Popen, TimeoutExpired
from threading import Condition
from typing import Any

from msgspec import structs

from urlglean.errors import WorkerError
from urlglean.pipeline.chunk_result import lost
from urlglean.pipeline.inputs import Chunk, Inputs
from urlglean.pipeline.results import ChunkResult, Tally
from urlglean.pipeline.scan_task import ScanTask
from urlglean.pipeline.shares import Share
from urlglean.pipeline.splits import items_of
from urlglean.pipeline.worker import Channel, DisconnectedError
from urlglean.sources import unbundled

_START = "import sys; sys.path[:] = sys.argv[1:]; from urlglean.pipeline.worker import work; work()"
"""The program of a worker. It sets `sys.path` to that of this process, so that it imports the same modules, and none
that happen to be in the current folder."""

_AHEAD = 4
"""Shares under way for each worker: enough that no worker is idle while an earlier share takes long."""

_HELD = 1 << 26
"""If the chunks under way have more bytes than this, no share is added before the first is done. It bounds memory."""

_WAITING, _WAITING_BYTES = 4, 1 << 23
"""How many results of one share wait until those of the shares before it are written: so many, or so many bytes of
rows. A split of real mail has two megabytes of rows; if its worker had to wait, the others would have less to do."""

_EXIT_TIME = 1.0
"""Seconds that a worker has to exit by itself after its channel was closed, so that its exit status is known."""


def shared(every: Iterable[Share], task: ScanTask, jobs: int) -> Generator[ChunkResult, None, None]:
    """The results of each share, in order, made by `jobs` worker processes.

    Raises:
        WorkerError: a worker process cannot be started.
    """
    workers = _Workers(task, jobs)
    threads = ThreadPoolExecutor(jobs)
    under_way: deque[tuple[_Results, int]] = deque()
    held = 0
    try:
        for share in every:
            results = _Results()
            threads.submit(results.take_from, workers.results_of(share))
            size = share.size if isinstance(share, Chunk) else 0
            under_way.append((results, size))
            held += size
            del share  # it would stay in memory with the next one
            while under_way and (under_way[0][0].complete or len(under_way) > jobs * _AHEAD or held > _HELD):
                yield from under_way[0][0]
                held -= under_way.popleft()[1]
        while under_way:
            yield from under_way[0][0]
            under_way.popleft()
    finally:
        workers.kill()
        for results, _ in under_way:
            results.close()
        threads.shutdown(cancel_futures=True)
        workers.stop()


class _Results:
    """The results of a share on their way from the thread that receives them to the one that wants them.

    If there are too many, the thread that receives them waits, and so does the worker: memory is bounded.
    """

    def __init__(self) -> None:
        self._waiting: deque[ChunkResult] = deque()
        self._bytes = 0
        self._changed = Condition()
        self._ended = self._closed = False
        self._error: BaseException | None = None

    @property
    def complete(self) -> bool:
        """Whether no other result will come."""
        return self._ended

    def take_from(self, results: Iterable[ChunkResult]) -> None:
        """Take all results from an iterator, or up to its exception."""
        try:
            for result in results:
                with self._changed:
                    self._changed.wait_for(lambda: self._closed or self._has_room())
                    if self._closed:
                        return
                    self._waiting.append(result)
                    self._bytes += len(result.rows)
                    self._changed.notify_all()
                del result
        except BaseException as error:  # noqa: BLE001  it is raised again in the other thread
            self._error = error
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def __iter__(self) -> Iterator[ChunkResult]:
        """The results, each as soon as it is there.

        Raises:
            WorkerError: a worker process could not be started.
        """
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._ended)
                if not self._waiting:
                    break
                result = self._waiting.popleft()
                self._bytes -= len(result.rows)
                self._changed.notify_all()
            yield result
            del result
        if self._error is not None:
            raise self._error

    def _has_room(self) -> bool:
        return len(self._waiting) < _WAITING or self._bytes < _WAITING_BYTES

    def close(self) -> None:
        """Take no more results."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


def _without_read(result: ChunkResult) -> ChunkResult:
    """The result of an item, of which only that of its whole chunk says what was read."""
    return structs.replace(result, read=None)


class _DiedError(Exception):
    """A worker process died."""


class _Workers:
    """All workers of a run. Each is idle, or busy with one share."""

    def __init__(self, task: ScanTask, jobs: int) -> None:
        self._task = task
        self._all = [_Worker(task) for _ in range(jobs)]
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self._all:
            self._idle.put(worker)

    def results_of(self, share: Share) -> Iterator[ChunkResult]:
        """The results of a share, from the next idle worker.

        If that dies, this process reads what is left of the share, and each item of the next chunk is tried alone.
        """
        done = given = told = 0
        """How many items are read completely, how many results the next one has already given, and up to how many items
        the results have told what was read."""
        try:
            for result in self._by_idle_worker(share):
                given = given + 1 if result.done == done else 0
                done = result.done
                told = told if result.read is None else done
                yield result
        except _DiedError:
            yield from self._after_death(share, told, done - told, given)

    def _after_death(self, share: Share, told: int, done: int, given: int) -> Iterator[ChunkResult]:
        """The remaining results of a share, whose items behind the first `told` this process reads again.

        Of these, `done` are read completely already, and the next one has given `given` results.
        """
        if isinstance(share, Chunk):  # only its last result tells what was read
            chunks = iter((share,))
        else:
            chunks = Inputs(items_of(share, self._task.options.bounds)).chunks(start=told)
        found = False
        for chunk in chunks:
            if found:
                yield from self.results_of(chunk)
                continue
            for item in list(unbundled(chunk.items))[done:]:
                found = True
                results = self._by_idle_worker(Chunk([item]))
                try:
                    # The results of a long document depend on it alone, so the first of them are the same as before.
                    yield from (_without_read(result) for result in islice(results, given, None))
                except _DiedError as error:
                    yield lost(item, str(error), self._task)
                given = 0
            done = max(0, done - len(chunk.items))
            yield ChunkResult(b"", b"", [], Tally(), chunk.read, len(chunk.items))

    def _by_idle_worker(self, share: Share) -> Iterator[ChunkResult]:
        worker = self._idle.get()
        try:
            yield from worker.results_of(share)
        finally:
            self._idle.put(worker)

    def kill(self) -> None:
        """Terminate all processes, busy or not. A thread that waits for one learns that it died."""
        for worker in self._all:
            worker.kill()

    def stop(self) -> None:
        """Terminate all processes and wait for their ends. No thread may be waiting for one of them any more."""
        for worker in self._all:
            worker.stop()


class _Worker:
    """A worker process. It is started when there is work for it, and again after each death."""

    def __init__(self, task: ScanTask) -> None:
        self._task = task
        self._running: tuple[Popen[bytes], Channel] | None = None
        self._killed = False

    def results_of(self, share: Share) -> Iterator[ChunkResult]:
        """The results of a share, from the process.

        Raises:
            _DiedError: the process died before it sent all of them.
            WorkerError: the process could not be started.
        """
        process, channel = self._running or self._started()
        try:
            result = _reply(channel, share)
            while result is not None:
                yield result
                result = channel.receive()
        except DisconnectedError as error:
            raise _DiedError(f"the process that read it died ({self._end(process)})") from error

    def _started(self) -> tuple[Popen[bytes], Channel]:
        if self._killed:
            raise WorkerError("the run has ended")
        try:
            process, channel = self._running = _process()
        except OSError as error:
            raise WorkerError(f"a worker process could not start ({error.strerror})") from error
        if self._killed:
            process.terminate()
        try:
            _reply(channel, self._task)
        except DisconnectedError as error:
            # Another process would fail in the same way, so nothing is tried again.
            raise WorkerError(f"a worker process could not start ({self._end(process)})") from error
        return process, channel

    def _end(self, process: Popen[bytes]) -> str:
        """How a process ended that has closed its channel: "signal 9" or "exit status 1", for example."""
        with suppress(TimeoutExpired):
            process.wait(_EXIT_TIME)
        self.stop()
        status = process.returncode
        return f"signal {-status}" if status < 0 else f"exit status {status}"

    def kill(self) -> None:
        """Terminate the process, busy or not. A process that is just being started is terminated when it is there."""
        self._killed = True
        if self._running is not None:
            self._running[0].terminate()

    def stop(self) -> None:
        """Terminate the process and wait for its end."""
        if self._running is not None:
            process, channel = self._running
            self._running = None
            process.terminate()
            process.wait()
            channel.close()


def _process() -> tuple[Popen[bytes], Channel]:
    """Start a process, which waits for its task; return it and the channel to it."""
    ours, theirs = socketpair()
    with theirs, _without_interrupts():
        try:
            command = [sys.executable, "-c", _START, *sys.path]
            return Popen(command, stdin=theirs.fileno(), stdout=DEVNULL), Channel(ours)  # noqa: S603  our own
        except OSError:
            ours.close()
            raise


def _reply(channel: Channel, thing: object) -> Any:
    """Send an object to a worker and wait for its reply."""
    channel.send(thing)
    return channel.receive()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block SIGINT in the processes that the block starts.

    Ctrl-C sends the signal to all processes of a terminal; only this process is to handle it.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
