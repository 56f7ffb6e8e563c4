"""Where a bare URL ends before the next cell of a table, or the next setting or attribute of a list.

The functions and patterns for the rows of `cut_rules` about these. All are guesses.
"""

from __future__ import annotations

import re
from collections import Counter

from urlglean.lazy import pattern
from urlglean.text.cut_rule import IN_PATH, at_match, host_at, is_in
from urlglean.text.file_extension import LONGEST, ends_in_one
from urlglean.text.rows import is_next_cell, is_own_comma
from urlglean.text.scheme_triggers import URL_AHEAD
from urlglean.text.signs import LOOK_BACK
from urlglean.text.top_level_domains import ALL_TOPS

_NAME_IN_PATH = pattern(r"[^\s/?#,;]++/[^\s?#,;]*+\Z")
_WORD_IN_PATH = pattern(r"[^\s/?#,;]++/[^\s?#,;]*+(?<![0-9])\Z")
_BEHIND_HOST_NAME = pattern(r"[^\s/?#,;]++[/?#][^\s,;]*+\Z")
# Cells of numbers, or empty ones. Names of pages hold such numbers too, before an extension.
_NUMBERS = r"(?:,(?:[0-9][0-9.-]{0,20}+)?+(?=,)){1,9}+(?!\S{0,200}\.[A-Za-z])"
# The text of a cell, up to the end of the row or to the next cell. In a URL, a path or a search goes on.
_TEXT_OF_CELL = r"[,;](?:[^\W\d_][\w -]{0,80}+|\"[^\"\r\n]{0,200}+\")(?=[,;\r\n]|\Z)"
_CELL = pattern(_TEXT_OF_CELL)
_CELL_BEHIND_NUMBERS = pattern(f"{_NUMBERS}{_TEXT_OF_CELL}")
# As in HTML in the text of a feed, where the semicolon before the URL may end such a reference as well.
_IN_REFERENCE = pattern(r"(?<=&amp);|(?<=&#38);", re.IGNORECASE)
_PARAMETER = pattern(r"[,;][A-Za-z][A-Za-z0-9_.-]{0,40}=")


def at_cell_behind_name(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before a cell, or behind a file or a slash.

    It does not end at a parameter.
    """
    if _IN_REFERENCE.match(text, at):
        return None
    is_behind_name = text[at - 1] == "/" or ends_in_one(text[max(0, at - LONGEST) : at])
    if is_behind_name and not _PARAMETER.match(text, at):
        return at
    if _CELL.match(text, at) and (is_in(_BEHIND_HOST_NAME, text, start, at) or _is_opaque(text, start, at)):
        return at
    return at if (_CELL_BEHIND_NUMBERS.match(text, at) and is_in(_WORD_IN_PATH, text, start, at)) else None


def _is_opaque(text: str, start: int, at: int) -> bool:
    """Whether a URL has neither "//" nor a host alone before a sign: no path in which a comma often stands."""
    is_near = at - start <= LOOK_BACK and not is_own_comma(text, start, at)
    return is_near and host_at(text, start, at) < 0


def at_next_cell(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before the next cell of a table, if something is in that."""
    return at if at - start <= LOOK_BACK and is_next_cell(text, start, at) else None


SETTING = r"[A-Za-z][\w.-]{0,60}="
"""The pattern of the beginning of a setting, in a list of them."""

# Others belong to a URL: parameters (`/;jsessionid=1`), distinguished names (RFC 4516 2), and options in paths.
at_next_setting = at_match(
    pattern(f"[,;](?i:{SETTING}{URL_AHEAD})|(?<=/);(?=[A-Z][a-z]){SETTING}"), within=_NAME_IN_PATH
)
"""The function for `CutRule.cuts` that ends the URL before a setting whose value is a URL too, or behind a slash before
one whose name begins with a capital."""

LABELLED_ADDRESS = r"[A-Za-z][A-Za-z0-9-]{0,20}+:[\w.+-]{1,64}+@[\w.-]{1,255}+(?!/|:[0-9])"
"""The pattern of an address of mail behind its label, in a list: `Web:http://host,Email:ann@host`."""

_PATH_OR_HOST = pattern(r"[^\s/?#@]++/[^\s?#]*+\Z|(?:[\w-]++\.)++([A-Za-z]{2,20})(?::[0-9]{1,5})?+\Z")


def at_labelled_address(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before such an address, in its path or behind its host.

    Before it, a name without a top level domain may be that of a user, with a password behind it.
    """
    begin = host_at(text, start, at)
    found = _PATH_OR_HOST.match(text, begin, at) if begin >= 0 else None
    return at if found and (found[1] is None or found[1].lower() in ALL_TOPS) else None


NEXT_ATTRIBUTE = r"[A-Za-z][A-Za-z0-9_.-]{0,40}=\""
"""The pattern of an attribute whose value stands in quotation marks, as in manifests (`;link="x"`), fields of HTTP and
lines of logs. No URL holds such."""


def at_next_attribute(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before such an attribute, in its path."""
    return at if is_in(IN_PATH, text, start, at) else None
