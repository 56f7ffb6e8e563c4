"""Decodes octets to text. Decoding never fails; it reports what it had to replace.

Mailers often declare the wrong charset. So a name is read as the superset that mailers really send: as in the Encoding
Standard of the WHATWG (`webencodings`), with some more names that only mailers write. A byte order mark has precedence
over any declaration. Without a declaration, octets are read as UTF-8 if they are valid UTF-8, else as windows-1252.
US-ASCII counts as no declaration: mailers declare it by default, and it is wrong if there is an octet above 127. The
same holds for ISO-8859-1, which many programs put before UTF-8: what is surely UTF-8 is read as that. If every second
octet is NUL, or if it has URLs in UTF-16 only, undeclared text is UTF-16 (`wide_charsets`).
"""

from __future__ import annotations

import codecs
import encodings
import re
from contextlib import suppress
from encodings.aliases import aliases
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice, pairwise
from typing import NamedTuple, Protocol

from urlglean.lazy import pattern
from urlglean.unlisted_characters import unlisted
from urlglean.wide_charsets import ORDERS, by_nuls, legible

UNDECLARED = ""
"""The name for "no charset": the meaning of a missing, empty or meaningless declaration."""

OWN = {
    # RFC 1428, and names that mailers write if they do not know the charset or nobody has set it.
    **dict.fromkeys(
        ("unknown-8bit", "x-unknown", "unknown", "default", "default_charset", "x-user-defined", "none", "binary"),
        UNDECLARED,
    ),
    # Names that mailers write but browsers do not know.
    "ansi": "cp1252",
    "latin-1": "cp1252",
    "x-windows-949": "cp949",
    "koi8r": "koi8-r",
    **{f"{name}-{number}": f"cp{number}" for name in ("win", "cp") for number in range(1250, 1259)},
    **dict.fromkeys(
        ("unicode-1-1-utf-7", "unicode-2-0-utf-7", "x-unicode-2-0-utf-7", "csunicode11utf7", "csutf7", "cp65000"),
        "utf-7",
    ),
    # Names of IANA's registry of character sets, and of code pages of Windows.
    **dict.fromkeys(("extended_unix_code_packed_format_for_japanese", "cseucpkdfmtjapanese", "cp51932"), "euc_jp"),
    "cswindows31j": "cp932",
    **dict.fromkeys(("ibm00858", "ccsid00858", "cp00858", "pc-multilingual-850+euro"), "cp858"),
    "cn-gb": "gb18030",
    "cp50220": "iso2022_jp_ext",
    "dos-720": "cp720",
    "dos-862": "cp862",
    **{f"x-mac-{name}": f"mac_{name}" for name in ("greek", "turkish")},
    "x-mac-icelandic": "mac_iceland",
    "x-mac-ce": "mac_latin2",
    "utf8mb4": "utf-8",
    "unicodebig": "utf-16-be",
    "unicodelittle": "utf-16-le",
    **dict.fromkeys(("iso-10646-ucs-4", "csucs4", "ucs-4", "ucs4"), "utf-32"),
    **dict.fromkeys(("ucs-4be", "ucs4be"), "utf-32-be"),
    **dict.fromkeys(("ucs-4le", "ucs4le"), "utf-32-le"),
    # The Encoding Standard refuses to decode these, to protect browsers.
    **dict.fromkeys(("iso-2022-kr", "csiso2022kr"), "iso2022_kr"),
    **dict.fromkeys(("hz-gb-2312", "hz-gb", "hz"), "hz"),
}
"""Declared name, in lower case -> the codec for it, if it differs from that of the Encoding Standard."""

