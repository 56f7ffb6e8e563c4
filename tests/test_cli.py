"""The command line: which output goes to which stream, and the exit statuses."""

import builtins
import importlib.metadata
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

import urlglean
from urlglean.cli import COMMANDS, main
from urlglean.grammar.codes import CODES
from urlglean.grammar.dialect_tables import DIALECTS
from urlglean.pipeline import run as pipeline_run
from urlglean.pipeline.results import ChunkResult
from urlglean.pipeline.scan_task import ScanTask
from urlglean.records import LEVELS

COMMAND = [sys.executable, "-m", "urlglean"]

# Keeps rows in stdout's buffer until it is flushed, wherever the tests run.
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def run(*arguments: object, stdin: str = "") -> Result:
    """Runs the command in this process."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A text with a URL on its first line and one that is rejected on its second."""
    path = tmp_path / "notes.txt"
    path.write_text("see http://a.example/1 here\n<URL:http://:x/>\n")
    return path


def test_rows_go_to_stdout_and_the_summary_to_stderr(notes: Path) -> None:
    """Stdout has one line with place and URL for each finding; stderr has the counts."""
    result = run("scan", notes)
    assert result.exit_code == 0
    assert result.stdout == f"{notes}:1: http://a.example/1\n"
    assert result.stderr.startswith("urlglean: 1 URL, rejects not asked for, ")


def test_scheme_and_www_find_further_urls() -> None:
    """`--scheme` and `--www` work for `scan` and `show`, and `show` says which scheme was assumed.

    Without them nothing is found.
    """
    text = "www.a.example/b or doi:10.1/c\n"
    options = ("--scheme", "doi", "--scheme", "x", "--www")
    result = run("scan", *options, stdin=text)
    first, second = result.stdout.splitlines()
    assert re.fullmatch(r"1: http://www\.a\.example/b  \(inferred, 0\.\d{3}\)", first)
    assert second == "1: doi:10.1/c"
    page = run("show", *options, "-", stdin=text).stdout.splitlines()
    assert page[1] == "⟦1 www.a.example/b⟧ or ⟦2 doi:10.1/c⟧"
    assert page[3] == "[1] http://www.a.example/b"
    assert page[5].split() == ["assumed", '"http://"', "no", "scheme", "stands", "there:", "a", "guess"]
    assert [line.split()[0] for line in page[6:] if line] == ["[2]", "found"]
    assert run("scan", stdin=text).exit_code == 1


def test_show_explains_the_line_end_behind_a_bare_host() -> None:
    """The evidence is shown for a host without a scheme as for any URL."""
    page = run("show", "--www", "-", stdin="www.a.example/b/\nc.html\n").stdout
    assert "    line end   " in page


@pytest.mark.parametrize("command", ["scan", "show"])
@pytest.mark.parametrize("name", ["ht tp", "", "1x", "git:"])
def test_an_impossible_scheme_name_is_refused(command: str, name: str) -> None:
    """The message states the rule, and nothing is read."""
    result = run(command, "--scheme", name, "-", stdin="http://a.example/\n")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "RFC 3986 3.1" in result.stderr


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


def test_the_format_follows_the_output_file(notes: Path) -> None:
    """A name in .jsonl gives JSON lines, and nothing goes to stdout."""
    rows = notes.with_name("rows.jsonl")
    result = run("scan", notes, "-o", rows)
    assert (result.exit_code, result.stdout) == (0, "")
    assert [json.loads(line)["url"] for line in rows.read_text().splitlines()] == ["http://a.example/1"]


def test_a_format_that_was_named_wins_over_the_ending(notes: Path) -> None:
    """`--format` overrides the ending of the file name."""
    rows = notes.with_name("rows.dat")
    assert run("scan", notes, "-o", rows, "--format", "jsonl").exit_code == 0
    assert json.loads(rows.read_text())["line"] == 1


def test_an_unknown_ending_is_wrong_use(notes: Path) -> None:
    """An unknown ending is refused, because no format fits the name."""
    rows = notes.with_name("rows.xls")
    result = run("scan", notes, "-o", rows)
    assert result.exit_code == 2
    assert "'.xls'" in result.stderr
    assert not rows.exists()


def test_rejects_have_a_file_of_their_own(notes: Path) -> None:
    """Rejected candidates are not among the rows, but in the file of `--rejects`, with their problems."""
    rejects = notes.with_name("rejects")
    result = run("scan", notes, "--rejects", rejects)
    assert result.stdout == f"{notes}:1: http://a.example/1\n"
    (rejected,) = map(json.loads, rejects.read_text().splitlines())
    assert (rejected["line"], rejected["valid"]) == (2, False)
    assert rejected["problems"]


