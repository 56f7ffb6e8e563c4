"""Archives of the web (WARC, ISO 28500): the texts and pages that a crawler got, each read as if it were a file.

This needs warcio, which the extra `warc` installs.
"""

from __future__ import annotations

import logging
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
from urlglean.sources.http_content import content_of, header_of
from urlglean.sources.items import Item, Skipped
from urlglean.sources.streams import Stream

_OF_CONTENT = frozenset({"response", "resource", "conversion"})
"""The types of records that hold what was got, or what it was converted to. The others tell about the crawl."""

_SEGMENT = "continuation"
"""The type of a record that goes on a longer one."""

_LENGTH = "Content-Length"
"""The field that tells where the next record begins."""

_NEED_URI = _OF_CONTENT | {_SEGMENT}

_NEEDED = {
    _LENGTH: (pattern(r"\s*[0-9]++\s*\Z"), None),
    "WARC-Type": (pattern(r"\s*\S"), None),
    "WARC-Target-URI": (pattern(r"[\s<>]*+[^\s<>]"), _NEED_URI),
}
"""The fields without which a record cannot be read (ISO 28500 5): what they must match, and the types of records that
must have them; None: all."""

_NO_TEXT = pattern(
    r"(?i)\s*+(?:(?:audio|font|image|model|video)/"
    r"|(?:application|text)/(?:css|jscript|(?:x-)?(?:ecma|java|live)script[0-9.]*+)(?![^\s;]))"
)
"""Types of content that nobody reads: pictures and the like, styles, scripts (MIME Sniffing Standard 4.6). Whatever
else is declared, or nothing, the first bytes decide: servers send mailboxes as `application/x-gzip`, texts as
`application/octet-stream`."""


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
            if records.err_count > with_errors:  # of the record before this one
                with_errors = records.err_count
                yield Trouble(stream.path, "a WARC record that is longer or shorter than it says", stream.member)
            if record is None:
                return
            yield from _in_record(stream, number, record)
            while record.raw_stream.read(BLOCK):
                pass
            if getattr(record.raw_stream, "limit", 0) > 0:
                stream.troubles.append(f"a WARC file that is cut off in record {number:,}")
                return
        except Exception as error:  # noqa: BLE001  warcio lets through what its parsers raise
            stream.troubles.append(f"a WARC file that is broken at record {number:,}: {error}")
            return
        if cause := excess(stream):
            stream.troubles.append(cause)
            return


def _records(source: Headers) -> Any:
    """An iterator over the records of a WARC file.

    Raises:
        ImportError: warcio is not installed.
    """
    base: Any = import_module("warcio.archiveiterator").ArchiveIterator
    # It warns of blanks in a URI, which it corrects, once for each record and with all signs that a terminal obeys.
    logger = logging.getLogger("warcio")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())

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

    # Headers of HTTP are read here: to warcio each answer has one, and the first is the last.
    return Records(source, no_record_parse=True)


def _lacking(header: Any, of_type: str) -> str | None:
    """The first field that a record needs and does not have; None if it has them all."""
    for name, (form, types) in _NEEDED.items():
        if (types is None or of_type in types) and not form.match(header.get_header(name) or ""):
            return name
    return None


def _in_record(stream: Stream, number: int, record: Any) -> Iterator[Item | Stream]:
    """The stream of a record, or the reason why it is left out; nothing if it tells only about the crawl.

    Raises:
        UnreadableError: nothing says where the next record begins.
    """
    of_type = (record.rec_type or "").strip().lower()
    lacking = _lacking(record.rec_headers, of_type)
    if lacking == _LENGTH:
        raise UnreadableError(f"its header is cut off, or has no {_LENGTH}")
    if lacking:
        yield Trouble(stream.path, f"WARC record {number:,} has no {lacking}; it is not read", stream.member)
    elif of_type in _NEED_URI:
        uri = record.rec_headers.get_header("WARC-Target-URI").strip(" <>")
        yield from _in_content(stream, uri, record, of_type)


def _in_content(stream: Stream, uri: str, record: Any, of_type: str) -> Iterator[Item | Stream]:
    """The stream of what a record holds of a URI, or the reason why it is left out."""
    if of_type == _SEGMENT:
        yield Trouble(stream.path, "it comes in segments, of which only the first is read", in_archive(stream, uri))
        return
    kind = record.rec_headers.get_header("Content-Type") or ""
    answer, front = None, b""
    if of_type == "response":
        try:
            answer, front = header_of(record.raw_stream, stream.bounds.tar_header)
        except UnreadableError as error:
            yield Trouble(stream.path, str(error), in_archive(stream, uri))
            return
    if answer:
        status = answer.get_statuscode()
        kind = answer.get_header("Content-Type") or ""
        if not status.startswith("2"):
            yield Skipped(stream.path, f"HTTP status {status}", in_archive(stream, uri))
            return
    if _NO_TEXT.match(kind):
        yield Skipped(stream.path, f"{kind.partition(';')[0].strip()}, which is no text", in_archive(stream, uri))
        return
    if cut := record.rec_headers.get_header("WARC-Truncated"):
        yield Trouble(stream.path, f"cut off when it was archived: {cut}", in_archive(stream, uri))
    read, least = content_of(record.raw_stream, answer, front)
    for item in member_of(stream, uri, read, by_name=False, least=least):
        if isinstance(item, Stream):
            item.date = _date(record.rec_headers.get_header("WARC-Date") or "")
        yield item


_DAY = len("20020926")
_MISSING = {len("2002"): "-01-01", len("2002-09"): "-01"}


def _date(text: str) -> str | None:
    """A WARC-Date (ISO 28500 5.4) in the form of RFC 5322 3.3; None if it cannot be read.

    It is in UTC, also where it does not say so, and may be a year or a month alone; then it is the beginning of that.
    """
    missing = _MISSING.get(len(text), "")
    if len(text) > _DAY and text[: _DAY + 1].isdigit():  # Python would take a digit for the sign before the time
        return None
    with suppress(ValueError, OverflowError):
        date = datetime.fromisoformat(text.upper() + missing)
        return format_datetime((date if date.tzinfo else date.replace(tzinfo=UTC)).astimezone(UTC))
    return None
