"""The evidence for or against a URL going on behind a line break: one row for each feature, a function of the record.

Most values are 1 or 0. No feature is a rule: its weight was fitted on labelled mail (`weights.json`), and the sum
decides. Where two or three features mean more together than each alone, their product is a row of `PRODUCTS`. Rows that
name no standard rest on habits of mail programs, which are guesses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from msgspec import Struct

from urlglean.expressions import compiled
from urlglean.text.file_extension import EXTENSION, ends_in_fitted_one, goes_through_one
from urlglean.text.joining.break_record import CLOSING, LOOK, Break, Context
from urlglean.text.joining.common import COMMON
from urlglean.text.joining.words import bits_for_a_words_end, bits_for_one_word
from urlglean.text.line_lengths import SHORT

GUESS = "guess"


Reads = Literal["token", "ends", "letters", "extension", "lengths", "shape", "context"]
"""The attributes of a break that features read."""


class Feature(Struct, frozen=True):
    """A row: its name, the document and section that it rests on (or "guess"), and its value.

    `value` is a function of the one attribute of the break that the row `reads`. Mail repeats words, lengths of lines
    and the like, so values are cached (`weights.KEPT`). The `context` is read last, and only if it could matter
    (`weights.Scale`). At most one row of a `group` is not 0.
    """

    name: str
    source: str
    value: Callable[[Any], float]
    reads: Reads
    group: str = ""

    def of(self, at: Break) -> float:
        """The value for a break."""
        return float(self.value(getattr(at, self.reads)))


class Product(Struct, frozen=True):
    """A row: a feature whose value is the product of others, by name. The values of these are 1 or 0."""

    name: str
    factors: tuple[str, ...]


# Lines and columns. Mail programs cut a word that is too long at a column of theirs, a formatter breaks behind a `/` or
# a hyphen where the next stretch would not fit, and far more often a URL simply ends its line.

_MORE = float("inf")
_LENGTHS = ((0, 40), (40, 50), (50, 58), (68, 72), (72, 74), (76, 77), (77, 79), (82, 100), (100, _MORE))
_ROOMS = ((-3, 0), (6, 12), (12, _MORE))
_SEPARATORS = frozenset("/-_=&?.%")
_OPENERS = frozenset('([<"')
_ENDS_A_SENTENCE = frozenset({"", *".!?:"})
"""The last characters of lines; "" if there is no line."""


def _within(low: float, high: float, lengths: tuple[int, int]) -> bool:
    return low <= lengths[0] < high


def _room(low: float, high: float, context: Context) -> bool:
    return context.room is not None and low <= context.room < high


def _has_no_room(context: Context) -> bool:
    return context.room is not None and not context.fits


def _stretch(name: str, low: int, high: float) -> str:
    """The name of a half-open stretch."""
    return f"{name} {low} to {'more' if high == _MORE else int(high) - 1}"


LINES = (
    *(Feature(_stretch("line of", *each), GUESS, partial(_within, *each), "lengths") for each in _LENGTHS),
    *(Feature(_stretch("room of", *each), GUESS, partial(_room, *each), "context", "room") for each in _ROOMS),
    Feature("line under 58", GUESS, lambda lengths: lengths[0] < SHORT, "lengths"),
    Feature("line of 72 to 80", GUESS, lambda lengths: 72 <= lengths[0] <= 80, "lengths"),
    Feature("next word would have fitted", GUESS, lambda context: context.fits, "context", "next word"),
    Feature("no room for the next word", GUESS, _has_no_room, "context", "next word"),
    Feature("longest line near by", GUESS, lambda context: context.longer == 0, "context", "longer"),
    Feature("many longer near by", GUESS, lambda context: context.longer >= 4, "context", "longer"),
    Feature("another just as long", GUESS, lambda context: context.as_long == 1, "context", "as long"),
    Feature("others just as long", GUESS, lambda context: context.as_long > 1, "context", "as long"),
    Feature("begins its line", GUESS, lambda shape: not shape.before, "shape"),
    Feature("indented", GUESS, lambda shape: not shape.before and shape.has_margin and shape.depth == 0, "shape"),
    Feature("bracket or quote before", GUESS, lambda shape: shape.before in _OPENERS, "shape"),
    Feature("next line longer", GUESS, lambda lengths: lengths[1] > lengths[0] + 3, "lengths"),
    Feature("next line shorter", GUESS, lambda lengths: lengths[1] < lengths[0], "lengths"),
    Feature("next line just as long", GUESS, lambda lengths: lengths[1] == lengths[0] >= 50, "lengths"),
)

# The breaks before this one. A scrap of a line between two full ones comes from wrapping twice.

BEFORE = (Feature("went on in a scrap of a line", GUESS, lambda shape: shape.is_scrap, "shape"),)

# Margins: a quotation that was wrapped again leaves its overflow in a line without the prefix.

MARGINS = (
    Feature("depth falls", "RFC 3676 4.5", lambda shape: shape.depth > shape.next_depth, "shape"),
    Feature("depth rises", "RFC 3676 4.5", lambda shape: shape.depth < shape.next_depth, "shape"),
    Feature(
        "prefix lost for one line",
        GUESS,
        lambda shape: shape.next_depth < shape.depth <= shape.below_depth,
        "shape",
    ),
)

# The end of the URL, as far as it was read.

_LAST = {
    "a letter": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "a slash": "/",
}


def _ends_in(signs: str, ends: str) -> bool:
    return ends[0] in signs


ENDS = (
    *(Feature(f"ends in {name}", GUESS, partial(_ends_in, signs), "ends") for name, signs in _LAST.items()),
    Feature("ends in a letter or digit", GUESS, lambda ends: ends[0].isalnum(), "ends"),
    Feature("ends in a separator", GUESS, lambda ends: ends[0] in _SEPARATORS, "ends"),
    Feature("a host and its slash", GUESS, lambda shape: shape.host == "slash", "shape"),
    Feature("host unfinished", "RFC 1034 3.1", lambda shape: shape.host == "unfinished", "shape"),
    Feature("in a search", "RFC 1738 3.3", lambda shape: shape.has_search, "shape"),
    Feature("in a fragment", "RFC 3986 3.5", lambda shape: shape.has_fragment, "shape"),
    Feature("ends in an extension", GUESS, lambda extension: ends_in_fitted_one(extension[0]), "extension"),
    Feature("extension cut", GUESS, lambda extension: goes_through_one(*extension), "extension"),
    Feature("token closes the bracket", GUESS, lambda shape: shape.is_closed, "shape"),
    Feature("URL of 60 and more", GUESS, lambda shape: shape.is_long, "shape"),
    Feature("not valid with the token", "the grammar", lambda context: not context.joined_valid, "context"),
    Feature("stands whole elsewhere", GUESS, lambda context: context.stands_whole, "context"),
    Feature("stands whole elsewhere with the token", GUESS, lambda context: context.joined_stands_whole, "context"),
    Feature("another name behind it elsewhere", GUESS, lambda context: context.has_siblings, "context"),
    Feature("last name long", GUESS, lambda shape: shape.has_long_name, "shape"),
)


# The token: what stands first in the next line.

# What a token looks like as a whole, or at its beginning. Closing punctuation of a sentence may follow.
_LOOKS = {
    "capitalized word": r"[A-Z][a-z]+[,.;:!?]*\Z",
    "number with signs": r"[$€£(+#~v]{0,2}[0-9][0-9.,:/%()$-]*(?<!/)(?:[A-Za-z]{1,3})?[.;!?]?\Z",
    "setting": r"[A-Z][A-Z_0-9]{2,}=",
    "hexadecimal": r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,}(?![0-9A-Za-z])",
    "telephone": r"\+?\d[\d()./-]{6,}\d\W*\Z",
    "label": r"[^\s/?&=]+:\Z",
    "list item": r"(?:[-*+o•·]|[(\[]?(?:[0-9]{1,3}|[a-zA-Z])[)\].:])\Z|\[[^\]\s]{1,12}\]",
    "ruler": r"[-=_*~#+.`]{3,}|--\Z",
    "signs that URLs do not hold": r"(?![!#-;=?-\[\]_a-zA-Z~]++[)>\]\"'.,;:!?*_}|»”’]*+\Z)",
    "sign and letter": r"[.?&=#%][A-Za-z0-9]",
    "top of a host": r"\.?(?:[a-z0-9-]+\.)*[a-z]{2,6}(?::[0-9]+)?(?:/|[.,;:)>]*\Z)",
}
# What a token holds anywhere. The first string is a sign that must be there, which is quick to look for.
_HOLDS = {
    "slash at its end": ("/", r"\w/\Z"),
    "value of a search": ("=", r"\w=\w"),
    "name of a search": ("=", r"[?&]\w+="),
    "odd signs inside": ("", r"[,;$!*()+@~:]\w"),
    "sign of a URL": ("", r"\w[/?&=%#_]\w|[?&]\w+="),
    "change of case": ("", r"[a-z][A-Z]"),
    "four digits": ("", r"\d\D*\d\D*\d\D*\d"),
    "four words": ("", r"(?:[A-Za-z]{2,}+[^A-Za-z]++(?:[A-Za-z][^A-Za-z]++)*+){3}[A-Za-z]{2}"),
}
_WORD = compiled(r"[(\"'\[]*([A-Za-z]+)(?:/([A-Za-z]+))?(?:['’][a-z]+)?[.,;:!?)\"'\]]*\Z")
_ABBREVIATION = compiled(r"\(?(?:[A-Za-z]\.){2,}[,;:)]*\Z")
_DELIMITERS = frozenset("/=&?#")


def _looks_like(pattern: re.Pattern[str], token: str) -> bool:
    return pattern.match(token, 0, LOOK) is not None


def _holds(sign: str, pattern: re.Pattern[str], token: str) -> bool:
    return sign in token and pattern.search(token, 0, LOOK) is not None


def _is_word(token: str) -> bool:
    return _WORD.match(token, 0, LOOK) is not None


def _is_common(token: str) -> bool:
    """Whether it is a common word of prose, two of them with a slash between, or an abbreviation such as `e.g.`."""
    found = _WORD.match(token, 0, LOOK)
    if found is None:
        return _ABBREVIATION.match(token, 0, LOOK) is not None
    return found[1].lower() in COMMON and (found[2] is None or found[2].lower() in COMMON)


def _size(low: int, high: float, token: str) -> bool:
    return low <= len(token.rstrip(CLOSING)) < high


_of_token = partial(Feature, reads="token")

TOKENS = (
    _of_token("token: an opening bracket first", GUESS, lambda token: token[0] in "([{"),
    *(_of_token(f"token: {name}", GUESS, partial(_looks_like, compiled(look))) for name, look in _LOOKS.items()),
    *(
        _of_token(f"token holds {name}", GUESS, partial(_holds, sign, compiled(look)))
        for name, (sign, look) in _HOLDS.items()
    ),
    _of_token("token holds an extension", GUESS, lambda token: EXTENSION.search(token, 0, LOOK) is not None),
    _of_token("token: letter or digit first", GUESS, lambda token: token[0].isalnum()),
    _of_token("token: a word", GUESS, _is_word),
    _of_token("token: a common word", GUESS, _is_common),
    # A hard cut may leave a single delimiter of the URL alone in the next line.
    _of_token(
        "token without letter or digit",
        GUESS,
        lambda token: token not in _DELIMITERS and not any(map(str.isalnum, token[:LOOK])),
    ),
    _of_token("token of 1 or 2", GUESS, partial(_size, 0, 3)),
    _of_token("token of 3 to 5", GUESS, partial(_size, 3, 6)),
    _of_token("token of 25 and more", GUESS, partial(_size, 25, _MORE)),
    _of_token("token closes a sentence", GUESS, lambda token: token[-1] in ".,;:!?)"),
)

# What stands behind the token, and in the lines above and below.

AROUND = (
    Feature("nothing behind", GUESS, lambda shape: not shape.behind, "shape"),
    Feature("nothing below", GUESS, lambda shape: not shape.has_below, "shape"),
    Feature("sign behind", GUESS, lambda shape: shape.behind != "" and not shape.behind.isalnum(), "shape"),
    Feature("four words behind", GUESS, lambda shape: shape.has_words_behind, "shape"),
    Feature("URL behind", GUESS, lambda shape: shape.has_url_behind, "shape"),
    Feature("URL below", GUESS, lambda shape: shape.has_url_below, "shape"),
    Feature("sentence ends above", GUESS, lambda shape: shape.above in _ENDS_A_SENTENCE, "shape"),
    Feature("the same in brackets behind", GUESS, lambda shape: shape.repeats, "shape"),
)

# Letters and digits on both sides of the break.

_RUN_BEFORE = compiled(r"(?:[A-Z]?[a-z]+|[A-Z]+)\Z")
_RUN_BEHIND = compiled(r"[A-Z]?[a-z]+|[A-Z]+")
MOST_BITS = 12


def _runs(before: str, behind: str) -> tuple[str, str] | None:
    """The runs of letters on both sides of a break: of one case, or capitalized; None if one side has none."""
    end, start = _RUN_BEFORE.search(before), _RUN_BEHIND.match(behind)
    return (end.group(), start.group()) if end and start else None


def _case_changes(ends: str) -> bool:
    return ends[:1].islower() and ends[1:2].isupper()


def _is_slash_between_names(ends: str) -> bool:
    return ends[0].isalnum() and ends[1] == "/" and ends[2:].isalnum()


def _one_word(letters: tuple[str, str]) -> float:
    runs = None if _case_changes(letters[0][-1:] + letters[1]) else _runs(*letters)
    return min(MOST_BITS, max(0.0, bits_for_one_word(*runs))) / 4 if runs else 0.0


def _no_word_ends_so(letters: tuple[str, str]) -> float:
    runs = _runs(*letters)
    return bits_for_a_words_end(runs[0]) / 4 if runs else 0.0


BOTH = (
    Feature("one word was cut", GUESS, _one_word, "letters"),
    Feature("no word ends so", GUESS, _no_word_ends_so, "letters"),
    Feature("a slash between names", GUESS, _is_slash_between_names, "ends"),
    Feature("within a name", GUESS, lambda ends: ends[0].isalnum() and ends[1].isalnum(), "ends"),
    Feature("case changes", GUESS, _case_changes, "ends"),
    Feature("letter, then digit", GUESS, lambda ends: ends[0].isalpha() and ends[1].isdigit(), "ends"),
    Feature("digits on both sides", GUESS, lambda ends: ends[0].isdigit() and ends[1].isdigit(), "ends"),
)

FEATURES = (*LINES, *BEFORE, *MARGINS, *ENDS, *TOKENS, *AROUND, *BOTH)

_PRODUCTS = (
    ("nothing behind", "nothing below"),
    ("nothing behind", "token: a common word"),
    ("nothing behind", "depth falls"),
    ("nothing behind", "token: a word"),
    ("nothing behind", "token of 1 or 2", "token: letter or digit first"),
    ("ends in an extension", "token: letter or digit first"),
    ("host unfinished", "token: top of a host"),
    ("ends in a slash", "token holds sign of a URL"),
    ("ends in a slash", "token: a word"),
    ("in a search", "token holds value of a search"),
    ("line under 58", "within a name"),
    ("within a name", "room of -3 to -1"),
    ("within a name", "room of 6 to 11"),
    ("a slash between names", "no room for the next word"),
)
FACTORS = frozenset({"no room for the next word", "token: letter or digit first"})
"""Features without a weight of their own: they only multiply others."""

PRODUCTS = tuple(Product(" * ".join(factors), factors) for factors in _PRODUCTS)
