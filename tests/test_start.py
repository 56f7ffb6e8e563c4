"""The imports of a run: a command that is run for each message of a day pays for them each time."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import urlglean.cli
import urlglean_command
from pythons import WHERE_RE_COMPILES


def test_ctrl_c_during_the_imports_ends_the_command_by_its_signal(tmp_path: Path) -> None:
    """As it ends a program in C: a shell gives the status 130, and there is no traceback."""
    (tmp_path / "urlglean").mkdir()
    (tmp_path / "urlglean" / "__init__.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    places = f"{tmp_path}{os.pathsep}{Path(urlglean_command.__file__).parent}"
    heeded = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [sys.executable, "-c", f"{heeded}; import urlglean_command; urlglean_command.main()"]
    done = subprocess.run(command, check=False, capture_output=True, env=os.environ | {"PYTHONPATH": places})
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


@pytest.mark.parametrize("handler", [signal.default_int_handler, signal.SIG_IGN])
def test_the_entry_point_runs_the_command(
    handler: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the arguments of the process. Ctrl-C is an exception then, so that what was written is kept, or ignored."""
    monkeypatch.setattr(sys, "argv", ["urlglean", "--help"])
    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(SystemExit):
            urlglean_command.main()
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().out.startswith("Usage: urlglean ")


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


def imported(done: "subprocess.CompletedProcess[str]") -> set[str]:
    """The modules that such a process has imported."""
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}


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
    assert "rich" not in imported(done)


@WHERE_RE_COMPILES
def test_plain_urls_are_scanned_without_a_grammar(notes: Path) -> None:
    """Compiling a grammar takes 30 ms, a third of a run on one message."""
    done = run("scan", "--format", "jsonl", notes)
    assert done.stdout.count("\n") == 2
    assert "urlglean.output.jsonl" in done.stderr
    assert not [name for name in ("urlglean.grammar.bnf", "urlglean.text.cautions", "regex") if name in done.stderr]


@WHERE_RE_COMPILES
def test_a_plain_mailbox_is_scanned_without_what_few_need(tmp_path: Path) -> None:
    """Even for a line break that has to be weighed. Each of these takes 2 to 20 ms."""
    mail = tmp_path / "mbox"
    mail.write_text("From a Thu Jan  1 00:00:00 1970\nFrom: a@b.example\n\nhttp://a.example/b\nand more\n")
    done = run("scan", "--format", "jsonl", mail)
    assert '"url":"http://a.example/b"' in done.stdout
    assert "urlglean.text.joining.decision" in done.stderr
    few = ("hashlib", "tempfile", "random", "email", "regex", "ada_url", "urlglean.text.web", "urlglean.grammar.bnf")
    assert not imported(done) & set(few)


@pytest.mark.parametrize(
    ("error", "told"), [(MemoryError(), "urlglean: there is not enough memory\n"), (KeyError("x"), "KeyError: 'x'\n")]
)
def test_an_error_that_nothing_handles_is_a_failure(
    error: Exception, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 1 would say that there is no URL."""

    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(urlglean.cli, "main", fail)
    with pytest.raises(SystemExit) as ended:
        urlglean_command.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(told)
