"""Options for further searches: a reader's own schemes, and hosts without a scheme."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breaks import first_break
from test_fast_path import PIECES
from urlglean import Finding, SchemeNameError, Span, UrlgleanError, extract
from urlglean.records import LEVELS
from urlglean.text import fast_path
from urlglean.text.candidates import Evidence
from urlglean.text.confidence import KINDS, confidence_of, counts
from urlglean.text.joining.explanation import weighed
from urlglean.text.scanner import scan_text
from urlglean.text.search_terms import LONGEST_SCHEME, USUAL, search_terms

HOSTS = st.sampled_from(
    """
    www.example.org www.example.org/a/ ftp.example.net/b.html WWW.A.EXAMPLE:80/ www. ftp. www.a www2.b.example?x=1
    www.a.example. magnet:?xt=1 Doi:10.1/a doi: doi:// xdoi:1 <www.a.example/ "ftp.a.example/c" URL:www.a.example/d
    <URL:ftp.a.example/ @www.a.example /www.a.example .www.a.example www.a.example@b www.é.example wwww.a.example
    """.split()  # noqa: SIM905 - a column of words reads worse
)
TEXTS = st.lists(st.one_of(PIECES, HOSTS), max_size=30).map("".join)


def slow(text: str, **options: Any) -> list[Finding]:
    """The findings without the fast path."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_path, "DIALECTS", frozenset())
        return extract(text, **options)


@settings(max_examples=1000)
@given(text=TEXTS, joins=st.sampled_from(LEVELS), bare_hosts=st.booleans())
def test_the_fast_path_reads_what_the_plain_path_reads(text: str, joins: str, *, bare_hosts: bool) -> None:
    """This holds with further schemes and with hosts without a scheme."""
    options: dict[str, Any]
    options = {"joins": joins, "schemes": ("doi", "magnet", "x"), "bare_hosts": bare_hosts, "invalid": True}
    assert extract(text, **options) == slow(text, **options)


@settings(max_examples=1000)
@given(TEXTS)
def test_the_pieces_of_a_bare_host_are_in_the_text(text: str) -> None:
    """The URL is a scheme and the pieces, which are in text order without overlap."""
    done = 0
    for finding in extract(text, bare_hosts=True, invalid=True):
        stands = "".join(text[piece.start : piece.end] for piece in finding.pieces)
        before = finding.url.removesuffix(stands)
        assert before in {"", "http://", "ftp://"}
        assert not before or (finding.certainty == "inferred" and stands[:3].lower() in {"www", "ftp"})
        assert done <= finding.span.start <= finding.span.end <= len(text)
        done = finding.span.end


@pytest.mark.parametrize(
    "name", ["", "1x", "ht tp", "git:", "git://", "+a", "a/b", "é", "a\n", "a" * (LONGEST_SCHEME + 1)]
)
def test_an_impossible_scheme_name_raises(name: str) -> None:
    """The error names the rule (RFC 3986 3.1), is a ValueError too, and can be pickled."""
    for expected in (SchemeNameError, UrlgleanError, ValueError):
        with pytest.raises(expected, match=r"RFC 3986 3\.1"):
            extract("text", schemes=["doi", name])
    error = pickle.loads(pickle.dumps(SchemeNameError(name, 1)))
    assert (error.name, error.most) == (name, 1)


@pytest.mark.parametrize("schemes", ["doi", [b"doi"], [None]])
def test_schemes_of_another_type_are_refused(schemes: Any) -> None:
    """A str would otherwise be taken for a list of its letters."""
    with pytest.raises(TypeError):
        extract("text", schemes=schemes)


def test_the_longest_name_is_looked_for() -> None:
    """A longer name is refused."""
    name = "a" * LONGEST_SCHEME
    (finding,) = extract(f"see {name}:b c", schemes=[name])
    assert finding.url == f"{name}:b"


def test_names_are_the_same_in_any_case_and_number() -> None:
    """Case does not matter in schemes (RFC 3986 3.1), nor does a repetition. No options mean the usual search."""
    assert search_terms(["DOI", "doi"]) == search_terms(("Doi",))
    assert search_terms() == search_terms([], bare_hosts=False) == USUAL


@pytest.mark.parametrize("name", ["x", "tel", "http", "z39.50", "git+x", "-".join(["ab"] * 9)])
def test_a_name_is_looked_for_with_slashes_and_without(name: str) -> None:
    """Among the names are one of one letter, known ones, and names with signs."""
    text = f"see {name}:b/c and {name.upper()}://d.example/ or {name}: e"
    urls = [finding.url for finding in extract(text, schemes=[name], invalid=True)]
    assert urls == [f"{name}:b/c", f"{name.upper()}://d.example/"]


