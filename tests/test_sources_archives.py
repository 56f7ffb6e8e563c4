"""Archives: members are read as files are, and hostile ones are stopped by the bounds."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import sys
import tarfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
import zstandard
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from files import MAIL, MBOX, read
from packed import compressed, tar_header, tar_of, tarred, zipped
from unframing import documents, taken_out
from urlglean.bounds import DEFAULT, Bounds
from urlglean.cli import main
from urlglean.records import Document, Trouble
from urlglean.sources import Skipped, Taken, archives, bundled
from urlglean.sources.items import NO_FILE
from urlglean.sources.streams import Stream
from urlglean.sources.zstd_frames import ZstdFrames
from urlglean.windows import WindowSize

MEMBERS = {"list/1998.mbox": MBOX, "a/note.txt": b"http://host.example/\n", "pic.gif": b"GIF89a"}
FOUND = [
    Document("file", MAIL, "message", "list/1998.mbox", 1),
    Document("file", MAIL, "message", "list/1998.mbox", 2),
    Document("file", b"http://host.example/\n", "text", "a/note.txt"),
    Skipped("file", "an image", "pic.gif"),
]


@pytest.mark.parametrize(
    "packed",
    [
        zipped(MEMBERS),
        tarred(MEMBERS),
        tarred(MEMBERS, tarfile.USTAR_FORMAT),
        tarred(MEMBERS, tarfile.GNU_FORMAT),
        gzip.compress(tarred(MEMBERS)),
        compressed(tarred(MEMBERS)),
        zstandard.compress(tarred(MEMBERS)),
        gzip.compress(zipped(MEMBERS)),
        zipped({name: gzip.compress(data) for name, data in MEMBERS.items()}),
    ],
)
def test_members_are_read_as_files_are(packed: bytes) -> None:
    """In their order, each with its path inside the archive, whatever is around the archive or them."""
    assert read(packed) == FOUND


def test_an_archive_may_come_by_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """A zip archive too, whose directory is at its end."""
    for packed in (zipped({"a": MAIL}), gzip.compress(tarred({"a": MAIL}))):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(packed)))
        assert taken_out(documents("-")) == [Document("-", MAIL, "message", "a")]


def test_archives_in_archives_give_the_whole_path() -> None:
    """A member of a member has both names."""
    assert read(zipped({"outer.tar": tarred({"inner/a": MAIL})})) == [
        Document("file", MAIL, "message", "outer.tar/inner/a")
    ]


@pytest.mark.parametrize(
    "packed",
    [
        zipped({}),
        zipped({"folder/": b""}),
        gzip.compress(zipped({}), mtime=0),
        tar_of((tar_header("folder", 0, type=tarfile.DIRTYPE), b"")),
        tar_of(),
        tarred({}),
        bytes(6 * tarfile.RECORDSIZE),
        gzip.compress(tarred({}), mtime=0),
    ],
)
def test_an_archive_without_files_is_told_as_a_file_without_octets_is(packed: bytes) -> None:
    """Whoever reads must learn that the file was read to its end, and that what was in it before is there no more."""
    assert read(packed) == [Skipped("file", NO_FILE)]
    named = CliRunner().invoke(main, ["scan", "--jobs", "1", "-"], input=packed)
    assert named.exit_code == 1, "nothing in it was missed"
    assert "1 left out" in named.stderr
    assert read(zipped({"inner": packed})) == [Skipped("file", NO_FILE, "inner")]


def test_what_each_file_was_taken_for_is_given_when_asked(tmp_path: Path) -> None:
    """Before its documents; what wraps it is not spoken of."""
    (tmp_path / "a.zip").write_bytes(zipped({"box": MBOX}))
    (tmp_path / "b").write_bytes(b"text\n")
    a, b = str(tmp_path / "a.zip"), str(tmp_path / "b")
    assert taken_out(bundled(str(tmp_path))) == [
        Taken(a, "mbox", "box"),
        Document(a, MAIL, "message", "box", 1),
        Document(a, MAIL, "message", "box", 2),
        Taken(b, "text"),
        Document(b, b"text\n", "text"),
    ]


@pytest.mark.parametrize("name", ["M/cur/1:2,S", "M/new/1284627340.M3P7.host", "M/cur/abc.host!2,"])
def test_a_maildir_in_an_archive_keeps_one_message_a_file(name: str) -> None:
    """What a body looks like makes no mailbox of it; indexes are left out by name as in a folder."""
    forwarded = MAIL + b"\n" + MBOX
    packed = tarred({name: MBOX[:42] + forwarded, "M/dovecot-uidlist": b"3 V1\n", ".git/x": MAIL})
    document, *skipped = read(packed)
    assert document == Document("file", forwarded, "message", name)
    assert [item.member for item in skipped if isinstance(item, Skipped)] == ["M/dovecot-uidlist", ".git/x"]


@pytest.mark.parametrize("name", ["mail/subscriptions", "new/list.mbox", "cur/1992"])
@pytest.mark.parametrize("pack", [tarred, zipped])
def test_a_mailbox_is_one_whatever_its_name(name: str, pack: Callable[[dict[str, bytes]], bytes]) -> None:
    """A folder may be called `new` without being one of a Maildir, and a mailbox like an index."""
    assert read(pack({name: MBOX})) == [Document("file", MAIL, "message", name, number) for number in (1, 2)]


def test_a_zip_member_with_octets_is_a_file_whatever_its_name() -> None:
    """A name that ends in a slash is that of a folder, but only of an empty one."""
    assert read(zipped({"folder/": b"", "note/": MAIL})) == [Document("file", MAIL, "message", "note/")]


@pytest.mark.parametrize(
    ("system", "name", "meant"),
    [
        (3, b"Entw\xc3\xbcrfe", "Entw\u00fcrfe"),
        (3, b"Entw\xfc_rfe", "Entw\u207f_rfe"),
        (0, b"Entw_\x81rfe", "Entw_\u00fcrfe"),
    ],
)
def test_a_name_in_a_zip_archive_is_that_of_its_disk(system: int, name: bytes, meant: str) -> None:
    """Programs of DOS write names in cp437, and Info-ZIP writes those of Unix as they are."""
    packed = bytearray(zipped({"Entw__rfe": MAIL}).replace(b"Entw__rfe", name))
    packed[packed.index(b"PK\1\2") + 5] = system
    assert read(bytes(packed)) == [Document("file", MAIL, "message", meant)]


def test_a_name_that_a_later_python_reads_from_another_field_is_that(monkeypatch: pytest.MonkeyPatch) -> None:
    """Info-ZIP writes it in UTF-8 there (PKWARE APPNOTE 4.6.9)."""

    def decoded(info: zipfile.ZipInfo, *_: object) -> None:
        info.filename = "\u041f\u0440"

    monkeypatch.setattr(zipfile.ZipInfo, "_decodeExtra", decoded)
    assert read(zipped({"a": MAIL})) == [Document("file", MAIL, "message", "\u041f\u0440")]


def test_an_empty_archive_behind_another_is_told() -> None:
    """Its end is taken for that of the file."""
    cause = "bytes before the archive are not read: another archive, perhaps"
    assert read(zipped({"a": MAIL}) + zipped({})) == [Trouble("file", cause)]
    assert read(zipped({})) == [Skipped("file", NO_FILE)]
    (trouble,) = read(zipped({}) + b"\n")
    assert "behind the end of the archive" in str(trouble)


def test_encrypted_members_are_told() -> None:
    """They cannot be read; the others are."""
    packed = bytearray(zipped({"secret": MAIL, "open": MAIL}))
    packed[packed.index(b"PK\3\4") + 6] |= 1
    packed[packed.index(b"PK\1\2") + 8] |= 1
    assert read(bytes(packed)) == [
        Trouble("file", "encrypted", "secret"),
        Document("file", MAIL, "message", "open"),
    ]


def test_a_member_that_is_broken_is_told_and_the_next_one_read() -> None:
    """A wrong checksum stops a member after what could be read of it."""
    packed = zipped({"a": MAIL, "b": MAIL})
    crc = packed.index(b"PK\1\2") + 16
    found = read(packed[:crc] + b"\0\0\0\0" + packed[crc + 4 :])
    assert [item.member for item in found if isinstance(item, Trouble)] == ["a"]
    assert Document("file", MAIL, "message", "b") in found


def test_a_member_with_fewer_octets_than_the_directory_says_is_told() -> None:
    """It looks empty if the directory says that it takes no octets, and their checksum is that of none."""
    packed = bytearray(zipped({"a": MAIL, "b": MAIL}))
    sums = packed.rindex(b"PK\1\2") + 16
    packed[sums : sums + 8] = bytes(8)
    assert Trouble("file", f"cut off while it was read: 0 bytes of {len(MAIL)}", "b") in read(bytes(packed))


@pytest.mark.parametrize("keep", [0.5, 0.9])
@pytest.mark.parametrize(
    "packed", [zipped({"a": MAIL * 40, "b": MAIL}), gzip.compress(tarred({"a": MAIL * 40, "b": MAIL}))]
)
def test_an_archive_cut_short_is_told(packed: bytes, keep: float) -> None:
    """Whatever could still be read, a trouble says that something lacks."""
    assert any(isinstance(item, Trouble) for item in read(packed[: int(len(packed) * keep)]))


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress])
def test_as_much_is_read_before_damage_in_blocks_of_any_size(pack: Callable[[bytes], bytes]) -> None:
    """What is unpacked until then does not depend on how much is asked for at a time."""
    text = b"".join(b"see http://h.example/%d for more\n" % number for number in range(60_000))
    packed = bytearray(pack(text))
    packed[len(packed) * 9 // 10] ^= 1
    whole = read(bytes(packed))
    assert any(isinstance(item, Document) for item in whole)
    assert any(isinstance(item, Trouble) for item in whole)
    assert all(read(bytes(packed), Bounds(block=block)) == whole for block in (1000, 100_000))


@pytest.mark.parametrize(
    "pack",
    [partial(bz2.compress, compresslevel=1), lzma.compress, partial(lzma.compress, format=lzma.FORMAT_ALONE)],
)
def test_a_small_file_is_read_nearly_up_to_its_damage(pack: Callable[[bytes], bytes]) -> None:
    """What is unpacked in one piece with the damage is lost."""
    numbers = random.Random(9)
    lines = b"".join(b"see http://h.example/%d/%d for it\n" % (n, numbers.randrange(10**9)) for n in range(5_000))
    packed = bytearray(pack(lines))
    packed[len(packed) * 9 // 10] ^= 0x55
    text, trouble = read(bytes(packed))
    assert isinstance(text, Document)
    assert isinstance(trouble, Trouble)
    surely = len(lines) * 2 // 5  # damaged data may give other octets before the fault is seen
    assert text.data[:surely] == lines[:surely]


def test_no_damaged_block_of_bzip2_is_read() -> None:
    """What is unpacked of it is shuffled. What comes before it is right, and so is all before a place of a cut."""
    lines = b"".join(b"see http://h.example/%d/%d for it\n" % (n, n * 7919 % 10007) for n in range(20_000))
    for level in (1, 3):
        packed = bz2.compress(lines, level)
        for at in range(100, len(packed), len(packed) // 9):
            damaged = bytearray(packed)
            damaged[at] ^= 0x10
            texts = [item.data for item in read(bytes(damaged)) if isinstance(item, Document)]
            assert all(lines.startswith(text) for text in texts)
            cut = [item.data for item in read(packed[:at]) if isinstance(item, Document)]
            assert all(lines.startswith(text) for text in cut)
        assert sum(map(len, cut)) > len(lines) * 6 // 10


@pytest.mark.parametrize("name", ["zstandard", "ncompress"])
def test_without_the_extra_it_is_said_which_to_install(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The file is a trouble, and the rest goes on."""
    monkeypatch.setitem(sys.modules, name, None)
    (trouble,) = read(zstandard.compress(MAIL) if name == "zstandard" else compressed(MAIL))
    assert isinstance(trouble, Trouble)
    assert "install the package " in trouble.cause


