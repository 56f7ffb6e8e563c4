"""The keys of a URL in a database: those that archives, registries and browsers use; none for what they refuse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlglean.output.url_keys import LONGEST, UrlKeys, keys_of


@pytest.mark.parametrize(
    ("url", "host", "keys"),
    [
        (
            "http://www.a.co.uk:80/Index.HTML?b=2&a=1#x",
            "www.a.co.uk",
            ("a.co.uk", "uk,co,a)/index.html?a=1&b=2", "http://www.a.co.uk/Index.HTML?b=2&a=1#x"),
        ),
        ("https://A.Com", "A.Com", ("a.com", "com,a)/", "https://a.com/")),
        ("http://a.com./x", "a.com.", ("a.com", "com,a)/x", "http://a.com./x")),
        (
            "http://me.blogspot.com/",
            "me.blogspot.com",
            ("blogspot.com", "com,blogspot,me)/", "http://me.blogspot.com/"),
        ),
        ("http://192.0.2.7:8080/x", "192.0.2.7", (None, "7,2,0,192:8080)/x", "http://192.0.2.7:8080/x")),
        ("http://[2001:db8::1]/", "[2001:db8::1]", (None, "[2001:db8::1])/", "http://[2001:db8::1]/")),
        ("http://faß.de/", "faß.de", ("xn--fa-hia.de", "de,xn--fa-hia)/", "http://xn--fa-hia.de/")),
        ("http://bücher.de/", "bücher.de", ("xn--bcher-kva.de", "de,xn--bcher-kva)/", "http://xn--bcher-kva.de/")),
        (
            "http://xn--bcher-kva.de/",
            "xn--bcher-kva.de",
            ("xn--bcher-kva.de", "de,xn--bcher-kva)/", "http://xn--bcher-kva.de/"),
        ),
        ("http://a.com/?q=x;y=1%3d2", "a.com", ("a.com", "com,a)/?q=x;y=1=2", "http://a.com/?q=x;y=1%3d2")),
        ("http://host.example/", "host.example", (None, "example,host)/", "http://host.example/")),
        ("ftp://u:p@a.com/b", "a.com", ("a.com", "com,a)/b", "ftp://u:p@a.com/b")),
        ("mailto:a@b.com", None, (None, None, "mailto:a@b.com")),
        ("news:comp.lang", None, (None, None, "news:comp.lang")),
        ("http://a.com:99999/", "a.com", ("a.com", "com,a:99999)/", None)),
    ],
)
def test_keys_are_those_of_archives_registries_and_browsers(url: str, host: str | None, keys: UrlKeys) -> None:
    """By the Public Suffix List, the form of CDX files, and the URL Standard."""
    assert keys_of(url, host) == keys


HOSTILE = st.lists(
    st.sampled_from(["http://", "a", ".", "..", ":", "@", "[", "]", "%", "%25", "\ud800", "é", "\0", "xn--"])
)


@given(HOSTILE.map("".join), HOSTILE.map("".join) | st.none())
def test_no_text_raises(url: str, host: str | None) -> None:
    """What a library refuses has no key."""
    keys_of(url, host)


def test_a_long_url_has_no_surt() -> None:
    """Making it could take quadratic time. Its other keys take linear time."""
    url = "http://a.com/" + "%25" * LONGEST
    assert keys_of(url[:LONGEST], "a.com").surt is not None
    assert keys_of(url, "a.com") == ("a.com", None, url)
    assert keys_of("http://é.é", "é." * 1000 + "com").domain is None
