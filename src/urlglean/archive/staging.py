"""A file or folder that gets its name only when it is complete."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, EFBIG, ENOSPC, EROFS
from pathlib import Path

from urlglean.errors import OutputError
from urlglean.output.files import own_part, part_of, sync_folder

OF_TARGET = frozenset({EDQUOT, EFBIG, ENOSPC, EROFS})
"""Errors that say that no more can be written."""


@contextmanager
def staged(path: Path, *, folder: bool) -> Iterator[Path]:
    """A new file or folder, `path.part`, which gets the name `path` when the block ends.

    If an exception ends the block, it is removed. A process that is killed leaves it.

    Args:
        path: its name. Nothing of that name exists.
        folder: whether it is a folder.

    Raises:
        OutputError: something of that name exists, or the part of another run.
        OSError: it cannot be made, or not written; the error has its name.
    """
    part = part_of(path)
    _refuse(path)
    with _own_folder(part) if folder else own_part(path):
        try:
            yield part
            os.sync()  # otherwise the name might reach the disk before what it names
            _refuse(path)
            part.rename(path)
        except BaseException as error:
            if isinstance(error, OSError) and error.errno in OF_TARGET and error.filename is None:
                error.filename = str(path)
            with suppress(OSError):
                shutil.rmtree(part) if folder else part.unlink()
            raise
        sync_folder(path.absolute().parent)


@contextmanager
def _own_folder(part: Path) -> Iterator[None]:
    try:
        part.mkdir()
    except FileExistsError:
        raise OutputError(f"{part} is there: unless another run writes it, move it away") from None
    yield


def _refuse(path: Path) -> None:
    if os.path.lexists(path):
        raise OutputError(f"{path} is there, and is not overwritten")
