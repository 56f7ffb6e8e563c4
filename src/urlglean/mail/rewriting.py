"""Puts edited texts back into their message, by reversing the steps that decoded the parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import AnyStr

from msgspec import Struct

from urlglean.bounds import DEFAULT, Bounds
from urlglean.charsets import decode_by, encode
from urlglean.errors import IrreversibleError
from urlglean.inline_binaries import without_binaries
from urlglean.lazy import pattern
from urlglean.mail.external_body import with_whole_url
from urlglean.mail.header_values import unfolded, uri, value
from urlglean.mail.message import read
from urlglean.mail.octet_patch import OctetPatch, patched
from urlglean.mail.transfer_encoding import undo
from urlglean.mail.transfer_patches import through
from urlglean.records import Decoding, DocumentKind, TextPart

_LINE_END = pattern(r"\r?\n")


class Edit(Struct, frozen=True, gc=False):
    """An edit of the text of a part: `text` for `part.text[start:end]`."""

    part: TextPart
    start: int
    end: int
    text: str = ""


def decoded(octets: bytes, made: Decoding) -> str:
    """Decode the text of a part again. For HTML and enriched text, this is the source.

    Args:
        octets: the message, without the frame of its file.
        made: the decoding of the part.
    """
    stretch = Reversal(octets).stretch(made)
    if made.field:
        text = (uri if made.field == "uri" else value)(stretch).text
        return with_whole_url(text) if made.field == "parameters" else text
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
    if part.decoding is None or part not in parts:
        raise IrreversibleError("the text was not read from this message")
    start, end, new_end = _changed_range(part.text, text)
    reversal = Reversal(octets)
    result = patched(octets, reversal.patches([reversal.edited([Edit(part, start, end, text[start:new_end])])]))
    expected = [(each.part, each.field, text if each == part else each.text) for each in parts]
    if [(each.part, each.field, each.text) for each in read(result, kind, bounds).parts] != expected:
        raise IrreversibleError("the message would be read in another way")
    return result


class Edited(Struct, frozen=True):
    """The edits of one part as patches of octets: those of the message (`within` is None), or as in `Decoding`."""

    within: Decoding | None
    patches: tuple[OctetPatch, ...]


class Reversal:
    """Makes patches of the octets of one message from edits of its texts. All other octets stay, as in `rewritten`.

    The result is not read again: whether the new message says what the edits say is for the caller to check.
    """

    def __init__(self, octets: bytes) -> None:
        """Take a message or text, without the frame of its file."""
        # Kept, because many parts may lie in one stretch that was decoded.
        self._inside: dict[Decoding | None, bytes] = {None: octets}

    def inside(self, within: Decoding | None) -> bytes:
        """The octets in which places are counted: the message for None, else what a stretch of it decodes to."""
        if within not in self._inside:
            assert within is not None
            self._inside[within] = undo(self.stretch(within), within.transfer).octets
        return self._inside[within]

    def stretch(self, made: Decoding) -> bytes:
        """The octets that a decoding decodes."""
        return self.inside(made.within)[made.start : made.end]

    def edited(self, edits: Sequence[Edit]) -> Edited:
        """The patches for edits of one part.

        Args:
            edits: of a part that `read` returned for this message, in order and without overlap; one at least.

        Raises:
            IrreversibleError: the text cannot be edited exactly. The error says why.
        """
        made = edits[0].part.decoding
        if made is None:
            raise IrreversibleError("the text was not read from this message")
        _reversible(made)
        stretch = self.stretch(made)
        new = _in_field(stretch, made, edits) if made.field else _in_body(stretch, made, edits)
        return Edited(made.within, tuple(_moved(new, made.start)))

    def patches(self, parts: Iterable[Edited]) -> list[OctetPatch]:
        """The patches of the message for the edits of several parts, in order.

        Raises:
            IrreversibleError: a message that was encoded before it was attached cannot be encoded again.
        """
        of: dict[Decoding | None, list[OctetPatch]] = {None: []}
        for part in parts:
            of.setdefault(part.within, []).extend(part.patches)
        while (deepest := max(of, key=_depth)) is not None:
            new = through(self.stretch(deepest), deepest.transfer, sorted(of.pop(deepest), key=_START))
            of.setdefault(deepest.within, []).extend(_moved(new, deepest.start))
        return sorted(of[None], key=_START)


_START = attrgetter("start")


def _depth(made: Decoding | None) -> int:
    depth = 0
    while made is not None:
        made, depth = made.within, depth + 1
    return depth


def _moved(changes: Iterable[OctetPatch], by: int) -> list[OctetPatch]:
    return [OctetPatch(each.start + by, each.end + by, each.octets) for each in changes]


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
    if made.field in {"parameters", "uri"}:
        raise IrreversibleError("the field holds a URL in words or pieces")


def _in_body(stretch: bytes, made: Decoding, edits: Sequence[Edit]) -> list[OctetPatch]:
    """The patches of a stretch of octets that edit the text of a body.

    Raises:
        IrreversibleError: the text is not what its charset writes as these octets, or lacks a character.
    """
    text, undone = edits[0].part.text, undo(stretch, made.transfer).octets
    whole = _encoded(text, made)
    if whole != undone:
        raise IrreversibleError(f"its octets are not those that {made.charset} writes, or were replaced")
    changes: list[OctetPatch] = []
    kept: list[bytes] = []
    new_text: list[str] = []
    done = 0
    at = len(whole) - len(_encoded(text, made, marked=False))  # behind a byte order mark
    for edit in edits:
        passed = _encoded(text[done : edit.start], made, marked=False)
        taken = _encoded(text[edit.start : edit.end], made, marked=False)
        at += len(passed)
        changes.append(OctetPatch(at, at + len(taken), _encoded(edit.text, made, marked=False)))
        kept += passed, taken
        new_text += text[done : edit.start], edit.text
        at, done = at + len(taken), edit.end
    new = _encoded("".join((*new_text, text[done:])), made)
    before = b"".join(kept)
    if before != undone[at - len(before) : at] or patched(undone, changes) != new:
        # What an octet means depends on those before it, as in ISO 2022.
        start, end, new_end = _changed_range(undone, new)
        changes = [OctetPatch(start, end, new[start:new_end])]
    return through(stretch, made.transfer, changes)


def _in_field(stretch: bytes, made: Decoding, edits: Sequence[Edit]) -> list[OctetPatch]:
    """The patches of the value of a field that edit its text. Folds outside the edits stay.

    Raises:
        IrreversibleError: decoding the value does more than unfold it, or its charset lacks a character.
    """
    raw = decode_by(stretch, made.charset, marked=made.marked)
    held = raw.strip()
    if unfolded(held) != edits[0].part.text or _encoded(raw, made) != stretch:
        raise IrreversibleError("its value is not only folded")
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
    changes, at, taken = [], 0, 0
    for edit in edits:
        begin = front + (places[edit.start - 1] + 1 if edit.start else 0)
        end = front + (places[edit.end] if edit.end < len(places) else len(held))
        start = at + len(_encoded(raw[taken:begin], made, marked=made.marked and not taken))
        at = start + len(_encoded(raw[begin:end], made, marked=False))
        changes.append(OctetPatch(start, at, _encoded(edit.text, made, marked=False)))
        taken = end
    return changes


def _encoded(text: str, made: Decoding, *, marked: bool | None = None) -> bytes:
    try:
        return encode(text, made.charset, marked=made.marked if marked is None else marked)
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
