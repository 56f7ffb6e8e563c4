"""Finds the files under a path, and leaves out those that hold no mail or news.

A Maildir is recognised by its structure. MH folders and news spools need no rule of their own: each of their files,
which are named by numbers, is recognised as a message by its first bytes, as everywhere; only the order is by number.
The names would not be enough: mailboxes with the names of years (`1992`, `1993`) look the same.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from fnmatch import translate
from functools import partial
from itertools import pairwise

from msgspec import Struct

from urlglean.lazy import pattern
from urlglean.records import Trouble
from urlglean.sources import mbox
from urlglean.sources.globs import EXCLUDED, Choice
from urlglean.sources.items import Skipped
from urlglean.sources.public_inbox import is_repository
from urlglean.sources.streams import HEAD

_LEFT_OUT_DIRS = {name: f"the store of a version control system ({name})" for name in (".git", ".hg", ".svn")}

# Besides those, Cyrus keeps each message in a file of its own, and people name mailboxes and archives after it.
_OF_CYRUS = ("header*", "index*", "cache*", "squat*", "expunge*", "annotations*", "seen*", "notes")

_LEFT_OUT_FILES = (
    (".mh_sequences", "sequences of an MH folder"),
    (".overview*", "an overview of a news group"),
    ("dovecot.index*", "an index of Dovecot"),
    ("dovecot.map.index*", "an index of Dovecot"),
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
    (".mbsyncstate", "a state of mbsync"),
    (".uidvalidity", "numbers of a Maildir of mbsync"),
    *((f".mix{name}", "an index of a mailbox in mix") for name in ("meta", "index", "status")),
    (".mu-prop", "properties of a mailbox of GNU Mailutils"),
    (".marks", "marks of Gnus"),
    (".nnmail-cache", "a cache of Gnus"),
    (".nov", "an overview of Gnus"),
    (".mew-summary", "a summary of Mew"),
    (".mew-cache", "a cache of Mew"),
    *((f"cyrus.{name}", "an index of Cyrus") for name in _OF_CYRUS),
    ("*.msf", "an index of Mozilla mail"),
    ("msgFilterRules.dat", "filters of Mozilla mail"),
    ("virtualFolders.dat", "searches of Mozilla mail"),
    ("table_of_contents", "an index of Apple Mail"),
    (".DS_Store", "notes of the Finder"),
)
"""Names of indexes and caches that look like text or messages. The programs that write them also find them by name.
People give some of these names to mailboxes, so a file that begins as an mbox is none of them."""
_LEFT_OUT_NAME = pattern("|".join(f"({translate(name)})" for name, _ in _LEFT_OUT_FILES))

_SPECIAL = (
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a character device"),
    (stat.S_ISBLK, "a block device"),
)

_BEHIND_NUMBER = frozenset({"", "git", "gz", "Z", "bz2", "xz", "lzma", "zst"})
"""What may stand behind a number and a dot: nothing in a mailbox of Cyrus; or the name of a compression."""

LINK_TO_FOLDER = "a symbolic link to a directory"
_OF_MAILDIR = ("cur", "new")
_MAILDIR = (*_OF_MAILDIR, "tmp")
# The name of a message in a Maildir (https://cr.yp.to/proto/maildir.html): it begins with the time in seconds, or ends
# in its flags. Some programs begin it otherwise, and where a colon is not allowed, they write another sign.
_WITH_FLAGS = r".*2,[A-Za-z]*\Z"
# Since 1973, the time has nine digits; a mailbox of a year may be called `2001.mbox`.
UNIQUE_NAME = pattern(rf"[0-9]{{9,}}\.(?!(?i:mbox|mbx|mmdf|tar|zip)\b)|{_WITH_FLAGS}")
UNDELIVERED = "messages that are still being delivered to a Maildir"


class File(Struct, frozen=True):
    """A file to read. `one_message` says whether its folder keeps each message in its own file."""

    path: str
    one_message: bool


class Repository(Struct, frozen=True):
    """A folder to read as a bare git repository."""

    path: str


Found = File | Repository | Trouble | Skipped


def walk(path: str, *, by_name: bool, choice: Choice | None = None) -> Iterator[Found]:
    """Find the files at and under a path, in sorted order.

    Symbolic links to directories are not followed beneath `path`, so that there are no loops. With `by_name`, indexes
    and caches are left out. A FIFO is read only if it is `path` itself, because shells pass FIFOs as arguments. What
    cannot be looked at becomes a trouble, and the walk continues. What `choice` excludes is left out; a file that it
    does not include is yielded, because it may be an archive.
    """
    ahead: list[Iterator[tuple[Found, int]]] = [iter([(File(path, one_message=in_maildir(path)), 0)])]
    """What is not yet yielded of each folder from `path` to here."""
    listed: dict[str, Iterator[tuple[Found, int]]] = {}
    """What is beneath a folder `new` before `cur` is looked at: programs move messages from one to the other, and what
    is not found any more is told."""
    # No recursion, because a hostile tree may be deeper than Python's stack.
    while ahead:
        if (found := next(ahead[-1], None)) is None:
            ahead.pop()
            continue
        place, mode = found
        if not isinstance(place, File):
            yield place
            continue
        try:
            mode = mode or os.stat(place.path).st_mode  # noqa: PTH116 -- Path('') would be the current directory
            if choice and choice.left_out(place.path, is_folder=stat.S_ISDIR(mode)) == EXCLUDED:
                yield Skipped(place.path, EXCLUDED)
                continue
            if stat.S_ISDIR(mode):
                if place.one_message and len(ahead) > 1 and file_name(place.path) == "cur":
                    new = File(f"{place.path.removesuffix('cur')}new", one_message=True)
                    with suppress(OSError):
                        listed[new.path] = _beneath(new)
                beneath = listed.pop(place.path, None)
                ahead.append(_beneath(place) if beneath is None else beneath)
                continue
        except (OSError, ValueError) as error:
            cause = choice.left_out(place.path, is_folder=stat.S_ISDIR(mode)) if choice else None
            yield Skipped(place.path, cause) if cause else fault(place.path, error)
            continue
        if stat.S_ISFIFO(mode) and place.path == path:
            yield place
            continue
        cause = special(mode) or (_left_out_here(place.path) if by_name else None)
        yield Skipped(place.path, cause) if cause else place


def fault(path: str, error: Exception) -> Trouble:
    """The trouble for an exception at a path."""
    return Trouble(path, getattr(error, "strerror", None) or str(error))


def _beneath(folder: File) -> Iterator[tuple[Found, int]]:
    """What is in a folder, in sorted order, each with its mode as far as the folder tells it; else 0."""
    names: list[str] = []
    others: dict[str, os.DirEntry[str]] = {}
    with os.scandir(folder.path) as entries:
        for entry in entries:
            names.append(entry.name)
            # Of a file its name is enough. A folder may hold a million of them, and an entry takes twice the memory.
            if not _is_regular(entry):
                others[entry.name] = entry
    names.sort(key=by_number)
    if is_repository(names):
        return iter([(Repository(folder.path), 0)])
    is_maildir = _is_maildir(folder.path, [name for name in _MAILDIR if name in others and _is_dir(others[name])])
    prefix = os.path.join(folder.path, "")  # noqa: PTH118 -- as in `file_name`
    return (
        (_entry(others[name], folder, of_maildir=is_maildir), 0)
        if name in others
        else (_file(prefix + name, folder), stat.S_IFREG)
        for name in names
    )


def _is_maildir(folder: str, names: list[str]) -> bool:
    """Whether a folder that holds these of the folders of a Maildir is one.

    Some of the three are enough, because copying and version control lose empty directories. But where it is not `cur`
    and another one, they may be other folders as well, so a message must be in one.
    """
    if not _are_in_doubt(names):
        return True
    try:
        return any(map(_holds_message, (f"{folder}/{name}" for name in _OF_MAILDIR if name in names)))
    except OSError:
        return False


def _are_in_doubt(names: list[str]) -> bool:
    return "cur" not in names or len(names) == 1


def _holds_message(folder: str) -> bool:
    with os.scandir(folder) as entries:
        return any(UNIQUE_NAME.match(entry.name) for entry in entries)


def in_maildir(path: str) -> bool:
    """Whether a path is the folder `cur` or `new` of a Maildir, or a file in one of these."""
    try:
        whole = os.path.abspath(path)  # noqa: PTH100 -- as in `file_name`
        is_folder = os.path.isdir(whole)  # noqa: PTH112
        folder = whole if is_folder else os.path.dirname(whole)  # noqa: PTH120
        if file_name(folder) not in _OF_MAILDIR:
            return False
        parent = os.path.dirname(folder)  # noqa: PTH120
        names = [name for name in _MAILDIR if os.path.isdir(f"{parent}/{name}")]  # noqa: PTH112
        # Each file of a Maildir may be given: so its folder, which may be large, is not read for each of them.
        in_doubt = not is_folder and _are_in_doubt(names)
        return UNIQUE_NAME.match(file_name(whole)) is not None if in_doubt else _is_maildir(parent, names)
    except (OSError, ValueError):
        return False


def _file(path: str, folder: File) -> File:
    """A file in a folder. In a Maildir, one whose name begins with a dot is no message."""
    return File(path, one_message=folder.one_message and not file_name(path).startswith("."))


def _entry(entry: os.DirEntry[str], folder: File, *, of_maildir: bool) -> Found:
    if not _is_dir(entry):
        return _file(entry.path, folder)
    if entry.is_symlink():
        return Skipped(entry.path, LINK_TO_FOLDER)
    if of_maildir and entry.name == "tmp":
        return Skipped(entry.path, UNDELIVERED)
    if entry.name in _LEFT_OUT_DIRS and not any(os.path.isdir(f"{entry.path}/{name}") for name in _OF_MAILDIR):  # noqa: PTH112
        return Skipped(entry.path, _LEFT_OUT_DIRS[entry.name])
    return File(entry.path, one_message=of_maildir and entry.name in _MAILDIR)


def _is_regular(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a regular file, of which most folders tell without another system call."""
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False


