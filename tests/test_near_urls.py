"""Near-URLs are rejected, with the meant URL as a rival. Prose is no near-URL."""

from __future__ import annotations

import pytest

import urlglean
from urlglean.records import Dialect
from urlglean.text.finding import Finding
from urlglean.text.near_urls import with_slashes


def read(text: str, dialect: Dialect = "current", *, strict: bool = False, invalid: bool = False) -> list[Finding]:
    """The findings of a text."""
    return urlglean.extract(text, dialect, strict=strict, invalid=invalid)


@pytest.mark.parametrize(
    ("url", "meant", "code"),
    [
        ("http:/www.acm.example.org/x", "http://www.acm.example.org/x", "one-slash"),
        ("http:www.x.example/", "http://www.x.example/", "no-slashes"),
        ("ftp:ftp.x.example", "ftp://ftp.x.example", "no-slashes"),
        (r"http:\\www.x.example\y\z", "http://www.x.example/y/z", "no-slashes"),
        (r"HTTPS:\\www.x.example:8080\y?a", "HTTPS://www.x.example:8080/y?a", "no-slashes"),
        (r"http:/\www.x.example/", "http://www.x.example/", "one-slash"),
    ],
)
def test_near_urls_are_rejected_with_what_was_meant(url: str, meant: str, code: str) -> None:
    """By default nothing is found; a backslash does not count as a slash."""
    text = f"see {url}, there"
    assert read(text) == []
    (found,) = read(text, invalid=True)
    assert (found.url, found.rejected, found.rivals) == (url, True, (meant,))
    assert found.problems[0].code == code
    assert urlglean.validate(meant).valid


@pytest.mark.parametrize("around", ["<{}>", '"{}"', "<URL:{}>", "({})."])
def test_near_urls_are_seen_in_wrappers_too(around: str) -> None:
    """The wrapper is not part of it."""
    (found,) = read(around.format("http:/www.x.example/y"), invalid=True)
    assert (found.url, found.rivals) == ("http:/www.x.example/y", ("http://www.x.example/y",))


@pytest.mark.parametrize(
    "text",
    [
        "http: see below",
        "ftp: alone",
        "http:notes.html",
        "http:index",
        "telnet:now",
        "http:/etc/passwd",
        "news:/a.example/",
        "http:www.x.example@y",
        "mailto:www.x.example",
    ],
)
def test_prose_and_relative_references_are_no_near_urls(text: str) -> None:
    """No host follows the scheme, or the scheme needs none."""
    assert read(text, invalid=True) == []
    assert with_slashes(text) is None


def test_a_url_inside_a_near_url_is_still_found() -> None:
    """A rejected candidate hides no URL."""
    text = "http:/web.x.example/2002/http://www.y.example/z"
    assert [found.url for found in read(text)] == ["http://www.y.example/z"]
    assert [found.url for found in read(text, invalid=True)] == ["http://www.y.example/z"]


def test_a_near_url_with_backslashes_behind_a_line_end_is_rejected_and_raises_nothing() -> None:
    """Its run of URL characters is empty, so it cannot go on in another line."""
    (found,) = urlglean.extract("\nhttp:\\\\www.example.org\\list", invalid=True)
    assert found.rejected
    assert found.rivals == ("http://www.example.org/list",)
