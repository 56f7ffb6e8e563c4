"""Mailboxes of every form: what the standard library wrote comes back, and what lies about is read."""

from __future__ import annotations

import io
import mailbox
import plistlib
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from files import ENVELOPE, MAIL, read
from unframing import documents
from urlglean.bounds import DEFAULT, Bounds
from urlglean.mail import envelope_of
from urlglean.mail import read as read_mail
from urlglean.records import Document, Trouble
from urlglean.sources import Item, mailboxes, mbox, message_splitter, unframed
from urlglean.sources.streams import Stream


def bodies(items: list[Item]) -> list[bytes]:
    """Give the bytes of the messages alone, and see that there is nothing else."""
    assert all(isinstance(item, Document) for item in items)
    return [item.data for item in items if isinstance(item, Document)]


MESSAGES = [
    (
        b"Path: host!not-for-mail\nFrom: a@b.example\nNewsgroups: alt.test\nSubject: %d\nMessage-ID: <%d@b.example>\n"
        b"Date: Mon, 1 Jan 2001 00:00:00 +0000\n\n" % (number, number)
    )
    + body
    for number, body in enumerate(
        [
            b"<URL:http://host.example/a\n b>\n",
            b"From here it is http://host.example/from\n\nFrom here too\n",
            b"> http://host.example/quoted\n.http://host.example/dot\n..\n\n-- \nsignature\n",
        ],
        1,
    )
]


def written(kind: Callable[[str], mailbox.Mailbox[mailbox.Message]], path: Path) -> None:
    """Let the standard library write the messages."""
    box = kind(str(path))
    for message in MESSAGES:
        box.add(message)
    box.flush()
    box.close()


def spool(path: Path) -> None:
    """A news spool: a directory for each part of the group's name, a file for each article."""
    group = path / "alt" / "test"
    group.mkdir(parents=True)
    for number, message in enumerate(MESSAGES, 9):
        (group / str(number)).write_bytes(message)


def wire_spool(path: Path) -> None:
    """The same as INN stores it: in wire format (RFC 3977 3.1.1)."""
    path.mkdir()
    for number, message in enumerate(MESSAGES, 9):
        wire = message.replace(b"\n.", b"\n..").replace(b"\n", b"\r\n") + b".\r\n"
        (path / str(number)).write_bytes(wire)


def batch(path: Path) -> None:
    """An rnews batch (RFC 1036 4.3)."""
    path.write_bytes(b"".join(b"#! rnews %d\n" % len(message) + message for message in MESSAGES))


