"""Files that were posted inside a text: no URL comes from them, and the text around them is kept."""

from __future__ import annotations

import binascii
from itertools import chain, islice, pairwise, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import BOUND, growth
from urlglean.inline_binaries import SCHEMES, emptied, without_binaries
from urlglean.mail import read
from urlglean.text.scheme_triggers import WITHOUT_SLASHES


def uuencoded(data: bytes) -> bytes:
    """The lines of uuencoded data, without `begin` and `end`."""
    return b"".join(binascii.b2a_uu(data[at : at + 45], backtick=True) for at in range(0, len(data), 45))


def yencoded(data: bytes, width: int = 128) -> bytes:
    """The lines of yEnc data (octets plus 42; NUL, LF, CR and = escaped), without `=ybegin` and `=yend`."""
    lines, line = [], b""
    for octet in data:
        coded = (octet + 42) % 256
        line += b"=" + bytes(((coded + 64) % 256,)) if coded in b"\0\n\r=" else bytes((coded,))
        if len(line) >= width:
            lines.append(line)
            line = b""
    return b"".join(each + b"\n" for each in (*lines, line) if each)


@given(st.binary(min_size=1, max_size=500), st.sampled_from([b"\n", b"\r\n"]))
def test_uuencoded_files_are_emptied(data: bytes, end: bytes) -> None:
    """The lines from `begin` to `end` become empty, so that the text behind keeps its line numbers."""
    lines = b"begin 644 a.bin\n" + uuencoded(data) + b"`\nend\n"
    text = (b"before\n" + lines + b"after\n").replace(b"\n", end)
    assert without_binaries(text) == b"before" + end + b"\n" * lines.count(b"\n") + b"after" + end


def test_later_parts_of_a_file_have_no_begin() -> None:
    """They are recognised by their full lines alone, with the last, shorter line."""
    lines = uuencoded(bytes(range(200)))
    assert without_binaries(b"part 2\n" + lines + b"end\n") == b"part 2\n" + b"\n" * 6
    assert without_binaries(lines) == b"\n" * 5


def test_a_line_in_capitals_with_a_url_is_none_of_the_file() -> None:
    """It begins with the letter of a full line, from which mailers remove blanks."""
    lines, said = uuencoded(bytes(range(135))), b"MORE AT HTTP://A.EXAMPLE/X\n"
    assert without_binaries(b"x\n" + lines + said) == b"x\n" + b"\n" * 3 + said


@given(st.binary(min_size=1, max_size=1000), st.sampled_from([b"", b"=ypart begin=1 end=9\n"]))
def test_yenc_files_are_emptied(data: bytes, part: bytes) -> None:
    """The lines from `=ybegin` to `=yend` become empty, whatever octets they hold."""
    lines = b"=ybegin line=128 size=9 name=a b.bin\n" + part + yencoded(data) + b"=yend size=9\n"
    assert without_binaries(b"before\n" + lines + b"after\n") == b"before\n" + b"\n" * lines.count(b"\n") + b"after\n"


@pytest.mark.parametrize(
    "line",
    [
        b"MAILTO:A@B.EXAMPLE",
        b"MORE AT WWW.EXAMPLE.ORG",
        b"MORE AT FTP.EXAMPLE.ORG/PUB",
        b"MORE AT HTTP://A.EXAMPLE/",
        b"AT HTTP://HOST.EXAMPLE/ IS ALL THAT WAS SAID.",  # as long as its first letter says
        b"AT WWW.HOST.EXAMPLE IS ALL THAT HAS BEEN SAID",
        *(b"MORE IN " + scheme + b":A" for scheme in SCHEMES),
    ],
)
def test_a_url_in_capitals_is_none_of_a_file(line: bytes) -> None:
    """Though its line has the form of an encoded line."""
    lines = uuencoded(bytes(range(200)))
    assert without_binaries(b"begin 644 a\n" + lines + line + b"\n") == b"\n" * 6 + line + b"\n"


