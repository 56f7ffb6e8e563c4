"""Finds the end of a bare URL. All rules are guesses, and each has a name.

RFC 1738 allows `. , ; : ! ? ' ( )` in URLs, so the grammar accepts more than a reader copies. A row of `CUT_RULES` may
end a URL's run of characters (`url_characters`) earlier; then the rows of `TAIL_RULES` remove characters from its end.
Both read no more text than necessary, because the rest may hold the next URL.

Each row names the signs at which it may apply, and what must surround them. It is applied nowhere else, and `fast_path`
makes its pattern from the same fields.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection

from msgspec import Struct

from urlglean.lazy import LazyPattern, pattern, unicode_pattern
from urlglean.text.emphasis import ENCLOSING, opened_before
from urlglean.text.file_extension import LONGEST, ends_in_one
from urlglean.text.glued_text import glued_at
from urlglean.text.scheme_triggers import BY_QUERY, GLUED, URL_AHEAD, any_of
from urlglean.text.search_terms import LONGEST_SCHEME
from urlglean.text.signs import BRACKETS, EMPHASIS, STOPS, SignRule, passing
from urlglean.text.templates import closes_macro
from urlglean.text.url_characters import (
    JOINER,
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
    """A row: a rule by which a URL ends before its run of characters does.

    Attributes:
        behind_file: whether it may apply only directly behind a file's extension.
        cuts: gets the text, the place of the sign, and the number of open brackets by opening bracket; returns the
            place where the URL ends, which may be before the sign, or None if the rule does not apply.
    """

    cuts: Callable[[str, int, Counter[str]], int | None]
    behind_file: bool = False


class TailRule(Struct, frozen=True, kw_only=True):
    """A row: a rule that removes characters from the end of a run.

    Attributes:
        name: its name.
        endings: the rule may apply only if the run ends in one of these.
        before: the signs of which one directly precedes the URL wherever `takes` removes anything; "" if anything may.
        takes: gets the run, the length of it that is left, and the signs that opened something before it; returns the
            number of characters to remove, or 0 if the rule does not apply. None if the rule always removes the ending.
    """

    name: str
    endings: tuple[str, ...]
    before: str = ""
    takes: Callable[[str, int, str], int] | None = None


Cuts = Callable[[str, int, Counter[str]], int | None]


def _at(written: LazyPattern[str, re.Match[str]]) -> Cuts:
    """The function for `CutRule.cuts` that ends the URL at the sign if the pattern matches there."""
    return lambda text, at, _open: at if written.match(text, at) else None


def _glued(schemes: Collection[str]) -> Cuts:
    """The function for `CutRule.cuts` that ends the URL where the scheme of another is glued to a word of it."""
    written = pattern(_BEHIND_WORD + any_of(schemes) + r"\Z", re.IGNORECASE)
    longest = max(map(len, schemes))

    def cuts(text: str, colon: int, _open: Counter[str]) -> int | None:
        found = written.search(text, max(0, colon - longest), colon)
        return found.start() if found else None

    return cuts


_COMMENT_ENDS = pattern(r"\*/(?=[\s;]|\Z)")
_BEFORE_COMMENT = frozenset(" \t\r\n;{}(,")
"""A glob has another sign before its asterisk, as in `/etc/*`."""
_BEHIND_LINE = pattern(r":[0-9]{1,6}+(?::[0-9]{1,6}+)?+(?![\w/?#&=%+~@$*'(\[-]|[.,;:!]\w)")
_SEARCH_OF_SCRIPT = pattern(r"://[^\s?#]++(?:(?<=\.[jt]s)|(?<=\.[cm][jt]s)|(?<=\.[jt]sx)|(?<=\.vue))\?[^\s?#:]*+\Z")
_IN_PATH = pattern(r"://[^\s/?#]++/[^\s?#]*+\Z")
_BEHIND_HOST_NAME = pattern(r"://[^\s/?#,;]++[/?#][^\s,;]*+\Z")
# The text of a cell, up to the end of the row or to the next cell. In a URL, a path or a search goes on.
_CELL = pattern(r"[,;](?:[^\W\d_][\w -]{0,80}+|\"[^\"\r\n]{0,200}+\")(?=[,;\r\n]|\Z)")
_LOOK = 1000
"""So many code points before a sign are searched for the beginning of the URL and of a comment."""


def _is_in(part: LazyPattern[str, re.Match[str]], text: str, at: int) -> bool:
    """Whether a sign stands in a part of a URL."""
    begin = text.rfind("://", max(0, at - _LOOK), at)
    return begin >= 0 and part.match(text, begin, at) is not None


def _at_line(text: str, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before the number of a line; behind a host it is a port."""
    return at if _BEHIND_LINE.match(text, at) and _is_in(_IN_PATH, text, at) else None


