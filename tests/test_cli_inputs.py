"""What the command line names as input: stdin, kinds, what is left out, what cannot be read, and the exit statuses."""

import builtins
import io
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from commands import notes, run
from urlglean.cli import main

__all__ = ["notes"]  # the fixture


@pytest.mark.parametrize("arguments", [("scan",), ("scan", "-")])
def test_stdin_is_read_for_a_dash_or_no_path(arguments: tuple[str, ...]) -> None:
    """Stdin is read for `-`, and if no path is given."""
    result = run(*arguments, stdin="http://a.example/\n")
    assert (result.exit_code, result.stdout) == (0, "1: http://a.example/\n")


def test_no_url_is_exit_status_one() -> None:
    """The status is 1 if no URL was found, as with grep."""
    result = run("scan", stdin="good news: the end\n")
    assert (result.exit_code, result.stdout) == (1, "")


def test_a_trouble_sets_the_exit_status_even_if_urls_were_found(notes: Path) -> None:
    """The URLs are printed, the trouble names its path, and the status is 2."""
    result = run("scan", notes, notes.with_name("none.txt"))
    assert result.exit_code == 2
    assert "http://a.example/1" in result.stdout
    assert f"{notes.with_name('none.txt')}: " in result.stderr


def test_as_overrides_the_detected_kind(tmp_path: Path) -> None:
    """A mailbox of two messages is one message `--as message`, and one text `--as text`."""
    mbox = tmp_path / "mbox"
    mail = "From a@b.example Mon Dec 12 10:00:00 1994\nSubject: x\n\nhttp://{}.example/\n\n"
    mbox.write_text(mail.format("a") + mail.format("b"))
    assert ", 2 messages, 0 texts" in run("scan", mbox).stderr
    assert ", 1 message, 0 texts" in run("scan", "--as", "message", mbox).stderr
    assert ", 0 messages, 1 text," in run("scan", "--as", "text", mbox).stderr


def test_verbose_says_what_each_path_was_taken_for(notes: Path) -> None:
    """`-v` names the kind of each file, and what was left out with the reason."""
    rows = notes.with_name("rows.txt")
    result = run("scan", notes.parent, "-v", "-o", rows)
    assert f"{notes}: taken for plain text\n" in result.stderr
    assert f"{rows}.part: left out: it is being written\n" in result.stderr


def test_a_hostile_file_name_does_not_reach_the_terminal(tmp_path: Path) -> None:
    """Controls in a file name are escaped, both in rows and in messages."""
    path = tmp_path / "\x1b[31m.txt"
    path.write_text("http://a.example/\n")
    result = run("scan", "-v", path, tmp_path / "\x1b[32m")
    assert "\x1b" not in result.stdout + result.stderr
    assert r"\x1b[31m" in result.stdout
    assert r"\x1b[32m" in result.stderr


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A file without text."""
    path = tmp_path / "a.gif"
    path.write_bytes(b"GIF89a")
    return path


@pytest.mark.parametrize("command", ["scan", "show"])
def test_a_named_path_that_is_left_out_is_reported(picture: Path, command: str) -> None:
    """Without `-v` too, stderr gives the reason. The status is 2, because nothing else was named."""
    result = run(command, picture)
    assert result.exit_code == 2
    assert f"urlglean: {picture}: left out: an image\n" in result.stderr


@pytest.mark.parametrize("command", ["scan", "show"])
def test_stdin_that_is_left_out_is_reported(command: str) -> None:
    """Stdin counts as named by `-` and by no path."""
    result = run(command, "-", stdin="%PDF-1.3\n")
    assert result.exit_code == 2
    assert "urlglean: -: left out: a PDF document\n" in result.stderr


def test_the_status_is_that_of_the_paths_that_were_read(picture: Path, notes: Path) -> None:
    """If some named paths are left out, the others decide the status; if all are, the status is 2."""
    result = run("scan", picture, notes)
    assert (result.exit_code, "left out: an image" in result.stderr) == (0, True)
    notes.write_text("good news: the end\n")
    assert run("scan", picture, notes).exit_code == 1
    notes.write_bytes(b"%PDF-1.3\n")
    result = run("scan", picture, notes)
    assert (result.exit_code, result.stderr.count(": left out: ")) == (2, 2)


def test_files_left_out_of_a_folder_or_archive_are_reported_with_v_only(picture: Path) -> None:
    """They were not named on the command line."""
    archive = picture.with_name("b.zip")
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a.gif", b"GIF89a")
    for path in (picture.parent, archive):
        result = run("scan", path)
        assert (result.exit_code, ": left out: " in result.stderr) == (1, False)
        assert ": left out: an image" in run("scan", "-v", path).stderr


def test_an_empty_file_is_no_trouble(tmp_path: Path) -> None:
    """An empty file is read and nothing is found in it, as with grep."""
    (tmp_path / "empty").touch()
    result = run("scan", tmp_path / "empty")
    assert (result.exit_code, ": left out: " in result.stderr) == (1, False)


def test_an_unreadable_path_does_not_stop_the_others(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a trouble with its place, not wrong use."""
    folder, file = notes.with_name("folder"), notes.with_name("file")
    folder.mkdir()
    file.touch()
    refused = {str(folder), str(file)}
    access, scandir, open_ = os.access, os.scandir, builtins.open

    def may(path: str, mode: int) -> bool:
        return path not in refused and access(path, mode)

    def listed(path: str) -> object:
        if path in refused:
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    def opened(path: str, mode: str, **options: Any) -> object:
        if path in refused:
            raise PermissionError(13, "Permission denied")
        return open_(path, mode, **options)

    monkeypatch.setattr(os, "access", may)
    monkeypatch.setattr(os, "scandir", listed)
    monkeypatch.setattr(builtins, "open", opened)
    result = run("scan", folder, file, notes)
    assert result.exit_code == 2
    assert result.stderr.count(": Permission denied\n") == 2
    assert f"urlglean: {folder}: Permission denied\n" in result.stderr
    assert f"urlglean: {file}: Permission denied\n" in result.stderr
    assert result.stdout == f"{notes}:1: http://a.example/1\n"


def test_rows_of_stdin_have_no_name() -> None:
    """As with grep. What is in it has its place still: the message, the member."""
    box = "From a@b.example Mon Jan  3 10:00:00 1994\nFrom: a@b.example\n\nhttp://a.example/\n"
    assert run("scan", stdin=box).stdout == "[1]:1: http://a.example/\n"
    assert run("scan", "--stdin-name", "box", stdin=box).stdout == "box[1]:1: http://a.example/\n"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt", "http://a.example/\n")
    done = CliRunner().invoke(main, ["scan"], input=packed.getvalue())
    assert done.stdout == "!a.txt:1: http://a.example/\n"
