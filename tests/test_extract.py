"""`extract`: properties that hold for every text, and the readings of wrappers."""

from __future__ import annotations

import pickle
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import urlglean
from pieces import is_tiled, rebuilt
from urlglean.records import Dialect, Flowed, JoinRule
from urlglean.testing import urls
from urlglean.text.whole import read_whole

# Text made of what the scanner looks for, so that hypothesis soon generates wrappers, breaks and marks.
FRAGMENTS = st.sampled_from(
    [
        *("<", ">", "<URL:", "URL:", "http://", "ftp://a.example/", "mailto:x@y.example", "news:", "://", "b.example"),
        *("\n", "\r\n", "\r", "\n\n", " ", "\t", "> ", ">> ", "| ", "TBL> ", "-\n", "=\n", '"', "'", "(", ")", "..."),
        *("\f", "[Page 3]\n", "RFC 1 X 1994\n", "&gt;", "。", "例", "\ud800", "\0", "#", "%", "%2", "x-y:z", "[", "]"),
        *("é", "/c-", ",", "www."),
        *("\\_", "\\~a", "‾", "/～a", "\xad", "â€¾", "‑b", ".htmlThe", "[mailto:x@y.example]"),
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(FRAGMENTS, max_size=40).map("".join))


@given(TEXTS)
@example("<URL:http://a.example/b-\nc-\nd>")
@example("> <http://a.example/\n>> b>")
def test_the_pieces_of_every_finding_rebuild_it(text: str) -> None:
    """The pieces, sliced from the text, give the URL; pieces and joins together cover the span without a gap."""
    for finding in urlglean.extract(text, invalid=True):
        assert rebuilt(text, finding) == finding.url
        assert is_tiled(finding)


@given(TEXTS)
def test_spans_lie_in_the_text_in_order_without_overlap(text: str) -> None:
    """Findings are in text order and inside the text."""
    end = 0
    for finding in urlglean.extract(text, invalid=True):
        assert end <= finding.span.start <= finding.span.end <= len(text)
        end = finding.span.end


@given(TEXTS)
def test_findings_agree_with_validate(text: str) -> None:
    """`valid` is the verdict of `validate`; only `invalid=True` gives rejected candidates, and those have problems."""
    every = urlglean.extract(text, invalid=True)
    assert [finding for finding in every if not finding.rejected] == urlglean.extract(text)
    strict = urlglean.extract(text, strict=True)
    assert all(finding.valid for finding in strict)
    for finding in every:
        verdict = urlglean.validate(finding.url)
        assert finding.valid == verdict.valid
        assert finding.parts == verdict.parts
        assert finding.valid or finding.problems


@given(TEXTS)
def test_bytes_give_the_same_findings_as_str(text: str) -> None:
    """A text and its UTF-8 give the same findings; octets that are not UTF-8 are in the URL as they were."""
    data = text.encode("utf-8", "surrogatepass")
    expected = urlglean.extract(data.decode("utf-8", "surrogateescape"))
    assert urlglean.extract(data) == expected


@given(st.binary(max_size=500))
def test_no_bytes_raise(data: bytes) -> None:
    """Any octets are accepted as text."""
    urlglean.extract(data)


@pytest.mark.parametrize("char", list("<>:/\"'(- \n\r\t\0>|a1.%#=\ud800例\u200b"))
def test_a_megabyte_of_one_character_gives_nothing(char: str) -> None:
    """No pattern takes too long on a text of one character."""
    assert urlglean.extract(char * 1_000_000) == []


@given(TEXTS)
@example("mailto:a@b.example\u00e2\u20ac\u00be@c")
def test_extracting_from_what_was_extracted_changes_nothing(text: str) -> None:
    """If the URLs found are written in angle brackets, one on each line, the same URLs are found again."""
    found = [finding.url for finding in urlglean.extract(text)]
    again = urlglean.extract("\n".join(f"<URL:{url}>" for url in found))
    assert [finding.url for finding in again] == found


SCHEMES = ["http", "ftp", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero"]
DIFF_MARKS = {"!", "+", "-"}
BEGINS_URL = re.compile("[A-Za-z][A-Za-z0-9+.-]*://")
BREAKS = st.sampled_from(["\n", "\r\n", " ", "\n   ", "\t", "\n\t"])


@pytest.mark.parametrize("mark", sorted(DIFF_MARKS))
def test_a_mark_of_a_diff_is_no_piece(mark: str) -> None:
    """At the start of a line, a diff's sign with a blank behind it is a mark.

    Without the blank it is a piece of the URL.
    """
    assert one(f"<URL:http://a.example/b\n{mark} c>").url == "http://a.example/bc"
    assert one(f"<URL:http://a.example/b\n{mark}c>").url == f"http://a.example/b{mark}c"
    assert one(f"<URL:http://a.example/b\n{mark}\nc>").url == f"http://a.example/b{mark}c"


def test_two_apostrophes_at_a_line_end_divide_strings_only_behind_another() -> None:
    """Which opens the string of source code."""
    assert one("'see <URL:http://a.example/b'\n 'c>'").url == "http://a.example/bc"
    assert one("see <URL:http://a.example/b'\n 'c>").url == "http://a.example/b''c"


@given(st.data(), st.sampled_from(SCHEMES))
def test_a_wrapped_url_broken_anywhere_comes_back(data: st.DataObject, scheme: str) -> None:
    """RFC 1738 appendix: white space in a wrapper is ignored; a hyphen before it stays in the first reading."""
    url = data.draw(urls(scheme, "rfc1738"))
    cuts = sorted(set(data.draw(st.lists(st.integers(1, len(url) - 1), max_size=3))))
    pieces = [url[start:end] for start, end in zip([0, *cuts], [*cuts, len(url)], strict=True)]
    # A line that begins like a URL of its own may be one.
    assume(not any(BEGINS_URL.match(piece) for piece in pieces[1:]))
    gaps = data.draw(st.lists(BREAKS, min_size=len(cuts), max_size=len(cuts)))
    # A blank inside a line may begin a remark: a guess, tested with the remarks. A line break never begins one.
    # A diff's sign with a blank behind it is skipped at the start of a line, so it is no piece either.
    gaps = [
        gap if "\n" in gap or not (after[:1].isalpha() or after[:1] == "=" or before in DIFF_MARKS) else "\n"
        for gap, (before, after) in zip(gaps, pairwise(pieces), strict=True)
    ]
    text = "See <URL:" + pieces[0] + "".join(gap + piece for gap, piece in zip(gaps, pieces[1:], strict=True)) + ">."
    findings = urlglean.extract(text, dialect="rfc1738")
    assert [finding.certainty for finding in findings] == ["stated"]
    assert url in {findings[0].url, *findings[0].rivals}
    if not any(piece.endswith(("-", "=")) for piece in pieces[:-1]):
        assert findings[0].url == url


def one(text: str, **options: Any) -> urlglean.Finding:
    """The only finding of a text."""
    (finding,) = urlglean.extract(text, **options)
    return finding


def test_a_hyphen_before_a_break_has_two_readings() -> None:
    """RFC 1738 appendix: the hyphen may or may not belong to the URL.

    The first reading keeps it, the rival drops it.
    """
    finding = one("<URL:http://host.example/draft-\n   ietf.txt>")
    assert (finding.url, finding.rivals) == (
        "http://host.example/draft-ietf.txt",
        ("http://host.example/draftietf.txt",),
    )
    assert [join.rule for join in finding.joins] == [JoinRule.HYPHEN_KEPT]


def test_the_grammar_decides_about_a_hyphen() -> None:
    """RFC 1738 3.1: no domain label ends in a hyphen, so the hyphen before the dot was inserted."""
    finding = one("<URL:http://www.w3-\n.org/>")
    assert (finding.url, finding.rivals) == ("http://www.w3.org/", ())
    assert [join.rule for join in finding.joins] == [JoinRule.HYPHEN_DROPPED, JoinRule.WHITESPACE]


def test_two_hyphens_have_four_readings() -> None:
    """The readings that drop fewer hyphens come first."""
    finding = one("<URL:http://h.example/a-\nb-\nc>")
    assert finding.url == "http://h.example/a-b-c"
    assert finding.rivals == ("http://h.example/ab-c", "http://h.example/a-bc", "http://h.example/abc")


def test_readings_stop_at_the_bound_with_a_problem() -> None:
    """Five hyphens would give 32 readings; 16 are given, with a problem that says so."""
    finding = one("<URL:http://h.example/a-\nb-\nc-\nd-\ne-\nf>")
    assert len(finding.rivals) == 15
    assert [problem.code for problem in finding.problems] == ["too-many-readings"]
    assert finding.valid


def test_the_text_itself_settles_a_hyphen() -> None:
    """The reading that is elsewhere in the text as a whole URL comes first."""
    text = "<URL:http://h.example/re-\nport.html>, that is <http://h.example/report.html>"
    assert [finding.url for finding in urlglean.extract(text)] == ["http://h.example/report.html"] * 2


@pytest.mark.parametrize("prefix", ["> ", ">", ">>", "> > ", "| ", ": ", "TBL> ", "  > ", "# "])
def test_quote_prefixes_of_continuation_lines_are_taken_out(prefix: str) -> None:
    """A prefix that the opening line has too is neither part of the URL nor the wrapper's ">"."""
    text = f"{prefix}look at <URL:http://h.example/a/\n{prefix}b.html> please\n"
    finding = one(text)
    assert finding.url == "http://h.example/a/b.html"
    assert [join.rule for join in finding.joins] == [JoinRule.WHITESPACE, JoinRule.QUOTE_PREFIX]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("> <http://h.example/a/\nb.html> x", "http://h.example/a/b.html"),
        ("> <http://h.example/a/\n>> b.html> x", "http://h.example/a/b.html"),
        ("<http://h.example/a\n>", "http://h.example/a"),
        ("<http://h.example/a\n> and more", "http://h.example/a"),
        ("<http://h.example/a\nb\n>", "http://h.example/ab"),
        ("<http://h.example/a\nb\n>, and", "http://h.example/ab"),
        ("<http://h.example/a\n-b>", "http://h.example/a-b"),
        ("<http://h.example/a\n--\nb>", "http://h.example/a--b"),
        ("<http://h.example/a\nb->", "http://h.example/ab-"),
        ("<http://h.example/a\n->.", "http://h.example/a-"),
        ("<http://h.example/?a=YWJj\n==> c", "http://h.example/?a=YWJj=="),
        ("<http://h.example/a\nb\n> for it", "http://h.example/ab"),
        ("<http://h.example/a\n7a8b\n> for it", "http://h.example/a7a8b"),
        ("<URL:http://h.example/a\nb c\n>.", "http://h.example/abc"),
        ("<URL:ftp://h.example/a or b\nc\n> d", "ftp://h.example/a"),
        ("< http://h.example/a\nb >", "http://h.example/ab"),
        ("a < http://h.example/a\nb > c", "http://h.example/ab"),
        ("< http://h.example/a\nb> c", "http://h.example/ab"),
        ("<http://h.example/a\nb > c", "http://h.example/ab"),
        ("> <http://h.example/a\n> >, and", "http://h.example/a"),
    ],
)
def test_uneven_prefixes_and_the_closing_bracket_are_distinguished(text: str, url: str) -> None:
    """A ">" at the start of a line closes the wrapper, unless it is a prefix before the rest of a URL."""
    finding = one(text)
    assert (finding.url, finding.problems) == (url, ())


