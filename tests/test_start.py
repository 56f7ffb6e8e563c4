"""The imports of a run: a command that is run for each message of a day pays for them each time."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """The path of a text with two plain URLs on one line."""
    path = tmp_path / "notes.txt"
    path.write_text("see https://a.example/1 and http://a.example/2 here\n")
    return path


def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
    """Runs the command as a process; stderr lists its imports."""
    code = "import sys, urlglean.cli as c; c.main(sys.argv[1:], standalone_mode=False)"
    command = [sys.executable, "-X", "importtime", "-c", code, *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True)


def test_the_command_starts_without_what_only_a_scan_needs() -> None:
    """`urlglean --version` is quick."""
    code = "import sys, urlglean.cli; print(*sys.modules, sep='\\n')"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert "urlglean.cli" in loaded
    assert not {"rich", "email", "urlglean.mail", "urlglean.sources", "urlglean.pipeline"} & set(loaded)


def test_a_scan_without_a_terminal_does_without_rich(notes: Path) -> None:
    """Progress is shown only on a terminal."""
    done = run("scan", notes)
    assert "urlglean.pipeline" in done.stderr
    assert "rich" not in done.stderr


def test_plain_urls_are_scanned_without_a_grammar(notes: Path) -> None:
    """Compiling a grammar takes 30 ms, a third of a run on one message."""
    done = run("scan", "--format", "jsonl", notes)
    assert done.stdout.count("\n") == 2
    assert "urlglean.output.jsonl" in done.stderr
    assert not [name for name in ("urlglean.grammar.bnf", "urlglean.text.cautions", "regex") if name in done.stderr]


def test_a_plain_mailbox_is_scanned_without_what_few_need(tmp_path: Path) -> None:
    """Even for a line break that has to be weighed. Each of these takes 2 to 20 ms."""
    mail = tmp_path / "mbox"
    mail.write_text("From a Thu Jan  1 00:00:00 1970\nFrom: a@b.example\n\nhttp://a.example/b\nand more\n")
    done = run("scan", "--format", "jsonl", mail)
    assert '"url":"http://a.example/b"' in done.stdout
    assert "urlglean.text.joining.decision" in done.stderr
    few = ("hashlib", "tempfile", "random", "email", "regex", "ada_url", "urlglean.text.web", "urlglean.grammar.bnf")
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert not imported & set(few)
