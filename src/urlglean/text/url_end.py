"""Finds the end of a bare URL. All rules are guesses, and each has a name.

A row of `CUT_RULES` may end a URL before its run of characters does (`url_characters`), a row of `GLUE_RULES` before
text that is glued to it. Then the rows of `TAIL_RULES` remove characters from its end. All read no more text than
necessary, because the rest may hold the next URL.
"""

from __future__ import annotations

import re
from collections import Counter

from msgspec import Struct

from urlglean.lazy import pattern, unicode_pattern
from urlglean.text.cut_rules import CUT_RULES, OPENS
from urlglean.text.emphasis import opened_before
from urlglean.text.file_extension import LONGEST, ends_in_one
from urlglean.text.glued_text import glued_at
from urlglean.text.mending import MAY_STAND
from urlglean.text.raw_signs import UNSPACED
from urlglean.text.scheme_triggers import URL_AHEAD, any_of, has_no_scheme
from urlglean.text.search_terms import LONGEST_SCHEME
from urlglean.text.signs import passing
from urlglean.text.tail_rules import FIRM, tail_of
from urlglean.text.templates import ESCAPED_NAME, HIDDEN_ADDRESS, rule_that_ends_before
from urlglean.text.top_level_domains import SHORT_TOPS
from urlglean.text.url_characters import (
    JOINER,
    MANGLED,
    SIGNS,
    WIDE,
    behind_own,
    behind_sign,
    class_of,
    goes_on,
    may_go_on,
)

# Placeholders: `${name}`, `{name}`, `<name>`, or `<c3>` and more text; and a dot that a regular expression escapes. A
# run that ends in one is not a URL, and neither is its beginning; so the placeholder is read together with the run, up
# to a sign that another URL follows directly.
_ESCAPED_DOT = r"\\{1,2}+(?=\.[A-Za-z0-9(\[.*+?^$])"
TEMPLATE_SIGNS = {"{": r"\{", "<": "<(?![^A-Za-z0-9_.-])", "\\": rf"{_ESCAPED_DOT}|\\(?=[<{{\[])"}
"""By sign: a pattern that matches wherever the sign begins a placeholder behind a run, and perhaps elsewhere."""

_NO_TAG = (
    "(?!/?(?:a|b|i|u|p|br|hr|td|th|tr|li|ul|ol|dl|dt|dd|em|tt|wbr|nobr|kbd|samp|strike|h[1-6]|pre|img|div|font|span|code"
    r"|body|html|table|center|strong|small|big|sup|sub|blockquote)\b)"
)
# Names that people put into angle brackets for others to fill in, where a tag of HTML or XML could stand too. Several
# words are none if more of the URL follows, or with these at their beginning; else they may be a remark.
_FILLED_IN = (
    r"[a-z]+(?:[_-][a-z]+)+|(?:bug|message|msg|page|user|your)?(?:id|name)|user|path|file|version|hash|commit|sha1?"
    r"|repo|project|branch|number"
)
_TEMPLATE = pattern(
    rf"""(?<=\#)\{{\ [^\r\n{{}}"]{{1,60}}\}}[^\s"<>]*+
    |(?:{TEMPLATE_SIGNS["{"]}|{_ESCAPED_DOT})(?:->(?=[A-Za-z_])|[A-Za-z0-9}}=/:?&%@+._-]|[^\s"<>](?!{URL_AHEAD}))*+
    |(?:{TEMPLATE_SIGNS["<"]}){_NO_TAG}(?!-++>)[A-Za-z0-9_.-]{{1,30}}>[A-Za-z0-9/.:?&=<_*-][^\s"]*+
    |(?:{ESCAPED_NAME})[^\s"]*+
    |(?<==)<{_NO_TAG}[A-Za-z0-9_.-]{{1,30}}>|(?<=/)<(?:{_FILLED_IN})>
    |(?<=[/=*_])<{_NO_TAG}(?:[a-z]++\ )++[a-z]++>[/.&#?*_][^\s"]*+
    |(?:(?<=\(\?)|(?<=\(\?P))<[A-Za-z_]\w{{0,40}}>[^\s"]*+
    |(?<=[/=])<(?:bug|email|insert|message|name|number|page|user|your)(?:\ [a-z]++)++>""",
    re.IGNORECASE | re.VERBOSE,
)
# As notes of wikis and elements of XML: a tag that ends in the same line is none to fill in.
_ELEMENT = pattern(r"<([A-Za-z][\w.-]{0,30})>[^\r\n]{0,300}?</\1>", re.IGNORECASE)
# Of Microsoft's servers, as in `?List={6AFB3B7C-1B4E-4F4C-9A34-3B8F8F6F6A11}`: it is filled in.
_GUID = pattern(r"\{[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}")
# The output of such a command of a shell is filled in (POSIX.1-2017, Shell Command Language 2.6.3).
_COMMAND = pattern(r"\$\([A-Za-z./][\w./-]{0,60} [^()\r\n]{0,200}\)[^\s\"<>]*+")
_LONGEST_COMMAND = 64
"""In so many code points at the end of a run, the name of such a command is searched."""
# An angle bracket in Perl's documentation (perlpod, "Formatting Codes"), which may open what follows; but for those
# around a placeholder.
_ESCAPE_OF_POD = pattern("(?<=E)<(?:gt>|lt>(?![A-Za-z0-9 _.-]{1,40}E<gt>))")
_HIDDEN_ADDRESS = pattern(rf"{HIDDEN_ADDRESS}[^\s\"<>]*+", re.IGNORECASE)

