"""Tar archives: which members are files, and what headers may claim."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import Literal

import pytest
from click.testing import CliRunner

from files import MAIL, read
from packed import tar_header, tar_of, tarred
from urlglean.cli import main
from urlglean.records import Document, Trouble
from urlglean.sources import Skipped


def test_a_tar_of_the_oldest_kind_is_told_by_its_checksum() -> None:
    """Seventh Edition's tar has no magic; a header whose checksum is wrong is none."""
    header = bytearray(tarred({"note": b"text\n"}, tarfile.USTAR_FORMAT))
    header[257:512] = bytes(255)
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header[:512])
    assert read(bytes(header)) == [Document("file", b"text\n", "text", "note")]
    header[148:156] = b"000000\0 "
    assert read(bytes(header)) == [Skipped("file", "binary")]


def test_a_damaged_header_at_the_front_is_told() -> None:
    """A tar with a magic is none to be left out in silence, though its checksum is wrong."""
    archive = bytearray(tarred({"note": b"http://h.example/\n"}))
    archive[100:101] = b"X"
    (trouble,) = read(bytes(archive))
    assert isinstance(trouble, Trouble)
    assert trouble.cause.startswith("a tar archive that")


@pytest.mark.parametrize(
    "octets", [bytes(512), bytes(1025), bytes(4096), bytes(10_239), bytes(1 << 17), bytes(10_239) + b"x"]
)
def test_other_nuls_are_no_tar_without_files(octets: bytes) -> None:
    """A crash may have left them of a mailbox, and what was in that is not known to be gone."""
    assert read(octets) == [Skipped("file", "binary")]


def test_what_precedes_the_place_where_a_tar_is_cut_off_is_read() -> None:
    """All of it, of a member far larger than what its kind is told by; what is lost is said."""
    mail = b"".join(MAIL + b"\nFrom x@y Mon Mar  3 10:00:00 1997\n" for _ in range(5_000))
    archive = tarred({"small": MAIL, "box": b"From x@y Mon Mar  3 10:00:00 1997\n" + mail})
    cut = len(archive) * 2 // 3
    found = read(archive[:cut])
    read_up_to = sum(len(item.data) for item in found if isinstance(item, Document))
    assert read_up_to > cut * 0.6
    causes = [item.cause for item in found if isinstance(item, Trouble)]
    assert len(causes) == 2
    assert all("unexpected end of data" in cause for cause in causes)


