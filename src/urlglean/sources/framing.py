"""Takes the message or text out of a document: removes what the format of its file put around it and into it.

`kept` tells where the octets lie that stay, so that an edited message can be put back (`archive.reframing`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from urlglean.lazy import LazyPattern
from urlglean.records import Framing
from urlglean.sources import c_client
from urlglean.sources.dbox import dbox_content, dbox_place
from urlglean.sources.listserv import after_line, notebook_content
from urlglean.sources.mailboxes import babyl_content, babyl_places, emlx_content, emlx_place, mmdf_content, mmdf_place
from urlglean.sources.mbox import QUOTED, QUOTED_RD, place, unquoted, unquoted_rd
from urlglean.sources.message_file import AFTER_WIRE, STUFFED, is_stuffed, message_content, message_start
from urlglean.sources.news import after_first_line, batched_content

Marks = re.Pattern[bytes] | LazyPattern[bytes, re.Match[bytes]] | None

_CONTENT: Mapping[Framing, Callable[[bytes], bytes]] = {
    Framing.NONE: lambda data: data,
    Framing.FILE: message_content,
    Framing.MBOX: unquoted,
    Framing.MBOXRD: unquoted_rd,
    Framing.MMDF: mmdf_content,
    Framing.BABYL: babyl_content,
    Framing.LISTSERV: notebook_content,
    Framing.DBOX: dbox_content,
    Framing.MBX: c_client.content,
    Framing.RNEWS: batched_content,
    Framing.EMLX: emlx_content,
}


def unframed(octets: bytes, framing: Framing) -> bytes:
    """The octets of the message or text itself, as `mail.read` takes them.

    Args:
        octets: those of a `Document`, or those that an `Origin` names, of the unpacked file.
        framing: its framing.
    """
    return _CONTENT[framing](octets)


def kept(octets: bytes, framing: Framing) -> list[tuple[int, int]]:
    """The stretches of a document's octets, `start` and `end` of each, that `unframed` puts together, in order.

    There is one that may be empty at least. In Babyl, `unframed` may put a line end between two of them,
    and what it unpacks in a dbox file is one stretch.

    Args:
        octets: as in `unframed`.
        framing: as in `unframed`.
    """
    places, removed = _FRAMES[framing](octets)
    stretches = []
    for start, end in places:
        at = start
        for mark in removed.finditer(octets, start, end) if removed else ():
            if mark.start() > start:  # the first line of a message is never quoted
                stretches.append((at, mark.start()))
                at = mark.start() + 1
        stretches.append((at, end))
    return stretches


_Places = Sequence[tuple[int, int]]


def _in_wire_format(octets: bytes, start: int) -> tuple[_Places, Marks]:
    if is_stuffed(octets, start):
        return [(start, len(octets) - AFTER_WIRE)], STUFFED
    return [(start, len(octets))], None


_FRAMES: Mapping[Framing, Callable[[bytes], tuple[_Places, Marks]]] = {
    Framing.NONE: lambda data: ([(0, len(data))], None),
    Framing.FILE: lambda data: _in_wire_format(data, message_start(data)),
    Framing.MBOX: lambda data: ([place(data)], QUOTED),
    Framing.MBOXRD: lambda data: ([place(data)], QUOTED_RD),
    Framing.MMDF: lambda data: ([mmdf_place(data)], QUOTED),
    Framing.BABYL: lambda data: (babyl_places(data), None),
    Framing.LISTSERV: lambda data: ([(after_line(data), len(data))], None),
    Framing.DBOX: lambda data: ([dbox_place(data)], None),
    Framing.MBX: lambda data: ([(c_client.after_line(data), len(data))], None),
    Framing.RNEWS: lambda data: _in_wire_format(data, after_first_line(data)),
    Framing.EMLX: lambda data: ([emlx_place(data)[:2]], None),
}
"""By framing: where the message lies, and what begins with an octet that is removed from it."""
