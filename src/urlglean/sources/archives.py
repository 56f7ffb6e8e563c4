"""Archive files. Each member is read as if it were a file of its own. No member is written to the path it names."""

from __future__ import annotations

import io
import lzma
import posixpath
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BufferedReader
from itertools import count, pairwise
from pathlib import PurePosixPath
from typing import IO, cast

from urlglean.bounds import Bounds
from urlglean.errors import UnreadableError
from urlglean.records import Trouble
from urlglean.sources import folders
from urlglean.sources.items import Item, Skipped
from urlglean.sources.kinds import SPLIT_MARKS
from urlglean.sources.streams import HEAD, Stream
from urlglean.sources.usage import Usage

BLOCK = 1 << 20
"""How many bytes of an archive to read at a time."""

LONGEST_NAME = 4096
"""The most characters of a member's name that are kept: those of a path on Linux (PATH_MAX)."""

_TAR_STEP = 1 << 13
"""How many bytes of a tar member to read at a time. If an archive is cut off, the last incomplete read is lost."""

_NO_FILES = frozenset({tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, b"D", b"V"})
"""Types of tar members that are no files: folders, pipes and devices (POSIX.1-2017 pax, "ustar Interchange Format"),
lists of folders and names of volumes (GNU tar's tar.h). A member of an unknown type is a file, as POSIX says there."""

_EMPTY_TAR = frozenset({2 * tarfile.BLOCKSIZE, *range(tarfile.RECORDSIZE, HEAD, tarfile.RECORDSIZE)})
"""How many bytes a tar archive without members has. A longer one is not recognised: more of it may not be NULs."""

_GOES_ON = b"M"
"""The type of the rest of a file that begins in another volume (GNU tar's tar.h)."""

_NAME, _MAGIC, _ANY_MAGIC = slice(100), slice(257, 265), b"ustar"
"""Where the header of a tar member has the name and the magic, and how the magic of POSIX and of GNU tar begins."""

_ZIP_END, _ZIP_END_MAGIC, _ZIP_MEMBERS, _IN_ZIP64 = 22, b"PK\5\6", slice(10, 12), 0xFFFF
"""How many bytes the end record of a zip archive has without its comment, how it begins, where it has the number of
members, and what stands there if another record has it. Some programs write only the low octets of larger numbers."""

_ZIP_LENGTHS, _ZIP_HEADER, _LZMA_DICTIONARY = 26, 30, 5
"""Where the header of a zip member has the lengths of its name and of its extra field, how many bytes it has without
these two, and where in LZMA data the size of the dictionary is."""

CUT_OFF = "unexpected end of data"
"""What is told of an archive that ends too early, in the words of `tarfile`."""

_NOT_READ = "bytes {} the archive are not read: another archive, perhaps"

_ZIP_UTF_8 = 1 << 11
"""The flag of a zip member that says that its name is in UTF-8 (PKWARE APPNOTE 4.4.4)."""

_ZIP_UNIX = 3
"""The system on which a member was packed (4.4.2)."""

_ZIP_FAULTS = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, OSError, EOFError),
    *(ValueError, zlib.error, lzma.LZMAError),
)
_TAR_FAULTS = (tarfile.TarError, OSError, EOFError, ValueError, RecursionError)


def read_zip(stream: Stream) -> Iterator[Item | Stream]:
    """Yield the streams of the files in a zip archive, in the order of its directory."""
    try:
        file = stream.seekable()
    except OSError as error:
        stream.troubles.append(str(error))
        return
    with file:
        yield from _in_zip(stream, _Directory(file, stream.bounds.zip_directory))


def zip_sizes(file: IO[bytes], bounds: Bounds) -> list[int]:
    """How many octets each member of a zip archive has in it, in the order of its directory.

    Raises:
        UnreadableError: it cannot be opened, or it must be read as one: its members share octets, or have more than the
            bounds allow for one file.
    """
    taken = file.seek(0, io.SEEK_END)
    try:
        with zipfile.ZipFile(cast("IO[bytes]", _Directory(file, bounds.zip_directory))) as archive:
            members = archive.infolist()
    except _ZIP_FAULTS as error:
        raise UnreadableError(str(error)) from error
    own = Usage(bounds, taken, sum(info.file_size for info in members), len(members))
    if cause := own.excess():
        raise UnreadableError(cause)
    places = sorted((info.header_offset, info.header_offset + info.compress_size) for info in members)
    if any(end > start for (_, end), (start, _) in pairwise(places)):
        raise UnreadableError("its members overlap")
    return [info.compress_size for info in members]


