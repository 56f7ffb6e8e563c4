"""The command: what goes to which stream, and what the exit status says."""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import urlglean
from urlglean.cli import COMMANDS, main
from urlglean.grammar.codes import CODES
from urlglean.grammar.dialect_tables import DIALECTS
from urlglean.pipeline import run as pipeline_run
from urlglean.pipeline.chunk_result import ChunkResult, ScanTask
from urlglean.records import LEVELS

COMMAND = [sys.executable, "-m", "urlglean"]

# Rows wait in stdout's buffer until it is flushed, wherever the tests run.
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def run(*arguments: object, stdin: str = "") -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A text with a URL on its first line and one that is rejected on its second."""
    path = tmp_path / "notes.txt"
    path.write_text("see http://a.example/1 here\n<URL:http://:x/>\n")
    return path


def test_rows_go_to_stdout_and_the_summary_to_stderr(notes: Path) -> None:
    """Place and URL, one line each; counts apart."""
    result = run("scan", notes)
    assert result.exit_code == 0
    assert result.stdout == f"{notes}:1: http://a.example/1\n"
    assert result.stderr.startswith("urlglean: 1 URL, rejects not asked for, ")


def test_schemes_of_ones_own_and_hosts_without_one_are_looked_for_where_asked() -> None:
    """By `scan` and by `show`, which tells what was put before; nothing of it without the options."""
    text = "www.a.example/b or doi:10.1/c\n"
    options = ("--scheme", "doi", "--scheme", "x", "--www")
    result = run("scan", *options, stdin=text)
    first, second = result.stdout.splitlines()
    assert re.fullmatch(r"-:1: http://www\.a\.example/b  \(inferred, 0\.\d{3}\)", first)
    assert second == "-:1: doi:10.1/c"
    page = run("show", *options, "-", stdin=text).stdout.splitlines()
    assert page[1] == "⟦1 www.a.example/b⟧ or ⟦2 doi:10.1/c⟧"
    assert page[3] == "[1] http://www.a.example/b"
    assert page[5].split() == ["assumed", '"http://"', "no", "scheme", "stands", "there:", "a", "guess"]
    assert [line.split()[0] for line in page[6:] if line] == ["[2]", "found"]
    assert run("scan", stdin=text).exit_code == 1


def test_the_line_end_behind_a_host_is_told() -> None:
    """What was weighed is told for a host without a scheme as for any URL."""
    page = run("show", "--www", "-", stdin="www.a.example/b/\nc.html\n").stdout
    assert "    line end   " in page


@pytest.mark.parametrize("command", ["scan", "show"])
@pytest.mark.parametrize("name", ["ht tp", "", "1x", "git:"])
def test_what_can_be_no_schemes_name_is_refused(command: str, name: str) -> None:
    """With the rule, before anything is read."""
    result = run(command, "--scheme", name, "-", stdin="http://a.example/\n")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "RFC 3986 3.1" in result.stderr


@pytest.mark.parametrize("arguments", [("scan",), ("scan", "-")])
def test_stdin_is_read_for_a_dash_or_no_path(arguments: tuple[str, ...]) -> None:
    """As every filter does."""
    result = run(*arguments, stdin="http://a.example/\n")
    assert (result.exit_code, result.stdout) == (0, "-:1: http://a.example/\n")


def test_no_url_is_exit_status_one() -> None:
    """As grep has it."""
    result = run("scan", stdin="good news: the end\n")
    assert (result.exit_code, result.stdout) == (1, "")


def test_trouble_wins_over_what_was_found(notes: Path) -> None:
    """What was found is printed all the same, and the trouble names its path."""
    result = run("scan", notes, notes.with_name("none.txt"))
    assert result.exit_code == 2
    assert "http://a.example/1" in result.stdout
    assert f"{notes.with_name('none.txt')}: " in result.stderr


def test_the_format_follows_the_output_file(notes: Path) -> None:
    """JSON lines for .jsonl; nothing on stdout."""
    rows = notes.with_name("rows.jsonl")
    result = run("scan", notes, "-o", rows)
    assert (result.exit_code, result.stdout) == (0, "")
    assert [json.loads(line)["url"] for line in rows.read_text().splitlines()] == ["http://a.example/1"]


def test_a_format_that_was_named_wins_over_the_ending(notes: Path) -> None:
    """--format is the last word."""
    rows = notes.with_name("rows.dat")
    assert run("scan", notes, "-o", rows, "--format", "jsonl").exit_code == 0
    assert json.loads(rows.read_text())["line"] == 1


def test_an_ending_of_no_format_is_bad_use(notes: Path) -> None:
    """Rather than rows in a format that the name does not promise."""
    rows = notes.with_name("rows.xls")
    result = run("scan", notes, "-o", rows)
    assert result.exit_code == 2
    assert "'.xls'" in result.stderr
    assert not rows.exists()


def test_rejects_have_a_file_of_their_own(notes: Path) -> None:
    """They are no findings: not printed among the rows, but kept with their problems."""
    rejects = notes.with_name("rejects")
    result = run("scan", notes, "--rejects", rejects)
    assert result.stdout == f"{notes}:1: http://a.example/1\n"
    (rejected,) = map(json.loads, rejects.read_text().splitlines())
    assert (rejected["line"], rejected["valid"]) == (2, False)
    assert rejected["problems"]


def test_errors_have_a_file_of_their_own(notes: Path) -> None:
    """What could not be read, with its place and cause, and nothing else."""
    errors, none = notes.with_name("errors"), notes.with_name("none.txt")
    result = run("scan", notes, none, "--errors", errors)
    assert result.exit_code == 2
    (error,) = map(json.loads, errors.read_text().splitlines())
    assert list(error) == ["path", "member", "message", "cause"]
    assert error["path"] == str(none)
    assert f"{none}: {error['cause']}\n" in result.stderr


def test_a_kind_that_was_named_wins_over_what_a_file_looks_like(tmp_path: Path) -> None:
    """As one message, a mailbox of two is one; as text it is none."""
    mbox = tmp_path / "mbox"
    mail = "From a@b.example Mon Dec 12 10:00:00 1994\nSubject: x\n\nhttp://{}.example/\n\n"
    mbox.write_text(mail.format("a") + mail.format("b"))
    assert ", 2 messages, 0 texts" in run("scan", mbox).stderr
    assert ", 1 message, 0 texts" in run("scan", "--as", "message", mbox).stderr
    assert ", 0 messages, 1 text," in run("scan", "--as", "text", mbox).stderr


def test_the_summary_counts_what_went_by(notes: Path) -> None:
    """Findings, rejects, files, documents, parts, troubles, and what was left out."""
    folder = notes.parent / "folder"
    folder.mkdir()
    (folder / "a").write_bytes(b"\x89PNG")
    result = run("scan", notes, folder, notes.with_name("none"), "--rejects", notes.with_name("rejects"))
    counted = "1 URL, 1 rejected, 1 file, 0 messages, 1 text, 1 part, 1 trouble, 1 left out, 0.0 MB in "
    assert result.stderr.splitlines()[-1].startswith(f"urlglean: {counted}")


def test_tables_do_not_go_to_stdout(notes: Path) -> None:
    """A database is a file."""
    result = run("scan", notes, "--format", "sqlite")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "needs -o" in result.stderr


def test_a_header_comes_once(notes: Path) -> None:
    """Before the first row, on stdout as in a file."""
    stdout = run("scan", notes, notes, "--format", "csv").stdout_bytes
    assert run("scan", notes, notes, "-o", notes.with_name("rows.csv")).exit_code == 0
    assert stdout == notes.with_name("rows.csv").read_bytes()
    assert [line.split(b",")[0] for line in stdout.splitlines()] == [b'"url"', *[b'"http://a.example/1"'] * 2]


def test_a_file_is_not_both_read_and_written(notes: Path) -> None:
    """Nor is it emptied before that is found out, by whatever name it is called."""
    link = notes.with_name("link.txt")
    link.symlink_to(notes)
    before = notes.read_text()
    assert run("scan", notes, "-o", link).exit_code == 2
    assert run("scan", link, "--rejects", notes).exit_code == 2
    assert notes.read_text() == before


def test_stdin_is_not_the_output_either(notes: Path) -> None:
    """`urlglean scan <notes >>notes` would read what it writes."""
    before = notes.read_text()
    with notes.open("rb") as stdin, notes.open("ab") as stdout:
        done = subprocess.run(
            [*COMMAND, "scan"], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, check=False, env=BUFFERED
        )
    assert done.returncode == 2
    assert notes.read_text() == before


def test_the_part_file_of_an_output_is_not_read_either(notes: Path) -> None:
    """A scan of `x.part` into `x` would empty its own input."""
    part = notes.with_name("x.part")
    part.write_text("http://a.example/\n")
    assert run("scan", part, "-o", notes.with_name("x")).exit_code == 2
    assert part.read_text() == "http://a.example/\n"


def test_two_outputs_are_not_one_file(notes: Path) -> None:
    """Rows and rejects would overwrite each other."""
    rows = notes.with_name("rows.jsonl")
    result = run("scan", notes, "-o", rows, "--rejects", rows)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert not rows.exists()


def test_a_scan_of_the_folder_it_writes_to_leaves_its_rows_out(notes: Path) -> None:
    """A second run finds what the first did, and not the first one's rows."""
    rows = notes.with_name("rows.txt")
    for _ in range(2):
        assert run("scan", notes.parent, "-o", rows).exit_code == 0
        assert rows.read_text().count("http://a.example/1") == 1


