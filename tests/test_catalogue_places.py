"""The paths by which a catalogue names what it has read, and those that it refuses."""

from __future__ import annotations

import io
import os
import tarfile
from pathlib import Path

import pytest

from catalogues import MAY, ask, catalog, rows, scanned


def test_relative_paths_belong_to_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In another they would name other files, unless all was moved there."""
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
    (old / "may").write_bytes(MAY)
    monkeypatch.chdir(old)
    assert catalog("urls.db", "may").exit_code == 0
    monkeypatch.chdir(new)
    refused = catalog(old / "urls.db", "may")
    assert refused.exit_code == 2
    assert f"relative paths in it belong to the folder {old}: run this there" in refused.stderr
    assert "; 0 new, 3 known" in catalog(old / "urls.db", old / "may").stderr
    assert ask(old / "urls.db", "SELECT DISTINCT path FROM places") == ["may"]
    (new / "june").write_bytes(MAY)
    assert catalog(old / "urls.db", new / "june").exit_code == 0
    refused = catalog(old / "urls.db", "june")
    assert refused.exit_code == 2
    (new / "june").unlink()
    new.rmdir()
    old.rename(new)
    monkeypatch.chdir(new)
    assert catalog("urls.db", "may").exit_code == 0


def test_a_catalogue_does_not_read_itself(tmp_path: Path) -> None:
    """Nor what stands beside it, nor its errors."""
    db, errors = tmp_path / "urls.db", tmp_path / "errors"
    (tmp_path / "may").write_bytes(MAY)
    result = catalog(db, tmp_path, "-v", "--errors", errors)
    own = [line for line in result.stderr.splitlines() if line.endswith("left out: it is being written")]
    assert {line.split(": ")[1] for line in own} >= {str(path) for path in (db, db.with_name("urls.db.part"))}
    assert ask(db, "SELECT DISTINCT path FROM places WHERE path LIKE '%urls.db%' OR path LIKE '%errors%'") == []
    again = catalog(db, tmp_path, "-v")
    assert "; 0 new, " in again.stderr


@pytest.mark.parametrize("path", ["-", "pipe"])
def test_a_place_must_be_found_again(tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes through a pipe is gone; nothing is made for it."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    refused = catalog("urls.db", path)
    assert refused.exit_code == 2
    assert f"{path} is no file or folder, to which a catalogue could lead" in refused.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


def test_files_are_not_used_twice(tmp_path: Path) -> None:
    """Nothing is made for wrong arguments."""
    db = tmp_path / "urls.db"
    (tmp_path / "may").write_bytes(MAY)
    assert "would be written twice" in catalog(db, tmp_path / "may", "--errors", db).stderr
    assert "would be both read and written" in catalog(tmp_path / "may", tmp_path / "may").stderr
    assert catalog(tmp_path / "no" / "urls.db", tmp_path / "may").exit_code == 2
    assert [each.name for each in tmp_path.iterdir()] == ["may"]


def test_a_file_has_one_name_in_the_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However it is spelt: with "./", with doubled slashes, with a slash at the end, by its absolute path."""
    db, folder = tmp_path / "urls.db", tmp_path / "mail"
    folder.mkdir()
    (folder / "may").write_bytes(MAY)
    monkeypatch.chdir(tmp_path)
    for name in ("mail", "./mail", "mail/", ".//mail//may"):
        assert catalog(db, name).exit_code == 0
    assert set(ask(db, "SELECT path FROM places")) == {"mail/may"}
    for other in (folder, tmp_path):
        assert catalog(db, other).exit_code == 0
        assert set(ask(db, "SELECT path FROM places WHERE path NOT LIKE 'urls.db%'")) == {"mail/may"}


def test_a_catalogue_of_absolute_names_has_no_relative_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is given by a relative path, from wherever, is what was given by its absolute one."""
    db, folder = tmp_path / "urls.db", tmp_path / "mail"
    folder.mkdir()
    (folder / "may").write_bytes(MAY)
    assert catalog(db, folder / "may").exit_code == 0
    monkeypatch.chdir(folder)
    for name in (".", "may"):
        assert "; 0 new, 3 known" in catalog(db, name).stderr
    monkeypatch.chdir(tmp_path)
    for name in ("mail", f"/{folder}", f"//{folder}"):
        assert "; 0 new, 3 known" in catalog(db, name).stderr
    assert ask(db, "SELECT DISTINCT path FROM places") == [str(folder / "may")]
    assert ask(db, "SELECT DISTINCT folder FROM runs") == [None]


def test_files_within_the_folder_and_outside_have_one_name_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither kind locks the other out."""
    db, folder = tmp_path / "urls.db", tmp_path / "mail"
    folder.mkdir()
    for path in (folder / "may", folder / "june", tmp_path / "july"):
        path.write_bytes(MAY)
    monkeypatch.chdir(folder)
    for paths in (("may", tmp_path / "july"), (folder / "june",), (".",), (folder,), (folder / "may", "june")):
        assert catalog(db, *paths).exit_code == 0
    assert ask(db, "SELECT path, count(*) FROM places GROUP BY path ORDER BY path") == [
        (str(tmp_path / "july"), 3),
        ("june", 3),
        ("may", 3),
    ]


