"""What a caller asks to search in addition to the usual URLs: further schemes, and hosts without a scheme."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from urlglean.errors import SchemeNameError
from urlglean.lazy import pattern

LONGEST_SCHEME = 60
"""The length in characters of the longest scheme that is searched; a longer run before a colon is not a scheme."""

_NAME = pattern(r"[A-Za-z][A-Za-z0-9+.-]*+")


class SearchTerms(Struct, frozen=True):
    """What the caller asked to search in addition to the usual URLs.

    Attributes:
        schemes: names of schemes in lower case; their bare URLs are searched with "//" behind the colon and without.
        bare_hosts: whether `www.host/...` and `ftp.host/...` are taken for URLs without their scheme.
    """

    schemes: frozenset[str] = frozenset()
    bare_hosts: bool = False


USUAL = SearchTerms()
"""Nothing in addition to the usual URLs."""


def search_terms(schemes: Iterable[str] = (), *, bare_hosts: bool = False) -> SearchTerms:
    """The search terms for these options. The names are checked and put in lower case (RFC 3986 3.1).

    If nothing is asked in addition, they are `USUAL` itself, which the scanner need not compare.

    Raises:
        SchemeNameError: one of the names is not a possible name of a scheme.
        TypeError: `schemes` is no iterable of str, or is a single str.
    """
    asked = SearchTerms(frozenset(map(_checked, several_names("schemes", schemes))), bare_hosts)
    return USUAL if asked == USUAL else asked


def several_names(what: str, given: object) -> tuple[str, ...]:
    """What was given for the argument `what`, as a tuple of names. A single str would be taken for its letters.

    Raises:
        TypeError: it is no iterable of str.
    """
    if isinstance(given, Iterable) and not isinstance(given, str):
        names = tuple(given)
        if all(isinstance(name, str) for name in names):
            return names
    raise TypeError(f"{what} must be several str, not {given!r}")


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name) or len(name) > LONGEST_SCHEME:
        raise SchemeNameError(name, LONGEST_SCHEME)
    return name.lower()
