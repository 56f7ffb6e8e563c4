"""Finds the candidates of a text, in wrappers and bare, in one pass over its colons.

RFC 1738's appendix gives the wrapper `<URL:...>` and the prefix `URL:`; RFC 3986 appendix C adds `<...>` and `"..."`.
What stands at a colon, `candidate_at` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from heapq import merge
from itertools import zip_longest
from operator import methodcaller

from msgspec.structs import replace

from urlglean.expressions import compiled
from urlglean.lazy import pattern
from urlglean.records import Span
from urlglean.text import fast_path
from urlglean.text.bare_hosts import BARE_HOST
from urlglean.text.candidate_at import WORDS, begin_of, candidate_at
from urlglean.text.candidates import Found
from urlglean.text.search_terms import USUAL, SearchTerms

_SUFFIXES = "|".join(sorted({word[-2:] for word in WORDS}))
_LAST_LETTERS = "".join(sorted({letter for word in WORDS for letter in (word[-1], word[-1].upper())}))
# A colon before "//", or behind the last two letters of a word of `WORDS`. Few colons match; those are examined. The
# test of one letter comes first, because it is much faster.
_COLON = rf"//|(?<=[{_LAST_LETTERS}]:)(?<=(?i:{_SUFFIXES}):)"


def _at_colons(which: str, *, fast: bool) -> str:
    """The pattern of the colons behind which `which` matches, with `fast_path.REST` if that matches too."""
    return rf":(?={which})(?:{fast_path.REST})?+" if fast else rf":(?={which})"


_TRIGGER = compiled(_at_colons(_COLON, fast=True))
_SLOW_TRIGGER = pattern(_at_colons(_COLON, fast=False))
_BEFORE = 1000
"""The rules for the beginning and the end of a URL examine fewer characters before it."""


def scan_text(text: str, *, fast: bool, search_terms: SearchTerms = USUAL) -> Iterator[Found | Span]:
    """The candidates of a text, in order and without overlap.

    Args:
        text: the whole text.
        fast: whether the fast path may be used (see `fast_path`); it reads and judges simple URLs at once, and yields
            most of them as a `Span` only.
        search_terms: the schemes and hosts to search in addition to the usual ones.
    """
    hits = (
        (_TRIGGER if fast else _SLOW_TRIGGER).finditer(text)
        if search_terms is USUAL
        else _hits(text, Span(0, len(text)), search_terms, fast=fast)
    )
    done = 0
    for hit in hits:
        if hit.start() < done:
            continue
        # Only a match of the fast path has groups.
        if (number := hit.lastindex) and (at := fast_path.at_colon(text, hit, number, done)) is not None:
            yield at
            done = at.end if isinstance(at, Span) else at.resume
        elif (found := candidate_at(text, hit, done, search_terms, fast=fast)) is not None:
            yield found
            done = found.resume


def may_hold_one(text: str, stretch: Span, search_terms: SearchTerms) -> bool:
    """Whether a candidate may begin in a stretch. It is a fast test."""
    return search_terms.bare_hosts or text.find(":", stretch.start, stretch.end + len("//")) >= 0


def scan_stretch(text: str, stretch: Span, search_terms: SearchTerms = USUAL) -> Iterator[Found]:
    """The candidates that begin in a stretch of a text, as if nothing before it belonged to a candidate.

    Only the stretch and the candidates in it are read.
    """
    done = stretch.start
    # The pattern of the fast path would need the text behind the stretch.
    for hit in _hits(text, stretch, search_terms, fast=False):
        if hit.start() >= done and (found := candidate_at(text, hit, done, search_terms, fast=False)) is not None:
            yield found
            done = found.resume


def scan_parted(text: str, stretch: Span, end: int, search_terms: SearchTerms = USUAL) -> Iterator[Found]:
    """The same before `end`, but each candidate ends where the next may begin: together they read the stretch once.

    Each is read in a copy of its surroundings, because a part of the text ends with it.
    """
    done = stretch.start
    found_at = _hits(text, Span(stretch.start, min(stretch.end, end)), search_terms, fast=False)
    hits = [hit for hit in found_at if hit.start() < end]
    for hit, following in zip_longest(hits, hits[1:]):
        # A scheme may begin with the host before it: `www.a.http://`.
        stop = max(begin_of(text, following), hit.end()) if following else end
        low = max(0, hit.start() - _BEFORE)
        part = text[low:stop]
        again = next(_hits(part, Span(hit.start() - low, len(part)), search_terms, fast=False), None)
        if again is not None and again.start() == hit.start() - low:
            found = candidate_at(part, again, max(0, done - low), search_terms, fast=False)
            if found is not None:
                yield replace(found.moved(low), is_divided=found.resume == len(part))
        done = stop


def _hits(text: str, stretch: Span, search_terms: SearchTerms, *, fast: bool) -> Iterator[re.Match[str]]:
    """The colons of a stretch that may belong to candidates and, if searched, hosts without a scheme, in order."""
    colons = _trigger(search_terms.schemes, fast=fast).finditer(text, stretch.start, stretch.end + len("//"))
    # Hosts are searched separately, because the match of a colon may reach over a host.
    if not search_terms.bare_hosts:
        return colons
    return merge(colons, BARE_HOST.finditer(text, stretch.start, stretch.end), key=methodcaller("start"))


@lru_cache(maxsize=16)
def _trigger(schemes: frozenset[str], *, fast: bool) -> re.Pattern[str]:
    """The pattern of the colons that may belong to candidates, including those of the caller's own schemes."""
    # One look-behind for each ending, because `re` needs a fixed width.
    ends = {f"(?<=(?i:{re.escape(scheme[-2:])}):)" for scheme in schemes}
    return compiled(_at_colons("|".join([_COLON, *sorted(ends)]), fast=fast))
