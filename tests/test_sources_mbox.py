"""Mailboxes in mbox form: where messages begin and end, and what their bytes are."""

from __future__ import annotations

import io
import mailbox
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import files
from growth import BOUND, growth
from unframing import documents, taken_out
from urlglean import mail
from urlglean.bounds import Bounds
from urlglean.records import Document, Trouble
from urlglean.sources import Item, mbox, message_splitter
from urlglean.sources.streams import Stream

MAIL = b"From: a@b.example\nSubject: s\n\nbody\n"


def read(data: bytes, block: int = 1 << 20, longest: int = 1 << 27) -> list[Item]:
    """Read bytes as an mbox, in blocks of at most `block` bytes; few of them wait for the next one."""
    bounds = Bounds(block=block, document=longest, lookahead=message_splitter.REACH)
    return taken_out(mbox.read(Stream("box", io.BytesIO(data).read1, bounds=bounds)))


def bodies(items: list[Item]) -> list[bytes]:
    """Give the bytes of the messages alone."""
    return [item.data for item in items if isinstance(item, Document)]


@pytest.mark.parametrize(
    "envelope",
    [
        b"From fred@host.example Thu Sep  7 09:50:31 2010",
        b"From fred at host.example  Tue Sep  7 09:50:31 2010",
        b"From fred Fri Jul 24 09:06 CDT 1998",
        b"From fred Sun Aug  5 09:44:26 MET DST 2001",
        b"From fred Sun Aug  5 09:44:26 2001 +0200",
        b"From fred Thu Sep 25 08:45",
        b"From fred Thu Sep 25 08:45:01 97",
        b"From uunet!ihnp4!fred Thu Sep 25 08:45:01 1986 remote from ihnp4",
        b"From fred@host.example Thu, 7 Dec 2000 18:01:41 -0500 (EST)",
        b'From "Fred Foo"@host.example Wed Jun 8 19:27:14 2022',
        b"From  Wed Jun 8 19:27:14 2022",
        b"From fred@host.example Wed Jun 8 19:27:14 2022\r",
        b"From -8891023456712345678",
        b"From 12345678\r",
    ],
)
def test_each_shape_of_envelope_begins_a_message(envelope: bytes) -> None:
    """Each known shape of a `From ` line begins a message after a blank line, and belongs to none."""
    box = b"From x Mon Jan  1 00:00:00 2001\n" + MAIL + b"\n" + envelope + b"\n" + MAIL
    assert bodies(read(box)) == [MAIL, MAIL]


@pytest.mark.parametrize(
    "line",
    [
        b"\nFrom here to there it is far",  # no date
        b"\nFrom fred@host.example",
        b"\nFrom fred Thu Jul x 00:38:01 1993",
        b"\nFrom 12345678901",  # a number, and no field after it
        b"\nFrom 1234567\nA: b",
        b"\nFromage Thu Jul 1 00:38:01 1993",
        b"\nFrom fred Thu Jul 1 00:38:01 1993 and more words",
        b"text before\nFrom fred Thu Jul 1 00:38:01 1993",  # no blank line before, no header field after
        b"text before\nFrom fred Thu Jul 1 00:38:01 1993\nhttp://host.example/",
        b"\n From fred Thu Jul 1 00:38:01 1993",
        b"\nFrom " + b"x" * 2000 + b" Thu Jul 1 00:38:01 1993",
    ],
)
def test_other_from_lines_begin_none(line: bytes) -> None:
    """A `From ` line without a date, or with neither a blank line before nor a field after, stays in the body."""
    mail = MAIL + line + b"\nmore\n"
    assert bodies(read(b"From x Mon Jan  1 00:00:00 2001\n" + mail)) == [mail]


def test_a_field_after_makes_up_for_the_blank_line() -> None:
    """Mailman's archives lack the blank line after an attachment that was taken away."""
    envelope = b"From a at b.example  Mon Jan  1 00:00:00 2001\n"
    assert bodies(read(envelope + MAIL + envelope + MAIL)) == [MAIL, MAIL]


