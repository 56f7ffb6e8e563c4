"""Where a bare URL ends: all of it guesses, each with a name.

RFC 1738 allows `. , ; : ! ? ' ( )` in URLs, so what the grammar takes is more than what a reader copies. A URL's run of
characters (`url_characters`) ends where a row of `CUT_RULES` says so; the rows of `TAIL_RULES` then take from its end.
Both look no farther than they have to: what is cut off may hold the next URL.

Each row says at which signs it looks, and what must stand there for it to hold. It is asked nowhere else, and from the
same fields `plain` makes what the fast path takes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from urlglean.lazy import LazyPattern, pattern, unicode_pattern
from urlglean.text.file_extension import LONGEST, ends_in_one
from urlglean.text.glued_text import glued_at
from urlglean.text.scheme_triggers import GLUED, URL_AHEAD, any_of
from urlglean.text.search_terms import LONGEST_SCHEME
from urlglean.text.signs import BRACKETS, EMPHASIS, STOPS, SignRule, passing
from urlglean.text.url_characters import (
    LETTERS_AND_DIGITS,
    MANGLED,
    SIGNS,
    WIDE,
    behind_own,
    behind_sign,
    class_of,
    goes_on,
    may_go_on,
)


class CutRule(SignRule, frozen=True, kw_only=True):
    """A row: where in a run a URL ends although its characters go on.

    Attributes:
        behind_file: whether it may hold only right behind a file's extension.
        cuts: gets the text, the place of the sign, and how many brackets of each kind are open there. Gives the place
            where the URL ends, which may lie before the sign; None where the rule does not hold.
    """

    cuts: Callable[[str, int, Counter[str]], int | None]
    behind_file: bool = False


class TailRule(Struct, frozen=True, kw_only=True):
    """A row: what is taken from the end of a run.

    Attributes:
        name: what it is.
        endings: the run ends in one of these wherever it may hold.
        takes: gets the run, the length that is left of it, and what stands before it. Gives the number of characters
            to take, 0 where the rule does not hold. None where the rule always takes the ending.
    """

    name: str
    endings: tuple[str, ...]
    takes: Callable[[str, int, str], int] | None = None


Cuts = Callable[[str, int, Counter[str]], int | None]


def _at(written: LazyPattern[str, re.Match[str]]) -> Cuts:
    """Ends the URL before what the pattern matches."""
    return lambda text, at, _open: at if written.match(text, at) else None


def _glued_scheme(text: str, colon: int, _open: Counter[str]) -> int | None:
    """Where the scheme of another URL begins before its colon, right behind a word of this one."""
    low = max(0, colon - _LONGEST_GLUED)
    found = _GLUED_SCHEME.search(text, low, colon)
    return found.start() if found else None


# A letter, a digit or a stop before its scheme begins no value; an escape does. "s" and "t" may be of `sftp`.
_GLUED_SCHEME = pattern(rf"(?<=[a-z0-9.)])(?<!%[0-9a-f]{{2}})(?<![^a-z0-9][st]){any_of(GLUED)}\Z", re.IGNORECASE)
_LONGEST_GLUED = max(map(len, GLUED))
# Both are asked at each sign of a run, and look ahead from the first alone.
_GLUED_URL = pattern(rf"(?<![,;])[,;]++{URL_AHEAD}", re.IGNORECASE)
# Behind a sign that a value stands behind the bracket is the URL's own: `?u=(http://...)`.
_URL_IN_BRACKETS = pattern(rf"(?<![(\[=+:])[(\[]++{URL_AHEAD}", re.IGNORECASE)
# Without its ";" only where nothing goes on: `&lt=5` is of a search.
_ENTITY = pattern(
    r"&(?:gt|lt|quot|apos|nbsp|#0{0,5}(?:34|39|60|62|160)|#x0{0,5}(?:22|27|3[ce]|a0))(?:;|(?=[\s&<>\"'.,:!?)]|\Z))",
    re.IGNORECASE,
)
_OPENS = {closing: opening for opening, closing in BRACKETS.items()}

CUT_RULES = (
    CutRule(name="following-url", signs=",;", only="(?<![,;]{2})[,;]*+[A-Za-z][A-Za-z0-9+.-]*+:", cuts=_at(_GLUED_URL)),
    CutRule(name="url-in-brackets", signs="".join(BRACKETS), cuts=_at(_URL_IN_BRACKETS)),
    CutRule(name="url-behind", signs=":", only="//", cuts=_glued_scheme),
    # Two hyphens are a dash there, and what follows is prose.
    CutRule(name="dash-behind-a-file", signs="-", only="-", behind_file=True, cuts=_at(pattern(r"--++[^\s<>\"]"))),
    CutRule(name="entity", signs="&", only="#|(?i:gt|lt|quot|apos|nbsp)", cuts=_at(_ENTITY)),
    CutRule(name="closing-quote", signs="'", before="'", cuts=lambda _text, at, _open: at),
    CutRule(
        name="unopened-bracket",
        signs="".join(_OPENS),
        cuts=lambda text, at, brackets: None if brackets[_OPENS[text[at]]] else at,
    ),
)

_RULER_LEAST = {"-": 2, "=": 4, "_": 4, "*": 4, "~": 4, "#": 4, "+": 4}


def _ruler(url: str, end: int, _before: str) -> int:
    """The length of a dash or a rule of one sign that is glued to the URL."""
    start = end
    while url[start - 1] == url[end - 1]:  # no farther than the scheme, which is of other signs
        start -= 1
    return end - start


def _is_dash(url: str, end: int, _before: str) -> int:
    return int(ends_in_one(url[max(0, end - 1 - LONGEST) : end - 1]))


TAIL_RULES = (
    # An apostrophe may close too, and a bracket that opens there holds nothing.
    TailRule(name="closing-punctuation", endings=(*STOPS, "'", *BRACKETS)),
    TailRule(name="possessive", endings=("'s",)),
    TailRule(
        name="emphasis",
        endings=tuple(EMPHASIS),
        takes=lambda url, end, before: int(url[end - 1] == before),
    ),
    TailRule(name="ruler", endings=tuple(sign * least for sign, least in _RULER_LEAST.items()), takes=_ruler),
    TailRule(name="dash", endings=("-",), takes=_is_dash),
)
TAILS = frozenset(rule.name for rule in TAIL_RULES)
FIRM = frozenset(LETTERS_AND_DIGITS + "/").difference(ending[-1] for rule in TAIL_RULES for ending in rule.endings)
"""What no tail rule takes: the end of nearly every URL, told by one look."""

# A place to be filled in: `${name}`, `{name}`, `<name>` or `<c3>` and more behind it. No URL, nor is its beginning.
TEMPLATE_SIGNS = {"{": r"\{", "<": "<(?![^A-Za-z0-9_.-])"}
"""The signs that may begin one behind a run, each with a pattern of what stands there wherever it does."""

_TEMPLATE = pattern(
    rf"""(?:{TEMPLATE_SIGNS["{"]})[^\s"<>]*+|(?:{TEMPLATE_SIGNS["<"]})(?!/?(?:a|b|i|u|p|br|hr|td|th|tr|li|ul|ol|dl|dt|dd|em|tt
    |h[1-6]|pre|img|div|font|span|code|body|html|table|center|strong|small|big|sup|sub|blockquote)\b)[A-Za-z0-9_.-]{{1,30}}
    >[A-Za-z0-9/.:?&=<-][^\s"]*+""",
    re.IGNORECASE | re.VERBOSE,
)

