"""Which schemes a scan looks for, and what must stand behind their colons: made of the registry of schemes.

Inside `<URL:...>` any scheme is taken at its word; everywhere else a word before a colon is more often English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from urlglean.grammar.schemes import SCHEMES
from urlglean.lazy import pattern

WITHOUT_SLASHES = {row.name: pattern(row.prose.behind, re.IGNORECASE) for row in SCHEMES if row.prose.behind}
"""Schemes that stand in text without "//", each with what must follow its colon: "good news: the" is prose."""

WITH_SLASHES = frozenset(row.name for row in SCHEMES if row.prose.slashes)
"""Schemes that are known to stand before "//"; any other needs a host that looks like one."""

GLUED = tuple(row.name for row in SCHEMES if row.prose.glued)
"""Schemes that everybody knows: one of them right behind a word it is glued to is what was meant."""

SPLIT = tuple(scheme for scheme in GLUED if scheme not in WITHOUT_SLASHES)
"""Schemes whose "//" may have been moved to the next line inside a wrapper; others may stand without one."""


def any_of(names: Iterable[str]) -> str:
    """A pattern of one of the names, as they are written."""
    return f"(?:{'|'.join(map(re.escape, names))})"


URL_AHEAD = (
    rf"(?:{any_of(sorted(WITH_SLASHES))}://|{any_of(row.name for row in SCHEMES if row.prose.colon)}:)[a-z0-9\[]"
)
"""The beginning of another URL, for patterns that ignore case."""

AROUND = tuple(written for row in SCHEMES for written in row.prose.around)
"""Schemes, and what goes with them, that hold another URL with its scheme: right before one they are part of it."""

HOLDS_ONE = pattern(rf"{any_of(AROUND)}:(?=[a-z][a-z0-9+.-]*+://)", re.IGNORECASE)
"""What stands before the URL that one of those holds."""

SCHEME = r"[a-z][a-z0-9+.-]{1,20}"
"""The pattern of a scheme before "://" in prose (RFC 3986 3.1), in lower case: one letter alone is a drive's."""

# Underscores are none of a host's, but people use them, and are to be told.
_LABEL = "[a-z0-9_-]+"
TOP = "[a-z]{2,}"
"""The pattern of the last label of a host's name, in lower case."""

FIRST_LABELS = {"www[0-9]{0,2}": "http", "ftp[0-9]?": "ftp"}
"""The labels, in lower case, that tell a host without a scheme, each with the scheme that a reader puts there."""

FIRST_LABEL = f"(?:{'|'.join(FIRST_LABELS)})"
"""The pattern of one of them."""

_PLAUSIBLE_HOST = pattern(
    rf"""//(?:[^\s/@<>"]*@)?
    (?:localhost|\[[0-9a-f:.]+\]|(?:{_LABEL}\.)+(?:{TOP}|[0-9]{{1,3}}))
    (?![a-z0-9-])""",
    re.IGNORECASE | re.VERBOSE,
)
_SOMETHING = pattern(r"//[^\s<>\"]")
# Whoever asks for a scheme knows it: anything that closes nothing.
_OF_OWN = pattern(r"//[^\s<>\"]|(?!//)[^\s<>\"'.,;:!)\]}|`]")


def is_followed(text: str, scheme: str, at: int, own: AbstractSet[str] = frozenset()) -> bool:
    """Whether what stands at `at`, behind the scheme's colon, may go on a URL of it; `own` are the reader's schemes."""
    without = WITHOUT_SLASHES.get(scheme)
    if without is not None and without.match(text, at):
        return True
    behind = _SOMETHING if scheme in WITH_SLASHES else _PLAUSIBLE_HOST
    if behind.match(text, at):
        return True
    return scheme in own and _OF_OWN.match(text, at) is not None
