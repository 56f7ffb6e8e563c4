"""Where a bare URL ends before the rest of a word, a date, a dash or a ruler, which prose puts directly behind it.

The functions and patterns for the rows of `cut_rules` about these. All are guesses.
"""

from __future__ import annotations

from collections import Counter

from urlglean.lazy import pattern, unicode_pattern
from urlglean.text.cut_rule import at_match, host_at, is_in, run_before
from urlglean.text.file_extension import LONGEST, ends_in_one
from urlglean.text.top_level_domains import SHORT_TOPS

CASE_ENDING = r"(?:[dt][ea](?:n|ki)?|n?[iıuü]n|[ny]?[eaiıuü]|y?l[ea])(?=[\s.,;:!?)<\"]|\Z)"
"""The pattern of the ending of a case that Turkish divides from a name, as in `http://host/x'den`."""

# Finnish divides them by a colon, as in `http://host/:n`, and Hungarian by a hyphen. Those of the latter that are codes
# of languages are left out: `index.html-en`.
_FINNISH = "n|in|hin|een|seen|iin|[it]?[aä]|n[aä]|s[st][aä]|l[lt][aä]|lle|ksi|t"
_HUNGARIAN = "n|[oö]n|b[ae]n|b[aóő]l?|r[aóő]l?|t[óő]l|n[áé]l|n[ae]k|v[ae]l|h[oeö]z|ig|ért"
_WORD_ENDS = r"(?=[.,;:!?)]{0,9}+(?:[\s<\"]|\Z))"
SHORT_WORD = rf"[^\W\d_]{{1,4}}{_WORD_ENDS}"
"""The pattern of what may be such an ending."""

at_other_case_ending = at_match(pattern(rf"(?::(?:{_FINNISH})|-(?:{_HUNGARIAN})){_WORD_ENDS}"))
"""The function for `CutRule.cuts` that ends the URL before such an ending."""

BEHIND_TOP = r"(?:(?<=\.[A-Za-z]{2}-)|(?<=\.[A-Za-z]{3}-))[^\W\d_]"
"""The pattern of the rest of a word behind a host, as in `http://www.example.com-based`, behind its hyphen."""

# Signs of vowels are marks in the scripts of India.
_WORD = r"\p{L}[\p{L}\p{M}]{0,19}+"
_REST_OF_WORD = unicode_pattern(f"-{_WORD}(?:-{_WORD})?+{_WORD_ENDS}")
_ENDS_IN_TOP = pattern(r"(?:[^\s/?#@]*@)?(?!www\.[A-Za-z]{2}\Z)[^\s/?#@]*\.([A-Za-z]{2,3})\Z")


def at_word_behind_host(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL behind a top level domain, if it ends a host."""
    if not _REST_OF_WORD.match(text, at):
        return None
    begin = host_at(text, start, at)
    host = _ENDS_IN_TOP.match(text, begin, at) if begin >= 0 else None
    return at if host and host[1].lower() in SHORT_TOPS else None


ACCESSED = "(?i:(?:last)?(?:accessed|retrieved|visited))"
"""The pattern of what begins the end of a reference to the web; converters of PDF and careless writers leave the blank
before it out."""

# Behind a full stop, a word without a capital may be an extension or a label of the host, unless its date is glued too.
_NO_NAME = r"(?!\.[a-z]+(?!: )[^a-z0-9])"
_MONTH = (
    "(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?)(?![a-z])"
)
_DATE = f"(?:[0-9]|{_MONTH})"
# In the next line, a number may be that of an item of a list.
_BLANKS = rf"[^\S\r\n]{{0,20}}(?:\r?\n[^\S\r\n]{{0,20}}(?![0-9]{{1,3}}[.)]\s(?!{_MONTH})))?"
_BEFORE_DATE = rf"(?:\s?(?i:on|in))?(?:\s?[:.,;]|\s-(?=\s))?{_BLANKS}(?<!\w\.)"
at_date_of_access = at_match(pattern(rf"{_NO_NAME}.{ACCESSED}{_BEFORE_DATE}{_DATE}"))
"""The function for `CutRule.cuts` that ends the URL before the date on which somebody read it."""

HEADING = (
    r"(?:Supplementary\s(?i:information|data|material|table|figure|method|note|file)"
    "|(?:Contact|Availability|E-?[Mm]ail|Tel|Phone|Fax|Note|Correspondence|Accessed|Retrieved|Keywords):)"
)
"""The pattern of the heading of the next paragraph, behind a full stop. Texts of articles and references have lost the
line end before it."""

_GLUED_HEADING = pattern(r"\.[A-Za-z-]++:(?!\s|\Z|[+(]|[\w.+-]{1,64}@)")
_WHOLE_HOST = pattern(r"[^\s/?#@:]++\Z")


def at_heading(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before a heading.

    Behind a name in a path, that may be a part of the name if more characters of a URL follow.
    """
    if not _GLUED_HEADING.match(text, at) or is_in(_WHOLE_HOST, text, start, at):
        return at
    return at if ends_in_one(text[max(0, at - LONGEST) : at]) else None


_DASH = pattern(r"--++[^\s<>\"]")


def at_dash(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before a dash and prose. A fragment may name an option so."""
    return at if _DASH.match(text, at) and "#" not in run_before(text, start, at) else None


at_ruler = at_match(pattern(r"-{4,10}+ ?(?i:original|forwarded|begin|urspr)\w*+ "))
"""The function for `CutRule.cuts` that ends the URL before the ruler above the message that somebody answers."""
