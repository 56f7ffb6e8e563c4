"""HTML: what a reader sees, and which URLs the attributes hold."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from urlglean import extract_message
from urlglean.bounds import DEFAULT, Bounds
from urlglean.mail import read as mail_read
from urlglean.mail.html import Page, read
from urlglean.mail.html_lexer import attributes_of, tokens
from urlglean.mail.html_links import URL_ATTRIBUTES, Link, Links


def urls_in(page: Page) -> list[tuple[str, str]]:
    """The fields and URLs of a page's links."""
    return [(link.field, link.url) for link in page.links]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("one\n  two<b> three</b> <i>four</i>", "one two three four"),
        ('<b a="1>2">x', "x"),
        ('<b ="1>2">x', '2">x'),  # a name may begin with "="
        ('<b /="1>2">x', '2">x'),
        ('<b a=b="1>2">x', '2">x'),  # a value without quotation marks may hold them
        ('<b a="1"b>x', "x"),
        ("<b a='1>2'>x", "x"),
        ("<b>1 < 2<i>3", "1 < 23"),
        ("<b>1</", "1</"),
        ("http://a/<wbr>b<b>c</b>", "http://a/bc"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("one<br>two<br><br>three", "one\ntwo\n\nthree"),
        ("<div>one</div><div><div>two</div></div>three", "one\ntwo\nthree"),
        ("<ul><li>one<li>two</ul>three", "one\n\ntwo\n\nthree"),
        ("<table><tr><td>a<td> b <tr><td>c</table>", "a\tb\n\nc"),
        ("<pre>a\n  b</pre>c  d", "a\n  b\n\nc d"),
        ("a &lt;http://x/?a&amp;b=1&gt; &eacute;", "a <http://x/?a&b=1> é"),
        ("<title>t</title><style>s</style>a<script>http://s/</script><!-- http://c/ -->b", "ab"),
        ("<head><meta charset=x></head><body>a", "a"),
        ("a<iframe src=http://x/><b>shown by few browsers</b></iframe>b", "a shown by few browsers b"),
        ("<frameset><frame><noframes><body>a<p>b</body></noframes></frameset>", "a\n\nb"),
        ("a<span> </span>b", "a b"),
        ("", ""),
        ("</p", ""),
        ("a < b & <> c </> d </ e>f </", "a < b & <> c d f </"),
        ("<p>a<div>b</div>c<td>d", "a\n\nb\nc\td"),
        ("<p>a</p>b<p>c<li>d", "a\n\nb\n\nc\n\nd"),
        ("a<!-- b --> c <!--> d <!---> e <!-- f --!> g<!doctype x>h</ i>j<?k>l", "a c d e ghjl"),
        ("a<!-- - -- -> b", "a b"),
        ("a<!-- b --> c<!-- d > e", "a c e"),
        ("a<!-- b > c --!>d", "ad"),
        ("a<!-- b --> c<!-- d", "a c"),
        ("a<!-- b > c --> d<!-- e", "a d"),
        ("<xmp><!-- a</xmp>b<!-- c>d", "<!-- a\n\nbd"),
        ('<a title=\'>\' b=">" c=d"e f>x', "x"),
        ('<a b==">">x', '">x'),
        ("a<b c='>", "a"),
        ("<script>'</b>' </scripts> <a></SCRIPT >a", "a"),
        ("<title>a</title x>b<style>c", "b"),
        ("<textarea>\n\n a&amp;<b></textarea>c", "a&<b> c"),
        ("<xmp>a&amp;<b></xmp>c", "a&amp;<b>\n\nc"),
        ("a<textarea>\nb</textarea>", "a b"),
        ("a<pre>\nb</pre>", "a\n\nb"),
        ("<pre>\n a\n\n b</pre>", "a\n\n b"),
        ("<pre>a<td>b<b>c</b>", "a\tbc"),
        ("a\r\nb<pre>c\r\nd\re\0", "a b\n\nc\nd\ne"),
        ("<template>a<template>b</template>c</template>d</template>e", "de"),
        (
            "&amp &lt; &notit; &#65 &#x41; &#0065; &#00000000065; &#128; &#x110000; &#55296;",
            "& < ¬it; A A A A € \ufffd \ufffd",
        ),
        ("&#" + "9" * 5_000 + "; &#x" + "f" * 5_000 + " &#" + "0" * 5_000 + "65;", "\ufffd \ufffd A"),
    ],
)  # fmt: skip
def test_visible_text(html: str, text: str) -> None:
    """Blanks collapse as on a screen, blocks break lines, entities are characters, the unseen is left out."""
    page = read(html)
    assert page.text.strip() == text


