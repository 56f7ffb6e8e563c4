"""Which files an output may replace: those that surely hold nothing but rows, or a text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path

from urlglean.errors import OutputError
from urlglean.output.files import Target, file_id
from urlglean.output.text import are_lines
from urlglean.remote_urls import as_path
from urlglean.sources.detect import shown_in
from urlglean.sources.entries import opened_file
from urlglean.sources.folders import File
from urlglean.sources.own_outputs import OWN, UNFINISHED
from urlglean.sources.remote import RemoteFile

_BLOCK = 1 << 20

REPLACED = frozenset({"empty", "text", OWN})
"""The kinds of files that are replaced. Rows for people, and bare URLs, cannot be told from other texts.

A catalogue is none of them: it holds what many runs have read."""


def kind_at(path: Target, paths: Sequence[str]) -> str:
    """The kind of what a file holds; "" if there is no regular file, or it cannot be read.

    `OWN` also for lines for people about what lies at `paths`, as they were given.
    """
    if not (isinstance(path, str) or file_id(path)):
        return ""
    make = partial(RemoteFile, size=None) if isinstance(path, str) else File
    try:
        with opened_file(make(str(path), one_message=False)) as file:
            kind, head = shown_in(file, str(path))
    except Exception:  # noqa: BLE001  each protocol has exceptions of its own; who writes there tells them
        return ""
    return OWN if are_lines(head.decode(errors="replace"), (*map(as_path, paths), *paths)) else kind


def refuse_kept(files: Iterable[Target], paths: Sequence[str] = (), replaced: Collection[str] = REPLACED) -> None:
    """Check that no output replaces what surely holds no earlier one: a mailbox that was named by mistake, for example.

    Args:
        files: the files to write.
        paths: what is read, as it was given.
        replaced: the kinds of files that may be replaced.

    Raises:
        OutputError: one does.
    """
    for path in files:
        kind = kind_at(path, paths)
        if kind and kind not in replaced:
            raise OutputError(f"{path} is not replaced (its kind is {kind}): move it away, or write to another file")


def refuse_foreign(part: Path, paths: Sequence[str], is_written: Callable[[], bool], recorded: int) -> None:
    """Check that a part file, if it is there, is one of a run over these paths, whatever a journal says of it.

    Args:
        part: the part file.
        paths: what the run read.
        is_written: whether the run has written it; asked if that is not plain from what it holds.
        recorded: how many of its octets the journal tells of. Where the power fails, a file system may leave NULs for
            what was written behind them.

    Raises:
        OutputError: it is not, or may be none.
    """
    kind = kind_at(part, paths)
    if kind in {"", "empty", OWN, UNFINISHED}:
        return
    if not ((kind in REPLACED or _ends_in_nuls(part, recorded)) and is_written()):
        raise OutputError(f"{part} is not that of a scan, though a journal says so (its kind is {kind}): move it away")


def _ends_in_nuls(path: Path, start: int) -> bool:
    """Whether a file holds nothing but NULs from a place on, and what may be replaced before it."""
    if path.stat().st_size <= start:
        return False
    with path.open("rb") as file:
        kind, _ = shown_in(BytesIO(file.read(min(start, _BLOCK))), str(path))
        file.seek(start)
        are_nuls = not any(block.strip(b"\0") for block in iter(partial(file.read, _BLOCK), b""))
    return are_nuls and kind in REPLACED | {UNFINISHED}