def zipped(path: Path) -> None:
    """A zip archive of files with a message each."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, message in enumerate(MESSAGES):
            archive.writestr(f"mail/{number}.eml", message)


def tarred(path: Path) -> None:
    """A compressed tar archive with a batch in it."""
    batch(path.with_suffix(".batch"))
    with tarfile.open(path, "w:gz") as archive:
        archive.add(path.with_suffix(".batch"), "spool/batch")
    path.with_suffix(".batch").unlink()


STORED: dict[str, Callable[[Path], None]] = {
    "mbox": lambda path: written(mailbox.mbox, path),
    "mmdf": lambda path: written(mailbox.MMDF, path),
    "babyl": lambda path: written(mailbox.Babyl, path),
    "maildir": lambda path: written(mailbox.Maildir, path),
    "mh": lambda path: written(mailbox.MH, path),
    "spool": spool,
    "wire spool": wire_spool,
    "batch": batch,
    "zip": zipped,
    "tar.gz": tarred,
}


@pytest.mark.parametrize("store", STORED)
def test_the_same_messages_give_the_same_texts(tmp_path: Path, store: str) -> None:
    """However they are stored, the messages have the same envelopes and texts, and nothing is said of trouble."""
    STORED[store](tmp_path / "store")
    found = [item for item in documents(str(tmp_path)) if isinstance(item, Document | Trouble)]
    assert all(isinstance(item, Document) and item.kind == "message" for item in found)
    mails = [read_mail(unframed(item.data, item.framing)) for item in found if isinstance(item, Document)]
    expected = [read_mail(message) for message in MESSAGES]
    key = lambda mail: envelope_of(mail.header).message_id or ""  # noqa: E731 - a Maildir has no order
    assert [
        (envelope_of(mail.header), [part.text.replace("\r\n", "\n") for part in mail.parts], mail.troubles)
        for mail in sorted(mails, key=key)
    ] == [(envelope_of(mail.header), [part.text for part in mail.parts], ()) for mail in expected]


BODY = st.lists(
    st.sampled_from(["text", "", "> quoted", "From me", "\x1f", "*** EOOH ***", "é", "A: b"]),
    max_size=8,
)


@given(st.lists(BODY, min_size=1, max_size=4), st.sampled_from(["MMDF", "Babyl"]))
def test_framed_mailboxes_of_the_standard_library_come_back(messages: list[list[str]], kind: str) -> None:
    """Messages that it wrote come back byte for byte, if a body holds no frame of its own."""
    data = [("Subject: s\n\n" + "".join(line + "\n" for line in lines)).encode() for lines in messages]
    if kind == "Babyl":
        data = [each.replace(b"\x1f", b"").replace(b"*** EOOH ***", b"") for each in data]
    stored = io.BytesIO()
    if kind == "MMDF":
        stored.write(b"".join(b"\1\1\1\1\n" + ENVELOPE + each + b"\n\1\1\1\1\n" for each in data))
    else:
        header = b"Subject: s\n\n"
        stored.write(b"BABYL OPTIONS:\nVersion: 5\nLabels:\n\n\x1f")
        for each in data:
            stored.write(b"\x0c\n1,,\n" + header + b"*** EOOH ***\n" + each + b"\n\x1f")
    assert bodies(read(stored.getvalue())) == data


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r\r\n"])
def test_mmdf_of_other_programs(end: bytes) -> None:
    """Frames without envelope lines or blank lines, any line ends, and two frames in a row."""
    frame, message = b"\1\1\1\1" + end, MAIL.replace(b"\n", end)
    assert bodies(read(frame + message + frame + frame + message + frame)) == [message, message]


def test_a_field_with_a_blank_before_its_colon_is_no_envelope_line() -> None:
    """RFC 5322 4.5: `From : a@b` is the first field of the message."""
    frame, message = b"\1\1\1\1\n", b"From : a@b.example\nSubject: s\n\nbody\n"
    assert bodies(read(frame + message + frame)) == [message]


BABYL = b"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels:\nNote:   This is the header of an rmail file.\n\x1f"


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r\r\n"])
def test_babyl_gives_the_header_as_it_came(end: bytes) -> None:
    """The header that Rmail shows is left out where the whole one is there; one that was never shown is the whole.

    The line of Rmail's summary is in both.
    """
    shown = b"\x0c\n1,,\nSummary-line:  1-Jan\n" + MAIL.partition(b"\n\n")[0] + b"\nX-URL: http://host.example/x\n\n"
    shown += b"*** EOOH ***\nFrom: a@b.example\n\nbody\n\x1f"
    unseen = b"\x0c\n0, unseen,,\n*** EOOH ***\n" + MAIL + b"\x1f"
    unseen += b"\x0c\n0, unseen,,\nSummary-line:  1-Jan\n*** EOOH ***\n" + MAIL + b"\x1f"
    first, *others = bodies(read((BABYL + shown + unseen).replace(b"\n", end)))
    assert first.replace(end, b"\n") == b"From: a@b.example\nSubject: s\nX-URL: http://host.example/x\n\nbody\n"
    assert others == [MAIL.replace(b"\n", end)] * 2


@pytest.mark.parametrize(
    "body",
    [
        b"From: other@host.example\nSubject: t\n\nmore\n",
        b"body\n\nmore\n",
        b"http://host.example/\n\nmore\n",
        b"x: y\nbody\n\nmore\n",
        b"From: a@b.example\nTo: c@d.example\nSubject: t\n\nmore\n",
        b"He wrote:\nSubject: s\n\nmore\n",
        b"Page: http://a.b/\n\nmore\n",
    ],
)
def test_babyl_without_a_shown_header(body: bytes) -> None:
    """Python's `mailbox` writes neither it nor the empty line behind it. A shown header has fields of the original."""
    box = BABYL + b"\x0c\n1,,\n" + MAIL.partition(b"\n\n")[0] + b"\n\n*** EOOH ***\n" + body + b"\x1f"
    (message,) = bodies(read(box))
    assert message == MAIL.partition(b"\n\n")[0] + b"\n\n" + body


