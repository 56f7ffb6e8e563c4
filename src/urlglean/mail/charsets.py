"""Octets -> text. Decoding never fails; what it had to replace is said.

Charsets are declared carelessly, so a name stands for the superset that mailers really send: what the labels of the
WHATWG's Encoding Standard mean (`webencodings`), with a few that only mailers write. A byte order mark outweighs any
declaration, and no declaration means UTF-8 if the octets allow it, else windows-1252. US-ASCII is none either: it is
declared by default and by habit, and an octet above 127 belies it.
"""

from __future__ import annotations

import codecs
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from urlglean.lazy import pattern

UNDECLARED = ""
"""The name of no charset: what a missing, empty or meaningless declaration comes to."""

OWN = {
    # RFC 1428 and mailers' ways to say that they do not know, or never set it.
    **dict.fromkeys(
        ("unknown-8bit", "x-unknown", "unknown", "default", "default_charset", "x-user-defined", "none", "binary"),
        UNDECLARED,
    ),
    # What mailers write and no browser knows.
    "ansi": "cp1252",
    "latin-1": "cp1252",
    "x-windows-949": "cp949",
    "unicode-1-1-utf-7": "utf-7",
    "utf8mb4": "utf-8",
    "unicodebig": "utf-16-be",
    "unicodelittle": "utf-16-le",
    # The Encoding Standard refuses to decode these, for browsers' sake.
    **dict.fromkeys(("iso-2022-kr", "csiso2022kr"), "iso2022_kr"),
    **dict.fromkeys(("hz-gb-2312", "hz-gb", "hz"), "hz"),
}
"""Declared name, lower case -> the codec to decode by, where that is not the Encoding Standard's."""

_WIDER = {"gbk": "gb18030", "iso2022_jp": "iso2022_jp_ext"}
"""Codec -> one that contains it, which mailers send under the name of the first."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ANY_MARK = tuple(mark for mark, _ in _MARKS)
_WIDE = frozenset({"utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"})
# Python's codecs that are no charset of MIME; some are quadratic, all of them turn ordinary text into something else.
_NO_CHARSETS = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem"})
_C1_OF_1252 = {octet: bytes((octet,)).decode("windows-1252", "ignore") or chr(octet) for octet in range(0x80, 0xA0)}
_C1_LEFT = frozenset(char for octet, char in _C1_OF_1252.items() if ord(char) == octet)
_NOISE = pattern(r"[^A-Za-z0-9._:+-]")
_LONGEST_NAME = 100
_SURROGATE = pattern("[\ud800-\udfff]")


class Decoded(NamedTuple):
    """Text, what of its octets was lost (one clause without a place, or None), and by which codec they were decoded.

    `marked` says that a byte order mark stood before the text.
    """

    text: str
    flaw: str | None
    charset: str
    marked: bool = False


def decode(octets: bytes, declared: str | None = None) -> Decoded:
    """Decode octets by the charset declared for them (RFC 2046 4.1.2), or by a guess where none helps.

    Args:
        octets: any octets at all, transfer encoding undone.
        declared: the charset's name as it was written; None when there is none.

    Returns:
        The text without byte order mark and without surrogates, so that every writer can encode it.
    """
    if declared is None and octets.isascii():
        return Decoded(octets.decode("ascii"), None, "ascii")
    if octets.startswith(_ANY_MARK):
        mark, marked = next(row for row in _MARKS if octets.startswith(row[0]))
        return _by_codec(octets[len(mark) :], marked, marked)._replace(marked=True)
    label, name = _codec(declared or "")
    if octets.isascii() and (name is None or (name in _WIDE and b"\0" not in octets)):
        return Decoded(octets.decode("ascii"), None, "ascii")
    if name is not None:
        return _by_codec(octets, name, label)
    return _by_guess(octets)


def decode_by(octets: bytes, charset: str, *, marked: bool = False) -> str:
    """The text that `decode` gives of octets for which it told that codec and that mark."""
    if marked:
        octets = octets[len(_mark_of(charset)) :]
    return _by_codec(octets, charset, charset).text


def encode(text: str, charset: str, *, marked: bool = False) -> bytes:
    """The octets that decode to a text by a codec that `decode` has told.

    Raises:
        UnicodeEncodeError: the charset lacks a character of it.
    """
    mark = _mark_of(charset) if marked else b""
    return mark + text.encode(charset, "urlglean-c1" if charset == "cp1252" else "strict")


def _mark_of(charset: str) -> bytes:
    return next(mark for mark, name in _MARKS if name == charset)


@lru_cache(maxsize=256)
def _codec(declared: str) -> tuple[str, str | None]:
    """What a trouble calls a declared charset, and Python's name of its codec, None if there is none.

    Cached: looking in vain searches the disk.
    """
    label = _NOISE.sub("", declared[:_LONGEST_NAME]).lower()
    try:
        name = codecs.lookup(_meant(label)).name
        # Refuses the codecs that are not between octets and text; of nothing at all, it would refuse none.
        b"a".decode(name)
    except UnicodeError:
        pass
    except (LookupError, ValueError):
        return label, None
    return label, None if name in _NO_CHARSETS else name


def _meant(label: str) -> str:
    """The codec that a label means, by `OWN`, by the Encoding Standard, or by Python; a name of none stays."""
    if label in OWN:
        return OWN[label]
    name = label
    with suppress(LookupError, ValueError):
        name = codecs.lookup(label).name
    if name in {"ascii", "utf-8"}:
        return UNDECLARED if name == "ascii" else name
    import webencodings  # noqa: PLC0415 - most mail declares one of these two

    # Python knows more spellings of a name; by its own name of the codec, the Encoding Standard mostly knows it too.
    found = webencodings.lookup(label) or webencodings.lookup(name.replace("_", "-"))
    codec = found.codec_info.name if found else name
    return _WIDER.get(codec, codec)


def codec_of(declared: str) -> str | None:
    """Python's name of the codec that a declared charset means, None if that is nothing at all."""
    return _codec(declared)[1]