@pytest.mark.parametrize(
    "elements",
    [
        "a abbr b bdi bdo cite code data del dfn em i ins kbd label map mark noscript output picture ruby s samp slot",
        "small span strong time u var wbr",
        "acronym big font nobr rb strike tt",  # obsolete
    ],
)
def test_inline_elements_do_not_separate_text(elements: str) -> None:
    """A URL goes on in them, and behind them."""
    for element in elements.split():
        assert read(f"http://a/<{element}>b</{element}>c").text == "http://a/bc", element


@pytest.mark.parametrize(
    "elements",
    [
        "script style template title",
        "area base basefont bgsound col link meta param source track",  # they have no content
    ],
)
def test_what_is_not_shown_does_not_separate_text(elements: str) -> None:
    """A URL goes on behind it."""
    for element in elements.split():
        assert read(f"http://a/<{element}></{element}>c").text == "http://a/c", element


@pytest.mark.parametrize(
    "elements",
    [
        "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure",
        "footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p pre",
        "noframes search section summary ul xmp caption table td th tr br",
        "button input keygen meter progress select textarea",
        "applet audio canvas embed iframe image img noembed object svg video",
        "marquee q rp rt rtc sub sup text",
    ],
)
def test_boxes_separate_text(elements: str) -> None:
    """Blocks, controls, pictures and the like: a URL ends there, whether it stands before, in or behind them."""
    for element in elements.split():
        shown = read(f"http://a/<{element}>http://b/</{element}>http://c/").text
        assert shown.split() == ["http://a/", "http://b/", "http://c/"], element
    assert read("http://a/<plaintext>http://b/").text.split() == ["http://a/", "http://b/"]


def test_a_box_in_a_paragraph_does_not_end_it() -> None:
    """Text goes on in the same line behind it. A cell stays one that begins with a box."""
    assert read("<p>one <button>Go</button>two<img><input>three</p>four").text == "one Go two three\n\nfour"
    assert read("<table><tr><td>a<td><img>b</table>").text == "a\tb"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<a href=c>http://a/b</a><a href=d>Go</a>", "http://a/b Go"),
        ("<a href=c>http://a/b<a href=d>Go", "http://a/b Go"),
        ("<a href=c>http://a/b</a></a><a href=d></a><b>Go</b>", "http://a/b Go"),
        ("<a href=c><i>See (http://a/</i>b<wbr>c</a><sup>1</sup>", "See (http://a/bc 1"),
        ("<a>mailto:ann@a.example</a>or", "mailto:ann@a.example or"),
        ("<a>www.a.example</a>or", "www.a.example or"),
        ("<a>http://a/b</a>\u4e0e", "http://a/b \u4e0e"),
        ("<pre><a>http://a/b</a>Go", "http://a/b Go"),
        ("<a>http://a/b</a><br>Go", "http://a/b\nGo"),
        ("<a>http://a/b</a><p>Go", "http://a/b\n\nGo"),
        # Only a part of the URL is a link.
        ("http://<a href=c>www.a.example</a>/b", "http://www.a.example/b"),
        ("<a>http://www.a.example</a>/b <a>http://a/~</a>-b", "http://www.a.example/b http://a/~-b"),
        ("http://a/<a href=c>b</a>c", "http://a/bc"),
        ("<a href=c>http://</a>www.a.example/b", "http://www.a.example/b"),
        ("http://www.<a name=c></a>a.example/", "http://www.a.example/"),
        # A link that is divided.
        ("<a href=c>http://a/</a><a href=c>b</a><a href=d>Go</a>", "http://a/b Go"),
        ('<a href="c">http://a/</a><a href="c" >b</a>', "http://a/b"),
        # No URL at the end of the link.
        ("<a>Over</a>night <a>www.a.example is </a>ours", "Overnight www.a.example is ours"),
        ("<a>http://a/ at</a>tention", "http://a/ attention"),
        ("<a>http://a/b</a>. <a>one</a>two", "http://a/b. onetwo"),
    ],
)
def test_a_url_ends_with_the_link_that_shows_it(html: str, text: str) -> None:
    """If a letter or digit follows, in whatever element, a blank stands before it."""
    assert read(html).text == text


