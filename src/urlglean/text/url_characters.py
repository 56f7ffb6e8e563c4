r"""Which characters a bare URL's run is made of, before any rule says where it ends. Guesses, but for RFC 1738 2.2.

Excluded are white space and controls, `<` `>` `"` (RFC 1738 2.2: delimiters in free text), and `\` `` ` `` `{` `|` `}`,
which frame URLs in TeX, code and tables far more often than they stand unencoded in one (see `raw_signs`). The judge
decides on `^`.
"""

from __future__ import annotations

import re

from urlglean.lazy import pattern, unicode_pattern
from urlglean.text import raw_signs
from urlglean.text.mending import ANY, FIRST

LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_SIGNS = frozenset("!#$%&'()*+,-./:;=?@[]^_~") - raw_signs.FRAMING.keys()
SIGNS = "".join(sorted(_SIGNS - FIRST))
"""The signs of ASCII that belong to a run wherever no rule of `ends` holds."""

_ALONE = _SIGNS & FIRST
"""Those that belong to it where none that stands for another begins with them."""

OF_A_RUN = frozenset(LETTERS_AND_DIGITS + SIGNS)


def class_of(signs: str) -> str:
    """The inside of a class of a pattern that holds letters, digits and these signs."""
    return f"A-Za-z0-9{re.escape(signs)}"


# Letters, marks and digits of all scripts may go on (RFC 3987); their punctuation frames. So may signs that stand for
# others, but not what windows-1252 or Latin-1 made of the UTF-8 of punctuation and of odd blanks.
MANGLED = r"(?!â[€\x80]|Â(?:[\x80-\xbf]|\s))"
WIDE = r"\p{L}\p{M}\p{N}--[！-～]"
_REACH = pattern(f"[{class_of(SIGNS)}]*+")
_WIDE_RUN = unicode_pattern(rf"(?:{ANY}|{MANGLED}[{class_of(SIGNS)}{WIDE}])*+")
_LETTER = unicode_pattern(rf"{MANGLED}[{WIDE}]")
_SIGN = unicode_pattern(ANY)
# Scripts written without spaces, or (Hangul) with particles set right behind a word: prose may follow without a gap.
_UNSPACED = unicode_pattern(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_IDN_GOES_ON = unicode_pattern(r"[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{N}]|[/:][!-~])")
# Hiragana and Korean particles right behind a slash are grammar of the prose around, not the name of anything.
_PARTICLE = unicode_pattern(
    r"\p{Hiragana}|(?:을|를|은|는|이|가|에|의|로|와|과|도|만|에서|으로|에게|까지|부터)(?!\p{Hangul})"
)
_BEHIND_SCHEME = pattern(r"\A[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_HOST_SLASH = pattern(r"//[^/]*/")


def reach(text: str, start: int) -> int:
    """How far the characters from `start` on could all belong to a URL, whatever the rules say of its end."""
    end = start
    while True:
        run = _REACH.match(text, end)
        end = run.end() if run else end
        if may_go_on(text[end : end + 1]) and (behind_sign(text, end) is not None or goes_on(text, start, end)):
            wide = _WIDE_RUN.match(text, end)
            end = wide.end() if wide else end
        if (beyond := behind_own(text, start, end)) == end:
            return end
        end = beyond


def behind_own(text: str, start: int, at: int) -> int:
    """The place behind a sign that is the URL's own although such signs end others; `at` where the URL ends there."""
    sign = text[at : at + 1]
    if sign in raw_signs.FRAMING or sign > "\x7f":
        return raw_signs.over(text, start, at)
    return at + 1 if sign in _ALONE else at


def may_go_on(sign: str) -> bool:
    """A quick no: whether a letter of another script, or a sign that stands for another, may begin so."""
    return sign > "\x7f" or sign in FIRST


def behind_sign(text: str, at: int) -> int | None:
    """The place behind a sign that stands for another; None where there is none."""
    found = _SIGN.match(text, at)
    return found.end() if found else None


def goes_on(text: str, start: int, end: int) -> bool:
    """Whether a letter outside ASCII at `end` belongs to the URL (an IRI) or begins the prose behind it."""
    if not _LETTER.match(text, end):
        return False
    if not _UNSPACED.match(text, end):
        return True
    before = _BEHIND_SCHEME.sub("", text[start:end], count=1)
    if "/" not in before[2:]:
        return before in {"//", ""} or (before.endswith((".", "@")) and _IDN_GOES_ON.match(text, end) is not None)
    # Behind the host's own slash prose is as likely as a name; deeper in a path, or in a search, a name is likelier.
    if before.endswith("/"):
        return not _HOST_SLASH.fullmatch(before) and not _PARTICLE.match(text, end)
    return before.endswith(tuple("=?#&_%-"))
