"""Which output goes to which stream or file, in which format, and that no output is also read."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from commands import COMMAND, ENVIRONMENT, notes, run
from urlglean.cli import main
from urlglean.pipeline import run as pipeline_run
from urlglean.pipeline.results import ChunkResult
from urlglean.pipeline.scan_task import ScanTask

__all__ = ["notes"]  # the fixture


def test_rows_go_to_stdout_and_the_summary_to_stderr(notes: Path) -> None:
    """Stdout has one line with place and URL for each finding; stderr has the counts."""
    result = run("scan", notes)
    assert result.exit_code == 0
    assert result.stdout == f"{notes}:1: http://a.example/1\n"
    assert result.stderr.startswith("urlglean: 1 URL, rejects not asked for, ")


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
            [*COMMAND, "scan"], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, check=False, env=ENVIRONMENT
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


def test_stdout_that_is_a_file_in_the_folder_is_not_read(notes: Path) -> None:
    """`urlglean scan . > rows.txt` does not find its own rows."""
    rows = notes.with_name("rows.txt")
    with rows.open("wb") as stream:
        done = subprocess.run(
            [*COMMAND, "scan", "-v", notes.parent],
            stdout=stream,
            stderr=subprocess.PIPE,
            check=False,
            env=ENVIRONMENT,
            text=True,
        )
    assert done.returncode == 0
    assert rows.read_text() == f"{notes}:1: http://a.example/1\n"
    assert f"{rows}: left out: it is being written\n" in done.stderr


@pytest.mark.parametrize("line", ["1: http://a.example/\n", "- my notes:1: http://a.example/\n"])
def test_lines_about_stdin_vouch_for_nothing(line: str, tmp_path: Path) -> None:
    """They do not say where they come from, so a file with something like them is not replaced."""
    held = tmp_path / "rows.txt"
    held.write_text(line)
    done = run("scan", "-", tmp_path, "-o", held, stdin="http://b.example/\n")
    assert done.exit_code == 2
    assert held.read_text() == line
