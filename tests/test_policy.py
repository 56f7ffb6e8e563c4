"""The policy: raw URLs, which the dialect refuses and browsers accept, are found; the others are rejected."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import urlglean
from growth import BOUND, growth
from urlglean.records import Dialect
from urlglean.text.confidence import CERTAIN, confidence_of
from urlglean.text.finding import Finding
from urlglean.text.policy import Policy
from urlglean.text.whole import read_whole

RAW = (
    "http://www.example.org/a|b",
    "http://www.example.org./a|b",
    "http://www.example.org/{0F3A21B7-66D0}x",
    "http://www.example.org/[a]/b^c",
    "http://www.example.org/Qur`an",
    "http://www.example.org/100%/x",
    "http://www.example.org/#a#b",
    "ftp://ann@www.example.org:21/a|b",
    "https://ann@corp.example:pw@www.example.org/a",
    "http://[2001:db8::1]/a|b",
    "http://localhost:8080/a|b",
    "file:///etc/a|b",
    "news://comp.lamps.oil-main",
    "mailto:ann··.@lam··s.example",
    # Escapes in the host, as spam has them: `www`, an address, a letter outside ASCII.
    "http://%77%77w.ex%61mple.org/a.html",
    "http://%32%31.2%33.%316%30.1%305/%7a",
    "http://%D0%BF.example.org/",
)


def read(text: str, dialect: Dialect = "current", *, strict: bool = False, invalid: bool = False) -> list[Finding]:
    """The findings of a text."""
    return urlglean.extract(text, dialect, strict=strict, invalid=invalid)


@pytest.mark.parametrize("url", RAW)
def test_raw_signs_are_found_with_their_problems(url: str) -> None:
    """Problems are the dialect's, parts are None, and cautions are those of the dialect that accepts the URL."""
    (found,) = read(f"see {url} now")
    verdict = urlglean.validate(url)
    assert (found.url, found.valid, found.rejected, found.certainty) == (url, verdict.valid, False, "plain")
    assert found.problems == verdict.problems
    if not found.valid:
        assert found.problems
        assert (found.dialect, found.taken_by, found.parts) == ("current", "web", None)
        assert found.cautions == urlglean.validate(url, "web").cautions
        assert found.confidence == confidence_of("raw")


@pytest.mark.parametrize("url", [url for url in RAW if not urlglean.validate(url).valid])
def test_strict_rejects_raw_urls(url: str) -> None:
    """They keep the dialect that was asked for."""
    assert read(f"see {url} now", strict=True) == []
    found = read(f"see {url} now", strict=True, invalid=True)[0]
    assert (found.valid, found.rejected, found.dialect, found.parts) == (False, True, "current", None)
    assert found.confidence == confidence_of("rejected")


@pytest.mark.parametrize(
    "url",
    [
        "http://www.exa mple.org/",
        "http://www.example.org/a b",
        "http://www.example.org/a\x07b|",
        "http://www.example.org/<b>",
        'http://www.example.org/"a',
        r"http://www.example.org\a",
        "http://www.example.org:8o/",
        "http://www.c-",
        "http://a..b/x|y",
        "http://'/x|y",
        "http://*.example.org/",
        "http://my_host/a|b",
        "http://%s/",
        "http://%20/",
        "http://a%20b.example.org/",
        "http://%HOST%/a",
        "http://a%2Fb.example.org/",
        "http://%00.example.org/",
        "http://www.example.my_host/a|b",
        "http://www.example.org/a]",
        "http://www.example.org/a}",
        "http://www.example.org/a%",
        "http://www.example.org/a%4",
        "http://ann@www.example.org/a|b",
        "http://ann@corp.example@www.example.org/a|b",
        "http://http://www.example.org/a|b",
        "mailto:Bar",
        "mailto:ann@/",
        "x-other:a|b",
        "www.example.org/a|b",
        "javascript:a|b",
        "http://1.2.3.256/a|b",
    ],
)
def test_urls_that_no_reader_would_copy_are_not_raw(url: str) -> None:
    """Signs that end a URL in any text, a missing host, a cut escape, unpaired brackets, an unknown scheme."""
    assert not Policy("current").raw(url)


def test_by_the_url_standard_a_url_has_to_look_like_one_too() -> None:
    """The URL Standard accepts nearly anything."""
    text = "http://... http://h.example/%s mailto:Bar http://my_host.example.org/a|b http:/www.example.org/ http:x"
    assert [(found.url, found.valid) for found in read(text, "web")] == [
        ("http://my_host.example.org/a|b", True),
        ("http:/www.example.org/", True),
    ]


def test_urls_that_an_older_dialect_refuses_are_raw_there() -> None:
    """RFC 1738 allows no tilde. A user name where none is allowed may mislead, so that URL is rejected."""
    (found,) = read("http://www.example.org/~ann/ http://ann@www.example.org/", "rfc1738")
    assert (found.url, found.valid) == ("http://www.example.org/~ann/", False)
    assert [problem.code for problem in found.problems] == ["national-character"]


PROSE = (
    "This is a line of prose of the length that lines of prose have, I am sure of it,\n"
    "and here is another line of prose that is nearly as long as the one before it is\n"
)


def test_the_first_line_is_read_if_the_joined_reading_is_no_url() -> None:
    """The confidence is low if the URL very probably goes on."""
    doubtful = f"{PROSE}{'x ' * 17}http://www.example.org/lamps/oilandwicksforthe\nlamps/100%/x.html y z\n"
    (found,) = read(doubtful)
    assert (found.url, found.joins) == ("http://www.example.org/lamps/oilandwicksforthe", ())
    assert found.confidence < 0.5
    sure = f"{PROSE}http://www.example.org/lamps/of-the-old-kitchen-and-all-that-stood-in-the-old-ki\nnd/%zz.html\n"
    (found,) = read(sure)
    assert found.joins == ()
    assert found.confidence < 0.1


