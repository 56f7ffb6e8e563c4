"""Where a bare URL ends before its run of characters does. All rules are guesses, one in each row.

RFC 1738 allows `. , ; : ! ? ' ( )` in URLs, so the grammar accepts more than a reader copies. Each row names the signs
at which it may apply, and what must surround them. It is applied nowhere else, and `fast_path` makes its pattern from
the same fields.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from urlglean.lazy import pattern
from urlglean.text.cut_rule import IN_PATH, CutRule, Cuts, at_match, at_sign, is_in, run_before
from urlglean.text.cuts_in_code import (
    BEHIND_LINE,
    BEHIND_STRING,
    at_argument_end,
    at_change_end,
    at_closing_quote,
    at_comment_end,
    at_line_of_script,
    at_next_command,
    at_next_link,
    at_option_of_gcc,
    at_parameter_of_plugin,
    at_string_end,
)
from urlglean.text.cuts_in_forums import CLOSING_TAG, END_OF_TAG, OPENING_TAG, at_identifier, at_opening_tag
from urlglean.text.cuts_in_prose import (
    ACCESSED,
    BEHIND_TOP,
    CASE_ENDING,
    HEADING,
    SHORT_WORD,
    at_dash,
    at_date_of_access,
    at_heading,
    at_other_case_ending,
    at_ruler,
    at_word_behind_host,
)
from urlglean.text.cuts_in_tables import (
    LABELLED_ADDRESS,
    NEXT_ATTRIBUTE,
    SETTING,
    at_cell_behind_name,
    at_labelled_address,
    at_next_attribute,
    at_next_cell,
    at_next_setting,
)
from urlglean.text.file_extension import LONGEST, ends_in_one
from urlglean.text.gaps import ends_name_of_value, has_quoted_printable
from urlglean.text.rows import SEPARATORS
from urlglean.text.scheme_triggers import BY_REST, GLUED, URL_AHEAD, any_of
from urlglean.text.signs import BRACKETS, LOOK_BACK, STOPS
from urlglean.text.templates import BEHIND_NO_PART, NO_PART

_OWN_SCHEME = pattern(r"[A-Za-z][A-Za-z0-9+.-]{0,30}+://")
_DIVIDERS = pattern(r"(?<![,;])[,;]++")


def _at_following_url(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before another one, of a usual scheme or of its own."""
    if _GLUED_URL.match(text, at) or (_BEHIND_LABEL.match(text, start) and _LABELLED_URL.match(text, at)):
        return at
    own, dividers = _OWN_SCHEME.match(text, start), _DIVIDERS.match(text, at)
    if own is None or dividers is None:
        return None
    scheme = own.group()
    return at if text[dividers.end() : dividers.end() + len(scheme)].lower() == scheme.lower() else None


def _glued(schemes: Collection[str]) -> Cuts:
    """The function for `CutRule.cuts` that ends the URL where the scheme of another is glued to a word of it."""
    written = pattern(rf"(?:{_CONJUNCTION}|{_BEHIND_WORD}){any_of(schemes)}\Z", re.IGNORECASE)
    longest = max(map(len, schemes)) + _LONGEST_CONJUNCTION

    def cuts(text: str, start: int, colon: int, _open: Counter[str]) -> int | None:
        found = written.search(text, max(start, colon - longest), colon)
        return found.start() if found else None

    return cuts


# Of a longer one, the rest is a ruler.
_DOUBLE_ARROW = pattern(rf"(?<!=)={{1,10}}+>(?=\s|\Z|{URL_AHEAD})", re.IGNORECASE)
_ATTRIBUTE = pattern(r"[A-Za-z]=\Z")
_ATTRIBUTE_NAME = pattern(r"[A-Za-z][\w:.-]*=")


