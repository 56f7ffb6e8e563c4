"""Base64 (RFC 2045 6.8): damaged lines, footers and other text around it, and what is told of them."""

from __future__ import annotations

import base64
import re
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import BOUND, growth
from urlglean.mail.transfer_encoding import Undone, undo


@pytest.mark.parametrize("charset", ["utf-16-le", "utf-16-be", "utf-8"])
def test_a_footer_has_the_charset_of_the_text_before_it(charset: str) -> None:
    """A list appends it in ASCII, and one charset is declared for both."""
    encoded = base64.encodebytes("see http://a.example/".encode(charset))
    undone = undo(encoded + b"-- \nlist: http://b.example/\n", "base64")
    assert undone.octets.decode(charset) == "see http://a.example/\n-- \nlist: http://b.example/"


def test_incomplete_base64_is_reported() -> None:
    """Five characters hold three octets and a rest that is too short for one."""
    assert undo(b"YWJjZ", "base64") == Undone(b"abc", "its base64 lacks characters")
    for damaged in (b"YW=jZGVmZ2hp", b"YWJj=ZGVm"):  # one sign was read as "="
        assert undo(damaged, "base64").flaw == "its base64 lacks characters"
    assert undo(b"YQ==YWI=YWI", "base64") == Undone(b"aabab", None)


@pytest.mark.parametrize(("start", "end"), [(100, 101), (77, 114), (0, 3)])
def test_a_line_of_base64_that_lacks_characters_spoils_no_other(start: int, end: int) -> None:
    """All lines but the last have whole groups (RFC 2045 6.8), unless all are as long as each other."""
    lines = [b"line number %03d, of fifty-seven octets, which fill one lin\n" % number for number in range(20)]
    whole = base64.encodebytes(b"".join(lines))
    undone = undo(whole[:start] + whole[end:], "base64")
    assert undone.flaw == "its base64 lacks characters"
    assert all(line in undone.octets for line in lines[4:])
    odd = re.sub(rb"(?s).{30}", rb"\g<0>\n", whole.replace(b"\n", b""))
    assert undo(odd + b"\n", "base64") == Undone(b"".join(lines), None)


BROKEN = "its base64 holds characters that are none of it; those lines are read as they lie"


@pytest.mark.parametrize(
    ("line", "flaw"),
    [
        (b"> gHR0cDovL2EuZXhhbXBsZS8xMjM0NTY3ODkwCg==", BROKEN),  # no text
        (b"! HR0cDovL2EuZXhhbXBsZS8xMjM0NTY3ODkwCg==", BROKEN),  # no whole groups
        (b"aHR0cDovL2EuZXhhbXBsZS8xMjM0NTY3ODkwCg== ignored", BROKEN),
        (b"This list will help with the work", None),
        (b"help! help!", None),
        (b"as McAdam, MacBeth and DeLuca have said on the list, of which you get all the messages", None),
        (b"leave by http://list.example/u?x=aHR0cDovL2EuZXhhbXBsZS8xMjM0NTY3ODkwCg now", None),
        (b"write to mailman/listinfo/announcements.example for all others of them", None),
        (b"_______________________________________________", None),
        (b"0123456789abcdef0123456789abcdef is its digest", None),
    ],
)
def test_base64_with_other_characters_is_said(line: bytes, flaw: str | None) -> None:
    """What a decoder would have to guess is left as it lies; a footer in plain text is no such line."""
    assert undo(b"YWJj\n" + line + b"\n", "base64") == Undone(b"abc\n" + line, flaw)


@pytest.mark.parametrize(
    "line",
    [
        b"aHR0 cDov L2Eu ZXhh bXBs ZS8x",
        b"> aHR0cDovL2EuZXhhbXBsZS8x",
        b"aHR0cDovL2EuZXh*hbXBsZS8x",
        b"aHR0cDovL2EuZXhhbXBsZS8x!\r",
        b"\0aHR0cDovL2EuZXhhbXBsZS8x",
        b"aHR0cDovL2EuZXhhbXBsZS8xCg=!=",
        b"aHR0 cDov L2Eu ZXhh\nbXBs ZS8x",  # the second line is short
        b"aHR0cDovL2EuZXhhbXBs\nZS!8x",
        b"\faHR0cDovL2EuZXhhbXBsZS8x",
    ],
)
def test_other_characters_in_base64_are_ignored(line: bytes) -> None:
    """RFC 2045 6.8, if the line surely is base64: it holds text. A footer behind it is kept."""
    octets, flaw = undo(b"YWJjC\ng==\n" + line + b"\n\nlist info: http://b/\n", "base64")
    assert octets.split() == [b"abc", b"http://a.example/1", b"list", b"info:", b"http://b/"]
    assert flaw is None


