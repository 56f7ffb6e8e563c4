"""Calendars and address cards: lines that are folded, and signs with a backslash before them."""

from __future__ import annotations

import pytest

from urlglean import extract_message
from urlglean.bounds import Bounds
from urlglean.mail import read
from urlglean.mail.directory_text import DIRECTORY, as_meant


@pytest.mark.parametrize("kind", sorted(DIRECTORY))
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("written", "urls"),
    [
        ("DESCRIPTION:Here: http://maps.example/@52.5\\,13.3\\,15z", ["http://maps.example/@52.5,13.3,15z"]),
        ("DESCRIPTION:http://h.example/?a=1\\;b=2\\; and", ["http://h.example/?a=1;b=2"]),
        ("DESCRIPTION:http://h.example/a\\nhttp://h.example/b\\N\\nc", ["http://h.example/a", "http://h.example/b"]),
        ("URL;TYPE=pref:http\\://h.example/a", ["http://h.example/a"]),
        ("X:see http://h.example/a\n b/\n\tc and\n  d", ["http://h.example/ab/c"]),
        ("URL:http://h.example/a\nNOTE:b", ["http://h.example/a"]),
        ("URL;ENCODING=QUOTED-PRINTABLE:http://h.example/a?b=3D=\nc", ["http://h.example/a?b=c"]),  # as before 3.0
        ("X:see http://h.example/a\\\n ,b\\\n\t;c", ["http://h.example/a,b;c"]),  # a fold behind a backslash
        # Elsewhere these would go on: but each property is a line of its own.
        (
            "SUMMARY:A talk about something rather long, as they are\nURL:http://www.h.example/guide/opening-times-of-the-town-hall-\nEND:VEVENT",
            ["http://www.h.example/guide/opening-times-of-the-town-hall-"],
        ),
    ],
)
def test_urls_in_a_calendar(kind: str, end: str, written: str, urls: list[str]) -> None:
    """RFC 5545 3.1: a line goes on behind a line end and a blank; 3.3.11: a backslash stands before signs."""
    message = f"From: a@b.example\nContent-Type: {kind}\n\nBEGIN:VCARD\n{written}\nEND:VCARD\n".replace("\n", end)
    assert [each.finding.url for each in extract_message(message.encode())] == urls


