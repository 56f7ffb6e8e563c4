"""Text with formatting commands: text/enriched and text/richtext."""

from __future__ import annotations

import pytest

from urlglean import extract_message
from urlglean.errors import IrreversibleError
from urlglean.mail import read
from urlglean.mail.enriched import ENRICHED, plain
from urlglean.mail.rewriting import rewritten


def message(kind: str, text: str) -> bytes:
    """A message with a text of this type in its only part."""
    front = "From: a@b\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n"
    return f"{front}Content-Type: {kind}; charset=utf-8\n\n{text}\n--x--\n".encode()


@pytest.mark.parametrize("kind", [*sorted(ENRICHED), "Text/Enriched"])
@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("see http://h.example/a.html<nl>Next line", ["http://h.example/a.html"]),
        (
            "<bold>http://h.example/a</bold>, <italic>http://h.example/b</italic>c",
            ["http://h.example/a", "http://h.example/b"],
        ),
        ("<color><param>red</param>http://h.example/a</color><color><param>blue", ["http://h.example/a"]),
        ("<fixed><<URL:http://h.example/a\n b></fixed>", ["http://h.example/ab"]),
        ("<lt>URL:http://h.example/a></bold>", ["http://h.example/a"]),
        ("<URL:http://h.example/a><http://h.example/b>", ["http://h.example/a", "http://h.example/b"]),
        ("<x-url><param>http://h.example/a</param>h</x-url>", ["http://h.example/a"]),
    ],
)
def test_commands_are_beside_the_urls(kind: str, text: str, urls: list[str]) -> None:
    """They show how a text looks, and where its lines end (RFC 1896 3, RFC 1341 7.1.3)."""
    assert [each.finding.url for each in extract_message(message(kind, text))] == urls


def test_other_characters_stay_where_they_are() -> None:
    """A command of more than 60 characters is none (RFC 1896 2)."""
    long = f"<{'b' * 61}>"
    assert plain(f"a<Bold>b<<c<LT>d</nl>\n{long}< d>") == f"a      b <c   <d     \n{long}< d>"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_two_line_ends_are_one(end: str) -> None:
    """N of them are N - 1 (RFC 1896 2)."""
    assert plain(f"a{end}b{end * 2}c{end * 3}d{end * 4}e") == (
        f"a{end}b{end}{' ' * len(end)}c{end}{' ' * len(end)}{end}d{end}{' ' * len(end)}{end * 2}e"
    )
    octets = message(
        "text/enriched", f"x <<URL:http://h.example/b/{end * 2}c>{end * 2}see http://h.example/d{end * 3}e ok"
    )
    found = extract_message(octets)
    assert [(one.finding.url, one.line) for one in found] == [("http://h.example/b/c", 1), ("http://h.example/d", 3)]


@pytest.mark.parametrize("opening", ["<nofill>", "<NoFill>"])
def test_each_line_end_counts_where_lines_are_not_filled(opening: str) -> None:
    """RFC 1896 2: none is a blank there."""
    blanks = " " * len(opening)
    assert plain(f"a\n\nb{opening}c\n\nd</nofill>e\n\nf") == f"a\n b{blanks}c\n\nd         e\n f"
    assert plain(f"a{opening}b\n\nc") == f"a{blanks}b\n\nc"


def test_plain_text_has_no_commands() -> None:
    """In plain text, a word in angle brackets within a URL is a placeholder."""
    assert not extract_message(message("text/plain", "http://h.example/<color>/a"))


def test_a_text_without_its_commands_is_not_written_back() -> None:
    """They would be lost; a text that has none is."""
    octets = message("text/enriched", "<bold>http://h.example/a</bold>")
    (part,) = read(octets).parts
    with pytest.raises(IrreversibleError):
        rewritten(octets, part, part.text.replace("/a", "/b"))
    octets = message("text/enriched", "http://h.example/a")
    (part,) = read(octets).parts
    assert rewritten(octets, part, part.text.replace("/a", "/b")) == octets.replace(b"/a", b"/b")