def test_links_in_a_tar_are_left_out() -> None:
    """What they lead to is a member of its own."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, kind in (("hard", tarfile.LNKTYPE), ("soft", tarfile.SYMTYPE), ("fifo", tarfile.FIFOTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "target"
            archive.addfile(info)
    assert read(file.getvalue()) == [
        Skipped("file", "a link to target", "hard", "target"),
        Skipped("file", "a link to target", "soft", "target"),
    ]


BROKEN_AFTER_ONE = "a tar archive that is broken at member 2: unexpected end of data"


@pytest.mark.parametrize(
    ("header", "form"),
    [
        (tar_header("a", 1 << 60), tarfile.GNU_FORMAT),
        (tar_header("a", 0, pax_headers={"size": str(1 << 62)}), tarfile.PAX_FORMAT),
    ],
    ids=["GNU", "pax"],
)
def test_a_tar_member_that_says_it_is_endless_ends_with_the_archive(
    header: tarfile.TarInfo, form: Literal[1, 2]
) -> None:
    """What follows is not looked for a million times a terabyte."""
    note = (tar_header("b", len(MAIL)), MAIL)
    assert Trouble("file", BROKEN_AFTER_ONE) in read(tar_of((header, b""), note, form=form))


def test_a_tar_that_is_cut_off_between_two_members_is_a_trouble() -> None:
    """It lacks the two blocks of zeros that end it (POSIX pax, "ustar Interchange Format"); one is enough."""
    packed = tar_of((tar_header("a", len(MAIL)), MAIL), (tar_header("b", len(MAIL)), MAIL))
    for size, count in ((len(packed) // 2 - 512, 1), (len(packed) - 1024, 2)):
        *documents, trouble = read(packed[:size])
        assert documents == [Document("file", MAIL, "message", name) for name in "ab"[:count]]
        assert isinstance(trouble, Trouble)
        assert "may be cut off" in trouble.cause
    for size in (len(packed) - 512, len(packed)):
        assert len(read(packed[:size])) == 2


def test_headers_for_all_members_of_a_tar_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """`tarfile` copies them to each member: a few megabytes would take hours."""
    kept: list[int] = []

    def counted(archive: tarfile.TarFile) -> tarfile.TarInfo | None:
        kept.append(len(archive.pax_headers))
        return following(archive)

    following = tarfile.TarFile.next
    monkeypatch.setattr(tarfile.TarFile, "next", counted)
    keys = b"".join(b"%d %s\n" % (len(key) + 4, key) for key in (b"k%05d=v" % number for number in range(1000)))
    note = (tar_header("note", len(MAIL)), MAIL)
    packed = tar_of((tar_header("g", len(keys), type=tarfile.XGLTYPE), keys), note, note)
    assert read(packed) == 2 * [Document("file", MAIL, "message", "note")]
    assert kept[2:] == [0, 0]  # the archive is opened by the first call, and the second gives what that has read


def test_a_hole_in_a_sparse_tar_member_is_not_read() -> None:
    """It says that it is a petabyte long; what follows it is read (GNU tar's manual, "Sparse Formats", PAX 1.0)."""
    sparse = {"major": "1", "minor": "0", "name": "hole", "realsize": str(1 << 50)}
    header = tar_header("hole", 1024, pax_headers={f"GNU.sparse.{name}": value for name, value in sparse.items()})
    packed = tar_of(
        (header, b"1\n0\n20\n".ljust(512, b"\0") + b"see http://h.example".ljust(512, b"\0")),
        (tar_header("note", len(MAIL)), MAIL),
        form=tarfile.PAX_FORMAT,
    )
    found = read(packed)
    assert isinstance(found[0], Skipped)
    assert found[1] == Document("file", MAIL, "message", "note")


def test_names_by_gnu_tar_have_no_times_before_them() -> None:
    """Its incremental archives have them where POSIX has the front of a name (GNU tar's tar.h, `oldgnu_header`)."""
    header = bytearray(tar_header("folder/note", len(MAIL)).tobuf(tarfile.GNU_FORMAT))
    header[345:357] = b"15300702350\0"
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    packed = bytes(header) + MAIL.ljust(512, b"\0") + bytes(1024)
    assert read(packed) == [Document("file", MAIL, "message", "folder/note")]


def test_tar_members_of_unknown_types_are_files() -> None:
    """So says POSIX (pax, "ustar Interchange Format"). Folders, devices and notes of GNU tar are none."""
    packed = tar_of(
        *((tar_header(kind, len(MAIL), type=kind.encode()), MAIL) for kind in "ZE7D"),
        *((tar_header(kind, 0, type=kind.encode()), b"") for kind in "V3456"),
    )
    assert read(packed) == [Document("file", MAIL, "message", kind) for kind in "ZE7"]


def test_the_rest_of_a_file_that_begins_in_another_volume_is_told() -> None:
    """It is read as far as it is here."""
    trouble, document = read(tar_of((tar_header("box", len(MAIL), type=b"M"), MAIL)))
    assert document == Document("file", MAIL, "message", "box")
    assert isinstance(trouble, Trouble)
    assert "in another volume" in trouble.cause


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, tarfile.XGLTYPE])
def test_many_headers_for_one_member_are_a_trouble(kind: bytes) -> None:
    """Python's library calls itself for each."""
    info = tarfile.TarInfo("x")
    info.type, info.size = kind, 9
    header = info.tobuf(tarfile.GNU_FORMAT) + b"9 a=bcd\n\0".ljust(512, b"\0")
    last = tarfile.TarInfo("b")
    found = read(last.tobuf() + header * 1000 + last.tobuf() + bytes(1024))
    # Some of its releases take them for the end of the archive.
    told = ("broken at member 2", "behind the end of the archive are not read")
    assert any(isinstance(item, Trouble) and any(cause in item.cause for cause in told) for item in found)


def test_a_broken_header_in_a_tar_is_not_its_end() -> None:
    """What comes after it is lost, which is said."""
    packed = bytearray(tarred({"a": MAIL, "b": MAIL}, tarfile.USTAR_FORMAT))
    packed[1024:1030] = b"XXXXXX"
    first, trouble = read(bytes(packed))
    assert first == Document("file", MAIL, "message", "a")
    assert isinstance(trouble, Trouble)
    assert "at member 2" in trouble.cause


