"""Journals as tests change them: without the sums that end their lines, and with these again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

_SUM = re.compile(rb', "crc32": "[0-9a-f]{8}"\}$', re.MULTILINE)


def without_sums(journal: bytes) -> bytes:
    """The lines of a journal without their sums."""
    return _SUM.sub(b"}", journal)


def with_sums(lines: bytes) -> bytes:
    """The lines with the CRC-32 of all before it at the end of each; what is no line of an object stays as it is."""
    made = b""
    for line in lines.splitlines(keepends=True):
        made += line
        if line.endswith(b"}\n"):
            made = made[:-2]
            made += b', "crc32": "%08x"}\n' % crc32(made)
    return made


def change_records(journal: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the record of each line of a journal; the sums are those of the changed lines."""
    records = list(map(json.loads, without_sums(journal.read_bytes()).splitlines()))
    for record in records:
        change(record)
    journal.write_bytes(with_sums("".join(f"{json.dumps(record)}\n" for record in records).encode()))
