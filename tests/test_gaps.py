"""The gaps of a candidate, and the rule that applies to each."""

from __future__ import annotations

import re

import pytest

from urlglean import extract
from urlglean.records import JoinRule, Span
from urlglean.text.gaps import GAP_RULES, LONGEST_ENCODED_LINE, Gap, gaps, has_quoted_printable, line_gap

FULL = "a" * (LONGEST_ENCODED_LINE - 1) + "=\n"


@pytest.mark.parametrize(
    ("text", "is_encoded"),
    [
        ("Br=C3=B6tchen", True),
        ("a =3D b", True),
        (FULL, False),
        (FULL + "a=\n", True),
        ("a=\n" * 2, False),
        ("a = b\n", False),
        (f"{'=' * 72}\na\n{'=' * 72}\nb=\n", False),  # rulers
        (f"http://h.example/{'a' * 51}?flag=\nx y\nhttp://h.example/?b&c=\n", False),  # values of searches
    ],
)
def test_quoted_printable_is_recognised_by_escapes_or_full_lines(text: str, *, is_encoded: bool) -> None:
    """RFC 2045 6.7: a single full line may end in an equals sign by chance."""
    assert has_quoted_printable(text) == is_encoded


@pytest.mark.parametrize(
    ("text", "soft"),
    [
        ("?a=\nb =3D", [True]),
        ("?ab\nb =3D", [False]),
        ("?a=\nb = c", [False]),
        ("?a=\nb=\nc =3D", [True, True]),
        ("?a=3D7=\nb =3D", [True]),
        # Quoted-printable would have encoded the other sign.
        ("?c=x&a=\nb =3D", [False]),
        ("?a=\nb&c=x =3D", [False]),
        # RFC 2047 4.2: an encoded word says nothing of the text around.
        ("?a=\nb =?utf-8?q?=C3=B6?=", [False]),
    ],
)
def test_a_soft_break_is_an_equals_sign_in_encoded_text(text: str, soft: list[bool]) -> None:
    """In a wrapper, which ends at the blank here."""
    assert [gap.soft for gap in gaps(text, Span(0, text.index(" ")))] == soft


@pytest.mark.parametrize(("wrap", "is_soft"), [(JoinRule.HARD_WRAP, False), (JoinRule.SOFT_BREAK, True)])
def test_a_soft_break_of_a_bare_url_is_told_by_its_rule(wrap: JoinRule, *, is_soft: bool) -> None:
    """Another rule has decided how the URL goes on."""
    assert line_gap("?a=\nb =3D", 3, 4, 4, wrap).soft == is_soft


@pytest.mark.parametrize(
    ("before", "line_break", "wrap", "rule", "doubtful"),
    [
        ("-", True, None, JoinRule.HYPHEN_KEPT, JoinRule.HYPHEN_DROPPED),
        ("-", False, None, JoinRule.WHITESPACE, None),
        ("=", True, None, JoinRule.WHITESPACE, JoinRule.SOFT_BREAK),
        ("=", False, None, JoinRule.WHITESPACE, None),
        ("=", True, JoinRule.HARD_WRAP, JoinRule.HARD_WRAP, None),
        ("=", True, JoinRule.FLOWED, JoinRule.FLOWED, None),
        ("a", True, JoinRule.FLOWED, JoinRule.FLOWED, None),
        ("a", True, None, JoinRule.WHITESPACE, None),
    ],
)
def test_the_first_row_that_holds_names_a_gap(
    before: str, wrap: JoinRule | None, rule: JoinRule, doubtful: JoinRule | None, *, line_break: bool
) -> None:
    """The sign before a gap is doubtful only at a line end, and an equals sign only inside a wrapper."""
    gap = Gap(Span(3, 4), before, line_break, wrap=wrap)
    row = next(row for row in GAP_RULES if row.holds(gap))
    assert (row.rule, row.doubtful) == (rule, doubtful)


def test_a_value_at_a_line_end_is_no_escape() -> None:
    """So the last "=" of a URL below is its own. Another "=" in it, or an empty line, shows the same."""
    listed, unsubscribe = "http://a.example/?page=20", "http://b.example/?qs=3f9a0c"
    assert [found.url for found in extract(f"{listed}\n\n{unsubscribe}=\n\n")] == [listed, f"{unsubscribe}="]
    assert has_quoted_printable("really?=20\nand")
    assert has_quoted_printable("&nbsp;=20\nand")
    assert [found.url for found in extract(f"caf=C3=A9\n{unsubscribe}==\n\n")] == [f"{unsubscribe}=="]
    assert [found.url for found in extract(f"caf=C3=A9\n{unsubscribe}=\n\n")] == [f"{unsubscribe}="]


@pytest.mark.parametrize("before", ["/x", "/x/", "/news/2004/", "/?q=a"])
def test_the_next_url_in_a_wrapper_is_another_one(before: str) -> None:
    """Only behind "=", and behind the date of an archived copy, it is a part of the one before it."""
    found = extract(f"<http://a.example{before}\nhttp://b.example/>")
    assert [finding.url for finding in found] == [f"http://a.example{before}", "http://b.example/"]


HOLDERS = [
    "https://guard.example.com/v3/__https://www.example.org/ovens__;!!aBc$",
    "http://hop.example.com/mail_us/tag/*http://www.example.org/ovens",
    "http://hop.example.com/?https://www.example.org/ovens",
    "http://hop.example.com/-/ftp://www.example.org/ovens",
    "https://tell.example.com/to?text=ovens%20https://www.example.org/",
    "<URL:view-source:http://www.example.org/ovens>",
    "http://find.example.com/?q=cache:aBc:http://www.example.org/ovens",
]


