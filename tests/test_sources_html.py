"""A page of HTML is told by its first bytes, and read as an HTML part of a message is."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

import urlglean
from unframing import taken_out
from urlglean.bounds import Bounds
from urlglean.cli import main
from urlglean.mail import html, read
from urlglean.sources import Taken, detect
from urlglean.sources.streams import HEAD, Stream

PAGE = b"<html><body>see <a href='http://a.example/?x=1&amp;y=2'>http://a.example/?x=1&amp;y=2</a></body></html>\n"


def kind(data: bytes, asked: str | None = None) -> str:
    """What a file with these bytes is read as."""
    items = taken_out(detect.read(Stream("file", io.BytesIO(data).read1), asked))
    return next(item.kind for item in items if isinstance(item, Taken))


@pytest.mark.parametrize(
    "data",
    [
        PAGE,
        PAGE.upper(),
        b"\n\n  " + PAGE,
        b"\xef\xbb\xbf" + PAGE,
        PAGE.decode().encode("utf-16"),
        b"\xfe\xff" + PAGE.decode().encode("utf-16-be"),
        b"<!DOCTYPE html><p>a",
        b"<!doctype html>\nsome text",
        b"<!doctype HTML PUBLIC '-//IETF//DTD HTML//EN'>\n<title>a</title>b",
        b"<!DOCTYPE html [<!ENTITY a 'b>'>]>\n<html/>",
        b"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META NAME=a CONTENT=b>\n<TITLE>Bookmarks</TITLE>",
        b"<?xml version='1.0'?>\n<?xml-stylesheet href='a.css'?>\n<!DOCTYPE html>\n<html>a</html>",
        b"<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'>\n</html>",
        # MHonArc, hypermail, pipermail: the message's header in comments; the page's own begins with its title.
        b"<!-- MHonArc v2.6.8 -->\n<!--X-Subject: Re: a &#45;&#45;b -->\n<!--X-Head-End-->\n" + PAGE,
        b'<!-- received="Tue Feb 21 12:03:57 1995 PST" -->\n<!-- name="Jo" -->\n<title>list: a</title>\n<h1>a</h1>\nb',
        b"<TITLE>A page of 1993</TITLE>\n<H1>A page</H1>\nwith text to its end <P>\nand no end tags",
        b'<HEADER>\n<TITLE>A</TITLE>\n<NEXTID N="55">\n</HEADER>\n<BODY>\ntext',
        b"<nextid 55>\n<h1>a</h1>\nb",
        b"<HEAD>\n<title> a</title></HEAD><BODY bgcolor=white>\nb",
        b"<body>\ntext",
        b"<body bgcolor=white>text",
        b"<html lang='en'>text",
        b"<base href='http://a.example/'>\n<h1>a</h1>",
        b"<!-- saved from url=(0022)http://a.example/b -->\n<HTML><HEAD>",
        b"<html xmlns:v='urn:schemas-microsoft-com:vml'\nxmlns='http://www.w3.org/TR/REC-html40'>\n\n<head>\n",
        b"<html>\n<body>\n<pre>\n\nFrom jo@b.example Mon Jan  1 00:00:00 2001\nSubject: a\n\nb\n",
        b"<html><body>one NUL \0</body></html>",
        # Pieces.
        b"<p>a</p>\n<p>b</p>\n",
        b"<h1>a</h1>\n<ul><li>b<li>c</ul>",
        b"<a href='http://a.example/'>a</a>",
        b"<br>\n<b>a</b><br>\n",
        b"<div>" + b"<b>word</b> " * (HEAD // 10),
    ],
)
def test_pages_are_told(data: bytes) -> None:
    """By document type, root element, or what stands only at a page's beginning; pieces by all their tags."""
    assert kind(data) == "html"
    assert kind(gzip.compress(data)) == "html"


