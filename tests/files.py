"""Files of mail for the tests of sources, and what octets are read as."""

from __future__ import annotations

import io
from pathlib import Path

from unframing import taken_out
from urlglean.bounds import DEFAULT, Bounds
from urlglean.sources import Item, Taken, detect
from urlglean.sources.streams import Stream

MAIL = b"From: a@b.example\nSubject: s\n\nbody http://host.example/\n"
ENVELOPE = b"From a@b.example Mon Jan  1 00:00:00 2001\n"
MBOX = (ENVELOPE + MAIL + b"\n") * 2


def place(path: Path, data: bytes = MAIL) -> str:
    """Write a file, and its folders, and give its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return str(path)


def read(data: bytes, bounds: Bounds = DEFAULT, asked: str | None = None) -> list[Item]:
    """Read bytes as a file of unknown kind, or of the kind that is asked for."""
    found = taken_out(detect.read(Stream("file", io.BytesIO(data).read1, bounds=bounds), asked))
    return [item for item in found if not isinstance(item, Taken)]
