"""The hook for pre-commit, `.pre-commit-hooks.yaml`, run as pre-commit runs it: its entry, then names of files."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from urlglean.cli import main

HOOKS = Path(__file__).parent.parent / ".pre-commit-hooks.yaml"
WHOLE = "See <URL:http://www.example.org/notes/1.html>, and http://a.example/ too.\n"
BROKEN = "See <URL:http://www.example.org/notes/\n    1.html>, and more.\n"
UNLIKELY = "see http://a.example/b\nthe end\n"


def hook(*files: Path) -> subprocess.CompletedProcess[str]:
    """Run the entry of the hook."""
    found = re.search(r"^  entry: urlglean (.+)$", HOOKS.read_text(), re.MULTILINE)
    assert found
    command = [sys.executable, "-m", "urlglean", *shlex.split(found[1]), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def texts(tmp_path: Path) -> dict[str, Path]:
    """Texts of which one has a broken URL."""
    held = {"whole": WHOLE, "broken": BROKEN, "unlikely": UNLIKELY, "empty": "", "without": "no URL\n"}
    paths = {name: tmp_path / f"{name}.txt" for name in held}
    for name, text in held.items():
        paths[name].write_text(text)
    return paths


def test_the_hook_passes_texts_without_broken_urls(texts: dict[str, Path]) -> None:
    """It prints nothing on stdout, and changes nothing."""
    del texts["broken"]
    done = hook(*texts.values())
    assert (done.returncode, done.stdout) == (0, "")
    assert texts["whole"].read_text() == WHOLE


def test_the_hook_fails_for_a_broken_url(texts: dict[str, Path]) -> None:
    """It shows the lines as they should be, and leaves the file alone."""
    done = hook(*texts.values())
    assert done.returncode == 1
    assert "+See <URL:http://www.example.org/notes/1.html>, and more." in done.stdout
    assert texts["broken"].read_text() == BROKEN


def test_the_hook_fails_for_what_cannot_be_read(texts: dict[str, Path], tmp_path: Path) -> None:
    """With another status."""
    assert hook(*texts.values(), tmp_path / "none").returncode == 2


def test_one_text_can_be_checked_from_stdin() -> None:
    """And `--check` is refused where something would be written."""
    assert CliRunner().invoke(main, ["rewrite", "--check"], input=BROKEN).exit_code == 1
    assert CliRunner().invoke(main, ["rewrite", "--check"], input=WHOLE).exit_code == 0
    assert CliRunner().invoke(main, ["rewrite", "--dry-run"], input=BROKEN).exit_code == 0
    assert CliRunner().invoke(main, ["rewrite", "--check", "-o", "x"], input=WHOLE).exit_code == 2
