"""Undoes transfer encodings (RFC 2045 section 6). What does not belong to the encoding is kept unchanged."""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from urlglean.bounds import DEFAULT
from urlglean.expressions import compiled
from urlglean.lazy import pattern
from urlglean.mail import base64_octets, uuencode
from urlglean.records import Transfer

_CRS_BEFORE_LF = pattern(rb"(?<!\r)\r++\n")
_SOFT_BREAK = pattern(rb"=[ \t]*+(?:\r\n|\n|\r)")
# A line of signs, with the soft break above it outside the first group.
_RAW_RULER = pattern(rb"(?:=[ \t]*+)?(\A|\r?\n)([=^*~_+-]{3,}+[ \t]*+(?=[\r\n]|\Z))")
# Quoted-printable has no such sign: each of them is encoded.
_RAW_SIGN = pattern(rb"=[=^*~_+-]")
_BRACKET = compiled(r"([()])")
_NO_LETTERS = compiled("[^0-9a-z]")
_LONGEST_FIELD = DEFAULT.structure
_ESCAPE = pattern(rb"=(?:[0-9A-Fa-f]{2}|[ \t]*+(?:\r?\n|\Z))")
_SURE_ESCAPE = pattern(rb"=(?:3[Dd]|[ \t]*+\r?\n)")
_FIRST_ATTRIBUTE = rb"<[A-Za-z][A-Za-z0-9]{0,9}+\s++[A-Za-z-]{1,20}+=%b"
_TAG = pattern(_FIRST_ATTRIBUTE % rb"(?!3[Dd])[\"'#/\w]")
_ENCODED_TAG = pattern(_FIRST_ATTRIBUTE % rb"3[Dd](?:[\"'#]|=22|https?:)")
_SURE_ESCAPES = pattern(rb"=(?:3[Dd]|(?:20)?[ \t]*+\r?\n|[C-F][0-9A-F]=[89AB][0-9A-F])")
"""Those that hardly stand in other HTML: of an equals sign, a line end, a blank before one, and a letter in UTF-8."""
_PLAIN_EQUALS = pattern(
    rb"://(?:(?!://)[^\s<>\"?])*+\?(?:(?!://)[^\s<>\"=])*+=(?!3D)"
    rb"|[?&][\w.-]{1,40}+=(?![89A-F][0-9A-F])|=(?!(?:[0-9A-Fa-f]{2}|[ \t]*+(?:\r?\n|\Z)))"
)
"""What quoted-printable does not have: of a parameter, but for one before a letter in Latin-1; or before no escape."""
_URL = pattern(rb"://[^\s<>\"]*+")
# Controls that stand in no text are no escapes, as "=12" of `?id=1234`.
_NO_ESCAPE = pattern(rb"=(?:(?![0-9A-Fa-f]{2}|=|[0-9A-Fa-f]=\Z|\Z)|0[1-8]|1[0-9ACDFacdf]|7[Ff])")
_NAME_OF_VALUE = pattern(rb"(?<=[?&;])([\w.-]{1,40}+)=(?!\Z)")
_PAGE_END = pattern(rb"(?i)</(?:html|body)[^>]{0,80}>")
_BEFORE_ANOTHER = pattern(rb"=(?==)")
_LONG_BASE64_LINE = pattern(rb"\s*+[A-Za-z0-9+/]{60,76}\r?\n")


class Undone(NamedTuple):
    """Octets with their transfer encoding undone, and what was lost of them: one clause, or None."""

    octets: bytes
    flaw: str | None


_NAMES: Mapping[str, Transfer] = {
    **dict.fromkeys(("7bit", "7bits", "8bit", "8bits", "binary"), ""),
    "quotedprintable": "quoted-printable",
    "base64": "base64",
    **dict.fromkeys(("uuencode", "uue"), "uuencode"),
}
"""Letters and digits of a name, without the "x" of a private one -> the encoding."""


def transfers_of(declared: str) -> tuple[Transfer, ...]:
    """The transfer encodings that a Content-Transfer-Encoding names, in any spelling (RFC 2045 6.1), each once.

    Commas separate several names, as if each stood in a field of its own, and so do blanks behind 7bit and the like.
    Comments (RFC 5322 3.2.2), parameters and words behind other names are left out, and unknown names, because then
    nearly always nothing was encoded.

    Returns:
        One at least. "" for 7bit and the like, or if no name is known.
    """
    text = _without_comments(declared[:_LONGEST_FIELD].lower())
    known = (transfer for name in text.split(",") for transfer in _known(name.partition(";")[0]))
    return tuple(dict.fromkeys(known)) or ("",)


def _without_comments(text: str) -> str:
    """A text without what stands in round brackets, which may hold others."""
    depth, kept = 0, []
    for piece in _BRACKET.split(text) if "(" in text else (text,):
        if piece == "(":
            depth += 1
        elif piece == ")" and depth:
            depth -= 1
        elif not depth:
            kept.append(piece)
    return "".join(kept)


def _known(name: str) -> list[Transfer]:
    """The transfer encoding of this name; if it is not known, those of its words, of which the first must be known."""
    whole, *words = (_NO_LETTERS.sub("", each).removeprefix("x") for each in (name, *name.split()))
    if whole in _NAMES:
        return [_NAMES[whole]]
    if not words or words[0] not in _NAMES:
        return []
    first = _NAMES[words[0]]
    return [first] if first else [_NAMES[word] for word in words if word in _NAMES]


