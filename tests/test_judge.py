"""Verdicts: problems with their places and messages, cautions, and what all dialects have in common."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import urlglean
from urlglean.errors import UnknownNameError
from urlglean.grammar.codes import CODES
from urlglean.grammar.dialect_tables import GRAMMARS
from urlglean.records import Dialect, Problem
from urlglean.testing import near_misses, urls
from urlglean.text import web
from urlglean.text.cautions import CAUTIONS
from urlglean.text.diagnostics import BAD_CHARS, MISTAKES
from urlglean.text.judge import judge_of, validate

SETTINGS = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
TEN = [row.name for row in GRAMMARS["rfc1738"].schemes]


def problems(url: str, dialect: Dialect = "rfc1738") -> list[tuple[str, str]]:
    """The codes of a URL's problems, each with the characters at its place."""
    return [
        (problem.code, url[problem.span_in_url.start : problem.span_in_url.end])
        for problem in validate(url, dialect).problems
    ]


def only_problem(url: str, dialect: Dialect = "rfc1738") -> Problem:
    """The only problem of a URL."""
    (problem,) = validate(url, dialect).problems
    return problem


def test_a_problem_says_what_to_write_instead() -> None:
    """The message has the character, its place, the production and section, and its encoding."""
    assert only_problem("http://host/pub/users/~me").message == (
        "`~` at 22: not allowed unencoded in hsegment (RFC 1738 2.2, 5); write %7E"
    )
    assert only_problem("http://host/é", "rfc1738").message.endswith("write %C3%A9")
    assert only_problem("http://host/\udcff", "rfc1738").message.endswith("write %FF")  # an octet (PEP 383)
    assert only_problem("http://host/\ud800", "rfc1738").message.endswith("write %ED%A0%80")
    assert only_problem("http://host/pub/users/~me").rule == "RFC 1738 3.3 hsegment"


def test_a_message_says_what_was_read_and_what_is_expected() -> None:
    """It has the beginning that was read, the wrong character, the production, and what the production allows."""
    assert only_problem("http://host:8o/").message == (
        "`o` at 13 cannot stand after `http://host:8`: port takes a digit, `/` or the end"
    )
    assert only_problem("wais://host/db/type").message == (
        "something is missing after `wais://host/db/type`: "
        "wtype takes a letter, a digit, an encoded character or one of !$'()*+,-./_"
    )


def test_a_message_repeats_the_end_of_a_long_url() -> None:
    """It repeats the last 32 characters that were read, so that a message fits in a line."""
    message = only_problem("http://" + "a" * 1000 + "!").message
    assert f"`…{'a' * 32}`" in message
    assert "a" * 33 not in message