@pytest.mark.parametrize(
    ("html", "links"),
    [
        ('<a href=" http://a/&amp;b\n">x</a>', [("a@href", "http://a/&b")]),
        ('<A HREF="HTTP://a/&#10;b">', [("a@href", "HTTP://a/b")]),
        ('<a href="b.html">', []),
        ('<a href="JavaScript:x()"><a href="about:blank"><a href="C:\\x">', []),
        ('<img src="cid:a@b"><img src="data:,x">', [("img@src", "cid:a@b"), ("img@src", "data:,x")]),
        ('<base href="http://a/b/"><a href="../c?d">', [("base@href", "http://a/b/"), ("a@href", "http://a/c?d")]),
        (
            '<base href="http://a/1/http://b/"><a href="c"><a href="../d//e?f//g">',
            [("base@href", "http://a/1/http://b/"), ("a@href", "http://a/1/http://b/c"), ("a@href", "http://a/1/http://d//e?f//g")],
        ),
        ('<a href="c"><base href="http://a/b">', [("a@href", "http://a/c"), ("base@href", "http://a/b")]),
        ('<base href="b/"><a href="c">', []),
        ('<base href="http://a/"><a href="http://b/c?">', [("base@href", "http://a/"), ("a@href", "http://b/c?")]),
        ('<a href=" http://a/\tb\r\nc ">', [("a@href", "http://a/bc")]),
        ('<a href="http://a/b\r\n c\n   d e">', [("a@href", "http://a/bcd e")]),
        ('<a href="blocked::http://a/"><img src="BLOCKED:http://b/">', [("a@href", "http://a/"), ("img@src", "http://b/")]),
        ('<a href="mailto:a@b,\n c@d?subject=c">', [("a@href", "mailto:a@b,c@d?subject=c")]),
        ('<a href="mailto:a@b?subject=c\n d">', [("a@href", "mailto:a@b?subject=c d")]),
        ('<a href="http://a/b\n c?d=e\n f">', [("a@href", "http://a/bc?d=e f")]),
        ('<a href="http://a/b\t c">', [("a@href", "http://a/b c")]),
        ('<head profile="http://a/b\n http://a/c">', [("head@profile", "http://a/b"), ("head@profile", "http://a/c")]),
        (
            '<base href="http://a/"><applet codebase="b/" archive="c,http://d/e"><object codebase="http://f/" data=g>',
            [
                ("base@href", "http://a/"),
                ("applet@codebase", "http://a/b/"),
                ("applet@archive", "http://d/e"),
                ("object@codebase", "http://f/"),
            ],
        ),
        (
            '<base href="http://a/"><object codebase="http://b/c.cab#1" data=d><object codebase="e/" data="http://f/,g">',
            [
                ("base@href", "http://a/"),
                ("object@data", "http://a/d"),
                ("object@codebase", "http://b/c.cab#1"),
                ("object@data", "http://f/,g"),
                ("object@codebase", "http://a/e/"),
            ],
        ),
        (
            '<base href="http://a/"><applet codebase="jdk1.1" archive=b><object codebase="http://c/v1.2" data=d>',
            [("base@href", "http://a/"), ("applet@codebase", "http://a/jdk1.1"), ("object@codebase", "http://c/v1.2")],
        ),
        (
            '<base href="http://a/"><applet codebase="lib.d" archive=b>',
            [("base@href", "http://a/"), ("applet@codebase", "http://a/lib.d")],
        ),
        (
            '<base href="http://a/"><object codebase="http://b.c" data=d><applet codebase="" archive=e>',
            [("base@href", "http://a/"), ("object@codebase", "http://b.c"), ("applet@archive", "http://a/e")],
        ),
        ('<base href="http://a/"><object data="b" archive="c">', [
            ("base@href", "http://a/"), ("object@data", "http://a/b"), ("object@archive", "http://a/c"),
        ]),
        ('<a href="http://a/‾b/"><base href="http://a/">', [("a@href", "http://a/~b/"), ("base@href", "http://a/")]),
        ('<a href="http://w!\n ww.a!b/!\r\n c?d!=!\n e!">', [("a@href", "http://www.a!b/c?d!=e!")]),
        ('<a href="http://a/b!\r\n?c!\nd!\n">', [("a@href", "http://a/b!?c!d!")]),
        ('<a href="blocked::b">', [("a@href", "blocked::b")]),
        ('<base href="http://a/"><a href="//[b">', [("base@href", "http://a/"), ("a@href", "http://[b")]),
        ('<img srcset="http://a/1 1x, http://a/2,b 2x">', [("img@srcset", "http://a/1"), ("img@srcset", "http://a/2,b")]),
        ("<meta http-equiv=Refresh content=\"5; URL = 'http://a/'\">", [("meta@content", "http://a/")]),
        ('<meta name=x content="url=http://a/">', []),
        ("<a href='http://a/?b&section;c&copycat;d&ampx;e&copy;f'>", [("a@href", "http://a/?b&section;c&copycat;d&ampx;e©f")]),
        ("<a href='http://a/?b=1&copy=2&copy;&amp;c&lt=d&copyright&#61;'>", [
            ("a@href", "http://a/?b=1&copy=2©&c&lt=d&copyright="),
        ]),
        ("<a HREF=http://a/b'c/\"d href=http://b/ title=http://c/>", [("a@href", "http://a/b'c/\"d")]),
        ("<a b='>' href = 'http://a/'/><a/href='http://b/'>", [("a@href", "http://a/"), ("a@href", "http://b/")]),
        ("<a b='c'href='http://a/'>", [("a@href", "http://a/")]),
        ("<a =href=http://a/ href><a data-href=http://b/>", []),
        ("<!-- <a href=http://a/> --><script><a href=http://b/></script></a href=http://c/><a href='http://d/", []),
        ("<title><a href=http://a/></title><script src=http://b/></script>", [("script@src", "http://b/")]),
        ("<frame src=http://a/><noframes><a href=http://b/></noframes>", [("frame@src", "http://a/"), ("a@href", "http://b/")]),
        ("<iframe src=http://a/><a href=http://b/></iframe>", [("iframe@src", "http://a/"), ("a@href", "http://b/")]),
        ("<a href='\x01 \x1fhttp://a/\x1f'><a href='&#27;http://b/'>", [("a@href", "http://a/"), ("a@href", "http://b/")]),
        ("<link href='http://a/'><body background='http://b/'>", [("link@href", "http://a/"), ("body@background", "http://b/")]),
    ],
)  # fmt: skip
def test_links(html: str, links: list[tuple[str, str]]) -> None:
    """Absolute URLs and those that a base makes absolute, cleaned as a browser cleans them, in document order."""
    page = read(html)
    assert urls_in(page) == links