@pytest.mark.parametrize(
    "text",
    [
        *("<URL:http://h.example/a\n\nprose > x", "<URL:http://h.example/a and <b>", "<http://h.example/a"),
        *("3c3\n< http://h.example/a\n---\n> x y\n", "3d2\n< http://h.example/a b\n7a8\n> x\n"),
        *("<http://h.example/a\nThanks, Joe\n> quoted\n", "<http://h.example/a\nJoe:\n>\n>quoted\n"),
        *("<http://h.example/a\nJoe:\n> b", "<http://h.example/a\nb\n> c\n> d"),
        *(
            "* <http://h.example/a\n* b  -> c\n",
            "<http://h.example/a\n--> c\n",
            "<http://h.example/a\n->foo\n",
            "<http://h.example/a\nb => c\n",
        ),
        *("<http://h.example/a\n-- \nJoe B. Good>", "<http://h.example/a\n=====\nb>"),
    ],
)
def test_an_unclosed_wrapper_is_read_as_bare_with_a_problem(text: str) -> None:
    """A blank line, a new "<", a ruler, a quoted line or the end of the text leaves the wrapper unclosed."""
    finding = one(text)
    assert (finding.url, finding.certainty, finding.valid) == ("http://h.example/a", "inferred", True)
    assert [problem.code for problem in finding.problems] == ["unclosed-wrapper"]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ('see "http://a.example/b/ \nc.html" there', "http://a.example/b/c.html"),
        ('see "http://a.example/b/ \nbread" there', "http://a.example/b/bread"),
        ('<a href="http://a.example/b \t\r\n  c.html">', "http://a.example/bc.html"),
        ('> "http://a.example/b/ \n> c.html"', "http://a.example/b/c.html"),
        ('"mailto:ann.sm \nith@a.example"', "mailto:ann.smith@a.example"),
    ],
)
def test_blanks_before_a_line_end_in_quotation_marks_are_ignored(text: str, url: str) -> None:
    """No reader sees them. White space within the delimiters is ignored (RFC 3986 appendix C)."""
    found = one(text)
    assert (found.url, found.wrapper) == (url, "quoted")


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_a_line_end_in_a_cell_of_a_table_divides_two_lines(sign: str) -> None:
    """It is a part of the cell (RFC 4180 2.6). Elsewhere, the signs before and behind the marks are others."""
    for row in ("1|{}|x\n", "{}|x\n", "1|{}\n", "1|{}"):
        (found,) = urlglean.extract(row.replace("|", sign).format('"http://a.example/b\nThe mill"'.replace(" ", "-")))
        assert (found.url, found.wrapper) == ("http://a.example/b", "bare")
    for text in ('see "{}", and', 'x="{}",', '{{"a": "{}",', 'see "{}"', '"{}", and', '"{}";\n'):
        (found,) = urlglean.extract(text.format("http://a.example/b/\nc.html"))
        assert (found.url, found.wrapper) == ("http://a.example/b/c.html", "quoted")
    for margin in ("\t", "> \t", " \t\t", "# \t"):
        (found,) = urlglean.extract(f'See:\n{margin}"http://a.example/b/\n{margin}c.html"\n')
        assert (found.url, found.wrapper) == ("http://a.example/b/c.html", "quoted")


