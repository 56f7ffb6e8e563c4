"""The links of a message, to choose from: what is offered, what the keys do, and what is opened."""

from __future__ import annotations

import base64
import io
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from commands import run
from mutt import MUTT
from occurrences import occurrence
from terminals import environment
from tmux import TMUX, Terminal
from urlglean.pick.links import Link, Links, asks, matching, target
from urlglean.pick.opening import copying
from urlglean.pick.picker import Picker
from urlglean.pick.preview import line_of, preview
from urlglean.pick.screen import Screen
from urlglean.pipeline.library import scan
from urlglean.text.finding import Finding

ANY_TEXT = st.text(st.characters(), max_size=80)
CORPUS = Path(__file__).parent.parent / "corpus"

DOWN, TAB, ENTER, ESCAPE, COPY, PRINT = "\x1b[B", "\t", "\r", "\x1b", "\x19", "\x0f"

MAIL = (
    b"From: a@example.org\nSubject: links\n\n"
    b"First http://www.example.org/one and\n\nthen <URL:http://www.tele-\nphone.example/>\n\n"
    b"or javascript:alert(1) or <URL:telnet://bbs.example.org/>\nhttp://www.example.org/one\n"
)
READINGS = ("http://www.tele-phone.example/", "http://www.telephone.example/")


def links_of(octets: bytes) -> list[Link]:
    """The links of a message."""
    links = Links()
    links.add(scan(octets))
    return links.all


def urls(links: Sequence[Link]) -> list[str]:
    """The URL of each."""
    return [link.url for link in links]


# What is offered


def test_each_url_is_offered_once() -> None:
    """In the order of the message, with what else it may be."""
    found = links_of(MAIL)
    assert urls(found) == ["http://www.example.org/one", READINGS[0], "telnet://bbs.example.org/"]
    assert [link.times for link in found] == [2, 1, 1]
    assert [link.readings for link in found] == [found[0].readings[:1], READINGS, found[2].readings[:1]]


def test_a_message_without_end_has_a_bounded_list() -> None:
    """What is left out is counted."""
    links = Links()
    links.add(occurrence(f"http://h/{number}") for number in range(10_007))
    assert len(links.all) == 10_000
    assert links.left_out == 7
    links.add(occurrence("http://h/1") for _ in range(100))
    assert links.all[1].times == 101
    assert len(links.all[1].places) == 5


def test_words_filter() -> None:
    """All of them must be there, in any case: in a reading, a subject or the name of a field."""
    found = links_of(MAIL)
    assert urls(matching(found, "")) == urls(found)
    assert urls(matching(found, "ORG/ONE http")) == ["http://www.example.org/one"]
    assert urls(matching(found, "telephone")) == [READINGS[0]]
    assert urls(matching(found, "Links telnet:")) == ["telnet://bbs.example.org/"]
    assert urls(matching(found, "org/one telnet")) == []


def test_the_text_of_a_link_is_shown_and_filters() -> None:
    """The same URL in plain text and in HTML is one link."""
    (link,) = links_of(b"<html><body>http://a.example/ <a href=http://a.example/>Read more</a></body></html>")
    assert link.times == 2
    assert "".join(text for _, text in line_of(link, selected=False)) == "  http://a.example/  Read more  (2 times)\n"
    assert matching([link], "read MORE") == [link]
    assert "link text  Read more\n" in "".join(text for _, text in preview(link, 0))


def test_the_selection_stays_in_its_bounds() -> None:
    """Whatever is filtered and moved."""
    picker = Picker(links_of(MAIL))
    picker.move(-1)
    assert picker.url == "http://www.example.org/one"
    picker.move(99)
    assert picker.url == "telnet://bbs.example.org/"
    picker.filter("http")
    assert picker.url == "http://www.example.org/one"
    picker.filter("no such word")
    assert picker.url is None
    picker.move(1)
    picker.turn(1)
    assert picker.url is None
    picker.filter("")
    picker.move(1)
    picker.turn(1)
    assert picker.url == READINGS[1]
    picker.filter("phone")
    assert picker.url == READINGS[1]
    picker.turn(1)
    assert picker.url == READINGS[0]


