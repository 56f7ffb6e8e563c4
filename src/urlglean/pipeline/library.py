"""Scanning from Python: `scan` for files, folders and octets, `extract_message` for one message."""

from __future__ import annotations

import inspect
import io
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, groupby, islice
from typing import Any, Protocol, runtime_checkable

from urlglean.errors import UnreadableWarning
from urlglean.occurrence import Occurrence
from urlglean.output.text import place, printable
from urlglean.pipeline.chunk_result import is_long
from urlglean.pipeline.glean import TOGETHER, Report, glean, gleaned
from urlglean.pipeline.inputs import opened, streamed
from urlglean.pipeline.options import Options
from urlglean.pipeline.wanted import ALL, Wanted
from urlglean.records import Dialect, Document, Joins, Trouble
from urlglean.sources import Bundle, FromPath
from urlglean.text.extract import Extractor
from urlglean.text.search_terms import several_names

UNNAMED = "-"
"""The path in the results if the input has no path: octets, or a file without a name."""


@runtime_checkable
class BinaryFile(Protocol):
    """A file from which octets can be read."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` octets, and none at the end."""


Path = str | os.PathLike[str]
Octets = bytes | bytearray | memoryview
Source = Path | Iterable[Path | Octets] | BinaryFile | Octets
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
    wanted: Wanted | None = None,
    on_trouble: OnTrouble | None = None,
) -> Iterator[Occurrence]:
    """Find the URLs in files, folders, an open file or octets: mailboxes, news spools, messages, plain text.

    The kind of a file is recognised by its first octets, the kind of a folder by its structure, as in `urlglean scan`.
    Compressed files and archives are opened. What is neither mail nor text, such as an image, is left out. The input is
    read while the caller iterates, by this process alone. Of a mailbox, one block at a time is in memory.

    Args:
        source: a path (`str` or `os.PathLike`; "-" is standard input); or several paths; or a file that is open in
            binary mode, which is read from its current position to its end and is not closed; or octets, at once or in
            pieces of any size, as a generator of `bytes` gives them.
        dialect: this and the following options up to `bare_hosts` are as in `extract`.
        joins: how far to go in joining.
        invalid: whether to include rejected candidates, in their places. They have `finding.rejected`.
        strict: whether to reject URLs that browsers accept but the dialect does not.
        schemes: more schemes to search for.
        bare_hosts: whether to search for hosts without a scheme too.
        least: findings with a smaller confidence (0 to 1) are left out.
        wanted: which messages, parts and URLs are wanted; the others are left out. None: all are wanted.
        on_trouble: called with each `Trouble`: something that could not be read completely, with its place and cause.
            The scan continues afterwards. Without this function, each trouble is a warning.

    Returns:
        An iterator of `Occurrence`, in the order of the input. Its `origin.path` is the given path plus the path found
        beneath it; or the name of the open file; or "-".

    Raises:
        UnknownNameError: there is no such dialect or level of joins. The call itself raises this and the others.
        SchemeNameError: one of `schemes` is not a possible name of a scheme (RFC 3986 3.1).
        OutOfRangeError: `least` is not between 0 and 1.
        TypeError: `source` is none of these, a file is open in text mode, or an option has a wrong type. If one of
            several paths is not a path, the iterator raises it, not the call. A piece that is not octets, behind others
            that are, is a trouble.

    Warns:
        UnreadableWarning: something could not be read completely, and there is no `on_trouble`.
    """
    options = options_of(dialect, joins, invalid, strict, schemes, bare_hosts, least, wanted)
    return _occurrences(_items(source), options, _reporter(on_trouble))


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
    wanted: Wanted | None = None,
    on_trouble: OnTrouble | None = None,
) -> list[Occurrence]:
    """Find the URLs in one message: in its header fields, then in its decoded texts (RFC 5322, RFC 5536, RFC 2045).

    The octets are never read as a mailbox: a line that begins with "From " is a line of the message. Compressed octets
    are unpacked first.

    Args:
        octets: the message as it was sent or stored.
        dialect: this and the following options are as in `scan`.
        joins: how far to go in joining.
        invalid: whether to include rejected candidates.
        strict: whether to reject URLs that browsers accept but the dialect does not.
        schemes: more schemes to search for.
        bare_hosts: whether to search for hosts without a scheme too.
        least: findings with a smaller confidence are left out.
        wanted: which parts and URLs are wanted.
        on_trouble: called with each `Trouble`.

    Returns:
        A list of `Occurrence`, part by part, in each part in the order of the text. Their `origin.path` is "-".

    Raises:
        UnknownNameError: as in `scan`.
        SchemeNameError: as in `scan`.
        OutOfRangeError: as in `scan`.
        TypeError: `octets` are not bytes, or an option has a wrong type.

    Warns:
        UnreadableWarning: as in `scan`.
    """
    if not isinstance(octets, bytes | bytearray | memoryview):
        raise TypeError(f"a message must be bytes, not {type(octets).__name__}")
    options = options_of(dialect, joins, invalid, strict, schemes, bare_hosts, least, wanted)
    items = streamed(io.BytesIO(bytes(octets)).read1, UNNAMED, kind="message")
    return list(_occurrences(items, options, _reporter(on_trouble)))


