"""Folders: what a walk finds, in which order, what it leaves out, and places that cannot be read."""

from __future__ import annotations

import builtins
import gzip
import os
import sys
import tarfile
import threading
import tracemalloc
from pathlib import Path
from unittest.mock import Mock, patch

import pytest

from files import ENVELOPE, MAIL, MBOX, place
from unframing import documents, taken_out
from urlglean.mail import read
from urlglean.records import Document, Trouble
from urlglean.sources import Item, Skipped
from urlglean.sources.folders import File, in_maildir, walk
from urlglean.sources.streams import HEAD


def test_a_maildir_keeps_one_message_a_file(tmp_path: Path) -> None:
    """`cur` and `new` are read, each file as one message whatever its body holds; `tmp` is left out."""
    forwarded = MAIL + b"\n" + ENVELOPE + MAIL
    cur = place(tmp_path / "cur" / "1.host:2,S", ENVELOPE + forwarded)
    new = place(tmp_path / "new" / "2.host")
    place(tmp_path / "tmp" / "3.host")
    assert taken_out(documents(str(tmp_path))) == [
        Document(cur, forwarded, "message"),
        Document(new, MAIL, "message"),
        Skipped(str(tmp_path / "tmp"), "messages that are still being delivered to a Maildir"),
    ]


@pytest.mark.parametrize("folder", ["cur", "new"])
def test_a_maildir_may_lack_all_folders_but_one(tmp_path: Path, folder: str) -> None:
    """As one that git has copied. A message shows that it is one, or its own name if it is given itself."""
    forwarded = ENVELOPE + MAIL + b"\n" + ENVELOPE + MAIL
    message = place(tmp_path / "box" / folder / "1437941113.M1.h", forwarded)
    for given in (tmp_path / "box", tmp_path / "box" / folder, Path(message)):
        assert [found.kind for found in taken_out(documents(str(given))) if isinstance(found, Document)] == ["message"]
    other = place(tmp_path / "other" / folder / "inbox", forwarded)
    for given in (tmp_path / "other", Path(other)):
        assert len([found for found in taken_out(documents(str(given))) if isinstance(found, Document)]) == 2


def test_a_maildir_may_lack_its_empty_folder_of_new_messages(tmp_path: Path) -> None:
    """Copying and version control lose it."""
    old = place(tmp_path / "cur" / "1.host:2,S")
    (tmp_path / "tmp").mkdir()
    assert [item for item in taken_out(documents(str(tmp_path))) if not isinstance(item, Skipped)] == [
        Document(old, MAIL, "message")
    ]


@pytest.mark.parametrize("nuls", [1, 64, 70_000, 1_100_000])
def test_a_message_behind_the_nuls_of_a_crash_is_read(tmp_path: Path, nuls: int) -> None:
    """In a Maildir and elsewhere, and if it looks like a mailbox; a mailbox too."""
    for folder in ("cur", "new"):
        (tmp_path / folder).mkdir()
    front = b"\0" * nuls
    inside = [place(tmp_path / "cur" / f"{n}.a.b", front + data) for n, data in enumerate((MAIL, ENVELOPE + MAIL))]
    assert taken_out(documents(str(tmp_path))) == [Document(path, MAIL, "message") for path in inside]
    odd = MBOX.replace(b"Mon Jan", b"Mo. Jan")
    assert odd != MBOX
    long = MAIL + b"word " * 20_000 + b"\n\n"
    for first, data in (("message", MAIL), ("text", MBOX), ("text", b"\xef\xbb\xbf" + MBOX), ("text", odd)):
        found = behind_nuls(front + data, tmp_path)
        assert found == [(first, None)] + [("message", number) for number in (1, 2) if first == "text"]
    for torn in (MAIL + b"\n", long):
        assert behind_nuls(front + torn + MBOX, tmp_path) == [("message", None), ("message", 1), ("message", 2)]