@pytest.mark.parametrize(
    ("srcset", "urls"),
    [
        ("http://a/1, http://b/2 2x", ["http://a/1", "http://b/2"]),  # the first has no descriptor
        ("http://a/1,2 1x,http://b/2 2x", ["http://a/1,2", "http://b/2"]),
        ("http://a/1,http://b/2 2x", ["http://a/1,http://b/2"]),  # a comma within a URL is of it
        ("\t,, http://a/1 9w , http://a/2 (x, y) 2x, http://a/3,,", ["http://a/1", "http://a/2", "http://a/3"]),
        ("http://a/1 (", ["http://a/1"]),
        ("http://a/1 2x 3h,,http://a/2", ["http://a/1", "http://a/2"]),
    ],
)
def test_the_candidates_of_a_srcset(srcset: str, urls: list[str]) -> None:
    """HTML Standard 4.8.4.3.10: a comma behind a URL or its descriptors ends a candidate, but none in parentheses."""
    assert [url for _, url in urls_in(read(f'<img srcset="{srcset}">'))] == urls


@pytest.mark.parametrize(
    ("content", "urls"),
    [
        ("0; http://a/", ["http://a/"]),
        ("0,http://a/", ["http://a/"]),
        ("1.5 http://a/", ["http://a/"]),
        ("0;url=http://a/'b", ["http://a/'b"]),
        ("0; Url = 'http://a/' and more", ["http://a/"]),
        ("0; &quot;http://a/'b&quot;", ["http://a/'b"]),
        ("url=http://a/", ["http://a/"]),  # without a time it leads nowhere today, but old browsers followed it
        ("0;url=", []),
        ("0", []),
        ("http://a/", []),
    ],
)
def test_the_url_of_a_refresh(content: str, urls: list[str]) -> None:
    """HTML Standard 4.2.5.3: the name before the URL may be left out."""
    assert [url for _, url in urls_in(read(f'<meta http-equiv=refresh content="{content}">'))] == urls


@pytest.mark.parametrize(("tag", "name"), [(t, n) for t, names in URL_ATTRIBUTES.items() for n in names])
def test_every_attribute_of_the_table(tag: str, name: str) -> None:
    """Each row of the table finds its URL where the element may stand."""
    content = "0; url=http://a/" if tag == "meta" else "http://a/"
    element = f'<{tag} http-equiv=refresh {name}="{content}">'
    around = {"tr": "<table>{}", "td": "<table><tr>{}", "th": "<table><tr>{}", "frame": "<frameset>{}"}
    page = read(around.get(tag, "{}").format(element))
    assert (page.text, urls_in(page)) == ("", [(f"{tag}@{name}", "http://a/")])


@pytest.mark.parametrize(
    ("html", "labels"),
    [
        ("<a href=http://a/>the <b>whole</b>\n\tstory</a> or not", ["the whole story"]),
        ("<a href=http://a/>  one&nbsp;&amp; two </a>", ["one & two"]),
        ("<a href=http://a/></a>text", [""]),
        ("<a href=http://a/><img src=http://b/ alt=x></a>", ["", None]),
        ("<a href=http://a/ ping=http://b/>x</a>", ["x", "x"]),
        ("<a href=http://a/><div>A</div><div>B</div>C<br>D</a>", ["A B C D"]),
        ("<table><tr><td><a href=http://a/>A<td>B</a></table>", ["A B"]),
        ("<a href=http://a/>one<a href=http://b/>two</a>three", ["one", "two"]),
        ("<a href=http://a/>one <img src=http://c/>never ended", ["one never ended", None]),
        ("<a name=here>no link</a><a href=http://a/>a link</a></a>", ["a link"]),
        ("<a href=http://a/>seen<script>no</script><!-- no --><template>no</template></a>", ["seen"]),
        ("<a href=http://a/><pre>a\n  b</pre></a>", ["a b"]),
        ("<base href=http://a/><a href=b>relative</a>", [None, "relative"]),
        ("<a href=javascript:x>none</a><a href=http://a/>one</a>", ["one"]),
        ("<area href=http://a/>text", [None]),
        ("<svg><a xlink:href=http://a/><text>drawn</text></a></svg>", ["drawn"]),
    ],
)
def test_labels(html: str, labels: list[str | None]) -> None:
    """The text that a reader clicks on, with single spaces; only an `<a>` has some."""
    assert [link.label for link in read(html).links] == labels


