"""What a token at the start of a line looks like: the rest of a URL, a word, a host, a list item ... All guesses.

A token is what stands up to the next white space. Where a pattern could go back over what it read, only the first
`LOOK` characters are looked at: no word is longer.
"""

from __future__ import annotations

import re

from urlglean.text.extension import EXTENSION

LOOK = 200

LONG_TOKEN = 30
"""A longer token is no word."""

# A rest of a URL holds no character that URLs do not, but for what closes a sentence or a bracket around it.
_FRAMED = r"[!#-;=?-\[\]_a-zA-Z~]++[)>\]\"'.,;:!?*_}»”’]*+\Z"

OTHER_THINGS = {
    "foreign-characters": rf"(?!{_FRAMED})",
    "other-url": r"(?i:.*?(?:[a-z][a-z0-9+.-]{1,12}://|\b(?:mailto|news|urn|cid|mid|url):|www\d?\.))",
    "list-item": r"(?:[-*+o•·]|[(\[]?(?:[0-9]{1,3}|[a-zA-Z])[)\].:])\Z|\[[^\]\s]{1,12}\]",
    "and-so-on": r"&c\b",
    "property": r"[A-Z][A-Z-]+[:;]",
    "signature": r"[-~]+[A-Z][A-Za-z.'-]*[,.;:]?\Z",
    "encoded-blank": r"=(?:20|09)",
    "ruler": r"[-=_*~#+.]{3,}\Z|--\Z",
}
"""What begins a line and is never the rest of a URL: name -> pattern, matched at the start of the token."""

OTHER = re.compile("|".join(OTHER_THINGS.values()))

LABEL = re.compile(r"[^\s/?&]+:\Z")
ADDRESS = re.compile(r"[<(]?[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]+\.[A-Za-z0-9.-]+")
QUERY_SIGNS = re.compile(r"[?&=]")
CAPITALIZED = re.compile(r"[A-Z][a-z]*\b")
NAME_OR_BRACKET = re.compile(r"""[A-Z](?:[a-z]*|[A-Z]*)\b|["'(\[<*]""")
_BARE_HOST = re.compile(
    r"(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|mil|int|info|[a-z]{2})(?:[/:,;)]|\.?\Z)", re.IGNORECASE
)

# Words, numbers and abbreviations, with the punctuation of prose around them.
_NUMBERS = re.compile(r"[$€£(+#~v]{0,2}[0-9][0-9.,:/%()$-]*(?<!/)(?:[A-Za-z]{1,3})?[.;!?]?\Z")
_WORD = re.compile(r"""[("'\[]*[A-Za-z]+(?:['’][a-z]+)?(?:-[A-Za-z]+){0,2}(?:/[A-Za-z]+)?[.,;:!?)"'\]]*\Z""")
# Names that do not begin in upper case, or the digits of one: more than one number is a date or a telephone.
_PATH = re.compile(
    r"(?=[^A-Za-z]*[A-Za-z]|[0-9]+[.,;:)>\]]?\Z|/)(?=[/_a-z0-9])[/_]?[A-Za-z0-9]*(?:[-_/.][A-Za-z0-9]+)*/?[.,;:)>\]]?\Z"
)
_NAMES_IN_PATH = re.compile(r"[A-Za-z0-9-]+[/_][A-Za-z0-9]")
WORDS_ALONE = frozenset({
    *("and", "at", "also", "are", "best", "but", "by", "bye", "cheers", "ciao", "dear", "enjoy", "etc", "for", "from"),
    *("greetings", "hello", "help", "here", "hi", "in", "is", "it", "love", "more", "next", "no", "now", "of", "ok"),
    *("okay", "on", "or", "please", "regards", "see", "so", "thanks", "that", "the", "then", "there", "this", "thx"),
    *("to", "was", "with", "yes", "yours"),
})  # fmt: skip
"""Words that stand in a line of their own: how letters end, and how a sentence goes on below a URL."""
_ABBREVIATION = re.compile(r"(?:[A-Za-z]\.){2,}[,;:)]*\Z")

# What stands inside URLs.
QUERY = re.compile(r"[^\s?&]*+[?&][\w.%-]+=")
NAME_AND_VALUE = re.compile(r"[\w.%\[\]+-]{1,60}=[^\s=]")
WITHIN = re.compile(r"[.?&=#%][A-Za-z0-9]")
_URL_SIGNS = re.compile(
    r"[?&][\w.%-]+=|%[0-9A-Fa-f]{2}|[\w~%-]/[\w~%-]+[/._?#-]|\w_\w|=\w|/~|[#&]\w+|\A[/?&=%~]\w|\w/\Z|[\w~-]{2}\.[\w~-]{2}"
)
_MANY_SIGNS = re.compile(r"\w\S*[~!$&*+=@_;:/,%#]\S*[~!$&*+=@_;:/,%#]\S*\w")
# Letters and digits by turns, as in what a machine has named.
_MADE_UP = re.compile(r"(?=[A-Za-z0-9]{6})(?:[A-Za-z]+[0-9]+[A-Za-z]+[0-9]|[0-9]+[A-Za-z]+[0-9]+[A-Za-z])")
_LETTERS_AND_DIGITS = re.compile(r"(?=\S*[0-9]\S*[0-9])(?=\S*[A-Za-z])[\w.~%+-]{4,}")
_SLUG = re.compile(r"\w+(?:-\w+){3,}")
_ODD_SIGNS = re.compile(r"\w[,;$!*()+@~]\w")

STRONG_LOOKS = (_URL_SIGNS, _MANY_SIGNS, _MADE_UP)
WEAK_LOOKS = (_LETTERS_AND_DIGITS, _SLUG, _ODD_SIGNS)
"""Names with digits and slugs stand in prose too; a rest of a URL they are where nothing follows in their line."""


def is_inside_of_url(token: str, *, alone: bool, search: bool) -> bool:
    """Whether a token looks like the inside of a URL rather than prose.

    Args:
        token: the token.
        alone: whether nothing follows it in its line.
        search: whether the URL is in its search already, where no file's name is to be expected.
    """
    if len(token) > LONG_TOKEN:
        return True
    if _NUMBERS.match(token) or _WORD.match(token) or _ABBREVIATION.match(token):
        return False
    if EXTENSION.search(token):
        return not search
    return any(look.search(token) for look in (STRONG_LOOKS + WEAK_LOOKS if alone else STRONG_LOOKS))


def is_plainly_of_url(token: str) -> bool:
    """Whether no prose could hold the token, wherever it stands."""
    return len(token) > LONG_TOKEN or _MANY_SIGNS.search(token) is not None


def is_end_of_path(token: str, *, behind_slash: bool) -> bool:
    """Whether a token may be the end of a path that was cut, and is none that people put in a line alone.

    Behind a slash, where a URL may well end, a single name is none.
    """
    if behind_slash and not _NAMES_IN_PATH.match(token):
        return False
    return _PATH.match(token[:LOOK]) is not None and token.rstrip(".,;:!?)>") not in WORDS_ALONE


def is_host(token: str) -> bool:
    """Whether a token is a host of its own rather than a file's name: `files.tar.gz` is none."""
    token = token[:LOOK]
    return _BARE_HOST.match(token) is not None and not EXTENSION.search(token)
