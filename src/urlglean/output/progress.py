"""Messages on stderr, and on a terminal a line above which they scroll that says how far a long run has come."""

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
"""Seconds after which a run is long enough to say where it stands."""


class Progress:
    """What people see of a run: `say` prints a message, `step` tells how far it is.

    The line, and with it `rich`, is there only for a run of some length whose stderr is a terminal and whose rows go
    elsewhere.
    """

    def __init__(
        self, *, rows_to_terminal: bool, total: Callable[[], int | None], clock: Callable[[], float] = monotonic
    ) -> None:
        """Begin a run.

        Args:
            rows_to_terminal: whether rows go to the terminal; then there is no line.
            total: gives the bytes there are, None if that is not known; it may take long and is asked in a thread.
            clock: gives the seconds since some moment.
        """
        self._total, self._clock = total, clock
        self._begun = clock()
        self._bar: progress.Progress | None = None
        self._wanted = not rows_to_terminal and sys.stderr.isatty()

    def say(self, message: str) -> None:
        """Print one message on stderr; nobody may be reading there any more, but the rows still matter."""
        with suppress(BrokenPipeError):
            if self._bar is None:
                print(message, file=sys.stderr, flush=True)  # noqa: T201
            else:
                self._bar.console.print(message, markup=False, emoji=False, highlight=False, soft_wrap=True)

    def step(self, done: int, description: str) -> None:
        """So many bytes are done; `description` is what came of them."""
        if self._bar is None and self._wanted and self._clock() - self._begun > _LONG:
            self._start(done)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, description=description)

    def close(self) -> None:
        """Take the line away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _start(self, done: int) -> None:
        from rich.console import Console  # noqa: PLC0415  a run without a terminal does without
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