@pytest.mark.parametrize("width", [60, 80, 500, 989, 990, 997])
@pytest.mark.parametrize("break_", [b"!\n ", b"!\r\n ", b"!\n"])
@pytest.mark.parametrize("charset", ["koi8-r", "gb2312", "utf-16-le", "utf-8", "latin-1"])
def test_sendmail_breaks_long_lines_of_base64(width: int, break_: bytes, charset: str) -> None:
    """At 990 signs, with an exclamation mark, and a blank in the next line."""
    phrase = {"koi8-r": IN_KOI8, "gb2312": "\u4f60\u597d"}.get(charset, "voil\xe0 ")
    text = f"{phrase * 9}http://a.example/ {phrase}\n".encode(charset) * 20
    broken = re.sub(rb".{%d}(?!\Z)" % width, lambda found: found[0] + break_, base64.b64encode(text))
    assert undo(broken + b"\n", "base64") == Undone(text, None)


@pytest.mark.parametrize(
    "line", ["Hello!", "Thanks!", "deadbeef" * 8 + "!", "aB3dE5fG" * 8 + "*", "aB3dE5fG" * 8 + "!!"]
)
def test_another_line_with_an_exclamation_mark_is_text(line: str) -> None:
    """It is too short, has letters of one case, or another sign."""
    for above in (b"c28=\n", b"c28h\n"):
        octets, _ = undo(above + line.encode() + b"\n/////w==\n", "base64")
        assert line.encode() in octets


@pytest.mark.parametrize("above", [b"Hello", b"Re", b"abc", b"WARNING", b"so\nit\nis"])
@pytest.mark.parametrize("words", range(6))
def test_a_word_above_base64_is_told(above: bytes, words: int) -> None:
    """It looks like base64, and its letters would be taken for those of the first group."""
    text = b"see http://a.example/ of bread" + b"!" * words
    for width in (76, 1000):
        encoded = re.sub(rb".{%d}" % width, rb"\g<0>\n", base64.b64encode(text * 2))
        octets, flaw = undo(above + b"\n\n" + encoded + b"\n", "base64")
        assert text * 2 in octets
        assert flaw == "its base64 lacks characters"


@pytest.mark.parametrize(("excess", "end"), [(b"A", b"."), (b"AB", b""), (b"A", b" " * 200)])
def test_a_line_of_base64_with_more_characters_is_told(excess: bytes, end: bytes) -> None:
    """All together, or the padding, end no group then. What is in the other line is read."""
    text = b"see http://a.example/ of bread, and of stone, and of clay. see http://b.example/" + end
    octets, flaw = undo(excess + base64.encodebytes(text), "base64")
    assert b"http://b.example/" in octets
    assert flaw == "its base64 lacks characters"


IN_LATIN = "see http://a.example/ of bread, and "


IN_KOI8 = "о хлебе и соли, а также о печах "


@pytest.mark.parametrize("phrase", [IN_LATIN, IN_KOI8])
@pytest.mark.parametrize("width", [61, 65, 70, 75, 77])
@pytest.mark.parametrize("more", range(6))
@pytest.mark.parametrize("below", ["Joe", "Henry", "Thanks", "_____\nbye", "=", "a\nb\nc"])
@pytest.mark.parametrize("padded", [True, False])
def test_base64_in_lines_of_any_width_is_whole_above_a_footer(
    phrase: str, width: int, more: int, below: str, *, padded: bool
) -> None:
    """No line is whole groups there, so what stands below says nothing of them."""
    text = (phrase * 6 + "x" * more).encode("koi8-r")
    encoded = base64.b64encode(text)
    lines = re.sub(rb".{%d}" % width, rb"\g<0>\n", encoded if padded else encoded.rstrip(b"="))
    octets, _ = undo(lines + b"\n" + below.encode() + b"\n", "base64")
    assert octets.startswith(text)
    assert undo(lines + b"\n", "base64") == Undone(text, None)


