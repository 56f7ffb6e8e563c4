"""Remarks behind a URL in its wrapper, and words before it."""

from __future__ import annotations

import pytest

from urlglean import extract


@pytest.mark.parametrize(
    "remark",
    [
        " ({})",
        " [{}]",
        " - see {}",
        ", mirrored at {}",
        " oder {}",
        " = ({})",
        *(
            f" {words} {{}}"
            for words in (
                "i.e.",
                "a.k.a.:",
                "and/or",
                "TCP/IP page:",
                "Win95/NT:",
                "(v2.0)",
                "- 2.0.1 -",
                "a b/c d.e",
                "Ann's page",
                "Q&A",
                "OS/2",
                "10/12/98",
                "no.5",
                "//",
                "1998-99",
                "1,000",
                "12:30",
                "don't",
                "e-mail: home-page",
            )
        ),
        " ... {}",
        " [mirror {}]",
        "\n({})",
        "\n(also at {})",
    ],
)
@pytest.mark.parametrize("prefix", ["", "URL:"])
def test_another_url_behind_a_blank_or_in_brackets_shows_a_remark(remark: str, prefix: str) -> None:
    """The first one ends at the blank, and both are found."""
    urls = ["http://a.example/x", "http://b.example/y"]
    text = f"See <{prefix}{urls[0]}{remark.format(urls[1])}>.\n"
    assert [found.url for found in extract(text)] == urls


@pytest.mark.parametrize(
    "remark",
    [
        *(" -- page", " --- 12 May", " – page", " — page", " - home page", "\n- home page"),
        *("\n(section 2)", "\n(in German)", "\n[3 MB]", "\nhome page"),
    ],
)
@pytest.mark.parametrize("prefix", ["", "URL:"])
def test_words_behind_a_dash_or_below_the_url_are_a_remark(remark: str, prefix: str) -> None:
    """No blank stands within the rest of a URL that a line end broke."""
    (found,) = extract(f"See <{prefix}http://a.example/x.html{remark}>.\n")
    assert (found.url, found.certainty) == ("http://a.example/x.html", "inferred")


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("x -page", "x-page"),
        ("x\n(2)", "x(2)"),
        ("x\n(2_of_3)/y", "x(2_of_3)/y"),
        ("x\npage of", "xpageof"),
        ("x.html\n?a b", "x.html?ab"),
    ],
)
def test_other_signs_and_one_word_below_are_the_rest_of_the_url(written: str, url: str) -> None:
    """A dash has two blanks, words in brackets hold one, and other words stand below the name of a file."""
    (found,) = extract(f"See <http://a.example/{written}>.\n")
    assert found.url == f"http://a.example/{url}"


@pytest.mark.parametrize("name", ["Jo Doe - My Song.mp3", "doc/10 -- two rules.txt", "a - b c/d"])
def test_behind_a_dash_the_name_of_a_file_may_go_on(name: str) -> None:
    """People write blanks in it, and RFC 1738's appendix takes them out."""
    (found,) = extract(f"See <URL:http://a.example/{name}>.\n")
    assert found.url == f"http://a.example/{name.replace(' ', '')}"


@pytest.mark.parametrize("remark", ["(1998)", "(3 MB)", "(p. 12)", "(PDF)"])
def test_a_number_in_brackets_may_be_a_remark(remark: str) -> None:
    """By RFC 1738 it belongs to the URL; the URL without it is a rival."""
    (found,) = extract(f"See <http://a.example/x {remark}>.\n")
    assert (found.url, found.rivals) == (f"http://a.example/x{remark.replace(' ', '')}", ("http://a.example/x",))


@pytest.mark.parametrize("arrow", ["->", "=>", "-->"])
def test_an_arrow_behind_a_url_closes_its_wrapper(arrow: str) -> None:
    """Its shaft is none of the URL."""
    found = extract(f"Moved: <http://a.example/x {arrow} http://b.example/y>.\n")
    assert [one.url for one in found] == ["http://a.example/x", "http://b.example/y"]


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("http: //a.example/x", "http://a.example/x"),
        ("http:/ /a.example/x", "http://a.example/x"),
        ("http:// a.example/x", "http://a.example/x"),
        ("http://a. example/x", "http://a.example/x"),
        ("http://a.example/x/ y.html", "http://a.example/x/y.html"),
        ("ftp://a.example /x/y", "ftp://a.example/x/y"),
        ("mailto: ann@a.example", "mailto:ann@a.example"),
        ("news: alt.ovens", "news:alt.ovens"),
        ("news: ovens", "news:ovens"),
    ],
)
@pytest.mark.parametrize("remark", [" or {}", ", {}", " (see {})"])
def test_a_blank_within_the_url_stands_before_no_remark(written: str, url: str, remark: str) -> None:
    """Neither behind the scheme nor before a word with a slash or dot within it, where a remark follows further on."""
    later = "http://b.example/"
    found = extract(f"<URL:{written}{remark.format(later)}>")
    assert [one.url for one in found] == [url, later]


