"""docs/archives.md: what it tells to run is run, in its order, on the mail of the corpus."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "archives.md").read_text(encoding="utf-8")


def test_the_commands_work_one_after_the_other(tmp_path: Path) -> None:
    """Each line of each `sh` block ends with exit status 0, and each file that it names as its output is there."""
    shutil.copytree(ROOT / "corpus" / "mail", tmp_path / "mail")
    command = tmp_path / "bin" / "urlglean"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m urlglean "$@"\n')
    command.chmod(0o755)
    path = os.pathsep.join([str(command.parent), os.environ["PATH"]])
    lines = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    assert lines
    for line in lines:
        run = subprocess.run(
            ["/bin/sh", "-c", line], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, check=False
        )
        assert run.returncode == 0, (line, run.stderr.decode())
        for made in re.findall(r"(?:>|-o) (\S+)", line):
            assert (tmp_path / made).stat().st_size > 0, line
