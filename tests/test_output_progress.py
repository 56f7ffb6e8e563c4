"""Messages and the progress line: the line is shown only on a terminal, messages are always shown unchanged."""

import io
import threading
from contextlib import closing

import pytest

from urlglean.output.progress import Progress


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        """Always true."""
        return True


def watched(
    stderr: io.StringIO, monkeypatch: pytest.MonkeyPatch, *, seconds: int, rows_to_terminal: bool, quiet: bool = False
) -> str:
    """The stderr of a run of `seconds`, with a message at its end."""
    monkeypatch.setattr("sys.stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    clock = iter(range(seconds + 1))
    with closing(
        Progress(rows_to_terminal=rows_to_terminal, total=lambda: 4_000_000, clock=lambda: next(clock), quiet=quiet)
    ) as progress:
        for second in range(seconds):
            progress.step(second * 1_000_000, "[so far]")
        progress.say("[red]a.txt[/red] :smile: " + "long " * 40)
    return stderr.getvalue()


def test_a_long_run_on_a_terminal_shows_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message is shown on one line of its own, unchanged even if it looks like markup."""
    shown = watched(Terminal(), monkeypatch, seconds=3, rows_to_terminal=False)
    assert "[so far]" in shown
    assert "[red]a.txt[/red] :smile: " + "long " * 40 in shown


@pytest.mark.parametrize(
    ("stderr", "seconds", "rows_to_terminal"),
    [(Terminal(), 0, False), (Terminal(), 3, True), (io.StringIO(), 3, False)],
)
def test_no_progress_line_if_it_would_disturb(
    monkeypatch: pytest.MonkeyPatch, stderr: io.StringIO, seconds: int, *, rows_to_terminal: bool
) -> None:
    """For a short run, for rows on the same terminal, and without a terminal, only the message is shown."""
    shown = watched(stderr, monkeypatch, seconds=seconds, rows_to_terminal=rows_to_terminal)
    assert shown == "[red]a.txt[/red] :smile: " + "long " * 40 + "\n"


def test_nothing_is_shown_if_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither progress nor messages, on a terminal too."""
    assert watched(Terminal(), monkeypatch, seconds=3, rows_to_terminal=False, quiet=True) == ""


def test_the_size_of_the_input_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a thread, because walking through folders may take long."""
    monkeypatch.setattr("sys.stderr", Terminal())
    asked_in: list[threading.Thread] = []
    before = set(threading.enumerate())

    def total() -> int:
        asked_in.append(threading.current_thread())
        return 4_000_000

    clock = iter(range(4))
    with closing(Progress(rows_to_terminal=False, total=total, clock=lambda: next(clock))) as progress:
        for second in range(3):
            progress.step(second * 1_000_000, "so far")
    for thread in set(threading.enumerate()) - before:
        thread.join()
    assert len(asked_in) == 1
    assert asked_in[0] is not threading.main_thread()


def test_nobody_reading_messages_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """If stderr is a closed pipe, the rows are still written."""

    class Closed(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr("sys.stderr", Closed())
    Progress(rows_to_terminal=False, total=int).say("message")