@pytest.mark.parametrize("text", ["<{}/web/1999/\n{}>", "<{}/x/\ny>", "<{}/ (y>", "<{}/x\ny>"])
def test_the_rest_of_a_url_is_no_remark(text: str) -> None:
    """No other URL stands behind it."""
    found = extract(text.format("http://a.example", "http://b.example/"))[0]
    assert found.url == text.format("http://a.example", "http://b.example/").translate(
        {ord(sign): "" for sign in "<> \n"}
    )


@pytest.mark.parametrize(
    ("words", "url"),
    [
        *(
            (words, "http://a.example/x")
            for words in (
                *("see ", " the page is at ", "Web: ", " via\t", "URL:", " URL: url:"),
                *("home page - ", "No. 1 ", "e.g. at ", "C++ ", "my page: ", "a " * 30),
            )
        ),
        ("anonymous ftp ", "ftp://a.example/x"),
        ("URL: ", "mailto:a@b.example"),
    ],
)
def test_words_before_the_url_in_its_wrapper_are_none_of_it(words: str, url: str) -> None:
    """A blank may divide a scheme, but behind it no whole one begins."""
    text = f"<URL:{words}{url}>"
    (found,) = extract(text)
    assert (found.url, text[found.span.start : found.span.end], found.certainty) == (url, url, "stated")


@pytest.mark.parametrize(
    ("content", "url"),
    [
        ("ht tp://a.example/x", "http://a.example/x"),
        ("a b://a.example/", "ab://a.example/"),
        ("svn+ http://a.example/x", "svn+http://a.example/x"),
        ("view-source: http://a.example/x", "view-source:http://a.example/x"),
    ],
)
def test_what_a_blank_divides_in_a_wrapper_is_one(content: str, url: str) -> None:
    """No known scheme begins behind the blank."""
    (found,) = extract(f"<URL:{content}>")
    assert found.url == url


@pytest.mark.parametrize("signs", ["()", "[]", "''", "“”"])
def test_the_sign_that_closes_behind_a_bracketed_url_is_none_of_it(signs: str) -> None:
    """The words before it open the bracket."""
    (found,) = extract(f"<URL:foo {signs[0]}see http://a.example/x{signs[1]}>")
    assert (found.url, found.problems) == ("http://a.example/x", ())


@pytest.mark.parametrize("words", ["Ann's page", "it's", "(HTML)", "Web [new]", "'the' page"])
def test_a_bracket_that_closes_before_the_url_opens_no_remark(words: str) -> None:
    """Nor does an apostrophe."""
    (found,) = extract(f"<URL:{words} http://a.example/b\nc>")
    assert (found.url, found.certainty) == ("http://a.example/bc", "stated")


def test_a_host_without_a_scheme_is_no_word_before_a_url() -> None:
    """If such hosts are sought."""
    found = extract("See <URL:www.b.example or http://a.example/x>.\n", bare_hosts=True)
    assert [one.url for one in found] == ["http://www.b.example", "http://a.example/x"]


def test_another_url_in_a_later_line_shows_no_remark_in_this_one() -> None:
    """The URL may have been broken there."""
    urls = [found.url for found in extract("<URL:http://a.example/x y\nz (http://b.example/)>")]
    assert urls == ["http://a.example/xyz", "http://b.example/"]


@pytest.mark.parametrize("margin", ["", "> ", "  | "])
@pytest.mark.parametrize("outer", ["http://h.example/web/20010101000000/", "http://h.example/?u="])
def test_an_inner_url_may_be_broken_twice(outer: str, margin: str) -> None:
    """White space is ignored wherever it stands (RFC 3986 appendix C)."""
    inner = "http://other.example/x"
    for first in range(len("http://") + 1):
        for second in range(first + 1, len("http://") + 2):
            pieces = (inner[:first], inner[first:second], inner[second:])
            text = f"{margin}see <{outer}" + f"\n{margin}".join(pieces) + "> so\n"
            assert [each.url for each in extract(text)] == [outer + inner]
