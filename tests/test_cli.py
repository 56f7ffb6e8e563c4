"""The command line as a whole: its options, their environment variables, wrong use, help, and the lists it prints."""

import importlib.metadata
import json
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import urlglean
from commands import run
from urlglean.cli import COMMANDS, main
from urlglean.grammar.codes import CODES
from urlglean.grammar.dialect_tables import DIALECTS
from urlglean.records import LEVELS


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


@pytest.mark.parametrize(
    ("variable", "value"),
    [("URLGLEAN_SCAN_JOBS", "two"), ("URLGLEAN_SCAN_COUNT", "perhaps"), ("URLGLEAN_SCAN_SINCE", "May")],
)
def test_an_error_in_a_variable_names_it(variable: str, value: str) -> None:
    """Nobody has typed the option. An error on the command line names the option all the same."""
    wrong = CliRunner().invoke(main, ["scan"], env={variable: value})
    assert wrong.exit_code == 2
    assert f"Invalid value for '{variable}': " in wrong.stderr
    typed = CliRunner().invoke(main, ["scan", "--jobs", "two"], env={"URLGLEAN_SCAN_JOBS": "2"})
    assert "Invalid value for '--jobs': " in typed.stderr


@pytest.mark.parametrize(
    ("variable", "told"),
    [
        ("URLGLEAN_SCAN_JOBB", True),
        ("URLGLEAN_SCNA_JOBS", True),
        ("URLGLEAN_JOBS", True),
        ("URLGLEAN_SCAN_JOBS", False),
        ("URLGLEAN_SEEDS_JOBS", False),  # the options of another command are not known
        ("URLGLEANER", False),
    ],
)
def test_a_misspelt_variable_is_told(variable: str, *, told: bool) -> None:
    """On stderr; nothing else changes."""
    done = CliRunner().invoke(main, ["scan"], input="http://a.example/1\n", env={variable: "1"})
    assert (done.exit_code, done.stdout) == (0, "1: http://a.example/1\n")
    assert (f"urlglean: no option has the environment variable '{variable}'\n" in done.stderr) == told
    assert (variable in done.stderr) == told


VALUED = [
    (name, parameter)
    for name in COMMANDS
    for command in [main.get_command(click.Context(main), name)]
    if command is not None
    for parameter in command.params
    if not getattr(parameter, "is_flag", False) and parameter.name != "urls"  # an empty URL can be judged
]


@pytest.mark.parametrize(
    ("command", "parameter"), VALUED, ids=[f"{command}-{parameter.name}" for command, parameter in VALUED]
)
def test_no_value_is_empty(
    command: str, parameter: click.Parameter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused by name before anything is read, as if it were a wrong number."""
    monkeypatch.chdir(tmp_path)
    found = main.get_command(click.Context(main), command)
    assert found is not None
    arguments = []
    for each in found.params:
        if each.required or each.name == parameter.name:
            value = "" if each.name == parameter.name else "a"
            arguments += [value] if isinstance(each, click.Argument) else [each.opts[0], value]
    done = run(command, *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"Invalid value for {parameter.get_error_hint(click.Context(found))}: " in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_output_file(tmp_path: Path) -> None:
    """Also one that is not there yet: a file without the slash would surprise."""
    done = run("scan", "-o", f"{tmp_path}/new/")
    assert (done.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert "names a folder" in done.stderr


def test_the_command_line_wins_over_the_environment() -> None:
    """As everywhere."""
    done = CliRunner().invoke(
        main, ["scan", "--format", "text"], input="http://a.example/1\n", env={"URLGLEAN_SCAN_FORMAT": "urls"}
    )
    assert done.stdout == "1: http://a.example/1\n"


def test_contradictions_name_the_variables_that_make_them() -> None:
    """Nobody sees options that come from the environment."""
    made = CliRunner(env={"URLGLEAN_SCAN_QUIET": "1"}).invoke(main, ["scan", "-v"])
    assert made.exit_code == 2
    assert "-q prints no messages, -v prints more of them. " in made.stderr
    assert made.stderr.endswith("Options come from the environment too: URLGLEAN_SCAN_QUIET.\n")
    assert "environment" not in CliRunner().invoke(main, ["scan", "-v", "-q"]).stderr


def test_numbers_out_of_range_are_told_as_they_were_given() -> None:
    """With the range in words."""
    for option, value, told in (
        ("--least", "2", "2 is no number from 0 to 1."),
        ("--time-limit", "-1", "-1 is no number from 0 on."),
    ):
        made = CliRunner().invoke(main, ["scan", option, value])
        assert made.exit_code == 2
        assert f"Invalid value for '{option}': {told}\n" in made.stderr


def test_only_files_can_be_begun_anew(tmp_path: Path) -> None:
    """Without one there is nothing to throw away."""
    refused = CliRunner().invoke(main, ["scan", "--overwrite"], input="http://a.example/")
    assert refused.exit_code == 2
    assert "--overwrite is for files that are written" in refused.stderr
    begun = CliRunner().invoke(
        main, ["scan", "--overwrite", "--errors", str(tmp_path / "e")], input="http://a.example/"
    )
    assert begun.exit_code == 0
