"""The target `resume`: a killed scan is resumed from a journal that somebody has changed.

A small scan is run once. A kill could come whenever it waits for the disk, so the files of each such moment are kept.
An input is a journal, and an octet that chooses the moment whose other files are put beside it. The lines of an input
have no checksums; correct ones are added before it is used. Otherwise each changed journal would be refused for them.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from functools import cache
from pathlib import Path
from unittest.mock import patch

from click.testing import CliRunner, Result
from msgspec import Struct

from journals import with_sums, without_sums
from urlglean.cli import main
from urlglean.pipeline.run import RunOptions, Settings

_SOME_TIME = 1_000_000_000
_FOLDER = b"@"
"""Replaces the folder's name in the journals of the inputs, because the folder has another name in each process."""

_JOURNAL = "rows.jsonl.journal"
_ROWS = "rows.jsonl"
_EACH_ITEM = Settings(RunOptions(chunk=0, alone=1 << 30, every=0))
_ARGUMENTS = [
    *("scan", "in", "-o", f"out/{_ROWS}", "--rejects", "out/rejects.jsonl", "--errors", "out/errors.jsonl"),
    *("--jobs", "1"),
]

Lying = dict[str, bytes]
"""The contents of the files that a run has left, by name."""


class World(Struct, frozen=True):
    """A folder with input, the files in its output at each moment of a run, and the files that the whole run writes."""

    folder: Path
    moments: list[Lying]
    whole: Lying


@cache
def world() -> World:
    """The folder; it is deleted when the process ends."""
    holder = tempfile.TemporaryDirectory(prefix="urlglean-fuzz-")
    folder = Path(holder.name).resolve()
    _HOLDERS.append(holder)
    (folder / "in").mkdir()
    (folder / "out").mkdir()
    mails = (f"From a@b.example Mon Jan  1 00:00:00 2001\nSubject: {n}\n\nhttp://a.example/{n}\n\n" for n in range(4))
    held = {
        "a.mbox": "".join(mails),
        "b.txt": "http://b.example/ <URL:http://:x/>\n" * 3,
        "d.txt": "http://d.example/\n",
    }
    for name, text in held.items():
        (folder / "in" / name).write_text(text)
        os.utime(folder / "in" / name, (_SOME_TIME, _SOME_TIME))
    (folder / "in" / "c").symlink_to("nowhere")
    moments: list[Lying] = []
    fsync = os.fsync

    def seen(descriptor: int) -> None:
        fsync(descriptor)
        if (lying := _lying(folder)) not in moments[-1:] and _JOURNAL in lying:
            moments.append(lying)

    with patch.object(os, "fsync", seen):
        result = _scanned(folder)
    assert result.exit_code == 2, result.output  # `c` is a broken link
    return World(folder, moments, _lying(folder))


_HOLDERS: list[tempfile.TemporaryDirectory[str]] = []


def _lying(folder: Path) -> Lying:
    return {path.name: path.read_bytes() for path in sorted((folder / "out").iterdir())}


def _scanned(folder: Path, *more: str) -> Result:
    with chdir(folder):
        return CliRunner().invoke(main, [*_ARGUMENTS, *more], obj=_EACH_ITEM)


def seeds() -> Iterator[bytes]:
    """The journal of each moment, and the octet for that moment."""
    folder = os.fsencode(world().folder)
    for number, lying in enumerate(world().moments):
        yield without_sums(lying[_JOURNAL]).replace(folder, _FOLDER) + bytes([number])


def run(octets: bytes) -> None:
    """Resumes a run by a journal.

    With the run's own journal all rows are written; any other may be refused, without loss.
    """
    if not octets:
        return
    folder, moments, whole = world().folder, world().moments, world().whole
    moment = moments[octets[-1] % len(moments)]
    journal = with_sums(octets[:-1].replace(_FOLDER, os.fsencode(folder)))
    for name in {*_lying(folder), *moment}:
        if name in moment:
            (folder / "out" / name).write_bytes(moment[name])
        else:
            (folder / "out" / name).unlink()
    (folder / "out" / _JOURNAL).write_bytes(journal)
    result = _scanned(folder, "--resume")
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    left = _lying(folder)
    if _is_own(journal, moment):
        assert (result.exit_code, left) == (2, whole), f"its own journal does not finish it: {result.stderr}"
    elif left.keys() != whole.keys():
        lost = [name for name in moment if name != _JOURNAL and not moment[name].startswith(left.get(name, b"lost"))]
        assert not lost, f"refused, but {lost} changed: {result.stderr}"
        assert result.exit_code == 2
        assert result.stderr.startswith("urlglean: "), result.stderr


def _is_own(journal: bytes, moment: Lying) -> bool:
    """Whether a journal is that of a moment, or an earlier state of it, perhaps with a torn last line behind it.

    An earlier state describes part files, so it does not count once the files have their final names. It has at least
    its first line, which is written before the part files are made.
    """
    lines = journal[: journal.rfind(b"\n") + 1]
    if lines == moment[_JOURNAL]:
        return True
    unnamed = all(name.endswith((".part", ".journal")) for name in moment)
    return unnamed and bool(lines) and moment[_JOURNAL].startswith(lines)
