"""Reads the file of a page of HTML."""

from __future__ import annotations

from collections.abc import Iterator

from urlglean.records import Document
from urlglean.sources.streams import Stream


def read_html(stream: Stream) -> Iterator[Document]:
    """Yield the page of a file."""
    yield Document(stream.path, stream.whole(), "html", stream.member)