@pytest.mark.parametrize("nuls", [1, 70_000])
def test_nuls_where_a_header_was_are_told_in_a_maildir(tmp_path: Path, nuls: int) -> None:
    """The header may have said that the body is encoded. HTML is read as such."""
    for folder in ("cur", "new"):
        (tmp_path / folder).mkdir()
    page = b"<html>\n<p><a href='http://a.example/?b=1&amp;c=2'>d</a>\n</html>\n"
    path = place(tmp_path / "cur" / "1.a.b", bytes(nuls) + page)
    told, found = taken_out(documents(str(tmp_path)))
    assert isinstance(told, Trouble)
    assert told.cause == "NULs stand where its header was, what is behind them was read without it"
    assert found == Document(path, bytes(nuls) + page, "message")
    assert [part.text for part in read(page).parts][-1:] == ["http://a.example/?b=1&c=2"]
    assert [part.text for part in read(bytes(nuls) + page).parts][-1:] == ["http://a.example/?b=1&c=2"]


@pytest.mark.parametrize(
    "octets",
    [
        b"rom a@b Mon Mar  3 10:00:00 2003\nFrom: a@b\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS8x\n",
        b"Content-Transfer-Encoding: base64\nX-Other: b\n\naHR0cDovL2EuZXhhbXBsZS8x\n",
        b"=" * 73 + b"\nDate: Mon, 2 Jan 1995 03:04:05 EST\nFrom: a@b.example\n\nbody\n",
        b"<html><body>see <a href='http://a.example/'>this</a></body></html>\n",
        b"see http://a.example/\n",
    ],
)
def test_whatever_a_file_of_a_maildir_looks_like_it_is_a_message(tmp_path: Path, octets: bytes) -> None:
    """Its header may be damaged, which is told where something may be lost, or have no well-known field."""
    for folder in ("cur", "new"):
        (tmp_path / folder).mkdir()
    path = place(tmp_path / "new" / "1.a.b", octets)
    assert taken_out(documents(str(tmp_path))) == [Document(path, octets, "message")]


@pytest.mark.parametrize(
    ("octets", "cause"),
    [
        (b"Dovecot-LZ4\r*\x9b\xc5\0\1\0\0", "a message that is packed by LZ4, which is not read"),
        (b"CRYPTED\3\7\2\0\0", "a message that is encrypted by Dovecot, which is not read"),
        (b"\1\0\2\0", "no message, but binary data, which are not read"),
        (bytes(1000), "no message, but binary data, which are not read"),
        (bytes(20_480), "no message, but binary data, which are not read"),
    ],
)
def test_a_message_that_cannot_be_read_is_told(tmp_path: Path, octets: bytes, cause: str) -> None:
    """In a Maildir, each file should be one. Elsewhere, other binary data are left out."""
    for folder in ("cur", "new"):
        (tmp_path / folder).mkdir()
    path, other = place(tmp_path / "cur" / "1795795541.a.b", octets), place(tmp_path / "a" / "file", octets)
    if "binary" in cause:
        other_told: Item = Skipped(other, "no file is in it" if len(octets) > 10_240 else "binary")
    else:
        other_told = Trouble(other, cause)
    assert taken_out(documents(str(tmp_path))) == [other_told, Trouble(path, cause)]


