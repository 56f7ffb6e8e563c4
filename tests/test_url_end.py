"""Where a bare URL ends: each row of the tables by its name, on a text that only it ends so."""

from __future__ import annotations

import pytest

from urlglean import extract
from urlglean.text.confidence import confidence_of
from urlglean.text.glued_text import GLUE_RULES, glued_at
from urlglean.text.scheme_triggers import AROUND
from urlglean.text.url_end import CUT_RULES, TAIL_RULES, end_of

URL = "http://www.example.org/a"
HOLDING = [
    *("view-source", "feed", "blob", "filesystem", "jar", "jdbc", "r2dbc", "scm:git", "scm:svn", "scm:hg", "scm:cvs"),
]
ENDED = {
    "following-url": f"{URL}|;{URL}",
    "url-in-brackets": f"{URL}|[({URL})]",
    "url-behind": f"{URL}|{URL}",
    "url-with-query-behind": f"{URL}|magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a",
    "dash-behind-a-file": f"{URL}.html|--and so",
    "entity": f"{URL}|&gt;x",
    "closing-quote": f"'{URL}|'x",
    "unopened-bracket": f"({URL}|)x",
    "remark-in-brackets": f"{URL}|(of an hour)",
    "word-behind-a-file": f"{URL}.pdf|There",
    "lost-sign": f"?{URL}|?has",
    "lost-signs-between": f"{URL}|?or?{URL}",
    "closing-punctuation": f"{URL}|.",
    "possessive": f"{URL}|'s",
    "emphasis": f"*{URL}|*",
    "ruler": f"{URL}|====",
    "dash": f"{URL}.html|-",
}


@pytest.mark.parametrize("rule", [row.name for row in (*CUT_RULES, *GLUE_RULES, *TAIL_RULES)])
def test_every_row_has_a_text(rule: str) -> None:
    """A row that nothing shows is none that anybody needs."""
    assert rule in ENDED


@pytest.mark.parametrize("rule", ENDED)
def test_a_rule_ends_what_no_other_does(rule: str) -> None:
    """At the bar, by the row of that name and no other."""
    before, behind = ENDED[rule].split("|")
    text, start = before + behind, before.index("http")
    end = end_of(text, start, before[:start])
    assert (end.at, end.cut_by) == (len(before), (rule,))
    assert extract(text)[0].url == before[start:]
    assert extract(text)[0].certainty == "inferred"


@pytest.mark.parametrize("scheme", ["http", "https", "ftp", "gopher", "telnet", "nntp", "news"])
@pytest.mark.parametrize("word", ["x", "7", "x.", "(b)"])
def test_a_scheme_glued_to_a_word_begins_another_url(scheme: str, word: str) -> None:
    """Letters, digits, and what ends a sentence, stand before no value."""
    text = f"{URL}/{word}{scheme}://h.example/"
    assert text[: end_of(text, 0, "").at] == f"{URL}/{word}".rstrip(".")


@pytest.mark.parametrize("sign", ["/", "=", "?", "*", "%3D", "%2f", "+", "@", "~", "_", ":", "s"])
def test_a_url_holds_another_behind_other_signs(sign: str) -> None:
    """As archives, redirectors and proxies write them; `shttp` and `sftp` are schemes of their own."""
    held = f"{URL}?u=sftp://h.example/" if sign == "s" else f"{URL}{sign}http://h.example/"
    assert [found.url for found in extract(held)] == [held]


@pytest.mark.parametrize(
    "glued",
    """a.html|and a.html|The A.PDF|Please a.pdf|I a.txt|Jo a.php|see a.html|,but a.html|;see a.js|,or a.html|:then
    a.html|.The a.pdf|It'd a.docx|Here a.mp3|The a.xhtml|and. b.c/a.gif|Jo a?b=c.pdf|There a.tar.gz|See""".split(),  # noqa: SIM905 - a column of words reads worse
)
def test_a_word_glued_to_a_file_is_prose(glued: str) -> None:
    """A common word, or one that begins a sentence; with it the URL is a rival."""
    file, word = glued.split("|")
    (found,) = extract(f"{URL}/{file}{word} of it")
    assert (found.url, found.certainty) == (f"{URL}/{file}", "inferred")
    assert found.rivals == (f"{URL}/{file}{word}".rstrip("."),)
    # One of the two is right as often as a URL is that something else is glued to.
    assert sum((found.confidence, *found.rival_confidences)) == pytest.approx(confidence_of("bare-unsure"))


@pytest.mark.parametrize(
    "whole",
    """index.html5 page.htmlx a.html/dir foo.jsConfig x.HTMLElement a.html.en a.html.fr a.tar.gz a.tar.gz.Z a.html,v
    a.php?Outsource Dashboard.jspa a.htmlize a.pdfs a#b.htmlPage a.target a.plus a.xmlParser a.html_and a.html-and a.c,b
    a.docs a.gzip a.html,a a.html.A a.html.Fritz a.gzIt a.htmlFAQ""".split(),  # noqa: SIM905 - a column of words reads worse
)
def test_a_name_that_goes_on_is_whole(whole: str) -> None:
    """A longer extension, a second one, a name of code."""
    (found,) = extract(f"{URL}/{whole} of it")
    assert (found.url, found.certainty, found.rivals) == (f"{URL}/{whole}", "plain", ())


@pytest.mark.parametrize("whole", ["Oven_(clay", "f(x)", "?q=(clay", "a.html#bake(bread", "a(b"])
def test_a_bracket_of_the_urls_own_is_no_remark(whole: str) -> None:
    """A name, a value, a call; one that never closes."""
    behind = "" if whole == "a(b" else " oven)"
    assert extract(f"{URL}/{whole}{behind} of it")[0].url == f"{URL}/{whole}"


