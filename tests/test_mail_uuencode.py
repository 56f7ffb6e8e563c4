"""Transfer encodings: uuencode (POSIX.1)."""

from __future__ import annotations

import binascii

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urlglean.mail.transfer_encoding import Undone, undo

DAMAGED = "its uuencoded data hold lines that are damaged; those are read as they lie"
TEXT = b"see http://a.example/ of bread, and of stone and clay,\nand http://b.example/of/them. So it goes on.\n"


def encoded(text: bytes, *, backtick: bool = True) -> list[bytes]:
    """The lines of uuencoded data, with a frame."""
    lines = [binascii.b2a_uu(text[at : at + 45], backtick=backtick) for at in range(0, len(text), 45)]
    return [b"begin 644 a\n", *lines, b"`\n" if backtick else b" \n", b"end\n"]


@pytest.mark.parametrize("cut", [2, 1, 0])
def test_uuencoded_data_that_are_cut_off_are_told(cut: int) -> None:
    """Of a line that is cut off, other letters than it had are decoded."""
    whole = b"begin 644 cat.txt\n#0V%T\n`\n"
    assert undo(whole + b"end\n", "uuencode").flaw is None
    assert undo(whole, "uuencode").flaw is None  # the line before shows the end
    undone = undo(whole[: len(whole) - 2 - cut], "uuencode")
    assert undone.octets.startswith(b"C")
    assert undone.flaw == "its uuencoded data have no end"


@pytest.mark.parametrize(
    ("octets", "is_told"),
    [
        (b"begin 644 a\n#0V%T\n`\nend\nbegin 644 b\n#0V%T\n", True),
        (b"begin 644 a\n#0V%T\n`\nbegin 644 b\n#0V%T\n`\n\nof a list\n", False),
        (b"begin 644 is how it begins\nbegin 644 a\n#0V%T\n`\nend\n", False),
    ],
)
def test_each_of_several_uuencoded_files_has_its_end(octets: bytes, *, is_told: bool) -> None:
    """A footer may follow, and prose may name such a line."""
    assert (undo(octets, "uuencode").flaw is not None) == is_told


@given(st.binary(max_size=300), st.booleans(), st.sampled_from([b"\n", b"\r\n"]))
@example(data=bytes(100), backtick=True, end=b"\n")
def test_uuencoded_data_are_read_whole(data: bytes, backtick: bool, end: bytes) -> None:  # noqa: FBT001
    """Whatever signs stand for zeros, and whatever ends the lines."""
    lines = b"".join(encoded(data, backtick=backtick)).replace(b"\n", end)
    assert undo(lines, "uuencode") == Undone(data, None)


@pytest.mark.parametrize("more", range(1, 46))
def test_blanks_at_the_end_of_a_line_may_be_lost(more: int) -> None:
    """They stand for zeros. Of text, they are only what fills the last group, and a few bits before it."""
    text = TEXT[:45] + b"x" * (more - 1) + b"@"
    lines = [line.rstrip(b" \n") + b"\n" for line in encoded(text, backtick=False)]
    assert undo(b"".join(lines), "uuencode") == Undone(text, None)


@pytest.mark.parametrize("checksum", [b"X", b"#", b"`", b" "])
def test_each_line_may_end_in_a_checksum(checksum: bytes) -> None:
    """Some programs append one sign."""
    begin, *lines, zero, end = encoded(TEXT)
    summed = [line[:-1] + checksum + b"\n" for line in lines]
    assert undo(b"".join([begin, *summed, zero, end]), "uuencode") == Undone(TEXT, None)


@pytest.mark.parametrize("width", [61, 62, 63, 70, 80, 132])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_lines_may_be_filled_with_blanks(width: int, end: bytes) -> None:
    """As gateways and computers with records of one length did."""
    lines = b"".join(line.strip(b"\n").ljust(width) + end for line in encoded(TEXT))
    assert undo(lines, "uuencode") == Undone(TEXT, None)


@pytest.mark.parametrize("at", range(1, 60, 5))
@pytest.mark.parametrize("cut", [2, 7, 50])
def test_a_line_that_lacks_signs_is_told(at: int, cut: int) -> None:
    """It would be decoded to other letters, and NULs."""
    lines = encoded(TEXT)
    damaged = lines[1][:at] + lines[1][at:-1][cut:] + b"\n"
    undone = undo(b"".join([lines[0], damaged, *lines[2:]]), "uuencode")
    if len(lines[1]) - len(damaged) >= 2:
        assert undone == Undone(damaged + TEXT[45:], DAMAGED)


@pytest.mark.parametrize("other", [b"see http://b.example/\n", b"SEE THIS\n", b"M" * 63 + b"\n"])
def test_other_lines_within_uuencoded_data_are_told(other: bytes) -> None:
    """In small letters, too short, too long. They are kept."""
    begin, first, *rest = encoded(TEXT)
    assert undo(b"".join([begin, first, other, *rest]), "uuencode") == Undone(TEXT[:45] + other + TEXT[45:], DAMAGED)
    two = [begin, first, other, *rest, b"begin 0644 b\n", *encoded(TEXT)[1:]]
    assert undo(b"".join(two), "uuencode") == Undone(TEXT[:45] + other + TEXT[45:] + TEXT, DAMAGED)


def test_an_empty_line_within_uuencoded_data_is_no_text() -> None:
    """Text has its line ends in the data."""
    begin, *lines, zero, end = encoded(TEXT)
    assert undo(begin + b"\n".join(lines) + b"\n" + zero + end, "uuencode") == Undone(TEXT, None)


def test_text_that_is_not_uuencoded_after_all_is_kept() -> None:
    """Capitals and signs could be a line that lacks signs."""
    text = b"READ THIS: HTTP://A.EXAMPLE/\nAND THAT\n"
    assert undo(text, "uuencode") == Undone(text, None)
    assert undo(text + b"".join(encoded(TEXT)) + text, "uuencode") == Undone(text + TEXT + text, None)