def test_every_scheme_without_slashes_is_known() -> None:
    """The registry of schemes has the same."""
    assert {scheme.decode().lower() for scheme in SCHEMES} == set(WITHOUT_SLASHES)


@pytest.mark.parametrize(
    "text",
    [
        b"begin 644 words\nhttp://a/ and prose\n",
        b"begin with this\nHTTP://A/\n",
        b"begin 644 x\nMUCH IN CAPITALS: FTP://HOST/\n"[:12] + b"FTP://HOST/\n",
        b"MINE IS THE ONE LINE OF SIXTY-ONE CHARACTERS, HTTP://A.EXAMPLE/\n",
        b"=ybegin line=128 size=9 name=x\nhttp://a/ in a line that is too short\n",
        b"=ybegin is how it starts\nhttp://a/\n",
    ],
)
def test_prose_that_looks_like_the_beginning_of_a_file_is_kept(text: bytes) -> None:
    """A line that only looks like the beginning of a file does not empty the text behind it."""
    assert without_binaries(text) == text


def test_the_lines_of_a_text_keep_their_numbers() -> None:
    """A URL behind a file keeps its line number, and octets of the file that spell a URL are not found."""
    body = b"one\nbegin 644 a\n" + uuencoded(b"x" * 100) + b"`\nend\nhttp://a/\n"
    for found in (read(body, "text"), read(b"From: a@b\n\n" + body)):
        (part,) = found.parts
        assert part.text.split("\n") == ["one", *[""] * 6, "http://a/", ""]


@given(st.binary(max_size=500))
def test_text_without_a_file_is_unchanged(octets: bytes) -> None:
    """Nothing is removed if neither encoding begins."""
    if b"begin" not in octets and octets.count(b"M") < 3:
        assert without_binaries(octets) == octets


@pytest.mark.parametrize(
    "unit", [b"begin 644 a\n", b"=ybegin line=2 \n", b"M" * 61 + b"\n", b"\nM", b"begin 644 ", b"M"]
)
def test_hostile_repetition_takes_no_quadratic_time(unit: bytes) -> None:
    """The time for reading beginnings grows as their number does."""
    assert growth(without_binaries, lambda length: unit * (length // len(unit)), 100_000) < BOUND


FRAGMENTS = (
    st.sampled_from(
        [
            *(
                b"prose http://a.example/\n",
                b"\n",
                b"\r\n",
                b"begin 644 x\n",
                b"`\n",
                b"end\n",
                b"end",
                b"=yend size=3\n",
            ),
            *(b"=ybegin line=20 size=9 name=a\n", b"=ypart begin=1\n", b"begin 644 ", b"x" * 40_000),
        ]
    )
    | st.binary(max_size=200).map(uuencoded)
    | st.binary(max_size=100).map(lambda data: yencoded(data, 20))
)


@given(st.lists(FRAGMENTS, max_size=14).map(b"".join), st.lists(st.integers(0, 1 << 20), max_size=9))
def test_in_blocks_the_same_lines_are_emptied(text: bytes, places: list[int]) -> None:
    """The blocks may end anywhere. Each octet is counted once."""
    ends = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    found = list(emptied(text[start:end] for start, end in pairwise(ends)))
    assert b"".join(kept for kept, _ in found) == without_binaries(text)
    assert sum(octets for _, octets in found) == len(text)
    assert all(len(kept) <= octets for kept, octets in found)


def test_a_file_without_an_end_is_emptied_in_bounded_memory() -> None:
    """This holds for any lines; a line without an end is passed on."""
    for line in (b"M" + b"x" * 60, b"#ABC", b"x"):
        lines = chain((b"begin 644 x\n",), repeat(uuencoded(b"123") if line == b"#ABC" else line + b"\n"))
        assert sum(octets for _, octets in islice(emptied(lines), 2000)) > 1000
    assert sum(octets for _, octets in islice(emptied(repeat(b"x" * 1000)), 10)) > 10_000
