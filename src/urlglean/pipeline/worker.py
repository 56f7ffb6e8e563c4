"""A worker process: receives shares and sends back their results, until its channel is closed at the other end."""

from __future__ import annotations

import pickle
from contextlib import suppress
from socket import socket
from typing import Any

from urlglean.pipeline.scan_task import ScanTask
from urlglean.pipeline.shares import results_of_share


class DisconnectedError(Exception):
    """The other end of the channel is closed."""


class Channel:
    """Sends and receives pickled objects through a connected socket. Large objects are not copied first.

    Measured with two workers and 300 MB: 2.16 s; with a `multiprocessing.connection.Connection` 2.27 s.
    """

    def __init__(self, connected: socket) -> None:
        """Take over the socket; the caller must not use it any more."""
        self._in, self._out = connected.makefile("rb"), connected.makefile("wb")
        connected.close()  # the streams keep the connection open

    def send(self, thing: object) -> None:
        """Send an object.

        Raises:
            DisconnectedError: the other end is closed.
        """
        try:
            pickle.dump(thing, self._out, pickle.HIGHEST_PROTOCOL)
            self._out.flush()
        except OSError as error:
            raise DisconnectedError from error

    def receive(self) -> Any:
        """Wait for an object and return it.

        Raises:
            DisconnectedError: the other end was closed before a complete object arrived.
        """
        try:
            return pickle.load(self._in)  # noqa: S301  one of the two processes has started the other
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            raise DisconnectedError from error

    def close(self) -> None:
        """Close this end."""
        with suppress(OSError):  # data that could not be sent before cannot be sent now
            self._out.close()
        self._in.close()


def work() -> None:
    """The main function of a worker process. Its channel is the socket that is its stdin.

    It receives its task, replies "ready", then receives shares, and sends the results of each and None behind them,
    until the channel is closed at the other end.
    """
    channel = Channel(socket(fileno=0))
    with suppress(DisconnectedError):
        task: ScanTask = channel.receive()
        channel.send("ready")
        while True:
            for result in results_of_share(channel.receive(), task):
                channel.send(result)
            channel.send(None)