@pytest.mark.parametrize("host", ["www.example.comThere", "www.example.pdfThere"])
def test_a_host_has_no_extension(host: str) -> None:
    """Its last label is a domain."""
    for text in (f"http://{host} of it", f"http://{host}|of it"):
        assert extract(text)[0].url == f"http://{host}"


def test_hyphens_at_the_end_are_a_ruler_and_no_dash() -> None:
    """Nothing is glued behind them, so that the URL may go on in the next line."""
    assert end_of(f"{URL}.html--\n", 0, "").cut_by == ("ruler",)


def test_every_scheme_that_holds_urls_is_tried() -> None:
    """Below."""
    assert set(AROUND) == set(HOLDING)


@pytest.mark.parametrize("around", HOLDING)
@pytest.mark.parametrize("frame", ["so {} is", "<{}>", '"{}"', "({}).", "URL:{} is"])
def test_a_scheme_that_holds_urls_is_part_of_one(around: str, frame: str) -> None:
    """What stands right before the inner scheme decides."""
    url = f"{around}:http://h.example/a"
    assert [found.url for found in extract(frame.format(url))] == [url]


@pytest.mark.parametrize("before", ["fnord:", "xfeed:", "/go?u=", "&u="])
def test_what_else_stands_before_a_scheme_leaves_its_beginning_in_doubt(before: str) -> None:
    """A scheme that nobody knows to hold URLs, and a search whose own URL is not there."""
    for url in (URL, "urn:isbn:0451450523"):
        (found,) = extract(f"so {before}{url} is")
        assert (found.url, found.certainty) == (url, "inferred")


@pytest.mark.parametrize("before", ["See:", "href=", "at "])
def test_a_label_before_a_scheme_does_not(before: str) -> None:
    """Nor a setting."""
    (found,) = extract(f"so {before}{URL} is")
    assert (found.url, found.certainty) == (URL, "plain")


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (f"?{URL}?has", URL),
        (f"???{URL}???has", URL),
        (f"(?{URL}?and?)", URL),
        (f"?{URL}?b=c?and", f"{URL}?b=c"),
        (f"?{URL}?", URL),
        (f"?{URL}?b=c", f"{URL}?b=c"),
        (f"?{URL}?b7", f"{URL}?b7"),
        (f"why?{URL}?page", f"{URL}?page"),
        (f"{URL}?page", f"{URL}?page"),
    ],
)
def test_a_question_mark_stands_for_a_lost_sign_at_both_ends(text: str, url: str) -> None:
    """Only where one stands in front, by itself, and what follows the other is no search."""
    assert [found.url for found in extract(f"so {text} in")] == [url]


@pytest.mark.parametrize(
    ("text", "url", "certainty"),
    [
        (f'<{URL}/"> in', f"{URL}/", "inferred"),
        (f'<URL:{URL}/"> in', f"{URL}/", "inferred"),
        (f'<{URL}/" target="_top"> in', f"{URL}/", "inferred"),
        (f'xmlns=\\"{URL}\\" in', URL, "inferred"),
        (f'"{URL}\\n" in', URL, "inferred"),
        ("<tel:+1%20617%20253> in", "tel:+1%20617%20253", "stated"),
        (f'<{URL}/> "in"', f"{URL}/", "stated"),
        (f'"{URL}" in', URL, "stated"),
    ],
)
def test_what_escapes_or_attributes_left_is_none_of_the_url(text: str, url: str, certainty: str) -> None:
    """Quotation marks and backslashes frame URLs of code and of HTML."""
    (found,) = extract(text)
    assert (found.url, found.certainty) == (url, certainty)


@pytest.mark.parametrize("text", ["tel:%20%20%20 in", "Tel:+1%20617", "hotel:+1%206 in"])
def test_others_are_no_urls(text: str) -> None:
    """Labels, and what only ends like one."""
    assert extract(text) == []


@pytest.mark.parametrize("first", ["news:a1@b.example", "news:comp.ovens", "mailto:jo7@b.example"])
def test_a_name_with_an_at_sign_below_is_no_rest(first: str) -> None:
    """Where nothing lacks one."""
    assert extract(f"so {first}\n@c7 has it")[0].url == first


def test_a_remark_in_brackets_is_no_rival() -> None:
    """Its words go on behind the run: nobody reads them as the URL's own."""
    (found,) = extract(f"so {URL}(of an hour) in")
    assert (found.url, found.rivals) == (URL, ())


@pytest.mark.parametrize(
    ("run", "below", "is_remark"),
    [("(of", "an hour)", True), ("/(of", "an hour)", False), ("(of7", "an hour)", False), ("(of", "an hour", False)],
)
def test_a_bracket_over_a_line_end_holds_words_of_prose(run: str, below: str, *, is_remark: bool) -> None:
    """It stands right behind a word, has a word behind it, and closes in the line below."""
    found = glued_at(f"{URL}{run}\n{below} in", 0, len(URL + run))
    assert (found and found.at) == (len(URL) if is_remark else None)


def test_a_bracket_before_the_url_opens_no_remark_in_it() -> None:
    """Nor does one of the URL's own that closes there."""
    assert [found.url for found in extract(f"[so {URL}(b) of it]")] == [f"{URL}(b)"]


@pytest.mark.parametrize("sign", "-=_*~#+")
def test_a_wrapper_that_holds_a_ruler_alone_holds_no_url(sign: str) -> None:
    """There is nothing before the ruler at which to stop."""
    assert extract(f"<URL:{sign * 4}\nx>") == []