@pytest.mark.parametrize(("size", "label"), [(5, "aaaaa"), (6, "aaaa…"), (100_000, "aaaa…")])
def test_a_label_is_bounded(size: int, label: str) -> None:
    """What is cut says so, in however many pieces the text comes."""
    for text in ("a" * size, "a<b>" * size):
        (link,) = read(f"<a href=http://a/>{text}</a>", Bounds(label=5)).links
        assert link.label == label


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<a href=http://a/>one</a><br><a href=http://b/>two</a>", [1, 2]),
        ("\n\n<p>one<p>three <a href=http://a/>x</a>", [3]),
        ("<pre>1\n2\n<a href=http://a/>3</a>\n</pre><a href=http://b/>5</a>", [3, 5]),
        ("<table background=http://a/><tr><td>one<tr><td background=http://b/>two</table>", [1, 3]),
        ("text<p><br><img src=http://a/>", [1]),
        ("<img src=http://a/>", [1]),
    ],
)
def test_a_link_has_the_line_of_the_text_in_which_it_stands(html: str, lines: list[int]) -> None:
    """Counted in the visible text; behind all text it is the last line."""
    page = read(html)
    assert [link.line for link in page.links] == lines
    assert all(1 <= link.line <= page.text.count("\n") + 1 for link in page.links)


@pytest.mark.parametrize(
    "html", ["<ul><li>{}</li><li>{}", "<table><tr><td>{}<tr><td>{}", "<dl><dt>{}<dd>{}", "<select><option>{}<option>{}"]
)
def test_no_url_goes_on_in_the_next_item_of_a_list_or_row_of_a_table(html: str) -> None:
    """No program breaks a line there."""
    page = f"Content-Type: text/html\n\n{html}"
    url = "http://www.example.org/documents/archive/1998/reports/"
    found = extract_message(page.format(url, "annual-summary/index.html").encode())
    assert [each.finding.url for each in found] == [url]


def test_each_label_takes_as_much_as_the_first() -> None:
    """One character more than it may have, however small the pieces are: so it shows that it was cut."""
    links = Links(Bounds(label=10))
    for n in range(2):
        links.add("a", f"href=http://a/{n}", 1)
        taken = 0
        while links.labelled and taken < 20:
            links.label("x")
            taken += 1
        links.end_label()
        assert taken == 11
    assert [link.label for link in links.absolute(1, 0)] == ["xxxxxxxxx…"] * 2


def test_a_base_too_long_is_no_base() -> None:
    """Relative links are left out rather than multiplied."""
    base = "http://" + "a" * DEFAULT.base + "/"
    assert read(f'<base href="{base}"><a href="b">') == Page("", (Link("base@href", base),))


def test_a_base_does_not_make_links_much_longer_than_their_page() -> None:
    """Tiny links would take hundreds of times as long. They are left out, and the page says so."""
    base = "http://a.example/" + "b" * 200 + "/"
    page = f"<base href={base}>" + "<a href=c>" * 2_000
    assert read(page) == Page("", (Link("base@href", base),), overlong=True)
    assert len(read(page + " " * 100_000).links) == 2_001
    assert not read(page.replace("=c", "=http://c.example/")).overlong
    assert len(read(page, Bounds(based=25)).links) == 2_001


def test_the_bases_of_many_small_pages_add_little() -> None:
    """A message may have a page in each part, so a small page has hardly more room than others of its length."""
    page = f'<base href="http://a.example/{"b" * 220}/">{"<a href=c>" * 20}'
    assert read(page).overlong
    assert not read(page[: -10 * 11]).overlong
    usual = f'<base href="http://a.example/{"b" * 60}/">{"<a href=/c>d</a>" * 40}'
    assert len(read(usual).links) == 41


def test_links_beyond_the_bound_are_left_out() -> None:
    """Those before them are there, and so is the text behind them; the page says that there are more."""
    source = "<a href=http://a/></a><img src=http://b/ longdesc=http://c/>end"
    links = (Link("a@href", "http://a/", 1, ""), Link("img@src", "http://b/"), Link("img@longdesc", "http://c/"))
    for bound in (1, 2):
        assert read(source, Bounds(links=bound)) == Page("end", links[:bound], more=True)
    assert read(source, Bounds(links=3)) == Page("end", links)


