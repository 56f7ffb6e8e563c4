"""Notebooks of LISTSERV, in which it archives its mailing lists: before each message a line of 73 equals signs.

The fields of the message follow this line directly ("Correct Notebook Log Format" in the manual for list owners). Such
a line without a field behind it is a line of the message.
"""

from __future__ import annotations

from collections.abc import Iterator

from urlglean.lazy import pattern
from urlglean.records import Framing
from urlglean.sources import mbox, message_splitter
from urlglean.sources.items import Bundled
from urlglean.sources.message_file import is_message
from urlglean.sources.message_splitter import Form
from urlglean.sources.streams import Stream

_RULER = b"=" * 73
_BEGINNING = _RULER + rb"[ \t]*+\r*+\n(?=" + mbox.FIELD + rb")"
_SEPARATOR = pattern(_BEGINNING)
_ANY = pattern(rb"\n" + _BEGINNING)
FORM = Form(
    message_splitter.marked(_RULER),
    lambda data, at, _within: _SEPARATOR.match(data, at, at + message_splitter.REACH) is not None,
    Framing.LISTSERV,
)


def begins_notebook(head: bytes) -> bool:
    """Whether a file begins with such a line and a header of mail."""
    line = _SEPARATOR.match(head)
    return line is not None and is_message(head[line.end() :])


def is_notebook(head: bytes) -> bool:
    """Whether the first such line among a file's first bytes is followed by a header of mail."""
    line = _ANY.search(b"\n" + head)
    return line is not None and is_message(head[line.end() - 1 :])


def read_notebook(stream: Stream) -> Iterator[Bundled]:
    """Yield the messages of a notebook, numbered from 1."""
    return message_splitter.bundles(stream, FORM)


def notebook_content(data: bytes) -> bytes:
    """The message without the line before it."""
    return data[after_line(data) :]


def after_line(data: bytes) -> int:
    """Where the message begins, behind the line before it."""
    line = _SEPARATOR.match(data)
    return line.end() if line else 0
