"""Documents without the frame that a mailbox puts around messages, for tests of the messages alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from urlglean.bounds import DEFAULT, Bounds
from urlglean.mail import read
from urlglean.records import Document, Framing, Message, TextPart
from urlglean.sources import FromPath, Item, Taken, bundled, unbundled, unframed


def documents(path: str, *, kind: str | None = None, bounds: Bounds = DEFAULT) -> Iterator[Item]:
    """The documents at a path, one at a time, without the announcements of what each file was taken for."""
    return (item for item in unbundled(bundled(path, kind=kind, bounds=bounds)) if not isinstance(item, Taken))


def taken_out(items: Iterable[FromPath]) -> list[Item]:
    """The items. Each document is taken out of its bundle; its data is its unframed content, and its offset is 0."""
    return [
        msgspec.structs.replace(item, data=unframed(item.data, item.framing), framing=Framing.NONE, offset=0)
        if isinstance(item, Document)
        else item
        for item in unbundled(items)
    ]


def texts(parts: Iterable[TextPart]) -> tuple[TextPart, ...]:
    """The parts without their `decoding`."""
    return tuple(msgspec.structs.replace(part, decoding=None) for part in parts)


def message(octets: bytes) -> Message:
    """Reads octets as a message. Its parts have no `decoding`."""
    found = read(octets)
    return msgspec.structs.replace(found, parts=texts(found.parts))
