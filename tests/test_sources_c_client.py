"""Mailboxes of Pine and the IMAP server of Washington: messages by their sizes."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from c_client_files import DATE, FORMS, mbx, mix, mtx, tenex
from files import MAIL, place, read
from unframing import documents, taken_out
from urlglean import scan
from urlglean.cli import main
from urlglean.records import Document, Trouble
from urlglean.sources import Skipped, unframed
from urlglean.sources.items import FromPath

INSIDE = [form([b"From: c@d.example\n\nquoted\n"]) for form in (tenex, mtx, mix)]
"""Whole messages with their lines, as the body of another may hold them."""


def told(items: list[FromPath]) -> tuple[list[bytes], list[str]]:
    """What documents hold, and the causes of troubles."""
    held = [unframed(item.data, item.framing) for item in items if isinstance(item, Document)]
    return held, [item.cause for item in items if isinstance(item, Trouble)]


@given(
    st.sampled_from(sorted(FORMS)),
    st.lists(st.lists(st.sampled_from([b"text", b"", b"\0", *INSIDE])).map(b"\n".join), max_size=4),
)
def test_messages_come_back_as_they_were_saved(form: str, bodies: list[bytes]) -> None:
    """Their sizes say where they end, whatever they hold."""
    messages = [MAIL, *(MAIL + body for body in bodies)]
    assert told(list(read(FORMS[form](messages)))) == (messages, [])


@pytest.mark.parametrize("form", FORMS)
def test_what_is_encoded_in_a_message_is_read(form: str, tmp_path: Path) -> None:
    """Each row has its number and its place."""
    coded = b"From: a@b.example\nContent-Transfer-Encoding: base64\n\n" + base64.b64encode(b"http://a.example/x")
    (tmp_path / "box").write_bytes(FORMS[form]([MAIL, coded]))
    found = [(one.origin.message, one.origin.offset, one.finding.url) for one in scan(tmp_path)]
    first = 2048 if form == "mbx" else 0
    assert found == [(1, first, "http://host.example/"), (2, len(FORMS[form]([MAIL])), "http://a.example/x")]


@pytest.mark.parametrize(
    "line",
    [
        b" 7-Jul-1986 12:34:56-PDT,%d;000000000001\r\n",
        b"13-Mar-82  4:05 PST,%d;000000000000\r\n",
        b"01-Jan-1999 00:00:00 -0700,%d;ABCDEF000001-0000000a\n",
        b":msg:0000000A:20261126220354-0730:%08X:\n",
    ],
)
def test_a_line_may_have_older_forms(line: bytes) -> None:
    """Those of TOPS-20 have the name of a zone, and years of two digits."""
    box = (line % len(MAIL) + MAIL) * 2
    assert told(list(read(box))) == ([MAIL, MAIL], [])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("more", [-3, 5])
def test_a_wrong_size_is_told(form: str, more: int) -> None:
    """The next line says then where the message ends; a lost end is told too."""
    box = FORMS[form]([MAIL, MAIL])
    said = b"%08x" if form == "mix" else b",%d;"
    wrong = box.replace(said % len(MAIL), said % (len(MAIL) + more), 1)
    cause = f"a message said to have {len(MAIL) + more} bytes has {len(MAIL)}"
    assert told(list(read(wrong))) == ([MAIL, MAIL], [cause])
    cut = f"a message said to have {len(MAIL)} bytes has {len(MAIL) - 4}"
    assert told(list(read(box[:-4]))) == ([MAIL, MAIL[:-4]], [cut])


@pytest.mark.parametrize("end", [b"\n", b"\r\r\n"])
@pytest.mark.parametrize("form", ["mtx", "mbx"])
def test_a_transfer_may_have_changed_the_line_ends(form: str, end: bytes) -> None:
    """The messages are read, and it is told that their sizes are wrong."""
    mail = b"From: a@b.example\r\nSubject: x\r\n\r\nsee\r\nhttp://host.example/\r\n"
    box = FORMS[form]([mail, mail]).replace(b"\r\n", end)
    held, causes = told(list(read(box)))
    assert held == [mail.replace(b"\r\n", end)] * 2
    assert len(causes) == 2


def test_octets_before_the_first_message_are_told() -> None:
    """But for the header of mbx, without which there may be no message at all."""
    assert told(list(read(mbx([])))) == ([], [])
    held, causes = told(list(read(mbx([]) + b"see http://lost.example/\n" + mtx([MAIL]))))
    assert (held[1:], len(causes)) == ([MAIL], 1)
    assert b"http://lost.example/" in held[0]
    damaged = b"*mbx*\r\n6b08b18700000000\r\nsee http://lost.example/\r\n"
    held, causes = told(list(read(damaged + mtx([MAIL]))))
    assert (held, len(causes)) == ([damaged, MAIL], 1)
    whole = mbx([])[:-10] + b"0000abcd\r\n"
    for less in (whole, b"*mbx*\r\n6b08b18700000000\r\n", b"*mbx*\r\n6b08b18700000000\r\n$Junk\r\n\r\n" + bytes(100)):
        assert told(list(read(less + mtx([MAIL])))) == ([MAIL], [])
    held, causes = told(list(read(b"*mbx*\r\nis a format: http://lost.example/\n")))
    assert (held, len(causes)) == ([b"*mbx*\r\nis a format: http://lost.example/\n"], 1)


def test_the_indexes_of_mix_are_left_out(tmp_path: Path) -> None:
    """Only the files of messages are read."""
    for name in (".mixmeta", ".mixindex", ".mixstatus"):
        place(tmp_path / name, b"S6b08b188\r\n:00000001:00000000:0000:6b08b188:\r\n")
    box = place(tmp_path / ".mix6b08b187", mix([MAIL]))
    found = taken_out(documents(str(tmp_path)))
    assert [item.path for item in found if isinstance(item, Document)] == [box]
    assert [item.cause for item in found if isinstance(item, Skipped)] == ["an index of a mailbox in mix"] * 3


@pytest.mark.parametrize("form", FORMS)
def test_such_a_mailbox_is_not_written_anew(form: str, tmp_path: Path) -> None:
    """The size before each message would be wrong."""
    message = b"From: a@b.example\n\nsee <URL:http://www.example.org/a/\nb.html>\n"
    (tmp_path / "box").write_bytes(FORMS[form]([message]))
    result = CliRunner().invoke(main, ["rewrite", str(tmp_path / "box"), "-o", str(tmp_path / "out")])
    assert "a size stands before each of its messages" in result.stderr
    assert (tmp_path / "out").read_bytes() == FORMS[form]([message])


@pytest.mark.parametrize("text", [DATE + b"\nhttp://a.example/\n", b":msg: http://a.example/\n", DATE + b",12;x\n"])
def test_a_text_that_begins_with_a_date_is_a_text(text: bytes) -> None:
    """The line is that of such a mailbox only as a whole."""
    (document,) = (item for item in read(text) if isinstance(item, Document))
    assert document.kind == "text"