_SCHEME = pattern(rf"[A-Za-z][A-Za-z0-9+.-]{{0,{LONGEST_SCHEME - 1}}}+:")
_RULES_AT = {
    sign: tuple(rule for rule in CUT_RULES if sign in rule.signs) for sign in "".join(rule.signs for rule in CUT_RULES)
}


_FREE = class_of("".join(sign for sign in SIGNS if sign not in _RULES_AT))
# Signs at which a rule may hold, where none does: of colons and hyphens that are all before "//" and another.
_PASSING = passing("".join(_RULES_AT), CUT_RULES)
_PLAIN = pattern(rf"[{_FREE}]*+(?:(?:{_PASSING})[{_FREE}]*+)*+")
_WIDE_LETTERS = unicode_pattern(rf"(?:{_PASSING}|{MANGLED}[{_FREE}{WIDE}])++")


class End(Struct, frozen=True):
    """Where a URL ends: `at` by all rules, `run` without the tail rules; `cut_by` names the rules that cut.

    `or_at` is where it ends if what seems glued to it is its own; 0 where nothing does.
    """

    at: int
    run: int
    cut_by: tuple[str, ...] = ()
    or_at: int = 0


def end_of(text: str, start: int, before: str) -> End:
    """The end of the bare URL that begins at `start`.

    Args:
        text: the whole text.
        start: where the URL begins.
        before: the character in front of it, "" at the start of a text.
    """
    run, cut = _run_end(text, start, before)
    or_at = 0
    if (glued := glued_at(text, start, run)) is not None:
        or_at = start + tail_of(text[start:run], before)[0] if glued.is_doubtful else 0
        run, cut = glued.at, glued.name
    if cut is None and text[run - 1] in FIRM:
        return End(run, run)
    end, tails = tail_of(text[start:run], before)
    return End(start + end, run, tails if cut is None else (cut, *tails), or_at)