_WIDER = {"gbk": "gb18030", "iso2022_jp": "iso2022_jp_ext"}
"""Codec -> a larger codec that contains it. Mailers send the larger one under the name of the smaller."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is the beginning of this one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_JAPANESE_OF_ESCAPES = "iso2022_jp"
"""How the names of codecs begin in which no line ends in a set of two octets or of katakana (RFC 1468)."""
_UNENDED = pattern(rb"\x1b(?:\$|\(I)[^\x1b\r\n]*+[\r\n]")
"""A line that does, behind which other programs go on in ASCII."""
_ROMAN = (b"\x1b(H", b"\x1b(J")
"""The escape sequence that some programs write in the place of another (RFC 1468)."""
_OF_SEVERAL = frozenset(
    (
        *("gb18030", "big5hkscs", "cp950", "cp949", "johab", "cp932", "shift_jis_2004", "shift_jisx0213"),
        *("euc_jp", "euc_jis_2004", "euc_jisx0213"),
    )
)
"""Codecs in which a foreign octet takes the letter behind it: as the second octet of a character, or of an error."""
# A search for one rare character takes a tenth of the time of one for these names.
_COLON = pattern(rb":")
_SCHEME = pattern(rb"(?<=[\x80-\xff])(?:https?|ftp|gopher|news|mailto)\Z", re.IGNORECASE)
_LONGEST_SCHEME = 6
MOST_URLS = 10_000
"""Before so many URLs a text is cut, so that the pieces take little memory."""
_ANY_MARK = tuple(mark for mark, _ in _MARKS)
# Codecs of Python that are not charsets of MIME. Some take quadratic time, and all of them change ordinary text.
_NO_CHARSETS = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem"})
_C1_OF_1252 = {octet: bytes((octet,)).decode("windows-1252", "ignore") or chr(octet) for octet in range(0x80, 0xA0)}
_C1_LEFT = frozenset(char for octet, char in _C1_OF_1252.items() if ord(char) == octet)
# Valid UTF-8 that no text in windows-1252 is by chance: an "â" or "Ã" followed by signs, or three pairs of a capital
# letter with an accent and a sign. One such pair may stand in it: "NESTLÉ®".
_SURELY_UTF_8 = pattern(rb"[\xc2\xc3\xe0-\xf4]|(?:[\xc4-\xdf][\x80-\xbf][\x00-\x7f]*+){3}")
_LIKE_1252 = frozenset({"cp1252", "cp1254", "iso8859-15"})
"""Codecs in which these signs and letters have the same octets."""

# No text in another charset is that: quotation marks and dashes, or six characters. Of texts of six Chinese characters
# in GB 2312, whose octets lie alike, one in 150,000 may be.
_SURELY_UTF_8_ANYWHERE = pattern(rb"\xe2\x80[\x90-\xba]|(?:[\xc2-\xf4][\x80-\xbf]++[\x00-\x7f]*+){6}")
_NOISE = pattern(r"[^A-Za-z0-9._:+-]")
_LONGEST_NAME = 100
_SURROGATE = pattern("[\ud800-\udfff]")


class Decoded(NamedTuple):
    """The result of decoding.

    Attributes:
        text: the text.
        flaw: what was lost of the octets, one clause without a place; None if nothing was lost.
        charset: Python's name of the codec that was used.
        marked: whether a byte order mark preceded the text.
    """

    text: str
    flaw: str | None
    charset: str
    marked: bool = False


def decode(octets: bytes, declared: str | None = None) -> Decoded:
    """Decode octets by their declared charset (RFC 2046 4.1.2), or by a guess if the declaration does not help.

    Args:
        octets: any octets, with the transfer encoding undone.
        declared: the name of the charset as it was written; None if there is none.

    Returns:
        The text has no byte order mark and no surrogates, so that every writer can encode it.
    """
    if declared is None and octets.isascii() and b"\0" not in octets:
        return Decoded(octets.decode("ascii"), None, "ascii")
    if octets.startswith(_ANY_MARK):
        mark, marked = mark_of(octets)
        return _by_codec(octets[len(mark) :], marked, marked)._replace(marked=True)
    label, name = _codec(declared or "")
    if b"\0" in octets:
        label, name = by_nuls(octets, label, name, of_ascii=name is None or holds_ascii(name))
    elif name is not None and not holds_ascii(name) and (octets.isascii() or b"://" in octets):
        label, name = "", None
    if name is None and octets.isascii():
        is_told = b"\0" in octets or b"\x1b$" in octets  # of UTF-16, or a charset of several sets (ISO 2022)
        return Decoded(octets.decode("ascii"), _unknown(label, "US-ASCII") if is_told else None, "ascii")
    sure = _SURELY_UTF_8 if name in _LIKE_1252 else _SURELY_UTF_8_ANYWHERE
    if name is not None and not octets.isascii() and sure.search(octets):
        with suppress(UnicodeDecodeError):
            return Decoded(octets.decode("utf-8"), None, "utf-8")
    if name is not None:
        return _by_codec(octets, name, label, or_utf8=True)
    return _by_guess(octets, label)


def decode_by(octets: bytes, charset: str, *, marked: bool = False) -> str:
    """Decode octets again, by the `charset` and `marked` that `decode` returned for them."""
    if marked:
        octets = octets[len(_mark_for(charset)) :]
    return _by_codec(octets, charset, charset).text


def mark_of(octets: bytes) -> tuple[bytes, str]:
    """The byte order mark with which octets begin, and the charset that it means; both empty if there is none."""
    return next((row for row in _MARKS if octets.startswith(row[0])), (b"", ""))


def is_utf_8(octets: bytes) -> bool:
    """Whether octets are UTF-8, but for an incomplete character at their end."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(octets)
    except UnicodeDecodeError:
        return False
    return True