@pytest.mark.parametrize(
    "text",
    [
        '"http://a.example/b \nworks." So',
        '"http://a.example/b c.html"',
        '"http://a.example/b \nis a page"',
        '"http://a.example/b \n\nc.html"',
    ],
)
def test_other_blanks_in_quotation_marks_end_a_bare_url(text: str) -> None:
    """Marks around words quote a sentence."""
    found = one(text)
    assert (found.url, found.wrapper) == ("http://a.example/b", "bare")


@pytest.mark.parametrize("host", ["p1.a.example", "10.0.0.1"])
def test_a_sip_url_may_have_no_user(host: str) -> None:
    """As in traces of SIP (RFC 3261 19.1.1). Elsewhere, a parameter or port follows: other words have dots too."""
    for url in (f"sip:{host}", f"sips:{host}:5061", f"sip:{host};lr"):
        found = urlglean.extract(f'Route: <{url}>,<{url}>, "{url}" z')
        assert [(each.url, each.wrapper) for each in found] == [(url, "angle"), (url, "angle"), (url, "quoted")]
    assert one(f"via sip:{host}:5060, z").url == f"sip:{host}:5060"
    assert not urlglean.extract(f"see sip:{host} z")
    assert one(f"REGISTER sip:{host} SIP/2.0").url == f"sip:{host}"
    assert one("via <sip:p1.a.de;lr> z").url == "sip:p1.a.de;lr"


