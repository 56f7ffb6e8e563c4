"""Finds the end of a URL in an attribute that source code writes within a string, as in `'<a href="http://host/'+x+'">'`.

The attribute has other quotation marks than the string, which ends within the attribute. This is a guess.
"""

from __future__ import annotations

from urlglean.lazy import pattern
from urlglean.records import Span
from urlglean.text.signs import LOOK_BACK

# What joins a string and a variable or a constant: in JavaScript, in PHP and in a shell.
_ENDS = pattern(r"'(?:[+.,]\s?[$A-Za-z_({]|\$[A-Za-z_{(])")
# Neither what is escaped nor the apostrophe in a word begins or ends a string.
_NEITHER = pattern(r"\\.|(?<=\w)'(?=\w)")


def string_end(text: str, attribute: Span) -> int | None:
    """Where the string ends in which an attribute in double quotation marks begins; None if it does not."""
    found = _ENDS.search(text, attribute.start, attribute.end)
    if found is None:
        return None
    line = text[max(0, attribute.start - LOOK_BACK) : attribute.start].rpartition("\n")[2]
    return found.start() if _NEITHER.sub("", line).count("'") % 2 else None