def _by_guess(octets: bytes) -> Decoded:
    """UTF-8 if the octets allow it (chance hardly ever does), else windows-1252, in which every octet has a meaning."""
    try:
        return Decoded(octets.decode("utf-8"), None, "utf-8")
    except UnicodeDecodeError:
        return Decoded(_windows_1252(octets), None, "cp1252")


def _by_codec(octets: bytes, name: str, label: str) -> Decoded:
    """Decode by a codec that exists; `label` is what a trouble calls it."""
    if name == "cp1252":
        return Decoded(_windows_1252(octets), None, name)
    try:
        text = octets.decode(name)
        if name == "utf-8":
            return Decoded(text, None, name)
    except UnicodeError:
        if not octets.isascii():
            with suppress(UnicodeDecodeError):
                return Decoded(octets.decode("utf-8"), None, "utf-8")
        text = octets.decode(name, "urlglean-octets")
    # UTF-7 can spell out surrogates too, and no writer could encode them.
    text, replaced = _SURROGATE.subn("\ufffd", text)
    are = "octet is" if replaced == 1 else "octets are"
    return Decoded(text, f"{replaced} {are} not {label}, replaced" if replaced else None, name)


def _windows_1252(octets: bytes) -> str:
    """Decode as the WHATWG's windows-1252: the five octets that Microsoft left out are C1 controls, so none is lost."""
    try:
        return octets.decode("cp1252")
    except UnicodeDecodeError:
        return octets.decode("latin-1").translate(_C1_OF_1252)


def _mark_octets(error: UnicodeError) -> tuple[str, int]:
    """Codec error handler: one lone surrogate for each octet that does not decode, to be counted and replaced."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "\udcff" * (error.end - error.start), error.end


def _c1_octets(error: UnicodeError) -> tuple[bytes, int]:
    """Codec error handler: the C1 controls that windows-1252 has in the place of characters that it was not given."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    if any(char not in _C1_LEFT for char in lacking):
        raise error
    return lacking.encode("latin-1"), error.end


codecs.register_error("urlglean-octets", _mark_octets)
codecs.register_error("urlglean-c1", _c1_octets)
