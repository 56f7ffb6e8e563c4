"""Bodies and parts of HTML in messages that do not declare their type."""

from __future__ import annotations

import base64
import quopri

import pytest

from urlglean.mail import read

PAGE = (
    b'<html>\n<body>See <a href="http://a.example/?b=1&amp;c=2">this</a> and http://d.example/?e&amp;f</body></html>\n'
)
PIECE = b'<p>See</p>\n<a href="http://a.example/?b=1&amp;c=2">this</a>\n'


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("body", [PAGE, b"\n\n" + PAGE, b'<!doctype HTML PUBLIC "x">\n' + PAGE, PIECE])
@pytest.mark.parametrize(
    "head",
    [
        b"Subject: x\n\n%b",
        b"Subject: x\nContent-Type:\n\n%b",
        b"Subject: x\nContent-Transfer-Encoding: 8bit\n\n%b",
        b"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n%b\n--b--\n",
        b"Subject: x\nContent-Type: message/rfc822\n\nSubject: y\n\n%b",
    ],
)
def test_html_without_a_type_is_html(head: bytes, body: bytes, end: bytes) -> None:
    """So it comes from archives that leave out the field Content-Type: links are found, references are replaced."""
    found = read((head % body).replace(b"\n", end))
    assert ("a@href", "http://a.example/?b=1&c=2") in [(part.field, part.text) for part in found.parts]
    assert not any("&amp;" in part.text for part in found.parts)


@pytest.mark.parametrize(
    ("field", "body"),
    [
        (b"", b"Look at this:\n" + PAGE),
        (b"", b"<http://a.example/>\n" + PAGE),
        (b"", b"<URL:http://a.example/> is in <b>bold</b>\n"),
        (b"Content-Type: text/plain\n", PAGE),
        (b"Content-Type: text\n", PAGE),
    ],
)
def test_a_text_with_html_in_it_is_text(field: bytes, body: bytes) -> None:
    """It only quotes HTML, or its type is declared."""
    (part,) = read(b"Subject: x\n" + field + b"\n" + body).parts
    assert part.text.encode() == body


@pytest.mark.parametrize("declared", ["quoted-printable", "base64", "7bit"])
def test_html_that_a_program_encoded_twice(declared: str) -> None:
    """The values of its attributes show that it is still in quoted-printable."""
    page = quopri.encodestring(PAGE)
    encode = {"quoted-printable": quopri.encodestring, "base64": base64.encodebytes}.get(declared, bytes)
    head = f"Subject: x\nContent-Type: text/html\nContent-Transfer-Encoding: {declared}\n\n".encode()
    assert [part.text for part in read(head + encode(page)).parts][1] == "http://a.example/?b=1&c=2"


@pytest.mark.parametrize("kind", ["text/plain", "text/html; charset=utf-8", "multipart/alternative; boundary=x", ""])
@pytest.mark.parametrize("front", ["", "\n", "  "])
def test_a_body_of_a_mailbox_of_eudora_is_html(kind: str, front: str) -> None:
    """Eudora leaves the field as it came, whatever of the message it stores."""
    field = f"Content-Type: {kind}\n" if kind else ""
    body = '<X-HTML><p><a href="http://a.example/?x=1&amp;y=2">It</a></p></X-HTML>'
    parts = read(f"From: a@b.example\n{field}\n{front}{body}\n".encode()).parts
    assert [part.text for part in parts] == ["It", "http://a.example/?x=1&y=2"]


def test_prose_about_the_tag_of_eudora_is_text() -> None:
    """The tag stands before a line end or another tag."""
    text = " <x-html> is a tag of Eudora, see <http://a.example/>"
    assert [part.text for part in read(f"Content-Type: text/plain\n\n{text}\n".encode()).parts] == [f"{text}\n"]


