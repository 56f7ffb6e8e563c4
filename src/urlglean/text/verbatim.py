r"""TeX's commands whose argument stands between two equal signs, whichever these are: `\verb+http://host/x+`."""

from __future__ import annotations

import re

from urlglean.lazy import pattern

_COMMANDS = "verb|Verb|url|path|nolinkurl|href|lstinline"
_LONGEST = 12
"""The most code points of such a command with its backslash, star and sign."""

SIGNS = "+!=#~*-;&$%^_?@."
"""The signs that may both delimit an argument and belong to a URL in it."""

BEFORE_SCHEME = pattern(rf".*\\(?:{_COMMANDS})\*?\+(?=[A-Za-z])", re.DOTALL)
"""The pattern of a text up to the sign before a scheme, if that sign could belong to the scheme."""

# Behind a folder of Windows, `\path=` sets a variable.
_BEFORE = pattern(rf"\\(?:{_COMMANDS})\*?([^A-Za-z0-9\s{{=]|(?<!\w\\path)=)\Z")


def delimiter(text: str, start: int) -> str:
    """The sign that ends an argument which begins at `start`; "" if no such command precedes it."""
    found = _BEFORE.search(text, max(0, start - _LONGEST), start)
    return found[1] if found else ""