@pytest.mark.parametrize(
    ("header", "shown"),
    [
        (
            b"Date: x\nSubject: =?utf-8?q?=C3=B6?= http://s.example/\n",
            "Date: x\nSubject: \u00f6 http://s.example/\n".encode(),
        ),
        (
            b"From: =?utf-8?q?J=C3=B6?= <j@s.example>\nSubject: =?utf-8?q?=C3=B6?= http://s.example/\nDate: x\n",
            "Date: x\nFrom: J\u00f6 <j@s.example>\nSubject: \u00f6 http://s.example/\n".encode(),
        ),
        (b"Subject: see\n http://s.example/x\n", b"Subject: see http://s.example/x\n"),
        (b"From: a@b\nSubject: see http://s.example/\n", b"From:    a@b\nSubject: see  http://s.example/\n"),
    ],
)
def test_babyl_with_a_shown_header_in_another_form(header: bytes, shown: bytes) -> None:
    """Rmail unfolds, aligns and decodes fields. The message may have no body."""
    for body in (b"body\n", b""):
        box = BABYL + b"\x0c\n1,,\n" + header + b"\n*** EOOH ***\n" + shown + b"\n" + body + b"\x1f"
        assert bodies(read(box)) == [header + b"\n" + body]


def test_babyl_without_a_shown_header_keeps_what_looks_like_one() -> None:
    """A body may begin with the header of another message; what Rmail has decoded is not in ASCII."""
    header = b"From: =?utf-8?q?=C3=B6?= <a@b.example>\nSubject: =?utf-8?q?=C3=B6?=\n"
    body = b"From: c@d.example\nSubject: http://host.example/x\n\nmore\n"
    box = BABYL + b"\x0c\n1,,\n" + header + b"\n*** EOOH ***\n" + body + b"\x1f"
    assert bodies(read(box)) == [header + b"\n" + body]
    plain = b"From: a@b.example\nSubject: order\n"
    form = b"From: a@b.example\nPage: http://host.example/y\nSubject: order\n"
    box = BABYL + b"\x0c\n1,,\n" + plain + b"\n*** EOOH ***\n" + form + b"\n\x1f"
    assert bodies(read(box)) == [plain + b"\n" + form]


def test_babyl_with_a_shown_header_of_odd_lines() -> None:
    """It goes up to the empty line, whatever stands in it."""
    header = b"From: a@b.example\nSubject: long\nthat was folded badly\nX-URL: http://host.example/x\n"
    box = BABYL + b"\x0c\n1,,\n" + header + b"\n*** EOOH ***\n" + header + b"\nbody\n\x1f"
    assert bodies(read(box)) == [header + b"\nbody\n"]


