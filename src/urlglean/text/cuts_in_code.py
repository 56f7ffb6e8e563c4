"""Where a bare URL ends that stands in source code, in a command of a shell, or in what a program prints.

The functions for the rows of `cut_rules` about this. All are guesses.
"""

from __future__ import annotations

import re
from collections import Counter

from urlglean.lazy import pattern
from urlglean.text.cut_rule import host_at, is_in
from urlglean.text.scheme_triggers import URL_AHEAD
from urlglean.text.shell_commands import IN_COMMAND
from urlglean.text.signs import LOOK_BACK

COMMENTS = {"*/": "/*", "*)": "(*", "*}": "{*", "#}": "{#", "-}": "{-", "*@": "@*"}
"""By what ends a comment: what begins it, in C, Pascal and ML, Smarty, Jinja and Twig, Haskell, and Razor."""

_BEHIND_COMMENT = pattern(r"[\s;,)}\]]|\Z")
# A mark in brackets, the pattern of a file's or a host's name, or what names a heading of Markdown.
_NO_COMMENT = pattern(r"..(?:[.,)}\]]|:/)|\{#[\w.:-]++\}")
_BEFORE_COMMENT = frozenset(" \t\r\n;{}(,")
"""A glob has another sign before its asterisk, as in `/etc/*`."""