@pytest.mark.parametrize("given", ["", "file://"])
@pytest.mark.parametrize("name", ["2001.mbox", "1700000000.mbox"])
@pytest.mark.parametrize("is_folder", [True, False])
def test_a_mailbox_in_a_folder_that_is_new_is_one(name: str, given: str, is_folder: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """No folder of a Maildir lies beside it."""
    place(tmp_path / "new" / name, MBOX)
    of = "new" if is_folder else f"new/{name}"
    assert kinds_in(f"{given}{tmp_path}/{of}") == ["message"] * 2
    found = taken_out(documents(f"{given}{tmp_path}/{of}"))
    assert [item.message for item in found if isinstance(item, Document)] == [1, 2]
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        archive.add(tmp_path / "new", "a/new")
    assert kinds_in(f"{given}{tmp_path}/a.tar") == ["message"] * 2


def kinds_in(path: str) -> list[str]:
    """The kinds of the documents at a path."""
    return [item.kind for item in taken_out(documents(path)) if isinstance(item, Document)]


@pytest.mark.parametrize("given", ["cur", "cur/", "cur/1.a.b:2,S", "file://cur", "file://cur/1.a.b:2,S"])
def test_a_folder_of_a_maildir_may_be_given(given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files are messages too; so they are from within. `cur` alone is another folder without such a name."""
    for folder in ("cur", "new", "tmp"):
        (tmp_path / folder).mkdir()
    place(tmp_path / "cur" / "1.a.b:2,S", b"see http://a.example/\n")
    whole = given.replace("file://", f"file://{tmp_path}/") if "://" in given else f"{tmp_path}/{given}"
    assert kinds_in(whole) == ["message"]
    monkeypatch.chdir(tmp_path / "cur")
    assert kinds_in(".") == kinds_in("1.a.b:2,S") == ["message"]
    (tmp_path / "new").rmdir()
    (tmp_path / "tmp").rmdir()
    assert kinds_in(".") == kinds_in("1.a.b:2,S") == ["message"]
    (tmp_path / "cur" / "1.a.b:2,S").rename(tmp_path / "cur" / "1.a.b")
    assert kinds_in(".") == kinds_in("1.a.b") == ["text"]


@pytest.mark.parametrize("name", [".index", ".1795795541.a.b", "01.mp3", "Thumbs.db"])
def test_other_names_of_a_maildir_are_no_messages(name: str, tmp_path: Path) -> None:
    """Those that begin with a dot; in other folders, those without a time (https://cr.yp.to/proto/maildir.html)."""
    for folder in ("cur", "new") if name[0] == "." else ("new",):
        (tmp_path / folder).mkdir()
    other = place(tmp_path / "new" / name, b"\1\0\2")
    assert taken_out(documents(str(tmp_path))) == [Skipped(other, "binary")]
    with tarfile.open(tmp_path.parent / "M.tar", "w") as archive:
        archive.add(tmp_path / "new" / name, f"new/{name}")
    assert [
        item.cause for item in taken_out(documents(str(tmp_path.parent / "M.tar"))) if isinstance(item, Skipped)
    ] == ["binary"]


def test_attributes_of_macos_are_no_message(tmp_path: Path) -> None:
    """It keeps them in a file beside that of a message, where a file system has no place for them."""
    for folder in ("cur", "new"):
        (tmp_path / folder).mkdir()
    path = place(tmp_path / "cur" / "._1.a.b:2,S", b"\0\5\x16\7\0\2\0\0Mac OS X        \0\2\0\0\0\x09")
    assert taken_out(documents(str(tmp_path))) == [Skipped(path, "attributes of a file of macOS")]


@pytest.mark.parametrize("nuls", [1, 70_000])
def test_the_rest_of_a_message_behind_nuls_is_a_text(tmp_path: Path, nuls: int) -> None:
    """However long it is, and whatever begins the next message; so is any text."""
    odd = MBOX.replace(b"Mon Jan", b"Mo. Jan")
    for rest in (b"words\n\n", b"words of a line\n" * 6_000 + b"\n"):
        for box in (MBOX, odd):
            assert behind_nuls(bytes(nuls) + rest + box, tmp_path) == [("text", None), ("message", 1), ("message", 2)]
    torn_twice = bytes(nuls) + b"word\n\0\0" + ENVELOPE + MAIL
    assert behind_nuls(torn_twice, tmp_path) == [("text", None), ("message", 1)]
    assert behind_nuls(bytes(nuls) + b"http://a.example/b\nc\n", tmp_path) == [("text", None)]


@pytest.mark.parametrize("less", [1, 7, 60, 100, 1000])
@pytest.mark.parametrize("size", [HEAD, 2 * HEAD])
def test_a_mailbox_behind_nuls_may_begin_anywhere(tmp_path: Path, size: int, less: int) -> None:
    """The first octets of a file may end within the envelope, or within a header."""
    for first, data in (("text", MBOX), ("message", MAIL + b"\n" + MBOX)):
        found = behind_nuls(bytes(size - less) + data, tmp_path)
        assert found == [(first, None), ("message", 1), ("message", 2)]


def behind_nuls(octets: bytes, folder: Path) -> list[tuple[str, int | None]]:
    """The kinds and numbers of the documents of a file, of which the first is told."""
    told, *found = taken_out(documents(place(folder / "box", octets)))
    assert isinstance(told, Trouble)
    return [(item.kind, item.message) for item in found if isinstance(item, Document)]


def test_a_folder_of_many_files_takes_little_memory(tmp_path: Path) -> None:
    """Of each file the name is kept, with what sorts it, and nothing else: some folders hold a million messages."""
    names = [f"{1_500_000_000 + i}.M{i}P12345.mail.example.org,S=4321:2,S" for i in range(2000)]
    for name in names:
        (tmp_path / name).touch()
    whole = list(walk(str(tmp_path), by_name=True))  # what is compiled for the first file does not count
    tracemalloc.start()
    found = walk(str(tmp_path), by_name=True)
    first = next(found)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < sum(map(sys.getsizeof, names)) + 200 * len(names)  # with its entry: 350
    assert [first, *found] == whole == [File(str(tmp_path / name), one_message=False) for name in names]


def test_tmp_elsewhere_is_a_folder_like_any(tmp_path: Path) -> None:
    """`tmp` alone makes no Maildir, nor does `new`."""
    path = place(tmp_path / "tmp" / "x")
    assert taken_out(documents(str(tmp_path))) == [Document(path, MAIL, "message")]


@pytest.mark.parametrize("name", ["800000002.host", "abc,S=12:2,S"])
def test_a_maildir_without_cur_has_a_message_in_new(tmp_path: Path, name: str) -> None:
    """Copying and version control lose empty directories; but `new` and `tmp` beside each other are usual names."""
    box, old = place(tmp_path / "new" / "2001.mbox", MBOX), place(tmp_path / "tmp" / "x")
    found = taken_out(documents(str(tmp_path)))
    assert [item.path for item in found if isinstance(item, Document)] == [box, box, old]
    place(tmp_path / "new" / name)
    assert Skipped(str(tmp_path / "tmp"), "messages that are still being delivered to a Maildir") in taken_out(
        documents(str(tmp_path))
    )


def test_of_a_folder_in_doubt_a_file_that_is_given_has_the_name_of_a_message(tmp_path: Path) -> None:
    """Thousands of files may be given one by one: the folder, in which others are, is not read for each of them."""
    place(tmp_path / "tmp" / "x")
    names = [place(tmp_path / "new" / name) for name in ("800000002.host", "1.mbox", "2001.mbox")]
    scandir = Mock(wraps=os.scandir)
    with patch.object(os, "scandir", scandir):
        assert [in_maildir(name) for name in names] == [True, False, False]
    scandir.assert_not_called()
    assert in_maildir(str(tmp_path / "new"))


def test_numbered_files_come_by_number(tmp_path: Path) -> None:
    """MH folders and news spools: articles in their order, their indexes left out, mailboxes of a year split."""
    place(tmp_path / ".mh_sequences", b"cur: 1\nsubject: 2\n")
    place(tmp_path / ".overview", b"1\tsubject\n")
    ten, two = place(tmp_path / "10"), place(tmp_path / "2")
    year = place(tmp_path / "group" / "1992", MBOX)
    found = taken_out(documents(str(tmp_path)))
    assert [item.path for item in found if isinstance(item, Document)] == [two, ten, year, year]
    assert {Path(item.path).name for item in found if isinstance(item, Skipped)} == {".mh_sequences", ".overview"}


def test_indexes_and_repositories_are_left_out(tmp_path: Path) -> None:
    """Caches of mail programs and version control go with a reason; a name that only looks like one stays."""
    place(tmp_path / ".git" / "COMMIT_EDITMSG")
    place(tmp_path / "dovecot-uidlist", b"3 V1 N2\n")
    kept = place(tmp_path / "dovecot-2005.mbox", ENVELOPE + MAIL)
    found = taken_out(documents(str(tmp_path)))
    assert [item for item in found if not isinstance(item, Skipped)] == [Document(kept, MAIL, "message", message=1)]
    assert [Path(item.path).name for item in found if isinstance(item, Skipped)] == [".git", "dovecot-uidlist"]


@pytest.mark.parametrize(
    "name",
    [
        *(
            ".mh_sequences",
            ".mh_profile",
            ".xmhcache",
            ".mu-prop",
            ".mbsyncstate",
            ".uidvalidity",
            ".overview",
            ".overview.fmt",
            ".marks",
        ),
        *(
            ".nnmail-cache",
            ".nov",
            ".mew-summary",
            ".mew-cache",
            "dovecot.index.log",
            "dovecot.map.index",
            "dovecot.list.index",
            "dovecot.mailbox.log",
        ),
        *("dovecot-uidvalidity", "dovecot-keywords", "maildirsize", "maildirfolder", "courierimapuiddb"),
        *("courierpop3dsizelist", "subscriptions", "cyrus.cache", "Inbox.msf", "msgFilterRules.dat"),
        *("virtualFolders.dat", "table_of_contents", ".DS_Store"),
    ],
)
def test_an_index_is_left_out_by_its_name(tmp_path: Path, name: str) -> None:
    """It may look like a text or a message."""
    place(tmp_path / name, b"cur: 1\nsubject: 2\n")
    (found,) = taken_out(documents(str(tmp_path)))
    assert isinstance(found, Skipped)


@pytest.mark.parametrize("name", [".git", ".hg", ".svn"])
def test_a_maildir_may_be_called_like_a_version_control_system(tmp_path: Path, name: str) -> None:
    """Maildir++ puts a dot before the name of a folder."""
    message = place(tmp_path / name / "cur" / "1.a.b:2,S")
    (tmp_path / name / "new").mkdir()
    assert taken_out(documents(str(tmp_path))) == [Document(message, MAIL, "message")]
    with tarfile.open(tmp_path / "box.tar", "w") as archive:
        archive.add(tmp_path / name, f"Maildir/{name}")
        archive.add(message, f"work/{name}/hooks/1")
    found = taken_out(documents(str(tmp_path / "box.tar")))
    assert [item.member for item in found if isinstance(item, Document)] == [f"Maildir/{name}/cur/1.a.b:2,S"]


@pytest.mark.parametrize("name", ["subscriptions", "cyrus.notes", "table_of_contents"])
def test_a_mailbox_that_is_called_like_an_index_is_read(tmp_path: Path, name: str) -> None:
    """People call mailboxes so; the first bytes tell."""
    path = place(tmp_path / name, b"\n" + MBOX)
    found = taken_out(documents(str(tmp_path)))
    assert found == [Document(path, MAIL, "message", message=number) for number in (1, 2)]


@pytest.mark.parametrize("name", ["cyrus.mbox.gz", "cyrus.eml", "cyrus.txt", "cyrus"])
def test_only_the_files_that_cyrus_names_are_its_indexes(tmp_path: Path, name: str) -> None:
    """Its mailbox may be packed, or be named after it in another way."""
    place(tmp_path / name, gzip.compress(MBOX) if name.endswith(".gz") else MAIL)
    place(tmp_path / "cyrus.index", b"\0\1")
    place(tmp_path / "cyrus.header.NEW", b"Cyrus mailbox header\n")
    reasons = [item.cause for item in documents(str(tmp_path)) if isinstance(item, Skipped)]
    assert reasons == ["an index of Cyrus"] * 2
    assert taken_out(item for item in documents(str(tmp_path)) if isinstance(item, Document))


def test_an_index_that_cannot_be_opened_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name alone tells then; nobody misses what is in it."""
    place(tmp_path / "subscriptions", MBOX)
    monkeypatch.setattr(builtins, "open", Mock(side_effect=PermissionError("no")))
    assert taken_out(documents(str(tmp_path))) == [Skipped(str(tmp_path / "subscriptions"), "a list of folders")]


def test_links_to_directories_are_not_followed(tmp_path: Path) -> None:
    """A loop of links ends; a link to a file is read; a link that leads nowhere is a trouble."""
    place(tmp_path / "a" / "mail")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    (tmp_path / "a" / "link").symlink_to("mail")
    (tmp_path / "a" / "none").symlink_to("nowhere")
    link, loop, mail, nowhere = documents(str(tmp_path))
    assert isinstance(link, Document)
    assert loop == Skipped(str(tmp_path / "a" / "loop"), "a symbolic link to a directory")
    assert isinstance(mail, Document)
    assert nowhere == Trouble(str(tmp_path / "a" / "none"), os.strerror(2))


def test_special_files_are_not_opened(tmp_path: Path) -> None:
    """A FIFO would wait for ever; it is left out, and so is a device."""
    os.mkfifo(tmp_path / "fifo")
    assert taken_out(documents(str(tmp_path))) == [Skipped(str(tmp_path / "fifo"), "a FIFO")]
    assert taken_out(documents("/dev/null")) == [Skipped("/dev/null", "a character device")]


def test_a_fifo_that_is_named_is_read(tmp_path: Path) -> None:
    """So a shell hands over what another command writes: `<(command)`."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_bytes, args=(gzip.compress(MBOX),))
    writer.start()
    found = taken_out(documents(str(fifo)))
    writer.join()
    assert found == [Document(str(fifo), MAIL, "message", message=number) for number in (1, 2)]


@pytest.mark.parametrize("path", ["", "nowhere/at/all", "a\0b", "\ud800"])
def test_a_path_that_is_none_is_a_trouble(path: str) -> None:
    """A path that does not exist, or cannot, gives one trouble."""
    (found,) = documents(path)
    assert isinstance(found, Trouble)
    assert found.path == path
    assert found.cause


def test_what_may_not_be_read_is_a_trouble_and_the_walk_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file and a folder that refuse are told; the next file is read."""
    place(tmp_path / "a" / "x")
    refused = place(tmp_path / "b")
    read_on = place(tmp_path / "c")
    scandir, open_ = os.scandir, builtins.open

    def refuse_folder(path: str) -> object:
        if path == str(tmp_path / "a"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    def refuse_file(path: str, mode: str, buffering: int) -> object:
        if path == refused:
            raise PermissionError(13, "Permission denied")
        return open_(path, mode, buffering)

    monkeypatch.setattr(os, "scandir", refuse_folder)
    monkeypatch.setattr(builtins, "open", refuse_file)
    assert taken_out(documents(str(tmp_path))) == [
        Trouble(str(tmp_path / "a"), "Permission denied"),
        Trouble(refused, "Permission denied"),
        Document(read_on, MAIL, "message"),
    ]


def test_paths_are_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found carries the path as the caller wrote it plus what lies beneath."""
    place(tmp_path / "box" / "mail")
    monkeypatch.chdir(tmp_path)
    assert [item.path for item in documents("./box/")] == ["./box/mail"]


def test_trees_deeper_than_the_interpreter(tmp_path: Path) -> None:
    """A tree that is deeper than Python's stack is walked."""
    depth = sys.getrecursionlimit() + 50
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=folder)
        beneath = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = beneath
    with os.fdopen(os.open("m", os.O_WRONLY | os.O_CREAT, dir_fd=folder), "wb") as file:
        file.write(MAIL)
    os.close(folder)
    deepest = str(tmp_path) + "/d" * depth
    assert [item.path for item in documents(str(tmp_path))] == [deepest + "/m"]
    # Taken down here: pytest's own cleaning recurses.
    Path(deepest, "m").unlink()
    for folders in range(depth, 0, -1):
        Path(str(tmp_path) + "/d" * folders).rmdir()


def test_a_link_to_itself_loses_nothing_but_itself(tmp_path: Path) -> None:
    """It can be looked at by nobody; the files beside it can."""
    (tmp_path / "itself").symlink_to("itself")
    (tmp_path / "text").write_text("http://h.example/\n", encoding="utf-8")
    items = taken_out(documents(str(tmp_path)))
    assert [item.path for item in items if isinstance(item, Document)] == [str(tmp_path / "text")]
    assert [item.path for item in items if isinstance(item, Trouble)] == [str(tmp_path / "itself")]


def test_a_table_with_a_url_is_no_overview(tmp_path: Path) -> None:
    """In the column of the Message-ID an overview has one."""
    path = tmp_path / "table"
    path.write_bytes(b"1\ttitle\tauthor\t1999\t<http://jo@h.example/>\tx\n")
    assert [type(item) for item in documents(str(path))] == [Document]


def test_an_overview_of_articles_is_left_out(tmp_path: Path) -> None:
    """RFC 3977 8.3: number, subject, from, date, message-id, references, bytes, lines, each behind a tab."""
    path = tmp_path / "group.DAT"
    path.write_bytes(
        b"1\tsee http://h.example/\tJo <jo@h.example>\t1 May 1993 10:00 GMT\t<1@h.example>\t\t300\t4\t\r\n"
    )
    assert [type(item) for item in documents(str(path))] == [Skipped]
