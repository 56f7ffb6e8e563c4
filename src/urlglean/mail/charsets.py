"""Octets -> text. Decoding never fails; what it had to replace is said.

Charsets are declared carelessly, so a name stands for the superset that mailers really send (the WHATWG Encoding
Standard's labels do the same), a byte order mark outweighs any declaration, and no declaration means UTF-8 if the
octets allow it, else windows-1252.
"""

from __future__ import annotations

import codecs
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from urlglean.lazy import pattern

UNDECLARED = ""
"""The name of no charset: what a missing, empty or meaningless declaration comes to."""

SUPERSETS = {
    # ASCII is declared by default and by habit; an octet above 127 belies it, so nothing has been said.
    **dict.fromkeys(("us-ascii", "ascii", "ansi_x3.4-1968", "iso-ir-6", "646"), UNDECLARED),
    # RFC 1428 and mailers' ways to say that they do not know, or never set it.
    **dict.fromkeys(
        ("unknown-8bit", "x-unknown", "unknown", "default", "default_charset", "x-user-defined", "none", "binary"),
        UNDECLARED,
    ),
    # Windows mailers name the ISO standard and send the code page, whose quotes and dashes fill the C1 range.
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "latin-1", "ansi"), "windows-1252"),
    **dict.fromkeys(("iso-8859-9", "latin5"), "windows-1254"),
    # Each East Asian standard under the later one that contains it.
    **dict.fromkeys(("gb2312", "gb_2312-80", "gbk", "x-gbk", "cp936", "euc-cn", "chinese"), "gb18030"),
    **dict.fromkeys(("big5", "x-x-big5", "cn-big5"), "big5hkscs"),
    **dict.fromkeys(("ks_c_5601-1987", "ks_c_5601-1989", "ks_c_5601", "euc-kr", "x-windows-949"), "cp949"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j"), "cp932"),
    "iso-2022-jp": "iso2022_jp_ext",
    "iso-8859-8-i": "iso-8859-8",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "unicode-1-1-utf-7": "utf-7",
    "unicode-1-1-utf-8": "utf-8",
    "utf8mb4": "utf-8",
    "unicode": "utf-16",
    "unicodebig": "utf-16-be",
    "unicodelittle": "utf-16-le",
}
"""Declared name, lower case -> the charset to decode by."""

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
_NOISE = pattern(r"[^A-Za-z0-9._:+-]")
_LONGEST_NAME = 100
_SURROGATE = pattern("[\ud800-\udfff]")


class Decoded(NamedTuple):
    """Text, and what of its octets was lost: one clause without a place, or None."""

    text: str
    flaw: str | None


def decode(octets: bytes, declared: str | None = None) -> Decoded:
    """Decode octets by the charset declared for them (RFC 2046 4.1.2), or by a guess where none helps.

    Args:
        octets: any octets at all, transfer encoding undone.
        declared: the charset's name as it was written; None when there is none.

    Returns:
        The text without byte order mark and without surrogates, so that every writer can encode it.
    """
    if declared is None and octets.isascii():
        return Decoded(octets.decode("ascii"), None)
    if octets.startswith(_ANY_MARK):
        mark, marked = next(row for row in _MARKS if octets.startswith(row[0]))
        return _by_codec(octets[len(mark) :], marked, marked)
    label, name = _codec(declared or "")
    if octets.isascii() and (name is None or (name in _WIDE and b"\0" not in octets)):
        return Decoded(octets.decode("ascii"), None)
    if name is not None:
        return _by_codec(octets, name, label)
    return Decoded(_by_guess(octets), None)


@lru_cache(maxsize=256)
def _codec(declared: str) -> tuple[str, str | None]:
    """What a trouble calls a declared charset, and Python's name of its codec, None if there is none.

    Cached: looking in vain searches the disk.
    """
    label = _NOISE.sub("", declared[:_LONGEST_NAME]).lower()
    charset = SUPERSETS.get(label, label)
    try:
        name = codecs.lookup(charset).name
        # Refuses the codecs that are not between octets and text; of nothing at all, it would refuse none.
        b"a".decode(charset)
    except UnicodeError:
        pass
    except (LookupError, ValueError):
        return label, None
    return label, None if name in _NO_CHARSETS else name


def _by_guess(octets: bytes) -> str:
    """UTF-8 if the octets allow it (chance hardly ever does), else windows-1252, in which every octet has a meaning."""
    try:
        return octets.decode("utf-8")
    except UnicodeDecodeError:
        return _windows_1252(octets)


def _by_codec(octets: bytes, name: str, label: str) -> Decoded:
    """Decode by a codec that exists; `label` is what a trouble calls it."""
    if name == "cp1252":
        return Decoded(_windows_1252(octets), None)
    try:
        text = octets.decode(name)
        if name == "utf-8":
            return Decoded(text, None)
    except UnicodeError:
        if not octets.isascii():
            with suppress(UnicodeDecodeError):
                return Decoded(octets.decode("utf-8"), None)
        text = octets.decode(name, "urlglean-octets")
    # UTF-7 can spell out surrogates too, and no writer could encode them.
    text, replaced = _SURROGATE.subn("\ufffd", text)
    are = "octet is" if replaced == 1 else "octets are"
    return Decoded(text, f"{replaced} {are} not {label}, replaced" if replaced else None)


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


codecs.register_error("urlglean-octets", _mark_octets)