def test_a_compressed_hole_of_ten_gigabytes_ends_in_time() -> None:
    """A sparse member of a small archive is a bomb like any."""
    pax = {
        "GNU.sparse.major": "1",
        "GNU.sparse.minor": "0",
        "GNU.sparse.name": "hole",
        "GNU.sparse.realsize": str(10**10),
    }
    info = tarfile.TarInfo("GNUSparseFile.0/hole")
    info.pax_headers = pax
    sparse_map = b"1\n9999999999\n1\n".ljust(512, b"\0") + b"a"
    info.size = len(sparse_map)
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(info, io.BytesIO(sparse_map))
    assert any(isinstance(item, Trouble | Skipped) for item in read(file.getvalue()))


@pytest.mark.parametrize(
    ("options", "status"),
    [((), 0), (("--include", "b/"), 0), (("--include", "a/"), 2), (("--exclude", "b/"), 2), (("--exclude", "a/"), 0)],
)
@pytest.mark.parametrize(("kind", "target"), [(tarfile.LNKTYPE, "b/7"), (tarfile.SYMTYPE, "../b/7")])
@pytest.mark.parametrize("top", ["", "./"])
def test_a_link_to_what_is_not_wanted_is_a_trouble(  # noqa: PLR0917
    tmp_path: Path, options: tuple[str, ...], status: int, kind: bytes, target: str, top: str
) -> None:
    """The archive holds the file at one of its names only."""
    with tarfile.open(tmp_path / "spool.tar", "w") as archive:
        file, link = tarfile.TarInfo(f"{top}b/7"), tarfile.TarInfo(f"{top}a/1")
        file.size, link.type, link.linkname = len(MAIL), kind, target if "." in target else top + target
        archive.addfile(file, io.BytesIO(MAIL))
        archive.addfile(link)
    result = CliRunner().invoke(main, ["scan", *options, str(tmp_path / "spool.tar")])
    assert ("b/7, which is left out: so this is not read" in result.stderr) == (status == 2)
    assert ("http://host.example/" in result.stdout) == (status == 0)
    assert result.exit_code == status


@pytest.mark.parametrize("target", ["/etc/hosts", "../../b/7", "..", ".", "../b", "../c/7", "2"])
def test_a_link_to_what_is_no_file_of_the_archive_is_left_out(tmp_path: Path, target: str) -> None:
    """So is one to a folder, which would be one in a folder too."""
    with tarfile.open(tmp_path / "spool.tar", "w") as archive:
        link = tarfile.TarInfo("a/1")
        link.type, link.linkname = tarfile.SYMTYPE, target
        archive.addfile(link)
        for name in ("a/2", "b/7"):
            file = tarfile.TarInfo(name)
            file.size = len(MAIL)
            archive.addfile(file, io.BytesIO(MAIL))
    result = CliRunner().invoke(main, ["scan", "-v", "--include", "a/", str(tmp_path / "spool.tar")])
    assert f"a link to {target}" in result.stderr
    assert "so this is not read" not in result.stderr


@pytest.mark.parametrize("kinds", [(tarfile.SYMTYPE, tarfile.SYMTYPE), (tarfile.LNKTYPE, tarfile.SYMTYPE)])
@pytest.mark.parametrize("pattern", ["a/", "[ac]/"])
def test_a_link_to_a_link_to_what_is_left_out_is_told(tmp_path: Path, kinds: tuple[bytes, bytes], pattern: str) -> None:
    """Whether or not the link between them is left out too. Links may lead around in a circle."""
    with tarfile.open(tmp_path / "spool.tar", "w") as archive:
        file = tarfile.TarInfo("b/1")
        file.size = len(MAIL)
        archive.addfile(file, io.BytesIO(MAIL))
        for name, kind, target in (
            ("c/1", kinds[0], "../b/1" if kinds[0] == tarfile.SYMTYPE else "b/1"),
            ("a/1", kinds[1], "../c/1"),
            ("a/2", tarfile.SYMTYPE, "3"),
            ("a/3", tarfile.SYMTYPE, "2"),
        ):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = kind, target
            archive.addfile(link)
    result = CliRunner().invoke(main, ["scan", "--include", pattern, str(tmp_path / "spool.tar")])
    assert "a/1: a link to ../c/1, which is left out: so this is not read" in result.stderr
    assert result.stderr.count("so this is not read") == (2 if "c" in pattern else 1)
    assert result.exit_code == 2
