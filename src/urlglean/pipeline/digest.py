"""Tells documents apart, and finds the same one again wherever it lies: by a digest of its octets."""

from __future__ import annotations

from urlglean.mail import header_of
from urlglean.records import Document
from urlglean.sources import unframed

SIZE = 16
"""Octets of a digest: of 10^12 documents, two have the same by chance with a probability of 10^-15."""


def digest_of(document: Document) -> str:
    """The digest of all on which the findings in a document depend, besides the options: 32 hexadecimal digits.

    It is made of the kind, and of the octets without what their file put around and into them. Of a message, line ends
    at its very end do not count: mailboxes add some, and do not tell which. So a message has the same digest in a
    mailbox, a Maildir, a spool or an archive, packed or not; unless its mailbox quotes lines in a way that cannot be
    undone (`sources.mbox`), or has lines that end in CR LF where the lines of others end in LF. The digest of a window
    of a long text is made of its place and the lines before it too, that of what is in a WARC file of the date on which
    it was fetched: its rows have that date, unless it is a message with a Date of its own.
    """
    from hashlib import blake2b  # noqa: PLC0415  it loads OpenSSL, and only databases need digests

    stretch = document.stretch
    if stretch is None:
        octets = unframed(document.data, document.framing)
        if document.kind == "message":
            octets = octets.rstrip(b"\r\n")
        date = document.date
        if date and document.kind == "message" and b"date" in header_of(octets):
            date = ""
        salt = blake2b(date.encode(), digest_size=blake2b.SALT_SIZE).digest() if date else b""
        return blake2b(octets, digest_size=SIZE, person=document.kind.encode(), salt=salt).hexdigest()
    known = stretch.window, stretch.lines, stretch.charset, stretch.marked, stretch.text
    place = repr((*known, document.date) if document.date else known).encode()
    salt = blake2b(place, digest_size=blake2b.SALT_SIZE).digest()
    return blake2b(document.data, digest_size=SIZE, person=document.kind.encode(), salt=salt).hexdigest()
