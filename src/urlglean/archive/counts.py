"""The counts that a message or its file states: fields Content-Length and Lines, the first lines of rnews and emlx.

A count that was right before is made right again. One that was wrong says nothing, and stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from urlglean.lazy import pattern
from urlglean.mail.octet_patch import OctetPatch
from urlglean.sources.mailboxes import emlx_place
from urlglean.sources.news import after_first_line

_FIELD = pattern(rb"(?im)^(content-length|lines)[ \t]*:(?:[ \t]|\r?\n(?=[ \t]))*+([0-9]{1,12})[ \t]*+\r?$")
_LINE_ENDS = pattern(rb"(?:\r?\n){0,2}")
_EMLX = pattern(rb"([0-9]{1,12})[ \t]*+")
_RNEWS = pattern(rb"#! *rnews +([0-9]{1,12})")


def body_counts(
    octets: bytes, header: tuple[int, int], ends: tuple[int, int], patches: Sequence[OctetPatch]
) -> Iterator[OctetPatch]:
    """The patches of the fields Content-Length (octets) and Lines that count the body of a message.

    Content-Length counts the octets as they lie in the file, quotation marks included (System V, mboxcl); at its end
    up to two line ends may be counted or not. Lines counts line ends (RFC 1036 2.2.12); that of the last line
    may be of the mailbox.

    Args:
        octets: those of the document.
        header: where the header begins, and where the body does.
        ends: where the body ends; and where the octets end that belong to the message for its file.
        patches: the patches of the message, as places in `octets`.
    """
    body, (end, most) = header[1], ends
    fields = [(each[1].lower(), each.span(2), int(each[2])) for each in _FIELD.finditer(octets, *header)]
    of_body = [patch for patch in patches if patch.start >= body]
    for name, (start, stop), count in fields:
        if name == b"content-length":
            is_right = body + count <= most and _LINE_ENDS.fullmatch(octets, body + count, most) is not None
            growth = sum(patch.growth for patch in of_body)
        else:
            last = body + len(octets[body:end].rstrip(b"\r\n"))
            is_right = count in {octets.count(b"\n", body, at) for at in (last, end, most)}
            growth = sum(patch.octets.count(b"\n") - octets.count(b"\n", patch.start, patch.end) for patch in of_body)
        if is_right and growth:
            yield OctetPatch(start, stop, b"%d" % (count + growth))


def rnews_count(octets: bytes, growth: int) -> Iterator[OctetPatch]:
    """The patch of the first line of an article in a batch: how many octets follow it."""
    first, begin = _RNEWS.match(octets), after_first_line(octets)
    if first and _LINE_ENDS.fullmatch(octets, begin + int(first[1])) and begin + int(first[1]) <= len(octets):
        yield OctetPatch(*first.span(1), b"%d" % (int(first[1]) + growth))


def emlx_count(octets: bytes, growth: int) -> Iterator[OctetPatch]:
    """The patch of the first line of an emlx file: how many octets the message has. Its width stays if it can."""
    first = _EMLX.match(octets)
    if first and emlx_place(octets)[2]:
        yield OctetPatch(0, first.end(), (b"%d" % (int(first[1]) + growth)).ljust(first.end()))
