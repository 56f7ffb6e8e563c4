"""Putting an edited text back into its message: exactly, or not at all."""

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import BOUND, growth
from test_provenance import entities
from urlglean.errors import IrreversibleError
from urlglean.mail import read, rewritten
from urlglean.mail.octet_patch import patched
from urlglean.mail.rewriting import Edit, Reversal
from urlglean.records import TextPart

URL = "http://www.example.org/a/\nlong/path"
WHOLE = "http://www.example.org/a/long/path"
TEXT = f"Dear reader,\n\nit lies at {URL}\nas it did = before.\n\n-- \nThe list\n"


def message(coding: str, body: bytes, charset: str = "utf-8") -> bytes:
    """A message with one part."""
    head = f"From: a@b\nContent-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: {coding}\n\n"
    return head.encode() + body


def body_of(octets: bytes) -> TextPart:
    """The message's only part."""
    (part,) = read(octets).parts
    return part


@pytest.mark.parametrize(
    ("octets", "expected"),
    [
        (message("7bit", TEXT.encode()), message("7bit", TEXT.replace(URL, WHOLE).encode())),
        (
            message("8bit", TEXT.replace("Dear", "Ch\u00e8re").encode("latin-1"), "iso-8859-1"),
            message("8bit", TEXT.replace("Dear", "Ch\u00e8re").replace(URL, WHOLE).encode("latin-1"), "iso-8859-1"),
        ),
        (
            message("base64", base64.encodebytes(TEXT.encode())),
            message("base64", base64.encodebytes(TEXT.replace(URL, WHOLE).encode())),
        ),
        (
            message("base64", base64.b64encode(TEXT.encode()) + b"\r\n"),
            message("base64", base64.b64encode(TEXT.replace(URL, WHOLE).encode()) + b"\r\n"),
        ),
        # The writer encoded more than necessary and broke lines anywhere; lines that are not edited stay as they are.
        (
            message("quoted-printable", b"D=65ar =\nreader\n\nat http://www.example.org/a/\nlong/path or =\nso =\n"),
            message("quoted-printable", b"D=65ar =\nreader\n\nat http://www.example.org/a/long/path or =\nso =\n"),
        ),
        (
            message("quoted-printable", b"caf=C3=A9 at http://www.example.org/a/\r\nlong/path\r\n=41\r\n"),
            message("quoted-printable", b"caf=C3=A9 at http://www.example.org/a/long/path\r\n=41\r\n"),
        ),
        # Two lines become one of more than 76 characters (RFC 2045 6.7), which needs a soft break.
        (
            message("quoted-printable", b"x" * 60 + b" http://www.example.org/a/\nlong/path\nend\n"),
            message("quoted-printable", b"x" * 60 + b" http://www.exa=\nmple.org/a/long/path\nend\n"),
        ),
        (
            message("quoted-printable", b"y" * 75 + b"z http://www.example.org/a/\nlong/path" + b"x" * 60 + b"\n"),
            message(
                "quoted-printable",
                b"y" * 75 + b"=\nz http://www.example.org/a/=\nlong/path" + b"x" * 60 + b"\n",
            ),
        ),
        # Line ends of an old Macintosh.
        (
            message("7bit", TEXT.encode()).replace(b"\n", b"\r"),
            message("7bit", TEXT.replace(URL, WHOLE).encode()).replace(b"\n", b"\r"),
        ),
        # A message that was encoded before it was attached.
        (
            b"From: a@b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
            + base64.encodebytes(message("quoted-printable", b"=41\n" + URL.encode())),
            b"From: a@b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
            + base64.encodebytes(message("quoted-printable", b"=41\n" + WHOLE.encode())),
        ),
    ],
    ids=[
        "7bit",
        "8bit",
        "base64",
        "base64 in one line",
        "qp",
        "qp crlf",
        "qp long",
        "qp longer",
        "cr",
        "encoded message",
    ],
)
def test_a_url_is_made_whole_in_its_message(octets: bytes, expected: bytes) -> None:
    """The part keeps its encoding, and all other octets stay the same."""
    part = body_of(octets)
    assert rewritten(octets, part, re.sub("a/\r?\nlong", "a/long", part.text)) == expected