@pytest.mark.parametrize(
    ("url", "dialect", "expected"),
    [
        ("http://h/a b~c\x00", "rfc1738",
         [("space", " "), ("national-character", "~"), ("control-character", "\x00")]),
        ("http://h/a b#c d", "current", [("space", " "), ("space", " ")]),
        ("http://h/%zz%41%4", "current", [("bad-escape", "%zz"), ("bad-escape", "%4")]),
        ("http://h/%", "early", [("bad-escape", "%")]),
        ("http://h/{é}", "early",
         [("national-character", "{"), ("not-ascii", "é"), ("national-character", "}")]),
        ("http:/h/", "current", [("one-slash", "http:/")]),
        ("HTTPS:h", "current", [("no-slashes", "HTTPS:")]),
        ("http://http://h/", "current", [("doubled-scheme", "http://http://")]),
        ("https://http://h/", "current", [("doubled-scheme", "https://http://")]),
        ("ftp://ftp://h/", "current", [("doubled-scheme", "ftp://ftp://")]),
        ("x-new://http://h/", "current", [("doubled-scheme", "http")]),
        ("http://http://h/", "rfc1738", [("doubled-scheme", "http://http://")]),
        ("gopher://u@h/", "current", [("user-not-allowed", "gopher://u@")]),
        ("http://my_host/", "current", []),
        ("http:///a", "current", [("unexpected-character", "/")]),
        ("http://a..b/", "current", [("unexpected-character", ".")]),
        ("http://[::1/", "current", [("unexpected-character", "/")]),
        ("", "current", [("no-scheme", "")]),
        ("host/path", "current", [("no-scheme", "host/path")]),
        ("mailto:", "current", [("incomplete", "")]),
        ("news:", "current", [("incomplete", "")]),
        ("http://" + "a" * 63 + "/", "current", []),
        ("http://" + "a" * 64 + "/", "current", [("unexpected-character", "a")]),
    ],
)  # fmt: skip
def test_each_mistake_has_its_code_and_place(url: str, dialect: Dialect, expected: list[tuple[str, str]]) -> None:
    """All problems are reported if their places are well defined; otherwise only the first one."""
    assert problems(url, dialect) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://host/", []),
        ("ftp://user:pw@host/", ["password"]),
        ("ftp://user:@host/", ["password"]),
        ("ftp://user@host/", []),
        ("http://www.bank.example@evil.example/", ["user-like-host"]),
        ("http://www.bank.example%2Flogin@evil.example/", ["user-like-host"]),
        ("http://host:80/", []),
        ("http://host:25/", ["odd-low-port"]),
        ("gopher://host:25/1", ["odd-low-port"]),
        ("http://host:1024/", []),
        ("ssh://host:22/", []),
        ("x-new://host:22/", ["experimental-scheme"]),
        ("http://host:65535/", []),
        ("http://host:65536/", ["port-too-high"]),
        ("http://host:" + "9" * 5000 + "/", ["port-too-high"]),
        ("telnet://a%0D%0Ab@host", ["encoded-line-end"]),
        ("http://host/%00", ["encoded-line-end"]),
        ("http://host/%0b", []),
        ("http://2130706433/", ["disguised-host"]),
        ("http://0x7f.0.0.1/", ["disguised-host"]),
        ("http://0177.0.0.1/", ["disguised-host"]),
        ("http://127.1/", ["disguised-host"]),
        ("http://127.0.0.1/", []),
        ("http://256.0.0.1/", ["quad-too-high"]),
        ("http://xn--bcher-kva.example/", ["punycode-host"]),
        ("http://bücher.example/", []),
        ("http://p\u0430ypal.example/", ["mixed-script-host"]),  # a Cyrillic a
        ("http://xn--pypal-4ve.example/", ["punycode-host", "mixed-script-host"]),  # the same, encoded
        ("http://\u043f\u0440\u0438\u043c\u0435\u0440.example/", []),  # each label in one script
        ("http://ho\u034fst.example/", ["invisible-in-host"]),
        ("http://host.ex\ufe0fample/", ["invisible-in-host"]),
        ("http://ho\u180bst/", ["invisible-in-host"]),
        ("http://\u115fhost/", ["invisible-in-host"]),
        ("http://host\u3164/", ["invisible-in-host"]),
        ("http://ho\u200bst/", ["invisible-in-host"]),
        ("http://xn--host-16c.example/", ["punycode-host", "invisible-in-host"]),
        ("http://host/a\ufe0f\u200d?b\u034f#\u3164", []),  # in scripts that need these characters
        ("http://ho\u200est/", ["invisible-in-host", "bidi-control"]),
        ("http://host/a%E2%80%AEb", ["bidi-control"]),
        ("http://host/a\u202eb", ["bidi-control"]),
        ("afs://host/a", ["reserved-scheme"]),
        ("nfs://host/a", []),
    ],
)
def test_cautions(url: str, expected: list[str]) -> None:
    """Each caution is made for a valid URL with its danger, and not for similar URLs without it."""
    verdict = validate(url)
    assert verdict.valid
    assert list(verdict.cautions) == expected


def test_reserved_names_are_reserved_until_a_document_defines_them() -> None:
    """RFC 1738 4 reserves seven names; later documents gave four of them a syntax."""
    names = ["afs", "mid", "cid", "nfs", "tn3270", "mailserver", "z39.50"]
    urls_of = {name: f"{name}:a@b" if name in {"mid", "cid"} else f"{name}://host/" for name in names}
    assert all(validate(url, "rfc1738").cautions == ("reserved-scheme",) for url in urls_of.values())
    assert [name for name in names if validate(urls_of[name]).cautions] == ["afs", "mailserver", "z39.50"]


