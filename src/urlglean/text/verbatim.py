r"""Commands whose arguments stand between equal signs, whichever these are: `\verb+http://host/x+` of TeX, `s#a#b#`.

The latter is the substitution of sed (POSIX.1-2017) and vi.
"""

from __future__ import annotations

import re

from urlglean.lazy import pattern
from urlglean.text.quote_prefix import LINE_BREAK

_COMMANDS = "verb|Verb|url|path|nolinkurl|href|lstinline"
_LONGEST = 12
"""The most code points of such a command with its backslash, star and sign."""

SIGNS = "+!=#~*-;&$%^_?@."
"""The signs that may both delimit an argument and belong to a URL in it."""

BEFORE_SCHEME = pattern(rf".*(?:\\(?:{_COMMANDS})\*?|(?<![A-Za-z0-9+.-])s(?:\+[^+\s]*+)?)\+(?=[A-Za-z])", re.DOTALL)
"""The pattern of a text up to the sign before a scheme, if that sign could belong to the scheme."""

# Behind a folder of Windows, `\path=` sets a variable.
_BEFORE = pattern(rf"\\(?:{_COMMANDS})\*?([^A-Za-z0-9\s{{=]|(?<!\w\\path)=)\Z")

_OF_SUBSTITUTION = "+!#~;^@"
"""The signs of `SIGNS` that stand between the parts of substitutions. The others are more often those of URLs."""

_SUBSTITUTION = pattern(rf"(?<![A-Za-z0-9])s([{_OF_SUBSTITUTION}])(?:(?!\1)[^\r\n])*+(\1)?\Z")
_FARTHEST = 300
"""In so many code points before the second part of a substitution its beginning is searched, and its end behind it."""


def delimiter(text: str, start: int) -> str:
    """The sign that ends an argument which begins at `start`; "" if no such command precedes it."""
    found = _BEFORE.search(text, max(0, start - _LONGEST), start)
    return found[1] if found else _substituted(text, start)


def _substituted(text: str, start: int) -> str:
    """The sign that ends the part of a substitution in which `start` is; "" if it is in none."""
    found = _SUBSTITUTION.search(text, max(0, start - _FARTHEST), start)
    if found is None:
        return ""
    sign, is_second = found[1], found[2] is not None
    line = LINE_BREAK.search(text, start, start + _FARTHEST)
    rest = text[start : line.start() if line else start + _FARTHEST]
    return sign if rest.count(sign) >= (1 if is_second else 2) else ""
