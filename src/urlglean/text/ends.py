"""Where a bare URL ends: all of it guesses, each with a name.

RFC 1738 allows `. , ; : ! ? ' ( )` in URLs, so what the grammar takes is more than what a reader copies. A URL's run of
characters ends where one stands that could not belong, or where a row of `CUT_RULES` says so; the rows of `TAIL_RULES`
then take from its end. Both look no farther than they have to: what is cut off may hold the next URL.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from urlglean.lazy import pattern, unicode_pattern
from urlglean.text.extension import LONGEST, ends_in_one
from urlglean.text.lexicon import BEGINS

# Excluded: white space and controls, `<` `>` `"` (RFC 1738 2.2: delimiters in free text), and `\` `` ` `` `{` `|` `}`,
# which frame URLs in TeX, code and tables far more often than they stand unencoded in one. `^` is left for the judge.
_REACH = pattern(r"[!#-;=?-\[\]-_a-z~]*+")
# The same without the signs that CUT_RULES look at.
_PLAIN = pattern(r"[!#-%*+\--:=?-Z^_a-z~]*+")
_SIGNS = frozenset("&'(),;[]")
# Letters, marks and digits of all scripts may go on (RFC 3987); their punctuation frames.
# So does an overline, which stands for "~" in ISO 646-JP, also where UTF-8 was read as windows-1252.
_TILDE = "‾|â€¾"
_WIDE_RUN = unicode_pattern(rf"(?:{_TILDE}|[!#-;=?-\[\]-_a-z~\p{{L}}\p{{M}}\p{{N}}--[！-～]])*+")
_LETTER = unicode_pattern(rf"[\p{{L}}\p{{M}}\p{{N}}--[！-～]]|{_TILDE}")
_WIDE_LETTERS = unicode_pattern(rf"(?:{_TILDE}|[!#-%*+\--:=?-Z^_a-z~\p{{L}}\p{{M}}\p{{N}}--[！-～]])++")
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
    run = _REACH.match(text, start)
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
    before = _BEHIND_SCHEME.sub("", text[start:end], count=1)
    if "/" not in before[2:]:
        return before in {"//", ""} or (before.endswith((".", "@")) and _IDN_GOES_ON.match(text, end) is not None)
    # Behind the host's own slash prose is as likely as a name; deeper in a path, or in a search, a name is likelier.
    if before.endswith("/"):
        return not _HOST_SLASH.fullmatch(before) and not _PARTICLE.match(text, end)
    return before.endswith(tuple("=?#&_%-"))


class CutRule(Struct, frozen=True):
    """A row: signs at which a URL ends when `holds` (of the text, the place, what opened before, the open brackets)."""

    name: str
    signs: str
    holds: Callable[[str, int, str, Counter[str]], bool]


class TailRule(Struct, frozen=True):
    """A row: so many characters of a run before `end` are none of the URL's; 0 when the rule does not hold."""

    name: str
    length: Callable[[str, int, str], int]


# Asked at each sign of a run, it looks ahead from the first alone.
_GLUED_URL = pattern(rf"(?<![,;])[,;]++{BEGINS}[a-z0-9]", re.IGNORECASE)
# Without its ";" only where nothing goes on: `&lt=5` is of a search.
_ENTITY = pattern(
    r"&(?:gt|lt|quot|apos|nbsp|#0{0,5}(?:34|39|60|62|160)|#x0{0,5}(?:22|27|3[ce]|a0))(?:;|(?=[\s&<>\"'.,:!?)]|\Z))",
    re.IGNORECASE,
)
_OPENERS = {")": "(", "]": "["}
_EMPHASIS = frozenset("*_~")
STOPS = ".,;:!?"
"""The signs that end or part a sentence. Whoever has to know what may close around a URL derives it from these."""

# An apostrophe may close too, and a bracket that opens there holds nothing.
_CLOSING = frozenset(STOPS + "'([")
_RULER_LEAST = {"-": 2, "=": 4, "_": 4, "*": 4, "~": 4, "#": 4, "+": 4}