def test_a_broken_scheme_of_ones_own_is_joined_in_brackets() -> None:
    """It is joined like a known scheme."""
    (finding,) = extract("see <mag\n> net:?xt=urn:x> there", schemes=["magnet"])
    assert finding.url == "magnet:?xt=urn:x"


def test_nothing_is_found_that_was_not_asked_for() -> None:
    """Each option is independent of the other."""
    text = "www.example.org/a or doi:10.1/b"
    assert extract(text) == []
    assert [finding.url for finding in extract(text, schemes=["doi"])] == ["doi:10.1/b"]
    assert [finding.url for finding in extract(text, bare_hosts=True)] == ["http://www.example.org/a"]


def test_a_host_without_a_scheme_is_less_sure_than_with_one() -> None:
    """This holds in every wrapper and bare."""
    assert counts()["bare-host"].of >= 100
    assert "bare-host" in KINDS
    for around in ("see {} there", "see {}.", "<{}>", '"{}"', "<URL:{}>", "URL: {} ok", "<URL:{}\nx>", "{}\nword"):
        (with_one,) = extract(around.format("http://www.example.org/a/"))
        (without,) = extract(around.format("www.example.org/a/"), bare_hosts=True)
        assert (without.url, without.wrapper) == (with_one.url, with_one.wrapper)
        assert without.rivals == with_one.rivals
        assert without.confidence == with_one.confidence * confidence_of("bare-host") < with_one.confidence
        assert without.certainty == "inferred"


def test_a_host_of_too_many_labels_is_not_found() -> None:
    """The beginning of it is not found either."""
    assert extract(f"www{'.ab' * 20}", bare_hosts=True)
    assert not extract(f"www{'.ab' * 30}", bare_hosts=True)


def test_span_and_pieces_do_not_include_the_assumed_scheme() -> None:
    """The places of problems, however, are in the URL."""
    (finding,) = extract("see www.example.org/a b", bare_hosts=True)
    assert (finding.url, finding.span, finding.pieces) == ("http://www.example.org/a", Span(4, 21), (Span(4, 21),))
    assert finding.parts is not None
    assert finding.parts.host == "www.example.org"
    (finding,) = extract("www.example.org/%zz x", bare_hosts=True, invalid=True)
    assert [problem.span_in_url for problem in finding.problems] == [Span(23, 26)]


def test_the_line_end_is_weighed_with_the_scheme() -> None:
    """The evidence is about the URL with its assumed scheme, at its place in the text."""
    tail = "www.example.org/archive/statistics/of/the/year/nineteen-ninety/\neight/by-month.html\n\n"
    (without,) = weighed(tail, {0}, search_terms=search_terms(bare_hosts=True))[0]
    at = first_break(f"http://{tail}")
    assert {term.feature for term in without.terms} >= {"ends in a separator", "token holds an extension"}
    assert without.at == at.length - len("http://")
    (at_slash,) = weighed("www.example.org/\nlist.txt\n\n", {0}, search_terms=search_terms(bare_hosts=True))[0]
    assert "a host and its slash" in {term.feature for term in at_slash.terms}
    text = "See www.example.org/a too"
    candidates = list(scan_text(text, fast=False, search_terms=search_terms(bare_hosts=True)))
    assert Evidence(text, candidates).counts["http://www.example.org/a"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "www." * 20_000,
        "www.a" + ".b" * 50_000 + "@",
        "www.a.b " * 20_000,
        "doi:" * 20_000,
        "<www.a.b\n" * 10_000,
        "www.aa.bb:" * 20_000,
    ],
)
def test_hostile_texts_are_read_whole(text: str) -> None:
    """The texts have many hosts, very long ones, and wrappers that are never closed."""
    extract(text, schemes=["doi"], bare_hosts=True, invalid=True)


@pytest.mark.parametrize(
    "around", ["_{}_", "__{}__", "*{}*", "**{}**", "(_{}_).", "_see {}_", "_{}/_", "*the site {}*", "_{}_, or"]
)
def test_a_host_without_a_scheme_may_be_emphasized(around: str) -> None:
    """The signs are no part of it, and it is no part of a name."""
    (found,) = extract(around.format("www.example.org"), bare_hosts=True)
    assert found.url.rstrip("/") == "http://www.example.org"


@pytest.mark.parametrize("name", ["x_{}", "x__{}", "a@_{}", "{}_x", "{}__x", "x.{}", "@.{}"])
def test_a_name_in_which_such_a_host_stands_is_none(name: str) -> None:
    """Underscores may belong to the names of files and variables."""
    assert not extract(f"see {name.format('www.example.org')} now", bare_hosts=True)


