"""Folders: where files lie under a path, and which of them hold no mail or news at all.

A Maildir is told by its shape. MH folders and news spools need no rule of their own: each file in them, named by
its number, is seen to be one message by its first bytes, as it would be anywhere; they only are read in the order of
their numbers. A mailbox for each year, `1992` `1993`, has the same names and is no such folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from fnmatch import translate

from msgspec import Struct

from urlglean.lazy import pattern
from urlglean.records import Trouble
from urlglean.sources.items import Skipped

_LEFT_OUT_DIRS = {name: f"the store of a version control system ({name})" for name in (".git", ".hg", ".svn")}

_LEFT_OUT_FILES = (
    (".mh_sequences", "sequences of an MH folder"),
    (".overview*", "an overview of a news group"),
    ("dovecot.index*", "an index of Dovecot"),
    ("dovecot.list.index*", "an index of Dovecot"),
    ("dovecot.mailbox.log*", "a log of Dovecot"),
    ("dovecot-uid*", "numbers of a Dovecot mailbox"),
    ("dovecot-keywords*", "keywords of a Dovecot mailbox"),
    ("maildirsize", "the size of a Maildir"),
    ("maildirfolder", "the mark of a Maildir's folder"),
    ("courierimap*", "a list of Courier IMAP"),
    ("courierpop3d*", "a list of Courier POP3"),
    ("subscriptions", "a list of folders"),
    (".mh_profile", "settings of MH"),
    (".xmhcache", "a cache of MH"),
    (".marks", "marks of Gnus"),
    (".nnmail-cache", "a cache of Gnus"),
    ("cyrus.*", "an index of Cyrus"),
    ("*.msf", "an index of Mozilla mail"),
    ("msgFilterRules.dat", "filters of Mozilla mail"),
    ("virtualFolders.dat", "searches of Mozilla mail"),
    ("table_of_contents", "an index of Apple Mail"),
    (".DS_Store", "notes of the Finder"),
)
"""Indexes and caches that look like text or messages: the programs that write them know them by name as well."""
_LEFT_OUT_NAME = pattern("|".join(f"({translate(name)})" for name, _ in _LEFT_OUT_FILES))

_SPECIAL = (
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a character device"),
    (stat.S_ISBLK, "a block device"),
)

_MAILDIR = {"cur", "new", "tmp"}
_UNDELIVERED = "messages that are still being delivered to a Maildir"


class File(Struct, frozen=True):
    """A file to be read; `one_message` says that its folder keeps each message in a file of its own."""

    path: str
    one_message: bool


def walk(path: str, *, by_name: bool) -> Iterator[File | Trouble | Skipped]:
    """Find the files at and under a path, in sorted order.

    Symbolic links to directories are not followed beneath `path`, so that there are no loops. `by_name` leaves out the
    indexes and caches that are known by name. A FIFO is read if it is `path` itself, as a shell hands one over. What
    cannot be looked at is a trouble; the walk goes on.
    """
    ahead: list[File | Trouble | Skipped] = [File(path, one_message=False)]
    # A stack of its own: a hostile tree is deeper than Python's.
    while ahead:
        place = ahead.pop()
        if not isinstance(place, File):
            yield place
            continue
        try:
            mode = os.stat(place.path).st_mode  # noqa: PTH116 -- Path('') would be the current directory
            if stat.S_ISDIR(mode):
                ahead.extend(reversed(_beneath(place)))
                continue
        except (OSError, ValueError) as error:
            yield fault(place.path, error)
            continue
        if stat.S_ISFIFO(mode) and place.path == path:
            yield place
            continue
        cause = _special(mode) or (left_out((file_name(place.path),)) if by_name else None)
        yield Skipped(place.path, cause) if cause else place


def fault(path: str, error: Exception) -> Trouble:
    """Give the trouble that an exception means for a path."""
    return Trouble(path, getattr(error, "strerror", None) or str(error))


def _beneath(folder: File) -> list[File | Trouble | Skipped]:
    with os.scandir(folder.path) as entries:
        found = sorted(entries, key=lambda entry: _order(entry.name))
    # Two of the three: copying and version control drop the directories that are empty.
    is_maildir = len(_MAILDIR & {entry.name for entry in found if _is_dir(entry)}) > 1
    return [_entry(entry, folder, in_maildir=is_maildir) for entry in found]


def _entry(entry: os.DirEntry[str], folder: File, *, in_maildir: bool) -> File | Trouble | Skipped:
    if not _is_dir(entry):
        return File(entry.path, one_message=folder.one_message)
    if entry.is_symlink():
        return Skipped(entry.path, "a symbolic link to a directory")
    if in_maildir and entry.name == "tmp":
        return Skipped(entry.path, _UNDELIVERED)
    if entry.name in _LEFT_OUT_DIRS:
        return Skipped(entry.path, _LEFT_OUT_DIRS[entry.name])
    return File(entry.path, one_message=in_maildir and entry.name in _MAILDIR)


def _is_dir(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a directory; what cannot be looked at, as a link to itself, is told when it is its turn."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def file_name(path: str) -> str:
    """The last part of a path; a `Path` costs ten times as much, for each of a spool's articles."""
    return os.path.basename(path)  # noqa: PTH119


def left_out(parts: tuple[str, ...]) -> str | None:
    """Why a file is left out for its name, the last of `parts`, or for the directories in an archive before it."""
    for directory in parts[:-1]:
        if directory in _LEFT_OUT_DIRS:
            return _LEFT_OUT_DIRS[directory]
    found = _LEFT_OUT_NAME.match(parts[-1] if parts else "")
    return _LEFT_OUT_FILES[(found.lastindex or 1) - 1][1] if found else None


def is_one_message(parts: tuple[str, ...]) -> bool:
    """Whether a file in an archive lies in a Maildir, whose files are named `unique[:2,flags]`."""
    return parts[-2:-1] in {("cur",), ("new",)}


def _order(name: str) -> tuple[int, int, str]:
    # Numbered files by number, as MH and news readers count them, before all others.
    return (0, int(name), name) if name.isascii() and name.isdigit() else (1, 0, name)


def _special(mode: int) -> str | None:
    return next((cause for is_such, cause in _SPECIAL if is_such(mode)), None)