@pytest.mark.parametrize(
    ("element", "urls"),
    [
        ("<a ping='http://a/ \n http://b/,c'>", ["http://a/", "http://b/,c"]),
        ("<applet archive='http://a/,http://b/ , http://c/'>", ["http://a/", "http://b/", "http://c/"]),
        ("<object archive='http://a/ http://b/'>", ["http://a/", "http://b/"]),
        ("<amp-img src='http://a/' srcset='http://b/ 2x'><amp-list src='http://c/'>", ["http://a/", "http://b/", "http://c/"]),
        ("<amp-anim src='http://a/'><form method=post action-xhr='http://b/'>", ["http://a/", "http://b/"]),
        ("<amp-state src='http://a/'><form verify-xhr='http://b/'>", ["http://a/", "http://b/"]),
        ("<amp-autocomplete src='http://a/'>", ["http://a/"]),
        ("<link imagesrcset='http://a/ 2x, http://b/ 3x'>", ["http://a/", "http://b/"]),
        ("<svg><a xlink:href='http://a/'><image xlink:href='http://b/' /><use href='#c'/></a></svg>", ["http://a/", "http://b/"]),
        ("<object classid='clsid:1-2' data='http://a/'>", ["http://a/"]),
        ("<html xmlns='http://a/' manifest='http://b/'><head profile='http://c/'>", ["http://b/", "http://c/"]),
    ],
)  # fmt: skip
def test_lists_of_links_and_links_of_other_standards(element: str, urls: list[str]) -> None:
    """HTML Standard 4.6.2 (ping), HTML 4.01 13.3-4 (archive), SVG 2 16.1; names that lead nowhere are none."""
    assert [url for _, url in urls_in(read(element))] == urls


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param("<a " + " ".join(f"a{i}" for i in range(10_000)) + " href='http://h.example/'>", id="attributes"),
        pytest.param("<div>" * 20_000 + "<a href='http://h.example/'>", id="deep"),
        pytest.param("".join(f"<p><b id={i}>" for i in range(5_000)) + "<a href='http://h.example/'>", id="formatting"),
    ],
)
def test_what_is_costly_to_a_tree_is_read_like_any_page(hostile: str) -> None:
    """Text and links of it and around it."""
    page = read(f"<p>before {hostile} after")
    assert urls_in(page) == [("a@href", "http://h.example/")]
    assert page.text.split()[0] == "before"
    assert page.text.split()[-1] == "after"


@given(st.lists(st.sampled_from("abc éß&").filter(str.strip), min_size=1).map("".join))
def test_text_comes_back(text: str) -> None:
    """Escaped text between inline elements is read as it was written."""
    html = "<b></b>".join(c.replace("&", "&amp;") for c in text)
    assert read(html) == Page(text, ())


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a <http://h.example/?b=1&amp;c=2> d", "a <http://h.example/?b=1&c=2> d"),
        ("a <http://h.example/?b=1&copy=2&lt=3>", "a <http://h.example/?b=1&copy=2&lt=3>"),
        ("a <URL:ftp://h.example/b> c", "a <URL:ftp://h.example/b> c"),
        ("a <mailto:ann@h.example> c <news:1@h.example>", "a <mailto:ann@h.example> c <news:1@h.example>"),
        ("a <https://h.example/b\nc> d", "a <https://h.example/b\nc> d"),
        *(
            (f"a <{url}> b", f"a <{url}> b")
            for url in ("gopher://h.example/", "url:ldap://h/o=x", "URL:news:a.b", "http://[::1]/", "file:///b")
        ),
        ("a <URL: http://h.example/b\nc>", "a <URL: http://h.example/b\nc>"),
        ("a <URL:b> <gopher:c>", "a  "),
        ("a <HTTP://H.example>b", "a <HTTP://H.example>b"),
        (
            "a<o:p>b</o:p> <news:title>c</news:title> <news:publication_date>d</news:publication_date> <mailto:>e",
            "ab c d e",
        ),
        ("a<geo:lat>b</geo:lat> <tel:type>c</tel:type> <urn:a>d <sip:a>e <magnet:a>f <cid:a>g", "ab c d e f g"),
        *(
            (f"a <{url}> c", f"a <{url}> c")
            for url in (
                *(
                    "news:comp.lang.c",
                    "news:microsoft.public.win98",
                    "urn:isbn:0451450523",
                    "sip:a@h.example",
                    "sips:a@h.example",
                    "xmpp:a@h.example",
                ),
                *("tel:+1555", "tel:555-1234", "cid:x@h.example", "mid:x@h.example", "magnet:?xt=urn:btih:abc"),
            )
        ),
        ("a</http://h.example/>b<http:>c</http:>", "abc"),
    ],
)
def test_a_url_in_angle_brackets_is_text(html: str, text: str) -> None:
    """Whoever made HTML of it forgot to escape the brackets. Names with a prefix are tags of other namespaces."""
    assert "".join(text for _, _, _, text in tokens(html)) == text