def _is_dir(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a directory. False if it cannot be looked at; `walk` reports that when it comes to it."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def file_name(path: str) -> str:
    """The last component of a path. A `Path` would take ten times as long, for each article of a spool."""
    return os.path.basename(path)  # noqa: PTH119


def left_out(parts: tuple[str, ...], head: Callable[[], bytes]) -> str | None:
    """Why a file is left out because of its name, or of its directories in an archive; None if it is not left out.

    Args:
        parts: the components of its path, the name last.
        head: reads its first bytes; called only for the name of an index.
    """
    for directory, below in pairwise(parts):
        if directory in _LEFT_OUT_DIRS and below not in _OF_MAILDIR:  # Maildir++ has a folder `git` in `.git`
            return _LEFT_OUT_DIRS[directory]
    found = _LEFT_OUT_NAME.match(parts[-1] if parts else "")
    return None if found is None or mbox.shows(head()) else _LEFT_OUT_FILES[(found.lastindex or 1) - 1][1]


def _left_out_here(path: str) -> str | None:
    return left_out((file_name(path),), partial(_head, path))


def _head(path: str) -> bytes:
    """The first bytes of a file; none if they cannot be read."""
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 -- as in `entries`
            return file.read(HEAD)
    except OSError:
        return b""


def is_one_message(parts: tuple[str, ...]) -> bool:
    """Whether a file in an archive, or elsewhere, is a message of a Maildir: by the names of its folder and its own."""
    return parts[-2:-1] in {("cur",), ("new",)} and UNIQUE_NAME.match(parts[-1]) is not None


def number_of(name: str) -> int | None:
    """The number by which an article or message is named, packed or not; None if it is not named by one."""
    stem, dot, suffix = name.partition(".")
    is_number = stem.isascii() and stem.isdigit() and (not dot or suffix in _BEHIND_NUMBER)
    return int(stem) if is_number else None


def by_number(name: str) -> tuple[int, int, str]:
    """By what names in a folder are sorted: those that are numbers are first, in numeric order.

    This is the order of MH, of news readers, and of the repositories of a public-inbox: 0.git, 1.git, ...
    """
    number = number_of(name)
    return (1, 0, name) if number is None else (0, number, name)


def special(mode: int) -> str | None:
    """What a file is that is not read, such as a FIFO, by its mode; None if it is none of these."""
    return next((cause for is_such, cause in _SPECIAL if is_such(mode)), None)
