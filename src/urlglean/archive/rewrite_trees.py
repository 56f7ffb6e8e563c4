"""Writes a folder anew: the same tree with the same names, in which what holds mail or text is written anew."""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from urlglean.archive.maildir_sizes import Growth, growth_of, resized
from urlglean.archive.rewrite import RewriteOptions, Rewriting
from urlglean.archive.rewrite_files import Copied, Outcome, Source, rewrite_file
from urlglean.archive.staging import OF_TARGET
from urlglean.errors import OutputError
from urlglean.records import Trouble
from urlglean.sources.folders import File, Repository, fault, walk

_LEFT_OUT = "its name says that it holds no mail"
_CAME = "it has come, or got this name, in the meantime; copied as it is"
_OF_REPOSITORY = "a public-inbox repository is not written anew"


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
    tree = _Tree(source, target, options)
    yield from _outcomes(source, tree.rewritten)
    yield from tree.rest()


def look_at_tree(source: Path, options: RewriteOptions) -> Iterator[Outcome]:
    """The outcomes that `rewrite_tree` would have, but for troubles in copying. Nothing is written."""
    names = _Names()
    return _outcomes(source, lambda file: () if names.first(file.file) else rewrite_file(file, None, options))


def _outcomes(folder: Path, rewritten: Callable[[Source], Iterable[Outcome]]) -> Iterator[Outcome]:
    """The outcomes of all that lies in a folder. `rewritten` gives those of a file that is no link."""
    for found in walk(str(folder), by_name=True):
        if isinstance(found, Trouble):
            yield found
            continue
        path = Path(found.path)
        try:
            if not isinstance(found, File):
                yield from _as_they_are(path, _OF_REPOSITORY if isinstance(found, Repository) else _LEFT_OUT)
            elif not path.is_symlink():
                yield from rewritten(Source(path, found.path, found.one_message))
        except (OutputError, OSError) as error:
            yield _fault(path, error)


def _as_they_are(path: Path, cause: str) -> Iterator[Outcome]:
    """The outcomes of what is not read: the file at a path, or all files beneath it."""
    is_folder = path.is_dir() and not path.is_symlink()
    beneath = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
    for file in beneath if is_folder else [path]:
        mode = file.lstat().st_mode
        if stat.S_ISREG(mode):
            yield Copied(str(file), cause)
        elif not stat.S_ISLNK(mode):
            yield Trouble(str(file), "neither a file, a folder nor a link; not copied")


class _Names:
    """The names that were met of files that have several."""

    def __init__(self) -> None:
        self._firsts: dict[tuple[int, int], Path] = {}
        """By device and inode."""

    def first(self, file: Path) -> Path | None:
        """The first name of a file that was met under another; None if this is the first."""
        found = file.stat()
        if found.st_nlink == 1:
            return None
        first = self._firsts.setdefault((found.st_dev, found.st_ino), file)
        return None if first == file else first


class _Tree:
    """A folder, and its copy while it is made."""

    def __init__(self, source: Path, target: Path, options: RewriteOptions) -> None:
        self._source, self._target, self._options = source, target, options
        self._names = _Names()
        self._begun = time.time_ns()
        self._told: set[Path] = set()
        """The files that could not be written anew. They are copied as they are, if they can be."""
        self._growth: dict[Path, Growth] = {}
        """Of the messages of Maildirs whose names state their sizes."""

    def rewritten(self, source: Source) -> Iterator[Outcome]:
        """Write one file anew, unless it is another name of one that was written.

        Raises:
            OutputError: as `rewrite_file`.
            OSError: as `rewrite_file`.
        """
        place = self._place(source.file)
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            if self._is_linked(source.file):
                return
            growth = Growth()
            with place.open("xb") as out:
                for outcome in rewrite_file(source, out, self._options):
                    if source.one_message and isinstance(outcome, Rewriting):
                        growth = growth_of(outcome)
                    yield outcome
            shutil.copystat(source.file, place)
            name = resized(place.name, growth)
            if name != place.name and not os.path.lexists(source.file.with_name(name)):
                self._growth[source.file] = growth
                place.rename(place.with_name(name))
        except (OutputError, OSError):
            place.unlink(missing_ok=True)
            self._told.add(source.file)
            raise

    def rest(self) -> Iterator[Trouble]:
        """Copy all that is not there yet, and give the folders their permissions and times.

        Mail programs rename messages: then one may have been written already under its name before.
        """
        for folder, folders, files in os.walk(self._source):
            place = self._place(Path(folder))
            place.mkdir(parents=True, exist_ok=True)
            for name in (*folders, *files):
                file = Path(folder, name)
                if not os.path.lexists(self._place(file)):
                    yield from self._copied(file)
        for folder, _, _ in os.walk(self._source, topdown=False):
            shutil.copystat(folder, self._place(Path(folder)))

    def _copied(self, file: Path) -> Iterator[Trouble]:
        place = self._place(file)
        try:
            mode = file.lstat().st_mode
            if stat.S_ISLNK(mode):
                shutil.copy2(file, place, follow_symlinks=False)
            elif stat.S_ISREG(mode) and not self._is_linked(file):
                shutil.copy2(file, place)
                is_new = file.stat().st_ctime_ns >= self._begun and file not in self._told
                if is_new and _holds_mail(file, self._options):
                    yield Trouble(str(file), _CAME)
        except (OutputError, OSError) as error:
            fault_of_copy = _fault(file, error)
            if file not in self._told:
                yield fault_of_copy

    def _place(self, path: Path) -> Path:
        place = self._target / path.relative_to(self._source)
        return place.with_name(resized(place.name, self._growth[path])) if path in self._growth else place

    def _is_linked(self, file: Path) -> bool:
        """Whether the file has another name under which it was copied; the copy has this name now too."""
        first = self._names.first(file)
        if first is None:
            return False
        if first in self._growth:
            self._growth[file] = self._growth[first]
        self._place(file).hardlink_to(self._place(first))
        return True


def _holds_mail(file: Path, options: RewriteOptions) -> bool:
    """Whether a file holds mail, or a text that would be changed. Mail programs also write texts such as locks."""
    if not isinstance(next(walk(str(file), by_name=True)), File):
        return False
    outcomes = rewrite_file(Source(file, str(file)), None, options)
    return any(isinstance(each, Rewriting) and (each.patches or each.document.kind != "text") for each in outcomes)


def _fault(file: Path, error: OutputError | OSError) -> Trouble:
    """The trouble of one file that cannot be read; the others can.

    Raises:
        OSError: it is the target that cannot be written.
    """
    if isinstance(error, OSError) and error.errno in OF_TARGET:
        raise error
    return fault(str(file), error)