_SCHEME = pattern(rf"[A-Za-z][A-Za-z0-9+.-]{{0,{LONGEST_SCHEME - 1}}}+:")
_WITH_ONLY = tuple((rule, pattern(rule.only)) for rule in CUT_RULES)
_RULES_AT = {
    sign: tuple((rule, only) for rule, only in _WITH_ONLY if sign in rule.signs)
    for sign in "".join(rule.signs for rule in CUT_RULES)
}


_FREE = class_of("".join(sign for sign in SIGNS if sign not in _RULES_AT))
# Signs at which a rule may apply, in places where none does: for example, a colon without "//" behind it. Nor may they
# stand for others.
_PASSING = passing("".join(sign for sign in _RULES_AT if sign < "\x7f"), (*CUT_RULES, *MAY_STAND))
_PLAIN = pattern(rf"[{_FREE}]*+(?:(?:{_PASSING})[{_FREE}]*+)*+")
_WIDE_LETTERS = unicode_pattern(rf"(?:[{_FREE}]++|{_PASSING}|{JOINER}|{MANGLED}[{WIDE}])++")
# A host with a name outside ASCII whose top level domain is in ASCII, before prose: `http://日本語.jpにアクセス`.
_BEFORE_PROSE = unicode_pattern(
    rf"(?i:[a-z][a-z0-9+.-]*+://[^\s/?#]{{1,255}}?\.{any_of(sorted(SHORT_TOPS))})"
    rf"(?={UNSPACED})(?![\w-]{{1,63}}\.\w)"
)


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


# At a sign of these, several rules may end a URL. Those about lists and programs, at the last ones, take three times as
# long as the others (measured, 2 to 4 us for each sign that is read, the others 1 to 1.7).
_SIGN = pattern(r"[^A-Za-z0-9_./~%=?&#+@*:!|^-]|-(?=-)|&(?=#)|:(?=\?)")
_LISTING = pattern("[;,$]")


def signs_in(text: str, start: int, end: int) -> int:
    """In how many places of a stretch several rules may end a URL; to read it again takes `effort.SIGN` for each.

    A sign that takes longer counts as three.
    """
    return len(_SIGN.findall(text, start, end)) + 2 * len(_LISTING.findall(text, start, end))


