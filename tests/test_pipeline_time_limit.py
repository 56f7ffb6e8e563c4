"""A document that hangs is given up and reported, and the run goes on."""

from __future__ import annotations

import signal
import threading
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner

from urlglean.cli import main
from urlglean.pipeline import chunk_result as chunks
from urlglean.pipeline import glean
from urlglean.pipeline.inputs import Chunk
from urlglean.pipeline.limits import Limits
from urlglean.pipeline.scan_task import ScanTask
from urlglean.pipeline.time_limit import TimeLimitError, time_limit
from urlglean.records import Document, Message, TextPart, Trouble
from urlglean.text.extract import Extractor
from urlglean.text.finding import Finding
from whole import chunk_result

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")

SECONDS = 0.2


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that loops forever on documents with the word "hang", even after an exception."""

    def read(octets: bytes, *_: object) -> Message:
        while b"hang" in octets:
            try:
                sum(range(1000))
            except Exception:  # noqa: BLE001 - as readers do
                continue
        return Message((TextPart(octets.decode()),))

    monkeypatch.setattr(glean, "read", read)


def endless() -> None:
    """Never returns."""
    while True:
        pass


def documents() -> list[Document]:
    """Three documents; the second hangs."""
    texts = (b"http://a.example/1", b"hang", b"http://a.example/3")
    return [Document("box", text, "message", message=number) for number, text in enumerate(texts, 1)]


@pytest.mark.usefixtures("hanging")
def test_a_hanging_document_is_a_trouble_and_the_others_are_read() -> None:
    """It is read together with the others."""
    found = chunk_result(Chunk(documents()), ScanTask("urls", limits=Limits(seconds=SECONDS)))
    assert found.rows == b"http://a.example/1\nhttp://a.example/3\n"
    (note,) = found.notes
    assert (note.path, getattr(note, "message", None)) == ("box", 2)
    assert getattr(note, "cause", "") == "given up after 0.2 seconds of processor time"
    assert (found.tally.messages, found.tally.troubles) == (3, 1)


@pytest.mark.usefixtures("hanging")
def test_a_scan_that_reaches_the_limit_has_status_two(tmp_path: Path) -> None:
    """The rest of the run is unaffected."""
    for name, text in (("a", "http://a.example/1"), ("b", "hang"), ("c", "http://a.example/3")):
        (tmp_path / name).write_text(text)
    ran = CliRunner().invoke(main, ["scan", "--format", "urls", "--time-limit", str(SECONDS), str(tmp_path)])
    assert ran.exit_code == 2
    assert ran.stdout == "http://a.example/1\nhttp://a.example/3\n"
    assert "given up after" in ran.stderr


def test_larger_documents_have_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each megabyte adds the same time again."""
    given: list[float] = []

    def told(seconds: float) -> AbstractContextManager[object]:
        given.append(seconds)
        return nullcontext(lambda: seconds / 2)

    monkeypatch.setattr(chunks, "time_limit", told)
    text = b"http://a.example/ and words\n" * 50_000
    chunk_result(Chunk([Document("text", text, "text")]), ScanTask("urls", limits=Limits(seconds=10)))
    assert given == [24, 12, 6]  # two windows, then the end; a piece may use the time that the piece before it has left


def test_zero_seconds_mean_no_limit() -> None:
    """The timer is not set."""
    with time_limit(0):
        assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)


def test_the_timer_is_off_after_the_block() -> None:
    """The signal is handled as before."""
    before = signal.getsignal(signal.SIGVTALRM)
    with time_limit(100):
        assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] > 0
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
    assert signal.getsignal(signal.SIGVTALRM) is before
    with pytest.raises(TimeLimitError), time_limit(0.01):
        endless()
    assert signal.getsignal(signal.SIGVTALRM) is before


def test_nothing_is_limited_outside_the_main_thread() -> None:
    """Python delivers signals only to the main thread."""
    done = []

    def work() -> None:
        with time_limit(1):
            done.append(signal.getitimer(signal.ITIMER_VIRTUAL))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [(0, 0)]


@pytest.mark.parametrize("seconds", [1e9, 1e10, float("inf")])
def test_a_limit_too_large_for_timers_means_no_limit(seconds: float) -> None:
    """Users may ask for no limit in this way."""
    with time_limit(seconds):
        assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] > 1e5


def test_findings_before_the_limit_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts of a message, and the windows of a long text, before the one that hangs are kept.

    Then the trouble follows.
    """
    find = Extractor.__call__

    def hangs(self: Extractor, text: str, flowed: str) -> list[Finding]:
        if "hang" in text:
            endless()
        return find(self, text, flowed)  # type: ignore[arg-type]

    monkeypatch.setattr(Extractor, "__call__", hangs)
    parts = (TextPart("http://a.example/", "1"), TextPart("hang", "2"), TextPart("http://c.example/", "3"))
    monkeypatch.setattr(glean, "read", lambda *_: Message(parts))
    message = Document("box", b"", "message", message=1)
    found = chunk_result(Chunk([message]), ScanTask("urls", limits=Limits(seconds=SECONDS)))
    assert found.rows == b"http://a.example/\n"
    assert found.notes == [Trouble("box", "given up after 0.2 seconds of processor time", message=1)]
    assert (found.tally.messages, found.tally.findings) == (1, 1)
    together = chunk_result(Chunk([message, message]), ScanTask("urls", limits=Limits(seconds=SECONDS)))
    assert together.rows == b"http://a.example/\n" * 2


def test_the_windows_of_a_long_text_before_the_limit_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text is a part of a message and longer than a window."""
    in_window = Extractor.in_window

    def hangs(self: Extractor, text: str, *more: object) -> list[Finding]:
        if "hang" in text:
            endless()
        return in_window(self, text, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Extractor, "in_window", hangs)
    text = b"http://a.example/ and words\n" * 50_000 + b"words, no URL\n" * 90_000 + b"hang\n" * 250_000
    found = chunk_result(
        Chunk([Document("box", b"Subject: x\n\n" + text, "message", message=1)]),
        ScanTask("urls", limits=Limits(seconds=1)),
    )
    assert found.rows == b"http://a.example/\n" * 50_000
    assert [note.cause for note in found.notes if isinstance(note, Trouble)] == [
        f"given up after {1 + (len(text) + 12) / 1e6:.3g} seconds of processor time"
    ]