def _in_zip(stream: Stream, file: _Directory) -> Iterator[Item | Stream]:
    try:
        archive = zipfile.ZipFile(cast("IO[bytes]", file))
    except _ZIP_FAULTS as error:
        stream.troubles.append(f"a zip archive that cannot be opened: {error}")
        return
    with archive:
        file.bounded = False
        members = archive.infolist()
        first, end = stream.members or (0, len(members))
        was_told = stream.members and excess(stream)  # by who reads the members before
        for number, info in enumerate(members[first:], first):
            cause = excess(stream)
            if cause and not was_told:
                stream.troubles.append(cause)
            if cause or number == end:
                break
            name = _name_of(info)
            if name.endswith("/") and not info.file_size:
                continue
            if info.flag_bits & 1:
                yield Trouble(stream.path, "encrypted", in_archive(stream, name))
                continue
            try:
                if (needed := _dictionary(file, info)) > stream.bounds.dictionary:
                    raise UnreadableError(f"LZMA data with a dictionary of {needed:,} bytes")
                with archive.open(info) as opened:
                    read = cast("Callable[[int], bytes]", opened.read)
                    yield from member_of(stream, name, read, least=info.file_size)
            except _ZIP_FAULTS as error:  # from opening the member; errors of reading become troubles of its stream
                yield Trouble(stream.path, str(error), in_archive(stream, name))
        if end == len(members):
            stream.troubles += _around(file, archive)


def _name_of(info: zipfile.ZipInfo) -> str:
    """The name of a member.

    Without the flag for UTF-8 it is in cp437 (PKWARE APPNOTE D.1). But `zip` writes one as it is on a disk of Unix, and
    `unzip` takes it so.
    """
    is_told = info.flag_bits & _ZIP_UTF_8 or not info.orig_filename.startswith(info.filename)  # in another field
    if not is_told and info.create_system == _ZIP_UNIX:
        with suppress(UnicodeDecodeError):
            return info.filename.encode("cp437").decode("utf-8")
    return info.filename


def _dictionary(file: _Directory, info: zipfile.ZipInfo) -> int:
    """The bytes of the dictionary of a member that is packed by LZMA (PKWARE APPNOTE 4.3.7, 5.8.8); 0 of others."""
    if info.compress_type != zipfile.ZIP_LZMA:
        return 0
    file.seek(info.header_offset + _ZIP_LENGTHS)
    before_data = sum(int.from_bytes(file.read(2), "little") for _ in ("name", "extra"))
    file.seek(info.header_offset + _ZIP_HEADER + before_data + _LZMA_DICTIONARY)
    return int.from_bytes(file.read(4), "little")


def _around(file: _Directory, archive: zipfile.ZipFile) -> Iterator[str]:
    """The troubles of a file that holds more than a zip archive, or whose directory does not name all its members.

    It ends with the archive's end record (PKWARE APPNOTE 4.3.16), and its comment.
    """
    members = archive.infolist()
    end_at = file.seek(-_ZIP_END - len(archive.comment), io.SEEK_END)
    end = file.read(_ZIP_END)
    said = int.from_bytes(end[_ZIP_MEMBERS], "little")
    is_empty = end.startswith(_ZIP_END_MAGIC) and not said
    first = min((info.header_offset for info in members), default=end_at if is_empty else 0)
    file.seek(0)
    mark = file.read(first) if first in map(len, SPLIT_MARKS) else b""
    if first and mark not in SPLIT_MARKS:
        yield _NOT_READ.format("before")
    if not end.startswith(_ZIP_END_MAGIC):
        yield _NOT_READ.format("behind the end of")
    elif said not in {len(members) & _IN_ZIP64, _IN_ZIP64}:
        yield f"a zip archive said to have {said:,} members, of which its directory names {len(members):,}"