def end_of(text: str, start: int) -> End:
    """The end of the bare URL that begins at `start`."""
    run, cut = _run_end(text, start)
    if not text[start:run].isascii() and (host := _BEFORE_PROSE.match(text, start, run)):
        run, cut = host.end(), None
    if (with_command := _behind_command(text, start, run)) > run:
        return End(with_command, with_command)
    or_at = 0
    # A longer run may hold many URLs, each of which would read the rest of it anew.
    if run - start <= LONGEST_GLUED and (glued := glued_at(text, start, run)) is not None:
        or_at = start + tail_of(text[start:run], opened_before(text, start, run))[0] if glued.is_doubtful else 0
        run, cut = glued.at, glued.name
    if cut is None and text[run - 1] in FIRM:
        return End(run, run)
    end, tails = tail_of(text[start:run], opened_before(text, start, run))
    return End(start + end, run, tails if cut is None else (cut, *tails), or_at)


def _run_end(text: str, start: int) -> tuple[int, str | None]:
    """The end of a URL's run of characters, and the name of the rule that cut it; None if no rule did."""
    brackets: Counter[str] = Counter()
    scheme = None if has_no_scheme(text, start) else _SCHEME.match(text, start)
    at, is_iri = scheme.end() if scheme else start, False  # no rule applies to the scheme's own colon
    while True:
        plain = _PLAIN.match(text, at)
        at = plain.end() if plain else at
        sign = text[at : at + 1]
        if (behind := _behind_mended_or_guid(text, at, sign)) is not None:
            at = behind
        elif sign in _RULES_AT:
            if (ended := _ended_at(text, start, at, brackets)) is not None:
                return ended
            brackets[sign] += 1
            if sign in OPENS:
                brackets[OPENS[sign]] -= 1
            at += 1
        elif sign == "<" and _ESCAPE_OF_POD.match(text, at):
            return at - 1, "escape-of-pod"
        elif sign in TEMPLATE_SIGNS and (ended := _at_placeholder(text, start, at)) is not None:
            return ended
        elif sign > "\x7f" and (is_iri or goes_on(text, start, at)) and (wide := _WIDE_LETTERS.match(text, at)):
            at, is_iri = wide.end(), True
        elif (beyond := behind_own(text, start, at)) > at:
            at = beyond
        else:
            return at, None


def _behind_command(text: str, start: int, run: int) -> int:
    """Where a URL goes on behind a command in it whose name ends its run, as in `/x-$(uname -s).gz`; else `run`."""
    at = text.rfind("$(", max(start, run - _LONGEST_COMMAND), run)
    command = _COMMAND.match(text, at) if at >= 0 else None
    return max(run, command.end()) if command else run


def _at_placeholder(text: str, start: int, at: int) -> tuple[int, str | None] | None:
    """The end of a run at a sign of `TEMPLATE_SIGNS`, as `_run_end` returns it; None if no placeholder begins there.

    With the whole placeholder, the judge refuses the URL.
    """
    if name := rule_that_ends_before(text, start, at):
        return at, name
    template = None if _ELEMENT.match(text, at) else _TEMPLATE.match(text, at)
    return (template.end(), None) if template else None


def _behind_mended_or_guid(text: str, at: int, sign: str) -> int | None:
    """The position behind a sign of `mending` or a GUID at `at`; None if there is neither."""
    guid = _GUID.match(text, at) if sign == "{" else None
    if guid:
        return guid.end()
    return behind_sign(text, at) if may_go_on(sign) else None


def _ended_at(text: str, start: int, at: int, brackets: Counter[str]) -> tuple[int, str | None] | None:
    """The end of a run at a sign of `_RULES_AT`, by a rule or with a placeholder, as `_run_end` returns it; or None."""
    for rule, only in _RULES_AT[text[at]]:
        if (
            only.match(text, at + 1)
            and rule.may_hold_behind(text[start - 1 : start] if start else "")
            and (not rule.behind_file or ends_in_one(text[max(0, at - LONGEST) : at]))
            and (end := rule.cuts(text, start, at, brackets)) is not None
        ):
            return end, rule.name
    hidden = _HIDDEN_ADDRESS.match(text, at) if text[at] == "[" else None
    return (hidden.end(), None) if hidden else None
