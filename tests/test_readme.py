"""README.md and docs/ are right: examples are run, tables are compared, and `.ci/run` has the README's commands."""

import doctest
import importlib
import inspect
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing
from operator import attrgetter
from pathlib import Path

import click
import pytest

import urlglean
from urlglean.bounds import DEFAULT, Bounds
from urlglean.cli import main
from urlglean.columns import COLUMNS
from urlglean.grammar.dialect_tables import DIALECTS
from urlglean.output import FORMATS
from urlglean.output.schemes import markdown

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted((ROOT / "docs").glob("*.md"))
MANUAL = "\n".join([README, *(page.read_text(encoding="utf-8") for page in PAGES)])
COMMAND_HEADINGS = re.findall(r"^### (`urlglean .*)$", MANUAL, re.MULTILINE)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def blocks(language: str) -> list[str]:
    """The contents of the fenced blocks in a language, the README's first."""
    return re.findall(rf"^```{language}\n(.*?)^```$", MANUAL, re.MULTILINE | re.DOTALL)


def table(heading: str) -> list[list[str]]:
    """The rows of the first table under a heading, without its head; each cell as written."""
    section = re.split(rf"^##+ {re.escape(heading)}\n", MANUAL, flags=re.MULTILINE)[1]
    rows = re.search(r"(?:^\|.*\n)+", section, re.MULTILINE)
    assert rows is not None
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows.group().splitlines()[2:]]


def names(cell: str) -> list[str]:
    """The texts in backquotes in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def first_names(heading: str) -> list[str]:
    """The texts in backquotes in the first column of the table under a heading."""
    return [name for row in table(heading) for name in names(row[0])]


def test_python_examples_print_the_documented_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """All `pycon` blocks are one session, and each gives the output under its prompts."""
    monkeypatch.chdir(ROOT)
    examples = doctest.DocTestParser().get_doctest("".join(blocks("pycon")), {}, "README.md", "README.md", 0)
    assert len(examples.examples) > 10
    said: list[str] = []
    assert doctest.DocTestRunner().run(examples, out=said.append).failed == 0, "".join(said)


def arguments(function: Callable[..., object]) -> list[tuple[str, object, object]]:
    """The names, kinds and defaults of a function's parameters."""
    return [(each.name, each.kind, each.default) for each in inspect.signature(function).parameters.values()]


@pytest.mark.parametrize(
    "function",
    [urlglean.extract, urlglean.extract_many, urlglean.extract_message, urlglean.scan, urlglean.validate],
    ids=lambda function: str(function.__name__),
)
def test_calls_have_the_arguments_of_the_functions(function: Callable[..., object]) -> None:
    """The README's `name(arguments)` has the function's own names, kinds and defaults, in their order."""
    told = re.search(rf"^`{function.__name__}\((.+?)\)`", MANUAL, re.MULTILINE)
    assert told is not None
    assert arguments(function) == arguments(eval(f"lambda {told[1]}: None"))