def test_a_cut_escape_speaks_against_a_join() -> None:
    """A reader may copy such a URL from one line, but nobody would join two lines to get it."""
    policy = Policy("current")
    for url, takes in [("http://a.example/4%2=e1", False), ("http://a.example/a|b", True), ("http://a.example/", True)]:
        assert policy.takes(url)
        assert policy.joins(url) == takes


@given(st.text(alphabet='htp:/.a[]{}|^`%\\"<>( \n', max_size=40))
@settings(max_examples=400, deadline=None)
def test_strict_only_takes_away(text: str) -> None:
    """Valid findings stay as they are, and all findings are valid. Without `strict`, raw ones are found too."""
    text = f"http://a.example/{text}"
    lenient, strict = read(text), read(text, strict=True)
    assert all(found.valid for found in strict)
    assert [found.url for found in lenient if found.valid and not found.rivals] == [
        found.url for found in strict if found.url in {each.url for each in lenient if each.valid and not each.rivals}
    ]
    for found in lenient:
        assert found.valid == urlglean.validate(found.url).valid
        assert not found.rejected
        assert "".join(text[piece.start : piece.end] for piece in found.pieces) == found.url


@pytest.mark.parametrize(
    ("value", "valid", "rejected"),
    [
        ("http://h.example/a|b", False, False),
        ("http://h.example/{x}", False, True),
        ("http://h.example/", True, False),
    ],
)
def test_a_link_of_html_is_judged_by_the_same_policy(value: str, valid: bool, rejected: bool) -> None:  # noqa: FBT001
    """Its confidence is 1, because nothing of it was guessed."""
    found = read_whole(value)
    assert (found.url, found.valid, found.rejected) == (value, valid, rejected)
    assert (found.confidence == CERTAIN) != rejected
    assert read_whole(value, strict=True).rejected != valid


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("jdbc:mysql://a.example/x z", "jdbc:mysql://a.example/x"),
        ("view-source:http://a.example/ z", "view-source:http://a.example/"),
    ],
)
@pytest.mark.parametrize("dialect", ["current", "web"])
def test_schemes_around_a_url_are_part_of_it_in_each_dialect(text: str, url: str, dialect: Dialect) -> None:
    """This includes `web`, which accepts anything behind a scheme."""
    (found,) = urlglean.extract(text, dialect)
    assert (found.url, found.valid, found.certainty) == (url, True, "plain")


@pytest.mark.parametrize(("text", "code"), [("http://h.example/%s z", "template"), ("mailto:x@- z", "unlike-a-url")])
def test_every_rejected_candidate_has_a_problem(text: str, code: str) -> None:
    """The dialect accepts these, but they are templates or do not look like URLs."""
    (found,) = (each for each in urlglean.extract(text, "web", invalid=True) if each.rejected)
    assert [problem.code for problem in found.problems] == [code]


@pytest.mark.parametrize(
    "value",
    [
        "mailto:jo@a.example?subject=so and so",
        "http://a.example/so so.html",
        "cid:part1",
        "http://%61.example/",
        "http://a.example/?off=20%&so=1",
        "http://a.example/?q=so%u00df",
        "http://a.example/100%-so.html",
        "http://a.example/?off=20%",
        "http://a.example/%2",
        "notes:https://a.example/so.one#so&id={0A1B2C3D-0A1B-0A1B-0A1B-0A1B2C3D4E5F}&end",
        "word:so|u|https://a.example/so.docx",
        "chat://send?text=so so",
        "so:so so",
        "mailto: jo@a.example",
    ],
)
def test_an_attribute_that_browsers_accept_is_raw(value: str) -> None:
    """A blank, or any other sign, in an attribute's value belongs to the URL; so does a `%` that begins no escape.

    The scheme need not be known.
    """
    found = read_whole(value)
    assert (found.valid, found.rejected) == (False, False)
    assert read_whole(value, strict=True).rejected


@pytest.mark.parametrize(
    "value",
    [
        "http://a.example/%s",
        "http://a.example/%(so)s",
        "http://a.example/%SO_SO%/",
        "http://a .example/",
        "mailto:",
        "so: so so",
        "so:{so}",
        "so://s o/",
        "so so",
        "%2",
    ],
)
def test_an_attribute_that_is_no_url_to_browsers_is_rejected(value: str) -> None:
    """Examples are templates, values that browsers refuse, and prose with a colon."""
    assert read_whole(value).rejected


def test_web_rejects_an_invalid_address() -> None:
    """The address has two runs of zeros left out."""
    assert read("see http://[1::2::3]/ x", "web") == []


@pytest.mark.parametrize("scheme", ["news", "mid", "mailto"])
def test_the_domain_of_an_address_may_be_a_literal(scheme: str) -> None:
    """RFC 5321 4.1.3; in the URL of an article, the standard wants its brackets encoded (RFC 5538 2.2)."""
    assert not read(f"{scheme}:[name]@[domain]")
    for wrapper in ("{}", "<{}>", "<URL:{}>"):
        assert [found.url for found in read(wrapper.format(f"{scheme}:p04@[192.0.2.1]"))] == [
            f"{scheme}:p04@[192.0.2.1]"
        ]


def test_many_users_are_read_once() -> None:
    """An authority is divided at its last sign."""
    assert (
        growth(Policy("current").raw, lambda size: f"http://{'@' * (size // 2)}:{'x' * (size // 2)}@h.example/ ")
        < BOUND
    )
