"""Charsets and transfer encodings: decoding never fails, and every loss is reported."""

from __future__ import annotations

import codecs
import encodings
import re
from contextlib import suppress
from encodings.aliases import aliases
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlglean import wide_charsets
from urlglean.charsets import (
    OWN,
    UNDECLARED,
    codec_of,
    decode,
    decode_by,
    decoder_of,
    encode,
    flaw_of,
    octets_of,
    without_surrogates,
)
from urlglean.mail import read
from urlglean.mail.transfer_encoding import Undone, transfer_of, transfers_of, undo


@pytest.mark.parametrize(
    ("octets", "declared", "text"),
    [
        (b"a\x92b", "iso-8859-1", "a\u2019b"),  # the apostrophe of windows-1252
        ("é – €".encode(), "iso-8859-1", "é – €"),  # UTF-8 under the default of a program
        ("Ж и щ".encode(), "windows-1252", "Ж и щ"),
        ("é\x81".encode("latin-1"), "iso-8859-1", "é\x81"),
        (b"\xc3\xa9 \xe9", "iso-8859-1", "Ã© é"),  # one octet is not UTF-8, so the whole text is not
        (b"NESTL\xc9\xae and NESTL\xc9\xae", "iso-8859-1", "NESTLÉ® and NESTLÉ®"),  # valid UTF-8 by chance
        ("é".encode(), "iso-8859-2", "Ã\xa9".encode("latin-1").decode("iso-8859-2")),  # no program's default
        # Many characters, or quotation marks and dashes, are no text in another charset by chance.
        ("é – €".encode(), "iso-8859-15", "é – €"),
        ("ä".encode(), "iso-8859-9", "ä"),
        ("“a”".encode(), "windows-1251", "“a”"),
        ("a – b".encode(), "gbk", "a – b"),
        ("привет".encode(), "koi8-r", "привет"),
        ("приве".encode(), "koi8-r", "приве".encode().decode("koi8-r")),
        ("你好你 好你好".encode(), "big5", "你好你 好你好"),
        ("привет".encode() + b"\xe9", "koi8-r", "привет".encode().decode("koi8-r") + "И"),
        (b"a\x81b", "iso-8859-1", "a\x81b"),  # an octet that Microsoft left undefined
        ("円".encode("shift_jis"), "x-sjis", "円"),
        ("鎔".encode("gbk"), "gb2312", "鎔"),  # in GBK, not in GB 2312
        ("é".encode(), "us-ascii", "é"),
        ("é".encode(), "x-unknown", "é"),
        (b"\xe9", None, "é"),
        (b"\xe9", "", "é"),
        (b"http://a/", "utf-16", "http://a/"),  # declared wide, sent as ASCII
        ("é at http://a/".encode(), "utf-16", "é at http://a/"),
        (b"\xe9 at http://a/ ", "utf-16le", "é at http://a/ "),
        (b"http://a/", "cp037", "http://a/"),
        (b"\xe9 at http://a/ ", "ebcdic-cp-us", "é at http://a/ "),
        ("at http://a/é".encode("cp037"), "ebcdic-cp-us", "at http://a/é"),
        ("é http://a/".encode(), "utf-32", "é http://a/"),
        ("é".encode("utf-16-le"), "utf-16le", "é"),
        ("一つ".encode("utf-16-be"), "utf-16be", "一つ"),
        (b"\xd6", "koi8-r (Cyrillic)", "ж"),  # a comment (RFC 2045 5.1)
        (b"\xd6", "koi8-r(Cyrillic)", "ж"),
        *(
            (text.encode(order), declared, text)
            for text in (
                "http://a.example/",
                "hello",
                "see \u0439, http://a.example/",
                "see\u3000http://a.example/, \u0100 and more",  # a NUL in the other place
                "Все на http://a.example/1 и ещё много другого здесь, и так далее",
                "日本語の文章です http://a.example/1 ここにあります。一つの文章です。" + "一" * 600,
            )
            for order in ("utf-16-le", "utf-16-be")
            for declared in (
                None,
                "us-ascii",
                "klingon",
                "utf-16",
                "UCS-2",
                "utf-8",
                "iso-8859-1",
                "gb2312",
                "iso-2022-jp",
            )
        ),
        *(
            (text.encode(order), "utf-16", text)  # without a URL
            for text in ("Все\nи", "日本語\r\n一つ", "hello")
            for order in ("utf-16-le", "utf-16-be")
        ),
        (b"a\0b\0", "utf-16be", "\u6100\u6200"),  # the declared order
        (b"\x81\0\x82\0", "cp037", "a\0b\0"),  # EBCDIC
        (b"http://a/ :\0/\0/\0", None, "http://a/ :\0/\0/\0"),  # a URL that would be lost
        (b"http  a/ :\0/\0/\0\n", None, "http  a/ :\0/\0/\0\n"),  # no code unit begins where the colon stands
        (b"ab\0\0\0\0", None, "ab\0\0\0\0"),
        (b"a\0b", None, "a\0b"),  # one NUL
        (b"a/\0", None, "a/\0"),
        (b"\0", None, "\0"),
        (b"http://a/\0", None, "http://a/\0"),  # one NUL, as at the end of a string of C
        (b"a\0b and so on, and on", "utf-8", "a\0b and so on, and on"),
        (b"+AOk-", "unicode-1-1-utf-7", "é"),
        (b"+AOk-", "unicode-2-0-utf-7", "é"),
        (b"+AOk-", "x-unicode-2-0-utf-7", "é"),
        (b"+AOk-", "csUnicode11UTF7", "é"),
        (b"+AOk-", "cp65000", "é"),
        *(("こ①".encode("euc_jis_2004"), name, "こ①") for name in ("csEUCPkdFmtJapanese", "cp51932")),
        ("こ".encode("euc-jp"), "Extended_UNIX_Code_Packed_Format_for_Japanese", "こ"),
        (b"\x87\x40", "csWindows31J", "①"),
        (b"\xd5", "IBM00858", "€"),
        (b"\xd5", "PC-Multilingual-850+euro", "€"),
        ("你".encode("gbk"), "CN-GB", "你"),
        (b"\x1b$B$3\x1b(B", "cp50220", "こ"),
        (b"\x80", "DOS-862", "א"),
        ("ب".encode("cp720"), "DOS-720", "ب"),
        ("ÿ".encode("mac_turkish"), "x-mac-turkish", "ÿ"),
        ("Ý".encode("mac_iceland"), "x-mac-icelandic", "Ý"),
        ("λ".encode("mac_greek"), "x-mac-greek", "λ"),
        ("ł".encode("mac_latin2"), "x-mac-ce", "ł"),
        (b"\xef\xbb\xbf\xc3\xa9", "iso-8859-1", "é"),  # the byte order mark overrides the declaration
        (b"ab-", "punycode", "ab-"),
        (b"plain", "no\0such\ncharset", "plain"),
        (b"\xc3\xa9", ' "UTF-8" ', "é"),
        (b"\xc3\xa9", "iso-2022-jp", "é"),  # certainly UTF-8, whatever was declared
        (b"\xe9", "x-cp1251", "й"),  # a label of the Encoding Standard that Python does not know
        (b"\x92", "l1", "\u2019"),  # a label of ISO 8859-1, and so of windows-1252
        (b"\x92", "8859", "\u2019"),  # a label that only Python knows
        ("鎔".encode("gbk"), "cp936", "鎔"),
        (b"\x1b$)C\x0e0!\x0f", "iso-2022-kr", "가"),  # refused by the Encoding Standard
        ("中".encode("hz"), "hz-gb-2312", "中"),
        # No line ends in such a set (RFC 1468): behind one that does, the next is ASCII. One escape has two forms.
        *(
            (b"\x1b$B$3%bhttp://a.b/%b" % (end, end), "iso-2022-jp", f"こ{end.decode()}http://a.b/{end.decode()}")
            for end in (b"\n", b"\r\n", b"\r")
        ),
        (b"\x1b(I1\nhttp://a.b/", "iso-2022-jp", "ｱ\nhttp://a.b/"),
        (b"\x1b$B$3\x1b(Hhttp://a.b/", "iso-2022-jp", "こhttp://a.b/"),
        # Characters of the Encoding Standard that Python lacks: NEC's row 13, those of IBM that NEC selected, the euro.
        (b"\x1b$B-!$3-j-b-d\x1b(B, \x1b$By!|~$3\x1b(B.", "iso-2022-jp", "①こ㈱№℡, 纊＂こ."),
        (b"\xad\xa1\xa4\xb3 \xf9\xa1\xfc\xfe.", "euc-jp", "①こ 纊＂."),
        (b"\x80 1, \xc4\xe3", "gb2312", "€ 1, 你"),
        (b"\xa3\xe1 1, \xa4\xa4", "big5", "€ 1, 中"),
        (b"\xc3\xa9", "iso646-us", "é"),  # ASCII by another name
        (b"\xc3\xa9", "klingon", "é"),
    ],
)
def test_a_wrong_charset_is_read_as_the_one_meant(octets: bytes, declared: str | None, text: str) -> None:
    """A declared charset is read as the superset that mailers send under its name."""
    assert decode(octets, declared)[:2] == (text, None)


