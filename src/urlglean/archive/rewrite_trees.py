"""Writes a folder anew: the same tree with the same names, in which what holds mail or text is written anew."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from errno import EDQUOT, EFBIG, ENOSPC, EROFS
from pathlib import Path

from urlglean.archive.rewrite import RewriteOptions
from urlglean.archive.rewrite_files import Copied, Outcome, Source, rewrite_file
from urlglean.errors import OutputError
from urlglean.records import Trouble
from urlglean.sources.folders import File, fault, walk

_OF_TARGET = frozenset({EDQUOT, EFBIG, ENOSPC, EROFS})
"""Errors that say that no more can be written."""

_LEFT_OUT = "its name says that it holds no mail"


def rewrite_tree(source: Path, target: Path, options: RewriteOptions) -> Iterator[Outcome]:
    """Write what lies in a folder anew in another. All is written when the iterator ends.

    Files that hold no mail or text, indexes among them, and folders that are not read are copied as they are. Symbolic
    links stay what they are. Files that were one file under several names are one file again. All have the permissions
    and the time that they had.

    Args:
        source: the folder.
        target: an empty folder.
        options: what is written anew.

    Yields:
        As `rewrite_file`; troubles for what could not be copied: it is missing in the target.
    """
    tree = _Tree(source, target)
    for found in walk(str(source), by_name=True):
        if isinstance(found, File):
            yield from tree.rewritten(Path(found.path), options, one_message=found.one_message)
        elif isinstance(found, Trouble):
            yield found
    yield from tree.rest()


class _Tree:
    """A folder, and its copy while it is made."""

    def __init__(self, source: Path, target: Path) -> None:
        self._source, self._target = source, target
        self._copies: dict[tuple[int, int], Path] = {}
        """By device and inode: where the copy of a file lies that has several names."""
        self._told: set[Path] = set()
        """The files that could not be written anew. They are copied as they are, if they can be."""

    def rewritten(self, file: Path, options: RewriteOptions, *, one_message: bool) -> Iterator[Outcome]:
        """Write one file anew, unless it is a link, or another name of one that was written."""
        if file.is_symlink():
            return
        place = self._place(file)
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            if self._is_linked(file, place):
                return
            with place.open("xb") as out:
                yield from rewrite_file(Source(file, str(file), one_message), out, options)
            shutil.copystat(file, place)
        except (OutputError, OSError) as error:
            place.unlink(missing_ok=True)
            self._told.add(file)
            yield _fault(file, error)

    def rest(self) -> Iterator[Outcome]:
        """Copy all that is not there yet, and give the folders their permissions and times."""
        for folder, folders, files in os.walk(self._source):
            place = self._place(Path(folder))
            place.mkdir(parents=True, exist_ok=True)
            for name in (*folders, *files):
                file = Path(folder, name)
                if not os.path.lexists(place / name):
                    yield from self._copied(file, place / name)
        for folder, _, _ in os.walk(self._source, topdown=False):
            shutil.copystat(folder, self._place(Path(folder)))

    def _copied(self, file: Path, place: Path) -> Iterator[Outcome]:
        try:
            mode = file.lstat().st_mode
            if stat.S_ISLNK(mode):
                place.symlink_to(file.readlink())
            elif stat.S_ISREG(mode):
                if not self._is_linked(file, place):
                    shutil.copy2(file, place)
                    if file not in self._told:
                        yield Copied(str(file), _LEFT_OUT)
            elif not stat.S_ISDIR(mode):
                yield Trouble(str(file), "neither a file, a folder nor a link; not copied")
        except OSError as error:
            fault_of_copy = _fault(file, error)
            if file not in self._told:
                yield fault_of_copy

    def _place(self, path: Path) -> Path:
        return self._target / path.relative_to(self._source)

    def _is_linked(self, file: Path, place: Path) -> bool:
        """Whether the file has another name under which it was copied; the copy has the new name now too."""
        found = file.stat()
        identity = found.st_dev, found.st_ino
        if found.st_nlink > 1 and identity in self._copies:
            place.hardlink_to(self._copies[identity])
            return True
        if found.st_nlink > 1:
            self._copies[identity] = place
        return False


def _fault(file: Path, error: OutputError | OSError) -> Trouble:
    """The trouble of one file that cannot be read; the others can.

    Raises:
        OSError: it is the target that cannot be written.
    """
    if isinstance(error, OSError) and error.errno in _OF_TARGET:
        raise error
    return fault(str(file), error)