class BlockDecoder(Protocol):
    """Decodes the blocks of a text, in order; `final` says that a block is the last."""

    def __call__(self, octets: bytes, /, final: bool = ...) -> str:  # noqa: FBT001 - as the decoders of `codecs`
        """The text of a block, without an incomplete character at its end, which belongs to the next block."""


def decoder_of(charset: str) -> BlockDecoder:
    """A function that decodes a text block by block.

    Lone surrogates stand for what cannot be decoded, so that `octets_of` gives the octets again, for any stretch of the
    text. `without_surrogates` replaces them.

    Args:
        charset: "ascii", or one that `mark_of` returns, or "cp1252".
    """
    if charset == "cp1252":
        return lambda octets, final=False: _windows_1252(octets)  # noqa: ARG005
    return codecs.getincrementaldecoder(charset)(_INVERTIBLE.get(charset, "urlglean-units")).decode


def octets_of(text: str, charset: str) -> bytes:
    """The octets from which `decoder_of` has decoded a text."""
    return text.encode(charset, "urlglean-c1" if charset == "cp1252" else _INVERTIBLE.get(charset, "surrogatepass"))


_INVERTIBLE = {"utf-8": "surrogateescape"}


def without_surrogates(text: str, charset: str) -> tuple[str, int]:
    """The text with a replacement character for each lone surrogate, and for how many octets they stand."""
    text, replaced = _SURROGATE.subn("\ufffd", text)
    return text, replaced and replaced * len(octets_of("\udcff", charset))


def flaw_of(replaced: int, label: str) -> str | None:
    """The flaw of a text of which so many octets were not in the charset; None if all were."""
    are = "octet is" if replaced == 1 else "octets are"
    return f"{replaced} {are} not {label}, replaced" if replaced else None


def encode(text: str, charset: str, *, marked: bool = False) -> bytes:
    """The octets of a text in a `charset` that `decode` returned, with a byte order mark if `marked`.

    Raises:
        UnicodeEncodeError: the charset lacks a character of the text.
    """
    mark = _mark_for(charset) if marked else b""
    return mark + text.encode(charset, "urlglean-c1" if charset == "cp1252" else "strict")


def _mark_for(charset: str) -> bytes:
    return next(mark for mark, name in _MARKS if name == charset)


@lru_cache(maxsize=256)
def _codec(declared: str) -> tuple[str, str | None]:
    """The name of a declared charset in troubles, and Python's name of its codec; None if there is no such codec.

    The name is "" if the declaration means nothing.
    Cached, because Python searches the disk for a codec that does not exist.
    """
    # A comment may stand behind a name (RFC 2045 5.1).
    label = _NOISE.sub("", declared[:_LONGEST_NAME].partition("(")[0]).lower()
    meant = _meant(label)
    if meant == UNDECLARED:
        return "", None
    try:
        name = _python_codec(meant)
        # Raises LookupError for codecs that are not between octets and text. With empty input it would not raise.
        b"a".decode(name)
    except UnicodeError:
        pass
    except (LookupError, ValueError):
        return label, None
    return label, None if name in _NO_CHARSETS else name


def _meant(label: str) -> str:
    """The codec that a label means, by `OWN`, the Encoding Standard or Python. An unknown label stays unchanged."""
    if label in OWN:
        return OWN[label]
    name = label
    with suppress(LookupError, ValueError):
        name = _python_codec(label)
    if name in {"ascii", "utf-8"}:
        return UNDECLARED if name == "ascii" else name
    import webencodings  # noqa: PLC0415 - most mail declares one of these two

    # Python knows more spellings than the Encoding Standard, which in most cases knows Python's own name of the codec.
    found = webencodings.lookup(label) or webencodings.lookup(name.replace("_", "-"))
    codec = found.codec_info.name if found else name
    return _WIDER.get(codec, codec)


def _python_codec(label: str) -> str:
    """Python's name of its codec of this name.

    Only names of codecs are looked up, because Python remembers for ever each name that it has looked up.

    Raises:
        LookupError: there is no such codec.
    """
    name = encodings.normalize_encoding(label)
    if name not in aliases:
        name = name.replace(".", "_")
    if name in aliases or find_spec(f"encodings.{name}") is not None:
        return codecs.lookup(name).name
    raise LookupError(label)


def codec_of(declared: str) -> str | None:
    """Python's name of the codec that a declared charset means; None if it means none."""
    return _codec(declared)[1]