LINES = ["see http://a.example/one", "", "http://a.example/two \u4e0a\u6d77 \u0439", "\u0439http://a.example/three", ""]
"""In UTF-16, the octets of one of the letters hold that of a line end."""


@pytest.mark.parametrize("before", [b"\n" * 12, b"--\n\n\n1\n\n\n2\n\n\n", b"head\n" + b"\n" * 300, b"\r\n" * 20])
@pytest.mark.parametrize("field", [b"", b"Content-Type: text/plain; charset=iso-8859-1\n"])
def test_many_line_ends_and_one_nul_are_no_utf_16(before: bytes, field: bytes) -> None:
    """A program in C may have left the NUL there; that of a mended line end proves nothing."""
    found = read(b"From: a@b.example\n" + field + b"\n" + before + b"http://h.example/1\n\n\n\0\n")
    assert "http://h.example/1" in found.parts[-1].text


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("declared", [None, "us-ascii", "utf-16", "the order", "a mark"])
def test_line_ends_that_are_none_of_utf_16_are_read(order: str, declared: str | None) -> None:
    """Programs that pass on lines put CR LF or LF between code units, or a CR before the octet LF of a code unit."""
    mark, name = ("\ufeff", None) if declared == "a mark" else ("", order if declared == "the order" else declared)
    lines = [line.encode(order) for line in (mark + LINES[0], *LINES[1:])]
    in_units = ["\n".encode(order).join(lines), "\r\n".encode(order).join(lines)]
    passed_on = [octets.replace(b"\n", b"\r\n") for octets in in_units]
    for octets in (b"\n".join(lines), b"\r\n".join(lines), *in_units, *passed_on, in_units[0][:-2] + b"\n"):
        text, flaw, charset, marked = decode(octets, name)
        assert (text.replace("\r\n", "\n").split("\n"), flaw) == (LINES, None)
        assert decode_by(octets, charset, marked=marked) == text