@pytest.mark.parametrize(
    ("field", "old", "new", "expected"),
    [
        (b"X-URL: <http://a/\n b>\n", " b", "b", b"X-URL: <http://a/b>\n"),
        (b"X-URL: see http://a/,\r\n\tand more\n", "a/", "b.c/", b"X-URL: see http://b.c/,\r\n\tand more\n"),
        (b"X-URL:http://a/  \n", "a/", "a/x", b"X-URL:http://a/x  \n"),
        # A fold without its blank, as some mailers write it.
        (b"X-URL: see http://a/\nlost fold\n", "fold", "folds", b"X-URL: see http://a/\nlost folds\n"),
        (b"X-URL: http://a/ caf\xe9\n", "a/", "b/", b"X-URL: http://b/ caf\xe9\n"),
    ],
)
def test_a_field_keeps_the_folds_that_are_not_touched(field: bytes, old: str, new: str, expected: bytes) -> None:
    """Its blanks and the other fields stay the same as well."""
    octets = b"From: a@b\n" + field + b"To: c@d\n\nbody\n"
    part = read(octets).parts[0]
    assert rewritten(octets, part, part.text.replace(old, new)) == octets.replace(field, expected)


ENCODED_WORD = b"From: a@b\nX-URL: =?utf-8?q?http=3A//a/?=\n\n"
UUENCODED = b"From: a@b\n\nhttp://a/\nbegin 644 a\n#0V%T\n`\nend\n"


@pytest.mark.parametrize(
    ("octets", "text", "cause"),
    [
        (b"From: a@b\nContent-Type: text/html\n\n<p>http://a/", "http://b/", "HTML"),
        (b"From: a@b\nContent-Type: text/html\n\n<a href='http://a/'></a>", "http://b/", "HTML"),
        (UUENCODED, "http://b/\n", "left out"),
        (ENCODED_WORD, "http://b/", "encoded words"),
        (message("8bit", b"http://a/ \xff", "utf-8"), "http://b/", "replaced"),
        (message("8bit", b"http://a/ \xe9", "iso-8859-1"), "http://a/ \u65e5", "lacks"),
        (b"From: a@b\n\nhttp://a/\n", "http://a/\u65e5\n", "lacks"),
        (message("base64", b"aHR0\ncDovL2Ev\n"), "http://b/", "base64"),
        (message("base64", base64.encodebytes(b"http://a/") + b"\nlist info\n"), "http://b/", "base64"),
        (message("x-uuencode", b"#0V%T\n"), "http://b/", "uuencode"),
        (b"From: a@b\nX-URL: http://a/\n\n", "http://a/\nTo: c@d", "another way"),
        (b"From: a@b\nX-URL: http://a/\n\n", "no URL", "another way"),
        (b"From: a@b\nX-URL: http://a/?= =?b\n\n", "http://b/", "only folded"),
        (b"From: a@b\r\rhttp://a/\r\nb\r", "http://b/", "cr is not"),
        (
            b"From: a@b\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nhttp://a/\n--x--\n",
            "http://a/\n--x--\nhttp://b/",
            "another way",
        ),
    ],
)
def test_an_edit_that_cannot_be_written_exactly_is_refused(octets: bytes, text: str, cause: str) -> None:
    """The error gives the reason. No message is written that says something else."""
    with pytest.raises(IrreversibleError, match=cause):
        rewritten(octets, read(octets).parts[0], text)


def test_a_part_of_another_message_is_refused() -> None:
    """Its offsets are meaningless in this message."""
    part = body_of(message("7bit", TEXT.encode()))
    with pytest.raises(IrreversibleError, match="not read from"):
        rewritten(message("7bit", b"x" + TEXT.encode()), part, "")
    with pytest.raises(IrreversibleError, match="not read from"):
        rewritten(b"From: a@b\n\nx", TextPart("x", "1"), "")


def test_an_edited_plain_text_can_be_written() -> None:
    """Its byte order mark is kept."""
    octets = "\ufeffhttp://a/\nb \u00e9".encode("utf-16-le")
    (part,) = read(octets, "text").parts
    assert rewritten(octets, part, "http://a/b \u00e9", "text") == "\ufeffhttp://a/b \u00e9".encode("utf-16-le")


EDITS = st.tuples(
    st.integers(0, 300), st.integers(0, 9), st.sampled_from(["", "x", "=", "\n", "http://b/", " ", "\u00e9"])
)


