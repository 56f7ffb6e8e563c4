"""Documents as their messages are, for tests that care for these and not for what a mailbox puts around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from urlglean.bounds import DEFAULT, Bounds
from urlglean.records import Document, Framing, TextPart
from urlglean.sources import Bundled, Item, Taken, bundled, unbundled, unframed


def documents(path: str, *, kind: str | None = None, bounds: Bounds = DEFAULT) -> Iterator[Item]:
    """What lies at a path, one document at a time, without what each file was taken for."""
    return (item for item in unbundled(bundled(path, kind=kind, bounds=bounds)) if not isinstance(item, Taken))


def taken_out(items: Iterable[Bundled]) -> list[Item]:
    """The items, each document, out of its bundle, with its content for its data and with no place in its file."""
    return [
        msgspec.structs.replace(item, data=unframed(item.data, item.framing), framing=Framing.NONE, offset=0)
        if isinstance(item, Document)
        else item
        for item in unbundled(items)
    ]


def texts(parts: Iterable[TextPart]) -> tuple[TextPart, ...]:
    """The parts without what they were decoded from."""
    return tuple(msgspec.structs.replace(part, decoding=None) for part in parts)
