"""Bodies and parts of HTML in messages that do not declare their type."""

from __future__ import annotations

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