def test_urls_alone_are_for_pipes() -> None:
    """One a line and nothing else; the counts go to stderr."""
    result = CliRunner().invoke(
        main, ["scan", "-", "--format", "urls"], input="see http://a.example/1, http://b.example/-\n2\n"
    )
    assert result.stdout == "http://a.example/1\nhttp://b.example/-2\n"
    assert result.stderr.startswith("urlglean: 2 URLs, ")
    assert result.exit_code == 0


def test_verbose_says_what_each_path_was_taken_for(notes: Path) -> None:
    """And what was left out, and why."""
    rows = notes.with_name("rows.txt")
    result = run("scan", notes.parent, "-v", "-o", rows)
    assert f"{notes}: taken for plain text\n" in result.stderr
    assert f"{rows}.part: left out: it is being written\n" in result.stderr


def test_a_hostile_file_name_does_not_reach_the_terminal(tmp_path: Path) -> None:
    """Neither as the place of a row nor in a message."""
    path = tmp_path / "\x1b[31m.txt"
    path.write_text("http://a.example/\n")
    result = run("scan", "-v", path, tmp_path / "\x1b[32m")
    assert "\x1b" not in result.stdout + result.stderr
    assert r"\x1b[31m" in result.stdout
    assert r"\x1b[32m" in result.stderr


