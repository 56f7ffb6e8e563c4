"""The standard streams of the process, which may be closed or full when it starts."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EBADF
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

TROUBLE = 2
"""The exit status if something could not be read completely or written, the same as that of grep."""


def prepare() -> None:
    """Keep the descriptors 0, 1 and 2 from other files, and let stderr never raise.

    A file that is opened while one of them is closed would get its number, and messages of a worker would go into it.
    """
    for descriptor, flags in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):  # stdin and stdout remain unusable
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, flags)  # the lowest number that is free is this one
    if sys.stderr is None or sys.stderr is sys.__stderr__:
        encoding = sys.stderr.encoding if sys.stderr else "utf-8"
        sys.stderr = io.TextIOWrapper(_Stderr(), encoding, "backslashreplace", write_through=True)


class _Stderr(io.RawIOBase):
    """Stderr. What cannot be written is dropped: the run continues, because of its rows."""

    def fileno(self) -> int:
        return 2

    def isatty(self) -> bool:
        return os.isatty(2)

    def writable(self) -> bool:
        return True

    def write(self, octets: ReadableBuffer, /) -> int:
        rest = memoryview(octets)
        size = len(rest)
        with suppress(OSError):
            while rest:
                rest = rest[os.write(2, rest) :]
        return size


def unwritten(error: OSError) -> str:
    """What could not be written, and why, for people: "cannot write rows.jsonl: no space left on device"."""
    from urlglean.output.text import printable  # noqa: PLC0415  `--help` does not need what it imports

    if not error.strerror:
        return f"cannot write: {printable(str(error))}"
    name = "" if error.filename is None else f" {printable(os.fsdecode(error.filename))}"
    return f"cannot write{name}: {printable(error.strerror[:1].lower() + error.strerror[1:])}"


def give_up_stdout() -> None:
    """Discard what is not yet written to stdout, because the interpreter flushes it again when it exits."""
    with suppress(OSError, AttributeError, ValueError):  # stdout is missing, or is not the system's
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def click_writes() -> Iterator[None]:
    """A block in which click may write help or the version to stdout. If it cannot, there is a message and a status."""
    cause = None
    try:
        yield
    except BrokenPipeError:
        give_up_stdout()
        sys.exit(0)
    except OSError as error:
        give_up_stdout()
        error.filename = error.filename or "stdout"
        cause = unwritten(error)
    except click.exceptions.Exit:
        if sys.stdout is not None:
            raise
        cause = unwritten(OSError(EBADF, "it is closed", "stdout"))
    if cause is not None:
        click.echo(f"urlglean: {cause}", err=True)
        sys.exit(TROUBLE)