def test_messages_count_from_one_and_keep_the_path() -> None:
    """Messages are numbered from 1 in their mailbox."""
    found = read((b"From x Mon Jan  1 00:00:00 2001\n" + MAIL + b"\n") * 3)
    assert found == [Document("box", MAIL, "message", message=number) for number in (1, 2, 3)]


def test_exactly_one_quote_before_from_goes() -> None:
    """`>From ` is unquoted (right in mboxo and mboxrd); deeper ones, and `> From `, are quotations of a reply."""
    box = b"From x Mon Jan  1 00:00:00 2001\nA: b\n\n>From me\n>>From you\n> From him\n>Fromage\nx >From y\n"
    assert bodies(read(box)) == [b"A: b\n\nFrom me\n>>From you\n> From him\n>Fromage\nx >From y\n"]


def test_envelopes_of_uucp_relays_are_no_header() -> None:
    """The `>From ` lines of RFC 976 relays belong to the envelope, not to the message."""
    box = b"From uucp Thu Sep 25 08:45:01 1986\n>From fred Thu Sep 25 08:40:00 1986 remote from ihnp4\n" + MAIL
    assert bodies(read(box)) == [MAIL]


@pytest.mark.parametrize(
    "line", [b"From http://host.example/ Mon Jan  1 00:00:00 2001\n", b"From see://this, 1 Jan 2001 10:00\n"]
)
def test_an_envelope_that_holds_a_url_is_left_to_the_message(line: bytes) -> None:
    """It may be a line of text; `mail.read` reads it before the header. One of a relay behind it too."""
    envelope = b"From x Mon Jan  1 00:00:00 2001\n"
    assert bodies(read(line + MAIL + b"\n" + envelope + MAIL)) == [line + MAIL, MAIL]
    assert bodies(read(envelope + b">" + line + MAIL)) == [b">" + line + MAIL]
    for before in (b"", b">"):
        assert [part.text for part in mail.read(before + line + MAIL).parts] == [(before + line).decode(), "body\n"]