@pytest.mark.parametrize("charset", ["", "; charset=utf-8"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("character", "éẽ\u4f60\U00020000")
def test_a_fold_within_a_character(charset: str, end: bytes, character: str) -> None:
    """RFC 5545 3.1: octets are unfolded before they are decoded, in UTF-8 by default."""
    octets = character.encode()
    head = f"Content-Type: text/calendar{charset}\n\nBEGIN:VCALENDAR\nURL:http://h.example/caf/".encode()
    for cut in range(len(octets) + 1):
        written = head + octets[:cut] + b"\n " + octets[cut:] + "/b\nURL:http://h.example/ä".encode()
        urls = [each.finding.url for each in extract_message(written.replace(b"\n", end))]
        assert urls == [f"http://h.example/caf/{character}/b", "http://h.example/ä"]


@pytest.mark.parametrize("version", ["2.1", "1.0 "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("written", "urls"),
    [
        ("NOTE:Our page is http://h.example/a\n and more", ["http://h.example/a"]),
        ("NOTE;ENCODING=QUOTED-PRINTABLE:http://h.example/a=\n and more", ["http://h.example/a"]),
        ("NOTE;ENCODING=QUOTED-PRINTABLE:http://h.example/a=0D=0A=\n more\n b", ["http://h.example/a"]),
        ("URL;ENCODING=QUOTED-PRINTABLE:http=3A//h.example/a=\n/b?c=3Dd\nNOTE:=3D", ["http://h.example/a/b?c=d"]),
        (
            "NOTE;work;quoted-printable;charset=utf-8:=\nhttp://h.example/=C3=A4=0D=0Ahttp://h.example/b",
            ["http://h.example/ä", "http://h.example/b"],
        ),
    ],
)
def test_cards_of_old_versions(version: str, end: str, written: str, urls: list[str]) -> None:
    """They fold as RFC 822 3.1.1 does, where there is a blank, and may have values in quoted-printable."""
    card = f"From: a@b.example\nContent-Type: text/x-vcard\n\nBEGIN:VCARD\nVersion:{version}\n{written}\nEND:VCARD\n"
    assert [each.finding.url for each in extract_message(card.replace("\n", end).encode())] == urls


@pytest.mark.parametrize("old_first", [True, False])
def test_each_card_has_its_version(*, old_first: bool) -> None:
    """Address books are put together of cards of all versions."""
    old = "BEGIN:VCARD\r\nVERSION:2.1\r\nNOTE:http://h.example/a\r\n and more\r\nEND:VCARD\r\n"
    new = "BEGIN:VCARD\r\nVERSION:3.0\r\nNOTE:http://h.example/\r\n b\r\nEND:VCARD\r\n"
    message = "Content-Type: text/vcard\r\n\r\n" + (old + new if old_first else new + old)
    found = {each.finding.url for each in extract_message(message.encode())}
    assert found == {"http://h.example/a", "http://h.example/b"}


def test_a_backslash_before_other_signs_stays() -> None:
    """Two of them are one, and end what they escape."""
    assert as_meant("a\\\\n\\\\\\nb\\\\\\,\\x\\") == "a\\n\\\nb\\,\\x\\"


def rows(written: str, end: str = "\r\n") -> list[tuple[str | None, str, int]]:
    """The field, URL and line of all that is found in a calendar with these properties."""
    calendar = f"Content-Type: text/calendar\n\nBEGIN:VCALENDAR\n{written}\nEND:VCALENDAR\n".replace("\n", end)
    return [(each.part.field, each.finding.url, each.line) for each in extract_message(calendar.encode())]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["X-ALT-DESC;FMTTYPE=text/html", 'X-DESC;LANGUAGE=en;Fmttype="text/HTML";X="a:b"'])
def test_a_value_that_is_html_is_read_as_html(name: str, end: str) -> None:
    """The references in it mean characters. Its links have the line of the visible text in which they stand."""
    html = '<html>\\n<body><p>http://h.example/?a=1&amp\\;b=2</p><a\n  href="http://h.example/?c=3&amp\\;d=\\,4">Here</a></html>'
    assert rows(f"SUMMARY:a\\nb\n{name}:{html}\nURL:http://h.example/e", end) == [
        (None, "http://h.example/?a=1&b=2", 4),
        (None, "http://h.example/e", 7),
        ("a@href", "http://h.example/?c=3&d=,4", 6),
    ]


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ('Come<br>to <a href="http://h.example/?a=1&amp\\;b=2">us</a>', 3),
        ('Come to <A HREF="http://h.example/?a=1&amp\\;b=2">us</A> at a < b', 2),
        ('<p><a href="http://h.example/?a=1&amp\\;b=2">us<br>', 2),
    ],
)
def test_a_description_with_tags_of_html_is_html(value: str, line: int) -> None:
    """Some programs write it so, and declare nothing."""
    assert rows(f"DESCRIPTION:{value}") == [("a@href", "http://h.example/?a=1&b=2", line)]


@pytest.mark.parametrize(
    "value",
    [
        "ATTACH;FMTTYPE=text/html:{}",
        'DESCRIPTION;ALTREP="cid:a>b<c":{}',
        "DESCRIPTION:<{}> and <br>",
        "DESCRIPTION:Write <a> or <b> to {} ",
        "DESCRIPTION:<join> {} </join>",
        "X;FMTTYPE=text/htmlx:<{}>",
    ],
)
def test_what_is_not_surely_html_is_text(value: str) -> None:
    """A page that an attachment refers to is elsewhere; URLs in angle brackets are no tags, nor are words in them."""
    url = "http://h.example/?a=1&copy=2"
    assert (None, url, 2) in rows(value.format(url))


def test_the_links_of_all_values_are_bounded_together() -> None:
    """The others are left out, and the message says so."""
    value = "DESCRIPTION:<a href='http://h.example/'>x</a>\n"
    message = read(f"Content-Type: text/calendar\n\n{value * 3}".encode(), bounds=Bounds(links=2))
    assert [part.field for part in message.parts] == [None, "a@href", "a@href"]
    assert message.troubles == ("part 1: HTML with more than 2 links, the others left out",)