@given(st.integers(0, 30), st.integers(-40, 40), st.integers(1, 20))
def test_the_list_shows_the_selected_link(count: int, by: int, height: int) -> None:
    """And as many others as there is room for."""
    links = Links()
    links.add(occurrence(f"http://h/{number}") for number in range(count))
    picker = Picker(links.all)
    picker.move(by)
    window = picker.window(height)
    assert len(window) == min(count, height)
    assert not count or picker.at in window


def test_the_preview_shows_the_text_and_the_readings() -> None:
    """How it was read, and what else it may be."""
    link = links_of(MAIL)[1]
    text = "".join(piece for _, piece in preview(link, 1))
    assert f"  {READINGS[0]}\n* {READINGS[1]}\n" in text
    assert "a@example.org · links" in text
    assert "then <URL:http://www.tele-\nphone.example/>\n\nor javascript" in text
    assert "hyphen-kept" in text
    marked = [piece for style, piece in preview(link, 0) if style == "class:url"]
    assert marked == ["http://www.tele-", "phone.example/"]


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_nothing_that_is_shown_obeys_strangers(url: str, rival: str, subject: str, around: str) -> None:
    """Characters that a terminal might obey are escapes."""
    made = occurrence(url, rivals=(rival,))
    part = replace(made.part, text=f"{around}{url}{around}")
    finding = moved_to(made.finding, len(around), len(around) + len(url))
    links = Links()
    links.add([replace(made, finding=finding, part=part, envelope=replace(made.envelope, subject=subject))])
    (link,) = links.all
    shown = line_of(link, selected=True) + preview(link, 1)
    kept = dict.fromkeys("\n\t\u00a0\u202f\u3000" + "".join(map(chr, range(0x2000, 0x200B))))
    assert all(char in kept or char.isprintable() for _, text in shown for char in text)
    assert target(url).isprintable()
    assert " " not in target(url)


def moved_to(finding: Finding, start: int, end: int) -> Finding:
    """The finding at another place."""
    span = replace(finding.span, start=start, end=end)
    return replace(finding, span=span, pieces=(span,), rival_confidences=(0.1,) * len(finding.rivals))


@pytest.mark.parametrize(
    ("url", "is_asked"),
    [
        ("http://a.example/", False),
        ("ftp://a.example/", False),
        ("HTTPS://a.example/$(reboot)", False),
        ("javascript:alert(1)", True),
        ("data:text/html,x", True),
        ("file:///etc/passwd", True),
        ("mailto:a@example.org", True),
        ("telnet://a.example/", True),
        ("http://\u0430.example/", True),
        ("x-unknown:1", True),
    ],
)
def test_what_may_be_dangerous_is_asked_about(url: str, is_asked: bool) -> None:  # noqa: FBT001  a table
    """Other schemes, and characters that look like others."""
    assert (asks(url) is not None) is is_asked


# What the keys do


class Browser:
    """A browser that only remembers what it is to open."""

    def __init__(self, *, works: bool = True) -> None:
        self.opened: list[str] = []
        self._works = works

    def __call__(self, url: str) -> bool:
        """Remember a URL."""
        self.opened.append(url)
        return self._works


def typed(*keys: str, octets: bytes = MAIL, browser: Browser | None = None) -> tuple[str | None, str]:
    """What is printed after these keys, and all that was drawn."""
    page = io.StringIO()
    output = Vt100_Output(page, lambda: Size(rows=30, columns=100), term="xterm")
    with create_pipe_input() as pipe:
        pipe.send_text("".join(keys))
        printed = Screen(Picker(links_of(octets)), browser or Browser(), pipe, output).run()
    return printed, page.getvalue()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_screen_and_leaves_the_terminal_as_it_was(number: signal.Signals) -> None:
    """The alternate screen is left, and the status is that of shells."""

    class Killing(Browser):
        """A browser that ends the process which opens it."""

        def __call__(self, url: str) -> bool:
            """Send the signal."""
            os.kill(os.getpid(), number)
            os.kill(os.getpid(), signal.SIGTERM)  # both may come
            return super().__call__(url)

    page = io.StringIO()
    output = Vt100_Output(page, lambda: Size(rows=30, columns=100), term="xterm")
    with create_pipe_input() as pipe:
        pipe.send_text(ENTER)
        screen = Screen(Picker(links_of(MAIL)), Killing(), pipe, output)
        with pytest.raises(SystemExit) as ended:
            screen.run()
    assert ended.value.code in {128 + number, 128 + signal.SIGTERM}
    assert page.getvalue().rindex("\x1b[?1049l") > page.getvalue().rindex("\x1b[?1049h")