@given(entities(), st.sampled_from([b"\n", b"\r\n", b"\r"]), EDITS, st.integers(0, 5))
def test_only_the_edited_part_changes(entity: bytes, end: bytes, edit: tuple[int, int, str], number: int) -> None:
    """All other parts are as before, and no octet outside the part's stretch has changed."""
    octets = (b"From: a@b\n" + entity).replace(b"\n", end)
    parts = read(octets).parts
    if not parts:
        return
    part = parts[number % len(parts)]
    at, length, put = edit
    text = part.text[:at] + put + part.text[at + length :]
    try:
        result = rewritten(octets, part, text)
    except IrreversibleError:
        return
    expected = [text if each == part else each.text for each in parts]
    assert [each.text for each in read(result).parts] == expected
    made = part.decoding
    assert made is not None
    while made.within is not None:
        made = made.within
    assert result.startswith(octets[: made.start])
    assert result.endswith(octets[made.end :])
    if text == part.text:
        assert result == octets


@given(st.text(st.sampled_from("ab =\n\u00e9.\t"), max_size=200), EDITS, st.sampled_from([b"\n", b"\r\n"]))
def test_the_librarys_quoted_printable_can_always_be_rewritten(
    text: str, edit: tuple[int, int, str], end: bytes
) -> None:
    """This holds for any edit; its lines stay short (RFC 2045 6.7)."""
    octets = message("quoted-printable", quopri.encodestring(text.encode()).replace(b"\n", end))
    parts = read(octets).parts
    if not parts:
        return
    at, length, put = edit
    edited = parts[0].text[:at] + put + parts[0].text[at + length :]
    if edited:
        result = rewritten(octets, parts[0], edited)
        assert max(map(len, re.split(rb"\r?\n", result))) <= 76


LONG: dict[str, Callable[[int], bytes]] = {
    "quoted-printable": lambda n: message("quoted-printable", b"=41 http://a/\n=\n" * (n // 4)),
    "soft breaks": lambda n: message("quoted-printable", b"http://a/" + b"=\n" * n),
    "base64": lambda n: message("base64", base64.encodebytes(b"http://a/ " * n)),
    "folds": lambda n: b"From: a@b\nX-URL: http://a/" + b"\n x" * n + b"\n\n",
    "carriage returns": lambda n: message("7bit", b"http://a/\n" * n).replace(b"\n", b"\r"),
    "fields": lambda n: b"From: a@b\n" + b"X-URL: http://a/\n" * (n // 20) + b"\nhttp://a/",
}


def rewritten_once(octets: bytes) -> bytes:
    """A message whose last part has its first URL replaced."""
    part = read(octets).parts[-1]
    return rewritten(octets, part, part.text.replace("http://a/", "http://b/", 1))


@pytest.mark.parametrize("octets", LONG.values(), ids=LONG)
def test_long_messages_take_no_quadratic_time(octets: Callable[[int], bytes]) -> None:
    """The time for writing them grows as their length does."""
    assert growth(rewritten_once, octets) < BOUND


def test_a_line_without_room_for_a_soft_break_gets_one_before_its_last_character() -> None:
    """76 characters and the "=" of a soft break would be one too many."""
    octets = message("quoted-printable", b"x" * 76 + b"\n" + b"y" * 60 + b"\n")
    expected = message("quoted-printable", b"x" * 75 + b"=\nx=\n" + b"y" * 60 + b"\n")
    part = body_of(octets)
    assert rewritten(octets, part, part.text.replace("x\n", "x")) == expected


@pytest.mark.parametrize(
    "body",
    [
        b"one =41\ntwo =42\nthree =43\n",
        b"one =41\ntwo =42\nthree =43",
        b"caf=e9 = open",
        b"soft=\nly =41",
    ],
)
def test_an_unedited_text_leaves_the_message_unchanged(body: bytes) -> None:
    """This holds even if nobody would write its quoted-printable in that way today."""
    octets = b"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n" + body
    (part,) = read(octets).parts
    assert rewritten(octets, part, part.text) == octets


def test_edits_of_neighbouring_lines_are_encoded_together() -> None:
    """Else the first would go on in a line that is no longer as short as it was."""
    octets = message("quoted-printable", b"see x http://a/=\n" + b"y" * 50 + b"\nz=41\n")
    part = body_of(octets)
    at = part.text.index("y")
    reversal = Reversal(octets)
    edits = [Edit(part, 4, 5), Edit(part, at + 1, at + 1, "y" * 20)]
    result = patched(octets, reversal.patches([reversal.edited(edits)]))
    assert body_of(result).text == "see  http://a/" + "y" * 70 + "\nzA\n"
    assert max(map(len, result.split(b"\n"))) <= 76
    assert result.endswith(b"\nz=41\n")