@pytest.mark.parametrize(
    "text",
    ["sip:4.19.8;x>'3'", "sip:core.c:123: error", "[sip:main.conf:12]", "sip:this.value;", "<sip:a.b>c</sip:a.b>"],
)
def test_other_words_with_dots_behind_sip_are_no_hosts(text: str) -> None:
    """Versions of programs, places in files, members of objects, tags."""
    assert not urlglean.extract(text)


@pytest.mark.parametrize("setting", ["LOG_FILE:/var/log/x", "home_tel:+1-555-0100", "X_NEWS:comp.lang.c"])
def test_a_name_that_ends_in_a_scheme_is_a_setting(setting: str) -> None:
    """Without "//" it is no URL, unless the caller asked for the scheme; behind an underscore alone it is one."""
    name, _, _ = setting.partition(":")
    scheme = name.rpartition("_")[2]
    assert not urlglean.extract(f"{setting}\n")
    assert urlglean.extract(setting, schemes={scheme.lower()})
    assert urlglean.extract(f"_{setting.partition('_')[2]}_")
    assert urlglean.extract("x_file://a.example/b")
    assert urlglean.extract("x_mailto:ann@a.example")


def test_a_ruler_is_no_part_of_a_url_in_quotation_marks() -> None:
    """The next mark opens another text."""
    found = urlglean.extract('"http://h.example/a\n---\n"http://h.example/b')
    assert [each.url for each in found] == ["http://h.example/a", "http://h.example/b"]
    assert one('"http://h.example/a\n--b"').url == "http://h.example/a--b"


@pytest.mark.parametrize("prefix", ["", "> ", ">", ">> ", "> > ", "| "])
@pytest.mark.parametrize("blank", [3, 56])
@pytest.mark.parametrize("wrapper", ["<URL:{}>", "<{}>", '"{}"'])
def test_a_page_break_inside_a_wrapper_is_taken_out(wrapper: str, blank: int, prefix: str) -> None:
    """The page break of an RFC has a footer, a form feed and a header. A page with one line of text is mostly blank.

    Somebody may quote it; some programs leave no blank behind the mark of an empty line.
    """
    footer, header = (
        "Doe & Roe           Informational           [Page 7]",
        "RFC 9999         On Things         May 2001",
    )
    page = "\n" + "\n" * blank + f"{footer}\n\f\n{header}\n\n\n"
    text = f"   {wrapper.format(f'http://h.example/a/{page}   b.html')}."
    finding = one("\n".join((prefix + line).strip(" ") for line in text.split("\n")))
    assert finding.url == "http://h.example/a/b.html"
    assert [join.rule for join in finding.joins] == [JoinRule.PAGE_BREAK]


