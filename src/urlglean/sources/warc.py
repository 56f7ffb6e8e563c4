"""Archives of the web (WARC, ISO 28500): the texts and pages that a crawler got, each read as if it were a file.

This needs warcio, which the extra `warc` installs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import format_datetime
from importlib import import_module
from itertools import count
from typing import Any

from urlglean.errors import UnreadableError
from urlglean.lazy import pattern
from urlglean.records import Trouble
from urlglean.sources.archives import BLOCK, CUT_OFF, Headers, excess, in_archive, member_of
from urlglean.sources.http_content import content_of
from urlglean.sources.items import Item, Skipped
from urlglean.sources.streams import Stream

_OF_CONTENT = frozenset({"response", "resource", "conversion"})
"""The types of records that hold what was got, or what it was converted to. The others tell about the crawl."""

_SEGMENT = "continuation"
"""The type of a record that goes on a longer one."""

_TEXT = pattern(
    r"(?i)\s*+(?:text/(?!css|javascript|x-javascript)|application/xhtml\+xml|message/|application/mbox|;|\Z)"
)
"""Types of content that people read; and none at all, where the first bytes decide."""


def read_warc(stream: Stream) -> Iterator[Item | Stream]:
    """Yield the streams of the texts and pages in a WARC file, in order; the member is the URI."""
    source = Headers(stream)
    try:
        records = _records(source)
    except ImportError:
        stream.troubles.append("a WARC file; to read it, install the package warcio")
        return
    with_errors = 0
    for number in count(1):
        source.left = stream.bounds.tar_header
        try:
            record = next(records, None)
            source.left = None
            if record is None:
                return
            # Each record has one (ISO 28500 5.3). To warcio a record without it is an empty one.
            if not (record.rec_headers.get_header("Content-Length") or "").strip().isdecimal():
                raise UnreadableError(CUT_OFF)  # noqa: TRY301  as if warcio had noticed it
            yield from _in_record(stream, record)
            while record.raw_stream.read(BLOCK):
                pass
            if getattr(record.raw_stream, "limit", 0) > 0:
                stream.troubles.append(f"a WARC file that is cut off in record {number:,}")
                return
        except Exception as error:  # noqa: BLE001  warcio lets through what its parsers raise
            stream.troubles.append(f"a WARC file that is broken at record {number:,}: {error}")
            return
        if records.err_count > with_errors:
            with_errors = records.err_count
            yield Trouble(stream.path, "a WARC record that is longer or shorter than it says", stream.member)
        if cause := excess(stream):
            stream.troubles.append(cause)
            return


def _records(source: Headers) -> Any:
    """An iterator over the records of a WARC file.

    Raises:
        ImportError: warcio is not installed.
    """
    base: Any = import_module("warcio.archiveiterator").ArchiveIterator

    class Records(base):  # type: ignore[misc]  # warcio has no types
        # Otherwise warcio writes to stderr where a record is longer or shorter than it says.
        INC_RECORD = ""

        def _next_record(self, next_line: object) -> Any:
            """As warcio's, but the end within a record is not taken for the end of the file."""
            try:
                return super()._next_record(next_line)
            except EOFError:
                if next_line or self.record is None:
                    raise UnreadableError(CUT_OFF) from None
                raise

    return Records(source)


def _in_record(stream: Stream, record: Any) -> Iterator[Item | Stream]:
    """The stream of a record, or the reason why it is left out; nothing if it tells only about the crawl."""
    of_type = (record.rec_type or "").lower()
    if of_type not in _OF_CONTENT and of_type != _SEGMENT:
        return
    uri = (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>") or "-"
    if of_type == _SEGMENT:
        yield Trouble(stream.path, "it comes in segments, of which only the first is read", in_archive(stream, uri))
        return
    kind = record.rec_headers.get_header("Content-Type") or ""
    if record.http_headers:
        status = record.http_headers.get_statuscode()
        kind = record.http_headers.get_header("Content-Type") or ""
        if not status.startswith("2"):
            yield Skipped(stream.path, f"HTTP status {status}", in_archive(stream, uri))
            return
    if not _TEXT.match(kind):
        yield Skipped(stream.path, f"{kind.partition(';')[0].strip()}, which is no text", in_archive(stream, uri))
        return
    if cut := record.rec_headers.get_header("WARC-Truncated"):
        yield Trouble(stream.path, f"cut off when it was archived: {cut}", in_archive(stream, uri))
    read, least = content_of(record.raw_stream, record.http_headers)
    for item in member_of(stream, uri, read, by_name=False, least=least):
        if isinstance(item, Stream):
            item.date = _date(record.rec_headers.get_header("WARC-Date") or "")
        yield item


def _date(text: str) -> str | None:
    """A WARC-Date (ISO 8601) in the form of RFC 5322 3.3; None if it cannot be read."""
    with suppress(ValueError, OverflowError):
        return format_datetime(datetime.fromisoformat(text).astimezone(UTC))
    return None
