"""The fast path may miss a URL, but it must not read one differently from the plain path."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simulator
from urlglean import Finding, extract, validate
from urlglean.grammar.schemes import FAST
from urlglean.records import LEVELS, Flowed, Joins, Span
from urlglean.text import fast_path
from urlglean.text.candidates import Found
from urlglean.text.scanner import scan_text
from urlglean.text.whole import read_whole

CORPUS = Path(__file__).parent.parent / "corpus" / "texts"

_SIGNS = """
    http:// https:// ftp:// foo:// HTTP:// http: mailto: mailto:// MAILTO: news: URL: <URL: <url:
    a.example h-1.example.com -a.b.example a--b.ex 1.2.3.4 a.b.c [::1] user@ user:pw@ jo@ jo.b+c@a.example
    :80 : / /a /a/b.html .h .ht .g tm if ?x=1 ?subject=x ? &y=2 &gt; &lt &#60; #f # %41 %4 % ~ _ . , ,b ; ) ( ] [ ' "
    .html .pdf .gz .tar .html! .html,but .PDF .js The There I It and --or .The ,v
    * < > | ! $ + = @ é 例 - -> -- ==== s 's and so, word word: 7 </a> <b> <host> {x}
    """.split()  # noqa: SIM905 - a column of words reads worse
_WHITE = [" ", "  ", "\n", "\r\n", "\n\n", "\t", "> ", "| ", "- ", "\n> and so ", "\nif we ", " \nor a", "\ntext is "]
_QUOTED = ["\nTBL> ", "\nTBL>", "TBL> ", "tbl>", "\nGuido> and so ", "\n: ", "\n:", "\n» ", "\n|> ", "\n||||||||"]
_BELOW = [
    "\n1,http://b.example/c,d",
    "\nid,url,title",
    "\n15. b",
    "\n[2] c",
    "\n> Date: d",
    "\nA: e",
    "\nhttp://b.example",
    "\n----\n",
    "\n- f",
    "\n| g",
    "\n| if h",
]
PIECE_LIST = [*_SIGNS, *_WHITE, *_QUOTED, *_BELOW, "a" * 63]
URL_LIST = """
    http://a.example/ https://a.example/b/c.html ftp://a.example/x.h http://a.example/b?c=d&e=f;g,h http://www.a
    http://a.example mailto:jo@a.example mailto:jo@a.example?subject=x%20y&body= http://a.example/%41 http://a.example/b-
    http://a.example/b= http://a.example/b* http://a.example/b# http://a.example/==== git://a.example/b.git
    http://a.example:80 http://a.html:80/b-c http://a.example/b-c.html-d http://a.example/b*c!d http://a.example/b--c-
    """.split()  # noqa: SIM905
PIECES, URLS = st.sampled_from(PIECE_LIST), st.sampled_from(URL_LIST)


def both(
    text: str, monkeypatch: pytest.MonkeyPatch, joins: Joins = "likely", flowed: Flowed = ""
) -> tuple[list[Finding], list[Finding]]:
    """The findings with the fast path and without."""
    fast = extract(text, joins=joins, flowed=flowed)
    with monkeypatch.context() as patch:
        patch.setattr(fast_path, "DIALECTS", frozenset())
        return fast, extract(text, joins=joins, flowed=flowed)


@settings(max_examples=1000)
@given(st.lists(PIECES, max_size=30).map("".join))
def test_the_fast_path_reads_what_the_plain_path_reads(text: str) -> None:
    """The findings of any text of URL pieces, signs and white space are the same."""
    with pytest.MonkeyPatch.context() as patch:
        fast, slow = both(text, patch)
    assert fast == slow


@settings(max_examples=1000)
@given(
    st.lists(st.tuples(PIECES, URLS, st.lists(PIECES, max_size=3).map("".join)), min_size=1, max_size=5),
    st.sampled_from(LEVELS),
    st.sampled_from(["", "flowed", "delsp"]),
)
def test_the_fast_path_reads_urls_alike_whatever_is_around_them(
    places: list[tuple[str, str, str]], joins: Joins, flowed: Flowed
) -> None:
    """The findings of whole URLs, some repeated, with signs and line ends on both sides, are the same."""
    text = "".join(before + url + after for before, url, after in places)
    with pytest.MonkeyPatch.context() as patch:
        fast, slow = both(text, patch, joins, flowed)
    assert fast == slow


@settings(max_examples=1000)
@given(
    st.lists(PIECES, max_size=12).map("".join),
    st.sampled_from(
        [
            "http://",
            "https://a.example/",
            "http://a.b:1/?",
            "",
            "mailto:",
            "mailto:jo.d-e@a.example",
            "mailto:a@b.c?to=",
        ]
    ),
)
def test_the_fast_path_judges_whole_values_as_the_judge_does(text: str, before: str) -> None:
    """The verdicts on attribute values made of the same pieces are the same."""
    fast = read_whole(before + text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_path, "DIALECTS", frozenset())
        assert fast == read_whole(before + text)


@pytest.mark.parametrize("url", ["http://a.example/b?c=(d)#e", "mailto:jo.doe@a.example", "mailto:a@b.c?subject=d%20e"])
def test_links_take_the_fast_path(url: str) -> None:
    """Those of a web page and of a mailbox, with all their parts, do."""
    assert fast_path.is_url(url)


def test_the_fast_path_agrees_on_the_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """The findings of every marked text are the same."""
    for path in sorted(CORPUS.glob("*.txt")):
        fast, slow = both(path.read_bytes().decode("utf-8", "surrogateescape"), monkeypatch)
        assert fast == slow, path.name


@pytest.mark.parametrize("kind", simulator.KINDS)
def test_the_fast_path_agrees_on_simulated_mail(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The findings are the same for each way of breaking URLs, and for unbroken ones."""
    for case in simulator.cases(kind, 150, seed=30):
        fast, slow = both(case.text, monkeypatch)
        assert fast == slow