@pytest.mark.parametrize(
    "line",
    [
        "From fred@host.example 1996-01-01T00:00:00Z",
        "From fred@host.example Mär Do 12 09:10:11 1998",
        "From fred@host.example Mon Jan  1 1996 00:00:00",
        "From fred@host.example\tMonday",
        "From fred@host.example",
        "From ???@??? yesterday",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n"])
def test_an_odd_envelope_begins_a_message_before_a_header(line: str, end: str) -> None:
    """If it follows a blank line. Its date may be of any form, or be missing; the file is known by it too."""
    folded = MAIL.replace(b"\nSubject", b"\n (folded)\nX-Other: x\n\tand more\nSubject")
    envelope, message = (line + end).encode(), folded.replace(b"\n", end.encode())
    box = (envelope + message + end.encode()) * 2
    assert bodies(read(box)) == [message, message]
    assert bodies(files.read(box)) == [message, message]


def test_envelopes_of_uucp_may_follow_an_odd_one() -> None:
    """RFC 976: each host put one before those that it got."""
    mail = b"Received: by x\nFrom: a@b.example\n\nbody\n"
    old = b">From fred Thu Sep 25 08:45 1986 remote from x\n>From ann Thu Sep 25 08:40 1986 remote from y\n"
    found = read((b"From ann@a.example 13 May 1997\n" + old + mail + b"\n") * 2)
    assert [item.message for item in found if isinstance(item, Document)] == [1, 2]


def test_an_odd_envelope_may_stand_before_a_long_header() -> None:
    """Mail that came over lists has many lines of Received before all other usual fields."""
    message = b"".join(b"Received: from h%d.example\n\tby h.example\n" % number for number in range(500)) + MAIL
    assert bodies(files.read((b"From fred@host.example\n" + message + b"\n") * 2)) == [message, message]


@pytest.mark.parametrize(
    "text",
    [
        b"\n\nFrom me to you\nTo: x\n\n",  # one field
        b"\n\nFrom me to you\nTo: x\nto: y\nX-To: z\n\n",  # one twice
        b"\n\nFrom me to you\n\nTo: x\nFrom: y\n\n",  # not directly behind it
        b"\n\nFrom me to you\nlike To: x\nFrom: y\n\n",
        b"From me to you\nTo: x\nFrom: y\n\n",  # no blank line before it
        b"\n\nFrom me, http://h.example/\nTo: x\nFrom: y\n\n",
        b"\n\nFrom : me\nTo: x\nFrom: y\n\n",
    ],
)
def test_a_line_of_text_is_no_odd_envelope(text: bytes) -> None:
    """Writers of mailboxes should have put ">" before it, but not all do."""
    message = MAIL + text
    assert bodies(read(files.ENVELOPE + message + b"\n" + files.ENVELOPE + MAIL)) == [message, MAIL]


@pytest.mark.parametrize("end", [b"\r\n", b"\r\r\n"])
def test_line_ends_of_a_mailbox(end: bytes) -> None:
    """CR LF divides messages as LF does, and so does what a copy as text on DOS makes of it."""
    message = MAIL.replace(b"\n", end)
    assert bodies(read(end + (b"From x Mon Jan  1 00:00:00 2001" + end + message + end) * 2)) == [message, message]
    google = b"From -123456789" + end
    assert bodies(read((google + message + end) * 2)) == [message, message]


def test_a_line_end_that_a_block_divides_is_one() -> None:
    """A mailbox whose lines end in CR LF is appended to one of CR."""
    appended = files.MBOX.replace(b"\n", b"\r\n") * 2000
    found = files.read(files.MBOX.replace(b"\n", b"\r") + appended, Bounds(block=1010))
    data = [item.data for item in found if isinstance(item, Document)]
    assert data == [files.MAIL] * 2 + [files.MAIL.replace(b"\n", b"\r\n")] * 4000


@pytest.mark.parametrize(
    "end",
    [b"\r", b"x\ny\r", b"\r\nx\r", files.MBOX, files.MBOX.replace(b"\n", b"\r\n")],
    ids=["none", "LF", "CRLF", "mailbox of LF", "mailbox of CRLF"],
)
@pytest.mark.parametrize("size", [1, 2, 7, 1 << 20])
def test_a_mailbox_whose_lines_end_in_cr_is_read_though_some_end_otherwise(end: bytes, size: int) -> None:
    """Mail programs of the Macintosh wrote such mailboxes; others may have appended to them."""
    found = files.read(files.MBOX.replace(b"\n", b"\r") + end, Bounds(block=size, lookahead=message_splitter.REACH))
    messages = [item for item in found if isinstance(item, Document)]
    assert [item.message for item in messages] == list(range(1, 3 + end.count(b"From a")))
    assert messages[0].data == files.MAIL
    line_end = b"\r\n" if end.endswith(b"\r\n") else b"\n"
    assert messages[-1].data.startswith(files.MAIL.replace(b"\n", line_end))


@pytest.mark.parametrize(
    ("front", "before", "behind"),
    [
        (b"", b"=" * 73 + b"\n", b"\n"),
        (b"", b"\1\1\1\1\n", b"\1\1\1\1\n"),
        (b"BABYL OPTIONS:\nVersion: 5\n\x1f", b"\f\n0,,\n*** EOOH ***\n", b"\x1f"),
    ],
    ids=["LISTSERV", "MMDF", "Babyl"],
)
def test_other_mailboxes_may_have_lines_that_end_in_cr(front: bytes, before: bytes, behind: bytes) -> None:
    """Their messages are those of the mailbox with LF."""
    box = front + (before + files.MAIL + behind) * 2
    found = files.read(box.replace(b"\n", b"\r"))
    assert found == files.read(box)
    assert [item.message for item in found if isinstance(item, Document)] == [1, 2]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize(("front", "mail"), [(b"", MAIL), (b"\n", MAIL), (b"", b"\nno field\n")])
def test_a_byte_order_mark_may_stand_before_a_mailbox(front: bytes, mail: bytes, end: bytes) -> None:
    """Editors put it there, and where mailboxes are joined, it stays between them. It is no junk."""
    message = mail.replace(b"\n", end)
    box = b"\xef\xbb\xbf" + front + (b"From x Mon Jan  1 00:00:00 2001" + end + message + end) * 2
    found = read(box)
    assert bodies(found) == [message, message]
    assert not any(isinstance(item, Trouble) for item in found)
    joined = b"" if not front else end + b"\xef\xbb\xbf" + front
    assert bodies(read(box + box)) == [message, message + joined, message, message]


def test_junk_at_the_front_is_told_and_kept() -> None:
    """What stands before the first message is a trouble with its size, and a text of its own."""
    found = read(b"\0junk\n\nFrom x Mon Jan  1 00:00:00 2001\n" + MAIL)
    assert isinstance(found[0], Trouble)
    assert "first 7 bytes" in found[0].cause
    assert found[1:] == [Document("box", b"\0junk\n\n", "text"), Document("box", MAIL, "message", message=1)]


def test_a_message_that_is_too_long_is_cut_and_told() -> None:
    """Only so much of one message is kept, a trouble gives its number, and the next one is read again."""
    envelope = b"From x Mon Jan  1 00:00:00 2001\n"
    found = read(envelope + b"A: b\n\n" + b"x" * 5000 + b"\n\n" + envelope + MAIL, block=64, longest=3000)
    assert bodies(found) == [b"A: b\n\n" + b"x" * (3000 - 6 - len(envelope)), MAIL]
    troubles = [item for item in found if isinstance(item, Trouble)]
    assert [trouble.message for trouble in troubles] == [1]
    assert f"{len(envelope) + 6 + 5000 + 2:,} bytes" in troubles[0].cause


def test_a_text_before_the_messages_that_is_too_long_is_no_message() -> None:
    """Its trouble says how much of it was read, without a number."""
    found = read(b"\0" + b"x" * 4999 + b"\n\nFrom x Mon Jan  1 00:00:00 2001\n" + MAIL, block=64, longest=3002)
    troubles = [item for item in found if isinstance(item, Trouble)]
    assert [trouble.message for trouble in troubles] == [None, None]
    assert troubles[1].cause == "a text before the messages of 5,002 bytes; only the first 3,000 were read"
    assert bodies(found)[1:] == [MAIL]


LINES = st.sampled_from(
    [
        b"text",
        b"",
        b"From x",
        b">From x",
        b">>From x",
        b"From a@b Mon Jan  1 00:00:00 2001",
        b"A: b",
        b"\r",
        b"x" * 1500,
    ]
)


@given(st.lists(LINES, max_size=40), st.integers(min_value=1, max_value=3000))
def test_blocks_make_no_difference(lines: list[bytes], block: int) -> None:
    """However a mailbox falls into blocks, the same is found in it."""
    box = b"From x Mon Jan  1 00:00:00 2001\n" + b"\n".join(lines)
    assert read(box, block) == read(box, len(box))


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r\r\n"])
def test_an_envelope_may_lie_on_any_seam(end: bytes) -> None:
    """A message whose only sign is the blank line before it is found wherever a block ends."""
    first, second = end + b"x" * 100 + end, end + b"y" * 3000
    envelope = b"From x Mon Jan  1 00:00:00 2001" + end
    box = envelope + first + end + envelope + second
    for block in range(1100, 1400):
        assert bodies(read(box, block)) == [first, second]


@given(st.lists(LINES, max_size=40), st.integers(min_value=1, max_value=3000))
def test_pieces_are_the_mailbox(lines: list[bytes], block: int) -> None:
    """Put together, the pieces give every byte of the mailbox in order."""
    box = b"\n".join(lines)
    blocks = [box[at : at + block] for at in range(0, len(box), block)]
    pieces = message_splitter.pieces(iter(blocks), mbox.FORM, Bounds(lookahead=message_splitter.REACH))
    assert b"".join(piece for piece, _ in pieces) == message_splitter.FRONT + box


# What mboxo cannot give back: a body's own `>From ` reads as a quoted `From `.
BODIES = st.lists(
    st.sampled_from(
        ["text", "From here Mon Jan  1 00:00:00 2001", "From me", "> From you", "", ">>From x", "é", "A: b"]
    ),
    max_size=12,
)


@given(st.lists(BODIES, min_size=1, max_size=5))
def test_what_the_standard_library_writes_comes_back(messages: list[list[str]]) -> None:
    """Messages that `mailbox.mbox` wrote come back, byte for byte."""
    written = [("Subject: s\n\n" + "".join(line + "\n" for line in lines)).encode() for lines in messages]
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "box"))
        box = mailbox.mbox(path)
        for message in written:
            box.add(message)
        box.close()
        found = taken_out(documents(path))
    assert found == [Document(path, data, "message", message=number) for number, data in enumerate(written, 1)]


