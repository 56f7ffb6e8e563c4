"""URLs that a line end divides within their scheme, or behind its colon."""

from __future__ import annotations

import pytest

from growth import BOUND, growth
from invariants import Asked, hold_in_text
from pieces import is_tiled, rebuilt
from urlglean import extract, extract_message
from urlglean.records import JoinRule

URL = "http://www.example.org/ovens/list.html"
PLACES = range(1, len("http:") + 1)
MARGINS = ["", "> ", "# ", " * ", "// ", "; ", "    "]
ENDS = ["\n", "\r\n", " \n"]


@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("around", ["see {} for", "<{}>", "<URL:{}>", '"{}"'])
@pytest.mark.parametrize("place", PLACES)
def test_the_url_is_whole(place: int, around: str, end: str, margin: str) -> None:
    """Bare and in each wrapper (RFC 1738 appendix, RFC 3986 appendix C), behind the margin of its lines."""
    text = margin + around.format(f"{URL[:place]}{end}{margin}{URL[place:]}") + f"{end}{margin}so\n"
    if '"' in around and end.startswith(" "):
        return  # no blank stands in quotation marks
    (found,) = extract(text)
    assert found.url == URL
    assert rebuilt(text, found) == URL
    assert is_tiled(found)
    is_bare = around.startswith("see")
    assert found.certainty == ("inferred" if is_bare else "stated")
    assert not is_bare or found.confidence < extract(f"see {URL} for")[0].confidence
    assert extract(text, joins="never") == []


@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("end", ["=\n", "=\r\n"])
@pytest.mark.parametrize("around", ["see {} for", "<{}>", "<URL:{}>"])
@pytest.mark.parametrize("place", PLACES)
def test_a_soft_break_that_nobody_decoded_goes(place: int, around: str, end: str, margin: str) -> None:
    """The line of quoted-printable ends in "=" (RFC 2045 6.7)."""
    text = margin + around.format(f"{URL[:place]}{end}{margin}{URL[place:]}") + f"{end}{margin}so\n"
    (found,) = extract(text)
    assert (found.url, found.certainty) == (URL, "stated" if around[0] == "<" else "inferred")
    assert found.joins[0].rule == "soft-break"
    assert rebuilt(text, found) == URL
    assert is_tiled(found)


@pytest.mark.parametrize("scheme", ["http", "ftp", "gopher", "nntp", "telnet", "wais", "prospero"])
@pytest.mark.parametrize("slashes", ["\n//", "/\n/", "//\n"])
@pytest.mark.parametrize("around", ["<{}>", "<URL:{}>"])
def test_a_wrapper_may_be_broken_at_the_slashes_of_each_scheme_of_rfc_1738(
    scheme: str, slashes: str, around: str
) -> None:
    """White space in a wrapper is ignored (RFC 1738 appendix, RFC 3986 appendix C)."""
    (found,) = extract(f"see {around.format(f'{scheme}:{slashes}host.example:210/db')}, and\n")
    assert found.url == f"{scheme}://host.example:210/db"


@pytest.mark.parametrize("place", range(1, len("https:")))
@pytest.mark.parametrize("around", ["<{}>", "<URL:{}>", "< {} >"])
@pytest.mark.parametrize("blank", [" ", "\t", "        "])
def test_blanks_in_angle_brackets_may_divide_the_scheme(place: int, around: str, blank: str) -> None:
    """White space there is ignored (RFC 3986 appendix C). In a header field, a fold leaves a blank."""
    url = "https://lists.example.org/unsub?id=1"
    text = around.format(url[:place] + blank + url[place:])
    (found,) = extract(f"see {text}, and\n")
    assert (found.url, found.certainty) == (url, "stated")
    folded = text.replace(blank, "\r\n" + blank)
    (one,) = extract_message(f"List-Help: <mailto:a@b.example>,\r\n {folded}\r\n\r\n".encode())[1:]
    assert one.finding.url == url


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("<p https://h.example/>", "https://h.example/"),
        ("<p ps://h.example/>", "ps://h.example/"),
        ("<sn ews:a@h.example>", "ews:a@h.example"),
        ("a htt ps://h.example/>", "ps://h.example/"),
        ("<a htt ps://h.example/>", "ps://h.example/"),
        ("<htt ps://h.example/ ...", "ps://h.example/"),
    ],
)
def test_other_words_before_a_scheme_are_none_of_it(text: str, url: str) -> None:
    """Nor is one without "//", nor one that is in no closed brackets."""
    assert [found.url for found in extract(text)] == ([url] if "//" in url else [])


