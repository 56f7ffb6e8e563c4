"""Documents as their messages are, for tests that care for these and not for what a mailbox puts around them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from urlglean.records import Document
from urlglean.sources import Bundled, Item, unbundled


def unframed(items: Iterable[Bundled]) -> list[Item]:
    """The items, each document, out of its bundle, with its content for its data."""
    return [
        msgspec.structs.replace(item, data=item.content, unframe=None) if isinstance(item, Document) else item
        for item in unbundled(items)
    ]
