"""Where a bare URL ends: all of it guesses, each with a name.

RFC 1738 allows `. , ; : ! ? ' ( )` in URLs, so what the grammar takes is more than what a reader copies. First the run
of characters that could belong is taken (`run_end`), then the rules of `END_RULES` cut from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import regex
from msgspec import Struct

# Excluded: white space and controls, `<` `>` `"` (RFC 1738 2.2: delimiters in free text), and `\` `` ` `` `{` `|` `}`,
# which frame URLs in TeX, code and tables far more often than they stand unencoded in one. `^` is left for the judge.
_ASCII_RUN = re.compile(r"[!#-;=?-\[\]-_a-z~]*+")
# Letters, marks and digits of all scripts may go on (RFC 3987); their punctuation frames.
_WIDE_RUN = regex.compile(r"[!#-;=?-\[\]-_a-z~\p{L}\p{M}\p{N}--[！-～]]*+", regex.V1)
_LETTER = regex.compile(r"[\p{L}\p{M}\p{N}--[！-～]]", regex.V1)
# Scripts written without spaces, or (Hangul) with particles set right behind a word: prose may follow without a gap.
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_IDN_GOES_ON = regex.compile(r"[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{N}]|[/:][!-~])", regex.V1)
# Hiragana and Korean particles right behind a slash are grammar of the prose around, not the name of anything.
_PARTICLE = regex.compile(
    r"\p{Hiragana}|(?:을|를|은|는|이|가|에|의|로|와|과|도|만|에서|으로|에게|까지|부터)(?!\p{Hangul})"
)
_HOST_SLASH = re.compile(r"//[^/]*/")


def run_end(text: str, start: int) -> int:
    """The end of the run of characters from `start` that could belong to a URL."""
    run = _ASCII_RUN.match(text, start)
    end = run.end() if run else start
    if end < len(text) and text[end] > "\x7f" and _goes_on(text, start, end):
        wide = _WIDE_RUN.match(text, end)
        end = wide.end() if wide else end
    return end


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether a letter outside ASCII at `end` belongs to the URL (an IRI) or begins the prose behind it."""
    if not _LETTER.match(text, end):
        return False
    if not _UNSPACED.match(text, end):
        return True
    before = text[start:end]
    if "/" not in before[2:]:
        return before in {"//", ""} or (before.endswith((".", "@")) and _IDN_GOES_ON.match(text, end) is not None)
    # Behind the host's own slash prose is as likely as a name; deeper in a path, or in a search, a name is likelier.
    if before.endswith("/"):
        return not _HOST_SLASH.fullmatch(before) and not _PARTICLE.match(text, end)
    return before.endswith(tuple("=?#&_%-"))


class CutRule(Struct, frozen=True):
    """A row: a URL ends at the first place that `at` finds in its run; `before` is the character before the run."""

    name: str
    at: Callable[[str, str], int | None]


class TailRule(Struct, frozen=True):
    """A row: so many characters of a run before `end` are none of the URL's; 0 when the rule does not hold."""

    name: str
    length: Callable[[str, int, str], int]


_GLUED_URL = re.compile(
    r"(?<![,;])[,;]++(?=(?:(?:https?|ftp|gopher|telnet|wais|nntp)://|mailto:|news:)[a-z0-9])", re.IGNORECASE
)
_ENTITY = re.compile(
    r"&(?:gt|lt|quot|apos|nbsp|#0{0,5}(?:34|39|60|62|160)|#x0{0,5}(?:22|27|3[ce]|a0))\b;?", re.IGNORECASE
)
_BRACKET = re.compile(r"[()\[\]]")
_CLOSERS = {")": "(", "]": "["}
_EMPHASIS = frozenset("*_~")
_CLOSING = frozenset(".,;:!?'([")


_RULER_LEAST = {"-": 2, "=": 4, "_": 4, "*": 4, "~": 4, "#": 4, "+": 4}


def _ruler(url: str, end: int) -> int:
    """The length of a dash or a rule of one sign that is glued to the URL."""
    sign = url[end - 1]
    size = end - len(url[:end].rstrip(sign)) if sign in _RULER_LEAST and url.endswith(sign * 2, 0, end) else 0
    return size if size >= _RULER_LEAST.get(sign, 1) else 0


def _first(pattern: re.Pattern[str]) -> Callable[[str, str], int | None]:
    def at(url: str, _before: str) -> int | None:
        found = pattern.search(url)
        return found.start() if found else None

    return at


def _closing_quote(url: str, before: str) -> int | None:
    return url.find("'") if before == "'" and "'" in url else None


def _unopened_bracket(url: str, _before: str) -> int | None:
    depth = {"(": 0, "[": 0}
    for bracket in _BRACKET.finditer(url):
        char = bracket.group()
        if char in depth:
            depth[char] += 1
        elif depth[_CLOSERS[char]]:
            depth[_CLOSERS[char]] -= 1
        else:
            return bracket.start()
    return None


CUT_RULES = (
    CutRule("following-url", _first(_GLUED_URL)),
    CutRule("entity", _first(_ENTITY)),
    CutRule("closing-quote", _closing_quote),
    CutRule("unopened-bracket", _unopened_bracket),
)

TAIL_RULES = (
    TailRule("closing-punctuation", lambda url, end, _: int(url[end - 1] in _CLOSING)),
    TailRule("possessive", lambda url, end, _: 2 * url.endswith("'s", 0, end)),
    TailRule("emphasis", lambda url, end, before: int(before in _EMPHASIS and url[end - 1] == before)),
    TailRule("ruler", lambda url, end, _: _ruler(url, end)),
)


TAILS = frozenset(rule.name for rule in TAIL_RULES)


def end_of(url: str, before: str) -> tuple[int, tuple[str, ...]]:
    """How much of a run is the URL, and the names of the rules that cut the rest.

    Args:
        url: the run, from the scheme on.
        before: the character in front of it, "" at the start of a text.
    """
    named = []
    for cut in CUT_RULES:
        if (at := cut.at(url, before)) is not None:
            url = url[:at]
            named.append(cut.name)
    end = len(url)
    while end and (
        tail := next(((rule, size) for rule in TAIL_RULES if (size := rule.length(url, end, before))), None)
    ):
        named.append(tail[0].name)
        end -= tail[1]
    return end, tuple(dict.fromkeys(named))
