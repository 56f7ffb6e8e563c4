"""A hyphen before a line break in a bare URL: is it the URL's own, or was it put in where a word was cut?

RFC 1738's appendix leaves it open. Of 66 in labelled mail 61 were the URL's own, so it stays, but where the letters on
both sides make one word, and no word ends with those before it: `Def-|ault`; and no top-level domain has one.
"""

from __future__ import annotations

import re

from urlglean.text.joining.words import bits_for_a_words_end, bits_for_one_word

_BEFORE = re.compile(r"[A-Za-z]{2,}\Z")
_BEHIND = re.compile(r"[A-Za-z]+")
# The last label of a host is alphabetic (RFC 1123 2.1).
_IN_TOP_LABEL = re.compile(r"://[^\s/?#:]{1,80}\.[A-Za-z]{1,10}\Z")
_ENDS_HOST = re.compile(r"[A-Za-z]{1,10}(?![A-Za-z0-9.-])")
_LONGEST = 30

LEAST_BITS = 5
"""So much likelier one word must be than two, and so surprising the end of the first, in bits."""


def was_put_in(before: str, behind: str) -> bool:
    """Whether a hyphen between two stretches of text was put in."""
    if before.endswith(","):
        return True  # nobody begins a name with one
    if _IN_TOP_LABEL.search(before) and _ENDS_HOST.match(behind):
        return True
    end, start = _BEFORE.search(before[-_LONGEST:]), _BEHIND.match(behind[:_LONGEST])
    if end is None or start is None:
        return False
    return bits_for_a_words_end(end.group()) > LEAST_BITS and bits_for_one_word(end.group(), start.group()) > LEAST_BITS
