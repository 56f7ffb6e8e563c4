"""The lines of a journal: what each of them says, and how it is written and read.

Each line is a value of JSON. It ends with the CRC-32 of all that stands before this value's key in the journal, so that
lines that are not as they were written are told, and lines that are missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any
from zlib import crc32

import msgspec
from msgspec import Meta, Struct

from urlglean.errors import OutputError
from urlglean.expressions import compiled
from urlglean.output.files import FileId
from urlglean.pipeline.inputs import Position
from urlglean.pipeline.results import Tally
from urlglean.pipeline.scan_task import ScanTask
from urlglean.version import __version__

_FORM = 6
"""The form of the journal: what its positions count, and how its lines end."""


class Run(Struct, frozen=True):
    """What was asked for. A run is resumed only if all of this is equal.

    Attributes:
        urlglean: the version that runs.
        paths: what is read.
        task: the settings.
        files: the absolute paths of the files to write, rows first.
        form: the form of the journal.
        contents: what is written to each of the files: "rows", "rejects" or "errors".
    """

    urlglean: str
    paths: tuple[str, ...]
    task: ScanTask
    files: tuple[Annotated[str, Meta(pattern=r"\A/[^\0]*\Z")], ...]
    form: int = 1
    contents: tuple[str, ...] = ()

    @classmethod
    def of(cls, paths: Sequence[str], task: ScanTask, files: Mapping[str, Path]) -> Run:
        """The record for a run of this version of urlglean. `files` are by their content, rows first."""
        places = tuple(str(path.resolve()) for path in files.values())
        return cls(__version__, tuple(paths), task, places, _FORM, tuple(files))


class Owner(Struct, frozen=True):
    """The process that writes the files of a run, and the name of its machine."""

    process: int
    host: str


class Opened(Struct, frozen=True):
    """The identities of the part files. Each was empty, or of this run, when it was opened."""

    opened: tuple[FileId | None, ...]


class State(Struct, frozen=True):
    """The progress of a run: the position in its input, the size in bytes and the CRC-32 of each file, its counts."""

    position: Position
    sizes: tuple[Annotated[int, Meta(ge=0)], ...]
    sums: tuple[int, ...]
    tally: Tally
    finished: bool = False
    """Whether all rows are written, so that only the renaming of the files remains."""


Record = Run | Owner | Opened | State


def line_of(record: Record, before: int) -> tuple[bytes, int]:
    """The line for a record behind lines that have this CRC-32, and the CRC-32 with it."""
    return _summed(_encoded(record), before)


def _encoded(record: Record) -> bytes:
    # The standard library's encoder, because msgspec's refuses lone surrogates, which represent octets of a file name
    # that are not UTF-8.
    import json  # noqa: PLC0415  imported here and below, because a run that writes to a pipe has no journal

    return json.dumps(msgspec.to_builtins(record)).encode()


def _summed(record: bytes, before: int) -> tuple[bytes, int]:
    """The line for a record that follows what has this CRC-32, and the CRC-32 with it."""
    crc = crc32(record[:-1], before)
    line = record[:-1] + b', "crc32": "%08x"}\n' % crc
    return line, crc32(line, before)


_LINE = compiled(rb'(\{.*), "crc32": "([0-9a-f]{8})"\}\n')


def _checked(data: bytes) -> None:
    """Check that each line is as it was written, behind those before it.

    Raises:
        ValueError: one is not.
    """
    crc = 0
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        found = _LINE.fullmatch(line)
        if not found or _summed(found[1] + b"}", crc)[0] != line:
            raise ValueError(f"line {number} is not as it was written")
        crc = crc32(line, crc)


_MARK = b'{"urlglean": "'
"""How every journal begins."""


def read(path: Path, data: bytes) -> tuple[Run | None, Opened, list[State], int]:
    """What a journal holds: its run, the files last opened, its states, and the size in bytes of its whole lines.

    The run is None if the process died before it was written.

    Raises:
        OutputError: it is no journal.
    """
    if not data.startswith(_MARK[: len(data)]):
        raise OutputError(f"{path} is there, and is no journal of urlglean: move it away")
    data = data[: data.rfind(b"\n") + 1]
    if not data:
        return None, Opened(()), [], 0
    import json  # noqa: PLC0415

    first, *others = data.splitlines()
    try:
        _checked(data)
        run = msgspec.convert(json.loads(first), Run)
        later: list[dict[str, Any]] = [json.loads(line) for line in others]
        opened = [msgspec.convert(line, Opened) for line in later if "opened" in line]
        states = [msgspec.convert(line, State) for line in later if "position" in line]
        return run, opened[-1] if opened else Opened(()), states, len(data)
    except (ValueError, TypeError, OverflowError, RecursionError, msgspec.ValidationError) as error:
        raise OutputError(f"{path} is no journal of urlglean: {error}; move it away") from error


def owner_of(path: Path) -> str:
    """Who writes the files of a run, for people; "" if its journal does not say so yet."""
    import json  # noqa: PLC0415

    owner = None
    for line in path.read_bytes().splitlines()[1:]:
        try:
            owner = msgspec.convert(json.loads(line), Owner)
        except (ValueError, msgspec.ValidationError):
            continue
    return f" (process {owner.process} on {owner.host})" if owner else ""