def transfer_of(transfers: Sequence[Transfer], octets: bytes) -> Transfer:
    """Which of the declared transfer encodings a body has: of several the first whose form it shows."""
    # Readers differ: mutt takes the last field, the parser of the standard library the first.
    if len(transfers) == 1:
        return transfers[0]
    shown = (each for each in transfers if each and _SHOWN_BY[each](octets))
    return next(shown, "" if "" in transfers else transfers[0])


def undo_lost(octets: bytes) -> bytes | None:
    """HTML in quoted-printable that nobody declared, decoded; None if octets are not such HTML.

    The equals signs before the values of most attributes are escaped. A list or an archive may have added something:
    behind the end of the page, or from the first line on that shows an equals sign of its own, or before it, up to the
    last such line. What is so, and behind the last or before the first sure escape, stays as it is.
    """
    escape = _SURE_ESCAPES.search(octets) if b"=3D" in octets or b"=3d" in octets else None
    if escape is None:
        return None
    last = max(found.end() for found in _SURE_ESCAPES.finditer(octets, escape.start()))
    line = octets.rfind(b"\n", 0, escape.start()) + 1
    plain_before = max((found.end() for found in _PLAIN_EQUALS.finditer(octets, 0, line)), default=0)
    begin = octets.find(b"\n", plain_before) + 1 if plain_before else 0
    # Behind a soft break, which is an escape with its line end, this is the end of the line that goes on there.
    end = octets.find(b"\n", last) + 1 or len(octets)
    closing = _PAGE_END.search(octets, end)
    close = closing.end() if closing else end
    plain = _PLAIN_EQUALS.search(octets, end, close)
    end = max(end, octets.rfind(b"\n", end, plain.start()) + 1) if plain else close
    encoded = sum(1 for _ in _ENCODED_TAG.finditer(octets, begin, end))
    if not encoded or encoded <= sum(1 for _ in _TAG.finditer(octets, begin, end)):
        return None
    return octets[:begin] + _quoted_printable(octets[begin:end]) + octets[end:]


def undo(octets: bytes, transfer: Transfer) -> Undone:
    """Undo a transfer encoding. Never raises."""
    if transfer == "quoted-printable":
        return Undone(_quoted_printable(octets), None)
    if transfer == "base64":
        whole = base64_octets.strict(octets)
        return Undone(*base64_octets.by_lines(octets)) if whole is None else Undone(whole, None)
    if transfer == "uuencode":
        return Undone(*uuencode.undo(octets))
    if transfer == "cr":
        octets = _CRS_BEFORE_LF.sub(b"\n", octets)
        return Undone(octets.replace(b"\r", b"\n") if b"\r" in octets.partition(b"\n")[0] else octets, None)
    return Undone(octets, None)


def undo_q(octets: bytes) -> bytes:
    """Undo the Q encoding of an encoded word (RFC 2047 4.2). It has no soft breaks, so a last "=" is itself."""
    return binascii.a2b_qp(_escaped(octets) + (b"3D" if octets.endswith(b"=") else b""), header=True)


def _quoted_printable(octets: bytes) -> bytes:
    """Undo quoted-printable (RFC 2045 6.7).

    Soft breaks are removed first, because behind a soft break that ends in a lone CR `binascii` would drop everything
    up to the next LF.
    """
    if _RAW_SIGN.search(octets):
        octets = _RAW_RULER.sub(_as_line, octets)
    return binascii.a2b_qp(_SOFT_BREAK.sub(b"", _escaped(_URL.sub(_kept, octets) if b"://" in octets else octets)))


def _as_line(ruler: re.Match[bytes]) -> bytes:
    """A ruler that nobody has encoded, encoded, in a line of its own: a list has added it, behind a soft break too."""
    return ruler[1] + ruler[2].replace(b"=", b"=3D") if _RAW_SIGN.search(ruler[2]) else ruler[0]


def _kept(url: re.Match[bytes]) -> bytes:
    """The octets of a URL; with the equals signs of its search escaped, if one of them shows that nobody did so.

    A list or a scanner of mail has added it then (6.7, note 2), or the encoder escapes letters only.
    """
    octets = url[0]
    if b"=" not in octets or b"=3D" in octets.upper() or _NO_ESCAPE.search(octets) is None:
        return octets
    return _NAME_OF_VALUE.sub(rb"\1=3D", octets)


def _escaped(octets: bytes) -> bytes:
    """Escape each "=" before another: it is itself, and should have been encoded.

    `binascii` would take both for one, and without a soft break behind it, it would begin an escape.
    """
    return _BEFORE_ANOTHER.sub(b"=3D", octets) if b"==" in octets else octets


def _shows_quoted_printable(octets: bytes) -> bool:
    """Whether each "=" begins an escape or a soft break, and one of them hardly is that by chance."""
    return _SURE_ESCAPE.search(octets) is not None and len(_ESCAPE.findall(octets)) == octets.count(b"=")


def _shows_base64(octets: bytes) -> bool:
    """Whether octets are whole groups of base64, or begin with a line of base64 that is too long for a word."""
    return _LONG_BASE64_LINE.match(octets) is not None or base64_octets.strict(octets.strip()) is not None


_SHOWN_BY: Mapping[Transfer, Callable[[bytes], bool]] = {
    "quoted-printable": _shows_quoted_printable,
    "base64": _shows_base64,
    "uuencode": uuencode.shows,
}
