"""Decodes the encoded words of a header field (RFC 2047)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import attrgetter
from typing import NamedTuple

from urlglean.charsets import codec_of, decode, holds_ascii, mark_of
from urlglean.lazy import pattern
from urlglean.mail.transfer_encoding import undo, undo_q

# RFC 2047 section 2, but of any length, because mailers exceed the 75 characters, and with blanks and question marks in
# the text, which many do not encode. It ends before the next word, so that words that never end take linear time. (The
# pattern of the standard library takes quadratic time.)
_ENCODED_TEXT = r"(?:[^?=]++|=(?!\?(?!=))|\?(?!=))*+"
_ENCODED_WORD = pattern(rf"=\?([^?\s]{{1,60}})\?([QqBb])\?({_ENCODED_TEXT})\?=")
_ENCODED_WORDS = pattern(rf"(?:=\?[^?\s]{{1,60}}\?[QqBb]\?{_ENCODED_TEXT}\?=)++")
_BETWEEN_WORDS = pattern(r"\?=\s++(?==\?)")


MOST_FLAWS = 4
"""The most clauses that say what was lost of one field."""


class Decoded(NamedTuple):
    """The text of a field.

    Attributes:
        text: the text with its encoded words decoded.
        flaws: what was lost of them, each a clause without a place, at most `MOST_FLAWS` of them.
        is_torn: whether octets were lost, with all that they may have held.
        has_words: whether it had encoded words.
    """

    text: str
    flaws: tuple[str, ...]
    is_torn: bool
    has_words: bool


class _Word(NamedTuple):
    """The octets of an encoded word, or of several that were cut within a group of base64; what was lost of them."""

    charset: str
    octets: bytes
    flaw: str | None


def decoded(text: str) -> Decoded:
    """Decode the encoded words of an unfolded value.

    Words of one charset that follow each other are decoded together, because mailers split characters between two
    words, against RFC 2047 section 5.
    """
    # Blanks between two encoded words are not part of the text (RFC 2047 6.2).
    text = _BETWEEN_WORDS.sub("?=", text)
    pieces: list[str] = []
    torn_by: list[str] = []
    lost: list[str] = []
    done = 0
    for run in _ENCODED_WORDS.finditer(text):
        pieces.append(text[done : run.start()])
        words = list(_words(run[0]))
        torn_by += [word.flaw for word in words if word.flaw]
        for charset, same in groupby(words, attrgetter("charset")):
            made = decode(b"".join(_without_marks([word.octets for word in same], charset)), charset)
            pieces.append(made.text)
            lost += [made.flaw] if made.flaw else []
        done = run.end()
    flaws = tuple(dict.fromkeys([*torn_by, *lost]))[:MOST_FLAWS]
    return Decoded("".join(pieces) + text[done:], flaws, bool(torn_by), bool(pieces))


def _without_marks(words: Sequence[bytes], charset: str) -> Iterator[bytes]:
    """The octets of words of one charset; those of UTF-16 without their byte order marks, but for the first."""
    codec = codec_of(charset)
    is_wide = codec is not None and not holds_ascii(codec)
    for at, octets in enumerate(words):
        yield octets[len(mark_of(octets)[0]) :] if at and is_wide else octets


def _words(run: str) -> Iterator[_Word]:
    """The encoded words of a run, without their encoding (RFC 2047 section 4). Raw characters are encoded as UTF-8.

    Each word should hold whole groups of base64 (section 5). What some mailers cut elsewhere is put together again, but
    not what only lacks its padding.
    """
    found = [(charset.partition("*")[0].lower(), encoding in "Bb", held) for charset, encoding, held in _each(run)]
    behind = list(_lengths_behind(found))
    begun: list[str] = []
    size = 0  # of what has begun
    for at, ((charset, is_base64, held), following) in enumerate(pairwise([*found, ("", False, "")])):
        if not is_base64:
            yield _Word(charset, undo_q(held.encode()), None)
            continue
        begun += held.split()  # a blank would divide it, as the end of a line does
        signs = _signs(held)
        size += len(signs)
        if not _is_cut(signs, size, behind[at]) or following[:2] != (charset, True):
            yield _Word(charset, *undo("".join(begun).encode(), "base64"))
            begun, size = [], 0


_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_PAD_BITS = {2: 0b1111, 3: 0b11}
"""By the number of signs in the last group: the bits of the last sign that belong to no octet, which are zero at the
end of what was encoded (RFC 4648 3.5)."""


_NOT_BASE64 = pattern("[^A-Za-z0-9+/=]+")


def _signs(held: str) -> str:
    """The signs of base64 in a word; all others are ignored (RFC 2045 6.8), such as a fold before the word's end."""
    return _NOT_BASE64.sub("", held)


def _is_cut(signs: str, size: int, behind: int) -> bool:
    """Whether base64 of `size` signs, which ends with those of a word, was cut within a group.

    `behind` is how many signs the words of its kind have that follow it: no octets are encoded as one sign more than
    whole groups.
    """
    if signs.endswith("="):
        return False
    last = max(0, _ALPHABET.find(signs[-1:]))
    return size % 4 == 1 or last & _PAD_BITS.get(size % 4, 0) > 0 or (size % 4, behind % 4) == (3, 1)


def _lengths_behind(words: Sequence[tuple[str, bool, str]]) -> Iterator[int]:
    """For each word, how many signs the words behind it have that are base64 in the same charset, up to another."""
    behind: list[int] = []
    size, kind = 0, ("", False)
    for charset, is_base64, held in reversed(words):
        size = size if (charset, is_base64) == kind else 0
        behind.append(size)
        size, kind = size + len(_signs(held)), (charset, is_base64)
    return reversed(behind)


def _each(run: str) -> list[tuple[str, str, str]]:
    return _ENCODED_WORD.findall(run)
