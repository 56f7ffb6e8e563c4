"""The line between two processes: whatever is sent comes, and whoever is left alone is told."""

import pickle
from socket import socketpair
from threading import Thread

import pytest

from urlglean.pipeline.worker import Channel, DisconnectedError


@pytest.mark.parametrize(
    "thing",
    [None, "ready", b"x" * (1 << 22), [(1, b"y" * (1 << 18), None)] * 9],
    ids=["nothing", "word", "large", "many"],
)
def test_what_is_sent_comes(thing: object) -> None:
    """Also what fits in no buffer, both ways over one line."""
    here, there = map(Channel, socketpair())
    for sender, receiver in [(here, there), (there, here)] * 2:
        thread = Thread(target=sender.send, args=(thing,))
        thread.start()
        assert receiver.receive() == thing
        thread.join()
    here.close()
    there.close()


@pytest.mark.parametrize("size", [0, 1, 100, 1 << 20])
def test_a_half_is_no_object(size: int) -> None:
    """A process may die in the middle of what it says."""
    ours, theirs = socketpair()
    line = Channel(ours)
    said = memoryview(pickle.dumps(b"x" * (1 << 21), pickle.HIGHEST_PROTOCOL))[:size]

    def say() -> None:
        with theirs:
            theirs.sendall(said)

    thread = Thread(target=say)
    thread.start()
    with pytest.raises(DisconnectedError):
        line.receive()
    thread.join()
    line.close()


def test_nobody_takes_what_is_sent() -> None:
    """Nor what is left of it when the line is closed."""
    ours, theirs = socketpair()
    line = Channel(ours)
    theirs.close()
    for _ in range(2):
        with pytest.raises(DisconnectedError):
            line.send(b"x" * (1 << 20))
    line.close()