def test_ctrl_c_keeps_the_rows_so_far(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the part file, which the message names; the output file is not there."""
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
    """One line says why."""
    result = run("scan", notes, "-o", notes.with_name("none") / "rows.txt")
    assert result.exit_code == 2
    assert result.stderr == f"urlglean: cannot write: {notes.with_name('none') / 'rows.txt'}: there is no such folder\n"


def test_a_dash_for_the_output_is_stdout(notes: Path) -> None:
    """As it is stdin among the paths; rejects and errors have no place there."""
    assert run("scan", notes, "-o", "-").stdout == run("scan", notes).stdout
    refused = run("scan", notes, "--rejects", "-")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--rejects and --errors need a file each" in refused.stderr


def test_a_closed_stdout_is_trouble_unless_rows_go_to_a_file(notes: Path) -> None:
    """Nobody would see them."""
    shell = ["sh", "-c", '"$@" >&-', "sh", *COMMAND, "scan", str(notes)]
    closed = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert (closed.returncode, closed.stderr) == (2, "urlglean: cannot write stdout: it is closed\n")
    rows = notes.with_name("rows.txt")
    assert subprocess.run([*shell, "-o", str(rows)], capture_output=True, check=False).returncode == 0
    assert rows.read_text() == f"{notes}:1: http://a.example/1\n"


@pytest.mark.parametrize("name", DIALECTS)
def test_every_dialect_can_be_asked_for(name: str) -> None:
    """The choices are the judge's own names."""
    assert run("check", "--dialect", name, "ftp://host.example/").exit_code == 0


@pytest.mark.parametrize("name", LEVELS)
def test_every_level_of_joins_can_be_asked_for(name: str) -> None:
    """The choices are the joins' own names."""
    assert run("scan", "--joins", name, stdin="http://a.example/\n").exit_code == 0


@pytest.mark.parametrize(
    "arguments", [("scan", "--dialect", "rfc0"), ("check",), ("check", "--format", "csv", "a:b"), ("sing",)]
)
def test_bad_use_is_exit_status_two(arguments: tuple[str, ...]) -> None:
    """With a message, and nothing on stdout."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: " in result.stderr


def test_check_shows_the_parts_of_a_valid_url() -> None:
    """Each part that is there, by its name; the slash before a path is no part of it (RFC 1738 3.1)."""
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
    """One invalid URL makes the exit status 1, and a caret stands under the space in it."""
    result = run("check", "http://a.example/", "http://a.example/b c")
    assert result.exit_code == 1
    excerpt, ruler = result.stdout.splitlines()[-2:]
    assert excerpt == "  http://a.example/b c"
    assert ruler[excerpt.rindex(" ")] == "^"


def test_check_writes_json_lines_too() -> None:
    """One object a URL, in the order given."""
    result = run("check", "--format", "jsonl", "http://a.example/", "http://:x/")
    assert result.exit_code == 1
    assert [json.loads(line)["valid"] for line in result.stdout.splitlines()] == [True, False]


@pytest.mark.parametrize("name", DIALECTS)
def test_schemes_lists_what_a_dialect_knows(name: str) -> None:
    """For people and as JSON lines; http is in all of them."""
    result = run("schemes", "--dialect", name)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{name}: ")
    rows = [json.loads(line) for line in run("schemes", "--dialect", name, "--format", "jsonl").stdout.splitlines()]
    assert {row["dialect"] for row in rows} == {name}
    assert "http" in {row["scheme"] for row in rows}


def test_codes_lists_the_whole_table() -> None:
    """For people and as JSON lines: each code with its kind, its source and its meaning."""
    rows = [json.loads(line) for line in run("codes", "--format", "jsonl").stdout.splitlines()]
    assert rows == [
        {"code": row.name, "kind": row.kind, "source": row.source, "meaning": row.meaning} for row in CODES.values()
    ]
    result = run("codes")
    assert result.exit_code == 0
    shown = [re.split(r"  +", line.strip()) for line in result.stdout.splitlines() if line.startswith("  ")]
    assert shown == [[row.name, row.source, row.meaning] for row in CODES.values()]


def test_the_help_lists_each_command_with_what_it_does() -> None:
    """In the order of the table."""
    listed = run("--help").stdout.partition("Commands:")[2].split("\n  ")[1:]
    assert [line.split()[0] for line in listed] == list(COMMANDS)


def test_the_version_is_that_of_the_distribution() -> None:
    """It is written in one place, from which the distribution's metadata are made."""
    assert run("--version").stdout.split()[-1] == urlglean.__version__ == importlib.metadata.version("urlglean")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_the_exit_status_means(command: str) -> None:
    """Scripts depend on it."""
    assert "Exit status: 0 " in run(command, "--help").stdout


def test_a_pipe_that_closes_early_is_success(tmp_path: Path) -> None:
    """`urlglean scan big | head -1` has got what it wanted: no message, exit status 0."""
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
    """A row or two fail only when the stream is flushed, and not a second time when the interpreter exits."""
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
    """One message, exit status 2, and no second failure when the interpreter exits."""
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
    """A file that holds no text."""
    path = tmp_path / "a.gif"
    path.write_bytes(b"GIF89a")
    return path


@pytest.mark.parametrize("command", ["scan", "show"])
def test_a_path_that_was_named_and_left_out_is_told(picture: Path, command: str) -> None:
    """With the reason and without -v; and nothing else was asked for."""
    result = run(command, picture)
    assert result.exit_code == 2
    assert f"urlglean: {picture}: left out: an image\n" in result.stderr


@pytest.mark.parametrize("command", ["scan", "show"])
def test_stdin_that_was_left_out_is_told(command: str) -> None:
    """It was named, or asked for by naming nothing."""
    result = run(command, "-", stdin="%PDF-1.3\n")
    assert result.exit_code == 2
    assert "urlglean: -: left out: a PDF document\n" in result.stderr


def test_the_rest_decides_where_not_all_was_left_out(picture: Path, notes: Path) -> None:
    """Both paths are told; the status is that of what was read."""
    result = run("scan", picture, notes)
    assert (result.exit_code, "left out: an image" in result.stderr) == (0, True)
    notes.write_text("good news: the end\n")
    assert run("scan", picture, notes).exit_code == 1
    notes.write_bytes(b"%PDF-1.3\n")
    result = run("scan", picture, notes)
    assert (result.exit_code, result.stderr.count(": left out: ")) == (2, 2)


def test_what_is_left_out_of_a_folder_or_an_archive_is_not_told(picture: Path) -> None:
    """Nobody named it; -v tells it."""
    archive = picture.with_name("b.zip")
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a.gif", b"GIF89a")
    for path in (picture.parent, archive):
        result = run("scan", path)
        assert (result.exit_code, ": left out: " in result.stderr) == (1, False)
        assert ": left out: an image" in run("scan", "-v", path).stderr


def test_an_empty_file_is_no_trouble(tmp_path: Path) -> None:
    """As grep has it: nothing is found in it."""
    (tmp_path / "empty").touch()
    result = run("scan", tmp_path / "empty")
    assert (result.exit_code, ": left out: " in result.stderr) == (1, False)


def test_a_path_that_may_not_be_read_keeps_no_other_from_being_read(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a trouble like any, with its place, not wrong use."""
    folder, file = notes.with_name("folder"), notes.with_name("file")
    folder.mkdir()
    file.touch()
    refused = {str(folder), str(file)}
    access, scandir, open_ = os.access, os.scandir, Path.open

    def may(path: str, mode: int) -> bool:
        return path not in refused and access(path, mode)

    def listed(path: str) -> object:
        if path in refused:
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    def opened(path: Path, mode: str) -> object:
        if str(path) in refused:
            raise PermissionError(13, "Permission denied")
        return open_(path, mode)

    monkeypatch.setattr(os, "access", may)
    monkeypatch.setattr(os, "scandir", listed)
    monkeypatch.setattr(Path, "open", opened)
    result = run("scan", folder, file, notes)
    assert result.exit_code == 2
    assert result.stderr.count(": Permission denied\n") == 2
    assert f"urlglean: {folder}: Permission denied\n" in result.stderr
    assert f"urlglean: {file}: Permission denied\n" in result.stderr
    assert result.stdout == f"{notes}:1: http://a.example/1\n"