@pytest.mark.parametrize("text", ["s=\nftp://h.example/", "url=\nftp://h.example/", "ht==\nftp://h.example/"])
def test_a_scheme_that_begins_a_line_is_whole(text: str) -> None:
    """The sign before it belongs to a setting, for example."""
    (found,) = extract(text)
    assert (found.url, found.joins) == ("ftp://h.example/", ())


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("see ht\ntp://www.example.org/a-long-\nlist.html (or so)\n", "http://www.example.org/a-long-list.html"),
        ("[a](htt\nps://h.example/b) c\n", "https://h.example/b"),
        ("> see ht\ntp://h.example/b c\n", "http://h.example/b"),
        (">> see http\n> s://h.example/b c\n", "https://h.example/b"),
        ("> see http:\n//www.example.org/b c\n", "http://www.example.org/b"),
        ("(http:\n//oven:8080)", "http://oven:8080"),
        ("see http://=\nwww.example.org/b\nc", "http://www.example.org/b"),
        ("see URL:http://=\nwww.example.org/b\nc", "http://www.example.org/b"),
        ("caf=C3=A9 <URL: http://=\nwww.example.org/b c", "http://www.example.org/b"),
        ("caf=C3=A9 see http://=\nhost.example.net so it=\nself is", "http://host.example.net"),
        ("caf=C3=A9 see http://=\nhost.exam=\nple.net/a?q=3Db so", "http://host.example.net/a?q=3Db"),
        ("caf=C3=A9 see ldap://=\nhost.example.net/o=3Dx so", "ldap://host.example.net/o=3Dx"),
        ("see ir\nc://irc.example/b c\n", "irc://irc.example/b"),
        ("DB=postgre\ns://u:p@db/x\n", "postgres://u:p@db/x"),
        ('"mailto:ann@\nh.example"', "mailto:ann@h.example"),
        ('"urn:isbn:\n0451450523"', "urn:isbn:0451450523"),
        ("<mail\nto:ann@h.example>", "mailto:ann@h.example"),
        ("* <ftp:\n*   //ftp.example.org/pub/>", "ftp://ftp.example.org/pub/"),
        ("dnl <URL:\ndnl   ftp://ftp.example.org/pub/>", "ftp://ftp.example.org/pub/"),
    ],
)
def test_other_forms(text: str, url: str) -> None:
    """A URL with more breaks, other schemes in wrappers, and marks of comments."""
    (found,) = extract(text)
    assert found.url == url


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        # A known scheme begins the line; a word ends the line before.
        ("the ovens\nftp://ftp.example.org/a\n", ["ftp://ftp.example.org/a"]),
        ("x-ht\ntp://h.example/a\n", ["tp://h.example/a"]),
        ("ht\n\ntp://h.example/a\n", ["tp://h.example/a"]),
        ("ht\n- tp://h.example/a\n", ["tp://h.example/a"]),
        # Without a wrapper the whole must be a known scheme with slashes.
        ("mail\nto:ann@h.example\n", []),
        ("oven\n://h.example/a\n", []),
        # Another writer's line.
        ("see ht\n> tp://h.example/a\n", ["tp://h.example/a"]),
        ("see http:\n> //www.example.org/\n", []),
        ("AB> see http://\nCD> www.example.org/\n", []),
        ("AB> see ht\nCD> tp://www.example.org/\n", ["tp://www.example.org/"]),
        # A scheme without slashes, and no slashes in the next line.
        ("urn:\n//www.example.org/\n", []),
        ("use http:\nxywww.example.org/ b\n", []),
        # No host: comments of source code.
        ("use http:\n//comment here\n", []),
        ("use http:\n// www.example.org/\n", []),
        ("use http:\n//a.b.html\n", []),
        ("see http://\nFax:12345\n", []),
        ("caf=C3=A9 so=\nit see ldap://=\nwww.h.example/a so", []),
        ("case x:\n//www.example.org/\n", []),
        ("http:\n\n//www.example.org/\n", []),
        ('"note:\nfoo"', []),
    ],
)
def test_other_lines(text: str, urls: list[str]) -> None:
    """Each text lacks one condition."""
    assert [found.url for found in extract(text)] == urls


