"""Man pages and completion: the files in `share/` agree with the commands, and shells can use them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import click
import pytest

from manual import SHARE, SHELLS, pages
from urlglean.cli import COMMANDS, main

PAGES = dict(pages())


@pytest.mark.parametrize("name", PAGES)
def test_man_pages_are_up_to_date(name: str) -> None:
    """If this fails, run `python tests/manual.py` to write the page again."""
    assert (SHARE / "man" / "man1" / name).read_text(encoding="utf-8") == PAGES[name]


def test_there_is_a_page_for_each_command_and_no_other() -> None:
    """There is also a page for the whole program, which names the others."""
    assert {path.name for path in (SHARE / "man" / "man1").iterdir()} == set(PAGES)
    assert set(PAGES) == {"urlglean.1", *(f"urlglean-{name}.1" for name in COMMANDS)}
    assert all(f"\\fB{name}\\fP" in PAGES["urlglean.1"] for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_tells_each_option_and_the_exit_status(name: str) -> None:
    """They are those of the command."""
    command = main.get_command(click.Context(main), name)
    assert command is not None
    page = PAGES[f"urlglean-{name}.1"].replace("\\-", "-").replace("\\fP", "").replace("\\fB", "")
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.opts[-1] in page
            assert " ".join((option.help or "").split()) in page
    assert "Exit status: 0 " in page


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_set_without_a_warning(name: str) -> None:
    """A line that begins like a request of groff would be lost."""
    command = ["groff", "-man", "-Tutf8", "-ww", str(SHARE / "man" / "man1" / name)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stderr == ""


def complete(*words: str) -> list[str]:
    """The completions that the command offers to a shell for the last of these words."""
    line = {"COMP_WORDS": " ".join(("urlglean", *words)), "COMP_CWORD": str(len(words))}
    run = subprocess.run(
        [sys.executable, "-c", "from urlglean.cli import main; main(prog_name='urlglean')"],
        env=os.environ | line | {"_URLGLEAN_COMPLETE": "bash_complete"},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.split()


def test_commands_options_and_choices_are_completed() -> None:
    """Paths are completed by the shell itself."""
    assert complete("s") == ["plain,scan", "plain,settle", "plain,seeds", "plain,show", "plain,schemes"]
    assert complete("scan", "--re") == ["plain,--rejects", "plain,--resume"]
    assert complete("check", "--dialect", "r") == ["plain,rfc1738"]
    assert complete("scan", "a") == ["file,a"]
    assert complete("show", "a") == ["file,a"]


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_is_installed_for_each_shell(shell: str) -> None:
    """Each file asks the command in the way of its shell."""
    assert f"_URLGLEAN_COMPLETE={shell}_complete" in (SHARE / SHELLS[shell]).read_text(encoding="utf-8")


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_bash_loads_the_installed_completion(tmp_path: Path) -> None:
    """In bash the file defines a function that completes words."""
    program = tmp_path / "urlglean"
    program.write_text(f"#!{sys.executable}\nfrom urlglean.cli import main\nmain(prog_name='urlglean')\n")
    program.chmod(0o755)
    script = f"""
        source {SHARE / SHELLS["bash"]}
        COMP_WORDS=(urlglean sche) COMP_CWORD=1
        _urlglean_completion {program}
        echo "${{COMPREPLY[@]}}"
    """
    run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("schemes\n", "")


def test_man_pages_are_part_of_the_wheel() -> None:
    """If pip made the environment of the tests, the man page is in it."""
    installed = Path(sysconfig.get_path("data")) / "share" / "man" / "man1" / "urlglean.1"
    assert installed.exists()
