"""A mistake in the arguments costs nobody a file: what `-o`, `--rejects` and `--errors` may replace, and when."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import COMMAND, ENVIRONMENT, run
from urlglean.output.files import part_of
from urlglean.pipeline.journal import journal_of

FORMATS = ["rows.jsonl", "rows.csv", "rows.txt", "rows.db", "rows.parquet"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a text that has a URL and a reject."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "notes").write_text("see http://a.example/1 here <URL:http://:x/>\n")
    return tmp_path / "in"


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("more", [(), ("--overwrite",)])
def test_rows_of_an_earlier_scan_outlast_a_mistyped_path(folder: Path, name: str, more: tuple[str, ...]) -> None:
    """Nothing could be read, so there is nothing to write; what was in the way is told."""
    rows, rejects, errors = folder / name, folder / "rejects", folder / "errors"
    for path in (rows, rejects, errors):
        path.write_text("old")
    refused = run("scan", folder / "nots", "-o", rows, "--rejects", rejects, "--errors", errors, *more)
    assert refused.exit_code == 2
    assert (rows.read_text(), rejects.read_text()) == ("old", "old")
    assert json.loads(errors.read_bytes())["path"] == str(folder / "nots")
    assert f"nothing could be read, so {rows} is not written" in refused.stderr
    assert names(folder) == sorted(["errors", name, "notes", "rejects"])


def test_rows_outlast_a_path_that_was_left_out(folder: Path) -> None:
    """A picture is no input, and the status says so."""
    rows, picture = folder.with_name("rows.jsonl"), folder / "picture"
    rows.write_text("old")
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    assert run("scan", picture, folder / "none", "-o", rows).exit_code == 2
    assert rows.read_text() == "old"


def test_no_file_of_rows_is_made_of_nothing(folder: Path) -> None:
    """Nor is a part file left, or a journal."""
    assert run("scan", folder / "none", "-o", folder / "rows.csv").exit_code == 2
    assert names(folder) == ["notes"]


@pytest.mark.parametrize("held", ["", "no URL\n"])
def test_what_was_read_and_holds_nothing_gives_no_rows(folder: Path, held: str) -> None:
    """That is a result: the old one is replaced."""
    rows = folder.with_name("rows.jsonl")
    rows.write_text("old")
    (folder / "notes").write_text(held)
    assert run("scan", folder, "-o", rows).exit_code == 1
    assert rows.read_text() == ""


def test_one_path_of_two_that_is_there_gives_rows(folder: Path) -> None:
    """With the trouble about the other one."""
    rows = folder.with_name("rows.jsonl")
    assert run("scan", folder / "none", folder / "notes", "-o", rows).exit_code == 2
    assert json.loads(rows.read_bytes())["url"] == "http://a.example/1"


@pytest.mark.parametrize("option", ["-o", "--rejects", "--errors"])
@pytest.mark.parametrize("how", ["itself", "symbolic", "hard", "named"])
def test_input_is_not_replaced(folder: Path, option: str, how: str) -> None:
    """By whatever name it is found in the folder, or from outside of it."""
    notes, output = folder / "notes", folder / "notes"
    if how == "symbolic":
        output = folder.with_name("link")
        output.symlink_to(notes)
    elif how == "hard":
        output = folder.with_name("link")
        output.hardlink_to(notes)
    elif how == "named":
        output = folder.with_name("outside")
        notes.rename(output)
        notes.symlink_to(output)
    before = output.read_bytes()
    refused = run("scan", folder, option, output, "--format", "jsonl")
    assert refused.exit_code == 2
    assert f"{output} lies in {folder}, which is read" in refused.stderr
    assert output.read_bytes() == before
    assert part_of(output).name not in names(output.parent)


def test_a_picture_among_the_input_is_not_replaced(folder: Path) -> None:
    """It is not read, but it is not ours either."""
    picture = folder / "picture"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    assert run("scan", folder, "-o", picture, "--format", "csv").exit_code == 2
    assert picture.read_bytes() == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("name", FORMATS)
def test_rows_among_the_input_are_written_anew(folder: Path, name: str) -> None:
    """They are known again, with their rejects and errors; the first time one of them is there and empty."""
    (folder / "dead").symlink_to("nowhere")
    (folder / name).touch()
    outputs = ("-o", folder / name, "--rejects", folder / "rejects", "--errors", folder / "errors")
    for _ in range(3):
        assert "1 URL," in run("scan", folder, *outputs).stderr


def test_a_list_of_urls_among_the_input_is_not_replaced(folder: Path) -> None:
    """Anybody may have written it."""
    (folder / "list").write_text("http://b.example/\nhttp://c.example/\n")
    for form in ("urls", "text"):
        assert run("scan", folder, "-o", folder / "list", "--format", form).exit_code == 2
    assert (folder / "list").read_text() == "http://b.example/\nhttp://c.example/\n"


def test_lines_about_something_else_are_not_replaced(folder: Path) -> None:
    """They look like rows, but tell of no file that is read."""
    (folder / "list").write_text("/elsewhere/notes:1: http://b.example/\n")
    assert run("scan", folder, "-o", folder / "list", "--format", "text").exit_code == 2


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
@pytest.mark.parametrize("mode", ["ab", "wb"])
def test_a_name_of_stdout_is_the_stream(folder: Path, name: str, mode: str) -> None:
    """What stands in the file to which it leads stays, and so does what is written behind."""
    log, link = folder.with_name("log"), folder.with_name("link")
    link.symlink_to("/dev/stdout")
    command = [*COMMAND, "scan", "notes", "--format", "urls", "-o"]
    with log.open(mode) as file:
        file.write(b"before\n")
        file.flush()
        inode = log.stat().st_ino
        done = subprocess.run(
            [*command, name if name.startswith("/") else str(link)],
            check=False,
            cwd=folder,
            stdout=file,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
        )
        assert (done.returncode, log.stat().st_ino) == (0, inode)
        os.lseek(file.fileno(), 0, os.SEEK_END)
        file.write(b"behind\n")
    assert log.read_text() == "before\nhttp://a.example/1\nbehind\n"
    assert names(folder) == ["notes"]


def test_a_descriptor_of_the_caller_is_the_stream_too(folder: Path) -> None:
    """As shells pass them; rejects and rows each have one."""
    command = 'exec 3>three; "$0" -m urlglean scan notes -o /dev/fd/3 --format urls --rejects /dev/stdout > rejects'
    subprocess.run(["/bin/sh", "-c", command, sys.executable], check=True, cwd=folder, env=ENVIRONMENT)
    assert (folder / "three").read_text() == "http://a.example/1\n"
    assert json.loads((folder / "rejects").read_bytes())["valid"] is False
    assert names(folder) == ["notes", "rejects", "three"]


def test_rejects_do_not_go_to_stdout_by_another_name(folder: Path) -> None:
    """The rows go there."""
    assert run("scan", folder / "notes", "--rejects", "/dev/stdout").exit_code == 2


@pytest.mark.parametrize("option", ["-o", "--rejects", "--errors"])
def test_the_names_that_a_scan_gives_its_own_files_are_refused(folder: Path, option: str) -> None:
    """The other scan would lose its rows, whichever begins first."""
    rows = folder.with_name("rows.jsonl")
    for name in (part_of(rows), journal_of(rows)):
        refused = run("scan", folder, option, name, "--format", "jsonl")
        assert refused.exit_code == 2
        assert "is what a scan calls its own files" in refused.stderr
        assert not name.exists()


@pytest.mark.parametrize("option", ["-o", "--rejects", "--errors"])
@pytest.mark.parametrize("name", ["loop", "loop/rows"])
def test_a_link_to_itself_is_refused(folder: Path, option: str, name: str) -> None:
    """Like all that cannot be written, in words."""
    (folder / "loop").symlink_to("loop")
    refused = run("scan", folder / "notes", option, folder / name, "--format", "jsonl")
    assert refused.exit_code == 2
    assert "is a symbolic link that leads to itself" in refused.stderr