def test_enter_opens_and_the_screen_stays() -> None:
    """So that several links can be opened."""
    browser = Browser()
    assert typed(ENTER, DOWN, ENTER, ESCAPE, browser=browser)[0] is None
    assert browser.opened == ["http://www.example.org/one", READINGS[0]]


def test_tab_selects_another_reading() -> None:
    """It is opened instead."""
    browser = Browser()
    typed(DOWN, TAB, ENTER, ESCAPE, browser=browser)
    assert browser.opened == [READINGS[1]]


def test_letters_filter_and_a_url_is_printed() -> None:
    """It is what `run` returns; the screen is left."""
    assert typed("phone", PRINT)[0] == READINGS[0]
    assert typed("no such link", PRINT, ENTER, COPY, TAB, ESCAPE)[0] is None


@pytest.mark.parametrize(("answer", "opened"), [("y", ["telnet://bbs.example.org/"]), ("n", []), (ENTER, [])])
def test_a_dangerous_link_is_opened_only_after_a_yes(answer: str, opened: list[str]) -> None:
    """Every other key means no, and types nothing."""
    browser = Browser()
    printed, _ = typed("telnet", ENTER, answer, ENTER, "n", PRINT, browser=browser)
    assert browser.opened == opened
    assert printed == "telnet://bbs.example.org/"
    assert typed("telnet", ENTER, PRINT, ESCAPE)[0] is None


def test_a_browser_that_cannot_be_started_is_told() -> None:
    """With what helps."""
    assert "set BROWSER" in typed(ENTER, DOWN, ESCAPE, browser=Browser(works=False))[1]


def test_a_url_is_copied_by_the_terminal() -> None:
    """OSC 52 has it in base64, so that nothing in it ends the sequence."""
    page = typed(COPY, ESCAPE)[1]
    encoded = base64.b64encode(b"http://www.example.org/one").decode()
    assert f"\x1b]52;c;{encoded}\x07" in page
    assert copying("\x07\x1b").count("\x1b") == 1


def test_a_long_list_is_drawn_around_the_selection() -> None:
    """The last of many links is seen when it is selected."""
    octets = b"".join(b"http://www.example.org/%d\n" % number for number in range(500))
    browser = Browser()
    page = typed("\x1b[F", ENTER, ESCAPE, octets=octets, browser=browser)[1]
    assert browser.opened == ["http://www.example.org/499"]
    assert "> http://www.example.org/499" in page


# The command


@pytest.fixture
def browser(tmp_path: Path) -> Path:
    """A browser that writes each of its arguments to a line of the file `opened`, and something to its stdout."""
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$#" "$@" >>{tmp_path}/opened; echo told\n')
    script.chmod(0o755)
    return script


def test_without_a_terminal_there_is_an_error(tmp_path: Path) -> None:
    """Stdin and stdout may be anything; a session of its own has no terminal."""
    made = subprocess.run(
        [sys.executable, "-m", "urlglean", "pick"],
        input=MAIL,
        capture_output=True,
        env=environment({}),
        start_new_session=True,
        check=False,
    )
    assert made.returncode == 2
    assert made.stdout == b""
    assert made.stderr.startswith(b"urlglean: pick needs a terminal")
    assert made.stderr.count(b"\n") == 1


def test_what_cannot_be_read_is_told_without_a_terminal(tmp_path: Path) -> None:
    """The terminal is not what is missing."""
    done = run("pick", tmp_path / "nosuch")
    assert done.exit_code == 2
    assert f"{tmp_path / 'nosuch'}: " in done.stderr
    assert "terminal" not in done.stderr


needs_tmux = pytest.mark.skipif(TMUX is None, reason="tmux is not installed")


