"""docs/archives.md: its commands are run, in order, in one folder in which `corpus` lies."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "archives.md").read_text(encoding="utf-8")


def test_the_page_prints_what_it_says(tmp_path: Path) -> None:
    """Every `session` block: commands behind "$ ", and what each prints, "..." standing for anything."""
    (tmp_path / "corpus").symlink_to(ROOT / "corpus")
    blocks = re.findall(r"^```session\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    commands = [each for block in blocks for each in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    assert commands
    for each in commands:
        command, _, output = each.partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "urlglean"
        run = [sys.executable, "-m", program, *arguments]
        done = subprocess.run(
            run, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        assert doctest.OutputChecker().check_output(output, done.stdout, doctest.ELLIPSIS), done.stdout