@pytest.mark.parametrize(
    "packed",
    [
        lzma.compress(MAIL),
        lzma.compress(MAIL, lzma.FORMAT_ALONE),
        zstandard.compress(MAIL * 2000, 19),
        zipped({"a": MAIL}, zipfile.ZIP_LZMA),
    ],
    ids=["xz", "lzma", "zstd", "zip"],
)
def test_a_decompressor_keeps_no_more_octets_than_are_allowed(packed: bytes) -> None:
    """All of them take memory for as many as the data say: up to four gigabytes."""
    (trouble,) = [item for item in read(packed, Bounds(dictionary=2000)) if not isinstance(item, Skipped)]
    assert isinstance(trouble, Trouble)
    assert any(word in trouble.cause for word in ("Memory usage limit", "too much memory", "with a dictionary of"))
    assert any(isinstance(item, Document) for item in read(packed))


def test_an_archive_of_archives_is_opened_up_to_the_bound() -> None:
    """Deeper ones are told."""
    onion = MAIL
    for _ in range(DEFAULT.layers + 1):
        onion = zipped({"a": onion})
    (trouble,) = read(onion)
    assert isinstance(trouble, Trouble)
    assert trouble.member == "/".join("a" * DEFAULT.layers)
    assert "packed more than" in trouble.cause