@pytest.mark.parametrize("text", ["\u4e0a\u8fb9", "\u0a05\u8fb9", "\u0a05\u0a06 \u0a07\n", "\u0a85\u0a8a\n\u0a8a"])
@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
def test_letters_that_hold_the_octet_of_a_line_end_are_none(text: str, order: str) -> None:
    """Chinese, Gurmukhi and Gujarati."""
    assert decode(text.encode(order), order).text == text


@pytest.mark.parametrize(
    ("octets", "declared", "decoded"),
    [
        (b"a\xffb\xff\xff", "utf-8", ("a\ufffdb\ufffd\ufffd", "3 octets are not utf-8, replaced")),
        (b"a\xff", "gb2312", ("a\ufffd", "1 octet is not gb2312, replaced")),
        (b"a\xe9", "Klingon!", ("aé", "charset klingon is not known, read as windows-1252")),
        *(  # half a code unit
            (text.encode(order) + b"-", declared, (f"{text}\ufffd", f"1 octet is not {order}, replaced"))
            for text in ("see http://a.example/\n", "hello", "Все на http://a.example/1 и ещё много другого здесь")
            for order in ("utf-16-le", "utf-16-be")
            for declared in (None, "us-ascii")
        ),
    ],
)
def test_what_a_charset_cannot_say_is_reported(octets: bytes, declared: str, decoded: tuple[str, str]) -> None:
    """The flaw counts the octets that were replaced, or says what was guessed; it names the charset as declared."""
    assert decode(octets, declared)[:2] == decoded