@pytest.mark.parametrize("sign", [",", ";"])
def test_hosts_without_schemes_may_be_a_list(sign: str) -> None:
    """Each has its path. Behind a "?", and in a URL with its scheme, such a host is a value."""
    text = f"www.example.org/a{sign}www.example.net/b{sign}ftp.example.com"
    assert [found.url for found in extract(text, bare_hosts=True)] == [
        "http://www.example.org/a",
        "http://www.example.net/b",
        "ftp://ftp.example.com",
    ]
    for url in (f"www.example.org/?a=b{sign}www.example.net/c", f"http://h.example/a{sign}www.example.net"):
        (found,) = extract(url, bare_hosts=True)
        assert found.url.endswith(url)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("www.a.example.Accessed: 2023-08-08.", "www.a.example"),
        ("www.a.example/b.html.Contact: ann@b.example", "www.a.example/b.html"),
        ("www.a.example/b.html:-) x", "www.a.example/b.html"),
        ("www.a.example,Email:ann@b.example", "www.a.example"),
    ],
)
def test_the_colon_of_other_text_ends_no_scheme(text: str, url: str) -> None:
    """A host has the characters of a scheme."""
    assert [each.url for each in extract(f"see {text}", bare_hosts=True)] == [f"http://{url}"]


@pytest.mark.parametrize("font", [r"\fI", r"\fB", r"\f(CW", r"\f[R]", r"\s-1", r"\s+2", r"\s0"])
def test_a_host_may_stand_behind_a_change_of_font(font: str) -> None:
    """As roff writes it in manual pages (groff(7))."""
    for host in ("www.a.example", "www.a.example/b.html"):
        (found,) = extract(f"see {font}{host}\\fP.", bare_hosts=True)
        assert found.url == f"http://{host}"


@pytest.mark.parametrize("escape", [r"\n", r"\r\n", r"\t"])
def test_a_host_may_stand_behind_an_escape_of_source_code(escape: str) -> None:
    """Its letter does not belong to the host; that of another name does."""
    assert extract(f'"see{escape}www.a.example/b"', bare_hosts=True)[0].url == "http://www.a.example/b"
    assert not extract(r'"see\awww.a.example/b nwww.a.example"', bare_hosts=True)


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("die www.amazon.de-Seite hat", ["www.amazon.de"]),
        ("www.h.example.com- foo", ["www.h.example.com"]),
        ("www.h.example.com-এ foo", ["www.h.example.com"]),
        ("www.google.com(URL)을", ["www.google.com"]),
        ("www.google.com(2) or www.heise.de(1)", ["www.google.com", "www.heise.de"]),
        ("הטופס ב-www.a.co.il, וודאו", ["www.a.co.il"]),
        ("münchen-ü-www.a.example x", []),
        ("сайт-www.a.example/b x", ["www.a.example/b"]),
        ("see www.h.example.co.jp(Homepage) and", ["www.h.example.co.jp"]),
        ("www.a.de-b.example x", ["www.a.de-b.example"]),
        (
            "x\n-www.a.example: for\n#www.b.example\n//www.c.example\n",
            ["www.a.example", "www.b.example", "www.c.example"],
        ),
        ("see\n1.www.b.example/perf.html\r\n12.www.c.example\n", ["www.b.example/perf.html", "www.c.example"]),
        ("-\n+www.b.example\n", ["www.b.example"]),
        *((f"{begin}1.www.b.example\n", ["www.b.example"]) for begin in ("", "x\n  ", "x\n> ", "x\n\t")),
        *((f"x\n{margin}-www.b.example\n", ["www.b.example"]) for margin in ("  ", "> ", ">> ", "    ")),
        ('"www.b.de-Seite" <www.c.de-Seite>', ["www.b.de", "www.c.de"]),
        *(
            (text, [])
            for text in (
                "x ftp.cd(up)",
                "x ftp.server.cd(up)",
                "x ftp.server.cd(up)",
                "www.foo.bar(x)",
                "www.test.pl(23)",
                "a-www.b.com",
                "at 1.www.b.com",
                "x#www.b.com",
                "a//www.b.com",
            )
        ),
    ],
)
def test_a_host_without_a_scheme_beside_a_mark_a_bracket_or_a_hyphen(text: str, hosts: list[str]) -> None:
    """A mark begins the line; behind a known top level domain, the rest of a word or a remark follows."""
    found = extract(text, bare_hosts=True)
    assert [each.url for each in found] == [f"http://{host}" for host in hosts]
