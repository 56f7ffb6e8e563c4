"""The channel between two processes: everything sent arrives, and a process that is left alone is told."""

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
def test_everything_sent_arrives(thing: object) -> None:
    """Objects larger than the buffers arrive too, in both directions."""
    here, there = map(Channel, socketpair())
    for sender, receiver in [(here, there), (there, here)] * 2:
        thread = Thread(target=sender.send, args=(thing,))
        thread.start()
        assert receiver.receive() == thing
        thread.join()
    here.close()
    there.close()


@pytest.mark.parametrize("size", [0, 1, 100, 1 << 20])
def test_half_an_object_raises(size: int) -> None:
    """A process may die while it sends."""
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


def test_sending_to_a_closed_channel_raises() -> None:
    """It raises again if the rest is sent later."""
    ours, theirs = socketpair()
    line = Channel(ours)
    theirs.close()
    for _ in range(2):
        with pytest.raises(DisconnectedError):
            line.send(b"x" * (1 << 20))
    line.close()