def options_of(  # noqa: PLR0913, PLR0917 - those of `scan`, in its order
    dialect: Dialect,
    joins: Joins,
    invalid: bool,  # noqa: FBT001
    strict: bool,  # noqa: FBT001
    schemes: Iterable[str],
    bare_hosts: bool,  # noqa: FBT001
    least: float,
    wanted: Wanted | None,
) -> Options:
    """The options as one record.

    Raises:
        UnknownNameError: as in `scan`, like the other exceptions.
    """
    names = several_names("schemes", schemes)
    # Before the options are the key of a cache: what is of a wrong type may not be one.
    Extractor(dialect, joins, invalid=invalid, strict=strict, schemes=names, bare_hosts=bare_hosts)
    if wanted is not None and not isinstance(wanted, Wanted):
        raise TypeError(f"wanted must be urlglean.Wanted, not {type(wanted).__name__}")
    return Options(dialect, joins, invalid, least, strict, names, bare_hosts, wanted=wanted or ALL)


def _items(source: Source) -> Iterator[FromPath]:
    if isinstance(source, str | os.PathLike):
        return opened([_path(source)])
    if isinstance(source, bytes | bytearray | memoryview):
        return streamed(io.BytesIO(bytes(source)).read1, UNNAMED)
    if isinstance(source, BinaryFile):
        if not isinstance(source.read(0), bytes):
            raise TypeError("a file to be scanned must be open in binary mode")
        return streamed(getattr(source, "read1", source.read), _name(source))
    if not isinstance(source, Iterable):
        raise TypeError(f"cannot scan {type(source).__name__}: not a path, several, an open binary file, or bytes")
    return _of_several(source)


def _of_several(source: Iterable[Path | Octets]) -> Iterator[FromPath]:
    several = iter(source)
    for first in several:
        every = chain([first], several)
        if isinstance(first, bytes | bytearray | memoryview):
            yield from streamed(_Pieces(every).read1, UNNAMED)
        else:
            yield from opened(map(_path, every))


class _Pieces:
    """Octets that come in pieces, as a file."""

    def __init__(self, pieces: Iterable[Any]) -> None:
        self._pieces = iter(pieces)
        self._left = memoryview(b"")

    def read1(self, size: int) -> bytes:
        """Return at most `size` octets, and none at the end."""
        while not self._left and (piece := next(self._pieces, None)) is not None:
            if not isinstance(piece, bytes | bytearray | memoryview):
                raise TypeError(f"a piece must be bytes, not {type(piece).__name__}")
            self._left = memoryview(bytes(piece))
        found, self._left = self._left[:size], self._left[size:]
        return bytes(found)


def _path(path: object) -> str:
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"a path must be str or os.PathLike, not {type(path).__name__}")
    return os.fsdecode(path)


def _name(file: object) -> str:
    """The name of an open file. If its `name` is a number, that is a descriptor, and the file has no name."""
    name = getattr(file, "name", None)
    return os.fsdecode(name) if isinstance(name, str | bytes) else UNNAMED


def _reporter(on_trouble: OnTrouble | None) -> OnTrouble:
    """The function to call with each trouble: `on_trouble`, or one that warns.

    Raises:
        TypeError: `on_trouble` cannot be called.
    """
    if on_trouble is not None and not callable(on_trouble):
        raise TypeError(f"on_trouble must be callable, not {type(on_trouble).__name__}")
    return on_trouble or _warn


def _warn(trouble: Trouble) -> None:
    """Warn at the line of the caller outside of this package that asks for findings."""
    level, frame = 1, inspect.currentframe()
    while frame and str(frame.f_globals.get("__name__")).startswith(_WITHIN):
        level, frame = level + 1, frame.f_back
    warnings.warn(f"{place(trouble)}: {printable(trouble.cause)}", UnreadableWarning, stacklevel=level)


_WITHIN = f"{__name__.partition('.')[0]}."
"""How the names of modules of this package begin."""


def _occurrences(items: Iterator[FromPath], options: Options, on_trouble: OnTrouble) -> Iterator[Occurrence]:
    for item in items:
        if isinstance(item, Trouble):
            on_trouble(item)
        documents = item.documents() if isinstance(item, Bundle) else [item] if isinstance(item, Document) else []
        for report in _reports(documents, options):
            for trouble in report.troubles:
                on_trouble(trouble)
            yield from report.occurrences


def _reports(documents: Sequence[Document], options: Options) -> Iterator[Report]:
    """The reports of documents, several at a time, but those of a long one in pieces."""
    for long, several in groupby(documents, is_long):
        if long:
            yield from chain.from_iterable(gleaned(document, options) for document in several)
        else:
            while some := list(islice(several, TOGETHER)):
                yield from _of_some(some, options)


def _of_some(documents: Sequence[Document], options: Options) -> Iterable[Report]:
    with suppress(MemoryError):
        return glean(documents, options)
    return chain.from_iterable(gleaned(document, options) for document in documents)
