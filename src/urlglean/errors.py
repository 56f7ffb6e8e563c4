"""The exceptions of urlglean. They report wrong use only: bad text gives problems, never exceptions.

UrlgleanError
├── UnknownNameError      a dialect, joins level, format or kind of that name does not exist  (also a ValueError)
├── SchemeNameError       a scheme was asked for by a name that no scheme can have                (also a ValueError)
├── DateError             a date was asked for that is no year, month or day                      (also a ValueError)
├── ContradictionError    what is wanted leaves nothing, whatever the input is                     (also a ValueError)
├── PartsError            the parts of a URL cannot be used so, because of its scheme               (also a ValueError)
├── PatternError          a pattern of paths is none                                               (also a ValueError)
├── OutOfRangeError       a number for an option is smaller or larger than it may be              (also a ValueError)
├── UnreadableError       the file or folder at a path cannot be read                             (also an OSError)
├── IrreversibleError     an edited text cannot be put back into its message exactly
├── GrammarError          a .bnf file breaks its notation; those of urlglean are tested, so this concerns new grammars
├── MissingExtraError     an optional package is needed and not installed                         (also an ImportError)
├── OutputError           a file cannot be written: another run writes it, or what is there must not be overwritten
├── CatalogueError        a database is none that urlglean wrote, or it cannot be read or written
├── ResumeError           a run cannot be resumed: nothing was saved to resume from, or its inputs have changed
└── WorkerError           worker processes cannot be started

Input that cannot be read completely raises nothing. The library reports it with an `UnreadableWarning`, unless the
caller collects the reports itself.
"""

from __future__ import annotations

NEEDS_MEMORY = "needs more memory than it may take (--memory-limit)"
"""What troubles say of a document, part or page whose reading raises `MemoryError`."""


class UrlgleanError(Exception):
    """The base class of all exceptions that urlglean raises on purpose."""


class UnknownNameError(UrlgleanError, ValueError):
    """A name that is not known: `what` it should name, the `name` itself, and the `known` names."""

    def __init__(self, what: str, name: object, known: tuple[str, ...]) -> None:
        super().__init__(f"no {what} named {name!r}; there are: {', '.join(known)}")
        self.what, self.name, self.known = what, name, known

    def __reduce__(self) -> tuple[type[UnknownNameError], tuple[str, object, tuple[str, ...]]]:
        return type(self), (self.what, self.name, self.known)


class SchemeNameError(UrlgleanError, ValueError):
    """A name that no scheme can have, or one longer than `most` characters (RFC 3986 3.1)."""

    def __init__(self, name: str, most: int) -> None:
        super().__init__(
            f"{name!r} is no scheme's name: a letter, then letters, digits, '+', '-' or '.' (RFC 3986 3.1), "
            f"at most {most} of them, and no colon"
        )
        self.name, self.most = name, most

    def __reduce__(self) -> tuple[type[SchemeNameError], tuple[str, int]]:
        return type(self), (self.name, self.most)


class DateError(UrlgleanError, ValueError):
    """A `text` that is no year, month or day in the form of ISO 8601."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is no year, month or day, such as 1994, 1994-05 or 1994-05-31")
        self.text: str = text

    def __reduce__(self) -> tuple[type[DateError], tuple[str]]:
        return type(self), (self.text,)


class ContradictionError(UrlgleanError, ValueError):
    """What is wanted leaves nothing, whatever the input is; the message names the fields."""


class PartsError(UrlgleanError, ValueError):
    """The parts of a URL do not give the request that was asked for, because of its scheme or dialect."""


class PatternError(UrlgleanError, ValueError):
    """A `pattern` of paths that has no meaning."""

    def __init__(self, pattern: str) -> None:
        super().__init__(f"{pattern!r} is no pattern of paths, as git has them in .gitignore")
        self.pattern = pattern

    def __reduce__(self) -> tuple[type[PatternError], tuple[str]]:
        return type(self), (self.pattern,)


class OutOfRangeError(UrlgleanError, ValueError):
    """A number for an option `what` that is smaller than `least` or larger than `most`."""

    def __init__(self, what: str, number: float, least: float, most: float) -> None:
        super().__init__(f"{what} must be from {least:g} to {most:g}, not {number!r}")
        self.what, self.number, self.least, self.most = what, number, least, most

    def __reduce__(self) -> tuple[type[OutOfRangeError], tuple[str, float, float, float]]:
        return type(self), (self.what, self.number, self.least, self.most)


class UnreadableError(UrlgleanError, OSError):
    """A path cannot be read; the message has the cause in words."""


class UnreadableWarning(UserWarning):
    """Some input could not be read completely; the message has its place and cause."""


class IrreversibleError(UrlgleanError):
    """An edited text cannot be put back into the message from which it was read; the cause is one clause."""


class GrammarError(UrlgleanError):
    """A grammar file breaks its notation, or names a production that it does not define."""


class MissingExtraError(UrlgleanError, ImportError):
    """An optional package is needed and not installed; the message names the extra that installs it."""


class OutputError(UrlgleanError):
    """A file of rows cannot be written, because another run writes it or because something else is in its place."""


class CatalogueError(UrlgleanError):
    """The database at `path` is no catalogue, or it cannot be read or written; `cause` is one clause."""

    def __init__(self, path: object, cause: str) -> None:
        super().__init__(f"{path}: {cause}")
        self.path, self.cause = path, cause

    def __reduce__(self) -> tuple[type[CatalogueError], tuple[object, str]]:
        return type(self), (self.path, self.cause)


class ResumeError(UrlgleanError):
    """A run cannot be resumed; the message has the cause in words."""


class WorkerError(UrlgleanError):
    """Worker processes cannot be started."""
