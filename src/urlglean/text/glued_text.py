"""What is glued to a URL behind it, although its characters could all be the URL's: guesses, a row each.

The rules of `ends` look at single signs on the way; these look at the whole run of a URL's characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from urlglean.lazy import pattern
from urlglean.text.file_extension import DOCUMENT, EXTENSION_LIKE, NAME
from urlglean.text.joining.common import COMMON
from urlglean.text.quote_prefix import BREAK, PREFIX
from urlglean.text.scheme_triggers import URL_AHEAD
from urlglean.text.signs import BRACKETS, STOPS, SignRule, one_of


class GlueRule(SignRule, frozen=True, kw_only=True):
    """A row: what may begin in the run of a URL's characters that is none of the URL's.

    Attributes:
        in_path: whether the sign stands behind the slash that ends the host; without one the rule does not hold.
        begins: gets the text, where the URL begins and where its run ends. Gives the place where the other thing
            begins, the run's end where there is none.
        is_doubtful: whether all of the run is an honest reading too.
    """

    begins: Callable[[str, int, int], int]
    in_path: bool = False
    is_doubtful: bool = False


# What a bracket that opens in the run, and does not close there, holds: words.
_CLOSES_BEHIND = {
    opening: rf"[^\r\n{re.escape(opening + closing)}]{{0,100}}{re.escape(closing)}"
    for opening, closing in BRACKETS.items()
}
_IN_LINE = {sign: pattern(rf"[ \t]++{words}") for sign, words in _CLOSES_BEHIND.items()}
_BELOW = {sign: pattern(rf"[ \t]*+{BREAK}{PREFIX}{words}") for sign, words in _CLOSES_BEHIND.items()}
# A bracket behind these belongs to the URL, and a blank to what it holds: `/Lamp_(oil lamp)`, `?q=(oil lamp)`.
_HOLDS_ON = frozenset("_=+:")


def _remark_in_brackets(text: str, start: int, end: int) -> int:
    """Where a bracket opens around words that go on behind the run."""
    for sign in _CLOSES_BEHIND:
        at = text.rfind(sign, start, end)
        if at > start and text[at - 1] not in _HOLDS_ON and text.find(BRACKETS[sign], at, end) < 0:
            # A URL may have been cut behind its bracket, but hardly between two words of prose.
            below = text[at - 1].isalnum() and text[at + 1 : end].isalpha() and _BELOW[sign].match(text, end)
            # A name of code behind a "#" has arguments.
            return at if (below or _IN_LINE[sign].match(text, end)) and text.find("#", start, at) < 0 else end
    return end


# An extension, the stop of a sentence perhaps, and a word that ends the run, whatever closes behind it.
_WORD_BEHIND = pattern(
    rf"\.(?:(?P<name>{DOCUMENT})|{NAME}(?P<stop>[.,;:]))(?P<word>[a-z]++)(?:'[a-z]{{1,2}})?+\Z", re.IGNORECASE
)
_CLOSERS_BEHIND = STOPS + ")'"
_LONGEST_TAIL = 48
"""Code points before a run's end in which the extension is looked for."""

_LEAST_GLUED = 5
"""Letters of an extension and the word glued to it: fewer may be an extension that is not known."""

_MORE_OF_A_URL = "[A-Za-z0-9/=&#_~%+@*$-]"
_MAY_BE_GLUED = (
    rf"{EXTENSION_LIKE}(?:[,;:][A-Za-z]|\.[A-Z][a-z]|(?:(?<=[A-Za-z0-9]{{{_LEAST_GLUED}}})|(?<=I))(?!{_MORE_OF_A_URL}))"
)
"""What stands behind the dot of an extension that may have a word behind it: long, with an "I", or with a stop."""


def _word_behind_a_file(text: str, start: int, end: int) -> int:
    """Where a word of prose stands right behind a file's name, or behind the stop behind it."""
    at = max(start, end - _LONGEST_TAIL)
    tail = text[at:end].rstrip(_CLOSERS_BEHIND)
    last = tail.rfind(".")
    found = _WORD_BEHIND.match(tail, last) or _WORD_BEHIND.match(tail, tail.rfind(".", 0, last))
    if found is None:
        return end
    dot = at + found.start()
    # Names behind a "#" are those of code as well.
    if text.find("#", start, dot) >= 0:
        return end
    # A stop between the two is closing punctuation, and goes as such.
    is_prose = _is_prose(found, stem_is_capital=text[dot - 1].isupper())
    return at + found.start("word") if is_prose else end


