"""Which files in a folder, and which members of an archive, are read: patterns with the meaning that git gives them.

The patterns are those of a `.gitignore` file (https://git-scm.com/docs/gitignore), by the package pathspec: one without
a slash matches a name at any depth, one with a slash a path from the top; `*`, `?` and sets match no slash, `**` does;
one that matches a folder matches all that is in it. An archive is like a folder.
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from urlglean.errors import PatternError
from urlglean.expressions import compiled
from urlglean.lazy import pattern

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

EXCLUDED, NOT_INCLUDED = "excluded (--exclude)", "not included (--include)"
"""Why something is left out."""


class Globs(Struct, frozen=True):
    """Patterns of paths, from the path that was given on. A path that was given itself is always read.

    Attributes:
        include: if there are any, only what one of them matches is read.
        exclude: what one of them matches is not read, even if it is included. A folder is then not even looked into.

    Raises:
        PatternError: one of them is no pattern.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for each in (*self.include, *self.exclude):
            _compiled((each,))


EVERY_FILE = Globs()

_SET = pattern(r"\\.|\[[!^]?+\]?+(?:\[:[a-z]++:\]|\\.|[^\]\\])*+\]")
"""A set of characters; or one that is escaped, so that it begins none."""

_SET_OF_RE = pattern(r"\\.|\[\^?+\]?+(?:\\.|[^\]\\])*+\](?![*+])")
"""The same in what pathspec makes of a pattern. The sets that it repeats are its own, and match no slash."""

_BELOW = pattern(r"(?<=[^/])/\*\*/\Z")
"""To git, this matches the folders below the one before it; to pathspec, that folder too."""

_CLASS = pattern(r"\[:([a-z]++):\]")
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \t",
    "cntrl": "\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": '"-~!',  # "!" would negate the set if it came first
    "lower": "a-z",
    "print": " -~",
    "punct": '"-.:-@[-`{-~!',  # a slash is in no name
    "space": "\t-\r ",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
"""The classes of POSIX (9.3.5) in a set, which git knows and pathspec does not: name -> its characters in ASCII."""

_PROTOCOL = pattern(r"\A[a-z][a-z0-9+.-]++:///*+")
"""The beginning of a URL of fsspec. A file under `memory://box` is called `memory:///box/a.txt`."""


_MOST_FOLDERS = 1 << 12
"""For so many folders at the same time it is known whether they are excluded."""

_FOLDER_MARK = "ps_d"
"""The group of pathspec's patterns for the slash behind a folder that matches, with all that is in it."""


class Choice:
    """The patterns for what is at and under one path."""

    def __init__(self, globs: Globs, base: str) -> None:
        """Prepare `globs` for the path `base`, which was given."""
        self._base = _PROTOCOL.sub("", base)
        self._include = _compiled(globs.include) if globs.include else None
        self._exclude = _compiled(globs.exclude) if globs.exclude else None
        self._folders: dict[str, bool] = {}

    def left_out(self, path: str, member: str | None = None, *, is_folder: bool = False) -> str | None:
        """Why something is not read; None if it is read. A folder, or an archive, may hold what is included.

        Args:
            path: as found, `base` or something under it.
            member: the path inside of an archive.
            is_folder: whether only exclusion matters, which then holds for all that is in it.
        """
        under = _PROTOCOL.sub("", path).removeprefix(self._base)
        pieces = [piece for piece in f"{under}/{member or ''}".split("/") if piece not in {"", "."}]
        if not pieces:
            return None
        name = "/".join(pieces)
        if self._is_excluded(pieces, is_folder=is_folder):
            return EXCLUDED
        if self._include and not is_folder and not self._include.match_file(name):
            return NOT_INCLUDED
        return None

    def _is_excluded(self, pieces: list[str], *, is_folder: bool) -> bool:
        """Whether a path is excluded, or a folder above it, below which nothing comes back (gitignore(5))."""
        name = "/".join(pieces) + "/" * is_folder
        exclude = self._exclude
        if exclude is None:
            return False
        if all(each.include for each in exclude.patterns):
            return exclude.match_file(name)
        folders = ("/".join(pieces[:end]) + "/" for end in range(1, len(pieces)))
        return any(self._is_folder_excluded(exclude, folder) for folder in folders) or _decides(exclude, name)

    def _is_folder_excluded(self, exclude: GitIgnoreSpec, folder: str) -> bool:
        """Whether a folder is excluded. Of many files in one folder, the folders above are asked once."""
        if folder not in self._folders:
            if len(self._folders) >= _MOST_FOLDERS:
                self._folders.clear()
            self._folders[folder] = _decides(exclude, folder)
        return self._folders[folder]


def _decides(spec: GitIgnoreSpec, name: str) -> bool:
    """Whether the last pattern that matches a path, and not only a folder above it, is one without "!"."""
    matching = (bool(each.include) for each in reversed(spec.patterns) if _matches_itself(each.regex, name))
    return next(matching, False)


def _matches_itself(regex: re.Pattern[str] | None, name: str) -> bool:
    """Whether a pattern matches a path, which ends in a slash if it is a folder, and not only a folder above it."""
    if regex is None or (found := regex.search(name)) is None:
        return False
    mark = found.start(_FOLDER_MARK) if _FOLDER_MARK in regex.groupindex else -1
    if mark >= 0:  # the slash behind the folder that matches; a pattern for any folder finds the first one
        return mark == len(name) - 1 or regex.search(name, len(name) - 1) is not None
    # Of such a pattern as `a/**`, the folder itself is none: something must stand behind its slash.
    return not name.endswith("/") or regex.search(name, 0, len(name) - 1) is not None


def choice_of(globs: Globs, base: str) -> Choice | None:
    """The patterns for what is at and under a path; None if there are none."""
    return None if globs == EVERY_FILE else Choice(globs, base)


@lru_cache(maxsize=64)
def _compiled(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """The patterns as one.

    Raises:
        PatternError: one of them is none: it is blank, a comment, or has a range that runs backwards; or pathspec does
            not know it: an escape in a set.
    """
    from pathspec import GitIgnoreSpec  # noqa: PLC0415  it takes 20 ms to import, and few runs need it
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern  # noqa: PLC0415

    def made(written: str) -> GitIgnoreSpecPattern:
        regex, include = GitIgnoreSpecPattern.pattern_to_regex(written)
        return GitIgnoreSpecPattern(compiled(_SET_OF_RE.sub(r"(?!/)\g<0>", regex)) if regex else None, include)

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of "[[", which git too takes for a bracket
            # Its other engines do not know the look-ahead.
            spec = GitIgnoreSpec.from_lines(
                [_SET.sub(_without_classes, _BELOW.sub("/**/*/", each)) for each in patterns], made, backend="simple"
            )
    except (ValueError, KeyError, re.error) as error:
        raise PatternError(", ".join(patterns)) from error
    if not spec.patterns or any(each.include is None for each in spec.patterns):
        raise PatternError(", ".join(patterns))
    return spec


def _without_classes(found: re.Match[str]) -> str:
    """A set without classes; what is escaped stays.

    Raises:
        KeyError: there is no such class.
        ValueError: it holds an escape.
    """
    if found[0].startswith("\\"):
        return found[0]
    if "\\" in found[0]:
        raise ValueError(found[0])
    return _CLASS.sub(lambda held: _CLASSES[held[1]], found[0])
