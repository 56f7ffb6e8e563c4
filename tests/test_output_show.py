"""`show`: each URL is marked in its place, with what was removed between its pieces, and has a footnote."""

import os
import pty
import re
import subprocess
import sys
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from urlglean import extract
from urlglean.cli import main
from urlglean.occurrence import Occurrence
from urlglean.output.show import CERTAINTIES, FACES, JOINS, Bit, Role, bits, painted
from urlglean.records import Certainty, Document, Envelope, JoinRule, Message, TextPart
from urlglean.text.confidence import confidence_of
from urlglean.text.invisible import is_visible

DOCUMENT = Document("notes.txt", b"", "text")


def shown(text: str, *, part: str | None = None, field: str | None = None, first: int = 1) -> list[Bit]:
    """The bits of a document with one part, with the findings of `extract`."""
    held = TextPart(text, part, field)
    occurrences = [Occurrence(found, 1, held, Envelope(), DOCUMENT.origin) for found in extract(text, invalid=True)]
    return list(bits(DOCUMENT, Message((held,)), Envelope(), occurrences, first))


def plain(text: str) -> str:
    """The same as plain text."""
    return FACES["text"](shown(text))


def run(*arguments: object, stdin: str | bytes = "") -> Result:
    """Runs the command in this process."""
    return CliRunner().invoke(main, ["show", *map(str, arguments)], input=stdin)


def test_a_url_is_marked_in_place_and_has_its_footnote() -> None:
    """The footnote has number, wrapper and certainty. The text around the URL is unchanged."""
    assert plain("see <http://a.example/>, Jo\n") == (
        "── notes.txt\n"
        "see <⟦1 http://a.example/⟧>, Jo\n"
        "\n"
        "[1] http://a.example/\n"
        f"    found      line 1, angle, stated: a wrapper says so; {confidence_of('angle'):.3f} to be exactly right\n"
        "\n"
    )


def test_a_broken_url_is_marked_piece_by_piece() -> None:
    """The line break and the prefix are between the marks.

    Each has a row in the footnote, and so has the other reading.
    """
    page = plain("> <URL:http://a.example/b-\n> c>\n").splitlines()
    assert page[1:3] == ["> <URL:⟦1 http://a.example/b-⟧", "> ⟦1+ c⟧>"]
    assert page[4] == "[1] http://a.example/b-c"
    assert [line.split(":")[0].split() for line in page[6:9]] == [
        ["taken", "out", '"\\n"', "hyphen-kept"],
        ["taken", "out", '">', '"', "quote-prefix"],
        ["or", f"{confidence_of('wrapper-joined') * (1 - confidence_of('hyphen-kept')):.3f}", "http"],
    ]
    assert page[8].endswith(" http://a.example/bc")


def test_what_is_between_the_pieces_belongs_to_the_url() -> None:
    """Its bit has the URL's number, so that a page can show it as taken out; the text around has none."""
    between = [bit for bit in shown("> <URL:http://a.example/b-\n> c>\n") if bit.role == "taken"]
    assert between == [Bit("taken", "\n> ", 1)]


def test_a_mended_sign_has_its_row() -> None:
    """With the sign as it is written, and what it stands for."""
    page = plain("see http://a.example/‾ann/ here\n").splitlines()
    assert page[3] == "[1] http://a.example/~ann/"
    assert page[5] == '    mended     "‾" tilde: what a charset, or TeX, has in the place of a tilde: a guess'


def test_a_dropped_hyphen_is_shown_between_the_marks() -> None:
    """A port has only digits, so the hyphen before the break was inserted (RFC 1738 5 port, appendix)."""
    page = plain("<URL:http://a.example:80-\n80/>").splitlines()
    assert page[1:3] == ["<URL:⟦1 http://a.example:80⟧-", "⟦1+ 80/⟧>"]


def test_a_rejected_candidate_has_its_own_mark() -> None:
    """Its footnote has its place and the problems that the judge names, but no words for a URL: no certainty."""
    page = plain("<URL:http://a..example/>")
    assert "<URL:⟦1✗ http://a..example/⟧>" in page
    assert "\n[1✗] http://a..example/\n    rejected   line 1, url-angle\n    problem    " in page
    assert "exactly right" not in page


def test_a_caution_says_what_it_means() -> None:
    """The footnote has code, meaning and section (RFC 1738 6: passwords)."""
    assert "    caution    password: a password stands in the URL for all to read (RFC 1738 6)\n" in plain(
        "ftp://a:b@c.d/"
    )


def test_numbers_go_on_from_the_first() -> None:
    """The URLs of a message are numbered after those of the messages before it."""
    assert [bit.number for bit in shown("http://a.b/ http://c.d/", first=7) if bit.role == "url"] == [7, 8]


