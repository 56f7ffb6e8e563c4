"""Takes the message or text out of a document: removes what the format of its file put around it and into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from urlglean.records import Framing
from urlglean.sources.mailboxes import babyl_content, emlx_content, mmdf_content
from urlglean.sources.mbox import unquoted, unquoted_rd
from urlglean.sources.message_file import message_content
from urlglean.sources.news import batched_content

_CONTENT: Mapping[Framing, Callable[[bytes], bytes]] = {
    Framing.NONE: lambda data: data,
    Framing.FILE: message_content,
    Framing.MBOX: unquoted,
    Framing.MBOXRD: unquoted_rd,
    Framing.MMDF: mmdf_content,
    Framing.BABYL: babyl_content,
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
