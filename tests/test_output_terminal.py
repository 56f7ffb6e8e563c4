"""Rows on a terminal: headings, colours, links, and that no text of strangers gets there as a control sequence."""

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from occurrences import occurrence
from terminals import environment, on_terminal
from urlglean.occurrence import Occurrence
from urlglean.output import text
from urlglean.output.hyperlinks import knows_links
from urlglean.output.openable import LONGEST, OPENABLE, may_link, may_open
from urlglean.output.terminal import TerminalRows
from urlglean.pipeline.library import scan
from urlglean.records import Problem, Span

ANY_TEXT = st.text(st.characters(), max_size=80)  # lone surrogates and controls too
ESCAPE = re.compile("\x1b")
SGR = re.compile("\x1b\\[[0-9;]*m")
OSC8 = re.compile("\x1b\\]8;;([^\x1b]*)\x1b\\\\")
KITTY = {"TERM": "xterm-kitty"}

MAIL = (
    b"From a@example.org Mon Mar  4 10:00:00 1996\nSubject: two links\n\n"
    b"http://www.example.org/1\nhttp://www.example.org/2\n\n"
    b"From b@example.org Mon Mar  4 11:00:00 1996\nSubject: one link\n\n<URL:http://www.example.org/3>\n\n"
)


def shown(occurrences: list[Occurrence], *, grouped: bool = True, coloured: bool = False, links: bool = False) -> str:
    """What a sink makes of occurrences, each of which comes alone, as on a terminal."""
    stream = io.BytesIO()
    rows = TerminalRows(stream, grouped=grouped, coloured=coloured, links=links)
    for one in occurrences:
        rows.write(b"".join(text.terminal_lines([one])))
    return stream.getvalue().decode()


@pytest.fixture
def mailbox(tmp_path: Path) -> Path:
    """A mailbox with two messages and three URLs."""
    path = tmp_path / "inbox.mbox"
    path.write_bytes(MAIL)
    return path


def test_rows_are_grouped_by_file_and_message(mailbox: Path) -> None:
    """The file is named once, and each subject once, however many pieces the rows come in."""
    notes = mailbox.with_name("notes.txt")
    notes.write_text("\nsee http://a.example/ there\n")
    assert shown(list(scan([mailbox, notes]))) == (
        f"{mailbox}\n[1] two links\n1: http://www.example.org/1\n2: http://www.example.org/2\n"
        "\n[2] one link\n1: http://www.example.org/3\n"
        f"\n{notes}\n2: http://a.example/\n"
    )


def test_two_messages_with_one_subject_are_two_groups(tmp_path: Path) -> None:
    """Their number tells them apart."""
    path = tmp_path / "a.mbox"
    path.write_bytes(MAIL.replace(b"one link", b"two links"))
    assert shown(list(scan(path))).count("] two links\n") == 2


def test_stdin_has_no_heading() -> None:
    """It has no name, but its messages have subjects."""
    assert shown(list(scan(b"see http://a.example/ there"))) == "1: http://a.example/\n"
    assert shown(list(scan(MAIL))).startswith("[1] two links\n1: ")


def test_painted_lines_are_those_of_a_pipe(mailbox: Path) -> None:
    """Without their colours, they are the lines of `text`: what `--color always` writes into a pipe."""
    found = list(scan(mailbox))
    painted = shown(found, grouped=False, coloured=True)
    assert SGR.search(painted)
    assert SGR.sub("", painted).encode() == b"".join(text.lines(found))


def test_a_url_that_is_not_valid_has_another_colour() -> None:
    """So that it is seen among many rows."""
    problem = Problem("bad-port", Span(12, 13), "RFC 1738 5 port", "a port is digits")
    valid, refused = (shown([occurrence(problems=each)], coloured=True) for each in ((), (problem,)))
    assert ("\x1b[36m" in valid, "\x1b[31m" in valid) == (True, False)
    assert ("\x1b[36m" in refused, "\x1b[31m" in refused) == (False, True)


def test_a_long_subject_is_cut_in_its_heading() -> None:
    """200 characters of it are shown."""
    (found,) = scan(b"Subject: " + b"word " * 99 + b"\nFrom: a@example.org\n\nhttp://a.example/\n")
    assert shown([found]).splitlines()[0] == ("word " * 40) + "…"


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_no_text_reaches_the_terminal_as_a_control_sequence(url: str, subject: str, path: str) -> None:
    """Whatever a URL, a subject and a path hold: only our own sequences are escapes, and lines are ours."""
    made = occurrence(url, path=path)
    made = replace(made, envelope=replace(made.envelope, subject=subject))
    for coloured in (False, True):
        out = shown([made], coloured=coloured, links=True)
        for target in OSC8.findall(out):
            assert target == "" or (target == url and may_link(url, valid=True))
        bare = OSC8.sub("", SGR.sub("", out))
        assert all(line.isprintable() for line in bare.split("\n"))


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/\x1b]8;;http://b.example/\x1b\\",
        "http://a.example/\x07",
        "http://a.example/ b",
        "http://a.example/\x9c",
        "http://ä.example/",
        "http://a.example/\n",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "file:///etc/passwd",
        "data:text/html,x",
        "mailto:a@example.org?attach=/etc/passwd",
        "telnet://-l/",
        "-http://a.example/",
        "a.example",
        "http:",
        "",
    ],
)
def test_what_is_not_safe_is_no_link(url: str) -> None:
    """Control characters, blanks, what is not ASCII, and schemes that do more than fetch."""
    assert not may_open(url)
    assert not may_link(url, valid=True)


