"""Puts an edited text back into its message, by reversing the steps that decoded the part."""

from __future__ import annotations

import binascii
import re
from base64 import b64encode
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import AnyStr

from urlglean.bounds import DEFAULT, Bounds
from urlglean.charsets import decode_by, encode
from urlglean.errors import IrreversibleError
from urlglean.inline_binaries import without_binaries
from urlglean.lazy import pattern
from urlglean.mail.headers import unfolded, value
from urlglean.mail.message import read
from urlglean.mail.transfer_encoding import undo
from urlglean.records import Decoding, DocumentKind, TextPart

_LINE_END = pattern(r"\r?\n")
_LINES = pattern(rb"(?!\Z)((?:[^\r\n]|\r(?!\n))*+)(\r?\n|\Z)")
_LONGEST_LINE = 76
"""The most characters in a line of quoted-printable, without its line end (RFC 2045 6.7)."""


def decoded(octets: bytes, made: Decoding) -> str:
    """Decode the text of a part again. For an HTML part, this is its source.

    Args:
        octets: the message, without the frame of its file.
        made: the decoding of the part.
    """
    stretch = _stretch(octets, made)
    if made.field:
        return value(stretch).text
    undone = undo(stretch, made.transfer).octets
    return decode_by(without_binaries(undone) if made.blanked else undone, made.charset, marked=made.marked)


def rewritten(
    octets: bytes,
    part: TextPart,
    text: str,
    kind: DocumentKind = "message",
    bounds: Bounds = DEFAULT,
) -> bytes:
    """Replace the text of a part by an edited text.

    All octets that the edit does not concern stay the same: in quoted-printable the lines without a change (except the
    line beside an insertion), in a header field the folds outside the change. The offsets of the parts behind this one
    may change. So of several edits, apply the last in the message first.

    Args:
        octets: the message or text, without the frame of its file.
        part: one of the parts that `read` returned for these octets, with the same `kind` and `bounds`.
        text: the new text of the part.
        kind: as in `read`.
        bounds: as in `read`.

    Returns:
        The new message. If it is read again, its parts have the same texts, except this part, which has the new text.

    Raises:
        IrreversibleError: the text cannot be replaced exactly. The error says why.
    """
    parts = read(octets, kind, bounds).parts
    made = part.decoding
    if made is None or part not in parts:
        raise IrreversibleError("the text was not read from this message")
    _reversible(made)
    stretch = _stretch(octets, made)
    if made.field:
        new = _value(stretch, made, part.text, text)
    else:
        undone = undo(stretch, made.transfer).octets
        if _encoded(part.text, made) != undone:
            raise IrreversibleError(f"its octets are not those that {made.charset} writes, or were replaced")
        new = _encoded(text, made)
    result = _put(octets, made, new)
    expected = [(each.part, each.field, text if each == part else each.text) for each in parts]
    if [(each.part, each.field, each.text) for each in read(result, kind, bounds).parts] != expected:
        raise IrreversibleError("the message would be read in another way")
    return result


def _reversible(made: Decoding) -> None:
    """Check that the steps of a decoding can be reversed.

    Raises:
        IrreversibleError: they cannot.
    """
    if made.html:
        raise IrreversibleError("the text is what a reader sees of HTML")
    if made.blanked:
        raise IrreversibleError("files inside the text were left out of it")
    if made.field == "encoded-words":
        raise IrreversibleError("the field holds encoded words")


def _stretch(octets: bytes, made: Decoding) -> bytes:
    """The octets that a decoding decodes."""
    return _around(octets, made)[made.start : made.end]


def _around(octets: bytes, made: Decoding) -> bytes:
    """The octets in which `made.start` and `made.end` are offsets: the message, or the result of `made.within`."""
    if made.within is None:
        return octets
    return undo(_stretch(octets, made.within), made.within.transfer).octets


def _put(octets: bytes, made: Decoding, new: bytes) -> bytes:
    """The message, with the octets `new` in the place of those that the transfer encoding of `made` decodes to."""
    around = _around(octets, made)
    coded = _coded(around[made.start : made.end], made, new)
    result = around[: made.start] + coded + around[made.end :]
    return result if made.within is None else _put(octets, made.within, result)