@pytest.mark.parametrize("phrase", [IN_LATIN, IN_KOI8])
@pytest.mark.parametrize("width", [61, 62, 63, 65, 75, 76, 99, 195])
@pytest.mark.parametrize("times", [2, 4, 8])
def test_a_line_end_may_divide_padding(phrase: str, width: int, times: int) -> None:
    """Both signs of it are of one group, and what stands below is kept."""
    text = (phrase * times).encode("koi8-r")
    text += b"x" * ((1 - len(text)) % 3)
    encoded = base64.b64encode(text)
    assert encoded.endswith(b"==")
    lines = re.sub(rb".{%d}" % width, rb"\g<0>\n", encoded[:-1]) + b"\n=\n"
    assert undo(lines + b"_____\nto leave, write\n", "base64") == Undone(text + b"\n_____\nto leave, write", None)


def test_a_line_end_may_divide_padding_behind_a_full_line() -> None:
    """The sign in the next line does not make that line longer than the others."""
    text = (IN_KOI8 * 8).encode("koi8-r")[:235]
    lines = re.sub(rb".{63}", rb"\g<0>\n", base64.b64encode(text))
    assert lines.endswith(b"=\n=")
    assert undo(lines + b"\n_____\nto leave, write\n", "base64") == Undone(text + b"\n_____\nto leave, write", None)


@pytest.mark.parametrize("lengths", [(41, 76, 23, 50, 17), (75, 76, 61), (3, 76, 20), (1, 2, 1, 76)])
def test_lines_of_base64_may_have_any_lengths(lengths: tuple[int, ...]) -> None:
    """A line that is no whole groups lacks nothing if text stands behind it."""
    encoded, lines = base64.b64encode(IN_LATIN.encode() * 9), list[bytes]()
    for length in lengths:
        lines.append(encoded[:length])
        encoded = encoded[length:]
    for footer in ("", "_____\nto leave, write"):
        whole = Undone((IN_LATIN * 9 + f"\n{footer}" * bool(footer)).encode(), None)
        assert undo(b"\n".join([*lines, encoded, footer.encode()]), "base64") == whole


FOOTERS = [
    "Unsubscribe",
    "Thanks",
    "Joe",
    "end",
    "2003",
    "abc123",
    "SourceForge",
    "name=",
    "Best",
    "SENT",
    "Contacts",
    "/" * 70,
    "+++++",
    "Links\nmore",
]


@pytest.mark.parametrize("word", FOOTERS)
@pytest.mark.parametrize("above", ["", "\n", "-- \n", "_____\nto leave:\n"])
@pytest.mark.parametrize("charset", ["latin-1", "utf-8", "koi8-r"])
def test_words_and_rulers_below_base64_are_none(word: str, above: str, charset: str) -> None:
    """They stand behind its padding or behind other lines."""
    phrase = IN_KOI8 if charset == "koi8-r" else "Voilà "
    for more in range(6):
        text = (phrase * 9 + "x" * more).encode(charset) + b" http://a.example/x"
        encoded = base64.encodebytes(text)
        if above or encoded.endswith(b"=\n"):
            footer = f"{above}{word}\nhttp://f.example/".encode()
            found = undo(encoded + above.encode() + word.encode() + b"\nhttp://f.example/\n", "base64")
            assert found == Undone(text + b"\n" + footer, None)


@pytest.mark.parametrize("word", ["Best", "Contacts", "////"])
def test_a_word_of_whole_groups_below_an_empty_line_is_none(word: str) -> None:
    """All lines together could be base64."""
    text = b"see http://a.example/of" + b"x" * 4
    assert undo(base64.encodebytes(text) + f"\n{word}\n".encode(), "base64") == Undone(
        text + f"\n\n{word}".encode(), None
    )