def test_the_ratio_counts_all_that_lies_in_a_file() -> None:
    """Many members, each harmless, are a bomb together; the first are read, the rest is not, which is said once."""
    packed = zipped({str(number): b"a" * (1 << 18) for number in range(200)})
    found = read(packed, Bounds(ratio_free=1 << 20))
    troubles = [item for item in found if isinstance(item, Trouble)]
    assert 4 <= len([item for item in found if isinstance(item, Document)]) < 200
    assert "200 times its size" in troubles[-1].cause
    assert len(troubles) <= 2


def test_a_large_archive_is_no_bomb(tmp_path: Path) -> None:
    """The ratio is to the whole file, wherever in it one reads; the bound on headers is none on members."""
    bounds = Bounds(ratio_free=1, ratio=2, tar_header=1 << 21, window=WindowSize(run=1 << 23))
    text = random.Random(1).randbytes(2_500_000).hex().encode()
    for pack in (zipped, tarred):
        (tmp_path / "archive").write_bytes(pack({"a": text, "b": MAIL}))
        found = taken_out(documents(str(tmp_path), bounds=bounds))
        assert [item.data for item in found if isinstance(item, Document)] == [text, MAIL]
        assert len(found) == 2


@pytest.mark.parametrize("pack", [compressed, zstandard.compress, gzip.compress])
def test_a_bomb_in_any_compression_is_stopped(pack: object) -> None:
    """59 MB of one line, in as many kB or fewer."""
    assert callable(pack)
    *documents, trouble = read(pack(b"a line\n" * (1 << 23)), Bounds(ratio_free=1 << 20))
    assert 0 < sum(each.size for each in documents if isinstance(each, Document)) < 1 << 25
    assert isinstance(trouble, Trouble)
    assert "unpack" in trouble.cause


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_too_many_members_are_told(pack: object) -> None:
    """The bound is on all archives in a file together."""
    assert callable(pack)
    found = read(pack({str(number): MAIL for number in range(9)}), Bounds(members=3))
    assert len([item for item in found if isinstance(item, Document)]) == 3
    assert isinstance(found[-1], Trouble)
    assert "more than 3 members" in found[-1].cause


