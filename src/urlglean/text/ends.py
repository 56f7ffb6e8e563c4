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
from urlglean.text import raw
from urlglean.text.extension import LONGEST, ends_in_one
from urlglean.text.glued import glued_at
from urlglean.text.lexicon import GLUED, URL_AHEAD
from urlglean.text.mending import ANY
from urlglean.text.sought import LONGEST_SCHEME

# Excluded: white space and controls, `<` `>` `"` (RFC 1738 2.2: delimiters in free text), and `\` `` ` `` `{` `|` `}`,
# which frame URLs in TeX, code and tables far more often than they stand unencoded in one (see `raw`). `^` is left for
# the judge.
_REACH = pattern(r"[!#-;=?-\[\]-_a-z~]*+")
# The same without the signs that CUT_RULES look at: of colons and hyphens that are all before "//" and another.
_NO_SIGN = r"!#-%*+./0-9=?-Z^_a-z~"
_LONE_SIGN = r":(?!//)|-(?!-)"
_PLAIN = pattern(rf"[{_NO_SIGN}]*+(?:(?:{_LONE_SIGN})[{_NO_SIGN}]*+)*+")
_SIGNS = frozenset("&'(),-:;[]")
# Letters, marks and digits of all scripts may go on (RFC 3987); their punctuation frames. So may signs that stand for
# others, but not what windows-1252 or Latin-1 made of the UTF-8 of punctuation and of odd blanks.
_MANGLED = r"(?!â[€\x80]|Â(?:[\x80-\xbf]|\s))"
_WIDE = r"\p{L}\p{M}\p{N}--[！-～]"
_WIDE_RUN = unicode_pattern(rf"(?:{ANY}|{_MANGLED}[!#-;=?-\[\]-_a-z~{_WIDE}])*+")
_LETTER = unicode_pattern(rf"{_MANGLED}[{_WIDE}]")
_WIDE_LETTERS = unicode_pattern(rf"(?:{_LONE_SIGN}|{_MANGLED}[{_NO_SIGN}{_WIDE}])++")
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
        sign = text[end : end + 1]
        if _may_go_on(sign) and (_SIGN.match(text, end) or _goes_on(text, start, end)):
            wide = _WIDE_RUN.match(text, end)
            end = wide.end() if wide else end
            sign = text[end : end + 1]
        if sign not in raw.FRAMING and sign <= "\x7f":
            return end
        if (beyond := raw.over(text, start, end)) == end:
            return end
        end = beyond


def _may_go_on(sign: str) -> bool:
    """A quick no: whether a letter of another script, or a sign that stands for another, may begin so."""
    return sign > "\x7f" or sign == "\\"


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


# Both are asked at each sign of a run, and look ahead from the first alone.
_GLUED_URL = pattern(rf"(?<![,;])[,;]++{URL_AHEAD}", re.IGNORECASE)
# Behind a sign that a value stands behind the bracket is the URL's own: `?u=(http://...)`.
_URL_IN_BRACKETS = pattern(rf"(?<![(\[=+:])[(\[]++{URL_AHEAD}", re.IGNORECASE)
# A letter, a digit or a stop before its scheme begins no value; an escape does. "s" and "t" may be of `sftp`.
_GLUED_SCHEME = pattern(rf"(?<=[a-z0-9.)])(?<!%[0-9a-f]{{2}})(?<![^a-z0-9][st])(?:{'|'.join(GLUED)})\Z", re.IGNORECASE)
_BEFORE_SCHEME = 3
_LONGEST_GLUED = max(map(len, GLUED)) + _BEFORE_SCHEME
_SCHEME = pattern(rf"[A-Za-z][A-Za-z0-9+.-]{{0,{LONGEST_SCHEME - 1}}}+:")
_DASH = pattern(r"--++[^\s<>\"]")
# Without its ";" only where nothing goes on: `&lt=5` is of a search.
_ENTITY = pattern(
    r"&(?:gt|lt|quot|apos|nbsp|#0{0,5}(?:34|39|60|62|160)|#x0{0,5}(?:22|27|3[ce]|a0))(?:;|(?=[\s&<>\"'.,:!?)]|\Z))",
    re.IGNORECASE,
)


def _glued_scheme(text: str, colon: int) -> re.Match[str] | None:
    """The scheme of another URL before a colon, right behind a word of this one."""
    return _GLUED_SCHEME.search(text[max(0, colon - _LONGEST_GLUED) : colon])


def _is_dash_behind_a_file(text: str, at: int) -> bool:
    return ends_in_one(text[max(0, at - LONGEST) : at]) and _DASH.match(text, at) is not None


_OPENERS = {")": "(", "]": "["}
_EMPHASIS = frozenset("*_~")
STOPS = ".,;:!?"
"""The signs that end or part a sentence. Whoever has to know what may close around a URL derives it from these."""

# An apostrophe may close too, and a bracket that opens there holds nothing.
_CLOSING = frozenset(STOPS + "'([")
_RULER_LEAST = {"-": 2, "=": 4, "_": 4, "*": 4, "~": 4, "#": 4, "+": 4}

CUT_RULES = (
    CutRule("following-url", ",;", lambda text, at, _before, _open: _GLUED_URL.match(text, at) is not None),
    CutRule("url-in-brackets", "([", lambda text, at, _before, _open: _URL_IN_BRACKETS.match(text, at) is not None),
    CutRule("url-behind", ":", lambda text, at, _before, _open: _glued_scheme(text, at) is not None),
    # Two hyphens are a dash there, and what follows is prose.
    CutRule("dash-behind-a-file", "-", lambda text, at, _before, _open: _is_dash_behind_a_file(text, at)),
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
        tail := next(((rule, size) for rule in TAIL_RULES if (size := rule.length(url, end, before))), None)
    ):
        named.append(tail[0].name)
        end -= tail[1]
    return end, tuple(dict.fromkeys(named))


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
            cut = next((rule for rule in _RULES_AT[sign] if rule.holds(text, at, before, brackets)), None)
            if cut is not None:
                glued = _glued_scheme(text, at) if sign == ":" else None
                return at - len(glued[0]) if glued else at, cut.name
            brackets[sign] += 1
            if sign in _OPENERS:
                brackets[_OPENERS[sign]] -= 1
            at += 1
        elif sign in _TEMPLATE_SIGNS and (template := _TEMPLATE.match(text, at)):
            return template.end(), None  # the whole of it, for the judge to refuse
        elif _may_go_on(sign) and (mangled := _SIGN.match(text, at)):
            at = mangled.end()
        elif sign > "\x7f" and (is_iri or _goes_on(text, start, at)) and (wide := _WIDE_LETTERS.match(text, at)):
            at, is_iri = wide.end(), True
        elif (sign in raw.FRAMING or sign > "\x7f") and (beyond := raw.over(text, start, at)) > at:
            at = beyond
        else:
            return at, None