ENCODED = b'<html><body class=3D"x">\nSee <a href=3D"http://a.example/?b=3D1&amp;c=\n=3D2">this</a> and http://d.example/?e=3D=\nf</body></html>\n'


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("field", [b"", b"Content-Transfer-Encoding: 7bit\n", b"Content-Transfer-Encoding: qouted\n"])
@pytest.mark.parametrize(
    "head",
    [b"Subject: x\n%b\n", b"Content-Type: multipart/mixed; boundary=b\n\n--b\n%b\n--b\nContent-Type: text/html\n%b"],
)
@pytest.mark.parametrize("page", [ENCODED, ENCODED.replace(b"=3D", b"=3d")])
def test_html_whose_transfer_encoding_is_lost_is_read(head: bytes, field: bytes, end: bytes, page: bytes) -> None:
    """The values of attributes show that it is quoted-printable: no value begins with `3D` and a quotation mark.

    Some programs write its escapes in small letters.
    """
    for kind in (b"Content-Type: text/html; charset=us-ascii\n", b""):
        message = head.replace(b"%b", kind + field, 1).replace(b"%b", field) + b"\n" + page
        parts = read(message.replace(b"\n", end)).parts
        assert ("a@href", "http://a.example/?b=1&c=2") in [(part.field, part.text) for part in parts]
        assert any("http://d.example/?e=f" in part.text for part in parts)


def test_other_html_is_no_quoted_printable() -> None:
    """It may show such tags, and values may begin so."""
    for body in (
        b'<a href="http://c.example/">x</a> http://a.example/?b=3D1 <!-- <font color=3D"red"> -->',
        b'&lt;a href=3D"x"&gt; http://a.example/?b=3D1',
        b"<a href=3D>x</a> http://a.example/?b=3D1",
    ):
        parts = read(b"Subject: x\nContent-Type: text/html\n\n" + body).parts
        assert "http://a.example/?b=3D1" in parts[0].text


def test_what_a_list_has_added_stays_as_it_is() -> None:
    """Its tags may be more than those of the body."""
    footer = b'<table border="0"><tr><td class="f"><a href="http://l.example/?id=20041231">x</a><img src="http://l.example/i">'
    parts = read(b"Subject: x\nContent-Type: text/html\n\n" + ENCODED + footer).parts
    assert [part.text for part in parts if part.field] == [
        "http://a.example/?b=1&c=2",
        "http://l.example/?id=20041231",
        "http://l.example/i",
    ]
    soft = b'<a href=3D"http://a.example/x=\ny=\nz">b</a>\n'
    (_, link) = read(b"Subject: x\nContent-Type: text/html\n\n" + soft).parts
    assert link.text == "http://a.example/xyz"
    for prose, url in (
        (b"http://h.example/very/=\nlong/path.html", "http://h.example/very/long/path.html"),
        (b"http://h.example/caf=C3=A9/", "http://h.example/caf\xe9/"),
        (b"http://h.example/a=5Fb/=7Ejo/", "http://h.example/a_b/~jo/"),
    ):
        (text, *_) = read(b"Subject: x\nContent-Type: text/html; charset=utf-8\n\n" + with_more(prose) + footer).parts
        assert url in text.text


def test_lost_quoted_printable_may_have_values_without_quotation_marks() -> None:
    """As HTML of old has them."""
    head = b"Subject: x\nContent-Type: text/html\n\n"
    for body, url in (
        (b"<a href=3Dhttp://=\nh.example/b>", "http://h.example/b"),
        (b"<a href=3D=22http://=\nh.example/b=22>", "http://h.example/b"),
        (b"<a id=3D7></a><a href=http://h.example/?b=3D1>", "http://h.example/?b=3D1"),
    ):
        assert read(head + body + b"x</a>\n").parts[-1].text == url


def with_more(body: bytes) -> bytes:
    """The page with more before its end."""
    return ENCODED.replace(b"</body>", body + b"\n</body>")


