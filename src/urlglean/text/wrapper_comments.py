"""Finds a remark behind the URL inside a wrapper. All rules are guesses.

By RFC 1738's appendix all white space in a wrapper is ignored, but people also write
`<URL:ftp://host/a.ps or b.ascii>`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from urlglean.expressions import compiled
from urlglean.records import Span
from urlglean.text.file_extension import ends_in_one
from urlglean.text.gaps import Gap
from urlglean.text.scheme_triggers import SCHEME, URL_AHEAD, is_cut_within_inner

_FUNCTION_WORD = compiled(r"(?:or|and|at|in|via|see|for|from|by|on|with|to|also|then)(?=[\s,.;]|\Z)", re.IGNORECASE)
_BRACKET_OR_QUOTE = compiled(r"[(\[{'`“”‘’«*][A-Za-z]+[,;:]?\s")
_NEXT_URL = compiled(f"{SCHEME}://|{URL_AHEAD}", re.IGNORECASE)
# What stands before the "://" of another URL: it begins behind words or in a bracket; behind a line end, in a bracket.
# The first word is no path, behind which a remark may follow, but may have a slash or be a number or an abbreviation.
_FIRST_WORD = (
    r"[^\w\s/]*+(?:v?[0-9][0-9.]*+|(?:[A-Za-z]\.)++[A-Za-z]?|\w{2,}+/\w{2,}+|[A-Z0-9]++(?:/[A-Z0-9]++)++|no\.[0-9]++"
    r"|/{1,2}|\w++(?:[&'’+,:-]\w++)*+)?[^\w\s/]*+"
)
_BEFORE_LATER = compiled(rf"(?:{_FIRST_WORD}[ \t]++(?:\S++[ \t]++)*+)?+[(\[]?[A-Za-z][A-Za-z0-9+.-]*+\Z")
_BEFORE_BRACKETED = compiled(r"[(\[](?:[A-Za-z]+[,:]?[ \t]+)*[A-Za-z][A-Za-z0-9+.-]*\Z")
# Before the address of a copy, and before the value of a search: in one line, these hold another URL too.
_HOLDS_URL = compiled(r"(?:[=?]|/(?:(?<=/web/)[0-9]{4,14}|[0-9]{8,14}|\*)(?:[a-z]{2}_)?/)\Z")
_PROSE_LINE = compiled(r"(?:[A-Za-z]+[,;:]?[ \t]+){3}[A-Za-z]")
# A single short word may be the end of a URL that was broken; a longer word, or two words, are prose.
_PLAIN_WORDS = compiled(r"[A-Za-z]{4,}[,.;:!?)]?(?:\s|\Z)|[A-Za-z]+[,.;:!?)]?\s+\(?[A-Za-z]")

_WORD = compiled(r"[^\w\s/]*+\s*+[A-Za-z]{2,}+[^\w\s/]*+(?:\s|\Z)|\([^()]{1,60}+\)\s*+\Z")
# Between two blanks. Behind a hyphen, one word may be the rest of a URL that somebody wrote with blanks, and so may
# words up to a file's extension.
_DASH = compiled(r"(?![^\n]*[./]\w{1,5}\s*\Z)(?:(?:-{2,3}|[–—])[ \t]++\w|-[ \t]++\w++[ \t]++\w)")
# Who breaks a line leaves no blank within the rest of a URL.
_WORDS_IN_BRACKETS = compiled(r"\([^()\s]++[ \t][^()\r\n]*+\)\s*+\Z")
_TWO_WORDS = compiled(r"[A-Za-z]{2,}+[ \t]++[A-Za-z]{2,}+\s*+\Z")

_NAME = compiled(r"[A-Za-z][A-Za-z-]++")

# The first half of an arrow, of which the second closes the wrapper.
_SHAFT = compiled("-{1,3}|={1,3}")
# The scheme, and what stands before the URL's first name.
_BEGIN = compiled(r"[^:]*+:[\s/]*+")

_SHORTEST_LABEL = 3

_LOOK, _LOOK_AHEAD = 30, 80
"""How many code points before and behind a gap are examined."""


class CommentRule(Struct, frozen=True):
    """A row: the rule's name, and a function that says whether the text behind a gap is a remark.

    The function gets the URL's end before the gap, the text from the gap's end on, the gap, and the kind of wrapper.
    Where another URL may begin behind a line end, the other gaps are left out of both but for their line ends.
    """

    name: str
    holds: Callable[[str, str, Gap, str], bool]


def _is_next_url(url: str, rest: str, gap: Gap) -> bool:
    """Whether another URL begins behind a gap, and neither its scheme nor a URL that holds it was broken there."""
    if _NEXT_URL.match(rest) is None:
        return False
    return not (gap.line_break and (_HOLDS_URL.search(url) or is_cut_within_inner(url, rest.replace("\n", ""))))


def _is_before_url(rest: str, *, is_cut: bool) -> bool:
    """Whether another URL stands in the line behind a gap, where the rest of a URL that was broken has none."""
    before, found, _ = rest.partition("://")
    if not found or "\n" in before:
        return False
    return (_BEFORE_BRACKETED if is_cut else _BEFORE_LATER).match(before) is not None


def _repeats_name(url: str, label: str) -> bool:
    """Whether a label is the last name of the URL's path once more, as in links of Haddock."""
    name = url.rstrip("/").rpartition("/")[2]
    return len(label) >= _SHORTEST_LABEL and name.lower() == label.lower()