@pytest.mark.parametrize(
    "data",
    [
        b"<html> is the tag with which a page begins",
        b"<!DOCTYPE html> is what its first line has to be",
        b"<title> and <body> stand in it",
        b"<b> and <i>",
        b"<p> begins a paragraph. See <http://a.example/>",
        b"<p>a</p> See <URL:http://a.example/>",
        b"<p align=center><img src=a.png></p>\n\n# A program\n\n    it does this\n",
        b"<p>See <http://a.example/></p>",
        b"<p>" + b"many words without a tag " * 1_000 + b"</p>",
        b"</b>a<b>",
        b"> <html>\n> <body>\n",
        b"See this:\n\n<html>\n<body>\n",
        b"<http://a.example/>\n<html>",
        b"<URL:http://a.example/> <html>",
        b"<!-- <html> --> text",
        b"<!-- never closed <html>",
        b"<?xml version='1.0'?>\n<rss><channel><link>http://a.example/</link></channel></rss>",
        b"<?xml version='1.0'?>\n<body><p>a</p></body>",
        b"<?xml version='1.0'?>\n<p>a</p>",
        b"<!DOCTYPE svg><svg><a href='http://a.example/'/></svg>",
        b"<svg><a href='http://a.example/'/></svg>",
        b"<!doctype linuxdoc system>\n<linuxdoc><title>a</title></linuxdoc>",
        b"<article><title>a</title><para>b</para></article>",
        b"<htmlx><p>a</p></htmlx>",
        b"<?php echo 'http://a.example/?b&amp;c' ?>\n<p>a</p>",
        b"<",
        b"<>",
    ],
)
def test_texts_with_tags_stay_texts(data: bytes) -> None:
    """What quotes HTML, and XML of other kinds: what stands there like a tag may be a URL in angle brackets."""
    assert kind(data) == "text"


@pytest.mark.parametrize("data", [b"Subject: a\n\n" + PAGE, b"From a@b Mon Jan  1 00:00:00 2001\nTo: a@b\n\n" + PAGE])
def test_mail_that_holds_html_is_mail(data: bytes) -> None:
    """Its first bytes are a header."""
    assert kind(data) in {"message", "mbox"}


def test_what_is_asked_for_is_taken() -> None:
    """`text` leaves the source as it is; `html` reads what nobody would tell."""
    assert kind(PAGE, "text") == "text"
    assert kind(b"a &amp; b", "html") == "html"


def test_a_page_is_read_as_a_part_is() -> None:
    """The same texts in the same order, but for the number of the part."""
    message = b"Content-Type: text/html\n\n" + PAGE
    in_mail = [(part.text, part.field, part.whole) for part in read(message).parts]
    assert in_mail == [
        ("see http://a.example/?x=1&y=2", None, False),
        ("http://a.example/?x=1&y=2", "a@href", True),
    ]
    parts = read(PAGE, "html").parts
    assert [(part.text, part.field, part.whole) for part in parts] == in_mail
    assert all(part.part is None and part.decoding is not None and part.decoding.html for part in parts)
    assert [(made.start, made.end) for part in parts if (made := part.decoding)] == [(0, len(PAGE))] * 2


def test_rows_of_a_page(tmp_path: Path) -> None:
    """References are characters, and the line is that of the text that a reader sees."""
    path = tmp_path / "a.txt"  # the name says nothing
    path.write_bytes(b"<!doctype html>\n\n<title>a</title>\n<p>one\n<p>http://b.example/?c=1&amp;d=2 end")
    (found,) = urlglean.scan(path)
    assert found.to_dict()["url"] == "http://b.example/?c=1&d=2"
    assert (found.line, found.finding.span.start, found.part.part, found.part.field) == (3, 5, None, None)