CUT_RULES = (
    CutRule("following-url", ",;", lambda text, at, _before, _open: _GLUED_URL.match(text, at) is not None),
    CutRule("entity", "&", lambda text, at, _before, _open: _ENTITY.match(text, at) is not None),
    CutRule("closing-quote", "'", lambda _text, _at, before, _open: before == "'"),
    CutRule("unopened-bracket", ")]", lambda text, at, _before, brackets: not brackets[_OPENERS[text[at]]]),
)
# A place to be filled in: `${name}`, `{name}`, `<name>` or `<c3>` and more behind it. No URL, nor is its beginning.
_TEMPLATE_SIGNS = frozenset("{<")
_TEMPLATE = pattern(
    r"""\{[^\s"<>]*+|<(?!/?(?:a|b|i|u|p|br|hr|td|th|tr|li|ul|ol|dl|dt|dd|em|tt|h[1-6]|pre|img|div|font|span|code|body|html
    |table|center|strong|small|big|sup|sub|blockquote)\b)[A-Za-z0-9_.-]{1,30}>[A-Za-z0-9/.:?&=<-][^\s"]*+""",
    re.IGNORECASE | re.VERBOSE,
)
_RULES_AT = {sign: tuple(rule for rule in CUT_RULES if sign in rule.signs) for sign in _SIGNS}


def _ruler(url: str, end: int) -> int:
    """The length of a dash or a rule of one sign that is glued to the URL."""
    sign = url[end - 1]
    least = _RULER_LEAST.get(sign)
    if least is None or not url.endswith(sign * least, 0, end):
        return 0
    start = end
    while start and url[start - 1] == sign:
        start -= 1
    return end - start


TAIL_RULES = (
    TailRule("closing-punctuation", lambda url, end, _: int(url[end - 1] in _CLOSING)),
    TailRule("possessive", lambda url, end, _: 2 * url.endswith("'s", 0, end)),
    TailRule("emphasis", lambda url, end, before: int(before in _EMPHASIS and url[end - 1] == before)),
    TailRule("ruler", lambda url, end, _: _ruler(url, end)),
    TailRule("dash", lambda url, end, _: int(url[end - 1] == "-" and ends_in_one(url[: end - 1]))),
)
TAILS = frozenset(rule.name for rule in TAIL_RULES)
FIRM = frozenset("/0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrtuvwxyz")
"""What no tail rule takes: the end of nearly every URL, told by one look."""


class End(Struct, frozen=True):
    """Where a URL ends: `at` by all rules, `run` without the tail rules; `cut_by` names the rules that cut."""

    at: int
    run: int
    cut_by: tuple[str, ...] = ()


def end_of(text: str, start: int, before: str) -> End:
    """The end of the bare URL that begins at `start`.

    Args:
        text: the whole text.
        start: where the URL begins.
        before: the character in front of it, "" at the start of a text.
    """
    run, cut = _run_end(text, start, before)
    if (dash := _dash_behind_a_file(text, start, run)) < run:
        run, cut = dash, "dash-behind-a-file"
    if cut is None and text[run - 1] in FIRM:
        return End(run, run)
    end, tails = tail_of(text[start:run], before)
    return End(start + end, run, tails if cut is None else (cut, *tails))


def _dash_behind_a_file(text: str, start: int, end: int) -> int:
    """Where a dash of two hyphens stands right behind a file's name, with prose glued to it; the end if none does."""
    dash = text.find("--", start, end - 2)
    while dash >= 0 and not ends_in_one(text[max(start, dash - LONGEST) : dash]):
        dash = text.find("--", dash + 2, end - 2)
    return end if dash < 0 else dash


def tail_of(url: str, before: str) -> tuple[int, tuple[str, ...]]:
    """The length that tail rules leave of a run, and the names of those that took from it."""
    end, named = len(url), []
    while end and (
        tail := next(((rule, size) for rule in TAIL_RULES if (size := rule.length(url, end, before))), None)
    ):
        named.append(tail[0].name)
        end -= tail[1]
    return end, tuple(dict.fromkeys(named))


def _run_end(text: str, start: int, before: str) -> tuple[int, str | None]:
    """The end of a URL's run of characters, and the name of the rule that cut it there."""
    brackets: Counter[str] = Counter()
    at, is_iri = start, False
    while True:
        plain = _PLAIN.match(text, at)
        at = plain.end() if plain else at
        sign = text[at : at + 1]
        if sign in _RULES_AT:
            cut = next((rule for rule in _RULES_AT[sign] if rule.holds(text, at, before, brackets)), None)
            if cut is not None:
                return at, cut.name
            brackets[sign] += 1
            if sign in _OPENERS:
                brackets[_OPENERS[sign]] -= 1
            at += 1
        elif sign in _TEMPLATE_SIGNS and (template := _TEMPLATE.match(text, at)):
            return template.end(), None  # the whole of it, for the judge to refuse
        elif sign > "\x7f" and (is_iri or _goes_on(text, start, at)) and (wide := _WIDE_LETTERS.match(text, at)):
            at, is_iri = wide.end(), True
        else:
            return at, None