def test_joins_never_reads_a_wrapper_up_to_its_first_break() -> None:
    """With `joins="never"` nothing behind the break is guessed."""
    finding = one("<URL:http://h.example/a/\nb.html>", joins="never")
    assert (finding.url, finding.joins, finding.certainty) == ("http://h.example/a/", (), "inferred")


def test_findings_pickle() -> None:
    """A finding can be sent to another process with its judge."""
    finding = one("<URL:http://user:pw@h.example/>")
    copy = pickle.loads(pickle.dumps(finding))
    assert copy == finding
    assert copy.cautions == ("password",)


class Escaping(str):
    """Like the markup class of templates: its parts are of the same class, and what is added to it is escaped."""

    __slots__ = ()

    def __str__(self) -> str:
        return "another text"

    def __getitem__(self, key: Any) -> Escaping:
        return Escaping(super().__getitem__(key))

    def __add__(self, other: str) -> Escaping:
        return Escaping(super().__add__(other.replace("&", "&amp;")))

    def partition(self, sep: str) -> Any:  # noqa: D102 - as in `str`
        return tuple(map(Escaping, super().partition(sep)))


@pytest.mark.parametrize(
    "text", ["see http://h.example/a?b=c&d=e&\nf ok", "ftp://=\\&-\nw", "<URL:http://h.example/&\n&>"]
)
def test_a_subclass_of_str_is_read_as_the_str(text: str) -> None:
    """The methods of one may change what they return."""
    findings = urlglean.extract(Escaping(text), invalid=True)
    assert findings == urlglean.extract(text, invalid=True)
    assert {type(finding.url) for finding in findings} <= {str}
    parts = urlglean.validate(Escaping("http://h.example/a#b")).parts
    assert parts is not None
    assert (type(parts.path), type(parts.fragment)) == (str, str)


def test_wrong_names_and_types_raise() -> None:
    """Wrong use raises, but no text does."""
    with pytest.raises(urlglean.UnknownNameError, match="rfc1738"):
        urlglean.extract("", dialect="erly")  # type: ignore[arg-type]
    with pytest.raises(urlglean.UnknownNameError, match="likely"):
        urlglean.extract("", joins="always")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        urlglean.extract(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        urlglean.validate(b"http://h.example/")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "url"),
    [
        (" http://h.example/a\n", "http://h.example/a"),
        ("http://h.example/a\n\tb/\r\nc", "http://h.example/ab/c"),
        ("http://h.example/a b", "http://h.example/a b"),
        ("", ""),
    ],
)
def test_line_ends_are_removed_from_a_whole_value(value: str, url: str) -> None:
    """In an attribute's value, line ends, and white space at both ends, are removed.

    Blanks inside stay and are a problem.
    """
    finding = read_whole(value)
    assert finding.url == url
    assert "".join(value[piece.start : piece.end] for piece in finding.pieces) == url
    assert finding.valid == (url != "" and " " not in url)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("See <htt\np://www.a.example/x> ok", "http://www.a.example/x"),
        ("> See <https\n> ://a.example/y> ok", "https://a.example/y"),
        ("<mai\nlto:a@b.example>", "mailto:a@b.example"),
        ("<http:/\n/a.example/z>", "http://a.example/z"),
    ],
)
def test_a_scheme_broken_in_angle_brackets_is_joined(text: str, url: str) -> None:
    """RFC 3986 appendix C: white space between the delimiters is ignored, wherever it is."""
    finding = one(text)
    assert (finding.url, finding.wrapper) == (url, "angle")


@pytest.mark.parametrize("url", ["http://www.example.org/", "HTTP://www.example.org/", "http://www.example.org/a'b"])
def test_a_prefix_states_the_url_behind_it(url: str) -> None:
    """Behind the prefix `URL:`, the certainty is `stated` with the fast path and without."""
    (found,) = urlglean.extract(f"see URL:{url} there")
    assert (found.url, found.wrapper, found.certainty) == (url, "url-prefix", "stated")


@pytest.mark.parametrize("sign", ["\0", "例", "。"])
@pytest.mark.parametrize("before", ["", "URL:", "URL: "])
def test_a_scheme_needs_a_character_of_a_url_behind_it(before: str, sign: str) -> None:
    """If a sign that cannot be in a URL follows the scheme, there is no URL."""
    assert urlglean.extract(f"see {before}snews:a@{sign} there", "rfc1738") == []


