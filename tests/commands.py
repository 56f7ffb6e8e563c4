"""The command as tests run it, in this process or in one of its own; and a text for it to read."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import urlglean
from urlglean.cli import main

COMMAND = [sys.executable, "-m", "urlglean"]
"""The command in a process of its own."""

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
"""The environment of such a process.

It finds these sources from any folder, and keeps rows in stdout's buffer until that is flushed, wherever the tests run.
"""
ENVIRONMENT |= {"PYTHONPATH": str(Path(urlglean.__file__).parent.parent)}


def run(*arguments: object, stdin: str = "") -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A text with a URL on its first line and one that is rejected on its second."""
    path = tmp_path / "notes.txt"
    path.write_text("see http://a.example/1 here\n<URL:http://:x/>\n")
    return path