@given(
    st.binary(max_size=500),
    st.sampled_from([*OWN, "utf-8", "utf-7", "utf-16", "euc-jp", "hz", "koi8-r"]) | st.text(max_size=200),
)
def test_decoding_never_fails(octets: bytes, declared: str) -> None:
    """Any octets under any charset name give a text that can be encoded in UTF-8."""
    decode(octets, declared).text.encode("utf-8")


@pytest.mark.parametrize("name", ["uu", "UU", "hex", "base64", "quopri", "zlib", "bz2", "rot13"])
def test_codecs_that_are_no_charsets_count_as_undeclared(name: str) -> None:
    """The names of Python's codecs from octets to octets, or from text to text, count as no declaration."""
    assert decode(b"caf\xc3\xa9", name)[:2] == ("café", None)


@pytest.mark.parametrize("charset", sorted(set(OWN.values()) - {UNDECLARED}))
def test_every_row_is_a_codec(charset: str) -> None:
    """Each row of the table names a codec that exists."""
    assert "".encode(charset).decode(charset) == ""


@given(st.text(max_size=200), st.sampled_from(["utf-8", "utf-7", "gb18030", "utf-16"]))
def test_a_rightly_declared_text_is_decoded_exactly(text: str, charset: str) -> None:
    """A text is decoded exactly by the charset in which it was encoded, except for a byte order mark at its start."""
    text = text.replace("\ufeff", "")
    octets = text.encode(charset)
    if not octets.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):  # U+0000 first in UTF-16 looks like UTF-32's mark
        assert decode(octets, charset)[:2] == (text, None)


@pytest.mark.parametrize(
    ("octets", "encoding", "undone"),
    [
        (b"a=3Db=\nc=  \r\nd", "Quoted-Printable;", b"a=bcd"),
        (b"a=\rhttp://b/\rc\r", "quoted printable", b"ahttp://b/\rc\r"),
        (b"=ZZ=", "quoted-printable", b"=ZZ"),
        (b"=41", "(mostly) Quoted-Printable (see RFC 2045)", b"A"),
        (b"YQ==", "base64 (a (b) c)", b"a"),
        (b"YQ==", "base64 (x" + 100 * "x", b"a"),
        (b"YQ==", "base64 (x (y", b"a"),
        (b"q==3Dx", "quoted-printable", b"q==x"),  # the first sign should have been encoded too
        (b"q==\nbeef", "quoted-printable", b"q=beef"),
        (b"a===\r\nb==\n", "quoted-printable", b"a==b="),
        (b"aHR0cDov\r\nL2Ev\r\n", "BASE64", b"http://a/"),
        (b"aHR0cDov\rL2Ev\r", "base64", b"http://a/"),
        (b"YQ==\nYg==\n", "base64", b"ab"),
        (b"YQ==Yg", "base64", b"ab"),
        (b"YQ==", "base64; charset=utf-8", b"a"),
        (b"YQ==", "base64 X Mailer: some, 1.0", b"a"),  # a line behind it that is no field
        (b"=41", "encoded quoted-printable", b"=41"),
        (b"=41", "quoted-printable; x=y", b"A"),
        (b"=41", "quoted-printable 8bit", b"A"),
        (b"YQ==", "base64, base64", b"a"),
        (b"YQ==", "x-base64", b"a"),
        (b"YQ==\n", "raw, base64", b"a"),
        (b"YWJj\nlist info", "raw, base64", b"abc\nlist info"),  # an unknown name says nothing
        (b"=41", "8 bits", b"=41"),
        (b"=41", "", b"=41"),
    ],
)
def test_transfer_encodings(octets: bytes, encoding: str, undone: bytes) -> None:
    """The standard's encodings are decoded, even if their names or their ends are written carelessly."""
    assert undo(octets, transfer_of(transfers_of(encoding), octets)) == Undone(undone, None)


