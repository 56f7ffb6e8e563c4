"""What a reader asks for beside what is always looked for: schemes of their own, hosts that stand without a scheme."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from urlglean.errors import SchemeNameError
from urlglean.lazy import pattern

LONGEST_SCHEME = 60
"""Characters of the longest scheme that is looked for: a longer run of them before a colon is no scheme's name."""

_NAME = pattern(r"[A-Za-z][A-Za-z0-9+.-]*+")


class SearchTerms(Struct, frozen=True):
    """What is asked for.

    Attributes:
        schemes: in lower case; a bare URL of one is looked for with "//" behind its colon and without.
        bare_hosts: whether `www.host/...` and `ftp.host/...` are taken for URLs whose scheme was left out.
    """

    schemes: frozenset[str] = frozenset()
    bare_hosts: bool = False


USUAL = SearchTerms()
"""Nothing but what is always looked for."""


def search_terms(schemes: Iterable[str] = (), *, bare_hosts: bool = False) -> SearchTerms:
    """What is asked for, names checked; they are the same in upper and lower case (RFC 3986 3.1).

    Raises:
        SchemeNameError: one of the names can be none of a scheme's.
        TypeError: `schemes` is a str, or holds what is none.
    """
    if isinstance(schemes, str):
        raise TypeError("schemes must be several names, not one str")
    return SearchTerms(frozenset(map(_checked, schemes)), bool(bare_hosts))


def _checked(name: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"a scheme's name must be str, not {type(name).__name__}")
    if not _NAME.fullmatch(name) or len(name) > LONGEST_SCHEME:
        raise SchemeNameError(name, LONGEST_SCHEME)
    return name.lower()