@pytest.mark.parametrize("block", blocks("python"))
def test_examples_with_other_packages_run(
    block: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every `python` block prints something, if the packages that it imports are installed."""
    monkeypatch.chdir(ROOT)
    for names_imported in re.findall(r"^import (.*)$", block, re.MULTILINE):
        for package in names_imported.split(", "):
            pytest.importorskip(package)
    exec(block, {})
    assert capsys.readouterr().out.count("\n") > 3


@pytest.mark.parametrize("row", table("Joining"), ids=lambda row: str(row[0]))
def test_joins_are_read_as_the_table_says(row: list[str]) -> None:
    """The text in the first column gives the URL and the rivals in the second; an arrow is a line end."""
    written, read, _because = row
    (found,) = urlglean.extract(written.replace("`", "").replace("⏎", "\n"))
    assert [found.url, *found.rivals] == names(read)


@pytest.mark.parametrize("row", table("Wrappers"), ids=lambda row: str(row[0]))
def test_wrappers_are_called_as_the_table_says(row: list[str]) -> None:
    """The example of each wrapper gives a finding with that wrapper."""
    (found,) = urlglean.extract(names(row[1])[0])
    assert [found.wrapper] == names(row[0])


@pytest.mark.parametrize("block", blocks("console"))
def test_console_examples_print_the_documented_output(block: str) -> None:
    """Every `console` block is a command and its stdout; "..." stands for anything."""
    command, _, output = block.partition("\n")
    program, *arguments = shlex.split(command.removeprefix("$ "))
    assert program == "urlglean"
    run = [sys.executable, "-m", program, *arguments]
    printed = subprocess.run(run, cwd=ROOT, capture_output=True, check=False).stdout.decode().rstrip("\n") + "\n"
    assert doctest.OutputChecker().check_output(output, printed, doctest.ELLIPSIS), printed


def test_the_example_before_and_after_is_right() -> None:
    """The text under "Before" gives the URLs under "After", and no others."""
    before, after = blocks("text")[:2]
    assert [found.url for found in urlglean.extract(before)] == [line.split()[0] for line in after.splitlines()]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """The catalogue of the sample mail."""
    path = tmp_path_factory.mktemp("rows") / "urls.db"
    run = [sys.executable, "-m", "urlglean", "catalog", str(path), "corpus/mail"]
    subprocess.run(run, cwd=ROOT, capture_output=True, check=True)
    with closing(sqlite3.connect(path)) as connection:
        yield connection


@pytest.mark.parametrize("block", blocks("sql"))
def test_queries_give_the_rows_below_them(block: str, database: sqlite3.Connection) -> None:
    """Each statement of an `sql` block ends in ";". The comments behind it are its rows, as sqlite3 prints them."""
    examples = re.findall(r"((?:(?!-- ).*\n)+)((?:-- .*\n)+)", block)
    assert examples
    for statement, told in examples:
        given = ["|".join(map(str, row)) for row in database.execute(statement)]
        assert given == [line.removeprefix("-- ") for line in told.splitlines()]


def test_the_counts_are_explained() -> None:
    """The table names each count in the line of a run with all options that add counts."""
    options = ["--least", "0.5", "--rejects", os.devnull]
    options += ["--only-scheme", "http", "--unique", "--since", "1994", "--no-header"]
    run = [sys.executable, "-m", "urlglean", "scan", "-", *options]
    text = "From: a@b.example\nDate: Sat, 1 Jan 1994 10:00:00 GMT\n\nhttp://a.example/ http://a.example/[a]/b "
    said = subprocess.run(run, input=text, capture_output=True, text=True, check=True).stderr
    counts = [re.sub(r"[\d.,()]+|current", "", part).split() for part in said.partition(": ")[2].split(", ")]
    told = [re.sub(r"\b[PD]$", "", name).split() for name in first_names("Counts")]
    singular: dict[tuple[str, ...], list[str]] = {
        ("URL",): ["URLs"],
        ("text",): ["texts"],
        ("part",): ["parts"],
        ("file",): ["files"],
        ("message",): ["messages"],
    }
    assert [singular.get(tuple(count), count) for count in counts[: len(told)]] == told


def test_ci_runs_the_readmes_test_command() -> None:
    """`.ci/run` has the README's second command word for word, before anything else that may fail."""
    _scan, tests = blocks("sh")[:2]
    commands = [line.strip() for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()]
    assert commands.index(tests.strip()) < commands.index(".venv/bin/ruff check")


def test_the_readme_opens_with_its_two_commands() -> None:
    """Each makes its own `.venv`. The first ends in a scan of the corpus, the second in the tests."""
    scan, tests = blocks("sh")[:2]
    assert README.index(tests) < README.index("\n## ")
    assert scan.startswith("python3 -m venv .venv && ")
    assert tests.startswith("python3 -m venv .venv && ")
    assert scan.endswith("urlglean scan corpus\n")
    assert tests.endswith("pytest\n")


@pytest.mark.parametrize(
    ("heading", "known"),
    [
        ("Rows", [column.name for column in COLUMNS]),
        ("Dialects", list(DIALECTS)),
    ],
)
def test_tables_name_everything_in_order(heading: str, known: list[str]) -> None:
    """A column or dialect that is added or renamed must be changed here too."""
    assert first_names(heading) == known


def test_row_types_are_those_of_the_columns() -> None:
    """They are in the second column of the table of rows."""
    assert [row[1] for row in table("Rows")] == [column.type for column in COLUMNS]


@pytest.mark.parametrize("heading", COMMAND_HEADINGS)
def test_options_are_documented(heading: str) -> None:
    """Every option of a command is in its table, and no other."""
    command = main.get_command(click.Context(main), heading.split()[1].strip("`"))
    assert command is not None
    options = [option for option in command.params if isinstance(option, click.Option)]
    told = {name.split()[0] for name in first_names(heading)}
    assert told == {name for option in options for name in (*option.opts, *option.secondary_opts)}


def test_every_command_is_documented() -> None:
    """Each command has a section."""
    told = [heading.split()[1].strip("`") for heading in COMMAND_HEADINGS]
    assert sorted(told) == sorted(main.list_commands(click.Context(main)))


def test_formats_are_documented_with_their_endings() -> None:
    """Each format has the endings of file names that select it."""
    told = {names(name)[0]: names(endings) for name, endings, _ in table("Formats")}
    assert told == {name: [ending for ending in known.endings if ending] for name, known in FORMATS.items()}


@pytest.mark.parametrize("row", table("Limits"), ids=lambda row: str(row[0]))
def test_limits_have_the_documented_values(row: list[str]) -> None:
    """Each bound exists in the named module and has that value."""
    module, _, constant = names(row[0])[0].rpartition(".")
    if module.startswith("Bounds"):
        held = attrgetter(f"{module}.{constant}".removeprefix("Bounds."))(DEFAULT)
    else:
        held = getattr(importlib.import_module(f"urlglean.{module}"), constant)
    assert held == float(row[1])


def test_the_table_of_limits_has_every_bound() -> None:
    """They are in the order of the record."""
    told = [name.split(".")[1] for name in first_names("Limits") if name.startswith("Bounds.")]
    assert list(dict.fromkeys(told)) == list(Bounds.__struct_fields__)


def test_every_dependency_has_its_reason() -> None:
    """The packages of pyproject.toml and those of the table are the same."""
    project = PROJECT["project"]
    extras = [requirement for extra in project["optional-dependencies"].values() for requirement in extra]
    required = [*project["dependencies"], *extras, *PROJECT["build-system"]["requires"]]
    assert sorted(first_names("Dependencies")) == sorted({re.split(r"[<>=[]", name)[0] for name in required})


def test_the_readme_is_short_and_names_every_page() -> None:
    """It leads a new reader to all other pages."""
    assert len(README.encode()) <= 10_000
    assert sorted(set(re.findall(r"\]\(docs/([\w-]+\.md)\)", README))) == [page.name for page in PAGES]


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", *(f"docs/{page.name}" for page in PAGES)])
def test_named_files_exist(document: str) -> None:
    """Every file with a folder before it, and every module, is in the repository or package, or is made there."""
    text = (ROOT / document).read_text(encoding="utf-8")
    made = set(re.findall(r"^cat > (\S+) <<", text, re.MULTILINE))
    named = set(re.findall(r"[\w./-]*\w\.(?:py|bnf|md|toml)\b", text)) - made
    bases = [ROOT, ROOT / "docs", ROOT / "src/urlglean", ROOT / "src/urlglean/text/joining"]
    assert [name for name in sorted(named) if not any((base / name).exists() for base in bases)] == []


def test_the_table_of_schemes_is_the_one_that_the_dialects_give() -> None:
    """It says for each scheme which document judges it in each dialect."""
    assert "\n".join(markdown()) in MANUAL