def test_babyl_loses_nothing_before_its_first_message() -> None:
    """The options of the file go, anything else there is told and kept."""
    assert bodies(read(BABYL + b"\x0c\n0,,\n*** EOOH ***\n" + MAIL + b"\x1f")) == [MAIL]
    trouble, junk, message = read(
        BABYL[:-1] + b"http://host.example/ is\n\x1f\x0c\n0,,\n*** EOOH ***\n" + MAIL + b"\x1f"
    )
    assert isinstance(trouble, Trouble)
    assert isinstance(junk, Document)
    assert b"http://host.example/" in junk.data
    assert isinstance(message, Document)
    options = BABYL.replace(b"This is", b"http://host.example/ is")
    trouble, junk, message = read(options + b"\x0c\n0,,\n*** EOOH ***\n" + MAIL + b"\x1f")
    assert isinstance(trouble, Trouble)
    assert isinstance(junk, Document)
    assert junk.data == options[:-1]


PLIST = plistlib.dumps({"flags": 1, "url": "http://plist.example/"})


def test_emlx_is_a_message_between_its_length_and_a_property_list() -> None:
    """The length is counted in bytes; the list is no text of the message."""
    assert read(b"%-10d\n" % len(MAIL) + MAIL + PLIST) == [Document("file", MAIL, "message")]
    assert read(b"%d\n" % len(MAIL) + MAIL) == [Document("file", MAIL, "message")]


@pytest.mark.parametrize("length", [len(MAIL) - 10, 10**9])
def test_an_emlx_length_that_does_not_hold_is_told(length: int) -> None:
    """All of the file is read then."""
    trouble, document = read(b"%d\n" % length + MAIL + PLIST)
    assert isinstance(trouble, Trouble)
    assert document == Document("file", MAIL + PLIST, "message")


UNQUOTED = b"A: b\nContent-Length: %d\n\n%s"


def test_a_content_length_that_holds_makes_from_lines_text() -> None:
    """In an mboxcl2 nothing is quoted: the message ends where the next envelope or the end of the file stands."""
    body = b"text\n\n" + ENVELOPE + b"B: in the body\n\nmore\n"
    mail = UNQUOTED % (len(body), body)
    for between in (b"", b"\n"):
        found = bodies(read((ENVELOPE + mail + between) * 2 + ENVELOPE + MAIL + b"\n"))
        assert found == [mail, mail, MAIL]


@pytest.mark.parametrize("name", [b"Content-Length", b"Content-length", b"content-length"])
def test_the_name_of_a_content_length_has_no_case(name: bytes) -> None:
    """As the name of any field (RFC 5322 1.2.2)."""
    inner = ENVELOPE + MAIL
    mail = b"A: b\n%b: %d\n\n%b" % (name, len(inner), inner)
    assert bodies(read((ENVELOPE + mail + b"\n") * 2)) == [mail] * 2


@pytest.mark.parametrize("off", [-3, 7, 10**11])
def test_a_content_length_that_does_not_hold_is_not_trusted(off: int) -> None:
    """The envelopes decide, as if it were not there."""
    mail = UNQUOTED % (5 + off, b"body\n")
    assert bodies(read((ENVELOPE + mail + b"\n") * 3)) == [mail] * 3


def test_a_content_length_in_a_body_is_text() -> None:
    """Only the header says how long a message is."""
    quoted = b"look:\nContent-Length: 0%03d\n\n"
    quoted %= len(quoted) - 1 + len(ENVELOPE + MAIL + b"\n")
    box = ENVELOPE + b"A: b\n\n" + quoted + (ENVELOPE + MAIL + b"\n") * 2
    assert bodies(read(box)) == [b"A: b\n\n" + quoted[:-1], MAIL, MAIL]


@given(
    st.lists(
        st.tuples(st.sampled_from([b"x" * 50 + b"\n", b"\n" + ENVELOPE, b"\n", b"A: b\n"]), st.booleans()), max_size=9
    ),
    st.integers(min_value=1, max_value=400),
)
def test_lengths_hold_wherever_a_block_ends(lines: list[tuple[bytes, bool]], block: int) -> None:
    """However a mailbox with lengths falls into blocks, the same pieces come out, and they are the mailbox."""
    body = b"".join(line for line, _ in lines)
    said = len(body) + 5 * any(flag for _, flag in lines)
    box = (ENVELOPE + UNQUOTED % (said, body) + b"\n") * 3
    assert places(box, block) == places(box, len(box))


