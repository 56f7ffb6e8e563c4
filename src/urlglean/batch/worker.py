"""A worker process: chunks come, outcomes go, until the other end of its line is closed."""

from __future__ import annotations

import os
import pickle
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from urlglean.batch.gleaner import Gleaner, Task


class HungUpError(Exception):
    """There is nobody at the other end of the line."""


class Line:
    """A pipe with streams in front of it.

    By itself a `Connection` puts each object together before it goes, and again after it has come: of 300 MB by
    megabytes that took 0.25 s more (measured with two workers), 0.1 s of the 2.3 that the run took.
    """

    def __init__(self, pipe: Connection) -> None:
        """Take a pipe over."""
        self._in = os.fdopen(os.dup(pipe.fileno()), "rb")
        self._out = os.fdopen(os.dup(pipe.fileno()), "wb")
        pipe.close()

    def send(self, thing: object) -> None:
        """Send an object.

        Raises:
            HungUpError: nobody takes it.
        """
        try:
            pickle.dump(thing, self._out, pickle.HIGHEST_PROTOCOL)
            self._out.flush()
        except OSError as error:
            raise HungUpError from error

    def receive(self) -> Any:
        """Wait for an object.

        Raises:
            HungUpError: none came, or a half.
        """
        try:
            return pickle.load(self._in)  # noqa: S301  one of the two processes has started the other
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            raise HungUpError from error

    def close(self) -> None:
        """Hang up."""
        with suppress(OSError):  # what could not be sent cannot be sent now
            self._out.close()
        self._in.close()


def serve(pipe: Connection, task: Task) -> None:
    """A worker's life: it says that it is there, and works until it is left alone."""
    glean, line = Gleaner(task), Line(pipe)
    with suppress(HungUpError):
        line.send("ready")
        while True:
            line.send(glean(line.receive()))