@pytest.mark.parametrize("line", ["> - Igor.", "* Igor", "| Igor, so!"])
def test_a_line_that_is_no_base64_after_all_keeps_all_its_signs(line: str) -> None:
    """What its signs decode to goes on with the text above it."""
    text = b"see http://a.example/of" + b"x" * 4
    footer = f"\n\n{line}".encode()
    assert undo(base64.b64encode(text) + footer, "base64") == Undone(text + footer, None)


@pytest.mark.parametrize("more", range(0, 60, 3))
@pytest.mark.parametrize("footer", ["", "-- \nJoe\n"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_base64_may_have_an_empty_line_behind_each_of_its_own(more: int, footer: str, end: bytes) -> None:
    """Whatever its last line shows."""
    text = b"see http://a.example/ and so on, " * 5 + b"x" * more
    spaced = base64.encodebytes(text).replace(b"\n", end * 2)
    assert undo(spaced + footer.encode(), "base64") == Undone(text + f"\n\n{footer}".rstrip().encode(), None)


def test_a_word_below_a_full_line_and_others_is_text() -> None:
    """Only empty lines may stand between lines of one body."""
    line = base64.encodebytes(b"see http://a.example/ and so on" + b"!" * 26)
    octets, _ = undo(line + b"so, see:\n" + line + b"so, see:\nContacts\n", "base64")
    assert octets.endswith(b"\nContacts")


@pytest.mark.parametrize("more", range(12))
@pytest.mark.parametrize("width", [60, 61, 73, 75, 76])
@pytest.mark.parametrize("end", [b"", b"-- \nJoe\n"])
def test_double_spaced_base64_is_whole_in_any_width(width: int, more: int, end: bytes) -> None:
    """The groups of its last line begin in the one above."""
    for times in (2, 4):
        text = IN_KOI8.encode("koi8-r") * times + b"x" * more
        spaced = re.sub(rb".{%d}" % width, rb"\g<0>\n\n", base64.b64encode(text)) + b"\n\n"
        assert undo(spaced + end, "base64") == Undone(text + b"\n\n" * bool(end) + end.strip(), None)


@pytest.mark.parametrize("word", ["Best", "Bill", "Contacts", "++++++++"])
@pytest.mark.parametrize("octets", [36, 42, 60, 90, 900])
def test_a_word_below_a_lone_line_is_text(word: str, octets: int) -> None:
    """Where base64 is not wrapped, a line that is no usual one of base64 ends it."""
    text = b"see http://a.example/of" + b"x" * (octets - 23)
    assert undo(base64.b64encode(text) + f"\n\n{word}\n".encode(), "base64") == Undone(
        text + f"\n\n{word}".encode(), None
    )


@pytest.mark.parametrize("between", ["scanned by the gate\n", "\nso\n\n", "not of it\nso\n\n"])
def test_a_short_line_below_others_is_told(between: str) -> None:
    """It may be a word, or the last line of the base64 above, which has not ended."""
    text = (IN_KOI8 * 2).encode("koi8-r")[:63]
    lines = re.findall(rb".{1,76}", base64.b64encode(text))
    octets, flaw = undo(lines[0] + b"\n" + between.encode() + lines[1] + b"\n", "base64")
    assert (octets.split()[-1], flaw) == (lines[1], BROKEN)
    assert undo(lines[0] + b"\n" + between.encode() + lines[1] + b"\n\nJoe\n", "base64").flaw == BROKEN
    for word in ("Anna", "JOHN", "2003", "++++", "Contacts"):
        assert undo(lines[0] + b"\n" + between.encode() + word.encode() + b"\n", "base64").flaw is None
    octets, flaw = undo(base64.encodebytes(text + b"x") + between.encode() + b"Best\n", "base64")
    assert octets.startswith(text + b"x\n")
    assert (octets[-4:], flaw) == (b"Best", None)


@pytest.mark.parametrize("width", [40, 60, 76])
@pytest.mark.parametrize("at", range(1, 4))
@pytest.mark.parametrize("phrase", [IN_LATIN, IN_KOI8])
def test_an_empty_line_may_stand_somewhere_in_base64(phrase: str, at: int, width: int) -> None:
    """The line above it is full and has no padding, so the body goes on."""
    text = (phrase * 6).encode("koi8-r")
    for end in range(width * 2, width * 3):
        encoded = base64.b64encode(text[: end * 3 // 4])
        lines = re.findall(rb".{1,%d}" % width, encoded)
        if len(encoded) % width and at < len(lines):
            octets, flaw = undo(b"\n".join([*lines[:at], b"", *lines[at:]]) + b"\n-- \nJoe\n", "base64")
            assert (octets, flaw) == (text[: end * 3 // 4] + b"\n-- \nJoe", None)


@pytest.mark.parametrize("end", [b"", b"\n-- \nJoe\n"])
@pytest.mark.parametrize("octets", [6, 9, 12, 15])
def test_pieces_of_a_text_may_be_encoded_each_on_its_own(octets: int, end: bytes) -> None:
    """The last one may be short, and need no padding. A word is none."""
    text = b"here is the text, and the page is at: http://a.example/b.html?c=d"
    pieces = [text[-56 - octets : -octets], text[-octets:]]
    encoded = b"".join(base64.encodebytes(piece).replace(b"\n", b"") + b"\n" for piece in pieces)
    assert b"=\n" in encoded
    assert undo(encoded + end, "base64") == Undone((b"".join(pieces) + b"\n" + end).strip(), None)
    padded = base64.encodebytes(b"see http://a.example")
    for between in (b"\n", b"so\n"):
        found = undo(padded + between + base64.b64encode(b"b.html") + b"\n", "base64")
        assert found.octets.endswith(base64.b64encode(b"b.html"))


@pytest.mark.parametrize(
    ("octets", "word"),
    [(114, "Joe"), (114, "deadbeef" * 5), (114, "0123ABCD" * 2), (113, "Best"), (112, "Contacts")],
)
def test_a_word_below_a_full_line_is_text(octets: int, word: str) -> None:
    """It is no group of base64, or padding stands above it."""
    text = (b"see http://a.example/ of bread, and " * 4)[:octets]
    assert len(base64.b64encode(text)) == 2 * 76
    assert undo(base64.encodebytes(text) + f"\n{word}\n".encode(), "base64") == Undone(
        text + f"\n\n{word}".encode(), None
    )


@pytest.mark.parametrize("phrase", [IN_LATIN, IN_KOI8])
@pytest.mark.parametrize("width", [60, 61, 62, 63, 76, 1000])
@pytest.mark.parametrize("more", range(6))
@pytest.mark.parametrize("ruler", ["===", "====", "=" * 60])
def test_rulers_of_equals_signs_directly_below_base64_are_no_padding(
    phrase: str, width: int, more: int, ruler: str
) -> None:
    """A line end divides two signs at most. Without padding above, too."""
    text = (phrase * 3 + "x" * more).encode("koi8-r")
    encoded = base64.b64encode(text)
    for signs in (encoded, encoded.rstrip(b"=")):
        lines = re.sub(rb".{%d}(?!\Z)" % width, rb"\g<0>\n", signs)
        footer = f"{ruler}\nto leave, write".encode()
        assert undo(lines + b"\n" + footer, "base64") == Undone(text + b"\n" + footer, None)


@pytest.mark.parametrize("width", [60, 61, 76])
@pytest.mark.parametrize("below", ["=" * 60, "=" * 72, "", "7d" * 32, "7D" * 20, "aB3dE5fG7hJ9kLmNpQrStUvWxYz"])
def test_rulers_of_equals_signs_and_keys_below_base64_are_text(below: str, width: int) -> None:
    """In any width, and without a trouble."""
    text = b"see http://a.example/ of bread, and " * 6 + b"x"
    encoded = re.sub(rb".{%d}" % width, rb"\g<0>\n", base64.b64encode(text))
    assert encoded.endswith(b"=")
    footer = f"\n{below}\nto leave, write".encode()
    assert undo(encoded + b"\n" + footer, "base64") == Undone(text + b"\n\n" + footer.strip(), None)


@pytest.mark.parametrize("between", ["", "\n", "-- \n", "a line of words\n"])
def test_other_base64_below_base64_is_read_too(between: str) -> None:
    """With padding, in a long line, or with a text, also one that goes on within a group."""
    for second in (
        bytes(range(196, 256)) * 2,
        bytes(range(196, 226)),
        b"\xff",
        "see http://b.example/ ж".encode(),
        b"see http://b.example/",
    ):
        octets, _ = undo(base64.encodebytes(b"so") + between.encode() + base64.encodebytes(second), "base64")
        assert octets.startswith(b"so" + second)
    octets, _ = undo(b"c28\n\n" + between.encode() + b"/w==", "base64")
    assert b"\xff" in octets
    divided = base64.b64encode(b"\xfe" * 16)
    octets, _ = undo(divided[:18] + b"\n" + between.encode() + divided[18:], "base64")
    assert b"\xfe" * 16 in octets
    octets, _ = undo(b"c28\n\n" + between.encode() + base64.encodebytes(b"see http://b.example/"), "base64")
    assert b"see http://b.example/" in octets
    whole = base64.b64encode(b"see http://a.example/ and see http://b.example/ and so")
    octets, _ = undo(whole[:30] + b"\n" + between.encode() + whole[30:] + b"\n", "base64")
    assert octets.startswith(b"see http://a.example/ and see http://b.example/ and so")


def test_base64_between_other_lines_goes_on_within_a_group() -> None:
    """The signs of all the lines above count."""
    text = b"see http://a.example/ and see http://b.example/ and so"
    encoded = base64.b64encode(text)
    pieces = [encoded[:30], encoded[30:50], encoded[50:]]
    assert undo(b"\n--\n".join(pieces), "base64") == Undone(text + b"\n--\n--", None)
    between = encoded[:36] + b"\nsome list\n" + encoded[36:]
    assert undo(between + b"\n\nbye\n", "base64") == Undone(text + b"\nsome list\nbye", BROKEN)


def test_a_line_that_is_shorter_than_others_ends_base64() -> None:
    """Behind an empty line too, which may stand anywhere."""
    text = IN_LATIN.encode() * 3
    encoded = base64.b64encode(text)
    lines = [encoded[:76], encoded[76:], b"Best"]
    assert len(lines[1]) == 68
    assert undo(b"\n\n".join(lines), "base64") == Undone(text + b"\n\nBest", None)


SPOKEN = "See http://www.example.org/a?b, café, кириллица, 日本 😀, and all of that\r\nfor 1 and 2.\n" * 3


@pytest.mark.parametrize("charset", ["utf-8", "utf-16-le", "utf-16-be", "iso2022_jp"])
@pytest.mark.parametrize("width", [76, 74, 61])
@pytest.mark.parametrize("foreign", ["*", " * ", "\v"])
def test_a_line_of_base64_may_hold_any_text(charset: str, width: int, foreign: str) -> None:
    """In UTF-8, UTF-16 or ISO 2022, whether or not a group or a character begins where the line does."""
    text = SPOKEN if charset == "utf-8" else re.sub("[^ -~]", "日" if charset == "iso2022_jp" else "", SPOKEN)
    octets = text.encode(charset)
    lines = textwrap.wrap(base64.b64encode(octets).decode(), width)
    for at in range(len(lines)):
        line = lines[at][:9] + foreign + lines[at][9:]
        whole = "\n".join([*lines[:at], line, *lines[at + 1 :]])
        assert undo(whole.encode(), "base64") == Undone(octets, None)
    grouped = "\n".join(foreign.join(textwrap.wrap(line, 5)) for line in lines)
    assert undo(grouped.encode(), "base64") == Undone(octets, None)


@pytest.mark.parametrize("signs", [4, 10, 76])
def test_base64_that_may_be_a_footer_is_told(signs: int) -> None:
    """Of a charset that any octets are, what is base64 is not certain."""
    coded = base64.b64encode("Все на http://сайте, и ещё много другого здесь".encode("koi8-r")).decode()
    line = " ".join(textwrap.wrap(coded, signs)).encode() + b"!"
    assert undo(b"YWJj\n" + line, "base64") == Undone(b"abc\n" + line, BROKEN)


FOOTER = "\n_____\nsome list\nhttp://list.example/\n"


@pytest.mark.parametrize("footer", ["", FOOTER])
@pytest.mark.parametrize("width", [4, 8, 10, 16, 76])
@pytest.mark.parametrize("text", ["see http://a", "see http://a.example/b.\n", "Все на http://сайте.example/1!\n"])
def test_short_lines_of_base64_are_judged_together(text: str, width: int, footer: str) -> None:
    """With those above and below, any of which may hold other characters."""
    lines = textwrap.wrap(base64.b64encode(text.encode()).decode(), width)
    every = [f"{line}!" for line in lines]
    for written in (every, *([*lines[:at], every[at], *lines[at + 1 :]] for at in range(len(lines)))):
        undone = undo(("\n".join(written) + "\n" + footer).encode(), "base64")
        apart = "\n" * (not text.endswith("\n"))  # the empty line above the footer
        assert undone == Undone((text + apart + footer).rstrip().encode() if footer else text.encode(), None)


@pytest.mark.parametrize(
    "unit", [b"YWJj!\n", b"!\n", b"YWJjYWJj! = \n", b"/w\n!\n", b"aHR0cDov!\naHR0cDov\n", b"!\nBest\n", b"\n\nBest\n"]
)
@pytest.mark.parametrize("above", [b"", base64.b64encode(IN_LATIN.encode() * 2) + b"\n"])
def test_hostile_repetition_of_short_lines_takes_no_quadratic_time(unit: bytes, above: bytes) -> None:
    """Lines are judged together with a bounded part of the others, also below a body that may go on in each of them."""
    assert growth(lambda octets: undo(octets, "base64"), lambda length: above + unit * (length // len(unit))) < BOUND


@pytest.mark.parametrize("line", ["see http://a.example/", "x!c2VlIGh0!", "!c2Vl"])
def test_what_is_no_base64_before_base64_is_told(line: str) -> None:
    """It is read as it lies, be it a text, or base64 of a text that is none to be sure of."""
    behind = "aHR0cDovL2EuZXhhbXBsZS8x" if "http" in line else "/////w=="
    octets, flaw = undo(f"YWJj\n{line}\n{behind}\n".encode(), "base64")
    assert flaw == BROKEN
    assert octets.endswith(line.encode())
    assert undo(f"YWJj\n{behind}\n{line}\n".encode(), "base64").flaw is None


@given(st.binary(max_size=500))
def test_base64_is_decoded_exactly(octets: bytes) -> None:
    """Lines of base64 from the standard library are decoded exactly."""
    assert undo(base64.encodebytes(octets), "base64") == Undone(octets, None)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("glued", ["--6068abc", " foo bar", "</body>", " http://b.example/y", "-- \nso"])
@pytest.mark.parametrize("length", [43, 44, 46, 47, 48, 50, 51, 90])
def test_text_behind_the_end_of_base64_belongs_to_no_line_of_it(length: int, glued: str, end: str) -> None:
    """A program forgot the line end before a boundary or a footer."""
    text = ("see http://a.example/" * 9)[: 57 + length - 42].encode()
    encoded = base64.encodebytes(text).rstrip()
    undone = undo((encoded + glued.encode() + b"\n").replace(b"\n", end.encode()), "base64")
    assert (undone.octets.decode().splitlines()[0], undone.flaw) == (text.decode(), None)
    assert undone.octets.decode().splitlines()[1:] == glued.strip().splitlines()


@pytest.mark.parametrize(
    "footer",
    ["list-of it", "IDNA (that is, http://b.example/)", "Sent-by me", "SENDTOUS: now", "Unsubscr. here", "QQ=-x"],
)
def test_a_word_of_a_footer_below_base64_is_none(footer: str) -> None:
    """Its letters may be whole groups."""
    encoded = base64.encodebytes(("see http://a.example/" * 9)[:114].encode())
    assert undo(encoded + footer.encode(), "base64").octets.decode().splitlines()[-1] == footer


@pytest.mark.parametrize("sign", ["!", "\0", "_", "!\n "])
def test_a_sign_at_the_end_of_a_line_of_base64_is_ignored(sign: str) -> None:
    """It ends no text."""
    text = ("see http://a.example/" * 9)[:149]
    first, second, last = base64.encodebytes(text.encode()).decode().split()
    undone = undo(f"{first}\n{second[:64]}{sign}\n{second[64:]}{last}\n".encode(), "base64")
    assert undone.octets.decode() == text
