"""Scanning from Python: an iterator of occurrences for whatever lies there."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Protocol, runtime_checkable

from urlglean.errors import UnreadableWarning
from urlglean.occurrence import Occurrence
from urlglean.output.text import place, printable
from urlglean.pipeline.glean import TOGETHER, extractor_of, glean
from urlglean.pipeline.inputs import opened, streamed
from urlglean.pipeline.options import Options
from urlglean.records import Dialect, Document, Joins, Trouble
from urlglean.sources import Bundle, Bundled

UNNAMED = "-"
"""The path of what came from no path: octets, or a file without a name."""


@runtime_checkable
class BinaryFile(Protocol):
    """A file that gives octets."""

    def read(self, size: int, /) -> bytes:
        """Give at most so many octets, and none at the end."""


Path = str | os.PathLike[str]
Source = Path | Iterable[Path] | BinaryFile | bytes | bytearray | memoryview
OnTrouble = Callable[[Trouble], object]


def scan(  # noqa: PLR0913 - the options of `extract`, and two more
    source: Source,
    *,
    dialect: Dialect = "current",
    joins: Joins = "likely",
    invalid: bool = False,
    strict: bool = False,
    schemes: Iterable[str] = (),
    bare_hosts: bool = False,
    least: float = 0.0,
    on_trouble: OnTrouble | None = None,
) -> Iterator[Occurrence]:
    """The URLs in files and folders, or in what a file or some octets hold: mailboxes, spools, messages, text.

    What lies there is told by its first octets and by the shape of a folder, as `urlglean scan` tells it; compressed
    files and archives are opened. What is neither mail nor text, such as an image, is left out. It is read as the
    iterator goes on, by this process alone; of a mailbox, a block at a time.

    Args:
        source: a path (`str` or `os.PathLike`; "-" is standard input); or several of them; or a file that is open in
            binary mode, which is read from where it stands to its end and not closed; or octets.
        dialect: this and the others up to `bare_hosts` are as in `extract`.
        joins: how far to go in joining.
        invalid: whether rejected candidates come too, in their places; `finding.rejected` tells them.
        strict: whether what only browsers take is rejected.
        schemes: schemes to be looked for too.
        bare_hosts: whether hosts without a scheme are looked for too.
        least: findings of a smaller confidence are left out, 0 to 1.
        on_trouble: called with each `Trouble`: what could not be read whole, with its place and cause. The rest goes
            on. Without it, each is a warning.

    Returns:
        An iterator of `Occurrence`, in the order of the input. `path` is the path as given plus what was found beneath;
        the name of an open file; or "-".

    Raises:
        UnknownNameError: there is no such dialect or level of joins. All of these are raised by the call.
        SchemeNameError: one of `schemes` can be no scheme's name (RFC 3986 3.1).
        OutOfRangeError: `least` is no probability.
        TypeError: `source` is none of these, a file is open in text mode, or an option is of a wrong type. Raised by
            the iterator where one of several paths is none.

    Warns:
        UnreadableWarning: something could not be read whole, and there is no `on_trouble`.
    """
    options = _options(dialect, joins, invalid, strict, schemes, bare_hosts, least)
    return _occurrences(_items(source), options, _told(on_trouble, 3))


def extract_message(  # noqa: PLR0913 - as `scan`
    octets: bytes | bytearray | memoryview,
    *,
    dialect: Dialect = "current",
    joins: Joins = "likely",
    invalid: bool = False,
    strict: bool = False,
    schemes: Iterable[str] = (),
    bare_hosts: bool = False,
    least: float = 0.0,
    on_trouble: OnTrouble | None = None,
) -> list[Occurrence]:
    """The URLs in one message: its header fields, then its texts, decoded (RFC 5322, RFC 5536, RFC 2045).

    The octets are never taken for a mailbox: a line that begins with "From " is a line of the message. Packed ones are
    unpacked first.

    Args:
        octets: the message as it was sent or stored.
        dialect: this and the others are as in `scan`.
        joins: how far to go in joining.
        invalid: whether rejected candidates come too.
        strict: whether what only browsers take is rejected.
        schemes: schemes to be looked for too.
        bare_hosts: whether hosts without a scheme are looked for too.
        least: findings of a smaller confidence are left out.
        on_trouble: called with each `Trouble`.

    Returns:
        A list of `Occurrence`, by the parts of the message, in each in the order of its text; `path` is "-".

    Raises:
        UnknownNameError: as in `scan`, like the others.
        SchemeNameError: as there.
        OutOfRangeError: as there.
        TypeError: `octets` are none, or an option is of a wrong type.

    Warns:
        UnreadableWarning: as in `scan`.
    """
    if not isinstance(octets, bytes | bytearray | memoryview):
        raise TypeError(f"a message must be bytes, not {type(octets).__name__}")
    options = _options(dialect, joins, invalid, strict, schemes, bare_hosts, least)
    items = streamed(io.BytesIO(octets).read1, UNNAMED, kind="message")
    return list(_occurrences(items, options, _told(on_trouble, 4)))


def _options(  # noqa: PLR0913, PLR0917 - those of `scan`, in its order
    dialect: Dialect,
    joins: Joins,
    invalid: bool,  # noqa: FBT001
    strict: bool,  # noqa: FBT001
    schemes: Iterable[str],
    bare_hosts: bool,  # noqa: FBT001
    least: float,
) -> Options:
    """The options as a record, checked."""
    if isinstance(schemes, str):
        raise TypeError("schemes must be several names, not one str")
    options = Options(dialect, joins, invalid, least, strict, tuple(schemes), bare_hosts)
    extractor_of(options)
    return options


def _items(source: Source) -> Iterator[Bundled]:
    if isinstance(source, str | os.PathLike):
        return opened([_path(source)])
    if isinstance(source, bytes | bytearray | memoryview):
        return streamed(io.BytesIO(source).read1, UNNAMED)
    if isinstance(source, BinaryFile):
        if not isinstance(source.read(0), bytes):
            raise TypeError("a file to be scanned must be open in binary mode")
        return streamed(getattr(source, "read1", source.read), _name(source))
    if not isinstance(source, Iterable):
        raise TypeError(f"cannot scan {type(source).__name__}: not a path, several, an open binary file, or bytes")
    return opened(map(_path, source))


def _path(path: Path) -> str:
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"a path must be str or os.PathLike, not {type(path).__name__}")
    return os.fsdecode(path)


def _name(file: object) -> str:
    """What a file is called; a number is a descriptor, and no name."""
    name = getattr(file, "name", None)
    return os.fsdecode(name) if isinstance(name, str | bytes) else UNNAMED


def _told(on_trouble: OnTrouble | None, level: int) -> OnTrouble:
    """What is called with each trouble; a warning names the caller that is so many frames above it."""
    if on_trouble is not None and not callable(on_trouble):
        raise TypeError(f"on_trouble must be callable, not {type(on_trouble).__name__}")
    return on_trouble or partial(_warn, level)


def _warn(level: int, trouble: Trouble) -> None:
    warnings.warn(f"{place(trouble)}: {printable(trouble.cause)}", UnreadableWarning, stacklevel=level)


def _occurrences(items: Iterator[Bundled], options: Options, on_trouble: OnTrouble) -> Iterator[Occurrence]:
    for item in items:
        if isinstance(item, Trouble):
            on_trouble(item)
        documents = item.documents() if isinstance(item, Bundle) else [item] if isinstance(item, Document) else []
        for start in range(0, len(documents), TOGETHER):
            for report in glean(documents[start : start + TOGETHER], options):
                for trouble in report.troubles:
                    on_trouble(trouble)
                yield from report.occurrences