def _at_double_arrow(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before "=>", but for "=" of a search or of base64 in a tag."""
    if not _DOUBLE_ARROW.match(text, at) or not is_in(IN_PATH, text, start, at):
        return None
    low = max(0, at - LOOK_BACK)
    return None if _is_in_tag(text, low, at) or _ATTRIBUTE.search(text, low, start) else at


def _is_in_tag(text: str, low: int, at: int) -> bool:
    """Whether a sign stands in a value without quotation marks in a tag of HTML that begins at `low` or behind it."""
    tag = text.rfind("<", low, at)
    if tag < 0 or text.find(">", tag, at) >= 0 or not text[tag + 1].isalpha():
        return False
    value = max(text.rfind(blank, tag, at) for blank in " \t\r\n") + 1
    return _ATTRIBUTE_NAME.match(text, value, at) is not None or text[tag:value].rstrip().endswith("=")


# A scheme behind "=" or an escape may be a value of this URL; so a letter, digit, full stop or bracket must precede it,
# or an escape of a letter outside ASCII. An "s" or "t" may belong to a longer scheme, such as `sftp`.
_BEHIND_WORD = r"(?<=[a-z0-9.)]|[^\x00-\xa0\u2000-\u206f\ufeff])(?<!%[0-7][0-9a-f])(?<![^a-z0-9][st])"
# "And" or "or" in Chinese, behind the slash of a folder. Behind other names, the word ends the URL anyway.
_CONJUNCTION = "(?<=/)(?:和|或者?|与|與|以及|及|跟|还有|還有)"
_LONGEST_CONJUNCTION = 2
# OpenSSL writes lists of URLs with labels: `URI:http://host/a,URI:http://host/b`, `,caIssuers;URI:http://host/`.
_LABEL_OF_URI = r"(?:(?:[a-z]{1,20};)?uri:)?"
# The next patterns are tried at each sign of a run; they look ahead only from the first of several signs.
_GLUED_URL = pattern(rf"(?<![,;])[,;]++{_LABEL_OF_URI}{URL_AHEAD}", re.IGNORECASE)
# A list of URLs with labels: `Web:http://host/,Code:http://host/b`.
_BEHIND_LABEL = pattern(r"(?<=\w:)")
_LABELLED_URL = pattern(rf"(?<![,;])[,;]++[A-Za-z][\w-]{{0,30}}:{URL_AHEAD}", re.IGNORECASE)
# Behind a sign that precedes a value, the bracket belongs to the URL: `?u=(http://...)`.
_URL_IN_BRACKETS = pattern(rf"(?<![(\[=+:])[(\[]++{URL_AHEAD}", re.IGNORECASE)
# Signs of prose and of no width, as names and as numbers.
_OF_PROSE = (
    "rdquo|rsquo|raquo|rsaquo|ldquo|lsquo|laquo|lsaquo|bdquo|sbquo|mdash|hellip|bull|middot|trade|reg|copy|ensp|emsp"
    "|thinsp|rarr|larr|lrm|rlm|para|sect"
)
# It may stand between the years of a title as well.
_DASH_OF_PROSE = "ndash|#0{0,4}8211|#x0{0,4}2013"
_DECIMAL = (
    "9|1[03]|32|171|183|187|82(?!0[3-7]|11)[0-9]{2}|1228[89]|1229[0-9]|123[01][0-9]|65(?:281|28[89]|292|30[67]|311)"
)
_HEXADECIMAL = "[9ad]|20|ab|b[7b]|20(?!0[b-f]|13)[0-6][0-9a-f]|30[01][0-9a-f]|ff(?:0[189c]|1[abf])"
# Of no width: beside them the URL may go on.
_NO_WIDTH = "shy|zwn?j|#0{0,4}(?:173|820[3-7])|#x0{0,4}(?:ad|200[b-f])"
# Signs of markup also without their ";", if no sign of a URL follows but those that end a word: `&lt=5` belongs to a
# search.
_ENTITY = pattern(
    r"&(?:amp;)*+(?:(?:gt|lt|quot|apos|nbsp|#0{0,5}(?:34|39|60|62|160)|#x0{0,5}(?:22|27|3[ce]|a0))(?:;|(?![A-Za-z0-9#$%(*+/;=@\[\]^_~-]))"
    rf"|(?:{_OF_PROSE}|#0{{0,4}}(?:{_DECIMAL})|#x0{{0,4}}(?:{_HEXADECIMAL}));|(?:{_NO_WIDTH}|{_DASH_OF_PROSE});(?![\w%(/]|\.\w))",
    re.IGNORECASE,
)
OPENS = {closing: opening for opening, closing in BRACKETS.items()}

# Blanks and line ends at the end of a line of quoted-printable, perhaps before a soft break (RFC 2045 6.7).
_BLANK = "(?:20|09|0D|0A|A0|C2=A0)"
_ESCAPED_BLANKS = rf"{_BLANK}(?:={_BLANK}){{0,20}}+=?[ \t]{{0,40}}+(?:[\r\n]|\Z)"
_NO_PATH = frozenset("?#")
_HOST_ALONE = pattern(r"[^\s/?#]++\Z")
_STOPS_BEHIND = 4
"""So many signs that end a sentence may stand before such blanks."""


def _at_escaped_blanks(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL there behind a host, file or slash; else it may be a value.

    It is none if other escapes stand in the URL or around it.
    """
    run = run_before(text, start, at)
    if "=3D" in run and not ends_name_of_value(run, len(run)):
        return at
    if not _NO_PATH.isdisjoint(run) or ";" in run.rpartition("/")[2]:
        return None
    before = text[max(0, at - LONGEST - _STOPS_BEHIND) : at].rstrip(STOPS)
    if before.endswith("/") or ends_in_one(before) or is_in(_HOST_ALONE, text, start, at):
        return at
    return at if has_quoted_printable(text[max(0, at - LOOK_BACK) : at] + text[at + 1 : at + LOOK_BACK]) else None


CUT_RULES = (
    CutRule(
        name="following-url",
        signs=",;",
        only="(?<![,;]{2})[,;]*+(?:[A-Za-z]{1,20};)?[A-Za-z][A-Za-z0-9+.-]*+:",
        cuts=_at_following_url,
    ),
    # Textile writes a picture with a link so: `!http://host/x.png!:http://host/`.
    CutRule(
        name="linked-picture", signs="!", only=":[A-Za-z]", cuts=at_match(pattern(f"!:{URL_AHEAD}", re.IGNORECASE))
    ),
    CutRule(
        name="title-of-a-picture", signs="(", before="!", only=r"[^()\s]{1,60}+\)!", behind_file=True, cuts=at_sign
    ),
    CutRule(name="next-cell-of-table", signs=SEPARATORS, only=r"(?<![,;]{2})[^\s]", cuts=at_next_cell),
    # A row of a table has the same separator before the URL, directly, and behind it: `rose,http://host/a.html,200`.
    CutRule(name="next-cell", signs=",", before=",", cuts=at_cell_behind_name),
    # In a URL, Texinfo writes such a comma as `@comma{}`.
    CutRule(name="next-argument", signs=",", before="{", cuts=at_argument_end),
    CutRule(name="next-parameter", signs=",", only=r"(?<!,,)[a-z0-9]", behind_file=True, cuts=at_parameter_of_plugin),
    # An unquoted semicolon ends the command, whatever follows (POSIX.1-2017, Shell Command Language 2.9.3).
    CutRule(name="next-command", signs=";", only=r"(?<!;;)[^\s]", cuts=at_next_command),
    CutRule(
        name="next-command-behind-success",
        signs="&",
        only=r"&[A-Za-z./][\w./+-]{0,60}+(?![=\w])",
        cuts=at_next_command,
    ),
    CutRule(name="option-of-gcc", signs="-", only="W", cuts=at_option_of_gcc),
    CutRule(name="next-link", signs="[", before="]", only=r"[0-9]{1,5}\](?![=&\[.])", cuts=at_next_link),
    CutRule(name="next-setting", signs=",;", before="=", only=SETTING, cuts=at_next_setting),
    CutRule(name="next-attribute", signs=",;", only=NEXT_ATTRIBUTE, cuts=at_next_attribute),
    CutRule(name="next-address", signs=",;", only=LABELLED_ADDRESS, cuts=at_labelled_address),
    CutRule(name="next-cell-behind-semicolon", signs=";", before=";", cuts=at_cell_behind_name),
    # Browsers name the place of an error so, as in `http://host/app.js:12:34`. Behind a host it is a port.
    CutRule(
        name="line-and-column", signs=":", only="[0-9]", behind_file=True, cuts=at_match(BEHIND_LINE, within=IN_PATH)
    ),
    CutRule(name="line-and-column-of-a-script", signs=":", only="[0-9]{1,6}:[0-9]", cuts=at_line_of_script),
    CutRule(name="comment-end", signs="*#-", only=r"(?:(?<=\*)[/)}@]|(?<=#)\}|(?<=-)\})", cuts=at_comment_end),
    CutRule(name="closing-tag", signs="[", only=CLOSING_TAG, cuts=at_sign),
    CutRule(name="opening-tag", signs="[", only=OPENING_TAG, cuts=at_opening_tag),
    CutRule(name="identifier-of-tag", signs=":", only=END_OF_TAG, cuts=at_identifier),
    CutRule(name="url-in-brackets", signs="".join(BRACKETS), cuts=at_match(_URL_IN_BRACKETS)),
    CutRule(name="url-behind", signs=":", only="//", cuts=_glued(GLUED)),
    CutRule(
        name="url-known-by-its-rest-behind", signs=":", only=f"(?i:{'|'.join(BY_REST.values())})", cuts=_glued(BY_REST)
    ),
    # Programs that put the address of a page before a link which runs a script.
    CutRule(name="script-behind", signs=":", only=r"(?<=(?i:javascript).)", cuts=_glued(["javascript"])),
    CutRule(name="dash-behind-a-file", signs="-", only="-", behind_file=True, cuts=at_dash),
    CutRule(name="arrow", signs="-", only="-{0,9}+>", cuts=at_match(pattern("(?<!-)-{1,10}+>"))),
    CutRule(name="double-arrow", signs="=", only="={0,9}+>", cuts=_at_double_arrow),
    CutRule(name="escaped-blanks", signs="=", only=_ESCAPED_BLANKS, cuts=_at_escaped_blanks),
    CutRule(
        name="entity",
        signs="&",
        only=r"(?i:(?:amp;)*+(?:#|gt|lt|quot|apos|nbsp|[a-z]{3,6};))",
        cuts=at_match(_ENTITY),
    ),
    CutRule(name="case-ending", signs="'", only=CASE_ENDING, cuts=at_match(pattern(r"(?<=[\w/])"))),
    CutRule(name="case-ending-behind-a-file", signs=":-", only=SHORT_WORD, behind_file=True, cuts=at_other_case_ending),
    CutRule(name="case-ending-behind-a-slash", signs=":-", only=rf"(?<=/.){SHORT_WORD}", cuts=at_other_case_ending),
    CutRule(name="word-behind-a-top-level-domain", signs="-", only=BEHIND_TOP, cuts=at_word_behind_host),
    # A line end of DOS, and the sequences that colour a terminal's text, as `cat -v` and editors show them.
    CutRule(name="shown-control", signs="^", only=r"(?:M\r?(?:\n|\Z)|\[\[[0-9;]*+[A-Za-z])", cuts=at_sign),
    # As in references by GB/T 7714: `[EB/OL]. http://host/x.html,2019-9-11.`
    CutRule(
        name="date-behind-a-file",
        signs=",",
        only=r"(?:19|20)[0-9]{2}(?:-[0-9]{1,2}-[0-9]{1,2})?(?:[.\]\s]|\Z)",
        behind_file=True,
        cuts=at_sign,
    ),
    CutRule(name="date-of-access", signs=".,;([", only=ACCESSED, cuts=at_date_of_access),
    CutRule(name="heading", signs=".", only=HEADING, cuts=at_heading),
    # As in the list of git's remotes, if the blank is left out: `http://host/x.git(fetch)`.
    CutRule(name="remark-behind-a-repository", signs="(", only=r"(?<=\.git.)[A-Za-z]", cuts=at_sign),
    CutRule(name="ruler-of-a-message", signs="-", only="--", cuts=at_ruler),
    CutRule(name="end-of-change", signs="+-", only=r"(?:(?<=\+)\}|(?<=-)\])", cuts=at_change_end),
    CutRule(
        name="end-of-colour",
        signs="$",
        only=rf"(?<!=.)(?:\{{{NO_PART}\}}|\((?:{NO_PART}|tput [^()\r\n]{{1,40}})\)){BEHIND_NO_PART}",
        cuts=at_sign,
    ),
    CutRule(name="closing-quote", signs="'", before="'", cuts=at_closing_quote),
    CutRule(name="end-of-string", signs="'", only=BEHIND_STRING, cuts=at_string_end),
    CutRule(
        name="unopened-bracket",
        signs="".join(OPENS),
        cuts=lambda text, _start, at, brackets: None if brackets[OPENS[text[at]]] else at,
    ),
)