def at_comment_end(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before the end of a comment that begins before the URL."""
    closing = text[at : at + 2]
    if closing not in COMMENTS or not _BEHIND_COMMENT.match(text, at + len(closing)):
        return None
    begin = text.rfind(COMMENTS[closing], max(0, at - LOOK_BACK), start)
    within = begin + len(closing)
    is_open = begin >= 0 and text.find(closing, within, start) < 0 and not _NO_COMMENT.match(text, begin, start)
    return at if is_open and (not begin or text[begin - 1] in _BEFORE_COMMENT) else None


BEHIND_LINE = pattern(r":[0-9]{1,6}+(?::[0-9]{1,6}+)?+(?![\w/?#&=%+~@$*'(\[-]|[.,;:!]\w)")
# A script, perhaps with a search, or a folder whose page has scripts.
_SCRIPT = pattern(
    r"[^\s/?#]*+/(?:[^\s?#]++(?:(?<=\.[jt]s)|(?<=\.[cm][jt]s)|(?<=\.[jt]sx)|(?<=\.vue))(?:\?[^\s?#:]*+)?+\Z"
    r"|(?:[^\s?#]*/)?\Z)"
)
# Of an ISO 8601 date, or the value of such a name; behind other names, a number may be that of a version.
_TIME = pattern(
    r"(?:(?<=T)|(?<=-[0-9]{2}-[0-9]{2}[t+_-])|(?<=[0-9]{8}[-_])|(?<=[?&;]t=)|(?<=[?&;]ts=)|(?<=time=)|(?<=date=)"
    r"|(?<=mod=)|(?<=since=)|(?<=start=)|(?<=end=)|(?<=from=)|(?<=[?&;]to=)|(?<=mac=)|(?<=addr=))"
    r"[0-9]{1,2}:[0-5][0-9]:[0-5][0-9]\Z"
)


def at_line_of_script(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before a place, behind a script, its search, or a folder.

    An example is `x.js?v=2:12:34`.
    """
    place = BEHIND_LINE.match(text, at)
    # One number alone may belong to the search, and so may a time.
    is_place = place is not None and place.group().count(":") > 1 and not _TIME.search(text, at - 3, place.end())
    return at if is_place and is_in(_SCRIPT, text, start, at) else None


# What stands directly behind a string of source code: a sign that divides or joins, or a method.
BEHIND_STRING = r"(?:[,+):;|]|=[=>]|\.[$A-Za-z])"
# The mark that opens one, and words before the URL; none behind a word, which would be an apostrophe.
_STRING_BEGINS = pattern(r"(?:\A|[\s=(\[{,:+])'(?![0-9]{2}s?\b|n |')\S[^\r\n]*+\Z")
# The next value of a row of SQL: a string, perhaps with its charset or type, a constant, a number, a function; or the
# type of this one (PostgreSQL). A string may have begun in any line above.
_NEXT_VALUE = pattern(
    r"',[ ]?(?:(?:_?[A-Za-z][A-Za-z0-9]{0,15}[ ]?)?'|(?i:NULL|TRUE|FALSE|DEFAULT)\b|0x[0-9A-Fa-f]"
    r"|-?[0-9]++(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+[,)]|[A-Z_]{2,30}+\()|'::[a-z]"
)
# Neither begins nor ends a string: what is escaped, by doubling it (SQL) too.
_ESCAPED_QUOTE = pattern(r"\\'|''")
LONGEST_STRING = 5000
"""So many code points before a URL are searched for the beginning of its string: a dump of a database has long ones."""
_MOST_ESCAPED = 500
"""The most escaped quotes that are passed on the way to the beginning of a string."""
_LONGEST_COMMAND_LINE = 200
"""So many code points before a URL are searched for its command."""
_LONGEST_REFERENCE = 10
"""The most code points of a reference of HTML without its semicolon."""


def _last_quote(text: str, low: int, end: int) -> int:
    """The place of the last quote that neither a backslash nor another quote (SQL) escapes, in a stretch; or -1."""
    at = text.rfind("'", low, end)
    for _ in range(_MOST_ESCAPED):
        if at <= low or text[at - 1] not in "\\'":
            return at
        is_doubled = text[at - 1] == "'"
        at = text.rfind("'", low, at - 1 if is_doubled else at)
    return -1


def at_string_end(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL with the string of source code in whose middle it begins."""
    if "'" in _ESCAPED_QUOTE.sub("", text[max(start, at - LOOK_BACK) : at]):
        return None
    if _NEXT_VALUE.match(text, at):
        return at
    opening = _last_quote(text, max(0, start - LONGEST_STRING), start)
    begins = opening >= 0 and _STRING_BEGINS.match(text, max(0, opening - 1), start) is not None
    return at if begins else None


_APOSTROPHE_OF_SQL = pattern(rf"(?<=\w)''(?=\w)(?!{URL_AHEAD})", re.IGNORECASE)

_BEFORE_STRING = frozenset({"", *" \t\r\n=(,"})


def at_closing_quote(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL at the quote which closes the one before it.

    In SQL, two of them in a string stand for one. The one before the URL begins the string.
    """
    is_alone = text[max(0, start - 2) : start - 1] in _BEFORE_STRING
    is_doubled = _APOSTROPHE_OF_SQL.match(text, at) or _APOSTROPHE_OF_SQL.match(text, at - 1)
    return None if is_alone and is_doubled else at


_REFERENCE = pattern(r"&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,7}|#x[0-9a-f]{1,6})\Z", re.IGNORECASE)
_COMMAND = pattern(rf"{IN_COMMAND}\Z")
# The type of a transfer (RFC 1738 3.2.2). Assignments alone are commands that do nothing: no word follows, which would
# be a command.
_PARAMETERS = pattern(
    r";type=[aidAID](?![\w.=-])|(?:;[a-z][\w.-]{0,40}=(?!/)(?:(?!://)[^\s;$`\"'(|&<>]){1,200}+){1,20}+"
    r"(?=[)\]>]*+(?:\s*+\Z|[ \t]*+[\r\n]|[ \t]++[-&|>#\\]))"
)


def at_next_command(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before the next command of a shell.

    People write URLs with parameters without the quotation marks that a shell needs. A command fetches URLs with hosts.
    """
    if host_at(text, start, at) < 0:
        return None
    if _PARAMETERS.match(text, at) or _REFERENCE.search(text, max(0, at - _LONGEST_REFERENCE), at):
        return None
    before = text[max(0, start - _LONGEST_COMMAND_LINE) : start]
    return at if before.endswith((" ", "\t")) and _COMMAND.search(before.rpartition("\n")[2]) else None


_OPTION_OF_GCC = pattern(r"#index-W([a-z0-9+-]{1,60}?)-W(?:error=)?\1(?:8;;|(?![a-z0-9+-]))")
_INDEX = "#index-W"
_LONGEST_OPTION = 80


def at_option_of_gcc(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before the option that it explains.

    GCC prints a link whose text is the option, and controls between both (OSC 8), which are lost on the way to a page.
    """
    index = text.rfind(_INDEX, max(start, at - _LONGEST_OPTION), at)
    return at if index >= 0 and _OPTION_OF_GCC.match(text, index) else None


_NUMBER_OF_LINK = pattern(r"\[([0-9]{1,5})\]\Z")
_LONGEST_NUMBER = 7
"""The most code points of the number of a link with its brackets."""


def at_next_link(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before the number of the next link, as lynx writes them."""
    number = _NUMBER_OF_LINK.search(text, max(0, start - _LONGEST_NUMBER), start)
    return at if number and text.startswith(f"[{int(number[1]) + 1}]", at) else None


_COMMANDS_OF_TEXINFO = ("@uref{", "@url{", "@indicateurl{")
_LONGEST_COMMAND = max(map(len, _COMMANDS_OF_TEXINFO))


def at_argument_end(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before the next argument of a command of Texinfo."""
    return at if text[max(0, start - _LONGEST_COMMAND) : start].endswith(_COMMANDS_OF_TEXINFO) else None


_PLUGIN = pattern(r"(?:[#&]|\[\[)[A-Za-z]{1,20}\(\Z")
_LONGEST_PLUGIN = 23


def at_parameter_of_plugin(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before the next parameter of a plugin of a wiki.

    Examples are `#ref(http://host/x.png,nolink)` in PukiWiki and `[[Image(http://host/x.png,nolink)]]` in Trac.
    """
    return at if _PLUGIN.search(text, max(0, start - _LONGEST_PLUGIN), start) else None


_WORD_DIFF = {"+": "{+", "-": "[-"}
"""By the sign before the bracket that closes a change: what opens it, as `git diff --word-diff` writes it."""


def at_change_end(text: str, start: int, at: int, brackets: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before the end of a change that begins in its line."""
    low = max(0, start - LOOK_BACK)
    line = max(low, text.rfind("\n", low, start) + 1)
    begin = text.rfind(_WORD_DIFF[text[at]], line, start)
    is_open = begin >= 0 and text.find(text[at : at + 2], begin, start) < 0
    return at if is_open and not brackets["["] else None  # else it ends a set of a regular expression