def test_errors_have_a_file_of_their_own(notes: Path) -> None:
    """The file of `--errors` has each trouble with its place and cause, and nothing else."""
    errors, none = notes.with_name("errors"), notes.with_name("none.txt")
    result = run("scan", notes, none, "--errors", errors)
    assert result.exit_code == 2
    (error,) = map(json.loads, errors.read_text().splitlines())
    assert list(error) == ["path", "member", "message", "cause"]
    assert error["path"] == str(none)
    assert f"{none}: {error['cause']}\n" in result.stderr


def test_as_overrides_the_detected_kind(tmp_path: Path) -> None:
    """A mailbox of two messages is one message `--as message`, and one text `--as text`."""
    mbox = tmp_path / "mbox"
    mail = "From a@b.example Mon Dec 12 10:00:00 1994\nSubject: x\n\nhttp://{}.example/\n\n"
    mbox.write_text(mail.format("a") + mail.format("b"))
    assert ", 2 messages, 0 texts" in run("scan", mbox).stderr
    assert ", 1 message, 0 texts" in run("scan", "--as", "message", mbox).stderr
    assert ", 0 messages, 1 text," in run("scan", "--as", "text", mbox).stderr


def test_the_summary_counts_everything(notes: Path) -> None:
    """The summary counts findings, rejects, files, documents, parts, troubles, and what was left out."""
    folder = notes.parent / "folder"
    folder.mkdir()
    (folder / "a").write_bytes(b"\x89PNG")
    result = run("scan", notes, folder, notes.with_name("none"), "--rejects", notes.with_name("rejects"))
    counted = "1 URL, 1 rejected, 1 file, 0 messages, 1 text, 1 part, 1 trouble, 1 left out, 0.0 MB in "
    assert result.stderr.splitlines()[-1].startswith(f"urlglean: {counted}")


def test_tables_do_not_go_to_stdout(notes: Path) -> None:
    """A database cannot be written to stdout."""
    result = run("scan", notes, "--format", "sqlite")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "needs -o" in result.stderr


def test_a_header_comes_once(notes: Path) -> None:
    """The header of CSV is written once, before the first row, to stdout and to a file."""
    stdout = run("scan", notes, notes, "--format", "csv").stdout_bytes
    assert run("scan", notes, notes, "-o", notes.with_name("rows.csv")).exit_code == 0
    assert stdout == notes.with_name("rows.csv").read_bytes()
    assert [line.split(b",")[0] for line in stdout.splitlines()] == [b'"url"', *[b'"http://a.example/1"'] * 2]


def test_a_file_is_not_both_read_and_written(notes: Path) -> None:
    """An output that is also an input is refused before it is emptied, by whatever name it is given."""
    link = notes.with_name("link.txt")
    link.symlink_to(notes)
    before = notes.read_text()
    assert run("scan", notes, "-o", link).exit_code == 2
    assert run("scan", link, "--rejects", notes).exit_code == 2
    assert notes.read_text() == before


def test_stdin_is_not_the_output_either(notes: Path) -> None:
    """`urlglean scan <notes >>notes` is refused, because it would read its own output."""
    before = notes.read_text()
    with notes.open("rb") as stdin, notes.open("ab") as stdout:
        done = subprocess.run(
            [*COMMAND, "scan"], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, check=False, env=BUFFERED
        )
    assert done.returncode == 2
    assert notes.read_text() == before


def test_the_part_file_of_an_output_is_not_read_either(notes: Path) -> None:
    """A scan of `x.part` to `x` is refused, because it would empty its own input."""
    part = notes.with_name("x.part")
    part.write_text("http://a.example/\n")
    assert run("scan", part, "-o", notes.with_name("x")).exit_code == 2
    assert part.read_text() == "http://a.example/\n"


def test_two_outputs_are_not_one_file(notes: Path) -> None:
    """Rows and rejects in one file are refused, because they would overwrite each other."""
    rows = notes.with_name("rows.jsonl")
    result = run("scan", notes, "-o", rows, "--rejects", rows)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert not rows.exists()


def test_a_scan_of_the_folder_it_writes_to_leaves_its_rows_out(notes: Path) -> None:
    """A second run gives the same rows as the first, and does not read the rows of the first."""
    rows = notes.with_name("rows.txt")
    for _ in range(2):
        assert run("scan", notes.parent, "-o", rows).exit_code == 0
        assert rows.read_text().count("http://a.example/1") == 1