@pytest.mark.parametrize(
    ("octets", "encoding", "undone"),
    [
        (b"YQ==\n\nlist info:\n\nhttp://b/ here\n", "base64", b"a\n\nlist info:\n\nhttp://b/ here"),
        (b"=41", "text/html", b"=41"),
        # "Cat", as in every description of uuencode.
        (b"before\nbegin 644 cat.txt\n#0V%T\n`\nend\nafter\n", "x-uuencode", b"before\nCat\nafter\n"),
        (
            b'begin 644 cat.txt\n#0V%T\nend\n--\nfoo\nbegin 644 d\n$0V%T"@``\n`\nend\nso',
            "x-uuencode",
            b"Cat\n--\nfoo\nCat\nso",
        ),
        (b"#0V%T\nend\n", "x-uuencode", b"Cat"),  # without its first line
        (b"#0V%T\r\n", "X-UUE", b"Cat"),
    ],
)
def test_text_outside_the_encoding_is_kept(octets: bytes, encoding: str, undone: bytes) -> None:
    """A footer after base64, text around uuencode, and text under an unknown encoding are kept unchanged."""
    assert undo(octets, transfer_of(transfers_of(encoding), octets)) == Undone(undone, None)


@pytest.mark.parametrize(
    ("octets", "encoding", "undone"),
    [
        (b"\nYWJj\nZA==\n", "base64", b"abcd"),
        (b"YWJj" * 15 + b"\nYWJj\n\nlist info\n", "base64", b"abc" * 16 + b"\n\nlist info"),
        (b"list info\n", "base64", None),
        (b"http://a/?b=3Dc&d=E9\n", "quoted-printable", b"http://a/?b=c&d\xe9\n"),
        (b"http://a/=\r\nb\r\n", "quoted-printable", b"http://a/b\r\n"),
        (b"http://a/?b=3Dc&d=e\n", "quoted-printable", None),
        (b"http://a/?b=20\n", "quoted-printable", None),
        (b"\nbegin 644 cat.txt\n#0V%T\n`\nend\n", "x-uuencode", b"\nCat"),
        (b"#0V%T\n", "x-uuencode", None),
    ],
)
def test_of_several_transfer_encodings_the_body_shows_which_it_has(
    octets: bytes, encoding: str, undone: bytes | None
) -> None:
    """Whichever stands first, a text is not decoded that shows none of the encoding."""
    for none in ("7bit", "8 bits", "Binary"):
        for declared in (
            f"{none}, {encoding}",
            f"{encoding},{none}",
            f"{none}; x=y, {encoding} (a, b)",
            f"{none.replace(' ', '')} {encoding}",
        ):
            assert undo(octets, transfer_of(transfers_of(declared), octets)).octets == (undone or octets)
    for other in {"base64", "quoted-printable", "uuencode"} - {encoding.removeprefix("x-")}:
        transfer = transfer_of(transfers_of(f"{other}, {encoding}"), octets)
        assert transfer == (encoding.removeprefix("x-") if undone else other)


@pytest.mark.parametrize(
    ("octets", "declared", "text", "replaced"),
    [
        (b"\x1b$B.!$3\x1b(B", "iso-2022-jp", "\ufffd\ufffdこ", 2),  # row 14
        (b"\x1b$B-~$3\x1b(B", "iso-2022-jp", "\ufffd\ufffdこ", 2),  # no character of row 13
        (b"\x1b$B-", "iso-2022-jp", "\ufffd", 1),
        (b"\xfa\x80 1", "euc-jp", "\ufffd\ufffd 1", 2),
        (b"\xf9\xff 1", "euc-jp", "\ufffd\ufffd 1", 2),
        (b"\x81\xa1 1", "euc-jp", "\ufffd\ufffd 1", 2),
        (b"\xff\xa1 1", "euc-jp", "\ufffd\ufffd 1", 2),
        (b"\xad", "euc-jp", "\ufffd", 1),
        (b"\xad- ", "euc-jp", "\ufffd- ", 1),
        (b"\xff 1", "gb2312", "\ufffd 1", 1),
        (b"\xa3\xe2 1", "big5", "\ufffd\ufffd 1", 2),
        (b"\xad\xa1", "euc-kr", "\ufffd\ufffd", 2),
        (b"\xffA", "euc-kr", "\ufffdA", 1),
    ],
)
def test_other_octets_are_no_characters(octets: bytes, declared: str, text: str, replaced: int) -> None:
    """They are replaced and told, as are the same octets in another charset."""
    found = decode(octets, declared)
    assert found.text == text
    assert found.flaw
    assert found.flaw.split()[0] == str(replaced)


