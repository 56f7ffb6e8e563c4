"""Messages and the progress line: the line only on a terminal, the messages always as they are."""

import io

import pytest

from urlglean.output.progress import Progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def watched(stderr: io.StringIO, monkeypatch: pytest.MonkeyPatch, *, documents: int, rows_to_terminal: bool) -> str:
    """What stderr shows of a run of so many documents, with a message at its end."""
    monkeypatch.setattr("sys.stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    progress = Progress(rows_to_terminal=rows_to_terminal, describe=lambda: "so far")
    for _ in range(documents):
        progress.step()
    progress.say("[red]a.txt[/red] :smile: " + "long " * 40)
    progress.stop()
    return stderr.getvalue()


def test_a_long_run_on_a_terminal_says_where_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the message stands there to the letter, on one line, whatever markup it looks like."""
    shown = watched(Terminal(), monkeypatch, documents=1000, rows_to_terminal=False)
    assert "so far" in shown
    assert "[red]a.txt[/red] :smile: " + "long " * 40 in shown


@pytest.mark.parametrize(
    ("stderr", "documents", "rows_to_terminal"),
    [(Terminal(), 10, False), (Terminal(), 1000, True), (io.StringIO(), 1000, False)],
)
def test_no_line_where_it_would_be_in_the_way(
    monkeypatch: pytest.MonkeyPatch, stderr: io.StringIO, documents: int, *, rows_to_terminal: bool
) -> None:
    """A short run, rows on the same terminal, or no terminal: the message alone."""
    shown = watched(stderr, monkeypatch, documents=documents, rows_to_terminal=rows_to_terminal)
    assert shown == "[red]a.txt[/red] :smile: " + "long " * 40 + "\n"


def test_nobody_reading_messages_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows still matter when stderr is a closed pipe."""

    class Closed(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr("sys.stderr", Closed())
    Progress(rows_to_terminal=False, describe=str).say("message")
