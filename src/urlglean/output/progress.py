"""Prints messages on stderr and, on a terminal, a progress line below them during a long run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich import progress

_LONG = 0.5
"""Seconds after which a run shows the progress line."""


class Progress:
    """Shows a run to people: `say` prints a message, `step` updates the progress line.

    There is a progress line only if stderr is a terminal, the rows do not go to a terminal, and the run takes longer
    than `_LONG`. Only then is `rich` imported.
    """

    def __init__(
        self,
        *,
        rows_to_terminal: bool,
        total: Callable[[], int | None],
        clock: Callable[[], float] = monotonic,
        quiet: bool = False,
    ) -> None:
        """Begin a run.

        Args:
            rows_to_terminal: whether rows go to the terminal; then there is no progress line.
            total: returns the size of the input in bytes, or None if it is not known. It may take long, so it is called
                in a thread.
            clock: returns the time in seconds; only differences matter.
            quiet: whether nothing at all is shown.
        """
        self._total, self._clock = total, clock
        self._begun = clock()
        self._bar: progress.Progress | None = None
        self._quiet = quiet
        self._wanted = not quiet and not rows_to_terminal and sys.stderr.isatty()

    def say(self, message: str) -> None:
        """Print one message on stderr. If stderr is a closed pipe, the run continues, because of its rows."""
        if self._quiet:
            return
        with suppress(BrokenPipeError):
            if self._bar is None:
                print(message, file=sys.stderr, flush=True)  # noqa: T201
            else:
                self._bar.console.print(message, markup=False, emoji=False, highlight=False, soft_wrap=True)

    def step(self, done: int, description: str) -> None:
        """Update the progress line: `done` is how many bytes were read, `description` says what was found."""
        if self._bar is None and self._wanted and self._clock() - self._begun > _LONG:
            self._start(done)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, description=description)

    def close(self) -> None:
        """Remove the progress line."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _start(self, done: int) -> None:
        from rich.console import Console  # noqa: PLC0415  a run without a terminal does not need it
        from rich.progress import (  # noqa: PLC0415
            BarColumn,
            DownloadColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

        bar = self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        task = bar.add_task("", total=None, completed=done)
        bar.start()
        Thread(target=lambda: bar.update(task, total=self._total()), daemon=True).start()
