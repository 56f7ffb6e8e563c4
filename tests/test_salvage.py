"""The meaning of a rejected candidate: its longest beginning that is a URL, or the URL behind a doubled scheme."""

from __future__ import annotations

import pytest

import urlglean
from growth import BOUND, growth
from urlglean.records import Dialect, Reading, Span
from urlglean.text.finding import Finding
from urlglean.text.policy import Policy
from urlglean.text.salvage import FRAMES, salvaged


def read(text: str, dialect: Dialect = "current", *, strict: bool = False, invalid: bool = False) -> list[Finding]:
    """The findings of a text."""
    return urlglean.extract(text, dialect, strict=strict, invalid=invalid)


MEANT = {
    "opens-another": ("http://a.example/x[http://b.example/y]z", "http://a.example/x"),
    "another-behind": ("http://a.example/x^http://b.example/y", "http://a.example/x"),
    "closing-tag": ("http://a.example/x[/url]y", "http://a.example/x"),
    "markup": ("http://a.example/x(a)[1]^", "http://a.example/x(a)"),
    "wiki-macro": ("http://a.example/x{quote},y", "http://a.example/x"),
    "link-macro": ("http://a.example/x[]", "http://a.example/x"),
    "label": ("http://a.example/x|here", "http://a.example/x"),
    "mark-behind": ("http://a.example/x[12]", "http://a.example/x"),
    "unpaired-bracket": ("http://a.example/x{a|b", "http://a.example/x"),
    "delimiter": ('http://a.example/x"><br', "http://a.example/x"),
    "control": ("http://a.example/x\0\0", "http://a.example/x"),
    "ellipsis": ("http://www.a.example...more", "http://www.a.example"),
    "behind-host": ("http://www.a.example=20", "http://www.a.example"),
    "cut-escape": ("http://a.example/x%2", "http://a.example/x"),
}


