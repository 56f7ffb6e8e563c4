"""A terminal that a test types into and looks at, by tmux."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

TMUX = shutil.which("tmux")

_LOOKS = 600
"""How often to look at the screen, at most, until it shows what is expected."""


class Terminal:
    """A terminal of 100 columns and 30 lines, with one program in it."""

    def __init__(self, folder: Path, *command: object, **variables: str) -> None:
        """Start a program in a folder; the server of tmux has its socket there."""
        self._tmux = [str(TMUX), "-S", str(folder / "tmux.socket"), "-f", os.devnull]
        environment = self._environment(variables)
        arguments = ["new-session", "-d", "-x", "100", "-y", "30", *map(str, command)]
        subprocess.run([*self._tmux, *arguments], check=True, cwd=folder, env=environment)

    @staticmethod
    def _environment(variables: Mapping[str, str]) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        return {**kept, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "SHELL": "/bin/sh", **variables}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        subprocess.run([*self._tmux, "kill-server"], check=False, stderr=subprocess.DEVNULL)

    def type(self, *keys: str) -> None:
        """Type keys, by tmux's names of them."""
        subprocess.run([*self._tmux, "send-keys", *keys], check=True)

    def screen(self) -> str:
        """What the screen shows; "" if the program has ended."""
        return subprocess.run([*self._tmux, "capture-pane", "-p"], check=False, capture_output=True, text=True).stdout

    def shows(self, text: str) -> str:
        """The screen as soon as it shows a text."""
        for _ in range(_LOOKS):
            if text in (screen := self.screen()):
                return screen
            time.sleep(0.1)
        raise AssertionError(f"no {text!r} in:\n{screen}")