@pytest.mark.parametrize("scheme", sorted(OPENABLE))
def test_what_only_fetches_is_a_link(scheme: str) -> None:
    """Whatever the case of the scheme is."""
    assert may_open(f"{scheme}:x")
    assert may_link(f"{scheme.upper()}:x", valid=True)
    assert not may_link(f"{scheme}:x", valid=False)


def test_a_link_has_a_bounded_length() -> None:
    """Terminals ignore longer ones."""
    longest = "http://a.example/".ljust(LONGEST, "x")
    assert may_link(longest, valid=True)
    assert not may_link(f"{longest}x", valid=True)


@pytest.mark.parametrize(
    ("environment_of", "known"),
    [
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-256color", "VTE_VERSION": "6800"}, True),
        ({"TERM": "xterm-256color", "VTE_VERSION": "5000"}, False),
        ({"TERM": "xterm-256color", "VTE_VERSION": ""}, False),
        ({"TERM": "xterm-256color", "VTE_VERSION": "many"}, False),
        ({"TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.0.15"}, False),
        ({"TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.4.2"}, True),
        ({"TERM_PROGRAM": "Apple_Terminal", "TERM_PROGRAM_VERSION": "450"}, False),
        ({"TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.4"}, True),
        ({"TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"}, False),
        ({"TERM": "screen-256color", "VTE_VERSION": "6800"}, False),
        ({"TERM": "screen", "VTE_VERSION": "6800"}, False),
        ({"TERM": "xterm", "TMUX": "/tmp/tmux-0/default,1,0", "VTE_VERSION": "6800"}, False),
        ({}, False),
    ],
)
def test_terminals_that_know_links(environment_of: dict[str, str], known: bool) -> None:  # noqa: FBT001  a table
    """By what they say in the environment. In tmux and screen, only what they say themselves counts."""
    assert knows_links(environment_of) is known


def test_a_terminal_gets_headings_colours_and_links(mailbox: Path) -> None:
    """In a terminal that knows links."""
    out = on_terminal("scan", mailbox, **KITTY).decode()
    assert "\x1b]8;;http://www.example.org/1\x1b\\" in out
    assert OSC8.sub("", SGR.sub("", out)).startswith(f"{mailbox}\n[1] two links\n1: http://www.example.org/1\n")


@pytest.mark.parametrize(
    ("options", "variables"),
    [
        (["--color", "never"], KITTY),
        ([], KITTY | {"NO_COLOR": "1"}),
        ([], {"TERM": "dumb"}),
    ],
)
def test_a_terminal_without_colours_gets_no_sequence(
    mailbox: Path, options: list[str], variables: dict[str, str]
) -> None:
    """Headings remain."""
    out = on_terminal("scan", mailbox, *options, **variables).decode()
    assert not ESCAPE.search(out)
    assert out.startswith(f"{mailbox}\n[1] two links\n")


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"NO_COLOR": "", "TERM": "xterm"}])
def test_colours_are_without_links_where_none_are_known(mailbox: Path, variables: dict[str, str]) -> None:
    """`--color always` is stronger than NO_COLOR, and an empty NO_COLOR is none."""
    out = on_terminal("scan", "--color", "always", mailbox, **variables).decode()
    assert SGR.search(out)
    assert not OSC8.search(out)


def piped(*arguments: object) -> bytes:
    """What the command writes into a pipe, in an environment whose terminal knows links."""
    command = [sys.executable, "-m", "urlglean", *map(str, arguments)]
    return subprocess.run(command, env=environment(KITTY), capture_output=True, check=True).stdout


def test_a_pipe_gets_lines_as_of_grep(mailbox: Path) -> None:
    """Without sequences; colours if they are asked for, but never links."""
    plain = piped("scan", mailbox)
    assert plain == b"".join(text.lines(list(scan(mailbox))))
    coloured = piped("scan", "--color", "always", mailbox).decode()
    assert SGR.sub("", coloured).encode() == plain
    assert SGR.search(coloured)


def test_a_file_has_no_colours(mailbox: Path) -> None:
    """Even if they are asked for: they are for stdout."""
    rows = mailbox.with_name("rows.txt")
    piped("scan", "--color", "always", mailbox, "-o", rows)
    assert rows.read_bytes() == piped("scan", mailbox)
