"""Finds a remark behind the URL inside a wrapper. All rules are guesses.

By RFC 1738's appendix all white space in a wrapper is ignored, but people also write
`<URL:ftp://host/a.ps or b.ascii>`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from urlglean.records import Span
from urlglean.text.gaps import Gap
from urlglean.text.scheme_triggers import SCHEME, URL_AHEAD

_FUNCTION_WORD = re.compile(r"(?:or|and|at|in|via|see|for|from|by|on|with|to|also|then)(?=[\s,.;]|\Z)", re.IGNORECASE)
_BRACKET_OR_QUOTE = re.compile(r"[(\[{'`“”‘’«*][A-Za-z]+[,;:]?\s")
_NEXT_URL = re.compile(f"{SCHEME}://|{URL_AHEAD}", re.IGNORECASE)
_PROSE_LINE = re.compile(r"(?:[A-Za-z]+[,;:]?[ \t]+){3}[A-Za-z]")
# A single short word may be the end of a URL that was broken; a longer word, or two words, are prose.
_PLAIN_WORDS = re.compile(r"[A-Za-z]{4,}[,.;:!?)]?(?:\s|\Z)|[A-Za-z]+[,.;:!?)]?\s+\(?[A-Za-z]")


class CommentRule(Struct, frozen=True):
    """A row: the rule's name, and a function that says whether the text behind a gap is a remark.

    The function gets the text from the gap's end on, the gap, and the kind of wrapper.
    """

    name: str
    holds: Callable[[str, Gap, str], bool]


REMARK_RULES = (
    CommentRule("function-word", lambda rest, gap, _: not gap.line_break and _FUNCTION_WORD.match(rest) is not None),
    CommentRule(
        "bracket-or-quote", lambda rest, gap, _: not gap.line_break and _BRACKET_OR_QUOTE.match(rest) is not None
    ),
    CommentRule("next-url", lambda rest, _gap, _: _NEXT_URL.match(rest) is not None),
    CommentRule("prose", lambda rest, _gap, _: _PROSE_LINE.match(rest) is not None),
    # Only in plain angle brackets: `<URL:` says that the whole content is the URL.
    CommentRule(
        "plain-words",
        # A slash behind the words shows that they are part of a path, as in old gopher selectors.
        lambda rest, gap, wrapper: (
            wrapper == "angle" and not gap.line_break and "/" not in rest and _PLAIN_WORDS.match(rest) is not None
        ),
    ),
)


def comment_start(text: str, span: Span, found: tuple[Gap, ...], wrapper: str) -> int | None:
    """The number of the first gap in `found` that a remark follows, counted from 0; None if there is no remark."""
    colon = text.find(":", span.start, span.end)
    for n, gap in enumerate(found):
        if gap.span.start <= colon:
            continue  # the scheme itself is broken here
        rest = text[gap.span.end : min(span.end, gap.span.end + 80)]
        if any(rule.holds(rest, gap, wrapper) for rule in REMARK_RULES):
            return n
    return None