@pytest.mark.parametrize("name", MEANT)
def test_each_sign_that_frames_ends_the_url(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row has a text that gives the meant URL, and does not without this row."""
    url, meant = MEANT[name]
    (rule,) = (rule for rule in FRAMES if rule.name == name)
    assert read_first(url) == meant
    assert len(meant) in {at - len(url[len(meant) : at]) for at in rule.places(url)}
    monkeypatch.setattr("urlglean.text.salvage.FRAMES", tuple(other for other in FRAMES if other is not rule))
    assert read_first(url) != meant


def read_first(url: str) -> str | None:
    """The URL that a rejected candidate means; None if there is none."""
    tried = salvaged(Reading(url, (Span(0, len(url)),), ()))
    return next((reading.text for reading, _ in tried if Policy("current").takes(reading.text)), None)


def test_a_scheme_alone_is_not_meant() -> None:
    """To schemes of which nothing is known, it would be a URL."""
    assert read_first("s3://[a-z0-9") is None


def test_the_longest_beginning_is_taken_and_its_tail_cut() -> None:
    """Of several signs that frame, the last that leaves a URL counts. Punctuation before the sign is removed."""
    assert read_first("http://a.example/x[12].[/") == "http://a.example/x[12]"
    assert read_first("http://a.example/x.[/") == "http://a.example/x"


@pytest.mark.parametrize("notes", ["[1]", "[1][23]", ".[1]", ",[1][2]", ".[^1]", "[b]"])
@pytest.mark.parametrize("name", ["x", "%D1%87", "печь", "हिन्दी", "cafe\u0301", "x/"])
def test_numbers_of_notes_are_taken_away(name: str, notes: str) -> None:
    """Several may stand together, also behind the end of a sentence, and behind a name of any script."""
    (found,) = read(f"see http://a.example/{name}{notes} and")
    assert found.url == f"http://a.example/{name}"


@pytest.mark.parametrize(
    "url",
    [
        "tel:+12132674046,,191605571#",
        "tel:+12132674046,19#",
        "mailto:a@b.example;c@d.example",
        "mailto:a@b.example;c@d.example?subject=x",
    ],
)
@pytest.mark.parametrize("wrapper", ["<{}>", "<URL:{}>", '"{}"', "see {} now"])
def test_what_a_program_dials_or_addresses_is_not_cut(wrapper: str, url: str) -> None:
    """Invitations hold numbers with pauses, and Outlook writes lists of addresses so. No standard allows either."""
    (found,) = read(wrapper.format(url))
    assert (found.url, found.valid) == (url, False)


@pytest.mark.parametrize(
    ("url", "rest"),
    [
        ("tel:+12132674046", ",x"),
        ("tel:+4930123456", ",10117 Berlin"),
        ("mailto:a@b.example", ";see"),
        ("tel:+1213267", ", 1"),
    ],
)
def test_other_text_behind_a_number_or_address_is_none_of_it(url: str, rest: str) -> None:
    """Only a number or address makes such a sign a part of the URL."""
    assert read(f"see {url}{rest} now")[0].url == url


@pytest.mark.parametrize("sign", ["—", "”", "、", "\u0e31", "^", "é^", "_", "\1"])
@pytest.mark.parametrize("begin", ["http://h.example/x{", "<http://h.example/x{", "http://h.example/|x"])
def test_many_signs_before_no_url_take_linear_time(begin: str, sign: str) -> None:
    """Each row of them is read once."""
    assert growth(read, lambda size: begin + sign * size + ">", 1_000) < BOUND


@pytest.mark.parametrize("name", ["x", "печь", "a_b"])
@pytest.mark.parametrize("signs", ["^", "»", "_^", "}"])
def test_signs_before_another_url_are_of_neither(signs: str, name: str) -> None:
    """The name before them may be of any script."""
    found = read(f"see http://a.example/{name}{signs}http://b.example/ x")
    assert [each.url for each in found] == [f"http://a.example/{name}", "http://b.example/"]


@pytest.mark.parametrize(
    "url", ["http://www.a.example", "http://www.a.example:80", "http://[::1]:80", "mailto:b@a.example"]
)
def test_an_at_sign_behind_a_host_is_markup(url: str) -> None:
    """Textile and AsciiDoc enclose code in such signs. A user's name without a host is no URL."""
    for text in (f"see {url}@ foo", f"@{url}@", f"({url}@)."):
        assert [found.url for found in read(text)] == [url]
    assert read("see http://user@ foo") == read("see http://user:80@ foo") == []


def test_what_is_salvaged_means_itself() -> None:
    """Read alone, it is not salvaged once more."""
    assert [found.url for found in read("mailto:a@b.example...x(0")] == ["mailto:a@b.example"]


def test_the_inner_url_behind_a_host_has_its_own_scheme() -> None:
    """None is assumed for it, as for the host."""
    (found,) = urlglean.extract("see ftp.example.http://http://a.example/}x", bare_hosts=True)
    assert (found.url, found.assumed, found.span) == ("http://a.example/", "", Span(23, 40))


def test_the_inner_url_of_a_doubled_scheme_has_its_own_span() -> None:
    """Its pieces, sliced from the text, give its URL."""
    text = "see http://ftp://ftp.a.example/pub now"
    (found,) = read(text)
    assert [text[piece.start : piece.end] for piece in found.pieces] == [found.url] == ["ftp://ftp.a.example/pub"]
    assert (found.span.start, found.certainty, found.valid) == (11, "inferred", True)


@pytest.mark.parametrize(
    "text", ["http://HTTP://WWW.A.EXAMPLE/b", "HTTP://HTTP://a.example/b", "http://Ftp://a.example/b"]
)
def test_the_inner_url_of_a_doubled_scheme_may_be_in_capitals(text: str) -> None:
    """The case of a scheme makes no difference (RFC 3986 3.1)."""
    (found,) = read(text)
    assert (found.url, found.valid) == (text.partition("://")[2], True)


def test_a_salvaged_url_over_a_line_end_keeps_its_pieces() -> None:
    """The hyphen in the top label was inserted; the text behind the framing sign is in no piece."""
    text = "> http://www.lamps-and-oil.exam-\n> ple[/url]\n\nand"
    (found,) = read(text)
    assert found.url == "http://www.lamps-and-oil.example"
    assert "".join(text[piece.start : piece.end] for piece in found.pieces) == found.url
    assert text[found.span.end :].startswith("[/url]")


def test_a_value_in_brackets_is_not_lost() -> None:
    """A bracket behind "=" neither ends nor frames a URL."""
    (found,) = urlglean.extract("http://a.example/x=[http://b.example/y] z")
    assert (found.url, found.valid) == ("http://a.example/x=[http://b.example/y]", False)


def test_a_bar_in_a_search_belongs_to_the_url() -> None:
    """An address or a host may follow it there, but not in a path. Empty brackets may end a search, too."""
    for url in ("http://a.example/?d=02|01|jo@b.example|x&r=0", "http://a.example/?x[]", "http://a.example/?a[b][c]=d"):
        assert [found.url for found in read(url)] == [url]
    assert read_first("http://a.example/x|jo@b.example") == "http://a.example/x"
    both = ["http://a.example/?a=b", "http://c.example/?a=b"]
    assert [found.url for found in read("|".join(both))] == both


def test_several_hosts_of_an_unknown_scheme_are_not_cut() -> None:
    """A part would lead elsewhere. In lists of web servers each is a URL."""
    assert read_first("mongodb://a.example:27017,b.example:27017/x") is None
    assert read_first("http://a.example:2379,b.example:2379") == "http://a.example:2379"


def test_a_soft_break_before_a_rejected_url_is_nothing() -> None:
    """Of the candidate behind the prefix, only the break is left before the next one begins."""
    text = "lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod te=\nmpor <URL:=\nhttp://{}/> x"
    assert read(text.format("%s")) == []
    assert [found.url for found in read(text.format("%s") + " http://a.example/")] == ["http://a.example/"]
    assert [found.url for found in read(text.format("a.example"))] == ["http://a.example/"]


@pytest.mark.parametrize("behind", [",注册", ":注册", ";b", "!b", "&b"])
def test_a_host_with_a_wide_top_level_domain_ends_before_a_sign_too(behind: str) -> None:
    """No host contains the sign (RFC 5890 2.3.1)."""
    for host in ("nic.中国", "www.新华网.中国"):
        assert [found.url for found in urlglean.extract(f"看 http://{host}{behind} 了")] == [f"http://{host}"]


@pytest.mark.parametrize("hyphen", ["-", "\u2010", "\u2011"])
@pytest.mark.parametrize("behind", [":b@c.example", "/b"])
def test_an_address_ends_before_a_sign_whatever_its_hyphen_is(hyphen: str, behind: str) -> None:
    """Word processors write other hyphens, which are replaced."""
    (found,) = urlglean.extract(f"mailto:ann@the{hyphen}host.example{behind}")
    assert (found.url, found.valid) == ("mailto:ann@the-host.example", True)


def test_a_host_with_a_port_ends_before_a_sign_whatever_its_hyphen_is() -> None:
    """The same."""
    (found,) = urlglean.extract("http://the\u2010host:80,b")
    assert found.url == "http://the-host:80"
