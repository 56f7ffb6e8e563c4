"""The header field that says that a message was changed: `X-Urlglean: rejoined 2`."""

from __future__ import annotations

from urlglean.bounds import Bounds
from urlglean.lazy import pattern
from urlglean.mail.headers import split
from urlglean.mail.octet_patch import OctetPatch, patched

_MARK = pattern(rb"(?im)^x-urlglean[ \t]*:[ \t]*+rejoined[ \t]++([0-9]{1,9})[ \t]*+\r?$")
_FIRST_FIELD = pattern(rb"(?m)^(?!>?From (?![ \t]*+:))")
"""Behind the line of an envelope."""


def mark(octets: bytes, count: int, bounds: Bounds) -> list[OctetPatch]:
    """The patch that marks a message, at the end of its header; none if it has no header, or no room in it.

    If no empty line ends the header, the mark is the first field: behind the last one may stand the rest of its value,
    without the blank that tells so. The number in the mark of an earlier run becomes the sum.

    Args:
        octets: the message, without the frame of its file.
        count: how many URLs were made whole.
        bounds: as in `mail.read`.
    """
    headers = split(octets, bounds)
    block = headers.block
    if not block:
        return []
    if earlier := _MARK.search(block):
        return [OctetPatch(*earlier.span(1), b"%d" % (int(earlier[1]) + count))]
    end = b"\r" if headers.within else b"\r\n" if block.partition(b"\n")[0].endswith(b"\r") else b"\n"
    field = b"X-Urlglean: rejoined %d" % count
    at = len(block)
    if headers.body and headers.body_start == at:
        first = _FIRST_FIELD.search(block)
        assert first, "a block has a field"
        at = first.start()
    is_behind_line = at < len(block) or block.endswith(b"\n")
    made = [OctetPatch(at, at, field + end if is_behind_line else end + field)]
    # One field too many, and what follows would be read as text.
    return made if split(patched(octets, made), bounds).body == headers.body else []
