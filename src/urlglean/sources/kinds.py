"""The kinds of files, and how the first bytes of a file show its kind: the first row of `KINDS` that matches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from urlglean.html_recognition import is_html
from urlglean.lazy import pattern
from urlglean.records import Trouble
from urlglean.sources import c_client, dbox, listserv, mailboxes, mbox, news
from urlglean.sources.compressed import COMPRESSIONS, unpacked
from urlglean.sources.html_pages import read_html
from urlglean.sources.items import EMPTY, Bundled, Item, Skipped
from urlglean.sources.mailboxes import shows_emlx
from urlglean.sources.message_file import is_message, may_be_message, read_message
from urlglean.sources.message_splitter import REACH
from urlglean.sources.own_outputs import CATALOGUE, OUTPUT, OWN, may_be_a_row
from urlglean.sources.streams import HEAD, LONGEST_HEAD, Stream
from urlglean.sources.text_file import read_text

# Two patterns, because a search for one that begins with either sign takes ten times as long.
_LATER_MBOX = tuple(pattern(lead + mbox.ENVELOPE + mbox.FIELD) for lead in (rb"\n\r*+\n", rb"\0"))
_FIRST_IN_PACKAGE = (
    *(b"[Content_Types].xml", b"_rels/", b"_rels/.rels"),  # ISO/IEC 29500-2
    b"mimetype",  # OpenDocument 1.3 part 2, 3.3; EPUB OCF
    *(b"META-INF/", b"META-INF/MANIFEST.MF"),  # Java archives
)
"""Names of the first member of a document or program that is a zip archive."""
SPLIT_MARKS = (b"PK\x07\x08", b"PK00")
"""One of them stands before a zip archive that was made to be split, even if it is whole (APPNOTE 8.5.3, 8.5.4)."""
_SPLIT_MARK = b"|".join(SPLIT_MARKS)
_PACKAGE = pattern(
    # The length of a name lies before it and the length of the extra field (PKWARE APPNOTE 4.3.7).
    rb"(?:%b)?+PK\x03\x04.{22}(?:%b)"
    % (
        _SPLIT_MARK,
        b"|".join(re.escape(len(name).to_bytes(2, "little")) + rb".." + re.escape(name) for name in _FIRST_IN_PACKAGE),
    ),
    re.DOTALL,
)
_ZIP = pattern(rb"(?:%b)?+PK\x03\x04|PK\x05\x06" % _SPLIT_MARK)
_PDF = pattern(rb"%PDF-[0-9]\.[0-9](?:\s|\Z)")
# In a GIF, the size of the picture, flags and ratios follow, of which some are no characters of text.
_IMAGE = pattern(rb"\x89PNG|GIF8[79]a(?![\t\r\n -~]{7})|\xff\xd8\xff|II\*\0|MM\0\*")
_ARCHIVE = pattern(rb"Rar!\x1a\x07|7z\xbc\xaf\x27\x1c")
# Fields of the overview database, in the order of RFC 3977 8.3: number, subject, from, date, message-id, ...
_OVERVIEW = pattern(rb"[0-9]{1,16}\t[^\t\n]*+\t[^\t\n]*+\t[^\t\n]*+\t<[^>\t\n@:]++@[^>\t\n]++>\t")
# The magic is followed by the type of the first page or, in a file without pages, by the version: either is field 1, an
# i32, of a structure in Thrift's compact protocol (octet 0x15). Or nothing follows, if no page was written yet.
_PARQUET = pattern(rb"PAR1(?:\x15|\Z)")
# RFC 1740, appendix B: its magic number and version.
_APPLEDOUBLE = pattern(rb"\0\x05\x16\x07\0[\1\2]\0\0")
_WARC = pattern(rb"WARC/[01]\.[0-9]{1,2}\r?\n")
_CAF = pattern(rb"CRMT.{0,60}\0", re.DOTALL)
_TAR_BLOCK = 512
"""The length of a tar header in bytes. Each name in it ends in a NUL; what ends an archive is nothing but NULs."""

_CHECKED = 1 << 21
"""So many unpacked bytes show a damage at the front of a packed file: bzip2 checks 900,000 together, and runs in them
unpack to more."""

_CONTROLS = bytes(set(range(32)) - set(b"\b\t\n\v\f\r\x0e\x0f\x1a\x1b")) + b"\x7f"
"""Control characters that do not occur in text. The shifts and escapes of ISO 2022 and the end mark of CP/M and DOS do
occur, so they are not among them."""


class Kind(Struct, frozen=True):
    """A row of `KINDS`.

    Attributes:
        name: the name of the kind.
        first: the octets with which such a file may begin; None if it may begin with any, or have none.
        shows: whether the first bytes of a file are those of this kind.
        read: reads such a file.
        wraps: whether the file contains other files. Then `read` yields streams, which are recognised in turn, whatever
            kind the caller asked for.
    """

    name: str
    first: bytes | None
    shows: Callable[[bytes], object]
    read: Callable[[Stream], Iterator[Bundled | Stream]]
    wraps: bool = False


def _leave_out(cause: str, stream: Stream) -> Iterator[Skipped]:
    yield Skipped(stream.path, cause, stream.member)


def _leave_out_binary(stream: Stream) -> Iterator[Skipped | Trouble]:
    """Leave a file out. If it comes out of a packed one, read on, because mail looks so where that is damaged.

    What is mail behind NULs, which a crash leaves, is a trouble. So are so many NULs that nobody knows what is behind,
    and a file that should be a message.
    """
    rest = stream.head.lstrip(b"\0")
    nuls = len(stream.head) - len(rest)
    if len(rest) < REACH and stream.read(LONGEST_HEAD) and stream.read(1):
        cause = f"{nuls:,} NULs stand at its beginning, what is behind them is not read"
        yield Trouble(stream.path, cause, stream.member)
        return
    if nuls and _is_mail(rest):
        yield Trouble(stream.path, "NULs stand before its messages, which are not read", stream.member)
        return
    if stream.one_message:
        yield Trouble(stream.path, "no message, but binary data, which are not read", stream.member)
        return
    while stream.layers and stream.count < _CHECKED and stream.read(stream.bounds.block):
        pass
    yield from _leave_out("binary", stream)


def _not_read(cause: str, stream: Stream) -> Iterator[Trouble]:
    yield Trouble(stream.path, cause, stream.member)


def _is_emlx(head: bytes) -> bool:
    message = shows_emlx(head)
    return message is not None and is_message(message)


def _is_mbox(head: bytes) -> bool:
    """Whether a file begins as an mbox. Behind NULs, what a crash has left of its first message may begin so too.

    That may have no header: then it is any text, or a page of HTML.
    """
    if not head.startswith(b"\0"):
        return mbox.shows(head)
    rest = head.lstrip(b"\0")
    return mbox.shows(rest) or is_message(head) or (_is_text(rest) and not _is_mail(rest))


def _is_text(rest: bytes) -> bool:
    """Whether what stands behind NULs is a text of lines, or a page of HTML."""
    return (b"\n" in rest or is_html(rest)) and not rest.isspace() and not _is_binary(rest)


def _is_mail(head: bytes) -> bool:
    return any(kind.name in _OF_MAIL and kind.shows(head) for kind in KINDS)


def _holds_mbox(head: bytes) -> bool:
    """Whether a mailbox begins behind other text, or behind NULs."""
    later, behind_nuls = _LATER_MBOX
    return later.search(head) is not None or (b"\0From " in head and behind_nuls.search(head) is not None)


_LONE_CR = pattern(rb"\r(?!\n)")
_MOST_CRS = 3
"""Before the first LF of a file whose lines end in LF there are no more, even if lines end in CR CR LF."""


# Before an index or a picture (Texinfo manual, Info Format: General Text Constructs).
_MARK_OF_INFO = pattern(rb"\x00\x08\[(?:[a-z]++[^\x00]*+\x00\x08\])?")


def _is_binary(head: bytes) -> bool:
    if b"\0\b[" in head:
        head = _MARK_OF_INFO.sub(b"", head)
    return b"\0" in head or (len(head) - len(head.translate(None, _CONTROLS))) * 10 > len(head)


def _is_cr_mailbox(head: bytes) -> bool:
    """Whether a file begins as a mailbox whose lines end in CR. Another program may have appended others."""
    first = head.partition(b"\n")[0]
    if first != head and first.count(b"\r") <= _MOST_CRS:
        return False
    lines = first.replace(b"\r", b"\n")
    return any(shows(lines) for shows in _MAILBOXES_OF_CR)


def _begins_notebook(lines: bytes) -> bool:
    return listserv.begins_notebook(lines.lstrip(b" \t\n"))


_MAILBOXES_OF_CR = (mbox.shows, mailboxes.shows_mmdf, mailboxes.shows_babyl, _begins_notebook)

# `sources.archives` is imported late: it takes 5 ms to import, a tenth of the time of a run on one message.


def _is_tar(head: bytes) -> bool:
    if not 0 <= head.find(b"\0") < _TAR_BLOCK:
        return False
    from urlglean.sources.archives import shows_tar  # noqa: PLC0415

    return shows_tar(head)


def _read_tar(stream: Stream) -> Iterator[Item | Stream]:
    from urlglean.sources.archives import read_tar  # noqa: PLC0415

    return read_tar(stream)


def _read_zip(stream: Stream) -> Iterator[Item | Stream]:
    from urlglean.sources.archives import read_zip  # noqa: PLC0415

    return read_zip(stream)


def _read_warc(stream: Stream) -> Iterator[Item | Stream]:
    from urlglean.sources.warc import read_warc  # noqa: PLC0415

    return read_warc(stream)


def _starts(*magic: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(magic)


def _cr_lines(stream: Stream) -> Iterator[Stream]:
    def read1(size: int) -> bytes:
        block = stream.read(max(1, size - 1))
        if block.endswith(b"\r"):
            block += stream.read(1)
        return _LONE_CR.sub(b"\n", block)

    yield Stream(stream.path, read1, stream, member=stream.member, one_message=stream.one_message)


def _left_out(name: str, first: bytes | None, shows: Callable[[bytes], object], cause: str) -> Kind:
    return Kind(name, first, shows, partial(_leave_out, cause))


_SM = "have INN write its articles as a batch (`cut -f3 history | sm -S > batch`) and read that"

KINDS: tuple[Kind, ...] = (
    _left_out("empty", None, lambda head: not head, EMPTY),
    _left_out("catalogue", b"S", CATALOGUE.match, "urlglean's own output"),
    _left_out(OWN, b'{"uhS', OUTPUT.match, "urlglean's own output"),
    *(Kind(row.name, row.first, row.magic.match, partial(unpacked, row), wraps=True) for row in COMPRESSIONS),
    _left_out("package", b"P", _PACKAGE.match, "a document or program that is a zip archive"),
    Kind("zip", b"P", _ZIP.match, _read_zip, wraps=True),
    Kind("tar", None, _is_tar, _read_tar, wraps=True),
    Kind("warc", b"W", _WARC.match, _read_warc, wraps=True),
    Kind("packed batch", b"#", news.shows_packed_batch, news.read_packed_batch, wraps=True),
    Kind("rnews", b"#", news.shows_batch, news.read_batch),
    # Before the kinds of mailboxes: to them, a file whose lines end in CR is one long line.
    Kind("lines of CR", b"FB=\1 \t\r\xef", _is_cr_mailbox, _cr_lines, wraps=True),
    Kind("mmdf", b"\1 \t\r\n", mailboxes.shows_mmdf, mailboxes.read_mmdf),
    Kind("babyl", b"B \t\r\n", mailboxes.shows_babyl, mailboxes.read_babyl),
    # Before a mailbox that begins later: a message of a notebook may quote one.
    Kind("listserv", b"=", listserv.begins_notebook, listserv.read_notebook),
    Kind("dbox", b"12\1", dbox.shows_dbox, dbox.read_dbox),
    Kind("mbx", b"* 0123:", c_client.shows, c_client.read),
    Kind("mbox", b"F \t\r\n\xef\0", _is_mbox, mbox.read),
    Kind("emlx", None, _is_emlx, mailboxes.read_emlx),
    # Before "binary": messages may hold NULs, because news servers have let them through.
    Kind("message", None, is_message, read_message),
    # Before "text", "binary" and a mailbox that begins later: a page may be UTF-16, hold NULs, and quote mail.
    Kind("html", None, is_html, read_html),
    # And an ARC file, the predecessor of WARC: its pages are text, and the pictures between them are not.
    Kind("text", b"\xff\xfe\0f", _starts(b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff", b"filedesc://"), read_text),
    # Before "text": an overview repeats the headers of the articles beside it.
    _left_out("overview", b"0123456789", _OVERVIEW.match, "an overview of articles"),
    _left_out("mork", b"/", _starts(b"// <!-- <mdb:mork"), "an index of Mozilla mail"),
    _left_out("pdf", b"%", _PDF.match, "a PDF document"),
    _left_out("archive", b"R7", _ARCHIVE.match, "an archive file of a kind that is not read"),
    _left_out("image", b"\x89G\xffIM", _IMAGE.match, "an image"),
    _left_out("parquet", b"P", _PARQUET.match, "a Parquet file"),
    # The attributes of a file that macOS keeps beside it, as `._1.a.b:2,S`, where a file system has no place for them.
    _left_out("appledouble", b"\0", _APPLEDOUBLE.match, "attributes of a file of macOS"),
    _left_out("sqlite", b"S", _starts(b"SQLite format 3\0"), "a database"),
    # INN's cnfs-private.h and caf.h: C structures with the sizes and the byte order of the server's machine, so that
    # they cannot be read elsewhere.
    Kind("cnfs", b"C", _starts(b"Cycbuff", b"CBuf1", b"CBuf3", b"CBuf4"), partial(_not_read, f"a CNFS buffer; {_SM}")),
    Kind("timecaf", b"C", _CAF.match, partial(_not_read, f"a CAF file (timecaf); {_SM}")),
    *(
        Kind(what, magic[:1], _starts(magic), partial(_not_read, dbox.CAUSE.format(what)))
        for magic, what in dbox.NOT_READ.items()
    ),
    # After the kinds that wrap mailboxes, and before "binary": a crash often leaves NULs at the front of a mailbox.
    Kind("mbox", None, _holds_mbox, mbox.read),
    Kind("listserv", None, listserv.is_notebook, listserv.read_notebook),
    Kind("binary", None, _is_binary, _leave_out_binary),
    Kind("text", None, lambda _head: True, read_text),
    Kind("mboxrd", b"", lambda _head: False, mbox.read_rd),  # never recognised: the caller must ask for it
)

ASKABLE = ("mbox", "mboxrd", "mmdf", "babyl", "listserv", "dbox", "mbx", "rnews", "emlx", "message", "text", "html")
"""The kinds that a caller may ask for. The others are only recognised by their first bytes."""

_OF_MAIL = frozenset(ASKABLE) - {"text", "html", "emlx"}
"""What a file may be behind NULs. They would have replaced the number with which an emlx begins."""

_BY_FIRST = [[kind for kind in KINDS if kind.first is None or octet in kind.first] for octet in range(256)]
"""For each octet, the kinds that may begin with it, in order. Telling a file of one message takes half as long as by a
trial of all `KINDS` (measured, Python 3.11)."""

_WRAPPING_BY_FIRST = [[kind for kind in kinds if kind.wraps] for kinds in _BY_FIRST]

_BINARY = next(kind for kind in KINDS if kind.name == "binary")

BY_NAME = {kind.name: kind for kind in KINDS if kind.name in ASKABLE}
"""The kinds that a caller may ask for, by name."""


def kind_of(stream: Stream) -> Kind:
    """The kind that the first bytes of a file show."""
    while len(stream.head) >= HEAD and _may_go_on(stream.head) and stream.look_further():
        pass
    head = stream.head
    if stream.one_message and head and not head.strip(b"\0"):  # an empty tar archive is nothing but NULs too
        return _BINARY
    return next(kind for kind in (_BY_FIRST[head[0]] if head else KINDS) if kind.shows(head))


def may_wrap(head: bytes) -> bool:
    """Whether a file with these first bytes may contain other files."""
    return bool(head) and any(kind.shows(head) for kind in _WRAPPING_BY_FIRST[head[0]])


def _may_go_on(head: bytes) -> bool:
    """Whether the head shows only that it must be longer to show the kind of its file."""
    return may_be_a_row(head) or may_be_message(head) or (head[0] == 0 and len(head.lstrip(b"\0")) < REACH)