def _at_line_of_script(text: str, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that does so behind the search of a script, as in `x.js?v=2:12:34`."""
    place = _BEHIND_LINE.match(text, at)
    is_place = place is not None and place.group().count(":") > 1  # one number alone may belong to the search
    return at if is_place and _is_in(_SEARCH_OF_SCRIPT, text, at) else None


def _at_comment_end(text: str, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before the end of a comment that begins before the URL."""
    if not _COMMENT_ENDS.match(text, at):
        return None
    low = max(0, at - _LOOK)
    url = text.rfind("://", low, at)
    begin = text.rfind("/*", low, max(low, url))
    is_open = begin >= 0 and text.find("*/", begin + len("/*"), url) < 0
    return at if is_open and (not begin or text[begin - 1] in _BEFORE_COMMENT) else None


# Of a longer one, the rest is a ruler.
_DOUBLE_ARROW = pattern(rf"(?<!=)={{1,10}}+>(?=\s|\Z|{URL_AHEAD})", re.IGNORECASE)
_ATTRIBUTE = pattern(r"[A-Za-z]=[A-Za-z][A-Za-z0-9+.-]{0,30}\Z")
_ATTRIBUTE_NAME = pattern(r"[A-Za-z][\w:.-]*=")


def _at_double_arrow(text: str, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before "=>", but for "=" of a search or of base64 in a tag."""
    if not _DOUBLE_ARROW.match(text, at) or not _is_in(_IN_PATH, text, at):
        return None
    low = max(0, at - _LOOK)
    scheme_end = text.rfind("://", low, at)
    return None if _is_in_tag(text, low, at) or _ATTRIBUTE.search(text, low, scheme_end) else at


def _is_in_tag(text: str, low: int, at: int) -> bool:
    """Whether a sign stands in a value without quotation marks in a tag of HTML that begins at `low` or behind it."""
    tag = text.rfind("<", low, at)
    if tag < 0 or text.find(">", tag, at) >= 0 or not text[tag + 1].isalpha():
        return False
    value = max(text.rfind(blank, tag, at) for blank in " \t\r\n") + 1
    return _ATTRIBUTE_NAME.match(text, value, at) is not None or text[tag:value].rstrip().endswith("=")


_PARAMETER = pattern(r"[,;][A-Za-z][A-Za-z0-9_.-]{0,40}=")


def _behind_name(text: str, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before a cell, or behind a file or a slash.

    It does not end at a parameter.
    """
    is_behind_name = text[at - 1] == "/" or ends_in_one(text[max(0, at - LONGEST) : at])
    is_cell = _CELL.match(text, at) is not None and _is_in(_BEHIND_HOST_NAME, text, at)
    return at if (is_behind_name and not _PARAMETER.match(text, at)) or is_cell else None


# A scheme behind "=" or an escape may be a value of this URL; so a letter, digit, full stop or bracket must precede it.
# An "s" or "t" may belong to a longer scheme, such as `sftp`.
_BEHIND_WORD = r"(?<=[a-z0-9.)])(?<!%[0-9a-f]{2})(?<![^a-z0-9][st])"
# The next two patterns are tried at each sign of a run; they look ahead only from the first of several signs.
_GLUED_URL = pattern(rf"(?<![,;])[,;]++{URL_AHEAD}", re.IGNORECASE)
# Behind a sign that precedes a value, the bracket belongs to the URL: `?u=(http://...)`.
_URL_IN_BRACKETS = pattern(rf"(?<![(\[=+:])[(\[]++{URL_AHEAD}", re.IGNORECASE)
# The end of an element of BBCode, which forums and some wikis write: `[url]http://...[/url]`.
_CLOSING_TAG = r"/[A-Za-z]{1,20}+\]"
# Signs of prose. No "ndash": it may stand between the years of a title.
_OF_PROSE = "rdquo|rsquo|raquo|rsaquo|ldquo|lsquo|laquo|lsaquo|mdash|hellip|bull"
# Signs of markup also without their ";", if no sign of a URL follows but those that end a word: `&lt=5` belongs to a
# search.
_ENTITY = pattern(
    r"&(?:(?:gt|lt|quot|apos|nbsp|#0{0,5}(?:34|39|60|62|160)|#x0{0,5}(?:22|27|3[ce]|a0))(?:;|(?![A-Za-z0-9#$%(*+/;=@\[\]^_~-]))"
    rf"|(?:{_OF_PROSE}|#0{{0,4}}(?:171|187|82(?:1[2-9]|2[0-6]|30|49|50))|#x0{{0,4}}(?:ab|bb|20(?:1[4-9a-f]|2[0-26]|39|3a)));)",
    re.IGNORECASE,
)
# Turkish divides the endings of cases from names, as in `http://host/x'den`.
_CASE_ENDING = r"(?:[dt][ea](?:n|ki)?|n?[iıuü]n|[ny]?[eaiıuü]|y?l[ea])(?=[\s.,;:!?)<\"]|\Z)"
_OPENS = {closing: opening for opening, closing in BRACKETS.items()}

CUT_RULES = (
    CutRule(name="following-url", signs=",;", only="(?<![,;]{2})[,;]*+[A-Za-z][A-Za-z0-9+.-]*+:", cuts=_at(_GLUED_URL)),
    # Textile writes a picture with a link so: `!http://host/x.png!:http://host/`.
    CutRule(name="linked-picture", signs="!", only=":[A-Za-z]", cuts=_at(pattern(f"!:{URL_AHEAD}", re.IGNORECASE))),
    # A row of a table has the same separator before the URL, directly, and behind it: `rose,http://host/a.html,200`.
    CutRule(name="next-cell", signs=",", before=",", cuts=_behind_name),
    CutRule(name="next-cell-behind-semicolon", signs=";", before=";", cuts=_behind_name),
    # Browsers name the place of an error so, as in `http://host/app.js:12:34`.
    CutRule(name="line-and-column", signs=":", only="[0-9]", behind_file=True, cuts=_at_line),
    CutRule(name="line-and-column-of-a-script", signs=":", only="[0-9]{1,6}:[0-9]", cuts=_at_line_of_script),
    CutRule(name="comment-end", signs="*", only="/", cuts=_at_comment_end),
    CutRule(name="closing-tag", signs="[", only=_CLOSING_TAG, cuts=_at(pattern(rf"\[{_CLOSING_TAG}"))),
    CutRule(name="url-in-brackets", signs="".join(BRACKETS), cuts=_at(_URL_IN_BRACKETS)),
    CutRule(name="url-behind", signs=":", only="//", cuts=_glued(GLUED)),
    CutRule(name="url-with-query-behind", signs=":", only=f"(?i:{'|'.join(BY_QUERY.values())})", cuts=_glued(BY_QUERY)),
    # Two hyphens behind a file's extension are a dash, and prose follows.
    CutRule(name="dash-behind-a-file", signs="-", only="-", behind_file=True, cuts=_at(pattern(r"--++[^\s<>\"]"))),
    CutRule(name="arrow", signs="-", only="-{0,9}+>", cuts=_at(pattern("(?<!-)-{1,10}+>"))),
    CutRule(name="double-arrow", signs="=", only="={0,9}+>", cuts=_at_double_arrow),
    CutRule(name="entity", signs="&", only=f"#|(?i:gt|lt|quot|apos|nbsp|{_OF_PROSE})", cuts=_at(_ENTITY)),
    CutRule(name="case-ending", signs="'", only=_CASE_ENDING, cuts=_at(pattern(f"'{_CASE_ENDING}"))),
    CutRule(name="closing-quote", signs="'", before="'", cuts=lambda _text, at, _open: at),
    CutRule(
        name="unopened-bracket",
        signs="".join(_OPENS),
        cuts=lambda text, at, brackets: None if brackets[_OPENS[text[at]]] else at,
    ),
)

_RULER_LEAST = {"-": 2, "=": 4, "_": 4, "*": 4, "~": 4, "#": 4, "+": 4}


def _ruler(url: str, end: int, _opened: str) -> int:
    """The number of equal signs at the end: of a dash, or of a line made of one repeated sign, glued to the URL."""
    start = end
    while start and url[start - 1] == url[end - 1]:
        start -= 1
    return end - start


def _enclosed(url: str, end: int, opened: str) -> int:
    """The number of signs at the end if they close what as many signs of markup before the URL open; else 0."""
    count = opened.count(url[end - 1])
    return count if count and _ruler(url, end, opened) == count else 0


def _is_dash(url: str, end: int, _opened: str) -> int:
    return int(ends_in_one(url[max(0, end - 1 - LONGEST) : end - 1]))


_CLOSING = frozenset(STOPS).union("'", BRACKETS)


def _closing(url: str, end: int, _opened: str) -> int:
    """The number of signs of closing punctuation at the end."""
    start = end
    while start and url[start - 1] in _CLOSING:
        start -= 1
    return end - start


TAIL_RULES = (
    # An apostrophe may be a closing quotation mark. An opening bracket at the end belongs to the text behind the URL.
    TailRule(name="closing-punctuation", endings=tuple(sorted(_CLOSING)), takes=_closing),
    TailRule(name="possessive", endings=("'s",)),
    TailRule(
        name="emphasis",
        endings=tuple(EMPHASIS),
        takes=lambda url, end, opened: int(url[end - 1] in opened),
    ),
    TailRule(
        name="enclosed", endings=tuple(sorted(set(ENCLOSING.values()))), before="".join(ENCLOSING), takes=_enclosed
    ),
    # A command of a shell goes on so.
    TailRule(name="shell-and", endings=("&&",)),
    TailRule(name="ruler", endings=tuple(sign * least for sign, least in _RULER_LEAST.items()), takes=_ruler),
    TailRule(name="dash", endings=("-",), takes=_is_dash),
)
TAILS = frozenset(rule.name for rule in TAIL_RULES)
FIRM = frozenset(LETTERS_AND_DIGITS + "/").difference(ending[-1] for rule in TAIL_RULES for ending in rule.endings)
"""The characters that no tail rule removes. Nearly every URL ends in one, so one test is enough."""

# Placeholders: `${name}`, `{name}`, `<name>`, or `<c3>` and more text; and a dot that a regular expression escapes. A
# run that ends in one is not a URL, and neither is its beginning; so the placeholder is read together with the run, up
# to a sign that another URL follows directly.
_ESCAPED_DOT = r"\\(?=\.[A-Za-z0-9(\[.*+?^$])"
TEMPLATE_SIGNS = {"{": r"\{", "<": "<(?![^A-Za-z0-9_.-])", "\\": _ESCAPED_DOT}
"""By sign: a pattern that matches wherever the sign begins a placeholder behind a run, and perhaps elsewhere."""

_TEMPLATE = pattern(
    rf"""(?:{TEMPLATE_SIGNS["{"]}|{_ESCAPED_DOT})(?:[A-Za-z0-9}}=/:?&%@+._-]|[^\s"<>](?!{URL_AHEAD}))*+|(?:{TEMPLATE_SIGNS["<"]})(?!/?(?:a|b|i|u|p|br|hr|td|th|tr|li|ul|ol|dl|dt|dd|em|tt
    |wbr|nobr|kbd|samp|strike|h[1-6]|pre|img|div|font|span|code|body|html|table|center|strong|small|big|sup|sub|blockquote)\b)
    (?!-++>)[A-Za-z0-9_.-]{{1,30}}
    >[A-Za-z0-9/.:?&=<-][^\s"]*+""",
    re.IGNORECASE | re.VERBOSE,
)

_SCHEME = pattern(rf"[A-Za-z][A-Za-z0-9+.-]{{0,{LONGEST_SCHEME - 1}}}+:")
_RULES_AT = {
    sign: tuple(rule for rule in CUT_RULES if sign in rule.signs) for sign in "".join(rule.signs for rule in CUT_RULES)
}


_FREE = class_of("".join(sign for sign in SIGNS if sign not in _RULES_AT))
# Signs at which a rule may apply, in places where none does: for example, a colon without "//" behind it.
_PASSING = passing("".join(_RULES_AT), CUT_RULES)
_PLAIN = pattern(rf"[{_FREE}]*+(?:(?:{_PASSING})[{_FREE}]*+)*+")
_WIDE_LETTERS = unicode_pattern(rf"(?:[{_FREE}]++|{_PASSING}|{JOINER}|{MANGLED}[{WIDE}])++")


LONGEST_GLUED = 500
"""Nothing is taken for glued to a URL in a run with more code points than this."""


class End(Struct, frozen=True):
    """The end of a URL.

    Attributes:
        at: the end by all rules.
        run: the end without the tail rules.
        cut_by: the names of the rules that cut the URL.
        or_at: the end if the text that seems glued to the URL belongs to it; 0 if nothing seems glued.
    """

    at: int
    run: int
    cut_by: tuple[str, ...] = ()
    or_at: int = 0


def end_of(text: str, start: int, before: str) -> End:
    """The end of the bare URL that begins at `start`.

    Args:
        text: the whole text.
        start: the beginning of the URL.
        before: the character in front of it; "" at the start of a text.
    """
    run, cut = _run_end(text, start, before)
    or_at = 0
    # A longer run may hold many URLs, each of which would read the rest of it anew.
    if run - start <= LONGEST_GLUED and (glued := glued_at(text, start, run)) is not None:
        or_at = start + tail_of(text[start:run], opened_before(text, start, run))[0] if glued.is_doubtful else 0
        run, cut = glued.at, glued.name
    if cut is None and text[run - 1] in FIRM:
        return End(run, run)
    end, tails = tail_of(text[start:run], opened_before(text, start, run))
    return End(start + end, run, tails if cut is None else (cut, *tails), or_at)


def tail_of(url: str, opened: str) -> tuple[int, tuple[str, ...]]:
    """The length of a run after the tail rules, and the names of the rules that removed characters.

    `opened` holds the signs that are open before the run (`emphasis.opened_before`).
    """
    end, named = len(url), []
    while end and url[end - 1] not in FIRM:
        for rule in TAIL_RULES:
            if size := _removed_by(rule, url, end, opened):
                named.append(rule.name)
                end -= size
                break
        else:
            break
    return end, tuple(dict.fromkeys(named))


def _removed_by(rule: TailRule, url: str, end: int, opened: str) -> int:
    """The number of characters that a rule removes from the first `end` characters of a run."""
    if not url.endswith(rule.endings, 0, end):
        return 0
    if rule.takes is not None:
        return rule.takes(url, end, opened)
    return next(len(ending) for ending in rule.endings if url.endswith(ending, 0, end))


def _run_end(text: str, start: int, before: str) -> tuple[int, str | None]:
    """The end of a URL's run of characters, and the name of the rule that cut it; None if no rule did."""
    brackets: Counter[str] = Counter()
    scheme = _SCHEME.match(text, start)
    at, is_iri = scheme.end() if scheme else start, False  # no rule applies to the scheme's own colon
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
        elif may_go_on(sign) and (behind := behind_sign(text, at)) is not None:
            at = behind
        elif sign in TEMPLATE_SIGNS and (template := _TEMPLATE.match(text, at)):
            # With the whole placeholder, the judge refuses the URL.
            return (at, "wiki-macro") if closes_macro(text, start, at) else (template.end(), None)
        elif sign > "\x7f" and (is_iri or goes_on(text, start, at)) and (wide := _WIDE_LETTERS.match(text, at)):
            at, is_iri = wide.end(), True
        elif (beyond := behind_own(text, start, at)) > at:
            at = beyond
        else:
            return at, None


def _cut(rule: CutRule, text: str, at: int, before: str, brackets: Counter[str]) -> int | None:
    """The place where a rule ends a URL at one of the rule's signs; None if the rule does not apply."""
    if not rule.may_hold_behind(before):
        return None
    if rule.behind_file and not ends_in_one(text[max(0, at - LONGEST) : at]):
        return None
    return rule.cuts(text, at, brackets)
