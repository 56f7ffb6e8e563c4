"""The end of a URL that is the destination of a link, where the syntax of the link states it.

Signs that end a URL in prose belong to it there: `[Apple](https://host/wiki/Apple_Inc.)`.
"""

from __future__ import annotations

import re

from msgspec import Struct

from urlglean.lazy import LazyPattern, pattern

_LONGEST = 2000
"""A destination has at most so many code points."""

# Left out are signs that these formats escape, signs that are not seen, and such as hint at something else: the bar
# before a label of Slack, quotation marks, an ellipsis.
_NEVER = r"\s\x00-\x1f\x7f-\x9f<>\"“”„…\\|`{}\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufffd"


class Destination(Struct, frozen=True):
    """A row: a syntax of links.

    Attributes:
        source: where it is specified.
        opens: what stands directly before the destination.
        until: the pattern of a destination, up to what closes it.
    """

    source: str
    opens: LazyPattern[str, re.Match[str]]
    until: LazyPattern[str, re.Match[str]]


DESTINATIONS = (
    Destination(
        "CommonMark 6.3",
        pattern(r"\]\(\Z"),
        pattern(rf"[^{_NEVER}()]*+(?:\([^{_NEVER}()]*+\)[^{_NEVER}()]*+)*+(?=\)|[ \t]+[\"'(])"),
    ),
    Destination("Org manual, Link Format", pattern(r"\[\[\Z"), pattern(rf"[^{_NEVER}\[\]]++(?=\]\[|\]\])")),
    Destination("LaTeX, hyperref", pattern(r"\\(?:url|href|nolinkurl)\{\Z"), pattern(rf"[^{_NEVER}]++(?=\}})")),
)
_NO_END = ("..", "’")
_REFERENCE = pattern(r"&(?:quot|gt|lt|nbsp|#[0-9]{2,5});", re.IGNORECASE)
_LONGEST_OPENING = len("\\nolinkurl{")
_LAST = frozenset("([{")


def destination_end(text: str, start: int) -> int:
    """Where the destination of a link ends that begins at `start`; 0 if none does."""
    if text[start - 1 : start] not in _LAST:
        return 0
    before = text[max(0, start - _LONGEST_OPENING) : start]
    row = next((row for row in DESTINATIONS if row.opens.search(before)), None)
    found = row.until.match(text, start, start + _LONGEST) if row else None
    if found is None or found[0].endswith(_NO_END) or _REFERENCE.search(found[0]):
        return 0
    return found.end()