def test_what_lies_above_a_link_is_not_what_lies_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What ".." leads to behind a symbolic link has the name that it has without them."""
    (tmp_path / "far" / "mail").mkdir(parents=True)
    (tmp_path / "far" / "may").write_bytes(MAY)
    monkeypatch.chdir(tmp_path)
    Path("link").symlink_to("far/mail")
    for path in ("link/../may", "far/mail/../may", "far/may", "far/../far/./may", tmp_path / "far" / "may"):
        assert catalog("urls.db", path).exit_code == 0
    assert ask(Path("urls.db"), "SELECT DISTINCT path FROM places") == ["far/may"]


def test_a_path_that_is_left_out_is_told_by_its_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And counts as left out, however it was given."""
    monkeypatch.chdir(tmp_path)
    Path("may").write_bytes(MAY)
    Path("film").write_bytes(bytes(100))
    assert catalog("urls.db", "may").exit_code == 0
    left = catalog("urls.db", tmp_path / "film")
    assert (left.exit_code, "film: left out: binary" in left.stderr) == (2, True)


def test_the_current_folder_and_what_is_in_it_have_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In either order, and also beside a name that begins with a dot."""
    for first, second in ((".", "mail"), ("mail", ".")):
        folder = tmp_path / first.replace(".", "dot")
        (folder / "mail").mkdir(parents=True)
        (folder / "mail" / "may").write_bytes(MAY)
        monkeypatch.chdir(folder)
        db = tmp_path / f"{second.replace('.', 'dot')}.db"
        assert catalog(db, first).exit_code == catalog(db, second).exit_code == 0
        assert ask(db, "SELECT DISTINCT path FROM places") == ["mail/may"]
        assert rows(db) == scanned(Path("mail"))


def test_what_lies_elsewhere_is_not_gone(tmp_path: Path) -> None:
    """A URL is no name of a file here: its places stay when a copy is met in another place."""
    fsspec = pytest.importorskip("fsspec")
    system, url = fsspec.filesystem("memory"), "memory:///catalogued/may"
    system.pipe("/catalogued/may", MAY)
    here = tmp_path / "may"
    here.write_bytes(MAY)
    try:
        catalog(tmp_path / "a.db", url)
        before = ask(tmp_path / "a.db", "SELECT count(*) FROM places")[0]
        catalog(tmp_path / "a.db", here)
    finally:
        system.store.clear()
    assert ask(tmp_path / "a.db", "SELECT path, count(*) FROM places GROUP BY path ORDER BY path") == [
        (str(here), before),
        (url, before),
    ]


def test_a_catalogue_in_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    """The message names the file, and does not say that what was read is in it."""
    (tmp_path / "may").write_bytes(MAY)
    done = catalog(tmp_path / "nowhere" / "m.db", tmp_path / "may")
    assert done.exit_code == 2
    assert "no such file or directory" in done.stderr
    assert "so far" not in done.stderr


def test_a_page_that_was_fetched_twice_has_both_dates(tmp_path: Path) -> None:
    """Its octets are the same, and each row has the date on which it was fetched."""
    db = tmp_path / "urls.db"
    for year in (2002, 2003):
        page = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nsee http://a.example/\n"
        head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://p.example/\r\n"
        head += f"WARC-Date: {year}-01-02T03:04:05Z\r\n"
        head += "WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http;msgtype=response\r\n"
        record = head.encode() + b"Content-Length: %d\r\n\r\n" % len(page) + page + b"\r\n\r\n"
        (tmp_path / f"{year}.warc").write_bytes(record)
    catalog(db, tmp_path / "2002.warc", tmp_path / "2003.warc")
    assert ask(db, "SELECT date FROM rows ORDER BY date") == ["2002-01-02T03:04:05Z", "2003-01-02T03:04:05Z"]
    assert ask(db, "SELECT first_date, last_date FROM urls") == [("2002-01-02T03:04:05Z", "2003-01-02T03:04:05Z")]


def test_a_member_whose_name_is_no_utf_8_is_known_again(tmp_path: Path) -> None:
    """No database holds its octets; it has U+FFFD for them."""
    db = tmp_path / "urls.db"
    octets = b"see http://a.example/\n"
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        for name in ("a\udce9.txt", "b.txt"):
            member = tarfile.TarInfo(name)
            member.size = len(octets)
            archive.addfile(member, io.BytesIO(octets))
    for _ in range(2):
        catalog(db, tmp_path / "a.tar")
        assert ask(db, "SELECT DISTINCT member FROM rows ORDER BY member") == ["a\ufffd.txt", "b.txt"]
    (tmp_path / "new").write_text("http://b.example/\n")
    catalog(db, tmp_path / "a.tar", tmp_path / "new")
    assert ask(db, "SELECT url FROM urls ORDER BY url") == ["http://a.example/", "http://b.example/"]
