"""Breaks within a name, within brackets or before a host: all rows are guesses, and all say that the URL goes on.

In labelled mail, all 58 URLs that end their line in a hyphen of a path go on, if the next line begins with a small
letter or a digit, and so do all 11 whose line ends within a known extension, and 88 of 89 with a search above an escape
or a field, or cut within one. In that mail, in parts of it that programs broke again, and in labelled texts of other
sources, so do all 54 that end in a slash above a path, all 51 above lines of quote marks alone, all 34 that end in "#"
above a fragment, all 4 above the line of a file (`#L12`), all 16 above a slash with punctuation, and all 15 whose whole
form stands in brackets behind the rest.
So do all 3 that end behind `news:`, all 3 in lines that seem to be soft lines under DelSp whose header is lost, and the
one that is cut within the scheme of a URL that it holds; no line of other text begins like the rest of one.
In texts of public repositories and in the comments of programs, all 30 and more that end in a slash above a page go on,
and all 12 and more above a path with a message-id; so do all 12 behind an owner at GitHub above a name without words
behind it, and all 24 behind the folder of commits or trees of a repository, in mail about programs. In labelled texts
all 21 that end in a slash above a page in further folders go on.
In references at the ends of papers, both behind a year or month of a path and all 7 before an identifier go on.
In 110 manual pages all 41 URLs behind which a formatter had put a hyphen go on, and in wrapped Markdown and manual
pages all 700 in brackets that the next line closes. Hardly any words stand behind those names, so the weights say
little of such breaks in running text. No row of hyphens and extensions holds if the next line begins like a line of its
own.
"""

from __future__ import annotations

import math
import re

from urlglean.expressions import compiled
from urlglean.records import JoinRule
from urlglean.text.file_extension import ends_in_one, goes_through_one
from urlglean.text.joining.break_record import GOES_ON, Break
from urlglean.text.joining.columns import columns
from urlglean.text.joining.common import COMMON
from urlglean.text.joining.features import GUESS
from urlglean.text.joining.path_below import (
    is_before_identifier,
    is_before_page,
    is_before_page_in_folders,
    is_before_path_of_id,
    is_before_repository,
    is_before_revision,
    is_behind_directory,
    is_within_date,
)
from urlglean.text.joining.rest_below import (
    is_before_fragment,
    is_before_line,
    is_before_slash,
    is_before_twin,
    is_within_search,
)
from urlglean.text.joining.standards import Decided, first_of
from urlglean.text.line_lengths import SHORT
from urlglean.text.scheme_triggers import (
    LAST_OF_BEGUN_INNER,
    is_cut_before_host,
    is_cut_before_mail,
    is_cut_within_inner,
)
from urlglean.text.signs import STOPS

_IN_PATH = compiled(r"[a-z][a-z0-9+.-]*://[^/]+/", re.IGNORECASE)
# The number or letter of a list's item, a time of day, a date, an address, a label.
_BEGINS_LINE = compiled(
    r"(?:[0-9]{1,3}[.)]|[a-z]\)|(?:[a-z]\.){1,4}|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?|[0-9]{4}-[0-9]{2}-[0-9]{2}"
    rf"|[0-9]{{1,2}}[./][0-9]{{1,2}}[./][0-9]{{2,4}}|[^\s@/]+@[^\s@/]+|[\w.-]+:)[{STOPS}]*\Z"
)
_SETTING = compiled(r"[\w.-]+=")
_LAST_LETTER = compiled(r"l[.,;:?)]*\Z|[xz][.,;:?)]+\Z")
_NO_WORD = compiled(rf"[b-df-hj-np-tv-z]{{2,}}[{STOPS})]*\Z")
_BEHIND_KEY = frozenset("-–—=:")
"""Signs that stand behind the key of a list: `l - list`."""
_ITEM = compiled(r"\(?(?:[a-z]|[ivxl]{1,6}|[0-9]{1,3})[.):][ \t]", re.IGNORECASE)
# Of vi, SQL, Basic, Fortran, m4 and roff. A comment that goes on has the mark in its next line too.
_COMMENT = compiled(r"(?:[\"'!]|--|rem|dnl|\.\\\")[ \t]", re.IGNORECASE)


def _begins_own_text(at: Break) -> bool:
    """Whether the next line begins like an item, a setting, a message or a sentence, or ends a comment."""
    token = at.token
    if token.rstrip(STOPS) in COMMON or _BEGINS_LINE.match(token) or _COMMENT.match(at.before):
        return True
    is_setting = at.rest[:1] == "=" or ("?" not in at.url and _SETTING.match(token) is not None)
    return is_setting or at.before.split(maxsplit=1)[:1] == [token]


