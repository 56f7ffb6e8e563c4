"""Whether a bare URL goes on over a sign that may frame others."""

from __future__ import annotations

import pytest

from urlglean import Dialect, extract, validate
from urlglean.text.url_end import end_of

URL = "http://www.example.org"


@pytest.mark.parametrize(
    "marked",
    [
        f"{URL}/a|b=7^ in",
        f"{URL}/?a=b|=c^ in",
        f"{URL}/?a=b|Clay^ in",
        f"{URL}/a^|Clay in",
        f"{URL}/a^|http://www.example.com/ in",
        f"{URL}/a^|www.example.com/7 in",
        f"{URL}^|7z in",
        f"{URL}/a`b^ in",
        f"{URL}/?a^`B in",
        f"{URL}/a🍞b^ in",
        f"{URL}/a🍞^ in".replace("a🍞^", "a^🍞"),
        f"{URL}/^🍞 in",
        f"{URL}/a/^🍞 in",
        f"{URL}/a/🍞%20b^ in",
        f"{URL}/a/🍞_(b)^ in",
        f"{URL}/a/🍞Foo/b^ in",
        f"{URL}/a=🍞^ in",
        f"{URL}/🍞/b^ in",
        f"{URL}^🍞 in",
    ],
)
def test_a_run_ends_at_the_mark(marked: str) -> None:
    """It goes on over a bar before a value or in a search, and over emoji inside a name or value."""
    text = marked.replace("^", "")
    assert end_of(text, 0).run == marked.index("^")


@pytest.mark.parametrize("before", ["[", "(", "|", "| ", "{{cite|url=", "oven | "])
def test_a_sign_that_opens_before_a_url_ends_it(before: str) -> None:
    """In a wiki's link, a table's cell or a template's field, the text behind the bar is not part of the URL."""
    text = f"{before}{URL}/a|7z is"
    assert end_of(text, len(before)).run == len(f"{before}{URL}/a")


def test_emoji_behind_a_host_without_a_scheme() -> None:
    """Deeper in a path they may be a name."""
    (found,) = extract("so www.example.org/a/🍞 in", bare_hosts=True)
    assert (found.url, found.rivals) == ("http://www.example.org/a/", ("http://www.example.org/a/🍞",))
    for behind in (
        "Read",
        "*",
        "!",
        "NEW",
        "Don't",
        "Это",
        "Foo_Bar",
        "(click)",
        "@user",
        ";-)",
        "--",
        "NEW👈",
        "新しい",
    ):
        (found,) = extract(f"so http://www.example.org/a/👇{behind} more")
        assert (found.url, found.certainty) == ("http://www.example.org/a/", "inferred")
        assert found.rivals[0].startswith("http://www.example.org/a/👇")
    for name in ("🍞_(B)", "🍞-bread", "🍞.html", "🍞bread", "🍞%20B", "🍞B/c", "🍞B?c=d"):
        (found,) = extract(f"so http://www.example.org/a/{name} more")
        assert found.url == f"http://www.example.org/a/{name}"
    (found,) = extract("so http://www.example.org?🍞 more")
    assert found.url == "http://www.example.org"
    for behind in ("</a>", '"}', '","id":1', ")."):
        assert extract(f"so http://www.example.org?🍞{behind} more")[0].url == "http://www.example.org"
    (found,) = extract("so http://www.example.org?🍞%20x more")
    assert found.url == "http://www.example.org?🍞%20x"
    (found,) = extract("so http://www.example.org/a//🍞 more")
    assert (found.url, len(found.rivals)) == ("http://www.example.org/a//", 1)
    assert not extract("so http://www.example.org/a/🍞${x} more")
    for sign in "?#":
        (found,) = extract(f"so http://www.example.org{sign}🍞Foo more")
        assert found.url == f"http://www.example.org{sign}🍞Foo"
    (found,) = extract("so www.example.org/a/🍞/b in", bare_hosts=True)
    assert (found.url, found.rivals) == ("http://www.example.org/a/🍞/b", ())