@lru_cache(maxsize=256)
def holds_ascii(codec: str) -> bool:
    """Whether octets of ASCII are the same in a codec: not in UTF-16, UTF-32 and EBCDIC."""
    return b"<a/>".decode(codec, "replace") == "<a/>"


def _by_guess(octets: bytes, label: str) -> Decoded:
    """Decode as UTF-8 if that is possible, else as windows-1252, in which every octet is a character.

    Text in another charset is hardly ever valid UTF-8 by chance. UTF-8 that is cut off within its last character is
    still that, if it has others. `label` is the declared name that is not known, or "".
    """
    try:
        return Decoded(octets.decode("utf-8"), None, "utf-8")
    except UnicodeDecodeError as error:
        if not octets[: error.start].isascii() and is_utf_8(octets):
            return _by_codec(octets, "utf-8", "utf-8")
        return Decoded(_windows_1252(octets), _unknown(label, "windows-1252"), "cp1252")


def _unknown(label: str, read_as: str) -> str | None:
    """The flaw of a text whose declared charset is not known; None if none is declared."""
    return f"charset {label} is not known, read as {read_as}" if label else None


def _by_codec(octets: bytes, name: str, label: str, *, or_utf8: bool = False) -> Decoded:
    """Decode by an existing codec; `label` is its name in troubles.

    With `or_utf8`, octets that are not of this charset, but are UTF-8, are decoded as that: a declaration may be wrong.
    A byte order mark is no declaration.
    """
    if name == "cp1252":
        return Decoded(_windows_1252(octets), None, name)
    if name in ORDERS:
        octets = legible(octets, name)
    pieces = _pieces(octets, name)
    try:
        text = "".join([piece.decode(name) for piece in pieces])
        if name == "utf-8":
            return Decoded(text, None, name)
    except UnicodeError:
        if or_utf8 and not octets.isascii():
            with suppress(UnicodeDecodeError):
                return Decoded(octets.decode("utf-8"), None, "utf-8")
        text = "".join([piece.decode(name, "urlglean-octets") for piece in pieces])
    # Some codecs, such as UTF-7, decode to surrogates too. No writer could encode these, so they are replaced as well.
    text, replaced = _SURROGATE.subn("\ufffd", text)
    return Decoded(text, flaw_of(replaced, label), name)


def _pieces(octets: bytes, name: str) -> list[bytes]:
    """The octets in pieces that are decoded each by itself."""
    if name.startswith(_JAPANESE_OF_ESCAPES):
        octets = octets.replace(*_ROMAN)
        ends = [found.end() for found in _UNENDED.finditer(octets)]
        return [octets[low:high] for low, high in pairwise([0, *ends, len(octets)])]
    return _cut_before_urls(octets) if name in _OF_SEVERAL else [octets]


def _cut_before_urls(octets: bytes) -> list[bytes]:
    """The octets in pieces. Each but the first begins with a URL directly behind an octet that is not ASCII."""
    colons = (colon.start() for colon in _COLON.finditer(octets))
    schemes = (_SCHEME.search(octets, max(0, colon - _LONGEST_SCHEME), colon) for colon in colons)
    starts = [scheme.start() for scheme in islice(filter(None, schemes), MOST_URLS)]
    return [octets[low:high] for low, high in pairwise([0, *starts, len(octets)])]


def _windows_1252(octets: bytes) -> str:
    """Decode as the windows-1252 of the WHATWG: the five octets that Microsoft left undefined are C1 controls."""
    try:
        return octets.decode("cp1252")
    except UnicodeDecodeError:
        return octets.decode("latin-1").translate(_C1_OF_1252)


def _mark_octets(error: UnicodeError) -> tuple[str, int]:
    """Codec error handler: a lone surrogate for each octet that cannot be decoded, to be counted and replaced."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    if (found := unlisted(error)) is not None:
        return found
    return "\udcff" * (error.end - error.start), error.end


def _mark_units(error: UnicodeError) -> tuple[str, int]:
    """Codec error handler of UTF-16 and UTF-32: a lone surrogate for each code unit that is no character."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    try:
        return _SURROGATE_PASS(error)  # type: ignore[return-value]
    except UnicodeDecodeError:
        return "\udcff", error.end


_SURROGATE_PASS = codecs.lookup_error("surrogatepass")


def _c1_octets(error: UnicodeError) -> tuple[bytes, int]:
    """Codec error handler: encodes the C1 controls that are at the undefined places of windows-1252."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    if any(char not in _C1_LEFT for char in lacking):
        raise error
    return lacking.encode("latin-1"), error.end


codecs.register_error("urlglean-octets", _mark_octets)
codecs.register_error("urlglean-units", _mark_units)
codecs.register_error("urlglean-c1", _c1_octets)