def tail_of(url: str, before: str) -> tuple[int, tuple[str, ...]]:
    """The length that tail rules leave of a run, and the names of those that took from it."""
    end, named = len(url), []
    while end and (
        tail := next(((rule, size) for rule in TAIL_RULES if (size := _taken(rule, url, end, before))), None)
    ):
        named.append(tail[0].name)
        end -= tail[1]
    return end, tuple(dict.fromkeys(named))


def _taken(rule: TailRule, url: str, end: int, before: str) -> int:
    """How many characters a rule takes from what is left of a run."""
    if not url.endswith(rule.endings, 0, end):
        return 0
    if rule.takes is not None:
        return rule.takes(url, end, before)
    return next(len(ending) for ending in rule.endings if url.endswith(ending, 0, end))


def _run_end(text: str, start: int, before: str) -> tuple[int, str | None]:
    """The end of a URL's run of characters, and the name of the rule that cut it there."""
    brackets: Counter[str] = Counter()
    scheme = _SCHEME.match(text, start)
    at, is_iri = scheme.end() if scheme else start, False  # its own colon is none to look at
    while True:
        plain = _PLAIN.match(text, at)
        at = plain.end() if plain else at
        sign = text[at : at + 1]
        if sign in _RULES_AT:
            for rule in _RULES_AT[sign]:
                if (end := _cut(rule, text, at, before, brackets)) is not None:
                    return end, rule.name
            brackets[sign] += 1
            if sign in _OPENS:
                brackets[_OPENS[sign]] -= 1
            at += 1
        elif sign in TEMPLATE_SIGNS and (template := _TEMPLATE.match(text, at)):
            return template.end(), None  # the whole of it, for the judge to refuse
        elif may_go_on(sign) and (behind := behind_sign(text, at)) is not None:
            at = behind
        elif sign > "\x7f" and (is_iri or goes_on(text, start, at)) and (wide := _WIDE_LETTERS.match(text, at)):
            at, is_iri = wide.end(), True
        elif (beyond := behind_own(text, start, at)) > at:
            at = beyond
        else:
            return at, None


def _cut(rule: CutRule, text: str, at: int, before: str, brackets: Counter[str]) -> int | None:
    """Where a rule ends a URL at one of its signs; None where it does not hold."""
    if not rule.may_hold_behind(before):
        return None
    if rule.behind_file and not ends_in_one(text[max(0, at - LONGEST) : at]):
        return None
    return rule.cuts(text, at, brackets)
