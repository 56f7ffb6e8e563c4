"""HTML: what a reader sees, and which URLs the attributes hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlglean.bounds import DEFAULT
from urlglean.mail.html import URL_ATTRIBUTES, Page, read


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("one\n  two<b> three</b> <i>four</i>", "one two three four"),
        ("http://a/<wbr>b<b>c</b>", "http://a/bc"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("one<br>two<br><br>three", "one\ntwo\n\nthree"),
        ("<div>one</div><div><div>two</div></div>three", "one\ntwo\nthree"),
        ("<ul><li>one<li>two</ul>three", "one\ntwo\n\nthree"),
        ("<table><tr><td>a<td> b <tr><td>c</table>", "a\tb\nc"),
        ("<pre>a\n  b</pre>c  d", "a\n  b\n\nc d"),
        ("a &lt;http://x/?a&amp;b=1&gt; &eacute;", "a <http://x/?a&b=1> é"),
        ("<title>t</title><style>s</style>a<script>http://s/</script><!-- http://c/ -->b", "ab"),
        ("<head><meta charset=x></head><body>a", "a"),
        ("a<iframe src=http://x/><b>shown by no browser</b></iframe>b", "ab"),
        ("a<span> </span>b", "a b"),
        ("", ""),
        ("</p", ""),
    ],
)
def test_visible_text(html: str, text: str) -> None:
    """Blanks collapse as on a screen, blocks break lines, entities are characters, the unseen is left out."""
    page = read(html)
    assert page is not None
    assert page.text.strip() == text


@pytest.mark.parametrize(
    ("html", "links"),
    [
        ('<a href=" http://a/&amp;b\n">x</a>', [("a@href", "http://a/&b")]),
        ('<A HREF="HTTP://a/&#10;b">', [("a@href", "HTTP://a/b")]),
        ('<a href="b.html">', []),
        ('<a href="JavaScript:x()"><a href="about:blank"><a href="C:\\x">', []),
        ('<img src="cid:a@b"><img src="data:,x">', [("img@src", "cid:a@b"), ("img@src", "data:,x")]),
        ('<base href="http://a/b/"><a href="../c?d">', [("base@href", "http://a/b/"), ("a@href", "http://a/c?d")]),
        ('<a href="c"><base href="http://a/b">', [("a@href", "http://a/c"), ("base@href", "http://a/b")]),
        ('<base href="b/"><a href="c">', []),
        ('<a href=" http://a/\tb\r\nc ">', [("a@href", "http://a/bc")]),
        ('<base href="http://a/"><a href="//[b">', [("base@href", "http://a/")]),
        ('<img srcset="http://a/1 1x, http://a/2,b 2x">', [("img@srcset", "http://a/1"), ("img@srcset", "http://a/2,b")]),
        ("<meta http-equiv=Refresh content=\"5; URL = 'http://a/'\">", [("meta@content", "http://a/")]),
        ('<meta name=x content="url=http://a/">', []),
        ("<link href='http://a/'><body background='http://b/'>", [("link@href", "http://a/"), ("body@background", "http://b/")]),
    ],
)  # fmt: skip
def test_links(html: str, links: list[tuple[str, str]]) -> None:
    """Absolute URLs and those that a base makes absolute, cleaned as a browser cleans them, in document order."""
    page = read(html)
    assert page is not None
    assert list(page.links) == links


@pytest.mark.parametrize(("tag", "name"), [(t, n) for t, names in URL_ATTRIBUTES.items() for n in names])
def test_every_attribute_of_the_table(tag: str, name: str) -> None:
    """Each row of the table finds its URL where the element may stand."""
    content = "0; url=http://a/" if tag == "meta" else "http://a/"
    element = f'<{tag} http-equiv=refresh {name}="{content}">'
    around = {"tr": "<table>{}", "td": "<table><tr>{}", "th": "<table><tr>{}", "frame": "<frameset>{}"}
    assert read(around.get(tag, "{}").format(element)) == Page("", ((f"{tag}@{name}", "http://a/"),))


def test_a_base_too_long_is_no_base() -> None:
    """Relative links are left out rather than multiplied."""
    base = "http://" + "a" * DEFAULT.base + "/"
    assert read(f'<base href="{base}"><a href="b">') == Page("", (("base@href", base),))


@pytest.mark.parametrize("html", ["<div>" * 20_000, "a" * (DEFAULT.html + 1)], ids=["deep", "long"])
def test_past_the_bounds_there_is_no_page(html: str) -> None:
    """The caller reads the source instead."""
    assert read(html) is None


def test_paragraphs_without_end_tags_are_not_deep() -> None:
    """Elements that end where the next begins do not count as nested, however many."""
    page = read("<p>x<br>" * 20_000)
    assert page is not None
    assert page.text.count("x") == 20_000


@given(st.lists(st.sampled_from("abc éß&").filter(str.strip), min_size=1).map("".join))
def test_text_comes_back(text: str) -> None:
    """Escaped text between inline elements is read as it was written."""
    html = "<b></b>".join(c.replace("&", "&amp;") for c in text)
    assert read(html) == Page(text, ())