def test_members_of_archives_are_told_too(tmp_path: Path) -> None:
    """Each by its own first bytes."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("page", PAGE)
        archive.writestr("text", b"http://a.example/?x=1&amp;y=2\n")
    rows = [occurrence.to_dict() for occurrence in urlglean.scan(path)]
    assert [(row["member"], row["field"]) for row in rows] == [("page", None), ("page", "a@href"), ("text", None)]


def test_the_command_reads_as_it_is_told(tmp_path: Path) -> None:
    """`--as html` and `--as text`; `-v` says what was taken for what, and the counts have a page among the texts."""
    path = tmp_path / "page"
    path.write_bytes(b"see http://a.example/?x=1&amp;y=2")
    run = CliRunner().invoke
    assert run(main, ["scan", "--as", "html", "--format", "urls", str(path)]).stdout == "http://a.example/?x=1&y=2\n"
    path.write_bytes(PAGE)
    assert run(main, ["scan", "--as", "text", "--format", "urls", str(path)]).stdout.count("&amp;") == 2
    said = run(main, ["scan", "-v", str(path)]).stderr
    assert "taken for a page of HTML" in said
    assert " 1 text, 2 parts" in said
    assert "http://a.example/?x=1&y=2" in run(main, ["show", str(path)]).stdout


def test_a_page_that_lost_its_quoted_printable_is_decoded() -> None:
    """As in a message: the values of attributes show it. It may be the body of one that was saved."""
    page = (
        b'<html><p>See <a href=3D"http://a.example/?x=3D1&amp;y=\n=3D2">b</a> <img src=3D"http://b.example/c"> ok=20\n'
    )
    found = read(page, "html").parts
    assert [part.text for part in found] == ["See b ok", "http://a.example/?x=1&y=2", "http://b.example/c"]
    assert found[0].decoding is not None
    assert found[0].decoding.transfer == "quoted-printable"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (b"<meta charset=koi8-r><p>\xc1", "\u0430"),
        (b"<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=KOI8-R'><p>\xc1", "\u0430"),
        (b"<meta content='text/html; charset = \"koi8-r\"' http-equiv=content-type><p>\xc1", "\u0430"),
        (b"<meta content='text/html; charset=koi8-r;x' http-equiv=content-type><p>\xc1", "\u0430"),
        (b"<!-- <meta charset=koi8-r> --><meta charset=iso-8859-2><p>\xb1", "\u0105"),
        (b"<meta charset=unheard-of><meta charset=iso-8859-2><p>\xb1", "\u0105"),
        (b"<meta name=a content='charset=koi8-r'><p>\xc1", "\u00c1"),
        (b"<meta charset=win-1251><p>\xe0", "\u0430"),
        (b"<meta charset=koi8r><p>\xc1", "\u0430"),
        (b"<p title='<meta charset=koi8-r>'>\xc1", "\u00c1"),
        (b"<p>charset=koi8-r \xc1", "charset=koi8-r \u00c1"),
        (b"<meta charset=utf-16><p>\xc3\xa9", "\u00e9"),
        (b"<meta charset=ebcdic-cp-us><p>\xc3\xa9", "\u00e9"),
        (b"<?xml version='1.0' encoding='iso-8859-2'?><html><p>\xb1", "\u0105"),
        (b"<?xml version='1.0' encoding='iso-8859-2'?><html><meta charset=koi8-r><p>\xc1", "\u0430"),
        (b"\xef\xbb\xbf<meta charset=koi8-r><p>\xc3\xa9", "\u00e9"),
        (b" " * 1_000 + b"<meta charset=koi8-r><p>\xc1", "\u0430"),
        (b" " * 1_004 + b"<meta charset=koi8-r><p>\xc1", "\u00c1"),
        (b"<p>\xc3\xa9", "\u00e9"),
        (b"<p>\xe9", "\u00e9"),
    ],
)
def test_charset_of_a_page(page: bytes, text: str) -> None:
    """HTML Standard 13.2.3: a mark, a meta in the first 1024 octets, the declaration of XML, else a guess."""
    for parts in (read(page, "html").parts, read(b"Content-Type: text/html\n\n" + page).parts):
        assert [part.text for part in parts] == [text]


@pytest.mark.parametrize(
    "front", [b"<meta charset=unheard-of>", b"<meta http-equiv=content-type content=';charset=unheard-of'>"]
)
def test_a_charset_of_a_page_that_is_not_known_is_told(front: bytes) -> None:
    """As one that a message declares. It matters only if something must be guessed."""
    told = "charset unheard-of is not known, read as windows-1252"
    assert read(front + b"<p>\xc1", "html").troubles == (told,)
    assert read(b"Content-Type: text/html\n\n" + front + b"<p>\xc1").troubles == (f"part 1: {told}",)
    for known in (b"<p>a", "<p>é".encode(), b"<meta charset=latin1><p>\xc1"):
        assert not read(front + known, "html").troubles


def test_a_long_page_is_read_as_any_other() -> None:
    """Its entities stand for signs from the first to the last."""
    page = (
        b"<html><body>"
        + b"<p>some words\n" * 400_000
        + b"<a href='http://a.example/?b&amp;c'>http://d.example/?e&amp;f</a>"
    )
    message = read(page, "html")
    assert message.troubles == ()
    assert message.parts[0].text.endswith("some words http://d.example/?e&f")
    assert message.parts[1].text == "http://a.example/?b&c"


def test_links_beyond_the_bound_are_a_trouble() -> None:
    """In a page as in a part of a message."""
    page = b"<html><body>" + b"<img src='http://a.example/'>" * 3
    message = read(page, "html", Bounds(links=2))
    assert [part.text for part in message.parts] == ["http://a.example/"] * 2
    assert message.troubles == ("HTML with more than 2 links, the others left out",)
    message = read(b"Content-Type: text/html\n\n" + page, bounds=Bounds(links=2))
    assert message.troubles == ("part 1: HTML with more than 2 links, the others left out",)


def test_a_page_that_needs_too_much_memory_is_read_as_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a trouble, and nothing is lost."""

    def too_much(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(html, "read", too_much)
    message = read(PAGE, "html")
    assert message.troubles == ("HTML that needs more memory than it may take (--memory-limit), read as source text",)
    assert [part.text.encode() for part in message.parts] == [PAGE]
