"""Tells whether a hyphen before a line break belongs to a bare URL, or was inserted by a program that cut a word.

RFC 1738's appendix leaves this open. In labelled mail 61 of 66 belonged to the URL, so the hyphen stays by default. It
goes if the letters on both sides make one word and no word ends like the first part (`Def-|ault`), if it stands in a
top-level domain, which has none, or if it follows a comma. In a name with other hyphens, `clay-oven-|wall` or
`garden-|wall-stones`, it stays.
"""

from __future__ import annotations

import re

from urlglean.text.joining.words import bits_for_a_words_end, bits_for_one_word

_BEFORE = re.compile(r"[A-Za-z]{2,}\Z")
_BEHIND = re.compile(r"[A-Za-z]+")
# The last label of a host is alphabetic (RFC 1123 2.1).
_IN_TOP_LABEL = re.compile(r"://[^\s/?#:]{1,80}\.[A-Za-z]{1,10}\Z")
_ENDS_HOST = re.compile(r"[A-Za-z]{1,10}(?![A-Za-z0-9.-])")
_HYPHEN_BEHIND = re.compile(r"[^\s/?#&=-]+-")
_LONGEST = 30

LEAST_BITS = 5
"""In bits: how much likelier one word must be than two, and how surprising it must be that the first part ends."""


def was_put_in(before: str, behind: str) -> bool:
    """Whether a hyphen between these two stretches of text was put in by a program."""
    if before.endswith(","):
        return True  # no name begins with a hyphen
    if _IN_TOP_LABEL.search(before) and _ENDS_HOST.match(behind):
        return True
    end, start = _BEFORE.search(before[-_LONGEST:]), _BEHIND.match(behind[:_LONGEST])
    if end is None or start is None:
        return False
    if before.rfind("-") > before.rfind("/") or _HYPHEN_BEHIND.match(behind):
        return False  # hyphens divide the words of this name
    return bits_for_a_words_end(end.group()) > LEAST_BITS and bits_for_one_word(end.group(), start.group()) > LEAST_BITS
