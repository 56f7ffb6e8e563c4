"""The work for doubtful candidates is bounded, by the length of the text and in each candidate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from growth import BOUND, growth
from pieces import rebuilt
from urlglean import Finding, extract, validate
from urlglean.grammar.codes import CODES
from urlglean.records import Dialect, Flowed, Reading, Span
from urlglean.text import effort, interpret
from urlglean.text.candidates import Evidence, Found
from urlglean.text.diagnostics import MOST_PROBLEMS
from urlglean.text.interpret import Interpreter
from urlglean.text.joining import decision
from urlglean.text.mending import MOST_SIGNS
from urlglean.text.policy import Policy
from urlglean.text.salvage import salvaged
from urlglean.text.scanner import scan_parted, scan_stretch, scan_text
from urlglean.text.search_terms import SearchTerms
from urlglean.text.url_end import End, end_of, signs_in

DOUBTFUL = "http://a.example/b{\nfoo/bar \n"
"""A rejected URL at a line end; it may go on in the next line."""


def simply_read(finding: Finding) -> bool:
    """Whether a finding says that it was read in the simplest way."""
    return [problem.code for problem in finding.problems] == ["simply-read"]


def texts() -> st.SearchStrategy[str]:
    """Texts in which the same doubtful parts are repeated."""
    part = st.sampled_from(
        [
            "http://a.example/",
            "ws://b.c",
            "x://",
            "sip:a@b",
            "[/",
            "{",
            "-\n",
            "=\n",
            "\n",
            "\r",
            "> ",
            "?",
            "&",
            "%4",
            "‾",
            "a",
            ".",
        ]
    )
    unit = st.lists(part, min_size=1, max_size=6).map("".join)
    return st.tuples(st.sampled_from(["", "<URL:http://", "<"]), unit, st.integers(1, 400)).map(
        lambda made: made[0] + made[1] * made[2]
    )


class Work(NamedTuple):
    """The place of a candidate, and the work before and behind it."""

    at: int
    end: int
    before: int
    behind: int


@contextmanager
def counted(before_all: int = 0) -> Iterator[list[Work]]:
    """The work for each candidate of a text that is read in this block; `before_all` is added to it."""
    seen: list[Work] = []
    finding = Interpreter.finding

    def read(self: Interpreter, found: Found, *, rejected: bool) -> Finding | None:
        self.effort.spend(0 if seen else before_all)
        before = self.effort.spent
        made = finding(self, found, rejected=rejected)
        seen.append(Work(found.span.start, found.span.end, before, self.effort.spent))
        return made

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Interpreter, "finding", read)
        yield seen


def test_candidates_behind_much_work_are_read_simply() -> None:
    """Behind too much work, candidates are read only up to the end of their line. A problem says so."""
    text = DOUBTFUL * 2_000
    with counted() as work:
        found = extract(text, invalid=True)
    simple = [finding for finding in found if simply_read(finding)]
    assert len(found) == len(work) == 2_000
    assert simple
    assert not any(map(simply_read, found[:100]))
    assert all(finding.certainty == "inferred" and not finding.joins for finding in simple)


@pytest.mark.parametrize(
    "text",
    [
        "http://a.example/{x}" * 800,
        "mailto:a@b.example$" * 800,
        f"<{'http://a.example/x,' * 800}{{x}}>",
        "http:///é=" * 800,
        "(geo:1,2/é" * 800,
        "(geo:1,2://" * 800,
    ],
)
def test_what_is_searched_again_is_bounded(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of a run may be searched again for each URL in it, and each may be judged anew, but not without end."""
    read: list[float] = []
    until = Found.until

    def stretch(text: str, stretch: Span, search_terms: SearchTerms) -> Iterator[Found | Span]:
        read.append((stretch.end - stretch.start) / effort.AGAIN)
        return scan_stretch(text, stretch, search_terms)

    def head(found: Found, end: int) -> Found:
        read.append((end - found.span.start) / effort.PER_UNIT)
        return until(found, end)

    monkeypatch.setattr("urlglean.text.extract.scan_stretch", stretch)
    monkeypatch.setattr(Found, "until", head)
    extract(text)
    assert len(read) >= 2
    assert sum(read) < effort.FREE + effort.RATE * len(text) + len(text)