def test_fields_are_shown_with_names_and_parts_with_numbers() -> None:
    """If there is only one part, its number is left out."""
    parts = (
        TextPart("to a", field="Subject"),
        TextPart("one\n", "1"),
        TextPart("two", "2"),
        TextPart("http://a.b/", "2", "a@href", whole=True),
    )
    envelope = Envelope(date="1994-05-13T15:02:10Z", sender="jo@a.example", subject="to a")
    document = Document("in.mbox", b"", "message", message=3)
    head = "── in.mbox[3] · 1994-05-13T15:02:10Z · jo@a.example · to a\n"
    every = FACES["text"](bits(document, Message(parts), envelope, [], 1))
    assert every == f"{head}Subject: to a\n── part 1\none\n── part 2\ntwo\na@href: http://a.b/\n\n"
    alone = FACES["text"](bits(document, Message(parts[:2]), envelope, [], 1))
    assert alone == f"{head}Subject: to a\none\n\n"


def test_equal_parts_keep_their_own_findings() -> None:
    """If two parts have the same text, a finding of the second is marked only there."""
    parts = (TextPart("http://a.b/", "1"), TextPart("http://a.b/", "1"))
    occurrence = Occurrence(extract("http://a.b/")[0], 1, parts[1], Envelope(), DOCUMENT.origin)
    drawn = FACES["text"](bits(DOCUMENT, Message(parts), Envelope(), [occurrence], 1))
    assert drawn.startswith("── notes.txt\n── part 1\nhttp://a.b/\n── part 1\n⟦1 http://a.b/⟧\n")


def test_line_ends_and_blanks_stay_and_controls_do_not() -> None:
    """CRLF and CR are line ends; an escape sequence, a form feed and a change of direction are written as escapes."""
    page = plain("a\r\nb\rc\td\u3000e\x1b[31m\x0c\u202ef\u034f\n")
    assert page == "── notes.txt\na\nb\nc\td\u3000e\\x1b[31m\\x0c\\u202ef\\u034f\n\n"
    assert plain("a\u034fb") == "── notes.txt\na\\u034fb\n\n"


def test_a_long_gap_is_cut_in_its_footnote() -> None:
    """Of a hundred blanks in a wrapper, the row shows sixty."""
    row = next(line for line in plain(f"<URL:http://a.b/{' ' * 100}c>").splitlines() if "taken out" in line)
    assert f'"{" " * 60}…"' in row


def test_every_rule_and_certainty_is_explained() -> None:
    """Each has words for the footnote, and the templates have only roles that exist."""
    assert set(JOINS) == set(JoinRule)
    assert set(CERTAINTIES) == set(get_args(Certainty))
    assert all(set(face.templates) <= set(get_args(Role)) for face in FACES.values())


@given(st.text(st.sampled_from("abh:/. <>\n\r\t-\x1b\u034f\u202e\ud800é&'\"{}URL") | st.characters(), max_size=80))
def test_nothing_is_lost_and_nothing_obeyed(text: str) -> None:
    """Without the marks, the output is the text with escaped controls. A page can always be encoded."""
    for prose in (text, f"http://a.example/{text}", f"<URL:http://a.example/{text}>"):
        page = shown(prose)
        body = "".join(
            bit.text for bit in page[2:] if bit.role in {"text", "url", "url+", "no-url", "no-url+", "taken"}
        )
        escaped = "".join(
            char if is_visible(char) or re.match("[\n\t\u00a0\u2000-\u200a\u202f\u3000]", char) else
            char.encode("unicode_escape").decode()
            for char in prose.replace("\r\n", "\n").replace("\r", "\n")
        )  # fmt: skip
        assert body.startswith(escaped)
        for face in FACES.values():
            assert set(face(page).encode().decode()) & set("\x1b\u034f\u202e\r\x0c") == set()


class Reader(HTMLParser):
    """Reads a page: the text of its body, the marked text, the anchors, and the links to anchors."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.marked: list[str] = []
        self.anchors: set[str] = set()
        self.asked: set[str] = set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        if tag != "meta":
            self.open.append(tag)
        named = dict(attrs)
        self.anchors |= {str(named["id"])} if "id" in named else set()
        self.asked |= {str(named["href"])[1:]} if "href" in named else set()

    def handle_endtag(self, tag: str) -> None:
        """The element that began last ends."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Keeps text inside marks."""
        if self.open and self.open[-1] == "mark":
            self.marked.append(data)


