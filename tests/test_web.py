"""The dialect of the URL Standard: the library's answers, and what is reported about a URL."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import urlglean
from urlglean.grammar.codes import CODES
from urlglean.text.judge import judge_of, unsplit, validate

UNITS = "special-scheme-missing-following-solidus", "invalid-reverse-solidus", "invalid-url-unit"


@pytest.mark.parametrize(
    ("url", "href"),
    [
        ("HTTP://User:@WWW.Example.ORG:80/a/../b?c#d", "http://User@www.example.org/b?c#d"),
        ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
        ("http://h.example/a b|{c}[d]", "http://h.example/a%20b|%7Bc%7D[d]"),
        ("http://sub_domain.example.org", "http://sub_domain.example.org/"),
        ("http:www.example.org/", "http://www.example.org/"),
        (r"http:\\www.example.org\a", "http://www.example.org/a"),
        ("http://www.exam\nple.org/", "http://www.example.org/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("mailto:ann@example.org", "mailto:ann@example.org"),
        ("web+demo:/.//not-a-host/", "web+demo:/.//not-a-host/"),
        ("news://group.example", "news://group.example"),
        ("http://h.example/\udc80", "http://h.example/%EF%BF%BD"),
    ],
)
def test_href_is_the_url_as_browsers_write_it(url: str, href: str) -> None:
    """The parts are those of `href` (URL Standard 4.5)."""
    verdict = validate(url, "web")
    assert (verdict.valid, verdict.href, verdict.problems) == (True, href, ())
    assert verdict.parts is not None
    assert unsplit(verdict.parts, "web") == href


def test_parts_are_named_as_in_the_other_dialects() -> None:
    """The slash before a path is not part of it; absent is None, empty is ""."""
    parts = validate("ftp://ann:pass@h.example:2121/a/b?#", "web").parts
    assert parts is not None
    assert (parts.scheme, parts.user, parts.password, parts.host, parts.port) == (
        "ftp",
        "ann",
        "pass",
        "h.example",
        "2121",
    )
    assert (parts.path, parts.search, parts.fragment) == ("a/b", "", "")
    bare = validate("news://h.example", "web").parts
    assert bare is not None
    assert (bare.user, bare.password, bare.port, bare.path, bare.search, bare.fragment) == (None,) * 6
    opaque = validate("mailto:ann@example.org", "web").parts
    assert opaque is not None
    assert (opaque.host, opaque.path) == (None, "ann@example.org")


def test_href_is_none_for_grammars_and_invalid_urls() -> None:
    """Only the library writes URLs anew."""
    assert validate("http://h.example/").href is None
    assert validate("http://", "web").href is None


@pytest.mark.parametrize(
    ("url", "code", "part"),
    [
        ("/a/b", "no-scheme", "/a/b"),
        ("//h.example/", "no-scheme", "//h.example/"),
        ("www.example.org", "no-scheme", "www.example.org"),
        ("http://", "host-missing", ""),
        ("http://ann@:80/", "host-missing", ""),
        ("http://a b/", "host-invalid", "a b"),
        ("http://1.2.3.256/", "host-invalid", "1.2.3.256"),
        ("http://ann@a^b:80/", "host-invalid", "a^b"),
        ("http://[::1/", "host-invalid", "[::1"),
        ("http://h.example:65536/", "port-invalid", "65536"),
        ("http://[::1]:8o/", "port-invalid", "8o"),
        ("other://h:99999/", "port-invalid", "99999"),
        ("file://h:80/", "host-invalid", "h:80"),
    ],
)
def test_the_problem_names_the_part(url: str, code: str, part: str) -> None:
    """The parser stops at its first error, so there is one problem."""
    verdict = validate(url, "web")
    (problem,) = verdict.problems
    assert (verdict.valid, verdict.parts) == (False, None)
    assert (problem.code, url[problem.span_in_url.start : problem.span_in_url.end]) == (code, part)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://h.example/a?b#c", ()),
        ("http://h.example/%C3%BC/ü/😀", ()),
        ("http:h.example/", UNITS[:1]),
        ("http:/h.example/", UNITS[:1]),
        ("http:///h.example/", UNITS[:1]),
        (r"http:\\h.example/", UNITS[:1]),
        (r"http://h.example\a", UNITS[1:2]),
        ("http://h.example/a|b", UNITS[2:]),
        (r"http://h.example/?\a", UNITS[2:]),
        ("http://h.example/100%", UNITS[2:]),
        ("http://h.example/#a#b", UNITS[2:]),
        ("http://h.ex\tample/", UNITS[2:]),
        (" http://h.example/", UNITS[2:]),
        ("file:///etc", ()),
        ("file:////etc", ()),
        ("file:/etc", UNITS[:1]),
        ("other:/a", ()),
        (r"other:a\b", UNITS[2:]),
    ],
)
def test_cautions_are_the_standards_validation_errors(url: str, told: tuple[str, ...]) -> None:
    """The URL is valid despite these errors (URL Standard 1.1)."""
    assert set(validate(url, "web").cautions) == set(told)


@given(st.text(alphabet="htp:fie/\\.@[]%#?| \t_x1\u00fc\udc80", max_size=24))
@settings(max_examples=500, deadline=None)
def test_every_verdict_is_consistent(text: str) -> None:
    """A valid URL has parts, which give its `href`, and `href` is unchanged if judged again.

    An invalid one has one problem.
    """
    for url in (text, f"http:{text}", f"file:{text}", f"other:{text}"):
        verdict = validate(url, "web")
        assert verdict.valid == judge_of("web").valid(url) == (verdict.parts is not None) == (not verdict.problems)
        for problem in verdict.problems:
            assert 0 <= problem.span_in_url.start <= problem.span_in_url.end <= len(url)
            assert CODES[problem.code].kind == "problem"
        if verdict.parts is not None and verdict.href is not None:
            assert unsplit(verdict.parts, "web") == verdict.href
            assert validate(verdict.href, "web").href == verdict.href
        assert all(CODES[code].kind == "caution" for code in verdict.cautions)


def test_the_library_is_imported_only_when_it_is_used() -> None:
    """A run that does not need it does not pay for its import."""
    code = "import sys, urlglean; urlglean.extract('see http://a.example/x, and {}'); print('ada_url' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout == "False\n"


def test_extract_finds_urls_by_this_dialect() -> None:
    """`extract` accepts it like any other dialect."""
    (found,) = urlglean.extract("see http://my_host.example.org/[a]/b now", "web")
    assert (found.url, found.valid, found.problems) == ("http://my_host.example.org/[a]/b", True, ())


@pytest.mark.parametrize("url", ["gs://my_bucket/x", "http://web_1:8000/", "redis://ann:pw@my_redis:6379/0"])
def test_a_name_outside_the_dns_may_hold_underscores(url: str) -> None:
    """Buckets and containers have such names; this dialect and RFC 3986 3.2.2 accept them."""
    (found,) = urlglean.extract(f"see {url} now", "web")
    assert (found.url, found.valid) == (url, True)


@pytest.mark.parametrize("wrapped", ["{}", "<{}>", "<URL:{}>"])
@pytest.mark.parametrize("scheme", ["ldap", "ldaps", "file"])
def test_some_schemes_need_no_host(scheme: str, wrapped: str) -> None:
    """RFC 4516 4 has such examples: the client knows a server."""
    url = f"{scheme}:///o=The%20Oven,c=US"
    (found,) = urlglean.extract(f"see {wrapped.format(url)} now", "web")
    assert (found.url, found.valid) == (url, True)


@pytest.mark.parametrize("url", ["http://_/x", "http://my_/x", "http://.../x", "http://{my_host}/x"])
def test_a_placeholder_is_no_such_name(url: str) -> None:
    """It begins and ends with a letter or digit."""
    assert urlglean.extract(f"see {url} now", "web") == []


def test_cautions_are_about_the_host_as_written() -> None:
    """In `href`, a disguised address is a plain one, and a name outside ASCII is punycode."""
    assert validate("http://0x7f.1/", "web").cautions == ("disguised-host",)
    assert validate("http://ho%CD%8Fst.example/", "web").cautions == ("invisible-in-host",)
    assert validate("http://ho\u034fst.example/", "web").cautions == ("invisible-in-host",)
    assert validate("http://exämple.example/", "web").cautions == ()
    assert validate("http://xn--exmple-cua.example/", "web").cautions == ("punycode-host",)