class _Directory:
    """A file that refuses long reads while `zipfile` reads the directory of the archive.

    `zipfile` reads as many bytes as the archive says that its directory has.
    """

    def __init__(self, file: IO[bytes], most: int) -> None:
        self.bounded = True
        self._most = most
        self.seek, self.tell, self.close = file.seek, file.tell, file.close
        self._read = file.read

    def seekable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if self.bounded and size > self._most:
            raise UnreadableError(f"its directory is longer than {self._most:,} bytes")
        return self._read(size)


def shows_tar(head: bytes) -> bool:
    """Whether the first block of a file is a tar header, by its checksum or magic. The oldest tar files have no magic.

    One with the magic and a wrong checksum is damaged; `read_tar` says so.

    A file that is nothing but the end of an archive is one without members: two blocks of NULs, or as many as fill
    records (POSIX pax). NULs of another length may be what a crash has left of a mailbox.
    """
    try:
        tarfile.TarInfo.frombuf(head[: tarfile.BLOCKSIZE], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return head[_MAGIC].startswith(_ANY_MAGIC) or (len(head) in _EMPTY_TAR and not head.strip(b"\0"))
    return True


def read_tar(stream: Stream) -> Iterator[Item | Stream]:
    """Yield the streams of the files in a tar archive, in their order. The archive is read once from front to back."""
    source = _TarStream(stream)
    try:
        archive = tarfile.open(fileobj=cast("IO[bytes]", source), mode="r|", bufsize=BLOCK, tarinfo=_TarInfo)  # noqa: SIM115
    except _TAR_FAULTS as error:
        stream.troubles.append(f"a tar archive that cannot be opened: {error}")
        return
    with archive:
        for number in count(1):
            source.left = stream.bounds.tar_header
            try:
                info = archive.next()
            except _TAR_FAULTS as error:
                stream.troubles.append(f"a tar archive that is broken at member {number:,}: {error}")
                return
            archive.members.clear()  # type: ignore[attr-defined]  # otherwise it would keep all members in memory
            archive.pax_headers = {}  # otherwise it would copy those for all members that follow to each of them
            source.left = None
            if info is None:
                if _has_no_end(archive):
                    stream.troubles.append("a tar archive without its end mark: it may be cut off")
                elif _holds_more(archive):
                    stream.troubles.append(_NOT_READ.format("behind the end of"))
                return
            yield from _in_tar(stream, archive, info)
            if cause := excess(stream):
                stream.troubles.append(cause)
                return


def _has_no_end(archive: tarfile.TarFile) -> bool:
    """Whether a tar archive that was read to its last member has no block of zeros there (POSIX pax)."""
    return cast("IO[bytes]", archive.fileobj).tell() == archive.offset


def _holds_more(archive: tarfile.TarFile) -> bool:
    """Whether anything but padding stands behind the end of a tar archive, such as another archive."""
    rest = cast("IO[bytes]", archive.fileobj)
    with suppress(*_TAR_FAULTS):
        while block := rest.read(BLOCK):
            if block.strip(b"\0"):
                return True
    return False


class _TarInfo(tarfile.TarInfo):
    """The header of a member. A broken header raises `UnreadableError`; for `tarfile` it would end the archive."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _TarInfo:
        try:
            info = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if buf.strip(b"\0"):
                raise UnreadableError(str(error)) from error
            raise
        if buf[_MAGIC] == tarfile.GNU_MAGIC:  # where POSIX has the front of the name, GNU tar has times
            info.name = buf[_NAME].partition(b"\0")[0].decode(encoding, errors)
        return info


class Headers:
    """A stream for `tarfile` that raises `UnreadableError` if a header is too long.

    `tarfile` reads as many bytes as the archive says that a header has.

    Attributes:
        left: how many bytes of the header may still be read; None while no header is read.
    """

    def __init__(self, stream: Stream) -> None:
        self.left: int | None = stream.bounds.tar_header
        self._stream = stream

    def read(self, size: int) -> bytes:
        """Return `size` bytes, fewer only at the end.

        Raises:
            UnreadableError: they are more than the header may still have.
        """
        block = self._stream.read(size)
        while block and len(block) < size and (more := self._stream.read(size - len(block))):
            block += more
        if self.left is not None:
            self.left -= len(block)
            if self.left < 0:
                raise UnreadableError(f"a header longer than {self._stream.bounds.tar_header:,} bytes")
        return block


class _TarStream(Headers):
    """The same, but reading it again behind its end raises `UnreadableError`.

    `tarfile` passes over as many bytes as the archive says that a member has, even if there are no more.
    """

    _ended = False

    def read(self, size: int) -> bytes:
        """As `Headers.read`."""
        if self._ended:
            raise UnreadableError(CUT_OFF)
        block = super().read(size)
        self._ended = not block
        return block


def _in_tar(stream: Stream, archive: tarfile.TarFile, info: tarfile.TarInfo) -> Iterator[Item | Stream]:
    place = in_archive(stream, info.name)
    if info.islnk() or info.issym():
        target = _target_of(info)
        yield Skipped(stream.path, f"a link to {info.linkname}", place, target and in_archive(stream, target))
        return
    if info.type == _GOES_ON:
        yield Trouble(stream.path, "it begins in another volume of the archive; that part is not read", place)
    if info.type in _NO_FILES or not (opened := archive.extractfile(info)):
        return
    with opened:
        member = cast("BufferedReader", opened)
        yield from member_of(stream, info.name, lambda size: member.read1(min(size, _TAR_STEP)))
    # Pass over the rest of the member here, so that it does not count as part of the next header; not by reading it,
    # because what a sparse file leaves out has no end. If the rest is missing, reading the next header reports it.
    source = cast("IO[bytes]", archive.fileobj)
    with suppress(*_TAR_FAULTS):
        source.seek(max(source.tell(), archive.offset - 1))


def _target_of(info: tarfile.TarInfo) -> str | None:
    """The name in the archive of the file to which a link leads; None if it leads elsewhere."""
    if info.islnk():
        return info.linkname
    target = posixpath.normpath(posixpath.join(posixpath.dirname(info.name), info.linkname))
    return None if target == ".." or target.startswith(("/", "../")) else target


def member_of(
    stream: Stream, name: str, read: Callable[[int], bytes], *, by_name: bool = True, least: int = 0
) -> Iterator[Item | Stream]:
    """Yield the stream of one member, or the reason why it is left out.

    Args:
        stream: the archive.
        name: the name of the member.
        read: returns at most as many of its octets as it is asked for, and none at the end.
        by_name: whether the name is a path, which may say that the member is an index, or a message of a Maildir.
        least: how many octets it must have.
    """
    stream.spent.members += 1

    def read1(size: int) -> bytes:
        if cause := stream.spent.excess():
            raise UnreadableError(f"archive: {cause}")
        try:
            block = read(size)
        except (*_ZIP_FAULTS, tarfile.TarError) as error:
            raise UnreadableError(str(error)) from error
        stream.spent.unpacked += len(block)
        return block

    place = in_archive(stream, name)
    if len(name) > LONGEST_NAME:  # each row repeats it
        place = in_archive(stream, name[:LONGEST_NAME])
        yield Trouble(stream.path, f"a name of more than {LONGEST_NAME:,} characters, cut", place)
    parts = PurePosixPath(name).parts if by_name else ()
    one_message = folders.is_one_message(parts)
    inner = Stream(stream.path, read1, stream, member=place, one_message=one_message, least=least)
    cause = folders.left_out(parts, lambda: inner.head)
    yield Skipped(stream.path, cause, place) if cause else inner


def in_archive(stream: Stream, name: str) -> str:
    """The `member` of what has this name in an archive, which may be in another one."""
    return f"{stream.member}/{name}" if stream.member else name


def excess(stream: Stream) -> str | None:
    """The cause for a trouble, if an archive has reached a bound, so that the rest of it is not read; else None."""
    cause = stream.spent.excess()
    return cause and f"{cause}; no more of its members were read"