@pytest.mark.parametrize(
    "unit", ["ht\ntp://", "ht\ntp://{id} ", "http:\n//", '"ht\ntp://a', "<ht\ntp://a", "<ftp:\n# //"]
)
def test_the_work_is_linear(unit: str) -> None:
    """The line before a scheme is read once, and a rejected URL is searched once more."""
    assert growth(extract, lambda size: unit * (size // len(unit))) < BOUND
    hold_in_text(unit * 50, Asked())


def test_nothing_behind_the_slashes_is_no_candidate() -> None:
    """As in one line."""
    assert extract("ht\ntp:// x\n", invalid=True) == extract("http:// x\n", invalid=True) == []
    assert extract("use http:\nxywww.example.org/ b\n", invalid=True) == []


def test_a_rejected_url_hides_no_other() -> None:
    """What is left of it is not taken for a URL of another scheme."""
    text = "ht\ntp://{id}/x http://b.example/\n"
    assert [found.url for found in extract(text)] == ["http://b.example/"]
    assert [found.url for found in extract(text, invalid=True)] == ["http://{id}/x", "http://b.example/"]


@pytest.mark.parametrize("margin", ["", "> ", "AB> ", "Ann> ", "dnl ", "REM ", "C ", "# "])
@pytest.mark.parametrize("cut", ["http:{}//", "http://{}"])
@pytest.mark.parametrize("host", ["www.h.example/b", "192.0.2.1/b", "localhost:8000/b"])
def test_a_url_goes_on_behind_its_slashes_whatever_the_margin_is(host: str, cut: str, margin: str) -> None:
    """It may have letters, as those of initials or of a comment."""
    text = f"{margin}see {cut.format(chr(10) + margin)}{host} so\n{margin}and\n"
    for bare_hosts in (False, True):
        (found,) = extract(text, bare_hosts=bare_hosts)
        assert found.url == f"http://{host}"
        assert rebuilt(text, found) == found.url


@pytest.mark.parametrize("hyphen", ["", "-", "\u2010", "="])
@pytest.mark.parametrize("margin", ["", "> ", "       "])
@pytest.mark.parametrize("wrapper", ["<{}>", "<URL:{}>", '"{}"', "see {} so"])
@pytest.mark.parametrize("url", ["telnet://h.example/", "gopher://h.example/1", "http://h.example/b"])
def test_a_formatter_may_break_a_scheme(url: str, wrapper: str, margin: str, hyphen: str) -> None:
    """The hyphen that it puts in is none of the URL; nor is the sign of a soft break."""
    for at in range(2, url.index(":")):
        text = margin + wrapper.format(f"{url[:at]}{hyphen}\n{margin}{url[at:]}")
        (found,) = extract(text)
        assert found.url == url
        assert "".join(text[piece.start : piece.end] for piece in found.pieces) == url
        assert (JoinRule.HYPHEN_DROPPED in {join.rule for join in found.joins}) == (hyphen == "-")


@pytest.mark.parametrize("wrapper", ["<{}>", "<URL:{}>"])
@pytest.mark.parametrize("url", ["mailto:a@b.example", "news:comp.lang.c", "urn:isbn:0-395-36341-1", "tel:+1-201-555"])
def test_a_soft_break_in_a_wrapper_loses_no_url(url: str, wrapper: str) -> None:
    """RFC 2045 6.7. One letter before the colon is too few for a scheme."""
    colon = url.index(":")
    for at in (*range(2, colon - 1), *range(colon + 1, len(url))):
        found = extract(wrapper.format(f"{url[:at]}=\n{url[at:]}"))
        assert len(found) == 1
        assert url in {found[0].url, *found[0].rivals}


def test_a_scheme_with_a_hyphen_of_its_own_keeps_it() -> None:
    """RFC 1738's appendix: the hyphen before a line end "may or may not actually be part of the URL"."""
    assert extract("<android-\napp://com.h.example/x>")[0].url == "android-app://com.h.example/x"
    assert extract("- see x-\nhttp://h.example/b so")[0].url == "http://h.example/b"