@pytest.mark.parametrize("block", [100, 1000, 2000, 2500, 3000, 3999])
def test_a_length_far_down_in_a_header_holds_wherever_a_block_ends(block: int) -> None:
    """A message is judged when all of its header is at hand, not only its first line."""
    body = b"x\n\n" + ENVELOPE + b"A: b\n\n"
    mail = ENVELOPE + b"Received: %s\n" % (b"y" * 1800) + UNQUOTED % (len(body), body) + b"\n"
    assert places(mail * 3, block) == [len(message_splitter.FRONT) + len(mail) * number for number in range(3)]


def places(box: bytes, block: int) -> list[int]:
    """Where messages begin in a mailbox that comes in such blocks, of which little waits for the next one."""
    blocks = (box[at : at + block] for at in range(0, len(box), block))
    pieces = list(message_splitter.pieces(blocks, mbox.FORM, Bounds(lookahead=2000)))
    assert b"".join(piece for piece, _ in pieces) == message_splitter.FRONT + box
    fronts = accumulate((len(piece) for piece, _ in pieces), initial=0)
    return [front + at for front, (_, begins) in zip(fronts, pieces, strict=False) for at in begins]


@pytest.mark.parametrize("lead", [b"\n", b" \r\n\n"])
def test_blank_lines_before_a_mailbox_are_no_message(lead: bytes) -> None:
    """Nor do they make it a text."""
    for box in (b"\1\1\1\1\n%s\1\1\1\1\n" % MAIL, BABYL + b"\x0c\n0,,\n*** EOOH ***\n" + MAIL + b"\x1f"):
        assert bodies(read(lead + box)) == [MAIL]


@pytest.mark.parametrize("kind", ["mmdf", "rnews"])
def test_what_stands_before_the_first_frame_is_a_text_of_its_own(kind: str) -> None:
    """And no message; a message's number is not moved by it."""
    frame = {"mmdf": b"\1\1\1\1\n%s\1\1\1\1\n" % MAIL, "rnews": b"#! rnews %d\n%s" % (len(MAIL), MAIL)}[kind]
    junk, *messages = read(b"http://junk.example/\n" + frame * 2, asked=kind)[1:]
    assert junk == Document("file", b"http://junk.example/\n", "text")
    assert messages == [Document("file", MAIL, "message", message=number) for number in (1, 2)]


def test_mboxrd_is_unquoted_when_it_is_asked_for() -> None:
    """Every quoted `From ` loses one `>`: nothing but the caller can know that the writer put one there."""
    box = ENVELOPE + b"A: b\n\n>From me\n>>From you\n> From him\n"
    assert bodies(read(box, asked="mboxrd")) == [b"A: b\n\nFrom me\n>From you\n> From him\n"]


@pytest.mark.parametrize("lead", [b"", b"\r", b" \r\r"])
def test_lines_of_cr_divide_a_notebook_of_listserv_too(lead: bytes) -> None:
    """Blank lines may stand before it, as in one with LF."""
    letter = (RULER + b"\n" + MAIL).replace(b"\n", b"\r")
    assert bodies(read(lead + letter * 2))[-2:] == [MAIL, MAIL]


def test_lines_of_cr_divide_a_mailbox_too() -> None:
    """A mailbox of Eudora on a Macintosh comes with LF for CR."""
    box = b"From ???@??? Mon Jan 01 00:00:00 2001\n" + MAIL + b"\n"
    assert bodies(read((box * 2).replace(b"\n", b"\r"))) == [MAIL, MAIL]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_single_message_may_end_its_lines_as_it_likes(end: bytes) -> None:
    """It is a message, and its bytes stay as they are."""
    data = MAIL.replace(b"\n", end)
    assert read(data) == [Document("file", data, "message")]