REMARK_RULES = (
    CommentRule(
        "function-word", lambda _url, rest, gap, _: not gap.line_break and _FUNCTION_WORD.match(rest) is not None
    ),
    CommentRule(
        "bracket-or-quote", lambda _url, rest, gap, _: not gap.line_break and _BRACKET_OR_QUOTE.match(rest) is not None
    ),
    CommentRule("next-url", lambda url, rest, gap, _: _is_next_url(url, rest, gap)),
    # `<URL -> another>`
    CommentRule("arrow", lambda _url, rest, gap, _: not gap.line_break and _SHAFT.fullmatch(rest) is not None),
    CommentRule("dash", lambda _url, rest, gap, _: not gap.line_break and _DASH.match(rest) is not None),
    CommentRule(
        "words-in-brackets-below",
        lambda _url, rest, gap, _: bool(gap.line_break) and _WORDS_IN_BRACKETS.match(rest) is not None,
    ),
    CommentRule(
        "words-below-a-file",
        lambda url, rest, gap, _: bool(gap.line_break) and ends_in_one(url) and _TWO_WORDS.match(rest) is not None,
    ),
    CommentRule("later-url", lambda _url, rest, gap, _: _is_before_url(rest, is_cut=bool(gap.line_break))),
    CommentRule("prose", lambda _url, rest, _gap, _: _PROSE_LINE.match(rest) is not None),
    CommentRule(
        "repeated-name",
        lambda url, rest, gap, wrapper: (
            wrapper == "angle" and not gap.line_break and _repeats_name(url, rest.partition(" ")[0])
        ),
    ),
    # Of git, as `"git://host/a.git` / `for-next"`: the branch to pull.
    CommentRule(
        "branch",
        lambda url, rest, gap, wrapper: (
            wrapper == "quoted" and bool(gap.line_break) and url.endswith(".git") and _NAME.fullmatch(rest) is not None
        ),
    ),
    # Only in plain angle brackets: `<URL:` says that the whole content is the URL.
    CommentRule(
        "plain-words",
        # A slash behind the words shows that they are part of a path, as in old gopher selectors.
        lambda _url, rest, gap, wrapper: (
            wrapper == "angle" and not gap.line_break and "/" not in rest and _PLAIN_WORDS.match(rest) is not None
        ),
    ),
)


def comment_start(text: str, span: Span, found: tuple[Gap, ...], wrapper: str) -> int | None:
    """The number of the first gap in `found` that a remark follows, counted from 0; None if there is no remark."""
    begins = _BEGIN.match(text, span.start, span.end)
    for n, gap in enumerate(found):
        if begins and gap.span.start < begins.end():
            continue  # the scheme or the "//" behind it is broken here
        url = text[max(span.start, gap.span.start - _LOOK) : gap.span.start]
        rest = text[gap.span.end : min(span.end, gap.span.end + _LOOK_AHEAD)]
        # Only of an inner URL several breaks matter.
        if gap.line_break and _NEXT_URL.match(rest):
            url, rest = _before(text, span, found, n), _behind(text, span, found, n)
        if any(rule.holds(url, rest, gap, wrapper) for rule in REMARK_RULES):
            return n
    return None


def _before(text: str, span: Span, found: tuple[Gap, ...], n: int) -> str:
    """The end of the URL before a gap, without the gaps in it."""
    end = found[n].span.start
    low = max(span.start, end - _LOOK)
    pieces: list[str] = []
    while n and found[n - 1].span.end > low:
        n -= 1
        pieces.append(text[found[n].span.end : end])
        end = found[n].span.start
    pieces.append(text[low:end])
    return "".join(reversed(pieces))


def _behind(text: str, span: Span, found: tuple[Gap, ...], n: int) -> str:
    """The beginning of what stands behind a gap; of the line ends and margins in it, a line end is left."""
    at = found[n].span.end
    high = min(span.end, at + _LOOK_AHEAD)
    pieces: list[str] = []
    while (n := n + 1) < len(found) and found[n].span.start < high:
        if found[n].line_break:
            pieces += text[at : found[n].span.start], "\n"
            at = found[n].span.end
    pieces.append(text[at:high])
    return "".join(pieces)


def word_start(text: str, span: Span, found: tuple[Gap, ...]) -> int | None:
    """The number of the first gap in `found` that a word follows in its line; None if there is none.

    It may begin a remark that no rule knows: who breaks a line leaves no blank within it.
    """
    within = (n for n, gap in enumerate(found) if not gap.line_break)
    return next((n for n in within if _WORD.match(text, found[n].span.end, span.end)), None)