@pytest.mark.parametrize("prefix", ["", "URL:"])
def test_what_only_the_next_line_makes_a_url_is_inferred(prefix: str) -> None:
    """To RFC 1738 a magnet link is of an unknown scheme: it may end anywhere, but alone it is not searched."""
    text = f"a {prefix}magnet:?dn=\nurn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a"
    link, topic = urlglean.extract(text, "rfc1738")
    assert (link.url, link.certainty, topic.certainty) == ("magnet:?dn=", "inferred", "plain")
    assert not urlglean.extract(f"{prefix}magnet:?dn=", "rfc1738", invalid=True)


def test_an_equals_sign_before_a_blank_is_kept() -> None:
    """A soft break of quoted-printable is at the end of a line (RFC 2045 6.7), so inside a line the sign stays."""
    (in_line,) = urlglean.extract("<URL:http://www.example.org/a= b>")
    assert (in_line.url, in_line.rivals) == ("http://www.example.org/a=b", ())
    (over_lines,) = urlglean.extract("<URL:http://www.example.org/a=\nb>")
    assert (over_lines.url, over_lines.rivals) == ("http://www.example.org/a=b", ("http://www.example.org/ab",))


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("<http://a.example/x, http://b.example/y>.", ["http://a.example/x", "http://b.example/y"]),
        ("<URL:http://a.example/ (mirror: ftp://b.example/)>", ["http://a.example/", "ftp://b.example/"]),
        ("<mailto:a@b.example or http://b.example/y>", ["mailto:a@b.example", "http://b.example/y"]),
        ("<http://a.example/~jo/, mailto:a@b.example>", ["http://a.example/~jo/", "mailto:a@b.example"]),
        ("<URL:http://a.example/ news:c@d>", ["http://a.example/", "news:c@d"]),
        ("<http://a.example/\nhttp://b.example/> news:c@d", ["http://a.example/", "http://b.example/", "news:c@d"]),
    ],
)
def test_urls_in_the_remark_of_a_wrapper_are_found(text: str, urls: list[str]) -> None:
    """They are no part of the first one, and must not be lost with the rest of the remark."""
    found = urlglean.extract(text)
    assert [finding.url for finding in found] == urls
    assert [text[finding.span.start : finding.span.end] for finding in found] == urls


A, B, C = "http://a.example/x", "http://b.example/y", "ftp://c.example/z"


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        (f"[url]{A}[/url][url]{B}[/url]\n[img]{C}[/img][url]{A}[/url]", [A, B, C, A]),
        (f"{A}[/url]{B}, {A}[*{B}", [A, B, A, B]),
        (f"{A}{{{B}}} and {A}{{{B}", [A, B, A, B]),
        (f"{A}/{{id}},{B};{C}", [B, C]),
        (f"{A}/{{id}}|{B}|{A}/{{id}}!{C}", [B, C]),
        (f"http://{{host}}/r?to={B}|{C}", [B, C]),
        (f"<{A}/{{id}} or {B}, {C}>", [B, C]),
        (f"{A}**{B}/{{id}},{C}", [C]),
        (f"{A}^{C}", [A, C]),
        (f"mailto:u@a.example/>{A}", ["mailto:u@a.example", A]),
        ("mailto:u@a.example...mailto:v@b.example", ["mailto:u@a.example", "mailto:v@b.example"]),
        (f"mailto:u@a.example+{A}", ["mailto:u@a.example", A]),
        ("http://a.example/{id},svn+ssh://b.example/y", ["svn+ssh://b.example/y"]),
        (f"see h.example+{A}", [A]),
        (f"news:x@y.example[1]http://\u200b{A}", ["news:x@y.example", A]),
        (f"{{{A}}}{{{B}}}" * 1_000, [A, B] * 1_000),
        (f"{A}/r?to={B}/{{id}}", []),
    ],
)
def test_what_belongs_to_no_finding_is_searched_again(text: str, urls: list[str]) -> None:
    """A URL behind the part that was kept of a candidate, or within a rejected one, is found like any other.

    A URL that holds another as its value is rejected with it.
    """
    found = urlglean.extract(text)
    assert [finding.url for finding in found] == urls
    assert [text[finding.span.start : finding.span.end] for finding in found] == urls
    assert [finding for finding in urlglean.extract(text, invalid=True) if not finding.rejected] == found


REJECTED = st.sampled_from(
    [
        "http://",
        "http:/",
        "http://{host}",
        "<name>",
        "${x}",
        "?",
        "/",
        "[",
        "[1]",
        "\u200b",
        "@",
        ">",
        "* ",
        "urn:isbn:1",
    ]
)
FOUND = st.sampled_from([A, "mailto:u@a", "news:x@y.example", "ftp://c.example/q"])