def test_the_table_of_codes_is_complete() -> None:
    """It has each code that a rule, mistake or caution can give, with the right kind, and no others."""
    rules = {rule.code for table in GRAMMARS.values() for row in (*table.schemes, table.other) for rule in row.rules}
    walked = {"bad-escape", "underscore-in-host", "unexpected-character", "incomplete"}
    refused = {"host-missing", "host-invalid", "port-invalid"}
    about_the_text = {"unclosed-wrapper", "too-many-readings", "simply-read", "template", "unlike-a-url"}
    given_by_judging = rules | {row.code for row in MISTAKES} | {row.code for row in BAD_CHARS} | walked | refused
    cautions = {row.code for row in CAUTIONS} | {row.code for row in web.CAUTIONS}
    assert {code.name for code in CODES.values() if code.kind == "problem"} == given_by_judging | about_the_text
    assert {code.name for code in CODES.values() if code.kind == "caution"} == cautions
    assert all(code.source.startswith(("RFC ", "URL Standard ", "guess")) and code.meaning for code in CODES.values())


def test_problems_about_the_text_are_in_the_table_of_codes() -> None:
    """They are made for an unclosed wrapper, and for hyphens that would give more readings than the bound."""
    hyphens = "<URL:http://host/" + "a-\n" * 12 + "b>"
    found = urlglean.extract("<URL:http://host/a " + "\n\n" + hyphens, invalid=True)
    codes = {problem.code for finding in found for problem in finding.problems}
    assert codes == {"unclosed-wrapper", "too-many-readings"}
    assert codes <= set(CODES)


@pytest.mark.parametrize("dialect", sorted(GRAMMARS))
@given(st.data())
@settings(SETTINGS, max_examples=300)
def test_every_verdict_is_consistent(dialect: Dialect, data: st.DataObject) -> None:
    """If it is not valid, it has problems with known codes and places in the URL; if it is valid, it has parts."""
    rows = GRAMMARS[dialect].schemes
    production = data.draw(st.sampled_from(sorted({row.production for row in rows})))
    url = data.draw(st.one_of(near_misses(production, dialect), st.text(max_size=20)))
    url += data.draw(st.one_of(st.just(""), st.text(max_size=5).map(lambda text: f"#{text}")))
    verdict = validate(url, dialect)
    assert verdict.valid == (verdict.parts is not None) == (not verdict.problems) == judge_of(dialect).valid(url)
    for problem in verdict.problems:
        assert 0 <= problem.span_in_url.start <= problem.span_in_url.end <= len(url)
        assert CODES[problem.code].kind == "problem"
        assert problem.message
    assert all(CODES[code].kind == "caution" for code in verdict.cautions)


def _stays(url: str) -> bool:
    """Whether the URL avoids two things that later documents forbid: "?" in a user, labels beyond 63 characters."""
    authority = re.match(r"[^:]*:(?://([^/]*))?", url)
    assert authority is not None
    user, _, host = (authority[1] or "").rpartition("@")
    return "?" not in user and all(len(label) <= 63 for label in host.split("."))  # RFC 3986 3.2, RFC 1034 3.1


@pytest.mark.parametrize("scheme", [name for name in TEN if name != "mailto"])
@given(st.data())
@SETTINGS
def test_urls_that_rfc_1738_allowed_stay_valid(scheme: str, data: st.DataObject) -> None:
    """`current` accepts the URLs that `rfc1738` accepts, except for what later documents forbid."""
    url = data.draw(urls(scheme, "rfc1738").filter(_stays))
    assert validate(url, "current").problems == ()


@given(urls("mailto", "rfc1738"))
@SETTINGS
def test_a_mailbox_of_rfc_1738_stays_valid(url: str) -> None:
    """The local part may hold anything except "?", which begins header fields now (RFC 6068 2)."""
    local = url.removeprefix("mailto:").rpartition("@")[0].replace("?", "x")
    assert validate(f"mailto:{local}@host.dom", "rfc1738").problems == ()
    assert validate(f"mailto:{local}@host.dom", "current").problems == ()