@pytest.mark.parametrize(
    "envelope",
    [
        b"From fred Wednesday, 2-Dec-92 10:01:02 PST",  # RFC 850 2.1.4
        b"From fred 2 Dec 92 10:01:02 GMT",
        b"From fred Wed Dec  2 10:01:02 1992 forwarded by harpo",
    ],
)
def test_older_envelopes_begin_a_message(envelope: bytes) -> None:
    """Dates as news and the mailers of the 1980s wrote them."""
    assert bodies(read(ENVELOPE + MAIL + b"\n" + envelope + b"\n" + MAIL)) == [MAIL, MAIL]


def test_thunderbird_and_maildir_plus_plus_folders(tmp_path: Path) -> None:
    """Subfolders lie in `.sbd` directories or in dotted ones; indexes are left out."""
    for name, data in {
        "Mail/Inbox": ENVELOPE + MAIL,
        "Mail/Inbox.msf": b'// <!-- <mdb:mork:z v="1.4"/> -->\n(http://index.example/)',
        "Mail/Inbox.sbd/Sub": ENVELOPE + MAIL,
        "Mail/msgFilterRules.dat": b'action="Move"\nactionValue="mailbox://nobody@Local%20Folders/x"\n',
        "Maildir/cur/1:2,S": MAIL,
        "Maildir/new/2": MAIL,
        "Maildir/tmp/3": MAIL,
        "Maildir/.Sent/cur/4:2,S": MAIL,
        "Maildir/.Sent/new/5": MAIL,
        "Maildir/.Sent/tmp/6": MAIL,
        "Maildir/courierimapsubscribed": b"INBOX.Sent\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    found = [Path(item.path).relative_to(tmp_path) for item in documents(str(tmp_path)) if isinstance(item, Document)]
    assert sorted(map(str, found)) == [
        *("Mail/Inbox", "Mail/Inbox.sbd/Sub", "Maildir/.Sent/cur/4:2,S", "Maildir/.Sent/new/5"),
        *("Maildir/cur/1:2,S", "Maildir/new/2"),
    ]


@pytest.mark.parametrize(
    "unit", [b"\1\1\1\1\n", b"\x1f\x0c\n", b"\n\x1f", b"*** EOOH ***\n", b"#! rnews 5\n", b"Content-Length: 9\n"]
)
@pytest.mark.parametrize("front", [b"\1\1\1\1\n", BABYL, b"#! rnews 9\n", ENVELOPE])
def test_hostile_repetition_ends(front: bytes, unit: bytes) -> None:
    """A megabyte of frames, in any form of mailbox, is read in one go."""
    assert len(read(front + unit * (1_000_000 // len(unit)))) <= 1_000_000


def test_false_lengths_in_every_message_take_no_quadratic_time() -> None:
    """Each of many messages says that it ends megabytes further on; the mailbox is read as often as it has blocks."""
    mail = ENVELOPE + UNQUOTED % (DEFAULT.stated_length - 1000, b"body\n") + b"\n"
    assert len(read(mail * 30_000)) == 30_000


@pytest.mark.parametrize("said", [2000, 10**6])
def test_lengths_need_no_more_memory_than_they_say(said: int) -> None:
    """A mailbox of 30 MB in which every message has a length, right or wrong, is never held whole."""
    body = b"text\n" * 400
    box = (ENVELOPE + UNQUOTED % (said, body) + b"\n") * 500
    copies = iter([box] * 30)
    tracemalloc.start()
    found = sum(len(begins) for _, begins in message_splitter.pieces(copies, mbox.FORM, DEFAULT))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == 15_000
    assert peak < 12_000_000


RULER = b"=" * 73


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_notebook_is_divided_at_rulers_with_a_field_behind_them(end: bytes) -> None:
    """A shorter or longer ruler, one within a line, and one without a field behind it belong to the message."""
    letter = MAIL + b"\n".join((RULER, b"", RULER[1:], b"From: x", RULER + b"=", b"To: x", b" " + RULER, b"To: x", b""))
    letters = [letter.replace(b"\n", end), MAIL.replace(b"\n", end)]
    found = read(b"".join(RULER + end + each for each in letters))
    assert [unframed(item.data, item.framing) for item in found if isinstance(item, Document)] == letters
    assert bodies(read(RULER + end + letters[1])) == letters[1:]


def test_a_notebook_may_quote_a_mailbox() -> None:
    """In any of its messages."""
    quoted = (
        MAIL + b"\nFrom joe@h.example Mon Jan  2 03:04:05 1995\nReceived: from x by y\nFrom: joe@h.example\n\nHello\n\n"
    )
    found = read(b"".join(RULER + b"\n" + each for each in (MAIL, quoted, MAIL)))
    assert [unframed(item.data, item.framing) for item in found if isinstance(item, Document)] == [MAIL, quoted, MAIL]


@pytest.mark.parametrize("size", [1, 7])
def test_a_mailbox_may_come_in_tiny_blocks(size: int) -> None:
    """It is not copied for each of them."""
    box = (b"From a@b.example Mon Jan  2 03:04:05 1995\n" + MAIL + b"\n") * 3000
    copied: list[int] = []

    blocks = (box[at : at + size] for at in range(0, len(box), size))
    window = message_splitter._Window(blocks, None, DEFAULT.lookahead)
    while not window.ended:
        window.reach(len(window.data) + 1)
        copied.append(len(window.data))
    assert sum(copied) < 8 * len(box)


@pytest.mark.parametrize("lead", [b"\n", b" \r\n\n"])
def test_blank_lines_before_a_notebook_are_no_message(lead: bytes) -> None:
    """Nor are they a trouble."""
    assert [item.data for item in read(lead + (RULER + b"\n" + MAIL) * 2) if isinstance(item, Document)] == [MAIL, MAIL]


def test_text_before_a_notebook_is_told_and_kept() -> None:
    """A server wrote something before the file that it sent."""
    trouble, text, *messages = read(b"Here it is: http://h.example/\n\n" + (RULER + b"\n" + MAIL) * 2)
    assert isinstance(trouble, Trouble)
    assert text == Document("file", b"Here it is: http://h.example/\n\n", "text")
    assert [item.data for item in messages if isinstance(item, Document)] == [MAIL, MAIL]


def test_a_text_that_begins_with_a_ruler_is_no_notebook() -> None:
    """A field of mail must follow it directly."""
    for behind in (b"A title\n", b"\n" + MAIL, b"Note: this\n\nFrom: that\n"):
        for before in (b"", b"A title\n"):
            data = before + RULER + b"\n" + behind
            assert read(data) == [Document("file", data, "text")]


def test_a_message_before_the_first_frame_has_no_number() -> None:
    """It is read as one, but is none of the mailbox."""
    box = MAIL + b"\1\1\1\1\n" + MAIL + b"\1\1\1\1\n"
    trouble, *found = mailboxes.read_mmdf(Stream("file", io.BytesIO(box).read1))
    assert isinstance(trouble, Trouble)
    messages = [(item.kind, item.message) for item in found if isinstance(item, Document)]
    assert messages == [("message", None), ("message", 1)]


@pytest.mark.parametrize("between", [b"\0\0\0\0", b"\f\n", b" \t\v\r\n"])
def test_nuls_and_white_space_between_two_frames_are_no_message(between: bytes) -> None:
    """A crash leaves NULs."""
    box = b"\1\1\1\1\n" + MAIL + b"\1\1\1\1\n" + between + b"\1\1\1\1\n" + MAIL + b"\1\1\1\1\n"
    assert [item.message for item in read(box) if isinstance(item, Document)] == [1, 2]