def command(*arguments: object) -> str:
    """A command line of the shell."""
    return " ".join([sys.executable, "-m", "urlglean", *map(str, arguments)])


@needs_tmux
def test_in_a_pipe_keys_come_from_the_terminal(tmp_path: Path, browser: Path) -> None:
    """Stdin is the message, stdout gets what is printed; the URL is one argument, which no shell sees."""
    url = "http://www.example.org/$(touch,bad)';echo,bad;&x=*"
    (tmp_path / "mail").write_text(f"Subject: a\nFrom: a@example.org\n\n<URL:{url}>\n<URL:telnet://a.example/>\n")
    line = f"cat mail | {command('pick')} >printed; echo status $?; sleep 600"
    with Terminal(tmp_path, "sh", "-c", line, BROWSER=f"{browser} %s") as terminal:
        terminal.shows("2 links")
        terminal.type("Enter")
        terminal.shows("opened")
        terminal.type("Down", "Enter")
        terminal.shows("telnet://a.example/, whose scheme or signs may be dangerous? (y/n)")
        terminal.type("n", "Up", "C-o")
        terminal.shows("status 0")
    expected = target(url)
    assert (tmp_path / "printed").read_text() == f"{expected}\n"
    assert (tmp_path / "opened").read_text() == f"1\n{expected}\n"
    assert not (tmp_path / "bad").exists()


@needs_tmux
@pytest.mark.parametrize(("text", "status", "told"), [("nothing", 1, "there is no URL"), (None, 2, "No such file")])
def test_without_a_link_there_is_nothing_to_choose(tmp_path: Path, text: str | None, status: int, told: str) -> None:
    """The screen is not shown, and the status says why."""
    if text is not None:
        (tmp_path / "mail").write_text(text)
    line = f"{command('pick', 'mail')}; echo status $?; sleep 600"
    with Terminal(tmp_path, "sh", "-c", line) as terminal:
        assert told in terminal.shows(f"status {status}")


@needs_tmux
def test_stdin_that_is_the_terminal_is_refused(tmp_path: Path) -> None:
    """Keys and message cannot both come from there."""
    with Terminal(tmp_path, "sh", "-c", f"{command('pick')}; echo status $?; sleep 600") as terminal:
        assert "name a FILE" in terminal.shows("status 2")


@needs_tmux
@pytest.mark.skipif(MUTT is None, reason="mutt is not installed")
def test_mutt_pipes_a_message_into_it(tmp_path: Path, browser: Path) -> None:
    """By the lines of `docs/pick.md`: a key shows the links, Enter opens one, Esc leads back."""
    lines = mutt_lines().replace("urlglean pick", command("pick"))
    (tmp_path / "muttrc").write_text(f"{lines}\nset quit=yes folder=.\n")
    mailbox = CORPUS / "mail" / "sample.mbox"
    mutt = [MUTT, "-n", "-R", "-F", "muttrc", "-f", mailbox]
    with Terminal(tmp_path, *mutt, HOME=str(tmp_path), BROWSER=str(browser)) as terminal:
        terminal.shows("Bertil Nilsson")
        terminal.type("Down", "C-b")
        screen = terminal.shows("3 links")
        assert "> ftp://ftp.example.net/internet-drafts/draft-nilsson-names-02.txt" in screen
        terminal.type("Down", "Enter")
        terminal.shows("opened ftp://ftp.example.net/old")
        terminal.type("Escape")
        assert "filter:" not in terminal.shows("-Mutt:")
    opened = (tmp_path / "opened").read_text()
    assert opened == "1\nftp://ftp.example.net/old/draft-nilsson-names-01.txt\n"


def mutt_lines() -> str:
    """The lines for mutt on the page about `pick`."""
    page = (CORPUS.parent / "docs" / "pick.md").read_text()
    return page.partition("```muttrc\n")[2].partition("```")[0]


def test_browsers_without_a_terminal_are_not_needed_by_the_library() -> None:
    """`urlglean.pick.links` and its neighbours are imported without prompt_toolkit."""
    code = "import sys; sys.modules['prompt_toolkit'] = None; import urlglean.cli.pick, urlglean.pick.preview"
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ)