def _is_prose(found: re.Match[str], *, stem_is_capital: bool) -> bool:
    """Whether a word behind an extension is one of prose: one that begins a sentence, or a common one."""
    name, stop, word = found["name"], found["stop"], found["word"]
    common = len(word) > 1 and word.lower() in COMMON
    capital = word == "I" or (word[:1].isupper() and word[1:].islower())
    if name and len(name + word) < _LEAST_GLUED and word != "I":
        return False
    if stop == ".":
        return common and capital  # `index.html.fr` is a file
    # In `window.HTMLElement` the capitals are those of a name.
    return (capital and (not name or name.islower() or stem_is_capital)) or (common and word.islower())


# A quotation mark or another sign that a charset lost, in front of a URL; a word that begins no search, behind one.
_LOST_BEFORE = pattern(r"(?<![A-Za-z0-9?])\?{1,4}+\Z")
_LOST_BEHIND = pattern(rf"(?<!\?)\?++[A-Za-z]++{one_of(_CLOSERS_BEHIND)}*+\Z")


def _lost_sign(text: str, start: int, end: int) -> int:
    """Where a "?" that begins no search stands for a sign that was lost, as one does in front of the URL."""
    if not _LOST_BEFORE.search(text, max(0, start - 5), start):
        return end
    found = _LOST_BEHIND.search(text, start, end)
    return found.start() if found else end


# Signs around a word between two URLs. The search is for the first of them: what follows the second begins no value.
_LOST_BETWEEN = pattern(rf"(?<!\?)\?(?=[A-Za-z]{{1,12}}+\?{URL_AHEAD})", re.IGNORECASE)


def _lost_signs_between(text: str, start: int, end: int) -> int:
    """Where a word between two "?", and another URL behind it, begin."""
    found = _LOST_BETWEEN.search(text, start, end)
    return found.start() if found else end


GLUE_RULES = (
    GlueRule(name="remark-in-brackets", signs="".join(BRACKETS), begins=_remark_in_brackets),
    GlueRule(
        name="word-behind-a-file",
        signs=".",
        only=_MAY_BE_GLUED,
        in_path=True,
        begins=_word_behind_a_file,
        is_doubtful=True,
    ),
    GlueRule(name="lost-sign", signs="?", before="?", begins=_lost_sign, is_doubtful=True),
    GlueRule(
        name="lost-signs-between",
        signs="?",
        only=r"[A-Za-z]{1,12}+\?",
        begins=_lost_signs_between,
        is_doubtful=True,
    ),
)

_ASKED = tuple((rule, pattern(f"{one_of(rule.signs)}(?:{rule.only})")) for rule in GLUE_RULES)


class Glued(Struct, frozen=True):
    """Where what is glued to a URL begins: `at`, by the rule `name`; `is_doubtful` when it may as well be the URL's."""

    at: int
    name: str
    is_doubtful: bool


def glued_at(text: str, start: int, end: int) -> Glued | None:
    """Where what is glued to a URL begins, by the rule that takes the most; None where nothing is.

    Args:
        text: the whole text.
        start: where the URL begins.
        end: where its run of characters ends.
    """
    found, before = None, text[start - 1 : start] if start else ""
    for rule, asked in _ASKED:
        if not rule.may_hold_behind(before):
            continue
        low = _path_of(text, start, end) if rule.in_path else start
        if asked.search(text, low, end) is None:
            continue
        at = rule.begins(text, start, end)
        if at < (found.at if found else end):
            found = Glued(at, rule.name, rule.is_doubtful)
    return found


def _path_of(text: str, start: int, end: int) -> int:
    """The place of the slash that ends the URL's host; the end where there is none."""
    slashes = text.find("//", start, end)
    path = text.find("/", slashes + 2, end) if slashes >= 0 else -1
    return path if path >= 0 else end