@pytest.mark.parametrize("unit", [b"\nFrom ", b"\n\nFrom ", b"From Mon Jan ", b"a", b"\n", b" ", b">From a\n"])
def test_hostile_repetition_loses_nothing(unit: bytes) -> None:
    """A megabyte of one thing is read in one go, and every byte of it comes out again."""
    data = unit * (1_000_000 // len(unit))
    assert re.sub(rb"\s", b"", b"".join(bodies(read(data)))) == re.sub(rb"\s", b"", data)


@pytest.mark.parametrize("unit", [b"From 12345678\nX:\n", b"From Mon Jan  1 00:00:00 EST".ljust(1100) + b"X: y\n"])
def test_messages_without_empty_lines_take_no_longer(unit: bytes) -> None:
    """Where a message may state its length, the end of its header is not looked for in those behind it."""
    first = b"From a@b Mon Jan  1 00:00:00 2001\nContent-Length: 5\n\nabc\n\n"
    bounds = Bounds(lookahead=1 << 20)

    def work(data: bytes) -> list[Item]:
        return taken_out(mbox.read(Stream("box", io.BytesIO(data).read1, bounds=bounds)))

    assert growth(work, lambda size: first + unit * (size // len(unit))) < BOUND


def test_a_length_behind_the_next_envelope_is_not_its_own() -> None:
    """A message without an empty line ends where the next one begins, whatever length that one states."""
    short, stated = b"From 12345678\nX: y\n", b"From 12345679\nContent-Length: 11\n\nFrom 1\nX: y\n"
    assert bodies(read(short + stated)) == [b"X: y\n", b"Content-Length: 11\n\nFrom 1\nX: y\n"]


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b"\n\n\n"])
def test_empty_lines_before_a_header_belong_to_no_message(blank: bytes) -> None:
    """As in a file of one message. Without a header behind them, they are the end of an empty one."""
    envelope = b"From a@b.example Mon Jan  1 00:00:00 2001\n"
    for data, expected in ((MAIL, MAIL), (b"Note: this\n\nmore\n", blank + b"Note: this\n\nmore\n")):
        (document,) = (item for item in read(envelope + blank + data) if isinstance(item, Document))
        assert document.data == expected


def test_a_message_behind_the_nuls_of_a_crash_is_one() -> None:
    """What was to be written before it is lost, and other programs have appended to the file since."""
    first = files.ENVELOPE + MAIL
    for nuls in (b"\0", b"\0" * 100, b"\0" * 5000):
        assert bodies(read(first + nuls + first)) == [MAIL + nuls, MAIL]
    prose = b"\0From here on it goes.\n"
    assert bodies(read(first + prose)) == [MAIL + prose]
