"""Tests of the windows in which a long text is read: where they lie, and what is found in them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from broken_texts import broken
from urlglean import Finding, extract
from urlglean.records import Flowed, Window
from urlglean.text.extract import Extractor
from urlglean.text.finding import moved
from urlglean.text.gaps import NEAR
from urlglean.text.joining.line_geometry import REGION
from urlglean.windows import GRID, SIZE, WindowSize, windows, windows_of

SIGNS = st.sampled_from(
    ["\n", "\r", "\r\n", " ", "\t", "\n\n", "\n \r\n", "a", "ab.c", "\u00e9", "\U0001f600", "=", "<"]
)
URLS = st.sampled_from(["http://a.b/", "ftp://h.example/x-", "data:,xyz", "URL:", ">", '"', "news:a@b", "ws://a.b?x="])
TEXTS = st.lists(SIGNS | URLS, max_size=60).map("".join)
SIZES = st.builds(WindowSize, own=st.integers(1, 40), margin=st.integers(1, 30), run=st.integers(1, 120))


def small(own: int, margin: int = 20, run: int = 1 << 20) -> Extractor:
    """An extractor with small windows."""
    return Extractor("current", "likely", window=WindowSize(own=own, margin=margin, run=run))


def cut(text: str, places: list[int]) -> Iterator[str]:
    """The text in pieces; some may be empty."""
    ends = sorted(place % (len(text) + 1) for place in places)
    return (text[start:end] for start, end in pairwise([0, *ends, len(text)]))


def test_the_grid_is_that_of_the_readers_of_lines() -> None:
    """So that a window has the same stretches of lines as the whole text, and whole ones around what it owns."""
    assert GRID % NEAR == GRID % REGION == 0
    assert SIZE.margin >= 2 * NEAR
    assert SIZE.margin >= 2 * REGION


@given(TEXTS, SIZES)
@example("\n\n\n\n\n\r\r\n\n", WindowSize(own=1, margin=1, run=1))
def test_windows_cover_the_text_side_by_side(text: str, size: WindowSize) -> None:
    """Without a gap, each as long as its size says and the rest of a line end, never with half of a CR LF."""
    longest = max(size.run, size.own + size.margin) + len("\r\n")
    found = list(windows(text, size))
    assert found[0].start == 0
    assert found[-1].end == len(text)
    for window in found:
        assert 0 <= window.first <= window.start <= window.end <= window.last <= len(text)
        assert window.first % GRID == 0
        assert window.end - window.start <= longest or window.end == len(text)
    for one, other in pairwise(found):
        assert one.end == other.start > one.start
        assert one.end - one.start >= min(size.own, size.run)
        assert (one.after, one.last) == (other.first, other.before)
        assert text[one.end - 1 : one.end + 1] != "\r\n"
        assert not text.startswith("\r\r\n", one.end - 1)


@given(TEXTS, SIZES, st.lists(st.integers(0, 10_000)))
def test_windows_depend_on_the_text_not_on_its_pieces(text: str, size: WindowSize, places: list[int]) -> None:
    """A piece may end anywhere, in the middle of a CR LF too."""
    whole = [(window, text[window.first : window.last]) for window in windows(text, size)]
    assert list(windows_of(cut(text, places), size)) == whole


@given(st.integers(4000, 9000), st.lists(st.integers(0, 100_000), max_size=30), st.integers(1, 3000))
def test_windows_behind_the_grid_do_not_depend_on_pieces_either(own: int, places: list[int], margin: int) -> None:
    """In a text so long that its beginning is given up."""
    text = "".join(f"line {n} http://www.example.org/{n}{'x' * (n * 7 % 90)}\n" for n in range(400))
    size = WindowSize(own=own, margin=margin)
    whole = [(window, text[window.first : window.last]) for window in windows(text, size)]
    assert len(whole) > 2
    assert any(window.first for window, _ in whole)
    assert list(windows_of(cut(text, places), size)) == whole


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("aaaa aaaa\nbb\n \nccccc", 15),  # a blank line is best
        ("aaaa aaaa\r\nbb\r\n\r\nccccc", 17),
        ("aaaa aaaa\rbb\r\rccccccc", 14),
        ("aaaa aaaa\r\nbb ccccccccccccc", 11),  # then a line end, never inside a CR LF
        ("aaaa aaaa bb cccccc dddddddd", 20),  # then what no URL holds
        ("aaaaaaaaaabbbbbbbbbb>ddddddd", 21),
        ("aaaaaaaaaabbbbbbbbbb,ws://d.", 21),  # then the place before another URL
        ("aaaaaaaaaabbbbbbbbbbbbbbbbb,dddddd", 25),  # and at last anywhere
    ],
)
def test_a_window_ends_where_no_url_goes_on(text: str, end: int) -> None:
    """The best place that there is within a margin, then the next that will do."""
    size = WindowSize(own=8, margin=8, run=25)
    assert next(windows(text, size)).end == end


def test_a_short_text_is_one_window() -> None:
    """The empty text is one too."""
    for text in ("", "x", "x" * 8):
        assert list(windows(text, WindowSize(own=8))) == [Window(0, 0, 0, len(text), len(text), len(text))]


def test_pieces_are_given_on_before_the_text_ends() -> None:
    """So that a text without an end is read too, in bounded memory."""

    def endless() -> Iterator[str]:
        while True:
            yield "a line of text\n"

    size = WindowSize(own=100, margin=50)
    found = windows_of(endless(), size)
    assert [next(found)[0].start for _ in range(5)] == [0, 105, 210, 315, 420]


@given(TEXTS, st.integers(1, 60), st.sampled_from(["", "flowed", "delsp"]))
def test_a_call_is_the_windows_together(text: str, own: int, flowed: Flowed) -> None:
    """Whatever goes over the end of a window."""
    extractor = small(own)
    assert extractor(text, flowed) == [each for found in extractor.windows(text, flowed) for each in found]


@given(
    st.lists(
        st.sampled_from(["see ", "at ", "a word and another ", "\n", "\n\n", "> ", "URL:", "<", "(", '"']), max_size=80
    )
)
def test_urls_that_stand_whole_are_found_as_in_the_whole_text(pieces: list[str]) -> None:
    """With everything that a finding says: each URL stands in one line, with more text behind it, and only once."""
    line = "".join(pieces)
    closing = {"<": "> ", '"': '" ', "(": ") "}
    text = ""
    for n in range(120):
        text += f"{line} number {n}\n"
        for kind in ("", "<", '"', "URL:", "<URL:", "("):
            url = f"http://www.example.org/{n}/{len(kind)}/{'p' * (n % 60)}"
            text += f"it is {kind}{url}{closing.get(kind[:1], ' ')}and so on.\n"
    extractor = small(2000, SIZE.margin)
    found = list(extractor.windows(text))
    assert len(found) > 10
    assert [each for some in found for each in some] == extract(text)


BROKEN = broken("\n", "http://www.example.org/\u00afjoe/ ", "<http://www.example.org/")


@given(BROKEN, st.integers(20, 90), st.sampled_from(["", "flowed", "delsp"]))
def test_findings_never_overlap_where_windows_meet(text: str, own: int, flowed: Flowed) -> None:
    """As far as they do not overlap in a window itself."""
    extractor = small(own, 20)
    done = 0
    for findings in extractor.windows(text, flowed):
        if findings:
            assert findings[0].span.start >= done
            done = findings[-1].span.end


@given(BROKEN, st.integers(1, 100))
def test_a_moved_finding_names_the_same_stretches(text: str, by: int) -> None:
    """Of a text that has so many code points more before it."""
    for found in extract(text, invalid=True):
        there = moved(found, by)
        assert slices(there, "-" * by + text) == slices(found, text)
        assert moved(there, -by) == found


def slices(found: Finding, text: str) -> list[str]:
    """The text at every place that a finding names."""
    joins, mends = ([each.at for each in some] for some in (found.joins, found.mends))
    return [text[each.start : each.end] for each in (found.span, *found.pieces, *joins, *mends)]


FILLING = "This line holds no address, it only takes up its room here.\n"


def test_what_goes_over_an_end_is_decided_by_what_both_windows_know() -> None:
    """The URL at the end of the first window goes on by evidence that the second window does not know."""
    first, second = "http://www.example.org/papers/x-", "X?u=http://h.example/"
    known = f"It is {first}{second} here\n{FILLING * 300}"
    text = f"{known}see {first}\n{second} and more\n{FILLING * 300}"
    end = len(known) + len(f"see {first}\n")
    extractor = small(end - 1, SIZE.margin)
    assert next(windows(text, extractor.window)).end == end
    assert [each.url for each in extract(text)][1:] == [first + second]
    assert [[each.url for each in found] for found in extractor.windows(text)] == [
        [first + second, first],
        ["http://h.example/"],
    ]


def test_a_url_that_goes_over_an_end_belongs_to_the_window_in_which_it_begins() -> None:
    """What the rest of it holds is found no second time."""
    first, second = "http://www.example.org/a/long/path/to-", "part.html?see=http://h.example/"
    text = f"{FILLING}see {first}\n{second} and more\n{FILLING * 30}"
    end = text.index(second)
    found = list(small(end - 1, 200).windows(text))
    assert [[each.url for each in some] for some in found][:2] == [[first + second], []]


def test_a_url_that_is_longer_than_a_seam_is_found_whole() -> None:
    """By the window in which it begins, as far as that reads."""
    before = FILLING * 95
    text = f"{before}<URL:data:,\n" + "\n".join(["x" * 70] * 10) + f">\n{FILLING * 100}"
    end = text.index("\n", 2 * GRID + 300) + 1
    extractor = small(end - 1, 300)
    window = next(windows(text, extractor.window))
    assert len(before) < window.after < window.end == end < text.index(">\n")
    assert [each.url for each in extractor(text)] == [f"data:,{'x' * 700}"]


def test_a_url_in_a_rejected_one_belongs_to_the_window_in_which_it_begins() -> None:
    """The rejected one goes over the end of a window, and both windows search it again."""
    second = "http://h.example/x"
    text = f"{FILLING}<http://www.example.org/{{id}}\nor {second}>\n{FILLING * 30}"
    end = text.index("or ")
    found = list(small(end - 1, 200).windows(text))
    assert [[each.url for each in some] for some in found][:2] == [[], [second]]
