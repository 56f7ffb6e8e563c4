"""Runs the command in a terminal of its own, and returns what the terminal gets."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress


def on_terminal(*arguments: object, **variables: str) -> bytes:
    """What `urlglean` with these arguments writes to a terminal, rows and messages.

    The environment has these variables, and none that names another terminal.
    """
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "urlglean", *map(str, arguments)]
    process = subprocess.Popen(
        command, stdin=follower, stdout=follower, stderr=subprocess.DEVNULL, env=environment(variables)
    )
    os.close(follower)
    shown = b""
    with suppress(OSError):  # it has closed its terminal
        while block := os.read(leader, 1 << 16):
            shown += block
    os.close(leader)
    process.wait()
    return shown.replace(b"\r\n", b"\n")


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment of this process without its terminal, with `variables`."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "PYTHONPATH") if name in os.environ}
    return {**kept, "TERM": "xterm-256color", **variables}
