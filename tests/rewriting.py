"""Mail written anew, for tests: octets in, octets out; and mailboxes of all forms to try it on."""

from __future__ import annotations

import base64
import quopri
import tempfile
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

from hypothesis import strategies as st

from urlglean import scan
from urlglean.archive.rewrite import RewriteOptions, Rewriting
from urlglean.archive.rewrite_files import Outcome, Source, rewrite_file
from urlglean.occurrence import Occurrence


def rewrite_octets(octets: bytes, options: RewriteOptions | None = None) -> tuple[bytes, list[Outcome]]:
    """A file written anew, and what came of it."""
    out = BytesIO()
    with tempfile.NamedTemporaryFile() as file:
        file.write(octets)
        file.flush()
        outcomes = list(rewrite_file(Source(Path(file.name), "box"), out, options or RewriteOptions()))
    return out.getvalue(), outcomes


def reasons(outcomes: Sequence[Outcome]) -> list[str]:
    """Why broken URLs were left."""
    return [left.reason for each in outcomes if isinstance(each, Rewriting) for left in each.left]


def found(octets: bytes) -> list[Occurrence]:
    """What a scan finds in them."""
    return list(scan(octets, on_trouble=lambda _trouble: None))


def named(occurrences: Sequence[Occurrence]) -> list[tuple[int | None, str | None, str | None, str]]:
    """Which URLs stand in which messages and parts."""
    return [(one.origin.message, one.part.part, one.part.field, one.finding.url) for one in occurrences]


WHOLE_LINES = (
    "Dear reader,",
    "",
    "From now on all is at http://www.example.org/whole/ again.",
    "> quoted http://www.example.org/q.html text",
    ">From the start",
    ">>From the very start",
    ".",
    ".. two dots",
    "caf\u00e9 = open?  ",
    "a line that flows ",
    "-- ",
    "#! rnews is a word",
    "\x1f",
    "x" * 70 + " http://www.example.org/" + "y" * 20,
    "<URL:http://www.example.org/in/one/line.html>",
)
BROKEN_LINES = (
    "at <URL:http://www.example.org/a/\nb.html>, it says",
    "> at <URL:http://www.example.org/a/\n> b.html>, it says",
    "see <http://www.example.org/long/path/ \nto/a/page.html> for more",
    "From <http://www.example.org/x/\n   y> to <ftp://ftp.example.org/\npub/z>",
    "<URL:http://www.example.org/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/\nbbbbbbbbbbbbbbbbbb.html>",
    "<http://www.example.org/two/\n  words.html>",
)


@st.composite
def messages(draw: st.DrawFn, lines: Sequence[str]) -> bytes:
    """A message in LF, with a body of such lines, encoded in some way."""
    text = "\n".join(draw(st.lists(st.sampled_from(lines), max_size=8))) + draw(st.sampled_from(["\n", "", "\n\n"]))
    charset = draw(st.sampled_from(["utf-8", "iso-8859-1"]))
    coding = draw(st.sampled_from(["8bit", "quoted-printable", "base64"]))
    octets = text.encode(charset)
    if coding == "quoted-printable":
        octets = quopri.encodestring(octets)
    elif coding == "base64":
        octets = base64.encodebytes(octets)
    kind = f"text/plain; charset={charset}" + draw(st.sampled_from(["", "; format=flowed"]))
    head = (
        f"Date: Mon, 6 Mar 1995 10:11:00 +0100\nFrom: a@example.org\nSubject: {draw(st.sampled_from('xyz'))}\n"
        f"Message-ID: <{draw(st.integers(0, 99))}@example.org>\n"
    )
    fields = f"Content-Type: {kind}\nContent-Transfer-Encoding: {coding}\n\n"
    shape = draw(st.sampled_from(["plain", "multipart", "attached"]))
    if shape == "plain":
        return (head + fields).encode() + octets
    if shape == "attached":
        inner = (head + fields).encode() + octets
        return f"{head}Content-Type: message/rfc822\n\n".encode() + inner
    parts = b"--bb\n" + fields.encode() + octets + b"\n--bb\nContent-Type: text/html\n\n<p>no link</p>\n--bb--\n"
    return f"{head}Content-Type: multipart/mixed; boundary=bb\n\n".encode() + parts


def as_mbox(held: Sequence[bytes], *, lengths: bool) -> bytes:
    """An mbox; with `lengths` that of System V, without quotation but with Content-Length."""
    box = b""
    for message in held:
        header, _, body = message.partition(b"\n\n")
        if lengths:
            header += b"\nContent-Length: %d" % len(body)
        else:
            body = (b"\n" + body).replace(b"\nFrom ", b"\n>From ")[1:]
        box += b"From a@example.org Mon Mar  6 10:11:12 1995\n" + header + b"\n\n" + body
        box += b"\n" if body.endswith(b"\n") else b"\n\n"
    return box


def as_batch(held: Sequence[bytes]) -> bytes:
    """A batch of news."""
    return b"".join(b"#! rnews %d\n" % len(message) + message for message in held)


def as_mmdf(held: Sequence[bytes]) -> bytes:
    """An MMDF mailbox."""
    return b"".join(b"\1\1\1\1\n" + message + b"\n\1\1\1\1\n" for message in held)


def as_babyl(held: Sequence[bytes]) -> bytes:
    """A Babyl file, with headers as they were received and as they were shown."""
    box = b"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels:\n\x1f"
    for message in held:
        header, _, body = message.partition(b"\n\n")
        box += b"\x0c\n1,,\n" + header + b"\n\n*** EOOH ***\nFrom: a@example.org\n\n" + body + b"\n\x1f"
    return box


def as_notebook(held: Sequence[bytes]) -> bytes:
    """A notebook of LISTSERV."""
    return b"".join(b"=" * 73 + b"\n" + message + b"\n" for message in held)


def as_emlx(held: Sequence[bytes]) -> bytes:
    """An emlx file of the first message."""
    return b"%-11d\n" % len(held[0]) + held[0] + b'<?xml version="1.0"?>\n<plist/>\n'


def as_article(held: Sequence[bytes]) -> bytes:
    """The first message in wire format (RFC 3977 3.1.1)."""
    lines = held[0].replace(b"\n", b"\r\n")
    if not lines.endswith(b"\r\n"):
        lines += b"\r\n"
    return lines.replace(b"\r\n.", b"\r\n..") + b".\r\n"


FORMS: dict[str, Callable[[Sequence[bytes]], bytes]] = {
    "mbox": lambda held: as_mbox(held, lengths=False),
    "mboxcl2": lambda held: as_mbox(held, lengths=True),
    "mbox crlf": lambda held: as_mbox(held, lengths=False).replace(b"\n", b"\r\n"),
    "rnews": as_batch,
    "mmdf": as_mmdf,
    "babyl": as_babyl,
    "listserv": as_notebook,
    "emlx": as_emlx,
    "wire": as_article,
    "file": lambda held: held[0],
    "file crlf": lambda held: held[0].replace(b"\n", b"\r\n"),
    "file cr": lambda held: held[0].replace(b"\n", b"\r"),
}


def mailboxes(lines: Sequence[str]) -> st.SearchStrategy[bytes]:
    """Mailboxes of all forms, with messages of such lines."""
    held = st.lists(messages(lines), min_size=1, max_size=4)
    return st.tuples(st.sampled_from(sorted(FORMS)), held).map(lambda drawn: FORMS[drawn[0]](drawn[1]))
