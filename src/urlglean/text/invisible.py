"""Characters that are not seen: those that Unicode does not call printable, and those that it shows as nothing.

The latter have the property Default_Ignorable_Code_Point (Unicode Standard 5.21). Besides format characters, which are
not printable, they are letters and marks: the combining grapheme joiner, variation selectors, the fillers of Hangul.
"""

from __future__ import annotations

from urlglean.lazy import unicode_pattern

INVISIBLE_CHARACTER = r"\p{Default_Ignorable_Code_Point}"
INVISIBLE = unicode_pattern(INVISIBLE_CHARACTER)
"""The pattern of an invisible character."""


def is_visible(text: str) -> bool:
    """Whether each character of a text is seen, or is a space."""
    return text.isprintable() and (text.isascii() or INVISIBLE.search(text) is None)


def printable(text: str) -> str:
    r"""`text` with an escape for each character that is neither seen nor a space: ESC becomes `\x1b`."""
    if is_visible(text):
        return text
    return "".join(char if is_visible(char) else char.encode("unicode_escape").decode("ascii") for char in text)