def test_format_urls_writes_one_url_a_line() -> None:
    """Stdout has one URL on each line and nothing else; the counts go to stderr."""
    result = CliRunner().invoke(
        main, ["scan", "-", "--format", "urls"], input="see http://a.example/1, http://b.example/-\n2\n"
    )
    assert result.stdout == "http://a.example/1\nhttp://b.example/-2\n"
    assert result.stderr.startswith("urlglean: 2 URLs, ")
    assert result.exit_code == 0


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


def test_ctrl_c_keeps_the_rows_so_far(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows so far are in the part file, which the message names; the output file does not exist."""
    scanned = pipeline_run.scanned

    def interrupted(paths: tuple[str, ...], task: ScanTask, how: pipeline_run.RunOptions) -> Iterator[ChunkResult]:
        yield from scanned(paths, task, how)
        raise KeyboardInterrupt

    monkeypatch.setattr("urlglean.cli.scan.scanned", interrupted)
    rows = notes.with_name("rows.jsonl")
    result = run("scan", notes, "-o", rows)
    assert result.exit_code == 130
    assert not rows.exists()
    assert json.loads(Path(f"{rows}.part").read_text())["url"] == "http://a.example/1"
    assert f"{rows}.part" in result.stderr


def test_an_output_that_cannot_be_made_is_trouble(notes: Path) -> None:
    """One line says why the output cannot be made."""
    result = run("scan", notes, "-o", notes.with_name("none") / "rows.txt")
    assert result.exit_code == 2
    assert result.stderr == f"urlglean: cannot write: {notes.with_name('none') / 'rows.txt'}: there is no such folder\n"


def test_a_dash_for_the_output_is_stdout(notes: Path) -> None:
    """`-o -` means stdout. `--rejects -` and `--errors -` are refused."""
    assert run("scan", notes, "-o", "-").stdout == run("scan", notes).stdout
    refused = run("scan", notes, "--rejects", "-")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--rejects and --errors need a file each" in refused.stderr


def test_a_closed_stdout_is_trouble_unless_rows_go_to_a_file(notes: Path) -> None:
    """If stdout is closed, rows for it would be lost."""
    shell = ["sh", "-c", '"$@" >&-', "sh", *COMMAND, "scan", str(notes)]
    closed = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert (closed.returncode, closed.stderr) == (2, "urlglean: cannot write stdout: it is closed\n")
    rows = notes.with_name("rows.txt")
    assert subprocess.run([*shell, "-o", str(rows)], capture_output=True, check=False).returncode == 0
    assert rows.read_text() == f"{notes}:1: http://a.example/1\n"


@pytest.mark.parametrize("name", DIALECTS)
def test_every_dialect_can_be_asked_for(name: str) -> None:
    """The choices of `--dialect` are the names of all dialects."""
    assert run("check", "--dialect", name, "ftp://host.example/").exit_code == 0


@pytest.mark.parametrize("name", LEVELS)
def test_every_level_of_joins_can_be_asked_for(name: str) -> None:
    """The choices of `--joins` are the names of all levels."""
    assert run("scan", "--joins", name, stdin="http://a.example/\n").exit_code == 0


@pytest.mark.parametrize(
    "arguments", [("scan", "--dialect", "rfc0"), ("check",), ("check", "--format", "csv", "a:b"), ("sing",)]
)
def test_bad_use_is_exit_status_two(arguments: tuple[str, ...]) -> None:
    """Wrong use gives a message on stderr and nothing on stdout."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: " in result.stderr


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


@pytest.mark.parametrize("name", DIALECTS)
def test_schemes_lists_what_a_dialect_knows(name: str) -> None:
    """`schemes` lists the schemes for people and as JSON lines; http is in all dialects."""
    result = run("schemes", "--dialect", name)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{name}: ")
    rows = [json.loads(line) for line in run("schemes", "--dialect", name, "--format", "jsonl").stdout.splitlines()]
    assert {row["dialect"] for row in rows} == {name}
    assert "http" in {row["scheme"] for row in rows}


def test_codes_lists_the_whole_table() -> None:
    """`codes` lists each code with its kind, source and meaning, for people and as JSON lines."""
    rows = [json.loads(line) for line in run("codes", "--format", "jsonl").stdout.splitlines()]
    assert rows == [
        {"code": row.name, "kind": row.kind, "source": row.source, "meaning": row.meaning} for row in CODES.values()
    ]
    result = run("codes")
    assert result.exit_code == 0
    shown = [re.split(r"  +", line.strip()) for line in result.stdout.splitlines() if line.startswith("  ")]
    assert shown == [[row.name, row.source, row.meaning] for row in CODES.values()]


def test_the_help_lists_each_command_with_what_it_does() -> None:
    """`--help` lists the commands in the order of the table."""
    listed = run("--help").stdout.partition("Commands:")[2].split("\n  ")[1:]
    assert [line.split()[0] for line in listed] == list(COMMANDS)


def test_the_version_is_that_of_the_distribution() -> None:
    """`--version` and the distribution's metadata have one source."""
    assert run("--version").stdout.split()[-1] == urlglean.__version__ == importlib.metadata.version("urlglean")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_the_exit_status_means(command: str) -> None:
    """The help of each command explains the exit status, because scripts depend on it."""
    assert "Exit status: 0 " in run(command, "--help").stdout


def test_a_pipe_that_closes_early_is_success(tmp_path: Path) -> None:
    """After `urlglean scan big | head -1` there is no message, and the exit status is 0."""
    big = tmp_path / "big.txt"
    big.write_text("http://a.example/\n" * 20_000)
    with subprocess.Popen(
        [*COMMAND, "scan", big], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=BUFFERED
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == f"{big}:1: http://a.example/\n".encode()
        process.stdout.close()
        messages = process.stderr.read()
    assert (process.returncode, messages) == (0, b"")


@pytest.mark.parametrize("arguments", [("scan", "-"), ("check", "http://a.example/")])
def test_a_pipe_that_was_never_read_is_success(arguments: tuple[str, ...]) -> None:
    """A few rows fail only when the stream is flushed; they do not fail again when the interpreter exits."""
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as pipe:  # noqa: PTH123  a descriptor has no Path
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=b"http://a.example/\n",
            stdout=pipe,
            stderr=subprocess.PIPE,
            check=False,
            env=BUFFERED,
        )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_trouble() -> None:
    """There is one message, the status is 2, and nothing fails again when the interpreter exits."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "scan"],
            input=b"http://a.example/\n",
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env=BUFFERED,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"urlglean: cannot write stdout: ")
    assert done.stderr.count(b"\n") == 1


def test_stdout_that_is_a_file_in_the_folder_is_not_read(notes: Path) -> None:
    """`urlglean scan . > rows.txt` does not find its own rows."""
    rows = notes.with_name("rows.txt")
    with rows.open("wb") as stream:
        done = subprocess.run(
            [*COMMAND, "scan", "-v", notes.parent],
            stdout=stream,
            stderr=subprocess.PIPE,
            check=False,
            env=BUFFERED,
            text=True,
        )
    assert done.returncode == 0
    assert rows.read_text() == f"{notes}:1: http://a.example/1\n"
    assert f"{rows}: left out: it is being written\n" in done.stderr


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

    def opened(path: str, mode: str) -> object:
        if path in refused:
            raise PermissionError(13, "Permission denied")
        return open_(path, mode)

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


@pytest.mark.parametrize("line", ["1: http://a.example/\n", "- my notes:1: http://a.example/\n"])
def test_lines_about_stdin_vouch_for_nothing(line: str, tmp_path: Path) -> None:
    """They do not say where they come from, so a file with something like them is not replaced."""
    held = tmp_path / "rows.txt"
    held.write_text(line)
    done = run("scan", "-", tmp_path, "-o", held, stdin="http://b.example/\n")
    assert done.exit_code == 2
    assert held.read_text() == line


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

    with answers.open("w") as out:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=asked()))
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


@pytest.mark.parametrize(
    ("variable", "value", "row"),
    [
        ("URLGLEAN_SCAN_FORMAT", "urls", "http://a.example/1"),
        ("URLGLEAN_SCAN_TIME_LIMIT", "no number", None),
        ("URLGLEAN_SCAN_COUNT", "1", "1"),
        ("URLGLEAN_SCAN_ONLY_SCHEME", "ftp news", ""),
        ("URLGLEAN_SCAN_HEADER", "0", "1: http://a.example/1"),
        ("URLGLEAN_CATALOG_JOBS", "0", "1: http://a.example/1"),
    ],
)
def test_each_option_has_an_environment_variable(variable: str, value: str, row: str | None) -> None:
    """It is named by command and option. A variable of another command has no effect."""
    done = CliRunner().invoke(main, ["scan"], input="http://a.example/1\n", env={variable: value})
    assert done.stdout.strip() == (row or "")
    assert (done.exit_code == 2) == (row is None)


def test_the_command_line_wins_over_the_environment() -> None:
    """As everywhere."""
    done = CliRunner().invoke(
        main, ["scan", "--format", "text"], input="http://a.example/1\n", env={"URLGLEAN_SCAN_FORMAT": "urls"}
    )
    assert done.stdout == "1: http://a.example/1\n"