LOOK_ALIKES = {
    "goes-on-like-one-elsewhere": "http://a.example/b\nif we\n\nhttp://a.example/bif x",
    "goes-on-behind-a-stop-like-one-elsewhere": "http://a.example/b.\nif we\n\nhttp://a.example/b.if x",
    "soft-flowed-line": "see http://a.example/b \nor a\n",
    "cut-host-in-full-line": f"{'x ' * 30} http://www.a.\ncom and",
    "cut-search-in-full-line": f"{'x' * 58} http://a.example/b?\nif we",
    "cut-extension-in-full-line": f"{'x ' * 25} http://a.example/b/a.ht\nml and",
    "cut-second-extension-in-full-line": f"{'x ' * 25} http://a.example/a.tar.g\nz and",
    "longer-than-a-word": f"{'word ' * 11}http://a.example/bcd\n{'a' * 33} we",
    "closing-mark-opens-no-other": '"http://a.example/"http://d.example/" x',
    "mailto-with-a-host": "see mailto://www.example.org/b and <URL:mailto://www.example.org/b>",
    "prefix-behind-another-scheme": "foo://a/URL: http://b.example/ x",
    "sign-before-odd-blanks": "<\xa0\nhttp://b.example/ x <\x0chttp://c.example/ y",
    "no-ruler-behind-marks": "- - http://www.example.com/".ljust(76, "a") + "\n--=_\n",
    "no-label-behind-initials": "Jo» : http://www.example.com/".ljust(76, "a") + "\nJo»: rest/of.html?x=1\n",
    "entity-in-any-case": "http://a.example/b&Gt; and http://a.example/b&nBSp;c and",
    "word-behind-a-file": "http://a.example/b.htmlThe c http://a.example/b.htmland c http://a.example/b.pdfI c",
    "word-too-short": "http://a.example/b.gzIt c http://a.example/b.html.A c http://a.example/b.html.Jo c",
    "word-behind-a-host": "http://www.a.pdfThere c http://www.a.htmlI c",
    "word-behind-a-stop": "http://a.example/b.html,but c http://a.example/b.html.The c http://a.example/b.gz;so c",
    "dash-behind-a-file": "http://a.example/b.html--and c http://a.example/b.shtml--and c",
    "dash-behind-what-looks-like-a-file": "http://www.pl--a.example/ b mailto:jo@a.example?subject=b.html--c d",
    "soft-break-behind-a-search": "caf=C3=A9 http://a.example/b?c=\n\nand http://a.example/b?c=\nd and",
    "ruler-behind-a-path": "http://a.example/b/____ c http://a.example/b?==== c http://a.example/b/~~~~, c",
    "no-command-behind-a-blank": "$ curl http://a.example/b; ls -l",
    "cell-behind-a-blank": "http://a.example/b, c\nhttp://a.example/d,e\n",
    "bracket-within-a-destination": "[a](http://a.example/x]y) b (http://a.example/x)y c http://a.example/x]/y",
    "below-an-angle": ": see <\n: http://a.example/b> c\ndnl see <\r\ndnl http://a.example/b> c",
    "below-an-angle-under-a-long-margin": "".join(
        f"{margin}see <\n{margin}http://a.example/b/\n{margin}c> d\n{margin}e\n\n"
        for margin in (
            "            : ",
            "> > > > > > : ",
            ": " * 7,
            "│ " * 7,
            "        dnl ",
            "            • ",
            "> " * 30,
        )
    ),
    "last-cell-empty": "1,http://a.example/b,\n2,http://a.example/d,\n",
    "second-fragment": "http://a.example/b#c#d e http://a.example/b?c?d#e?f g http://a.example/b#c?d#e f",
    "long-local-part": f"mailto:{'a' * 251}@a.example or mailto:{'b' * 250}@a.example or",
}