def _is_behind_hyphen(at: Break) -> bool:
    """Whether the URL ends in the hyphen of a name in its path, and a line follows that may hold the rest.

    A hyphen behind a whole file may be a dash of the sentence.
    """
    first = at.token[0]
    return (
        (first.islower() or first.isdigit())
        and at.url[-2:-1].isalnum()
        and at.depth in (at.next_depth, at.below_depth)
        and at.next_depth <= at.depth
        and _IN_PATH.match(at.url) is not None
        and not ends_in_one(at.url[:-1])
        and not _begins_own_text(at)
    )


def _is_within_extension(at: Break) -> bool:
    """Whether a line of usual length ends within an extension. Behind its dot the next sentence may begin.

    A shorter line does so above the rest of one that stands alone and is no word. If what stands there is an extension
    too, its last letter must stand alone, as in `.htm` and `l`: no word does, but the letter of a list's next item.
    Behind an "x" or "z", which may be a name, a sentence must end.
    """
    is_no_word = not at.rest and _NO_WORD.match(at.token) is not None and at.url[-2:].isalpha()
    if (at.length < SHORT and not is_no_word) or not at.url[-1].isalnum() or not _IN_PATH.match(at.url):
        return False
    is_letter = _LAST_LETTER.match(at.token) is not None and not (_ITEM.match(at.before) or at.rest[:1] in _BEHIND_KEY)
    is_rest = is_letter or not (ends_in_one(at.url) or _begins_own_text(at))
    return is_rest and goes_through_one(at.url, at.token)


def _is_before_host(at: Break) -> bool:
    """Whether the URL ends behind its "//". It is a candidate because the next line begins with a host.

    A line that has only the scheme may be one of a list of schemes.
    """
    return is_cut_before_host(at.url) and at.before != "" and at.depth == at.next_depth


def _is_before_mail(at: Break) -> bool:
    """Whether the URL ends behind the colon of news or `mailto:`, and a message-id or address stands below."""
    return at.depth == at.next_depth and is_cut_before_mail(at.url, at.token)


def _is_behind_inserted_hyphen(at: Break) -> bool:
    """Whether a formatter that breaks words has put a hyphen behind the first part of one: nobody types such signs."""
    return at.token[0].isalnum() and at.depth == at.next_depth


# What opens a remark, a link of Markdown, of manual pages and of TeX, or a quotation; and what does so within it.
_OPENED = (
    ("(", "()"),
    *((pair[0], pair) for pair in "⟨⟩ {} [] `` “” „“ „” ‘’ ‚‘ «» »« ‹› ›‹ 「」 『』 （）".split()),  # noqa: SIM905 - a list of words
)
_OPENINGS = tuple(opening for opening, _ in _OPENED)
_FULL = 70
"""In code points. No labelled line that ends within a word in round brackets is shorter."""
# The label of a wiki's link.
_WORD = compiled(rf"[^\W\d_]+(?:['’-][^\W\d_]+)*[{STOPS}]*\Z")
# Of the name of a value, of the title of a link of Markdown, or behind a bracket that ends its line.
_NO_REST = compiled(r"[^\w/.?&=#%+~@-]|[\w.-]+=")


def _is_within_brackets(at: Break) -> bool:
    """Whether a bracket that holds nothing but the URL is closed behind the first token of the next line.

    In a short line the URL must end in a sign behind which programs break: a remark may follow in the brackets.
    """
    if not at.before.endswith(_OPENINGS):
        return False
    pairs = (pair for opening, pair in _OPENED if at.before.endswith(opening))
    token = at.token + at.closing
    pair = next((pair for pair in pairs if pair[1] in token), None)
    if pair is None or at.depth != at.next_depth or (at.length < SHORT and at.url[-1] not in "/-"):
        return False
    if at.url[-1] in STOPS and at.token[0] != at.url[-1]:
        return False
    rest, _, behind = token.partition(pair[1])
    if _may_be_label(at, pair[0], rest):
        return False
    # An apostrophe stands between letters.
    return pair[0] not in rest and not (pair[1] == "’" and behind[:1].isalpha()) and _goes_on(at, rest)


def _may_be_label(at: Break, opening: str, rest: str) -> bool:
    """Whether what stands before a closing bracket may be the label of a wiki's link, or a remark behind the URL.

    Programs break a line if the next word does not fit. Where it would, somebody broke the line before a remark. So
    did somebody if no sign stands at the break, unless a program cuts there whatever stands there.
    """
    if at.url[-1] in GOES_ON:
        return False
    if opening == "[":
        return _WORD.match(rest) is not None
    fits = at.length + columns(at.token) < SHORT
    is_within_word = at.url[-1].isalnum() and rest[:1].isalnum() and at.length < _FULL
    return opening == "(" and not at.before.endswith("](") and (fits or is_within_word or rest.lower() in COMMON)