@pytest.mark.parametrize(
    "behind",
    [
        "👉more",
        "📞0123",
        "✔ok",
        "❤️a/b",
        "👉.",
        "👍(b.c)",
        "👍;b.c",
        "☎+49.30",
        "👍Thanks.See",
        "👍.Thanks",
        "👍很好v2.0",
    ],
)
@pytest.mark.parametrize("url", ["http://www.example.org", "http://www.example.org:80", "mailto:ann@example.org"])
def test_emoji_behind_the_last_label_of_a_host_are_decoration(url: str, behind: str) -> None:
    """No registered name has one in its last label; in the others, some have."""
    (found,) = extract(f"see {url}{behind} now")
    assert (found.url, found.certainty) == (url, "inferred")


@pytest.mark.parametrize("host", ["i❤.ws", "💩.LA", "www.❤.ws", "😀Bar.ws", "☕.WS", "❤️x.example.org"])
def test_emoji_in_the_other_labels_belong_to_the_host(host: str) -> None:
    """They are punycode in the DNS."""
    (found,) = extract(f"see http://{host}/a now")
    assert (found.url, found.certainty) == (f"http://{host}/a", "plain")
    (found,) = extract(f"see http://{host} now")
    assert (found.url, found.certainty) == (f"http://{host}", "plain")


@pytest.mark.parametrize("pair", ["\u2066\u2069", "\u2067\u2069", "\u2068\u2069", "\u202a\u202c", "\u202d\u202c"])
def test_a_url_ends_with_its_own_direction(pair: str) -> None:
    """Chats enclose a URL so in text of the other direction. Without the first sign, the last one is in the host."""
    before, behind = pair[0], pair[1]
    (found,) = extract(f"{before}http://www.example.org{behind}foo now")
    assert (found.url, found.certainty) == ("http://www.example.org", "inferred")
    (found,) = extract(f"http://www.example.org{behind}foo now", invalid=True)
    assert behind in found.url


@pytest.mark.parametrize(
    "url",
    [
        *("mailto:jo@{}example.org", "mailto:jo@example.{}org", "sip:jo@example{}.org"),
        *("mailto:jo@vip.{}163.com", "mailto:JO@MAIL1.{}EXAMPLE.ORG", "mailto:a@x.{}ärzte.example"),
    ],
)
def test_what_is_not_seen_in_the_host_of_an_address_is_in_it(url: str) -> None:
    """Programs put it where a line may be broken."""
    (found,) = extract(f"see {url.format(chr(0x200B))} now")
    assert found.url == url.format(chr(0x200B))


@pytest.mark.parametrize(
    "behind",
    [
        *("\u200bsays", "\u2069/office", "\u200e.Next", "\u200b-Liste", "\u200b/Tel. 12", "\xad/x", "\ufeffmore"),
        *(".\u200bThen", ".\u200fתודה", ".\u200b1. Then", ".\u200b-The", ".\u200b/x", ".\u2060(See)", ".\u200bPS: x"),
    ],
)
@pytest.mark.parametrize("url", ["mailto:jo@a.example", "news:abc123@a.example"])
def test_what_is_not_seen_ends_an_address(url: str, behind: str) -> None:
    """No program sends a message to what follows."""
    assert [(found.url, found.certainty) for found in extract(f"see {url}{behind} now")] == [(url, "inferred")]


@pytest.mark.parametrize(
    "sign", ["\u200b", "\u200d", "\u2060\u2060", "\ufeff", "\u034f", "\u3164", "\u115f", "\U000e0041"]
)
@pytest.mark.parametrize("dialect", ["current", "rfc1738", "web"])
def test_what_is_not_seen_in_a_host_is_told(sign: str, dialect: Dialect) -> None:
    """The finding holds it, with a caution or a problem: nobody is shown the host that the URL does not lead to."""
    (found,) = extract(f"see http://pay{sign}pal.example/x now", dialect, invalid=True)
    assert found.url == f"http://pay{sign}pal.example/x"
    verdict = validate(found.url, dialect)
    assert not found.valid or "invisible-in-host" in verdict.cautions


@pytest.mark.parametrize("behind", ["/", "/<", '/"', "/ and"])
def test_what_is_not_seen_behind_a_host_ends_it(behind: str) -> None:
    """A slash with nothing of a URL behind it does not go on with the host."""
    (found,) = extract(f"see http://h.example\u200b{behind}")
    assert found.url == "http://h.example"
