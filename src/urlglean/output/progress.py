"""Messages on stderr, and on a terminal a line above which they scroll that says how far a long run has come."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.status import Status

_MANY = 200
"""Documents after which a run is long enough to say where it stands."""
_EVERY = 20
"""Documents between two looks at the line: drawing it costs more than reading a message."""


class Progress:
    """What people see of a run: `say` prints a message, `step` counts a document and redraws the line.

    The line, and with it `rich`, is there only for a run of many documents whose stderr is a terminal and whose rows go
    elsewhere.
    """

    def __init__(self, *, rows_to_terminal: bool, describe: Callable[[], str]) -> None:
        self._describe = describe
        self._status: Status | None = None
        self._steps = 0
        self._wanted = not rows_to_terminal and sys.stderr.isatty()

    def say(self, message: str) -> None:
        """Print one message on stderr; nobody may be reading there any more, but the rows still matter."""
        with suppress(BrokenPipeError):
            if self._status is None:
                print(message, file=sys.stderr, flush=True)  # noqa: T201
            else:
                self._status.console.print(message, markup=False, emoji=False, highlight=False, soft_wrap=True)

    def step(self) -> None:
        """Count one document."""
        self._steps += 1
        if self._wanted and self._steps >= _MANY and self._steps % _EVERY == 0:
            if self._status is None:
                self._start()
            else:
                self._status.update(self._describe())

    def stop(self) -> None:
        """Take the line away."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _start(self) -> None:
        from rich.console import Console  # noqa: PLC0415  a run without a terminal does without
        from rich.status import Status  # noqa: PLC0415

        self._status = Status(self._describe(), console=Console(stderr=True))
        self._status.start()
