"""A wrapper that holds more than its URL: where a remark begins behind a blank. Guesses all, and kept apart for that.

By RFC 1738's appendix all white space in a wrapper is ignored; people also write `<URL:ftp://host/a.ps or b.ascii>`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from urlglean.records import Span
from urlglean.text.gaps import Gap
from urlglean.text.scheme_triggers import SCHEME

_FUNCTION_WORD = re.compile(r"(?:or|and|at|in|via|see|for|from|by|on|with|to|also|then)(?=[\s,.;]|\Z)", re.IGNORECASE)
_BRACKET_OR_QUOTE = re.compile(r"[(\[{'`“”‘’«*][A-Za-z]+[,;:]?\s")
_NEXT_URL = re.compile(f"{SCHEME}://", re.IGNORECASE)
_PROSE_LINE = re.compile(r"(?:[A-Za-z]+[,;:]?[ \t]+){3}[A-Za-z]")
# A single short word may as well be the end of a URL that somebody broke; a longer one, or two, is prose.
_PLAIN_WORDS = re.compile(r"[A-Za-z]{4,}[,.;:!?)]?(?:\s|\Z)|[A-Za-z]+[,.;:!?)]?\s+\(?[A-Za-z]")


class CommentRule(Struct, frozen=True):
    """A row: whether the text behind a gap is a remark (gets the text from the gap's end, the gap, the wrapper)."""

    name: str
    holds: Callable[[str, Gap, str], bool]


REMARK_RULES = (
    CommentRule("function-word", lambda rest, gap, _: not gap.line_break and _FUNCTION_WORD.match(rest) is not None),
    CommentRule(
        "bracket-or-quote", lambda rest, gap, _: not gap.line_break and _BRACKET_OR_QUOTE.match(rest) is not None
    ),
    CommentRule("next-url", lambda rest, _gap, _: _NEXT_URL.match(rest) is not None),
    CommentRule("prose", lambda rest, _gap, _: _PROSE_LINE.match(rest) is not None),
    # `<URL:` says that all of it is the URL; plain angle brackets say less.
    CommentRule(
        "plain-words",
        # A slash behind the words says that they are part of a path, as in old gopher selectors.
        lambda rest, gap, wrapper: (
            wrapper == "angle" and not gap.line_break and "/" not in rest and _PLAIN_WORDS.match(rest) is not None
        ),
    ),
)


def comment_start(text: str, span: Span, found: tuple[Gap, ...], wrapper: str) -> int | None:
    """Which of the gaps is followed by a remark rather than by more of the URL; None when none is."""
    colon = text.find(":", span.start, span.end)
    for n, gap in enumerate(found):
        if gap.span.start <= colon:
            continue  # the scheme itself is broken here
        rest = text[gap.span.end : min(span.end, gap.span.end + 80)]
        if any(rule.holds(rest, gap, wrapper) for rule in REMARK_RULES):
            return n
    return None