@pytest.mark.parametrize("octets", [b"\x1b$By\x1b(B.", b"\x1b$B|\n|", b"\x1b$Bz z", b"\x1b(Iy!|~\x1b(B."])
def test_half_a_pair_is_no_character(octets: bytes) -> None:
    """Nor are two octets in the set of katakana, where each is one."""
    found = decode(octets, "iso-2022-jp")
    assert found.flaw
    assert not re.search(r"[\u2100-\u33ff\u4e00-\u9fff]", found.text)


@given(
    st.binary(max_size=500),
    st.sampled_from(["utf-8", "iso-8859-1", "koi8-r", "gb2312", "utf-16", "us-ascii", "iso-2022-jp"]),
)
def test_the_returned_charset_decodes_to_the_same_text(octets: bytes, declared: str) -> None:
    """`decode_by` with the returned charset and mark gives the same text again."""
    text, _, charset, marked = decode(octets, declared)
    assert decode_by(octets, charset, marked=marked) == text


@given(st.binary(max_size=500))
def test_windows_1252_goes_both_ways(octets: bytes) -> None:
    """Every octet can be decoded and encoded again, including the five that Microsoft left undefined."""
    assert encode(decode_by(octets, "cp1252"), "cp1252") == octets


def test_windows_1252_refuses_characters_that_it_lacks() -> None:
    """A C1 control whose octet means another character cannot be encoded."""
    for lacking in ("\x92", "\u65e5"):
        with pytest.raises(UnicodeEncodeError):
            encode(lacking, "cp1252")


@given(
    st.text(max_size=40) | st.sampled_from(["gr\u00fc\u00df", "\U0001f600\U0001f600", "\ud800a\udc00"]),
    st.binary(max_size=6),
    st.sampled_from(["utf-8", "cp1252", "utf-16-le", "utf-16-be", "utf-32-le"]),
    st.lists(st.integers(0, 200), max_size=6),
)
def test_a_text_that_is_decoded_in_blocks_gives_its_octets_again(
    text: str, noise: bytes, charset: str, places: list[int]
) -> None:
    """Any stretch of the text gives its octets again, even those that could not be decoded.

    In UTF-32 some code units have no replacement, so that only a loss is reported.
    """
    octets = text.encode(charset, "replace" if charset in {"cp1252", "utf-8"} else "surrogatepass")
    octets += noise if charset in {"cp1252", "utf-8"} else b""
    ends = [0, *sorted(place % (len(octets) + 1) for place in places), len(octets)]
    decode_block = decoder_of(charset)
    found = "".join(decode_block(octets[start:end]) for start, end in pairwise(ends)) + decode_block(b"", final=True)
    assert octets_of(found, charset) == octets
    for at in range(len(found)):
        head, tail = octets_of(found[:at], charset), octets_of(found[at:], charset)
        assert head + tail == octets
        assert decoder_of(charset)(tail, final=True) == found[at:]
    kept, lost = without_surrogates(found, charset)
    again = decode_by(octets, charset)
    assert kept.encode() == again.encode() or lost
    assert len(kept) == len(found)


@pytest.mark.parametrize(
    ("octets", "charset", "lost"),
    [(b"a\xff\xfeb", "utf-8", 2), (b"a\0\0\xd8b\0", "utf-16-le", 2), (b"\0\0\x11\1", "utf-32-le", 4)],
)
def test_broken_code_units_are_counted_in_octets(octets: bytes, charset: str, lost: int) -> None:
    """The flaw counts octets, however many characters replace them."""
    text, count = without_surrogates(decoder_of(charset)(octets, final=True), charset)
    assert count == lost
    assert "\ufffd" in text
    assert flaw_of(count, charset) == f"{lost} octets are not {charset}, replaced"


@pytest.mark.parametrize(
    "written",
    [
        "X-Note: =?{0}?q?http://a.example/=E9?=\n\n",
        "Content-Type: text/plain; charset={0}\n\nhttp://a.example/\u00e9",
        "Content-Type: text/plain; charset*={0}''abc\n\nhttp://a.example/\u00e9",
        "Content-Type: multipart/mixed; boundary*={0}''abc\n\n--abc\nX: y\n\nb\n--abc--\n",
        "Content-Type: text/html\n\n<meta charset={0}>http://a.example/\u00e9",
    ],
)
@pytest.mark.parametrize("name", ["nocodec{0}", "latin{1}1"])
def test_names_of_charsets_are_not_remembered(written: str, name: str) -> None:
    """Python remembers each name that is looked up, so that a mailbox could fill the memory."""
    remembered = encodings._cache
    remembered.clear()
    for number in range(20):
        read(b"From: a@b\n" + written.format(name.format(number, "-" * number)).encode("latin-1"))
    assert len(remembered) < 10


