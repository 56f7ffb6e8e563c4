"""Where a bare URL ends in BBCode, which forums and some wikis write.

The functions and patterns for the rows of `cut_rules` about this. All are guesses.
"""

from __future__ import annotations

import re
from collections import Counter

from urlglean.lazy import pattern
from urlglean.text.scheme_triggers import URL_AHEAD
from urlglean.text.signs import LOOK_BACK

# phpBB stores each tag with an identifier: `[url=http://host/x:1qh1i7ky]text[/url:1qh1i7ky]`.
_IDENTIFIER = "[a-z0-9]{5,10}"
CLOSING_TAG = rf"/[A-Za-z]{{1,20}}+(?::{_IDENTIFIER})?+\]"
"""The pattern of the end of an element, behind its bracket: `[url]http://...[/url]`."""

# Names in brackets may also be indexes of a search.
_NO_INDEX = r"(?![=&.%]|\[\w*\][=\[])"
OPENING_TAG = (
    rf"(?:\*\]|(?i:b|i|u|hr|img|url|list|quote|code)\]{_NO_INDEX}"
    r"|(?i:url|img|size|colou?r|quote|email)=[^\s\]=&]{1,80}\])"
)
"""The pattern of the beginning of one, behind its bracket."""

END_OF_TAG = rf"{_IDENTIFIER}\]"
"""The pattern of an identifier and the end of its tag."""

_LONGEST_ELEMENT = 1000
"""So many code points behind the beginning of an element are searched for its end."""

_NAME = pattern(r"\[(\*|[A-Za-z]+)")
_ITEM = "[*]"
# It has no end, or holds another URL.
_NEEDS_NO_END = pattern(rf"\[(?:hr\]|(?:url|img)[\]=]{URL_AHEAD})", re.IGNORECASE)
_IN_TAG = pattern(r"\[(url|img)=\Z")
_IDENTIFIER_AND_END = pattern(f":{END_OF_TAG}")


def at_opening_tag(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL before an element that ends behind it, or a further item."""
    if _NEEDS_NO_END.match(text, at):
        return at
    name = _NAME.match(text, at)
    if name is None:
        return None
    if name[1] == "*":
        return at if text.rfind(_ITEM, max(0, start - LOOK_BACK), start) >= 0 else None
    behind = text[at : at + _LONGEST_ELEMENT].lower()
    return at if any(f"[/{name[1].lower()}{end}" in behind for end in "]:") else None


def at_identifier(text: str, start: int, at: int, _open: Counter[str]) -> int | None:
    """The function for `CutRule.cuts` that ends the URL in a tag before its identifier, if the closing tag has it."""
    identifier = _IDENTIFIER_AND_END.match(text, at)
    tag = _IN_TAG.search(text[max(0, start - len("[url=")) : start].lower())
    if identifier is None or tag is None:
        return None
    behind = text[identifier.end() : identifier.end() + _LONGEST_ELEMENT].lower()
    return at if f"[/{tag[1]}{identifier[0]}" in behind else None
