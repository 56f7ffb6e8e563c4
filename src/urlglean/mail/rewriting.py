"""An edited text -> the message with it: the steps that decoded a part are taken in reverse."""

from __future__ import annotations

import binascii
import re
from base64 import b64encode
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import AnyStr, Literal

from urlglean.bounds import DEFAULT, Bounds
from urlglean.errors import IrreversibleError
from urlglean.lazy import pattern
from urlglean.mail.charsets import decode_by, encode
from urlglean.mail.headers import unfolded, value
from urlglean.mail.inline_binaries import without_binaries
from urlglean.mail.message import read
from urlglean.mail.transfer_encoding import undo
from urlglean.records import Decoding, TextPart

_LINE_END = pattern(r"\r?\n")
_LINES = pattern(rb"(?!\Z)((?:[^\r\n]|\r(?!\n))*+)(\r?\n|\Z)")
_LONGEST_LINE = 76
"""Characters of a line in quoted-printable, its line end left out (RFC 2045 6.7)."""


def decoded(octets: bytes, made: Decoding) -> str:
    """The text that a part's decoding makes of its message's octets; of an HTML part its source.

    Args:
        octets: the message, out of its frame.
        made: the part's decoding.
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
    kind: Literal["message", "text"] = "message",
    bounds: Bounds = DEFAULT,
) -> bytes:
    """Put an edited text in the place of a part's.

    What the edit does not touch stays octet for octet: in quoted-printable the lines without a change, in a header
    field the folds outside it. The places of parts behind this one may move: of several edits, the last in the message
    comes first.

    Args:
        octets: the message or text, out of its frame.
        part: one of the parts that `read` gave of these octets, with the same `kind` and `bounds`.
        text: what it shall be.
        kind: as in `read`.
        bounds: as in `read`.

    Returns:
        The message. Read anew it has the same parts, but for this one, whose text is the edited one.

    Raises:
        IrreversibleError: that cannot be done exactly; it says why.
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
    told = [(each.part, each.field, text if each == part else each.text) for each in parts]
    if [(each.part, each.field, each.text) for each in read(result, kind, bounds).parts] != told:
        raise IrreversibleError("the message would be read in another way")
    return result


def _reversible(made: Decoding) -> None:
    """Refuse what was read by steps that are not taken back."""
    if made.html:
        raise IrreversibleError("the text is what a reader sees of HTML")
    if made.blanked:
        raise IrreversibleError("files inside the text were left out of it")
    if made.field == "encoded-words":
        raise IrreversibleError("the field holds encoded words")


def _stretch(octets: bytes, made: Decoding) -> bytes:
    """The octets that a decoding begins with."""
    return _around(octets, made)[made.start : made.end]


def _around(octets: bytes, made: Decoding) -> bytes:
    """The octets in which these lie: the message, or what was decoded of it before."""
    if made.within is None:
        return octets
    return undo(_stretch(octets, made.within), made.within.transfer).octets


def _put(octets: bytes, made: Decoding, new: bytes) -> bytes:
    """The message with other octets for those that the transfer encoding of a decoding gave."""
    around = _around(octets, made)
    coded = _coded(around[made.start : made.end], made, new)
    result = around[: made.start] + coded + around[made.end :]
    return result if made.within is None else _put(octets, made.within, result)


def _coded(stretch: bytes, made: Decoding, new: bytes) -> bytes:
    """Octets in a transfer encoding, written as those were that stand there."""
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
    """Base64 in lines of a width, with the line ends of the model, and what the model has at its end."""
    coded = b64encode(octets)
    end = b"\r\n" if b"\r\n" in model else b"\n"
    tail = model[len(model.rstrip(b"\r\n")) :]
    return end.join(coded[at : at + width] for at in range(0, len(coded), width)) + tail


def _quoted_printable(stretch: bytes, old: bytes, new: bytes) -> bytes:
    """Quoted-printable (RFC 2045 6.7), its lines as they stand but for those that the change touches."""
    lines = stretch.splitlines(keepends=True)
    undone = [undo(line, "quoted-printable").octets for line in lines]
    ends = list(accumulate(map(len, undone)))
    start, end, _ = _change(old, new)
    first = min(bisect_right(ends, start), len(lines) - 1)
    last = max(first, min(bisect_left(ends, end), len(lines) - 1))
    before = ends[first] - len(undone[first])
    touched = new[before : len(new) - (len(old) - ends[last])]
    soft_break = b"=\r\n" if b"\r\n" in stretch else b"=\n"
    coded = b"".join(
        # As data: as text it would make all line ends alike.
        binascii.b2a_qp(line, istext=False).replace(b"=\n", soft_break) + line_end
        for line, line_end in _LINES.findall(touched)
    )
    following = lines[last + 1 :]
    unended = len(coded) - coded.rfind(b"\n") - 1
    if following and unended and unended + len(following[0].rstrip(b"\r\n")) > _LONGEST_LINE:
        if unended == _LONGEST_LINE:  # no room for the break itself; so long a line never ends in an escape
            coded = coded[:-1] + soft_break + coded[-1:]
        coded += soft_break
    return b"".join((*lines[:first], coded, *following))


def _value(stretch: bytes, made: Decoding, old: str, new: str) -> bytes:
    """A field's value, its folds as they stand but for those in the stretch that the change touches."""
    raw = decode_by(stretch, made.charset, marked=made.marked)
    held = raw.strip()
    if unfolded(held) != old or _encoded(raw, made) != stretch:
        raise IrreversibleError("its value is not only folded")
    start, end, new_end = _change(old, new)
    # Where each character of the text stands in the value: a fold is no character, a lost one is a blank.
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


def _change(old: AnyStr, new: AnyStr) -> tuple[int, int, int]:
    """The stretch that differs: where it begins in both, where it ends in the old, and in the new."""
    start = _alike(old, new)
    same = _alike(old[start:][::-1], new[start:][::-1])
    return start, len(old) - same, len(new) - same


def _alike(one: AnyStr, other: AnyStr) -> int:
    """How long their beginnings are the same."""
    known, most = 0, min(len(one), len(other))
    while known < most:
        middle = (known + most + 1) // 2
        if one[known:middle] == other[known:middle]:
            known = middle
        else:
            most = middle - 1
    return known