SIGNS = ["<", ">", "</", "/", "!", "--", "-->", "<!--", "?", "=", "'", '"', " ", "\n", "&", "&amp;", "&copy", "#", ";"]
TAGS = [
    "<!--",
    "-->",
    "<b>",
    "</b>",
    "<br>",
    "<div ",
    "<a ",
    "<title>",
    "</title>",
    "<script>",
    "</script>",
    "<style",
    "<xmp>",
]
EMPTY_ELEMENT = re.compile(r"<(?:script|style|title|xmp)[^>]*/>", re.IGNORECASE)
UNCLOSED_COMMENT = re.compile(r"<!--(?!.*--!?>)", re.DOTALL)
SOUP = st.lists(st.sampled_from([*SIGNS, *TAGS, "href=", "a", "1"]), max_size=30).map("".join)


@settings(max_examples=500)
@given(SOUP)
def test_tags_and_texts_are_those_of_a_browsers_parser(html: str) -> None:
    """Of any soup: the same text but for blanks, and the same values of attributes, as in the tree of Lexbor.

    Elements such as `<style/>` are empty only here: they are those of XHTML. A comment that is never closed ends at an
    angle only here: it is of an old page.
    """
    assume(EMPTY_ELEMENT.search(html) is None and UNCLOSED_COMMENT.search(html) is None)
    html = f"<body>{html}"
    root = LexborHTMLParser(html).root
    assert root is not None
    texts, values = [], []
    for node in root.traverse(include_text=True):
        if node.tag == "-text" and not {"script", "style", "title"} & {node.parent.tag if node.parent else None}:
            texts.append(node.text_content or "")
        elif node.tag == "a":
            values += [node.attributes.get("href") or ""]
    seen = list(tokens(html))
    shown = "".join(text for step, tag, _, text in seen if step <= 0 or tag not in {"script", "style", "title"})
    links = [attributes_of(written, ["href"]) for step, tag, written, _ in seen if step > 0 and tag == "a"]
    assert "".join(shown.split()) == "".join("".join(texts).split())
    # Where tags are misnested, a tree has an element twice.
    assert {link.get("href", "") for link in links} - {""} == set(values) - {""}


@pytest.mark.parametrize(
    ("written", "href"),
    [
        (' title="href=a:b" href=c:d', "c:d"),
        (" title='href=\"a:b\"' href=c:d", "c:d"),
        (" hrefs=a:b href=c:d", "c:d"),
        (" xhref=a:b href=c:d", "c:d"),
        (" =href=a:b href=c:d", "c:d"),
        (" x=href=a:b href=c:d", "c:d"),
        (" x= href=a:b href=c:d", "c:d"),
        (" HREF=c:d href=e:f", "c:d"),
        (" href href=c:d", ""),
        (' x="1"href=c:d', "c:d"),
        (" x/href=c:d", "c:d"),
        (" title=href", None),
    ],
)
def test_an_attribute_is_found_behind_others(written: str, href: str | None) -> None:
    """Not where its name stands in another name or value: as by a browser's parser."""
    html = f"<a{written}>"
    root = LexborHTMLParser(html).root
    assert root is not None
    (link,) = root.css("a")
    found = attributes_of(written, ["href"])
    assert found.get("href") == href == (link.attributes["href"] or "" if "href" in link.attributes else None)


def test_the_name_of_an_attribute_is_ascii() -> None:
    """Letters of other alphabets whose other case is ASCII are not that letter (HTML Standard 13.2.5.33)."""
    assert attributes_of(" \u017frc=a:b SRC=c:d lin\u212a=e:f", ["src", "link"]) == {"src": "c:d"}


def test_references_to_controls_are_read_as_by_a_browsers_parser() -> None:
    """They are errors (HTML Standard 13.2.5.80), but mean what they say."""
    numbers = (*range(1, 0xA0), 0x1F0, 0x7F0, 0x110)
    # The last form is a reference to 0, and a text behind it.
    forms = ("&#{:d};", "&#{:03d}", "&#{:d}x", "&#x{:x};", "&#X0{:X};", "&#x{:X}z", "&#0x{:x};")
    for reference in (form.format(number) for number in numbers for form in forms):
        html = f"<pre>a{reference}b</pre><a href='a:{reference}b'>"
        root = LexborHTMLParser(html).root
        assert root is not None
        (pre,), (link,) = root.css("pre"), root.css("a")
        found = {tag: (written, text) for step, tag, written, text in tokens(html) if step > 0}
        assert found["pre"][1] == pre.text(), reference
        assert attributes_of(found["a"][0], ["href"]) == link.attributes, reference
    assert read("http://a.example/&#1;b").text == "http://a.example/\1b"


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("<svg><style/></svg>", "x"),
        ("<svg><title/></svg>", "x"),
        ('<script src="a:b"/>', "x"),
        ("<script />", "x"),
        ("<script/>", "x"),
        ("<SCRIPT src='a:b' />", "x"),
        ("<style>a</style>", "x"),
        ("<style>a/></style>", "x"),
        ("<script src=a:b/>seen by no browser</script>", "x"),
    ],
)
def test_an_empty_element_hides_nothing(before: str, text: str) -> None:
    """In XHTML and in SVG, elements of scripts, styles and titles may be empty; links behind them are not lost."""
    page = read(f"{before}<a href=http://a.example/>x</a>")
    assert page.text == text
    assert ("a@href", "http://a.example/") in urls_in(page)


