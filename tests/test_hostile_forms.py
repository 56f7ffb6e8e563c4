"""Hostile repetition in the forms of text and mailbox that have patterns of their own: their work stays linear."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import files
from growth import BOUND, growth
from urlglean.bounds import DEFAULT
from urlglean.mail import enriched, message
from urlglean.mail.content_type import proven
from urlglean.mail.directory_html import as_shown
from urlglean.mail.directory_text import as_meant
from urlglean.mail.html import Page
from urlglean.records import Message

UNITS = (
    *(";quoted-printable", ";encoding=quoted-printable;", "quoted-printable:=\n", ";", ":", "=", "=\n", "a=\n", "\\"),
    *("\\\\", "\n ", "\r\n\t", "version:2.1", "<", "<a", "<<", "</a-", "<lt", "(", "(a", "(a)", "--b\n", "--", "--bb"),
    *('\\"', '"a', ' ("', ' (a"', "To: x\n", "X: "),
    *("\n--b\n", "\r--b\n", "--b\r\rx\r", "\n--b\nTo: x\n", "\n--b\nx\n"),
    *("X:<\n", "X:<a href=http://a/>\n", "X:<br>\n"),
    *("\n\nFrom x\n", "\n\nFrom x\nTo: x\n", "\n\nFrom x\nTo: x\n y\n", "\n\n\ufeffFrom x\n"),
)  # fmt: skip


def old_card(text: str) -> str:
    """Reads a text as a card whose values may be encoded."""
    return as_meant("VERSION:2.1\n" + text)


def html_card(text: str) -> Page:
    """Reads a text as values of a card that are HTML, and as names before them."""
    return as_shown(f"X;FMTTYPE=text/html:<{text}\nX:<br>{text}\n{text}:<", DEFAULT)


def typed(text: str) -> bytes | None:
    """Looks for the boundary of one of two fields in a text."""
    octets = text.encode()
    return proven((b"multipart/mixed; boundary=b" + octets, b'multipart/x; (boundary=c; d="' + octets), octets)


def multipart(text: str) -> Message:
    """Reads a text as the parts of a message."""
    return message.read(b"To: a\nContent-Type: multipart/mixed; boundary=b\n\n" + text.encode())


def mailbox(text: str) -> None:
    """Reads a text as a mailbox whose separators have odd forms."""
    files.read(b"From x\nTo: x\nFrom: y\n" + text.encode())


@pytest.mark.parametrize("read", [as_meant, old_card, html_card, enriched.plain, typed, multipart, mailbox])
@pytest.mark.parametrize("unit", UNITS)
def test_repetition_takes_no_quadratic_time(read: Callable[[str], object], unit: str) -> None:
    """Sixteen times the text takes about sixteen times as long."""
    assert growth(read, lambda size: unit * (size // len(unit))) < BOUND