def test_utf_8_that_is_cut_off_within_its_last_character_is_utf_8() -> None:
    """It is not, if that character is the only one: then it may be a letter of windows-1252."""
    assert decode("caf\u00e9, th\u00e9".encode()[:-1]) == (
        "caf\u00e9, th\ufffd",
        "1 octet is not utf-8, replaced",
        "utf-8",
        False,
    )
    assert decode("caf\u00e9".encode() + b" \xff").charset == "cp1252"
    assert decode(b"caf\xe9").text == decode(b"caf\xe9", "x-unknown").text == "caf\u00e9"
    assert decode("caf\u00e9".encode() + b" \xe9t\xe9").text.startswith("caf\u00c3")


def test_each_codec_of_python_has_its_names() -> None:
    """Those of its table of aliases too, and those with a full stop; but none that is between texts or octets only."""
    for name in aliases:
        with suppress(LookupError):  # some are of Windows only
            "".encode(name)
            assert codec_of(name) is not None or codecs.lookup(name).name in {"ascii", "idna", "punycode"}
    assert codec_of("koi8-u") == "koi8-u"
    assert codec_of("--") is None
    assert decode(b"\xe9", "ANSI_X3.4-1968").flaw is None
    assert codec_of("ISO_8859-9:1989") == "cp1254"  # its superset (Encoding Standard)
    assert codec_of("ANSI_X3.4-1968") is codec_of("aliases") is codec_of("rot13") is None


@pytest.mark.parametrize("name", ["UTF-32", "ISO-10646-UCS-4", "csUCS4", "UCS-4", "ucs4"])
@pytest.mark.parametrize("codec", ["utf-32-be", "utf-32-le"])
def test_utf_32_may_have_either_order(name: str, codec: str) -> None:
    """Without a mark its order is that in which it can be read; other names say which it is."""
    for first in ("", "\u3000", "\u4e00", "\U0001f600", "\u0100", "\0"):
        text = f"{first}see http://a.example/\u00e9\u4e2d\U0001f600 now"
        assert decode(text.encode(codec), name) == (text, None, codec, False)
        assert decode(text.encode(codec), f"UCS-4{codec[-2:]}") == (text, None, codec, False)
    octets = "see http://a.example/ now\n".encode(codec)
    for damaged in (octets[:-1], octets + b"\n", octets + b"--\nfooter\n", octets[:8] + b"\xff" * 4 + octets[8:]):
        made = decode(damaged, name)
        assert (made.charset, "http://a.example/ now" in made.text, made.flaw is not None) == (codec, True, True)


@pytest.mark.parametrize("name", ["UTF-16", "UTF16", "utf_16", "U16", "ucs_2", "UCS-2", "ISO-10646-UCS-2"])
@pytest.mark.parametrize("codec", ["utf-16-be", "utf-16-le"])
def test_utf_16_may_have_either_order(name: str, codec: str) -> None:
    """However its name is written."""
    text = "see http://a.example/ and more\n"
    assert decode(text.encode(codec), name) == (text, None, codec, False)


def test_an_unknown_charset_with_nuls_is_told() -> None:
    """It may hold URLs that nobody can read; without NULs, ASCII is ASCII in nearly all charsets."""
    octets = "http://a.example/".encode("utf-32-be")
    assert decode(octets, "x-wide").flaw == "charset x-wide is not known, read as US-ASCII"
    assert decode(octets).flaw is None
    assert decode(b"http://a.example/", "x-wide").flaw is None


@given(st.lists(st.sampled_from([b"\n", b"\0", b"a", b"\r\n", b"\n\0"]), max_size=40).map(b"".join), st.integers(1, 20))
def test_line_ends_of_utf_16_are_the_same_in_pieces(octets: bytes, size: int) -> None:
    """Octets are mended piece by piece, because each line end takes memory."""
    for order in ("utf-16-le", "utf-16-be"):
        whole = wide_charsets._with_line_ends(octets, order)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(wide_charsets, "_TOGETHER", size)
            assert wide_charsets._with_line_ends(octets, order) == whole


