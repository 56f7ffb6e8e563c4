"""Tells whether a hyphen before a line break belongs to a bare URL, or was inserted by a program that cut a word.

RFC 1738's appendix leaves this open. In labelled mail 61 of 66 belonged to the URL, so the hyphen stays by default. It
goes if the letters on both sides make one word and no word ends like the first part (`Def-|ault`), if it stands in a
top-level domain, which has none, or if it follows a comma. In a name with other hyphens, `clay-oven-|wall` or
`garden-|wall-stones`, it stays, and before an escape.

Where the words of the text are hyphenated as well, it goes if one word is only a little likelier. In 110 manual pages,
formatted in ASCII with lines of 66 and 80 columns, 43 of 65 URLs with such hyphens are read right so, and 3 otherwise.
Of 1,199 URLs of mail that groff filled, whose hyphens are their own, 1,190 are read right in either way.

In a formatted manual page it goes, unless a single letter follows, or a capital behind a word that begins with one: its
authors write the hyphen of a URL as a minus sign, behind which no formatter breaks a line (man(7)), or should. In 900
pages, formatted in ASCII with lines of 66 and 78 columns, 2,507 of 2,552 such URLs are read right so; without this rule
22 of 100 are read wrong. In 61 pages whose authors wrote plain hyphens, 631 of 648 URLs are read right so, and 635
without it.
"""

from __future__ import annotations

from typing import Literal

from urlglean.expressions import compiled
from urlglean.lazy import unicode_pattern
from urlglean.text.joining.words import bits_for_a_words_end, bits_for_one_word

_BEFORE = compiled(r"(?<![A-Za-z0-9])[A-Za-z]{2,}\Z")
_BEHIND = compiled(r"[A-Za-z]+")
# The name of a variable, as `bucketName`, may go on with a capital.
_SMALL_WORD = compiled(r"(?<![A-Za-z])[a-z][A-Za-z]*\Z")
# The last label of a host is alphabetic (RFC 1123 2.1).
_IN_TOP_LABEL = compiled(r"://[^\s/?#:]{1,80}\.[A-Za-z]{1,10}\Z")
_ENDS_HOST = compiled(r"[A-Za-z]{1,10}(?![A-Za-z0-9.-])")
# Another hyphen, or an escape: no program divides the words of such a name.
_OF_NAME_BEHIND = compiled(r"[^\s/?#&=%-]+(?:-|%[0-9A-Fa-f]{2})")
_LONGEST = 30

Hyphenation = Literal["", "words", "page"]
"""How words are hyphenated at the line ends of a stretch of text: not at all, by some program, or as in a formatted
manual page."""

LEAST_BITS = 5
"""In bits: how much likelier one word must be than two, and how surprising it must be that the first part ends."""

EVEN_BITS, LEAST_BEHIND = 1, 2
"""The bits for one word, and the letters that formatters leave behind a hyphen, where words are hyphenated."""

# Not a part of a URL, of a path or of a compound.
_CUT_WORD = compiled(r"(?<![\w/.:-])([A-Za-z]{2,30})-[ \t]{0,3}\r{0,2}\n[ \t>|#*]{0,40}([a-z]{2,30})")
CUT_BITS, CUT_END_BITS, FEWEST_CUT_WORDS = 4, 3, 3
"""Text is hyphenated if line ends divide this many different words, each with so many bits for one word, and so many
for the surprise that the first part ends a word. That is so in 384 of 549 stretches of formatted manual pages that have
any hyphen at a line end, in 1 of 1,785 of texts that Python's textwrap wrapped, and in none of 147 of such mail.
"""

# In any script.
_ANY_CUT_WORD = unicode_pattern(r"(?<![\w/.:-])(\p{L}{2,30})-[ \t]{0,3}\r{0,2}\n[ \t>|#*]{0,40}(\p{Ll}{2,30})")
_LINE = unicode_pattern(r"(?m)^[^\n]*[^\s]")
# The line at the beginning of a page, which names it on both sides, or its first section, whose name is in capitals.
_BEGINS_PAGE = unicode_pattern(
    r"(?m)^(\S{1,60}\([0-9]\w{0,9}\))[ ]{2,}+(?:[^\n ]++(?:[ ][^\n ]++)*+[ ]{2,}+){0,4}\1[ \r]*$"
    r"|^\p{Lu}{2,20}\r?\n[ ]{5,8}[\w.,+ -]{1,80} [-\u2010-\u2014] \S"
)
# The text of a page has a margin; its headings are in capitals.
_OF_PAGE = unicode_pattern(r"(?m)^(?:[ ]{5}|\p{Lu}[^\p{Ll}\n]*+$)")
OF_PAGE, FEWEST_IN_PAGE = 0.8, 2
"""Text is that of a formatted manual page if so many of its lines look so and line ends divide so many words, or if the
page begins there. That is so in 641 of 673 stretches of formatted manual pages, in none of 26,851 of the documents of
a Debian machine, and in none of 4,564 of mail."""


def hyphenation_of(near: str) -> Hyphenation:
    """How words are hyphenated in a stretch of text."""
    return "page" if _is_manual_page(near) else "words" if _has_cut_words(near) else ""


def _is_manual_page(near: str) -> bool:
    """Whether a stretch of text is that of a manual page, formatted by groff or mandoc."""
    if not _BEGINS_PAGE.search(near):
        words = {word.groups() for word in _ANY_CUT_WORD.finditer(near)}
        if len(words) < FEWEST_IN_PAGE:
            return False
    return len(_OF_PAGE.findall(near)) >= OF_PAGE * len(_LINE.findall(near))


def _has_cut_words(near: str) -> bool:
    """Whether a stretch of text has words that a program divided at line ends, as formatters of manual pages do.

    A compound with a hyphen of its own, such as `front-end`, begins with a whole word.
    """
    cut: set[tuple[str, str]] = set()
    for word in _CUT_WORD.finditer(near):
        before, behind = word[1], word[2]
        if bits_for_one_word(before, behind) > CUT_BITS and bits_for_a_words_end(before) > CUT_END_BITS:
            cut.add((before, behind))
            if len(cut) == FEWEST_CUT_WORDS:
                return True
    return False


def was_put_in(before: str, behind: str, hyphenation: Hyphenation) -> bool:
    """Whether a hyphen between these two stretches of text was put in by a program.

    `hyphenation` says how the words around them are hyphenated.
    """
    # No name begins with a hyphen.
    if before.endswith(",") or (_IN_TOP_LABEL.search(before) and _ENDS_HOST.match(behind)):
        return True
    if hyphenation == "page":
        part = behind[:LEAST_BEHIND]
        is_part = before[-1:].isalpha() and part.isalpha() and len(part) == LEAST_BEHIND
        return is_part and (part[0].islower() or _SMALL_WORD.search(before[-_LONGEST:]) is not None)
    end, start = _BEFORE.search(before[-_LONGEST:]), _BEHIND.match(behind[:_LONGEST])
    if end is None or start is None:
        return False
    if hyphenation == "words":
        is_part = len(start.group()) >= LEAST_BEHIND and start.group().islower()
        return is_part and bits_for_one_word(end.group(), start.group()) > EVEN_BITS
    if before.rfind("-") > before.rfind("/") or _OF_NAME_BEHIND.match(behind):
        return False
    return bits_for_a_words_end(end.group()) > LEAST_BITS and bits_for_one_word(end.group(), start.group()) > LEAST_BITS