def test_the_early_dialect_takes_blanks_and_quotes() -> None:
    """They are in its production `extra`: RFC 1738 was the first to call them unsafe."""
    assert validate('gopher://host/00/Information About "Gopher"', "early").valid
    assert problems('gopher://host/00/a b"', "rfc1738") == [("space", " "), ("unsafe-character", '"')]


def test_schemes_of_no_row_are_judged_by_the_generic_syntax() -> None:
    """In `rfc1738`, https is judged as any other scheme, but http is not."""
    assert validate("https://user@host/", "rfc1738").valid
    assert not validate("http://user@host/", "rfc1738").valid


def test_a_judge_is_made_once_and_wrong_arguments_raise() -> None:
    """An unknown dialect and a URL that is no str raise."""
    assert judge_of("current") is judge_of("current")
    with pytest.raises(UnknownNameError, match="early"):
        validate("http://host/", "rfc822")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        validate(b"http://host/")  # type: ignore[arg-type]


def test_problems_behind_an_underscore_in_a_host_are_reported_too() -> None:
    """The underscore counts as a letter, so that the rest of the URL is read as usual (RFC 1738 3.1, 2.2)."""
    found = validate("http://foo_bar.example/~x y", "rfc1738").problems
    assert [(problem.code, problem.span_in_url.start) for problem in found] == [
        ("underscore-in-host", 10),
        ("national-character", 23),
        ("space", 25),
    ]


@pytest.mark.parametrize(
    ("url", "message_id", "fragment"),
    [
        ("news:M%gX8.524$9i3@h.example", "M%gX8.524$9i3@h.example", None),
        ("news:#$NFjad.369@h07", "#$NFjad.369@h07", None),
        ("snews:a^b#c@h.example#d", "a^b#c@h.example", "d"),
    ],
)
def test_an_unencoded_message_id_is_valid_with_a_caution(url: str, message_id: str, fragment: str | None) -> None:
    """By RFC 5538 4 it should be encoded. A "#" before the "@" begins no fragment."""
    verdict = validate(url)
    assert verdict.parts is not None
    assert (verdict.parts.message_id, verdict.parts.fragment) == (message_id, fragment)
    assert verdict.cautions == ("raw-message-id",)
    assert not validate(url, "rfc1738").valid


@pytest.mark.parametrize("url", ["news:a%41@h.example", "news:a@h.example#b", "news:comp.ovens#b"])
def test_an_encoded_message_id_has_no_caution(url: str) -> None:
    """A fragment may follow it."""
    assert validate(url).valid
    assert validate(url).cautions == ()


def test_an_encoded_blank_in_a_telephone_number_is_valid_with_a_caution() -> None:
    """RFC 3966 3 has other separators; in a parameter an encoded blank is allowed."""
    assert validate("tel:+1%20617").cautions == ("encoded-blank",)
    assert validate("tel:+1-617;ext=a%20b").cautions == ()
    assert not validate("tel:+%20").valid


@pytest.mark.parametrize(
    ("url", "fragment"),
    [
        ("snews://@[0:0:0:0:0:0:0:0]/##@-", None),
        ("news://jo@a.example/1#b@c#d", "d"),
        ("news://jo@a.example/#b", "b"),
        ("news://jo@a.example#b/c@d", "b/c@d"),
        ("news:1#b@c#d@e", "d@e"),
    ],
)
def test_a_fragment_of_news_begins_behind_the_message_id(url: str, fragment: str | None) -> None:
    """A "#" may be in the message-id, and an "@" in the server and in the fragment."""
    parts = validate(url).parts
    assert parts is not None
    assert parts.fragment == fragment


@pytest.mark.parametrize(
    ("url", "problems"),
    [
        ("geo:-90,180", 0),
        ("geo:90.0,-180;u=3", 0),
        ("geo:90.1,0", 1),
        ("geo:0,-181", 1),
        ("geo:0,181;crs=WGS84;u=3", 1),
        ("geo:4711,4711;crs=moon", 0),
        ("geo:4711,4711;u=3;crs=wgs84-moon", 0),
    ],
)
def test_a_place_on_the_globe_has_bounds(url: str, problems: int) -> None:
    """Values outside them must be considered invalid, in WGS-84 (RFC 5870 3.4.2)."""
    assert [problem.code for problem in validate(url).problems] == ["no-such-place"] * problems
