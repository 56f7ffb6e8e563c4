"""Counts the messages that mutt sees in a mailbox."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

MUTT = shutil.which("mutt")


def seen_by_mutt(mailbox: Path, home: Path) -> int:
    """How many messages mutt shows in its list.

    Args:
        mailbox: a mailbox of any kind that mutt knows.
        home: an empty folder.
    """
    settings = 'set quit=yes status_format="<%m>"'
    command = [str(MUTT), "-n", "-R", "-F", os.devnull, "-f", str(mailbox), "-e", settings, "-e", 'push "<quit>"']
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "vt100", "HOME": str(home), "LINES": "24", "COLUMNS": "80"}
    shown = b""
    process = subprocess.Popen(
        command, stdin=follower, stdout=follower, stderr=follower, env=environment, start_new_session=True
    )
    os.close(follower)
    os.write(leader, b"\x07q" * 8)  # if it waits for an answer, it gets Ctrl-G, then is told to quit
    with suppress(OSError):  # it has closed its terminal
        while block := os.read(leader, 1 << 16):
            shown += block
    os.close(leader)
    process.wait()
    counts = re.findall(rb"<([0-9]+)>", shown)
    return int(counts[-1]) if counts else 0