@pytest.mark.parametrize(
    "hidden",
    [
        "<!-- '<script src=a></script>', '<a href=http://no.example/>' //-->",
        "<!-- '<SCRIPT></Script >' - '<script></script>', '<a href=http://no.example/>' -->",
        "<!-- '<script>' --> '<scripts>', '<a href=http://no.example/>'",
        "<!-- '<scripts>' '<a href=http://no.example/>'",
        "<!--> '<script>' '<a href=http://no.example/>'",
        "'<script>' '<a href=http://no.example/>'",
    ],
)
def test_a_script_that_writes_a_script(hidden: str) -> None:
    """HTML Standard 13.2.5.18-31: in a script, a script behind "<!--" ends with an end tag of its own."""
    page = f"<script>{hidden}</script><a href=http://a.example/>x</a>"
    assert read(page).text == "x"
    assert urls_in(read(page)) == [("a@href", "http://a.example/")]
    assert [node.attributes["href"] for node in LexborHTMLParser(page).css("a")] == ["http://a.example/"]


@pytest.mark.parametrize("element", ["<script/>", "<style />", "<title/>", "<textarea />", "<script src='a:b'/>"])
def test_text_directly_behind_an_empty_element_is_shown(element: str) -> None:
    """What follows the tag is no content of the element, however short it is."""
    assert read(f"before {element}behind &lt; it<b>").text == "before behind < it"
    assert read(f"before{element}\nbehind").text == "before behind"


@pytest.mark.parametrize(
    "declared", ["", "; charset=us-ascii", "; charset=utf-8", "; charset=iso-8859-1", "; charset=x"]
)
@pytest.mark.parametrize(("charset", "word"), [("iso-2022-jp", "\u4f1a\u793e"), ("iso-2022-kr", "\uc149")])
def test_a_page_is_known_by_its_escape_sequences(charset: str, word: str, declared: str) -> None:
    """Read as ASCII, one of its characters would begin a tag, which the link would belong to."""
    page = f'<p>{word}<a href="http://a.example/1">x</a>'.encode(charset)
    assert page.count(b"<") == 4
    meta = b"<!--" + b"-" * 2000 + b'--><meta charset="utf-8">'
    for body in (page, meta + page):
        parts = mail_read(f"Content-Type: text/html{declared}\n\n".encode() + body).parts
        assert [part.text for part in parts] == [f"{word}x", "http://a.example/1"]


def test_no_page_is_in_utf_7_by_its_own_word() -> None:
    """A "+" of a URL would begin a letter. A message may declare it (RFC 2152)."""
    page = b'<meta charset="utf-7"><a href="http://a.example/?q=x+AGE-y">b</a>'
    for declared, url in (("", "?q=x+AGE-y"), ("; charset=utf-7", "?q=xay")):
        parts = mail_read(f"Content-Type: text/html{declared}\n\n".encode() + page).parts
        assert [part.text for part in parts] == ["b", f"http://a.example/{url}"]


def test_a_charset_with_more_escape_sequences_is_told_by_them() -> None:
    """ISO-2022-JP-2 has several sets of characters (RFC 1554)."""
    page = "<p>\u4f1a \u4eec \uc149".encode("iso2022_jp_2")
    assert page.count(b"\x1b$") == 3
    for declared in ("; charset=iso-2022-jp-2", "; charset=utf-8", ""):
        (part,) = mail_read(f"Content-Type: text/html{declared}\n\n".encode() + page).parts
        assert part.text == "\u4f1a \u4eec \uc149"


def test_octets_that_are_not_ascii_are_of_no_charset_with_escape_sequences() -> None:
    """They are of the one that is declared."""
    page = b"<p>\x1b$B \xe9 <a href='http://a.example/'>b</a>"
    assert "\xe9" in mail_read(b"Content-Type: text/html; charset=iso-8859-1\n\n" + page).parts[0].text


def test_a_page_in_an_unknown_charset_with_escape_sequences_is_told() -> None:
    """ISO-2022-CN (RFC 1922): its characters may look like tags."""
    found = mail_read(b"Content-Type: text/html; charset=iso-2022-cn\n\n<p>\x1b$)A\x0eJ1<d\x0f")
    assert found.troubles == ("part 1: charset iso-2022-cn is not known, read as US-ASCII",)
