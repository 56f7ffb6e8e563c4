"""Messages and the progress line: the line is shown only on a terminal, messages are always shown unchanged."""

import io
from contextlib import closing

import pytest

from urlglean.output.progress import Progress


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        """Always true."""
        return True


def watched(stderr: io.StringIO, monkeypatch: pytest.MonkeyPatch, *, seconds: int, rows_to_terminal: bool) -> str:
    """The stderr of a run of `seconds`, with a message at its end."""
    monkeypatch.setattr("sys.stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    clock = iter(range(seconds + 1))
    with closing(
        Progress(rows_to_terminal=rows_to_terminal, total=lambda: 4_000_000, clock=lambda: next(clock))
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


def test_nobody_reading_messages_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """If stderr is a closed pipe, the rows are still written."""

    class Closed(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr("sys.stderr", Closed())
    Progress(rows_to_terminal=False, total=int).say("message")