@pytest.mark.parametrize("url", HOLDERS)
@pytest.mark.parametrize("margin", ["", "> ", "   "])
def test_a_url_in_a_wrapper_may_be_broken_within_the_scheme_that_it_holds(url: str, margin: str) -> None:
    """Behind any sign. Nobody has a scheme that begins within another."""
    opening, closing = ("", "") if url.startswith("<") else ("<", ">")
    url = url.removeprefix("<URL:").removesuffix(">")
    begin = url.index("://", 10 if "://" in url[:10] else 0)
    scheme = len(re.split("[^a-z]", url[:begin])[-1])
    for at in range(begin - scheme + 1, begin):
        text = f"{margin}at {opening or '<URL:'}{url[:at]}\n{margin}{url[at:]}{closing or '>'} it\n"
        assert [found.url for found in extract(text)] == [url]


def test_a_redirector_holds_the_url_in_the_next_line() -> None:
    """That of Proofpoint. A pattern of names holds none."""
    before = "https://guard.example.com/v3/__"
    assert [found.url for found in extract(f"<{before}\nhttp://a.example/>")] == [f"{before}http://a.example/"]
    assert len(extract("<URL:ftp://a.example/pub/*\nftp://b.example/pub/README>")) == 2


@pytest.mark.parametrize(
    ("end", "scheme"), [("x.ht", "tp"), ("ah", "ttp"), ("2h", "ttp"), ("h", "tp"), ("http", "tel")]
)
def test_another_scheme_in_the_next_line_begins_the_next_url(end: str, scheme: str) -> None:
    """Both together are no known scheme, or it began within a word."""
    found = extract(f"<http://a.example/{end}\n{scheme}://b.example/>")
    assert found[0].url == f"http://a.example/{end}"


@pytest.mark.parametrize("gap", [" ", "\n"])
def test_a_blank_stands_in_no_url_before_the_one_that_it_holds(gap: str) -> None:
    """A line break does, which a program put in."""
    found = extract(f"<http://a.example/web/2004/{gap}http://b.example/>")
    assert len(found) == (1 if gap == "\n" else 2)


@pytest.mark.parametrize("remark", [", the page", " Main page", " (main)", " - main", " b.html page"])
def test_the_url_before_a_word_in_a_wrapper_is_a_rival(remark: str) -> None:
    """By RFC 1738's appendix the blank is ignored, but who breaks a line leaves none within it."""
    url = "http://www.example.org/"
    (found,) = extract(f"<URL:{url}{remark}>")
    assert found.url == f"{url}{remark}".replace(" ", "")
    assert url in found.rivals or f"{url}b.html" in found.rivals
    for rest in ("pre- print/17", "a b", "a\nmain"):
        assert extract(f"<URL:{url}{rest}>")[0].rivals == ()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("margin", ["", "> ", "    "])
@pytest.mark.parametrize("indent", ["", "    ", "\t"])
def test_a_backslash_continues_a_string_in_the_next_line(indent: str, margin: str, end: str) -> None:
    """As a shell, C and others have it; the backslash and the line end are no part of the URL.

    The blanks that indent the next line are none to YAML (1.2.2, 7.3.1) and Rust; others write none there.
    """
    text = f'{margin}curl "http://a.example/b/\\{end}{margin}{indent}c/\\{end}{margin}{indent}d.sh" | sh'
    (found,) = extract(text)
    assert (found.url, found.certainty) == ("http://a.example/b/c/d.sh", "stated")
    assert "".join(text[piece.start : piece.end] for piece in found.pieces) == found.url
    assert all(join.rule in {JoinRule.STRINGS, JoinRule.QUOTE_PREFIX} for join in found.joins)


@pytest.mark.parametrize(
    ("before", "rest"),
    [
        *(("b.php", "?id=1&x=2"), ("b.html", "#sec"), ("b.cgi", "/path/x"), ("b.tar", ".gz"), ("b.git", "plain/x")),
        *(("very-long", "-name/x.html"), ("a,b", ",c/x"), ("x.asp", ";id=1")),
    ],
)
def test_a_string_goes_on_behind_an_extension_too(before: str, rest: str) -> None:
    """Where the line begins without a blank, or with a sign of a URL, no list goes on."""
    assert extract(f'x = "http://a.example/{before}\\\n{rest}"')[0].url == f"http://a.example/{before}{rest}"
    if rest[0] in "?#/.":
        assert extract(f'x = "http://a.example/{before}\\\n  {rest}"')[0].url == f"http://a.example/{before}{rest}"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ('"http://a.example/b \\\nand c"', "http://a.example/b"),
        ('"http://a.example/b \\\nc.html"', "http://a.example/b"),
        ('x = "http://a.example/b/\\\n    http://b.example/c"', "http://a.example/b/"),
        ('x = "http://a.example/b.tar.gz\\\n    x.patch"', "http://a.example/b.tar.gz"),
        ('x = "http://a.example/b\\\n    --option"', "http://a.example/b"),
        ('x = "http://a.example/b\\\n    ,http://b.example/"', "http://a.example/b"),
        ('"http://a.example/b\\nand"', "http://a.example/b"),
        ("<http://a.example/b\\\nc>", "http://a.example/b"),
        ("see http://a.example/b\\\nc", "http://a.example/b"),
    ],
)
def test_elsewhere_a_backslash_before_a_line_end_continues_nothing(text: str, url: str) -> None:
    """It does so directly before the line end, in a string that the URL begins."""
    assert extract(text)[0].url == url


def test_without_a_backslash_an_indented_line_goes_on() -> None:
    """White space around a line end in quotation marks is ignored (RFC 3986 appendix C)."""
    (found,) = extract('x = "http://a.example/b/\n    c.html"')
    assert (found.url, found.certainty) == ("http://a.example/b/c.html", "stated")