def test_a_directory_or_header_that_would_fill_the_memory_is_told() -> None:
    """Their sizes are the archive's own word."""
    bounds = Bounds(zip_directory=100, tar_header=1 << 21)
    for packed in (zipped({"a" * 99: MAIL}), tarred({"a": MAIL, "b" * (1 << 22): MAIL})):
        last = read(packed, bounds)[-1]
        assert isinstance(last, Trouble)
        assert "longer than" in last.cause


@given(
    st.binary(max_size=600),
    st.sampled_from([b"PK\3\4", zipped({"a": MAIL}), tarred({"a": MAIL})[:1024], b"\x1f\x9d\x90", b"\x28\xb5\x2f\xfd"]),
)
def test_no_bytes_raise(data: bytes, lead: bytes) -> None:
    """Whatever follows the beginning of an archive, something comes out or a line says why not."""
    assert read(lead + data)
    assert read(lead[: len(lead) // 2] + data + lead[len(lead) // 2 :])


def test_a_zip_whose_directory_names_fewer_members_than_it_says_is_told() -> None:
    """A damaged length in it hides the next member; one of the whole directory hides all."""
    names = ["a", "b", "c"]
    packed = bytearray(zipped(dict.fromkeys(names, MAIL)))
    directory, entry = packed.index(b"PK\1\2"), 46 + 1
    packed[directory + 32] = entry  # the length of the comment
    *found, trouble = read(bytes(packed))
    assert [item.member for item in found if isinstance(item, Document)] == ["a", "c"]
    assert trouble == Trouble("file", "a zip archive said to have 3 members, of which its directory names 2")
    packed = bytearray(zipped(dict.fromkeys(names, MAIL)))
    packed[-10:-6] = bytes(4)  # the length of the directory
    *found, trouble = read(bytes(packed))
    assert not found
    assert trouble == Trouble("file", "a zip archive said to have 3 members, of which its directory names 0")


def test_a_zip_may_have_more_members_than_its_end_record_can_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some programs write only the low octets of the number; others put it into a record of its own (zip64)."""
    monkeypatch.setattr(archives, "_IN_ZIP64", 3)
    packed = bytearray(zipped(dict.fromkeys("abcde", MAIL)))
    for said, told in ((1, 0), (3, 0), (2, 1), (5, 1)):
        packed[-14:-10] = bytes((said, 0)) * 2
        assert sum(isinstance(item, Trouble) for item in read(bytes(packed))) == told


@pytest.mark.parametrize("pack", [tarred, zipped], ids=["tar", "zip"])
@pytest.mark.parametrize("wrap", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_archives_one_behind_another_are_told(
    pack: Callable[[dict[str, bytes]], bytes], wrap: Callable[[bytes], bytes]
) -> None:
    """Programs read one of the two; of a tar the first, of a zip the last."""
    first, second = pack({"a": MAIL}), pack({"b": MAIL})
    *found, trouble = read(wrap(first + second))
    assert [item.member for item in found] == (["a"] if pack is tarred else ["b"])
    place = "behind the end of" if pack is tarred else "before"
    assert trouble == Trouble("file", f"bytes {place} the archive are not read: another archive, perhaps")


@pytest.mark.parametrize("pack", [tarred, zipped], ids=["tar", "zip"])
def test_what_stands_behind_an_archive_is_told(pack: Callable[[dict[str, bytes]], bytes]) -> None:
    """Padding is nothing, as tapes have it behind a tar; the comment of a zip belongs to it."""
    archive = pack({"a": MAIL})
    assert isinstance(read(archive + b"see http://a.example/\n" * 9)[-1], Trouble)
    if pack is tarred:
        assert read(archive + b"\0" * 5_000_000) == read(archive)
        assert isinstance(read(archive + b"\0" * 5_000_000 + b"x")[-1], Trouble)


@pytest.mark.parametrize("mark", [b"PK\7\x08", b"PK00"])
def test_the_mark_of_a_zip_that_was_made_to_be_split_is_no_trouble(mark: bytes) -> None:
    """It may be whole (APPNOTE 8.5.3, 8.5.4). Any other front is another archive, perhaps."""
    file = io.BytesIO(mark)
    file.seek(len(mark))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("a", MAIL)
    assert [type(item) for item in read(file.getvalue())] == [Document]
    assert [type(item) for item in read(mark + zipped({"a": MAIL}))] == [Document]
    assert [type(item) for item in read(mark + mark + file.getvalue())] != [Document]


def test_the_comment_of_a_zip_is_no_trouble() -> None:
    """It may be long, and hold anything."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a", MAIL)
        archive.comment = b"see http://a.example/" * 1000
    assert [type(item) for item in read(file.getvalue())] == [Document]


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress, gzip.compress, zstandard.compress])
def test_compressed_streams_one_behind_another_are_one(pack: Callable[[bytes], bytes]) -> None:
    """What stands behind them and is none is told, and nothing before it is lost."""
    data = pack(b"one http://a.example/\n") + pack(b"") + pack(b"two http://b.example/\n" * 20_000)
    (whole,) = read(data)
    assert isinstance(whole, Document)
    assert len(whole.data) == 22 * 20_001
    (begun, trouble) = read(data + b"more http://c.example/\n" * 10)
    assert begun == whole
    assert isinstance(trouble, Trouble)
    (begun, trouble) = read(data[:-20])
    assert isinstance(begun, Document)
    assert begun.data
    assert whole.data.startswith(begun.data)
    assert isinstance(trouble, Trouble)


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress, gzip.compress])
def test_padding_of_compressed_streams_is_nothing(pack: Callable[[bytes], bytes]) -> None:
    """As tapes have it, and xz between streams (The .xz File Format 2.2)."""
    assert read(pack(MAIL) + b"\0" * 40_000) == read(pack(MAIL))
    assert read(pack(MAIL) + b"\0" * 40_000 + pack(MAIL)) == read(pack(MAIL * 2))


@given(
    st.lists(
        st.tuples(
            st.binary(max_size=300), st.integers(1, 400), st.booleans(), st.booleans(), st.sampled_from([1, 3, 19])
        ),
        max_size=3,
    ),
    st.integers(1, 9000),
    st.data(),
)
def test_it_is_known_where_frames_of_zstd_end(
    parts: list[tuple[bytes, int, bool, bool, int]], size: int, data: st.DataObject
) -> None:
    """However they were written, with frames between them that hold nothing, and in whatever blocks they are read."""
    frames, ends = b"", {0}
    for held, times, checksum, sized, level in parts:
        made = zstandard.ZstdCompressor(level=level, write_checksum=checksum, write_content_size=sized)
        for frame in (made.compress(held * times), b"\x53\x2a\x4d\x18\5\0\0\0skip!"):
            frames += frame
            ends.add(len(frames))
    cut = data.draw(st.sampled_from(sorted(ends)) | st.integers(0, len(frames)))
    seen = ZstdFrames(Stream("file", io.BytesIO(frames[:cut]).read1))
    while seen.read(size):
        pass
    assert seen.whole is (cut in ends)