@pytest.mark.parametrize(
    "declared", ["shift_jis", "gb2312", "big5", "cp950", "euc-kr", "johab", "euc-jp", "euc_jis_2004"]
)
@pytest.mark.parametrize("scheme", ["http://", "HTTPS://", "ftp://", "mailto:"])
def test_no_octet_takes_the_first_letter_of_a_url(declared: str, scheme: str) -> None:
    """In these charsets the second octet of a character may be a letter. UTF-8 may be wrongly declared so."""
    url = f"{scheme}a.example/"
    assert decode(f"：{url}".encode(), declared)[:2] == (f"：{url}", None)
    assert decode(b"\xa3 see\xa0" + url.encode(), declared).text.endswith(url)
    for octet in range(0x80, 0x100):
        assert decode(b"see " + bytes([octet]) + url.encode(), declared).text.endswith(url)


def test_characters_before_a_url_stay_whole() -> None:
    """Where all octets are of the charset, nothing is taken apart."""
    for text, declared in (("邮：http://a.example/", "gb2312"), ("ソ表http://a.example/", "shift_jis")):
        assert decode(text.encode(declared), declared)[:2] == (text, None)


@pytest.mark.parametrize(
    ("octets", "undone"),
    [
        (b"http://h.example/u?user=bob&id=20&x=y\n", b"http://h.example/u?user=bob&id=20&x=y\n"),
        (b"http://h.example/u?user=bob&id=20&x=\ny\n", b"http://h.example/u?user=bob&id=20&xy\n"),
        (b"http://h.example/u?user=bob=20\nand\n", b"http://h.example/u?user=bob \nand\n"),
        (b"http://h.example/?q=m=FCnchen&x=zoo\n", b"http://h.example/?q=m\xfcnchen&x=zoo\n"),
        (b"http://h.example/?q=3=\nD1&z=3D3\n", b"http://h.example/?q=1&z=3\n"),
        (b"caf=E9 http://h.example/?a=bo\n", b"caf\xe9 http://h.example/?a=bo\n"),
        (b"http://h.example/?a=3Dbo&c=E9&d=x\n", b"http://h.example/?a=bo&c\xe9&d=x\n"),
        (b"http://h.example/show.cgi?id=1234&n=20\n", b"http://h.example/show.cgi?id=1234&n=20\n"),
        (b"http://h.example/?q=1B$Bz=1B(B\n", b"http://h.example/?q\x1b$Bz\x1b(B\n"),
        (b"http://h.example/=E9=\nb=20c\n", b"http://h.example/\xe9b c\n"),
    ],
)
def test_a_url_that_nobody_has_encoded_is_kept(octets: bytes, undone: bytes) -> None:
    """An equals sign that begins no escape shows it (RFC 2045 6.7 note 2), if no other one is escaped."""
    assert undo(octets, "quoted-printable").octets == undone


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("ruler", [b"===", b"=" * 76, b"==^=====", b"=-=-=-=", b"=~=~=~=~", b"-=-=-"])
def test_a_ruler_that_nobody_has_encoded_is_a_line(ruler: bytes, end: bytes) -> None:
    """A list appends it, though the text ends in a soft break. Its signs would be encoded (RFC 2045 6.7)."""
    for soft in (b"", b"=", b"= "):
        octets = b"see http://h.example/a" + soft + end + ruler + end + b"list" + end
        assert undo(octets, "quoted-printable").octets == (
            b"see http://h.example/a" + end + ruler + end + b"list" + end
        )
    assert undo(ruler, "quoted-printable").octets == ruler


@pytest.mark.parametrize("ruler", [b"----=", b"----------------=\n-------", b"-=3D-=3D-", b"~~~~"])
def test_a_ruler_that_is_encoded_may_be_part_of_a_line(ruler: bytes) -> None:
    """It may be too long for one."""
    decoded = ruler.replace(b"=\n", b"").replace(b"=3D", b"=")
    assert undo(b"a=\n" + ruler + b"\n", "quoted-printable").octets == b"a" + (decoded + b"\n").replace(b"-=\n", b"-")