def _goes_on(at: Break, rest: str) -> bool:
    """Whether the text before a closing bracket may be the rest of the URL."""
    if _NO_REST.match(rest) or not any(map(str.isalnum, rest)) or _begins_own_text(at):
        return False
    return not (rest[0].isalnum() and ends_in_one(at.url)) and not (rest[0] == at.url[-1] == "/")


# Of GitLab, whose pages are below `/-/`. Programs break a line behind its hyphen.
_BELOW_HYPHEN = compiled(r"/[a-z]")


def _is_behind_segment(at: Break) -> bool:
    """Whether a line ends in a name that is a hyphen alone, and a slash and a letter begin the next one.

    What a program wraps once more may lack marks of quotation there.
    """
    return at.url.endswith("/-") and at.depth >= at.next_depth and _BELOW_HYPHEN.match(at.token) is not None


DIVIDED_NAMES = (
    Decided("brackets", GUESS, _is_within_brackets, JoinRule.HARD_WRAP, log_odds=math.log(700 + 1)),
    Decided(
        "inserted-hyphen",
        GUESS,
        _is_behind_inserted_hyphen,
        JoinRule.HARD_WRAP,
        last="‐\xad",
        log_odds=math.log(41 + 1),
    ),
    Decided("hyphen", GUESS, _is_behind_hyphen, JoinRule.HARD_WRAP, last="-", log_odds=math.log(58 + 1)),
    Decided("segment", GUESS, _is_behind_segment, JoinRule.HARD_WRAP, last="-", log_odds=math.log(24 + 1)),
    Decided("host", GUESS, _is_before_host, JoinRule.HARD_WRAP, last="/", log_odds=math.log(4 + 1)),
    Decided(
        "inner-url",
        GUESS,
        lambda at: at.depth == at.next_depth and is_cut_within_inner(at.url, at.token),
        JoinRule.HARD_WRAP,
        last=LAST_OF_BEGUN_INNER,
        log_odds=math.log(1 + 1),
    ),
    Decided("mail-below", GUESS, _is_before_mail, JoinRule.HARD_WRAP, last=":", log_odds=math.log(3 + 1)),
    Decided("directory", GUESS, is_behind_directory, JoinRule.HARD_WRAP, last="/", log_odds=math.log(54 + 1)),
    Decided("page", GUESS, is_before_page, JoinRule.HARD_WRAP, last="/", log_odds=math.log(30 + 1)),
    Decided("path-of-id", GUESS, is_before_path_of_id, JoinRule.HARD_WRAP, last="/", log_odds=math.log(12 + 1)),
    Decided("repository", GUESS, is_before_repository, JoinRule.HARD_WRAP, last="/", log_odds=math.log(12 + 1)),
    Decided("revision", GUESS, is_before_revision, JoinRule.HARD_WRAP, last="/", log_odds=math.log(24 + 1)),
    Decided("date", GUESS, is_within_date, JoinRule.HARD_WRAP, last="/", log_odds=math.log(2 + 1)),
    Decided("identifier", GUESS, is_before_identifier, JoinRule.HARD_WRAP, last="/", log_odds=math.log(7 + 1)),
    Decided("marks-alone", GUESS, lambda at: at.is_behind_marks, JoinRule.HARD_WRAP, log_odds=math.log(51 + 1)),
    Decided("twin", GUESS, is_before_twin, JoinRule.HARD_WRAP, log_odds=math.log(15 + 1)),
    Decided("fragment", GUESS, is_before_fragment, JoinRule.HARD_WRAP, last="#", log_odds=math.log(34 + 1)),
    Decided("line-of-file", GUESS, is_before_line, JoinRule.HARD_WRAP, first="#", log_odds=math.log(4 + 1)),
    Decided("slash", GUESS, is_before_slash, JoinRule.HARD_WRAP, first="/", log_odds=math.log(16 + 1)),
    Decided("lost-soft-line", GUESS, lambda at: at.lost_soft_line, JoinRule.FLOWED, log_odds=math.log(3 + 1)),
    Decided(
        "page-in-folders",
        GUESS,
        is_before_page_in_folders,
        JoinRule.HARD_WRAP,
        last="/",
        log_odds=math.log(21 + 1),
    ),
    Decided("search", GUESS, is_within_search, JoinRule.HARD_WRAP, log_odds=math.log(89 / 2)),
    Decided("extension", GUESS, _is_within_extension, JoinRule.HARD_WRAP, log_odds=math.log(11 + 1)),
)

divided_name = first_of(*DIVIDED_NAMES)
"""Gives the row that holds for a break; None if the evidence alone says whether the URL goes on."""
