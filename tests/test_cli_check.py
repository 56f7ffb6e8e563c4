"""`urlglean check`: its verdicts for people and as JSON lines, URLs from stdin, colours."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from commands import COMMAND, run
from urlglean.cli import main


def test_check_shows_the_parts_of_a_valid_url() -> None:
    """Each part that is present is shown with its name; the slash before a path is not part of it (RFC 1738 3.1)."""
    result = run("check", "--dialect", "rfc1738", "http://host.example:8080/x?y")
    assert result.exit_code == 0
    shown = [line.split() for line in result.stdout.splitlines()[1:]]
    assert [pair for pair in shown if pair[0] != "caution"] == [
        ["scheme", "http"],
        ["host", "host.example"],
        ["port", "8080"],
        ["path", "x"],
        ["search", "y"],
    ]


def test_check_points_at_what_is_wrong() -> None:
    """One invalid URL makes the exit status 1, and a caret is under the space in it."""
    result = run("check", "http://a.example/", "http://a.example/b c")
    assert result.exit_code == 1
    excerpt, ruler = result.stdout.splitlines()[-2:]
    assert excerpt == "  http://a.example/b c"
    assert ruler[excerpt.rindex(" ")] == "^"


def test_check_writes_json_lines_too() -> None:
    """`--format jsonl` gives one object for each URL, in the given order."""
    result = run("check", "--format", "jsonl", "http://a.example/", "http://:x/")
    assert result.exit_code == 1
    assert [json.loads(line)["valid"] for line in result.stdout.splitlines()] == [True, False]


def test_check_judges_the_urls_of_stdin() -> None:
    """One a line, in the place of the dash; an empty line is no URL, and no blank is taken away."""
    given = "http://a.example/\r\n\nhttp://b.example/ \nhttp://c.example/"
    done = run("check", "--format", "jsonl", "ftp://z.example/", "-", stdin=given)
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(each["url"], each["valid"]) for each in verdicts] == [
        ("ftp://z.example/", True),
        ("http://a.example/", True),
        ("http://b.example/ ", False),
        ("http://c.example/", True),
    ]
    assert done.exit_code == 1
    assert run("check", "-", stdin="http://a.example/\n").exit_code == 0


def test_check_reads_what_scan_writes(tmp_path: Path) -> None:
    """`urlglean scan --format urls | urlglean check -`."""
    path = tmp_path / "a.txt"
    path.write_text("http://a.example/ and http://b.example/x|y\n")
    urls = run("scan", "--format", "urls", path).stdout
    assert run("check", "-", stdin=urls).exit_code == 1
    strict = run("scan", "--strict", "--format", "urls", path).stdout
    assert run("check", "-", stdin=strict).exit_code == 0


def test_check_refuses_a_line_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be held in memory as a whole. The lines before it are judged."""
    monkeypatch.setattr("urlglean.cli.check._LONGEST", 100)
    done = run("check", "-", stdin="http://a.example/\n" + "a" * 200)
    assert done.exit_code == 2
    assert "http://a.example/" in done.stdout
    assert "stdin: a line is longer than 100 bytes" in done.stderr


def test_check_without_stdin_says_so() -> None:
    """It was closed before the command started."""
    done = subprocess.run([*COMMAND, "check", "-"], preexec_fn=lambda: os.close(0), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (2, b"urlglean: stdin is closed\n")


def test_check_answers_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program may ask one URL after the other."""
    answers = tmp_path / "answers"

    def asked() -> Iterator[bytes]:
        yield b"http://a.example/\n"
        assert answers.read_bytes().startswith(b"http://a.example/: valid by current\n")
        yield b"http://b.example/\n"

    lines = asked()
    with answers.open("w") as out:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(readline=lambda _: next(lines, b""))))
        monkeypatch.setattr(sys, "stdout", out)
        with pytest.raises(SystemExit) as ended:
            main(["check", "-"])
    assert ended.value.code == 0
    assert b"http://b.example/: valid" in answers.read_bytes()


@pytest.mark.parametrize(("variable", "coloured"), [(None, True), ("", True), ("1", False)])
def test_check_honours_no_color(variable: str | None, coloured: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001
    """https://no-color.org: present and not empty."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    if variable is not None:
        monkeypatch.setenv("NO_COLOR", variable)
    monkeypatch.setattr("urlglean.cli.check.at_terminal", lambda: True)
    shown = CliRunner().invoke(main, ["check", "http://a.example/"], color=True).stdout
    assert ("\x1b[" in shown) == coloured