def test_html_escapes_the_text_and_links_marks_with_footnotes() -> None:
    """The page is well formed, runs nothing, and links only to anchors that it has."""
    text = "<script>alert(1)</script> <URL:http://a.example/?b&c-\nd> & <URL:http://:x/>"
    face = FACES["html"]
    page = face.before + face(shown(text)) + face.after
    read = Reader(page)
    assert "&lt;script&gt;" in page
    assert "script" not in {*re.findall(r"<(\w+)", page)}
    assert read.marked == ["http://a.example/?b&c-", "d", "http://:x/"]
    assert read.asked == read.anchors == {"u1", "n1", "u2", "n2"}
    assert read.open == []


def test_colours_are_those_of_the_terminal() -> None:
    """A URL is bold and cyan if the terminal has colours; otherwise it is marked as in a pipe."""
    page = shown("see http://a.example/ now\n")
    drawn = {}
    for name in ("standard", None):
        out = StringIO()
        Console(file=out, force_terminal=True, color_system=name, width=20, soft_wrap=True).print(painted(page), end="")
        drawn[name] = out.getvalue()
    assert "\x1b[1;36m⟦1 http://a.example/⟧\x1b[0m" in drawn["standard"]
    assert drawn[None] == FACES["text"](page)


@pytest.mark.parametrize(
    ("text", "status"),
    [("http://a.example/\n", 0), ("good news: the end\n", 1), ("<URL:http://:x/>\n", 1)],
)
def test_the_status_says_whether_a_url_was_found(text: str, status: int) -> None:
    """A rejected candidate does not count, as with scan."""
    result = run("-", stdin=text)
    assert (result.exit_code, result.stderr) == (status, "")
    assert result.stdout.startswith("── -\n")


def test_a_trouble_is_reported_and_the_rest_is_shown(tmp_path: Path) -> None:
    """A message declares UTF-8 but has other bytes: the text is shown, the loss is reported, the status is 2."""
    path = tmp_path / "a.eml"
    path.write_bytes(b"From: jo@a.example\nContent-Type: text/plain; charset=utf-8\n\ncaf\xff http://a.example/\n")
    result = run(path, "--as", "message")
    assert result.exit_code == 2
    assert "⟦1 http://a.example/⟧" in result.stdout
    assert result.stderr.startswith(f"urlglean: {path}: part 1: ")


def test_a_mailbox_is_shown_message_by_message(tmp_path: Path) -> None:
    """Each message has its head above it and its footnotes below, and the numbers go on."""
    path = tmp_path / "in.mbox"
    message = "From a@b Thu Jan  1 00:00:00 1998\nFrom: jo@a.example\nSubject: hello\n\nhttp://a.example/{}\n\n"
    path.write_text(message.format(1) + message.format(2))
    page = run(path).stdout.splitlines()
    assert [line for line in page if line[:1] in {"─", "⟦", "["}] == [
        f"── {path}[1] · jo@a.example · hello",
        "⟦1 http://a.example/1⟧",
        "[1] http://a.example/1",
        f"── {path}[2] · jo@a.example · hello",
        "⟦2 http://a.example/2⟧",
        "[2] http://a.example/2",
    ]


def test_html_is_one_page(tmp_path: Path) -> None:
    """It has one doctype at its start and one closing tag at its end."""
    path = tmp_path / "notes.txt"
    path.write_text("http://a.example/\n")
    page = run(path, "--format", "html").stdout
    assert page.startswith("<!DOCTYPE html>")
    assert page.endswith("</html>\n")
    assert Reader(page).marked == ["http://a.example/"]


def test_dialect_and_joins_are_passed_on() -> None:
    """RFC 1738 allows no user in http (3.3), and with "never" the line break in a wrapper is not removed."""
    assert run("-", "--dialect", "rfc1738", stdin="<URL:http://a@b.example/>").exit_code == 1
    assert "⟦1 http://a.example/b⟧\nc" in run("-", "--joins", "never", stdin="<URL:http://a.example/b\nc>").stdout


def test_a_missing_file_is_trouble() -> None:
    """It is reported on stderr, and nothing is shown."""
    result = run("no such file")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("urlglean: no such file: ")


def test_a_terminal_gets_colours_and_a_pipe_does_not(tmp_path: Path) -> None:
    """Without the colours, the bytes are the same."""
    path = tmp_path / "notes.txt"
    path.write_text("see http://a.example/ now\n")
    command = [sys.executable, "-m", "urlglean", "show", str(path)]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "20"} | {"NO_COLOR": ""}
    piped = subprocess.run(command, capture_output=True, check=True, env=environment).stdout.decode()
    ours, theirs = pty.openpty()
    subprocess.run(command, stdout=theirs, check=True, env=environment)
    os.close(theirs)
    coloured = os.read(ours, 65536).decode().replace("\r\n", "\n")
    os.close(ours)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == piped
    assert coloured.count("\x1b[") > piped.count("\x1b[") == 0
