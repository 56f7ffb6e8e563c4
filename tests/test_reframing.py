"""Patches of a message put back into its file."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rewriting import FORMS, WHOLE_LINES, messages
from urlglean.archive.reframing import reframed
from urlglean.errors import IrreversibleError
from urlglean.mail.octet_patch import OctetPatch, patched
from urlglean.records import Framing
from urlglean.sources.framing import kept, unframed

ENVELOPE = b"From a@example.org Mon Mar  6 10:11:12 1995\n"
COUNT = re.compile(rb"(?m)^Content-Length: [0-9]+$")
HEAD = b"Subject: x\n\n"


def put(framing: Framing, octets: bytes, old: bytes, new: bytes) -> bytes:
    """The document with `new` for `old` in its message."""
    message = unframed(octets, framing)
    at = message.index(old)
    body = message.find(b"no field")
    if body < 0:
        body = message.replace(b"\r", b" ").index(b"\n\n" if b"\r" not in message else b"\n \n") + 2
    patches = reframed(octets, framing, [OctetPatch(at, at + len(old), new)], body)
    return patched(octets, patches)


@pytest.mark.parametrize(
    ("framing", "octets", "old", "new", "expected"),
    [
        # A line that would begin a message is quoted; those that are quoted stay so.
        (
            Framing.MBOXRD,
            ENVELOPE + HEAD + b"a\n>From b\n\n",
            b"a\nFrom b",
            b"A\nFrom B",
            ENVELOPE + HEAD + b"A\n>From B\n\n",
        ),
        (
            Framing.MBOX,
            ENVELOPE + HEAD + b">From b\nline\n\n",
            b"line",
            b"a\nFrom c",
            ENVELOPE + HEAD + b">From b\na\n>From c\n\n",
        ),
        (Framing.MBOX, ENVELOPE + HEAD + b"a\n>From b\n\n", b"a\nFrom b", b"A\nFrom B", None),
        *(
            (
                framing,
                before + HEAD + b"a\nFrom b\n" + end,
                b"a\nFrom b",
                b"A\nFrom B",
                before + HEAD + b"A\nFrom B\n" + end,
            )
            for framing, before, end in ((Framing.MBOX, ENVELOPE, b"\n"), (Framing.MMDF, b"", b""))
        ),
        (
            Framing.MBOX,
            ENVELOPE + HEAD + b"a\n>From b\n\n",
            b"From b",
            b"From B",
            ENVELOPE + HEAD + b"a\n>From B\n\n",
        ),
        (
            Framing.MBOXRD,
            ENVELOPE + HEAD + b"line\n\n",
            b"line",
            b"a\n>From c",
            ENVELOPE + HEAD + b"a\n>>From c\n\n",
        ),
        (
            Framing.MMDF,
            b"\1\1\1\1\n" + HEAD + b"line\n",
            b"line",
            b"a\nFrom c",
            b"\1\1\1\1\n" + HEAD + b"a\n>From c\n",
        ),
        # Dots are doubled in wire format, and only there.
        (
            Framing.FILE,
            b"\n" + HEAD.replace(b"Subject", b"From").replace(b"\n", b"\r\n") + b"..a\r\nline\r\n.\r\n",
            b"line",
            b"c\r\n.d",
            b"\n" + HEAD.replace(b"Subject", b"From").replace(b"\n", b"\r\n") + b"..a\r\nc\r\n..d\r\n.\r\n",
        ),
        (Framing.NONE, HEAD + b"line\n", b"line", b"c\n.d\nFrom e", HEAD + b"c\n.d\nFrom e\n"),
        # The Content-Length may count the blank line before the next message.
        (
            Framing.MBOX,
            ENVELOPE + b"Content-Length: 6\n" + HEAD + b"line\n\n",
            b"line",
            b"l",
            ENVELOPE + b"Content-Length: 3\n" + HEAD + b"l\n\n",
        ),
        # It counts from the first empty line, though a line before it is no field.
        (
            Framing.MBOX,
            ENVELOPE + b"Content-Length: 5\nno field\n" + HEAD + b"line\n",
            b"line",
            b"l",
            ENVELOPE + b"Content-Length: 2\nno field\n" + HEAD + b"l\n",
        ),
        (
            Framing.MMDF,
            b"\1\1\1\1\nContent-Length: 11\nLines: 2\n" + HEAD + b"line\n",
            b"line",
            b"l",
            b"\1\1\1\1\nContent-Length: 11\nLines: 2\n" + HEAD + b"l\n",
        ),
        # It stays as wide as it can.
        (Framing.EMLX, b"17   \n" + HEAD + b"line\n", b"line", b"l", b"14   \n" + HEAD + b"l\n"),
        (Framing.EMLX, b"99\n" + HEAD + b"line\n", b"line", b"l", b"99\n" + HEAD + b"l\n"),
    ],
)
def test_a_patch_keeps_the_form_of_its_file(
    framing: Framing, octets: bytes, old: bytes, new: bytes, expected: bytes | None
) -> None:
    """If all is read again, the message is the patched one."""
    result = put(framing, octets, old, new)
    assert unframed(result, framing).replace(b"14   \n", b"") == unframed(result, framing)
    assert expected is None or result == expected


def test_what_would_be_read_in_another_way_is_refused() -> None:
    """Here an envelope line, which belongs to the mailbox."""
    with pytest.raises(IrreversibleError, match="another message"):
        put(Framing.MBOX, ENVELOPE + HEAD + b"line\n\n", b"line", b"a\n>From b")  # mboxo cannot say that
    with pytest.raises(IrreversibleError, match="another message"):
        put(Framing.MBOX, ENVELOPE + HEAD + b"\n", b"Subject: x\n\n", b">" + ENVELOPE + HEAD)


def test_babyl_without_a_line_between_header_and_body_is_refused() -> None:
    """It is read with one."""
    octets = b"\x1f\x0c\n1,,\nFrom: a\n*** EOOH ***\nFrom: a\n\nline\n"
    assert unframed(octets, Framing.BABYL) == b"From: a\n\nline\n"
    with pytest.raises(IrreversibleError, match="another message"):
        put(Framing.BABYL, octets, b"line", b"l")


FRAMINGS = {
    "mbox": Framing.MBOX,
    "mboxcl2": Framing.MBOXRD,
    "rnews": Framing.RNEWS,
    "mmdf": Framing.MMDF,
    "listserv": Framing.LISTSERV,
    "emlx": Framing.EMLX,
    "wire": Framing.FILE,
    "file": Framing.NONE,
}
NEW = st.lists(st.sampled_from([b"x", b"\n", b"From ", b">", b".", b"\r\n", b" "]), max_size=5).map(b"".join)


@given(st.sampled_from(sorted(FRAMINGS)), messages(WHOLE_LINES), st.data())
def test_the_message_is_the_patched_one_or_nothing_is(form: str, message: bytes, data: st.DataObject) -> None:
    """Whatever is patched, in whatever file; but for a length that the mailbox needs."""
    octets, framing = FORMS[form]([message]), FRAMINGS[form]
    held = unframed(octets, framing)
    assert b"".join(octets[start:end] for start, end in kept(octets, framing)) == held
    edges = sorted(data.draw(st.lists(st.integers(0, len(held)), min_size=4, max_size=4)))
    # The field itself is never patched from elsewhere.
    assume(not COUNT.search(held) or edges[0] > held.index(b"\n\n"))
    patches = [OctetPatch(edges[at], edges[at + 1], data.draw(NEW)) for at in (0, 2)]
    try:
        result = reframed(octets, framing, patches, len(held))
    except IrreversibleError:
        return
    made = unframed(patched(octets, result), framing)
    assert COUNT.sub(b"", made) == COUNT.sub(b"", patched(held, patches))