@pytest.mark.parametrize("text", LOOK_ALIKES.values(), ids=LOOK_ALIKES)
@pytest.mark.parametrize("flowed", ["", "flowed", "delsp"])
def test_the_fast_path_leaves_doubtful_urls(text: str, flowed: Flowed, monkeypatch: pytest.MonkeyPatch) -> None:
    """These URLs look plain at first sight, but are not."""
    fast, slow = both(text, monkeypatch, flowed=flowed)
    assert fast == slow


EXAMPLES = {
    "blank": ["see {}, and", "see {}.\n\nAnd", "URL: {} and", "TBL> {}.\nTBL>\nTBL> and"],
    "angle": ["<{}>", "<URL:{}>", "<URL: {}>", "so {}> and"],
    "quote": ['"{}"', 'so {}" and'],
    "bracket": ["({}) so", "[{}] so", "({}.) so"],
    "url-below": ["{}\nhttp://b.example/", "> {}.\n> http://b.example/", "JvD> {}\nJvD> http://b.example/"],
    "end-tag": [">{}</a>", "so {}<!-- b -->"],
    "line-end": ["{}\nso", "> {} \r\n> so", "see {}.\nSo", "URL: {}\nso"],
}


@pytest.mark.parametrize("row", [row.name for row in fast_path.ENDINGS])
@pytest.mark.parametrize(
    "url",
    [
        *(f"{scheme}://www.example.org/a/b.html?x=1&y=%20#top" for scheme in FAST["host"]),
        *(f"{scheme}:jo@example.org?subject=x" for scheme in FAST["mailbox"]),
        "http://www.example.org/list/7.c.git.e.f@mail.example.com/T/",
        "http://www.example.org:8080/mailman/listinfo/pine-users/2002-August/attachment-0001.gif",
        "http://www.example.org/list/?series=86*&archive=b!c-d#e-f",
        *(f"http://www.example.org/?q{sign}" for sign in "#+"),
        "http://www.example.org/a?b=c?d",
    ],
)
def test_the_fast_path_is_taken(url: str, row: str) -> None:
    """In the surroundings of most URLs in mail, the fast path finds them, and they are valid."""
    for text in EXAMPLES[row]:
        found = next(iter(scan_text(text.format(url), fast=True)))
        assert isinstance(found, Found), text
        assert found.certainty, text
        assert found.of(text.format(url)) == url
    assert validate(url).valid


def test_a_search_without_a_value_takes_the_fast_path_within_its_line() -> None:
    """At the end of a line, its "=" may be a soft break of quoted-printable (RFC 2045 6.7)."""
    url = "http://www.example.org/?q="
    assert list(scan_text(f"see {url} and", fast=True)) == [Span(4, 4 + len(url))]
    for text in ("{}\n\nand", "{}\nand", "{}\nhttp://b.example/"):
        found = next(iter(scan_text(text.format(url), fast=True)))
        assert isinstance(found, Found)
        assert found.certainty is None


def test_most_urls_come_as_spans() -> None:
    """A URL between blanks comes as its span alone, because nothing else is to be said about it."""
    (span,) = scan_text("See http://www.example.org/ and more.", fast=True)
    assert isinstance(span, Span)


@pytest.mark.parametrize("before", ["\x1b", "\x1b ", "\x1b    ", '\x1b["', "\x1b[", "\x1b("])
def test_a_scheme_keeps_its_letter_behind_an_escape_character(before: str) -> None:
    """What looks like an escape sequence ends before the scheme, on both paths."""
    text = f"{before}http://a.example/b and mailto:jo@a.example"
    for fast in (True, False):
        spans = [found.span if isinstance(found, Found) else found for found in scan_text(text, fast=fast)]
        assert [text[span.start : span.end] for span in spans] == ["http://a.example/b", "mailto:jo@a.example"]
