"""Carries patches of decoded octets through a transfer encoding (RFC 2045 section 6), to what encodes them."""

from __future__ import annotations

import binascii
import re
from base64 import b64encode
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from urlglean.errors import IrreversibleError
from urlglean.lazy import pattern
from urlglean.mail.octet_patch import OctetPatch, patched
from urlglean.mail.transfer_encoding import undo
from urlglean.records import Transfer

_LINES = pattern(rb"(?!\Z)((?:[^\r\n]|\r(?!\n))*+)(\r?\n|\Z)")
_LONGEST_LINE = 76
"""The most characters in a line of quoted-printable, without its line end (RFC 2045 6.7)."""


def through(stretch: bytes, transfer: Transfer, changes: Sequence[OctetPatch]) -> list[OctetPatch]:
    """The patches of encoded octets that make changes of what they encode, in the style of these octets.

    Args:
        stretch: the encoded octets.
        transfer: their encoding.
        changes: patches of what they decode to, in order.

    Raises:
        IrreversibleError: these octets have an unknown style.
    """
    if transfer == "":
        return list(changes)
    old = undo(stretch, transfer).octets
    changes = [each for each in changes if old[each.start : each.end] != each.octets]
    if not changes:
        return []
    if transfer == "quoted-printable":
        return _quoted_printable(stretch, old, changes)
    if transfer == "base64":
        width = len(re.split(rb"[\r\n]", stretch, maxsplit=1)[0]) or 76
        if _base64(stretch, old, width) == stretch:
            return [OctetPatch(0, len(stretch), _base64(stretch, patched(old, changes), width))]
    elif transfer == "cr" and b"\n" not in stretch:
        return [OctetPatch(each.start, each.end, each.octets.replace(b"\n", b"\r")) for each in changes]
    raise IrreversibleError(f"its {transfer} is not written in a way that is known")


def _base64(model: bytes, octets: bytes, width: int) -> bytes:
    """Base64 in lines of `width` characters, with the line ends of `model`, and with the line ends at its end."""
    coded = b64encode(octets)
    end = b"\r\n" if b"\r\n" in model else b"\n"
    tail = model[len(model.rstrip(b"\r\n")) :]
    return end.join(coded[at : at + width] for at in range(0, len(coded), width)) + tail


def _quoted_printable(stretch: bytes, old: bytes, changes: Sequence[OctetPatch]) -> list[OctetPatch]:
    """Quoted-printable (RFC 2045 6.7). Only the lines that a change concerns are encoded again, all others stay.

    Args:
        stretch: the encoded octets.
        old: what they decode to.
        changes: patches of `old`.
    """
    lines = stretch.splitlines(keepends=True)
    undone = [undo(line, "quoted-printable").octets for line in lines]
    begins = [0, *accumulate(map(len, lines))]
    ends = list(accumulate(map(len, undone)))
    soft_break = b"=\r\n" if b"\r\n" in stretch else b"=\n"
    # Which lines, first and last, hold which changes. Neighbours are one group, because what is appended to a line
    # depends on the length of the next.
    groups: list[tuple[int, int, list[OctetPatch]]] = []
    for change in changes:
        first = min(bisect_right(ends, change.start), len(lines) - 1)
        last = max(first, min(bisect_left(ends, change.end), len(lines) - 1))
        if groups and first <= groups[-1][1] + 1:
            first, before, held = groups.pop()
            groups.append((first, max(before, last), [*held, change]))
        else:
            groups.append((first, last, [change]))
    result = []
    for first, last, held in groups:
        start = ends[first] - len(undone[first])
        inside = [OctetPatch(each.start - start, each.end - start, each.octets) for each in held]
        coded = b"".join(
            # istext=False, because as text it would make all line ends the same.
            binascii.b2a_qp(line, istext=False).replace(b"=\n", soft_break) + line_end
            for line, line_end in _LINES.findall(patched(old[start : ends[last]], inside))
        )
        unended = len(coded) - coded.rfind(b"\n") - 1
        following = lines[last + 1] if last + 1 < len(lines) else b""
        if following and unended and unended + len(following.rstrip(b"\r\n")) > _LONGEST_LINE:
            if unended == _LONGEST_LINE:  # no room for the break; a line of this length never ends in an escape
                coded = coded[:-1] + soft_break + coded[-1:]
            coded += soft_break
        result.append(OctetPatch(begins[first], begins[last + 1], coded))
    return result
