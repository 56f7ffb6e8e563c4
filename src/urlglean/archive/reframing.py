"""Puts the patches of a message into its file: mailboxes quote lines, double dots, and count octets."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import attrgetter

from urlglean.archive.counts import body_counts, emlx_count, rnews_count
from urlglean.errors import IrreversibleError
from urlglean.expressions import compiled
from urlglean.mail.octet_patch import OctetPatch, patched
from urlglean.records import Framing
from urlglean.sources.framing import kept, unframed
from urlglean.sources.mbox import header_end

_FROM = (compiled(rb"(?<=\n)(?=From )"), b">")
_FROM_RD = (compiled(rb"(?<=\n)(?=>*+From )"), b">")
_DOT = (compiled(rb"(?<=\n)(?=\.)"), b".")
_QUOTING: Mapping[Framing, tuple[re.Pattern[bytes], bytes]] = {
    Framing.MBOX: _FROM,
    Framing.MBOXRD: _FROM_RD,
    Framing.MMDF: _FROM,
}
_BEFORE_BLANK_LINE = {Framing.MBOX, Framing.MBOXRD, Framing.MMDF, Framing.BABYL}
"""Where a blank line at the end is none of the message. The Content-Length may count it."""
_COUNT = {Framing.RNEWS: rnews_count, Framing.EMLX: emlx_count}


def reframed(octets: bytes, framing: Framing, patches: Sequence[OctetPatch], body: int) -> list[OctetPatch]:
    """The patches of a document's octets that make the patches of its message, in order.

    Quotation marks and doubled dots stay where they are, and new lines get theirs. Counts of octets and of lines that
    were right stay right.

    Args:
        octets: those of the document, as they lie in the file.
        framing: its framing.
        patches: of `unframed(octets, framing)`, in order.
        body: the offset in it at which the body of the message begins.

    Raises:
        IrreversibleError: the message would not be the patched one.
    """
    places, message = _Places(octets, framing), unframed(octets, framing)
    quoting = _QUOTING.get(framing) or (_DOT if places.is_stuffed else None)
    result = []
    for patch in patches:
        start = places.behind(patch.start)
        end = max(start, places.before(patch.end))
        new = _quoted(patch.octets, octets[max(start - 1, 0) : end], quoting) if quoting else patch.octets
        result.append(OctetPatch(start, end, new))
    begin, end = places.behind(body), places.stretches[-1][1]
    if framing in {Framing.MBOX, Framing.MBOXRD}:
        begin = header_end(octets, 0, len(octets)) or begin
    most = len(octets) if framing in _BEFORE_BLANK_LINE else end
    counts = list(body_counts(octets, (places.stretches[0][0], begin), (end, most), result))
    if framing in _COUNT:
        result += _COUNT[framing](octets, sum(patch.growth for patch in (*result, *counts)))
        result.sort(key=_ORDER)
    if unframed(patched(octets, result), framing) != patched(message, patches):
        raise IrreversibleError("its file would hold another message")
    return sorted([*result, *counts], key=_ORDER)


_ORDER = attrgetter("start", "end")


def _quoted(new: bytes, old: bytes, quoting: tuple[re.Pattern[bytes], bytes]) -> bytes:
    """The octets of a patch with the marks that the file needs; `old` are the octets that they replace, with theirs.

    Some programs do not quote a line "From " that begins no message. If no such line of `old` is quoted, none of `new`
    gets a mark.
    """
    line, mark = quoting
    if quoting is _FROM and len(line.findall(new)) == len(line.findall(old)):
        return new
    return line.sub(mark, new)


class _Places:
    """The places of the octets of a message in its document."""

    def __init__(self, octets: bytes, framing: Framing) -> None:
        self.stretches = kept(octets, framing)
        self.is_stuffed = framing in {Framing.FILE, Framing.RNEWS} and self.stretches[-1][1] < len(octets)
        self._begins = [0, *accumulate(end - start for start, end in self.stretches)]

    def behind(self, at: int) -> int:
        """The place of the octet at offset `at` of the message."""
        index = min(bisect_right(self._begins, at), len(self.stretches)) - 1
        return self.stretches[index][0] + at - self._begins[index]

    def before(self, at: int) -> int:
        """The place behind the octet that precedes offset `at` of the message."""
        index = max(bisect_left(self._begins, at) - 1, 0)
        return self.stretches[index][0] + at - self._begins[index]
