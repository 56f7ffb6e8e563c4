"""The texts of links that shorten their URL, as forums write them."""

from __future__ import annotations

import pytest

from urlglean.mail.html import read

URL = "http://h.example/forum/show.html?t=12&p=34"
LINK = '<a href="http://h.example/forum/show.html?t=12&amp;p=34">{}</a>'


@pytest.mark.parametrize(
    "label",
    [
        "http://h.example/for...p=34",
        "http://h.exam ... html?t=12&amp;p=34",
        "http://h.example/forum/...",
        "http://h.e&hellip;",
        "http://h.example/forum…",
        "<b>http://h.example/f...p=34</b>",
    ],
)
def test_the_whole_url_stands_in_the_place_of_the_short_one(label: str) -> None:
    """The short one is none. The link keeps its label as it is."""
    page = read(f"<p>See {LINK.format(label)}, and so\n")
    assert page.text == f"See {URL}, and so"
    assert [link.url for link in page.links] == [URL]
    assert page.links[0].label != URL


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("http://h.example/other...p=34", "http://h.example/other...p=34"),
        ("http://h.example/for...p=35", "http://h.example/for...p=35"),
        ("h.example/for...p=34", "h.example/for...p=34"),
        ("See http://h.example/for...", "See http://h.example/for..."),
        ("<b>See</b> http://h.example/for...", "See http://h.example/for..."),
        (f"{URL}...", f"{URL}..."),
        (f"{URL[:20]}...{URL[20:]}", f"{URL[:20]}...{URL[20:]}"),
        (f"{URL[:25]}...{URL[20:]}", f"{URL[:25]}...{URL[20:]}"),
        ("...", "..."),
    ],
)
def test_other_labels_stay(label: str, text: str) -> None:
    """They are no piece of the URL, or all of it, or hold more than it."""
    assert read(LINK.format(label)).text == text


@pytest.mark.parametrize("end", ["\n", "\r\n", " ", "\n   "])
def test_a_url_that_a_line_end_divides_in_the_text_of_its_link_is_whole(end: str) -> None:
    """The link has it whole."""
    divided = f"http://h.example/forum/{end}show.html?t=12&amp;p=34"
    assert read(f"<p>See {LINK.format(divided)}, and so\n").text == f"See {URL}, and so"
    assert read(f"<pre>{LINK.format(divided)}\nso</pre>").text == f"{URL}\nso"


def test_the_blanks_around_a_short_url_stay() -> None:
    """They divide it from the words beside it, and lines from each other."""
    assert read(f"<p>so{LINK.format(' http://h.example/for... ')}and").text == f"so {URL} and"
    assert read(f"<pre>{LINK.format('http://h.example/for...' + chr(10))}and").text == f"{URL}\nand"


def test_a_url_without_a_link_stays() -> None:
    """Nothing says what the dots stand for."""
    assert read("http://h.example/for...p=34<a>http://h.example/for...</a>").text.startswith("http://h.example/for...p")
