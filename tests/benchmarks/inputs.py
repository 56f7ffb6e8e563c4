"""Deterministic input for the benchmarks: prose, mail text of several URL densities, mailboxes."""

from __future__ import annotations

import base64
import quopri
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

WORDS = """
    the of and to in a is that for it was on are as with they at be this from have or by one had not but what all were
    when we there can an your which their said if do will each about how up out them then she many some so these would
    other into has more two like him see time could no make than first been its who now people my made over did down
    only way find use may water long little very after words called just where most know get through back much before
""".split()  # noqa: SIM905 - a column of words reads worse


class Text(NamedTuple):
    """A text and the URLs that were put into it, in order."""

    text: str
    urls: list[str]


def prose(size: int, seed: int = 1) -> str:
    """About `size` characters of words, in lines of at most 72, without a colon that could belong to a URL."""
    rng = random.Random(seed)
    lines, length = [], 0
    while length < size:
        line = " ".join(rng.choices(WORDS, k=13))[:72]
        lines.append(line)
        length += len(line) + 1
    return "\n".join(lines)


def a_url(number: int) -> str:
    """The URL with this number: plain, https, about 60 characters."""
    return f"https://www.example{number % 97}.com/archive/{number:06}/page{number % 31}.html?id={number}"


def a_mailto(number: int) -> str:
    """The mailto URL with this number."""
    return f"mailto:jo.doe{number}@lists.example{number % 97}.com"


class Place(NamedTuple):
    """The text around a URL, and a function that makes the URL with a number."""

    around: str
    make: Callable[[int], str] = a_url


BETWEEN_BLANKS = (Place(" and {} so "),)
"""Places in which a URL is found without any guess."""

AS_IN_MAIL = (
    Place(" and {} so "),
    Place("\n{}\nso it "),
    Place(": {}.\nSo it "),
    Place(" at\n{}\n\nso it "),
    Place(" ({}) so "),
    Place(" <{}>\nso it "),
    Place(" <URL:{}> so "),
    Place(" at {}, so "),
    Place(' "{}" so '),
    Place("\n> {}\n> and so it "),
    Place("\n[1] {}\n[2] so it "),
    Place(" <{}> ", a_mailto),
)
"""Places as they are in real mail."""


def mail_text(size: int, gap: int, places: tuple[Place, ...] = BETWEEN_BLANKS, seed: int = 2) -> Text:
    """Prose with a URL about every `gap` characters; the URLs stand in the places in turn."""
    rng = random.Random(seed)
    pieces: list[str] = []
    urls: list[str] = []
    length = 0
    while length < size:
        words = " ".join(rng.choices(WORDS, k=max(2, (gap - 66) // 5)))
        words = "\n".join(words[at : at + 72] for at in range(0, len(words), 72))
        place = places[len(urls) % len(places)]
        url = place.make(len(urls))
        pieces.append(words + place.around.format(url))
        urls.append(url)
        length += len(pieces[-1])
    return Text("".join(pieces), urls)


def plain_messages(size: int, every: int = 1) -> Iterator[tuple[bytes, list[str]]]:
    """Plain messages of 1 to 4 KB, of which a part have two URLs each, until `size` octets are reached."""
    body = prose(200_000)
    made, number = 0, 0
    while made < size:
        start = number * 977 % 190_000
        text = body[start : start + 1000 + number * 331 % 3000]
        urls = [] if number % every else [a_url(2 * number), a_url(2 * number + 1)]
        first, second = urls or ("none", "none")
        message = (
            f"From: Jo Doe <jo{number % 50}@example.org>\nTo: list@example.net\nSubject: about {number}\n"
            f"Date: Mon, 3 Mar 1997 10:{number % 60:02}:00 +0000\nMessage-ID: <{number}@example.org>\n\n"
            f"{text}\nsee {first} for more\n{text[:300]}\n and {second} too\n"
        ).encode()
        yield message, urls
        made += len(message)
        number += 1


def mime_messages(size: int) -> Iterator[tuple[bytes, list[str]]]:
    """Messages with multipart/alternative, quoted-printable text and base64 HTML, three URLs in each."""
    body = prose(200_000)
    made, number = 0, 0
    while made < size:
        start = number * 977 % 190_000
        text = body[start : start + 1500 + number * 331 % 2000]
        urls = [a_url(3 * number + n) for n in range(3)]
        plain = quopri.encodestring(f"Grüße, {text}\nsee {urls[0]} for more\n".encode()).decode()
        html = f"<html><body><p>{text}</p><p>see <a href='{urls[2]}'>here</a> and {urls[1]} too</p></body></html>"
        message = (
            f"From: Jo Doe <jo{number % 50}@example.org>\nTo: list@example.net\nSubject: about {number}\n"
            f"Date: Mon, 3 Mar 2003 10:{number % 60:02}:00 +0000\nMessage-ID: <{number}@example.org>\n"
            'MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="=_b"\n\n'
            f"--=_b\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n{plain}\n"
            "--=_b\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
            f"{base64.encodebytes(html.encode()).decode()}\n--=_b--\n"
        ).encode()
        yield message, urls
        made += len(message)
        number += 1


def mbox(messages: Iterator[tuple[bytes, list[str]]]) -> tuple[bytes, list[str]]:
    """The messages as an mbox, and all URLs in them."""
    every: list[str] = []
    parts = []
    for message, urls in messages:
        parts.append(b"From jo@example.org Mon Mar  3 10:00:00 1997\n" + message + b"\n")
        every += urls
    return b"".join(parts), every
