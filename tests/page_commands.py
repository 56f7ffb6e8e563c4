"""Runs the commands of a page of the documentation, as its reader would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parent.parent


def blocks(page: str, language: str = "sh") -> list[str]:
    """The contents of the fenced blocks in a language of a page of `docs/`."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def workplace(folder: Path) -> Path:
    """A folder that has the corpus, and in which `run` finds `urlglean` and this Python."""
    (folder / "corpus").symlink_to(ROOT / "corpus")
    for name, arguments in {"urlglean": " -m urlglean", "python3": "", "python": ""}.items():
        command = folder / "bin" / name
        command.parent.mkdir(exist_ok=True)
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n')
        command.chmod(0o755)
    return folder


def run(block: str, folder: Path, **variables: str) -> str:
    """What the commands of a block print on stdout, with more variables in their environment. Each must succeed."""
    programs = [str(folder / "bin"), sysconfig.get_path("scripts"), os.environ["PATH"]]
    environment = {**os.environ, **variables, "PATH": os.pathsep.join(programs)}
    command = ["/bin/sh", "-e", "-c", block]
    done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, (block, done.stderr)
    return done.stdout
