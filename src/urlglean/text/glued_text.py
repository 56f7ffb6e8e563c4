"""Text that is glued to the end of a URL, although all of its characters could belong to the URL.

All rules are guesses, one in each row. The rules of `cut_rules` examine a run of characters sign by sign; these examine
the whole run.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from urlglean.lazy import pattern, unicode_pattern
from urlglean.text.file_extension import DOCUMENT, EXTENSION_LIKE, LONGEST, NAME, NAME_OR_DOCUMENT, ends_in_one
from urlglean.text.joining.common import COMMON
from urlglean.text.quote_prefix import BREAK, PREFIX
from urlglean.text.raw_signs import EMOJI
from urlglean.text.scheme_triggers import FIRST_LABEL, URL_AHEAD, WITH_SLASHES, any_of, has_no_scheme
from urlglean.text.signs import BRACKETS, STOPS, SignRule, one_of
from urlglean.text.verbatim import SIGNS as VERBATIM
from urlglean.text.verbatim import delimiter


class GlueRule(SignRule, frozen=True, kw_only=True):
    """A row: a kind of text that may begin in the run of a URL's characters, but does not belong to the URL.

    Attributes:
        in_path: whether the rule applies only to signs at or behind the slash that ends the host.
        begins: gets the text, the beginning of the URL and the end of its run; returns the place where the glued text
            begins, or the end of the run if there is none.
        is_doubtful: whether the whole run is a plausible reading too.
    """

    begins: Callable[[str, int, int], int]
    in_path: bool = False
    is_doubtful: bool = False


# By opening bracket: the pattern of the words in a bracket that closes behind the run, in the same line.
_CLOSES_BEHIND = {
    opening: rf"[^\r\n{re.escape(opening + closing)}]{{0,100}}{re.escape(closing)}"
    for opening, closing in BRACKETS.items()
}
# In scripts without blanks, a letter or a sign follows that does not belong to the URL.
_IN_LINE = {sign: pattern(rf"(?:[ \t]++|(?=[^\x00-\x7f])){words}") for sign, words in _CLOSES_BEHIND.items()}
_BELOW = {sign: pattern(rf"[ \t]*+{BREAK}{PREFIX}{words}") for sign, words in _CLOSES_BEHIND.items()}
# A bracket behind one of these signs belongs to the URL, though blanks follow: `/Lamp_(oil lamp)`, `?q=(oil lamp)`.
_BEFORE_OWN_BRACKET = frozenset("_=+:")


def _remark_in_brackets(text: str, start: int, end: int) -> int:
    """The place of an opening bracket around words that go on behind the run; `end` if there is none."""
    for sign in _CLOSES_BEHIND:
        at = text.rfind(sign, start, end)
        if at > start and text[at - 1] not in _BEFORE_OWN_BRACKET and text.find(BRACKETS[sign], at, end) < 0:
            # Words in the next line may be the rest of a broken URL. They are prose only if the bracket is between two
            # words.
            below = text[at - 1].isalnum() and text[at + 1 : end].isalpha() and _BELOW[sign].match(text, end)
            # Behind a "#", brackets may belong to the URL: names of code have arguments, with a comma between them.
            is_of_code = text[end - 1] == "," and text.find("#", start, at) >= 0
            return at if (below or _IN_LINE[sign].match(text, end)) and not is_of_code else end
    return end


# An extension, perhaps punctuation behind it, and a word at the end of the run. (Closing signs are stripped before.)
_WORD_BEHIND = pattern(
    rf"\.(?:(?P<name>{DOCUMENT})|{NAME}(?P<stop>[.,;:]))(?P<word>[a-z]++)(?:'[a-z]{{1,2}})?+\Z", re.IGNORECASE
)
_CLOSERS_BEHIND = STOPS + ")'"
_LONGEST_TAIL = 48
"""The extension is searched in this many code points before the end of a run."""

_LONGEST_NOTES = 16
"""The numbers of notes are searched in this many code points before the end of a run."""

_LEAST_GLUED = 5
"""The fewest letters of an extension and the word glued to it; fewer letters may be an unknown extension."""

_MORE_OF_A_URL = "[A-Za-z0-9/=&#_~%+@*$-]"
_MAY_BE_GLUED = (
    rf"(?={EXTENSION_LIKE}"
    rf"(?:[,;:][A-Za-z]|\.[A-Z][a-z]|(?:(?<=[A-Za-z0-9]{{{_LEAST_GLUED}}})|(?<=I))(?!{_MORE_OF_A_URL})))"
    rf"(?i:{NAME_OR_DOCUMENT})"
)
"""The pattern of what follows the dot of an extension to which a word may be glued.