@given(st.lists(REJECTED | FOUND, min_size=2, max_size=9).map("".join), st.sampled_from(["", "delsp"]))
@example("http://?http://\u200bftp://c.example/x", "")
@example("urn:isbn:1?;${x}mailto:u@a<name>mailto:u@a>news:x@y.example@", "delsp")
def test_rejected_candidates_hide_no_url(text: str, flowed: Flowed) -> None:
    """Whoever asks for them gets all others too, and no two findings overlap."""
    found = urlglean.extract(text, invalid=True, flowed=flowed)
    assert [finding for finding in found if not finding.rejected] == urlglean.extract(text, flowed=flowed)
    assert all(one.span.end <= other.span.start for one, other in pairwise(found))


def test_a_rejected_url_ends_before_the_next_one() -> None:
    """Without the white space between them."""
    rejected, found = urlglean.extract(f"<{A}/{{id}}  {B}>", invalid=True)
    assert (rejected.rejected, rejected.url, rejected.span.end) == (True, f"{A}/{{id}}", 24)
    assert found.url == B


def test_hosts_are_searched_again_too() -> None:
    """They are searched like URLs with a scheme, if they are asked for."""
    found = urlglean.extract("http://a.example/{id},www.b.example/y www.c.example/{id}|www.d.example", bare_hosts=True)
    assert [finding.url for finding in found] == ["http://www.b.example/y", "http://www.d.example"]


def test_a_masked_scheme_is_none() -> None:
    """What is left of it behind the asterisks is no scheme; a known one behind an asterisk is one."""
    assert not urlglean.extract("h**p://a.example/x and ht*p://b.example/", invalid=True)
    assert one("see*http://a.example/x now").url == "http://a.example/x"


def test_the_name_of_a_host_is_no_scheme() -> None:
    """Alone, with hosts asked for, it is one."""
    assert not urlglean.extract("www.a.exampletp://b.example/", invalid=True)
    assert one("www.a.exampletp://b.example/", bare_hosts=True).url == "http://www.a.exampletp"


@pytest.mark.parametrize("url", ["http://a.example/x", "ftp://a.example/x"])
@pytest.mark.parametrize("charset", ["latin-1", "cp1252"])
def test_the_second_octet_of_a_wide_character_belongs_to_no_scheme(url: str, charset: str) -> None:
    """An "S" or "s" there would make another scheme. The charset of such a text is lost."""
    for wide, encoding in (("ロゴ", "shift_jis"), ("世", "big5"), ("约ゴ", "gbk")):
        text = wide.encode(encoding)[:-1].decode(charset, "replace")
        for letter in "Ss":
            assert [found.url for found in urlglean.extract(f"{text}{letter}{url}")] == [url]
    for before in ("", "“", "•", "«", "中", "é "):
        assert [found.url for found in urlglean.extract(f"{before}sftp://a.example/x")] == ["sftp://a.example/x"]


@pytest.mark.parametrize("scheme", ["http://", "HTTPS://", "ftp://", "mailto:x@"])
def test_a_host_ends_before_a_scheme_that_is_glued_to_it(scheme: str) -> None:
    """The search for hosts loses no URL that is found without it."""
    found = urlglean.extract(f"at www.a.example{scheme}b.example now", bare_hosts=True)
    assert [finding.url for finding in found] == ["http://www.a.example", f"{scheme}b.example"]
    if scheme.endswith("/"):
        found = urlglean.extract(f"at www.a.example.{scheme}b.example now", bare_hosts=True)
        assert [finding.url for finding in found] == ["http://www.a.example", f"{scheme}b.example"]


@pytest.mark.parametrize("text", ['"""{}/b\n\nc"""', '> "{}/b\n>\n> c"', '"{}/b\r\n \t\r\nc"', '"{}/b\n', '"{}/b\n\n"'])
def test_no_wrapper_goes_on_over_a_blank_line(text: str) -> None:
    """Another paragraph begins behind it."""
    found = one(text.format("http://a.example"))
    assert (found.url, found.wrapper, found.joins) == ("http://a.example/b", "bare", ())


def test_a_part_of_a_wrapper_is_inferred() -> None:
    """This holds over line ends too."""
    for label in ("here", "click\nhere"):
        found = one(f"<https://a.example/x|{label}>")
        assert (found.url, found.certainty) == ("https://a.example/x", "inferred")