def test_lost_quoted_printable_goes_on_to_the_end_or_to_what_is_none() -> None:
    """Behind the last escape that is sure may be others, also in the line that goes on behind a soft break."""
    head = b"Subject: x\nContent-Type: text/html; charset=iso-8859-1\n\n"
    soft = b'<a href=3D"http://h.example/a=\nb=5Fc=7Ed">x</a>\n<p>http://h.example/caf=E9/\n'
    (text, link) = read(head + soft + b"</body>\n").parts
    assert link.text == "http://h.example/ab_c~d"
    assert "http://h.example/caf\xe9/" in text.text
    (text, _) = read(head + soft).parts  # without an end, it may be a list's
    assert "http://h.example/caf=E9/" in text.text
    plain = b"http://l.example/=7Ejo/\nhttp://l.example/?id=20041231\n"
    for page, urls in (
        (with_more(b"<p>" + plain), ["http://l.example/~jo/", "http://l.example/?id=20041231"]),
        (ENCODED + plain, ["http://l.example/=7Ejo/", "http://l.example/?id=20041231"]),
    ):
        assert read(head + page).parts[0].text.split()[-2:] == urls


def test_what_an_archive_puts_before_lost_quoted_printable_is_none() -> None:
    """Up to the last line that shows an equals sign of its own; not so in a line with an escape."""
    head = b"Subject: x\nContent-Type: text/html\n\n"
    text, *links = read(head + b'<a href="http://i.example/?a=41">x</a><pre>\n' + ENCODED).parts
    assert [link.text for link in links] == ["http://i.example/?a=41", "http://a.example/?b=1&c=2"]
    assert "http://d.example/?e=f" in text.text
    assert read(head + b"<p>=41 x=y z=3D " + ENCODED).parts[0].text.startswith("A x=y z=\n")


def test_a_letter_in_latin_1_behind_a_reference_ends_no_quoted_printable() -> None:
    """A parameter without its equals sign escaped would; so would any other equals sign."""
    head = b"Subject: x\nContent-Type: text/html; charset=iso-8859-1\n\n"
    (text, *_) = read(head + with_more(b"<p>&nbsp;Gr=FC=DFe, ?Gr=FC=DFe &T=E9l http://h.example/caf=E9/")).parts
    assert text.text.split()[-4:] == ["Gr\xfc\xdfe,", "?Gr\xfc\xdfe", "&T\xe9l", "http://h.example/caf\xe9/"]


@pytest.mark.parametrize("tag", [b"<body bgcolor=3D3D3D>", b"<a href=3Dmodels.html>", b"<p class=3D>"])
def test_a_value_that_begins_so_is_no_quoted_printable(tag: bytes) -> None:
    """It may be a colour, or any name."""
    (text, *_) = read(b"Subject: x\nContent-Type: text/html\n\n" + tag + b"http://h.example/?id=2041 x\n").parts
    assert "http://h.example/?id=2041" in text.text


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"AT&T=20\n", "AT&T"),
        (b"AT&T=21 in caf=C3=A9\n", "AT&T! in caf\xe9"),
        (b"AT&T=21 http://h.example/a=\nb/\n", "AT&T! http://h.example/ab/"),
        (b"http://h.example/=\nAT&T=21\n", "http://h.example/AT&T!"),
    ],
)
def test_an_ampersand_of_prose_ends_no_lost_quoted_printable(line: bytes, text: str) -> None:
    """A sure escape stands behind it: a blank at a line end, a letter in UTF-8, or a soft break."""
    head = b"Subject: x\nContent-Type: text/html; charset=utf-8\n\n"
    found = read(head + with_more(b"<p>" + line + b"<p>http://h.example/=7Ejo/")).parts[0].text
    assert text in found
    assert "http://h.example/~jo/" in found


def test_the_line_behind_the_last_sure_escape_may_be_of_a_list() -> None:
    """The escape may end its own line."""
    head = b"Subject: x\nContent-Type: text/html\n\n"
    footer = b"http://l.example/?id=20041231\n"
    assert "http://l.example/?id=20041231" in read(head + with_more(b"<p>a=3D\n" + footer)).parts[0].text


def test_the_search_of_a_url_shows_that_nobody_has_encoded_it() -> None:
    """Quoted-printable would have escaped its first equals sign, whatever follows."""
    head = b"Subject: x\nContent-Type: text/html; charset=iso-8859-1\n\n"
    (text, *_) = read(head + with_more(b"\nhttp://l.example/wa?A0=BALT-L")).parts
    assert text.text.endswith("http://l.example/wa?A0=BALT-L")