It is a long name, a name that ends in "I", or a name with punctuation and a word behind it, and it begins with a known
extension.
"""


def _word_behind_a_file(text: str, start: int, end: int) -> int:
    """The beginning of a word of prose behind a file name, perhaps with punctuation between; `end` if there is none."""
    at = max(start, end - _LONGEST_TAIL)
    tail = text[at:end].rstrip(_CLOSERS_BEHIND)
    last = tail.rfind(".")
    found = _WORD_BEHIND.match(tail, last) or _WORD_BEHIND.match(tail, tail.rfind(".", 0, last))
    if found is None:
        return end
    dot = at + found.start()
    # Behind a "#", such words are often names of code.
    if text.find("#", start, dot) >= 0:
        return end
    # Punctuation between the two is removed later, as closing punctuation.
    is_prose = _is_prose(found, stem_is_capital=text[dot - 1].isupper())
    return at + found.start("word") if is_prose else end


def _is_prose(found: re.Match[str], *, stem_is_capital: bool) -> bool:
    """Whether a word behind an extension belongs to prose: it begins a sentence, or it is a common word."""
    name, stop, word = found["name"], found["stop"], found["word"]
    common = len(word) > 1 and word.lower() in COMMON
    capital = word == "I" or (word[:1].isupper() and word[1:].islower())
    if name and len(name + word) < _LEAST_GLUED and word != "I":
        return False
    if stop == ".":
        return common and capital  # `index.html.fr` is a file name
    # In `window.HTMLElement`, the capitals belong to a name of code.
    return (capital and (not name or name.islower() or stem_is_capital)) or (common and word.islower())


# A wrong charset replaces quotation marks and other signs by "?": before the URL, and behind it with a word that is not
# the beginning of a search.
_LOST_BEFORE = pattern(r"(?<![A-Za-z0-9?])\?{1,4}+\Z")
_LOST_BEHIND = pattern(rf"(?<!\?)\?++[A-Za-z]++{one_of(_CLOSERS_BEHIND)}*+\Z")


def _lost_sign(text: str, start: int, end: int) -> int:
    """The place of a "?" that replaces a lost sign and begins no search; `end` if there is none.

    The rule applies only if a "?" in front of the URL replaces a lost sign too.
    """
    if not _LOST_BEFORE.search(text, max(0, start - 5), start):
        return end
    found = _LOST_BEHIND.search(text, start, end)
    return found.start() if found else end


# Two "?" that replace lost signs around a word between two URLs. The pattern matches the first of them.
_LOST_BETWEEN = pattern(rf"(?<!\?)\?(?=[A-Za-z]{{1,12}}+\?{URL_AHEAD})", re.IGNORECASE)


def _lost_signs_between(text: str, start: int, end: int) -> int:
    """The place of a "?" before a word, a second "?" and another URL; `end` if there is none."""
    found = _LOST_BETWEEN.search(text, start, end)
    return found.start() if found else end


# A smiley: eyes, nose, mouth. Without a nose, closing punctuation takes other eyes than "=" away.
_BRACKET = r"[()\[\]]"
_MORE_OF_URL_BEHIND = "[A-Za-z0-9/=&%#?_~@-]"
_SMILEY = pattern(
    rf"(?:(?:[:;=]'?-|[:;]'?o|=)(?:(?P<closing>[)\]])|[(\[])|[:;]'?-[{{}}<>|\\/PpDOoX]|\^[_.-]?\^(?!\^?&))"
    rf"(?:{_BRACKET}|{one_of(STOPS)})*+(?!{_MORE_OF_URL_BEHIND})"
)
_LONGEST_SMILEY = 12
"""A smiley is searched in this many code points before the end of a run."""

_OPENING = {closing: opening for opening, closing in BRACKETS.items()}
_BEFORE_SMILEY = 200
"""An opening bracket around a URL is searched in this many code points of its paragraph before it."""


def _smiley(text: str, start: int, end: int) -> int:
    """The place of a smiley at the end of the run, whose mouth may be the sign right behind it; `end` if there is none.

    A bracket that closes another one of the run is no mouth. An empty value may end a search: `(http://a.example/?b=)`.
    """
    scheme = start if has_no_scheme(text, start) else text.find(":", start, end) + 1
    low = max(scheme, end - _LONGEST_SMILEY)
    for found in _SMILEY.finditer(text, low, end + 1):
        if not (0 <= found.start("closing") < end or _is_last_value(text, start, found.start())):
            return found.start()
    return end


def _is_last_value(text: str, start: int, at: int) -> bool:
    """Whether a sign at the end of a run from `start` is an "=" of the URL: of a search, of base64, or in brackets."""
    if text[at] != "=":
        return False
    before = text[max(0, start - _BEFORE_SMILEY) : start].replace("\r", "").rpartition("\n\n")[2]
    return _closes(before, text[at + 1]) or text[at - 1] == "=" or text.find("?", start, at) >= 0


def _closes(before: str, closing: str) -> bool:
    """Whether a sign closes a bracket that a text opened; the sign of a list, as in `a) see (b`, closes none."""
    opened = 0
    for sign in before if closing in _OPENING else "":
        opened += (sign == _OPENING[closing]) - (sign == closing and opened > 0)
    return opened > 0


# In a search, hosts are its values.
_NEXT_HOST = pattern(rf"{FIRST_LABEL}\.[^?#]*?([,;]++)(?={FIRST_LABEL}\.)", re.IGNORECASE)


def _next_host(text: str, start: int, end: int) -> int:
    """The place of the sign before the next of several hosts without schemes; `end` if there is none."""
    found = _NEXT_HOST.match(text, start, end)
    return found.start(1) if found else end


def _behind_argument(text: str, start: int, end: int) -> int:
    """The place of the sign that ends an argument of TeX (`verbatim`) which the URL is; `end` if it is none."""
    sign = delimiter(text, start)
    at = text.find(sign, start, end) if sign else -1
    return at if at >= 0 else end


# A host in small letters, and the first word of the next sentence. Some write the top of a host so too; of the words of
# two letters these are most often such a word.
_SHORT_WORDS = "I|A|If|It|In|Is|We|He|On|So|To|As|An|By|Or"
_FIRST_WORD = rf"(?:(?!(?:Com|Org|Net|Edu|Gov|Mil|Int|Info|Biz)\b)[A-Z][a-z]{{2,}}+|(?:{_SHORT_WORDS})\b)"
# Names of programs stand behind the other one and behind unknown schemes, as in `ejb://com.acme.Foo`.
_OF_HOSTS = WITH_SLASHES - {"android-app"}
_SENTENCE = pattern(
    rf"(?:(?i:{any_of(_OF_HOSTS)})://(?:[^/?#@\s]*@)?|[Mm]ailto:[^/?#@\s]+@|(?={FIRST_LABEL}\.))"
    rf"(?:[a-z0-9_-]++\.)+[a-z0-9_-]++(?P<behind>\.{_FIRST_WORD}){one_of(_CLOSERS_BEHIND)}*\Z"
)


def _sentence_behind_a_host(text: str, start: int, end: int) -> int:
    """The place of a full stop and the word of the next sentence behind a host; `end` if there are none."""
    found = _SENTENCE.match(text, start, end)
    return found.start("behind") if found else end


# Three dots may be a range of versions: `/compare/a...b`.
_PAGE_OR_WORD = (
    rf"(?:[0-9]{{1,4}}|[ivxlc]{{1,7}}|[A-Za-z]-?[0-9]{{1,3}}|(?!{NAME}(?![A-Za-z]))[A-Za-z][a-z]+(?:'[a-z]{{1,2}})?)"
)
# Behind a slash or a page they are an ellipsis.
_BEFORE_ELLIPSIS = r"(?:(?<=/)|(?<=\.html)|(?<=\.htm)|(?<=\.php)|(?<=\.pdf)|(?<=\.txt))"
_LEADER = pattern(rf"(?:\.{{4,}}+|{_BEFORE_ELLIPSIS}\.{{3}}){_PAGE_OR_WORD}{one_of(_CLOSERS_BEHIND)}*\Z")


def _dot_leader(text: str, start: int, end: int) -> int:
    """The place of the dots before a page number in a table of contents, or before a word; `end` if there are none."""
    found = _LEADER.search(text, _path_of(text, start, end), end)
    return found.start() if found else end


# The size of a file or its type, as in `a.zip(12kB)`.
_SIZE = r"(?:[0-9][0-9.,]{0,9}[kKMG]i?[Bb]?|[A-Z]{2,4})\)"
_SIZE_AT_END = pattern(rf"\({_SIZE}{one_of(_CLOSERS_BEHIND)}*\Z")


def _size_of_a_file(text: str, start: int, end: int) -> int:
    """The place of a bracket around the size or the type of the file in front of it; `end` if there is none."""
    found = _SIZE_AT_END.search(text, max(start, end - _LONGEST_TAIL), end)
    return found.start() if found and ends_in_one(text[max(start, found.start() - LONGEST) : found.start()]) else end


_NOTES = "⁰¹²³⁴⁵⁶⁷⁸⁹①②③④⑤⑥⑦⑧⑨⑩"
_NOTE_AT_END = pattern(rf"(?:[{_NOTES}][,;]?)+{one_of(_CLOSERS_BEHIND)}*\Z")


def _note(text: str, start: int, end: int) -> int:
    """The place of the numbers of notes at the end of a run; `end` if there are none."""
    found = _NOTE_AT_END.search(text, max(start, end - _LONGEST_NOTES), end)
    if found is None or text.count("(", start, found.start()) > text.count(")", start, found.start()):
        return end  # in brackets of the URL: `/wiki/Metre_(m²)`
    return found.start()


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
    GlueRule(
        name="sentence-behind-a-host",
        signs=".",
        only=r"[A-Z][a-z]*+(?![A-Za-z0-9.@:/-])",
        begins=_sentence_behind_a_host,
        is_doubtful=True,
    ),
    GlueRule(name="size-of-a-file", signs="(", only=_SIZE, begins=_size_of_a_file, is_doubtful=True),
    GlueRule(name="dot-leader", signs=".", only=r"\.{2}", in_path=True, begins=_dot_leader, is_doubtful=True),
    # `/wiki/E=mc²` ends in such a sign itself.
    GlueRule(name="note", signs=_NOTES, begins=_note, is_doubtful=True),
    GlueRule(name="lost-sign", signs="?", before="?", begins=_lost_sign, is_doubtful=True),
    GlueRule(
        name="lost-signs-between",
        signs="?",
        only=r"[A-Za-z]{1,12}+\?",
        begins=_lost_signs_between,
        is_doubtful=True,
    ),
    GlueRule(name="next-host", signs=",;", only=rf"(?i:{FIRST_LABEL})\.", begins=_next_host),
    GlueRule(name="end-of-argument", signs=VERBATIM, before=VERBATIM, begins=_behind_argument),
    GlueRule(
        name="smiley",
        signs=":;=^",
        only=rf"'?(?:-[()\[\]{{}}<>|\\/PpDOoX]|o?{_BRACKET})|[_.-]?\^",
        begins=_smiley,
    ),
)

_RULE_PATTERNS = tuple((rule, pattern(f"{one_of(rule.signs)}(?:{rule.only})")) for rule in GLUE_RULES)
# By the sign before a URL; any other sign has the rules that apply behind all signs.
_ANYWHERE = tuple(each for each in _RULE_PATTERNS if not each[0].before)
_RULES_BEHIND = {
    sign: tuple(each for each in _RULE_PATTERNS if each[0].may_hold_behind(sign))
    for sign in "".join(rule.before for rule in GLUE_RULES)
}


class Glued(Struct, frozen=True):
    """Text that is glued to a URL.

    Attributes:
        at: the place where it begins.
        name: the name of the rule that found it.
        is_doubtful: whether it may as well belong to the URL.
    """

    at: int
    name: str
    is_doubtful: bool


def glued_at(text: str, start: int, end: int) -> Glued | None:
    """The text that is glued to a URL, by the rule that finds it earliest; None if there is none.

    Args:
        text: the whole text.
        start: the beginning of the URL.
        end: the end of its run of characters.
    """
    found: Glued | None = None
    before = text[start - 1 : start] if start else ""
    # A rule may look at the sign behind the run.
    for rule, trigger in _RULES_BEHIND.get(before, _ANYWHERE):
        low = _path_of(text, start, end) if rule.in_path else start
        if trigger.search(text, low, end + 1) is None:
            continue
        at = rule.begins(text, start, end)
        if at < (found.at if found else end):
            found = Glued(at, rule.name, rule.is_doubtful)
    return _decoration(text, start, end) or found


# A name may be an emoji too, or begin with one; then a small letter, a digit or a sign that joins words follows.
_DECORATION = unicode_pattern(rf"(?<=/)(?<!://){EMOJI}(?:[^a-z0-9_/?&=#%.${{\[-][^/?&=#%]*|[.-][^a-z0-9/?&=#%]*)?\Z")


def _decoration(text: str, start: int, end: int) -> Glued | None:
    """Emoji behind the last slash of a URL, and prose directly behind them; None if there are none."""
    low = max(start, end - _LONGEST_TAIL)
    if text[low:end].isascii() or (found := _DECORATION.search(text, low, end)) is None:
        return None
    return Glued(found.start(), "emoji", is_doubtful=True)


def _path_of(text: str, start: int, end: int) -> int:
    """The place of the slash that ends the URL's host; `end` if there is none."""
    slashes = text.find("//", start, end)
    host = start if has_no_scheme(text, start) else slashes + len("//") if slashes >= 0 else end
    path = text.find("/", host, end)
    return path if path >= 0 else end