@pytest.mark.parametrize(
    "escape",
    [
        *(r"\fB", r"\fI", r"\f1", r"\f(CW", r"\fB\fI", r"\n", r"\t", r"\r"),
        *(r"\u003c", r"\u003E", r"\u0022", r"\x27", r"\x3c", r"\(lq", r"\(aq", r"\*(Aq"),
    ],
)
@pytest.mark.parametrize(
    "url",
    [
        *("mailto:jo@a.example", "file:///a/b", "http://a.example/b", "git://a.example/b", "URL:http://a.example/b"),
        *("svn+ssh://a.example/b", "news:a.b.c", "urn:isbn:0451450523"),
    ],
)
def test_an_escape_before_a_scheme_is_none_of_it(escape: str, url: str) -> None:
    """The change of a font or a quotation mark in the source of a manual page, or a line end or sign in source code."""
    (found,) = urlglean.extract(f"see {escape}{url} now")
    assert (found.url, found.certainty) == (url.removeprefix("URL:"), "stated" if "URL" in url else "inferred")
    assert urlglean.extract(r"see \fxsip:jo@a.example now") == []
    assert [each.url for each in urlglean.extract(r'"\fHTTP://a.example" "\fftp://a.example"')] == [
        "HTTP://a.example",
        "ftp://a.example",
    ]
    # Where both are schemes, the letter belongs to the escape; that of a font never does.
    both = urlglean.extract(r'"\tftp://a.example/b" \fTP://a.example')
    assert [each.url for each in both] == ["ftp://a.example/b", "fTP://a.example"]
    # Behind such a font a terminal's sequence may stand, and before it.
    for before in ("\\fB\x1b[01;31m\x1b[K", "\\fR\x1b[1m", "\x1b[1m\\fR"):
        for scheme in ("git+ssh", "http", "hkp"):
            assert [each.url for each in urlglean.extract(f"{before}{scheme}://a.example")] == [f"{scheme}://a.example"]
    text = r"\fBhkp://a.example and \nhkp2://a.example, \fBx xhkp://a.example \na zgit://a.example"
    schemes = ["hkp", "nhkp2", "xhkp", "zgit"]  # perhaps they are some
    assert [each.url for each in urlglean.extract(text)] == [f"{scheme}://a.example" for scheme in schemes]


@pytest.mark.parametrize("text", ["to http://www. example.com/x", "to HTTP://WWW .example.com/x", "to http://www now"])
def test_the_first_label_of_a_host_alone_is_doubtful(text: str) -> None:
    """A blank may have been typed within the host."""
    (found,) = urlglean.extract(text)
    assert (found.url.lower(), found.certainty) == ("http://www", "inferred")
    assert found.confidence < 0.91


@pytest.mark.parametrize("doubtful", ["é{}", "foo:{}", "x{}", "日本{}", "<{}"])
def test_a_line_below_takes_no_doubt_away(doubtful: str) -> None:
    """A URL that is glued to a word, or whose wrapper does not close, is as doubtful there as elsewhere."""
    url = "http://www.example.org/foo"
    for behind in (" and more", "\n\nNext", "\nNext line here of text\n"):
        (found,) = urlglean.extract(doubtful.format(url) + behind)
        assert (found.url, found.certainty) == (url, "inferred")
        assert found.confidence < 0.91


@pytest.mark.parametrize(
    ("path", "behind"), [("", " x"), ("/", " x"), ("/", ""), ("/", ">"), ("/", "。"), ("/index", " x")]
)
@pytest.mark.parametrize(
    "host",
    [
        *(f"nic.{top}" for top in ("中国", "中國", "台湾", "台灣", "香港", "澳門", "澳门", "新加坡", "한국", "ລາວ")),
        *("www.新华网.中國", "a.ไทย"),
    ],
)
def test_the_top_level_domain_of_a_country_belongs_to_the_host(host: str, path: str, behind: str) -> None:
    """Another word in a script without spaces is prose, unless a slash or a port follows it."""
    assert urlglean.extract(f"see http://{host}{path}{behind}")[0].url == f"http://{host}{path}"
    for other in ("珠宝/", "珠宝/产品", "例:80"):
        assert urlglean.extract(f"see 'http://{host[0]}.{other}' x")[0].url == f"http://{host[0]}.{other}"
    for prose in ("谢谢 x", "注意:这是", "注意:x", "谢谢> x", "中国人 x"):
        assert urlglean.extract(f"see http://www.example.org.{prose}")[0].url == "http://www.example.org"


@pytest.mark.parametrize("dialect", ["current", "rfc1738", "early"])
@pytest.mark.parametrize("rest", ["a?b=|c", "a?b=c&d=|e", "a;type=|i"])
def test_the_equals_sign_of_a_value_is_no_soft_break(rest: str, dialect: Dialect) -> None:
    """Whether or not the dialect takes it: quoted-printable would have encoded it (RFC 2045 6.7)."""
    url = f"ftp://h.example/{rest}"
    (found,) = urlglean.extract(f"<URL:{url}>".replace("|", "\n"), dialect)
    assert (found.url, found.rivals) == (url.replace("|", ""), ())
    assert "http://h.example/ab" in urlglean.extract("<http://h.example/a=\nb>")[0].rivals