@given(
    st.lists(
        st.sampled_from(
            ["www.", "ftp.", "a.example", "http://", "ws://", "://", "x", ".", ":", "/", "news:", "urn:", "<"]
        ),
        max_size=8,
    ).map("".join)
)
@example("ftp.www.ws://")
def test_candidates_that_are_read_once_do_not_overlap(text: str) -> None:
    """They are in order, also where a scheme begins within a host."""
    found = list(scan_parted(text, Span(0, len(text)), len(text), SearchTerms(bare_hosts=True)))
    ends = [0, *(each.span.end for each in found)]
    assert all(end <= each.span.start < each.span.end for end, each in zip(ends, found, strict=False))


def test_a_part_holds_the_host_before_a_scheme_and_ends_in_its_stretch() -> None:
    """The next candidate begins with its scheme, but not within a host; a colon behind the stretch begins none."""

    def spans(text: str, end: int) -> list[str]:
        found = scan_parted(text, Span(0, len(text)), end, SearchTerms(bare_hosts=True))
        return [text[each.span.start : each.span.end] for each in found]

    assert spans("www.a.htip://b.example/ ", 24) == ["www.a.htip"]
    assert spans("http://b.example/aws://c.example/", 20) == ["http://b.example/aws"]


def test_the_search_for_frames_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search of a rejected reading, or of a part of it, adds its own work to that of the forms."""
    searched: list[int] = []

    def counting(reading: Reading) -> Iterator[tuple[Reading, bool]]:
        searched.append(len(reading.text))
        return salvaged(reading)

    monkeypatch.setattr("urlglean.text.choosing.salvaged", counting)
    with counted() as work:
        extract("http:///[a](b){c}[d" * 5)
    assert len(searched) > 2
    of_each = effort.SALVAGE + effort.FORM + effort.PIECE
    assert work[-1].behind >= len(searched) * of_each + sum(2 * (length // effort.PER_UNIT) for length in searched)


def test_schemes_before_schemes_are_not_stripped_beyond_the_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each scheme that is stripped leaves a part that is nearly as long, and is searched for frames again."""
    searched: list[int] = []

    def counting(reading: Reading) -> Iterator[tuple[Reading, bool]]:
        searched.append(len(reading.text))
        return salvaged(reading)

    monkeypatch.setattr("urlglean.text.choosing.salvaged", counting)
    text = "http://" * 50_000
    extract(text)
    assert searched
    assert sum(2 * length // effort.PER_UNIT for length in searched) < effort.FREE + (effort.RATE + 1) * len(text)


@pytest.mark.parametrize(("length", "column"), [(80, 76), (90, 76), (108, 76), (200, 76), (400, 72)])
def test_a_long_list_of_broken_urls_is_weighed_to_its_end(length: int, column: int) -> None:
    """Each URL was cut at the same column, and no blank line is between them."""
    urls = [
        f"http://www.example.com/{number:05}/{'minutes/of/the/meeting/' * 20}"[: length - 1] + "z"
        for number in range(3_000)
    ]
    cut = ["\n".join(url[at : at + column] for at in range(0, length, column)) for url in urls]
    found = extract("\n".join(cut))
    assert [finding.url for finding in found] == urls
    assert not any(map(simply_read, found))


def test_more_text_allows_more_work() -> None:
    """Behind enough text without URLs, the same candidates are weighed again."""
    text = DOUBTFUL * 2_000
    before = extract(text, invalid=True)
    behind = extract(" " * 1_200_000 + text, invalid=True)
    assert sum(map(simply_read, before)) > 0
    assert sum(map(simply_read, behind)) == 0


def when_over(text: str) -> Finding | None:
    """The finding of the only candidate in a text, if too much work was done before it."""
    found = list(scan_text(text, fast=False))
    reader = Interpreter(text, Evidence(text, found), Policy("current"), "likely", "")
    reader.effort.spend(effort.FREE + 2 * len(text))
    (at,) = (each for each in found if isinstance(each, Found))
    return reader.finding(at, rejected=True)


def test_a_wrapper_that_is_read_simply_loses_its_white_space() -> None:
    """By RFC 1738's appendix this needs no weighing; every hyphen is kept."""
    text = "<URL:http://h.example/a-\n  b>"
    found = when_over(text)
    assert found
    assert found.url == rebuilt(text, found) == "http://h.example/a-b"
    assert simply_read(found)
    assert found.valid
    assert found.rivals == ()
    (weighed,) = extract(text)
    assert weighed.rivals == ("http://h.example/ab",)
    assert found.confidence <= weighed.confidence


def test_urls_with_raw_signs_are_found_when_read_simply() -> None:
    """They are not valid, but a reader would copy them."""
    found = when_over("http://h.example/a|b ")
    assert found
    assert found.url == "http://h.example/a|b"
    assert simply_read(found)
    assert not found.valid
    assert not found.rejected
    assert found.confidence == extract("http://h.example/a|b ")[0].confidence


def test_rejects_are_not_explained_when_read_simply() -> None:
    """A rejected candidate is reported with one problem, which says why no others are listed."""
    found = when_over("http://h.example:zz/ ")
    assert found
    assert found.url == "http://h.example:zz/"
    assert found.rejected
    assert simply_read(found)
    assert found.problems[0].message == CODES["simply-read"].meaning


def test_a_candidate_that_nobody_tried_to_salvage_says_so() -> None:
    """It is rejected, but earlier ones of its kind were found."""
    found = extract("".join(f"see http://u{n}.example/x%\nthe words\n" for n in range(20_000)), invalid=True)
    told = [simply_read(each) or "simply-read" in {problem.code for problem in each.problems} for each in found]
    assert told == [each.rejected for each in found]
    assert not told[0]
    assert any(told)


@given(
    text=texts(), dialect=st.sampled_from(["current", "rfc1738", "early", "web"]), flowed=st.sampled_from(["", "delsp"])
)
def test_the_work_is_bounded(text: str, dialect: Dialect, flowed: Flowed) -> None:
    """Once the work exceeds what the text so far allows, further candidates add only that of reading them simply."""
    with counted(effort.FREE) as work:
        extract(text, dialect, invalid=True, flowed=flowed)
    over = [each for each in work if each.before > effort.FREE + effort.RATE * each.at]
    simple = [effort.SIMPLE + (each.end - each.at) // effort.PER_UNIT for each in over]
    assert [each.behind - each.before for each in over] == simple


@pytest.mark.parametrize("text", ["news:..{}", "{}"])
def test_small_texts_are_bounded_as_long_ones_are(text: str) -> None:
    """Many small ones take a few times as much work for each code point as one long text, not a hundred times."""
    small = text.format("http://![ß^(" * 50)
    with counted() as work:
        extract(small)
    assert work[-1].behind < 12 * len(small)


def test_the_shortest_texts_are_read_as_longer_ones() -> None:
    """A URL in many pieces needs more work than its length alone would allow."""
    short = '"https://w \nw \nw.f \noo.o \nrg-x \n.htm \nl& \nr= \n2"'
    (found,), (longer,) = extract(short), extract(f"{short}\n\n{'word ' * 100}")
    assert found.url == longer.url
    assert found.joins


@pytest.mark.parametrize("many", [2, 8])
def test_a_few_urls_of_many_lines_and_signs_are_all_read(many: int) -> None:
    """In a short mail too: search forms, lists of coordinates and shops make such URLs."""
    search = "http://www.a.example/search?" + "&".join(f"f[{at}]={at * 7919 % 10**5:05}:{at}" for at in range(40))
    shop = "http://www.a.example/store?cat=84&" + "".join(f"amp;p{at:02}=v{at:02}x&" for at in range(45))
    places = "http://www.a.example/maps/" + "".join(f"@12.3{at:03},98.7{at:03}," for at in range(30)) + "@1"
    for url in (search, shop, places):
        broken = "\n".join(url[at : at + 70] for at in range(0, len(url), 70))
        found = extract("".join(f"Topic {number}:\n{broken}\n\nSome words.\n\n" for number in range(many)))
        assert not any(simply_read(each) for each in found)
        assert {each.url for each in found} == {url}


@pytest.mark.parametrize(
    ("begin", "part"),
    [
        ("https://logs.a.example/app#/find?_a=(cols:!(", "(k:'name-{0}',m:(neg:!f,par:(q:{0}),at:now)),"),
        ("https://maps.a.example/way/data=", "!4m{0}!2d13.{0}!3d52.{0}!1s0x{0}"),
        ("http://find.a.example/select?q=", "&fq=kind:({0}+OR+{0})"),
        ("http://lists.a.example/items?$order=Name&$filter=", "(Kind%20eq%20'{0}')%20or%20"),
        ("http://www.a.example/story/0,", "1{0},27-{0},"),
    ],
)
@pytest.mark.parametrize("length", [300, 600, 900, 1_300])
@pytest.mark.parametrize("column", [60, 72, 76])
def test_a_long_url_of_many_signs_is_read_whole_though_nothing_else_is_in_the_text(
    begin: str, part: str, length: int, column: int
) -> None:
    """Programs that search logs, maps and shops make such URLs. Each code point of the URL allows work for it."""
    url = begin
    while len(url) < length:
        url += part.format(len(url) * 7919 % 10**5)
    url = f"{url.rstrip(',')}x"
    (found,) = extract("\n".join(url[at : at + column] for at in range(0, len(url), column)) + "\n")
    assert found.url == url
    assert not simply_read(found)


@pytest.mark.parametrize("unit", ["ws://[😀", "ws://'", "=%4ws://'ws://", "http:///😀"])
@pytest.mark.parametrize("times", [3, 100, 1_000])
def test_a_url_behind_many_rejected_candidates_is_found(unit: str, times: int) -> None:
    """All stand in one run. Once the work is over, each candidate ends where the next may begin, and none is lost."""
    assert extract(f"{unit * times}=http://www.example.org/a and")[-1].url == "http://www.example.org/a"


@pytest.mark.parametrize("sign", ["{", "%", "é{"])
def test_the_number_of_problems_is_bounded(sign: str) -> None:
    """A URL lists at most `MOST_PROBLEMS` problems."""
    verdict = validate(f"http://h.example/{sign * 1_000}", "rfc1738")
    assert len(verdict.problems) == MOST_PROBLEMS
    assert len(validate(f"http://h.example/{sign * 9}", "rfc1738").problems) < MOST_PROBLEMS


def test_a_long_url_goes_on_behind_no_line_break() -> None:
    """URLs that were cut by line breaks are never that long."""
    below = "\nuary/025215.html\n"
    short, long = "http://h.example/" + "a" * 50 + "Febr", "http://h.example/" + "a" * effort.LONGEST + "Febr"
    assert extract(long + below)[0].url == long
    assert extract(long + below)[0].rivals == ()
    assert len(extract(short + below)[0].rivals + extract(short + below)[0].joins) > 0


@pytest.mark.parametrize("signs", [1, MOST_SIGNS, MOST_SIGNS + 1])
def test_the_number_of_replaced_signs_is_bounded(signs: int) -> None:
    """Each takes memory. A long URL with few of them has them replaced."""
    url = f"http://h.example/{'‾' * signs}{'a/' * effort.LONGEST}"
    (found,) = extract(url)
    assert found.url == (url.replace("‾", "~") if signs <= MOST_SIGNS else url)
    assert len(found.mends) == (signs if signs <= MOST_SIGNS else 0)


@pytest.mark.parametrize("sign", [";", ",", "-", "'", "("])
@pytest.mark.parametrize(("signs", "lines"), [(5_000, 40), (400, 6)])
def test_a_row_of_signs_is_not_read_anew_for_each_line(
    sign: str, signs: int, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each sign, several rules may end the URL. Of the lines on which it may go on, and its forms, few are tried."""
    read: list[int] = []

    def noted(text: str, start: int) -> End:
        read.append(signs_in(text, start, len(text)))
        return end_of(text, start)

    for module in (decision, interpret):
        monkeypatch.setattr(module, "end_of", noted)
    for line in ("/y-\n", "y\n", "/y/\n"):
        url = f"http://a.example/b{sign * signs}"
        text = f"{url}\n{line * lines}"
        read.clear()
        (found, *_) = extract(text)
        assert signs < 5_000 or "simply-read" in {problem.code for problem in found.problems}
        once = effort.SIGN * signs_in(url, 0, len(url))
        assert 0 < effort.SIGN * sum(read) < effort.FREE_RATE * len(text) + effort.OWN_RATE * len(url) + 4 * once


def test_signs_of_lists_and_programs_count_as_three() -> None:
    """To look at one of them takes three times as long as at a bracket. The signs of most URLs take nothing."""
    assert signs_in("a;b,c$d", 0, 7) == 9
    assert signs_in("x(a)'b--c-d", 1, 11) == 4
    assert signs_in("&#a:?b&c:d?e", 0, 12) == 2  # before what several rules examine
    assert signs_in("http://a.example:80/~b/c_d?e=f&g#h!i|j", 0, 38) == 0


def test_no_url_goes_on_in_a_line_that_is_too_long() -> None:
    """The whole line would be read for each way to read the URL."""
    for sign in ("/", "\\~"):
        (found,) = extract(f"http://h.example/b/\n1={sign * effort.LONGEST}")
        assert (found.url, found.rivals) == ("http://h.example/b/", ())


def test_candidates_behind_a_searched_stretch_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a run is divided, each candidate of a scheme of one's own is read once, not the whole run behind it."""
    # A short run is divided too, so that both lengths are read in the same way.
    monkeypatch.setattr(effort, "FREE", effort.LEAST_FREE)
    read = partial(extract, schemes=("x",))
    assert growth(read, lambda size: "x://a:80" * (size // 8), 2_000) < BOUND