def _coded(stretch: bytes, made: Decoding, new: bytes) -> bytes:
    """Encode the octets `new` in the transfer encoding of `made`, in the style of the octets `stretch` to replace.

    Raises:
        IrreversibleError: these have an unknown style.
    """
    if made.transfer == "":
        return new
    old = undo(stretch, made.transfer).octets
    if old == new:
        return stretch
    if made.transfer == "quoted-printable":
        return _quoted_printable(stretch, old, new)
    if made.transfer == "base64":
        width = len(re.split(rb"[\r\n]", stretch, maxsplit=1)[0]) or 76
        if _base64(stretch, old, width) == stretch:
            return _base64(stretch, new, width)
    elif made.transfer == "cr" and b"\n" not in stretch:
        return new.replace(b"\n", b"\r")
    raise IrreversibleError(f"its {made.transfer} is not written in a way that is known")


def _base64(model: bytes, octets: bytes, width: int) -> bytes:
    """Base64 in lines of `width` characters, with the line ends of `model`, and with the line ends at its end."""
    coded = b64encode(octets)
    end = b"\r\n" if b"\r\n" in model else b"\n"
    tail = model[len(model.rstrip(b"\r\n")) :]
    return end.join(coded[at : at + width] for at in range(0, len(coded), width)) + tail


def _quoted_printable(stretch: bytes, old: bytes, new: bytes) -> bytes:
    """Quoted-printable (RFC 2045 6.7). Only the lines that the change concerns are encoded again, all others stay.

    Args:
        stretch: the encoded octets to replace.
        old: what they decode to.
        new: the octets to encode.
    """
    lines = stretch.splitlines(keepends=True)
    undone = [undo(line, "quoted-printable").octets for line in lines]
    ends = list(accumulate(map(len, undone)))
    start, end, _ = _changed_range(old, new)
    first = min(bisect_right(ends, start), len(lines) - 1)
    last = max(first, min(bisect_left(ends, end), len(lines) - 1))
    before = ends[first] - len(undone[first])
    touched = new[before : len(new) - (len(old) - ends[last])]
    soft_break = b"=\r\n" if b"\r\n" in stretch else b"=\n"
    coded = b"".join(
        # istext=False, because as text it would make all line ends the same.
        binascii.b2a_qp(line, istext=False).replace(b"=\n", soft_break) + line_end
        for line, line_end in _LINES.findall(touched)
    )
    following = lines[last + 1 :]
    unended = len(coded) - coded.rfind(b"\n") - 1
    if following and unended and unended + len(following[0].rstrip(b"\r\n")) > _LONGEST_LINE:
        if unended == _LONGEST_LINE:  # no room for the break itself; a line of this length never ends in an escape
            coded = coded[:-1] + soft_break + coded[-1:]
        coded += soft_break
    return b"".join((*lines[:first], coded, *following))


def _value(stretch: bytes, made: Decoding, old: str, new: str) -> bytes:
    """The octets of the value of a field with the text `new` instead of `old`. Folds outside the change stay.

    Raises:
        IrreversibleError: decoding the value does more than unfold it, or its charset lacks a character.
    """
    raw = decode_by(stretch, made.charset, marked=made.marked)
    held = raw.strip()
    if unfolded(held) != old or _encoded(raw, made) != stretch:
        raise IrreversibleError("its value is not only folded")
    start, end, new_end = _changed_range(old, new)
    # The offset in the value of each character of the text. A fold is no character of the text; a line end without a
    # blank after it was read as a blank.
    places: list[int] = []
    done = 0
    for fold in _LINE_END.finditer(held):
        is_lost = held[fold.end() : fold.end() + 1] not in {" ", "\t"}
        places += range(done, fold.start() + is_lost)
        done = fold.end()
    places += range(done, len(held))
    front = len(raw) - len(raw.lstrip())
    begin = front + (places[start - 1] + 1 if start else 0)
    stop = front + (places[end] if end < len(places) else len(held))
    return _encoded(raw[:begin] + new[start:new_end] + raw[stop:], made)


def _encoded(text: str, made: Decoding) -> bytes:
    try:
        return encode(text, made.charset, marked=made.marked)
    except UnicodeError as error:
        raise IrreversibleError(f"{made.charset} lacks one of its characters") from error


def _changed_range(old: AnyStr, new: AnyStr) -> tuple[int, int, int]:
    """The range that differs: where it begins in both, where it ends in `old`, where it ends in `new`."""
    start = _common_length(old, new)
    same = _common_length(old[start:][::-1], new[start:][::-1])
    return start, len(old) - same, len(new) - same


def _common_length(one: AnyStr, other: AnyStr) -> int:
    """The length of the common beginning, found by bisection."""
    known, most = 0, min(len(one), len(other))
    while known < most:
        middle = (known + most + 1) // 2
        if one[known:middle] == other[known:middle]:
            known = middle
        else:
            most = middle - 1
    return known
