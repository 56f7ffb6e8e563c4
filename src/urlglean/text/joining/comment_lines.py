"""Tells whether a comment of source code, or an item of a list, ends with the line of a URL, by the marks of the lines.

All are guesses; `layouts` has the rows that use them.
"""

from __future__ import annotations

from urlglean.expressions import compiled
from urlglean.text.joining.break_record import GOES_ON, LOOK
from urlglean.text.joining.places import NextLine, Place
from urlglean.text.line_lengths import SHORT
from urlglean.text.quote_prefix import PREFIX, margin_at
from urlglean.text.shell_commands import COMMAND

# A diff may show the line. A comment behind code is told from prose by what stands before it.
_COMMENT_LINE = compiled(rf"{PREFIX}[+-]?[ \t]*+(#|//|%|;)[#/%;!:<|]*+")
_BEHIND_CODE = compiled(r"[\w)\]};:,'\"{(][ \t]+(?:(#)[ \t]+(?!\d)[^#]{0,60}|(//)[ \t]+(?!\d)[^#/]{0,40})\Z")
_ITEM, *_ITEMS_OR_COMMENTS = "- ", "* ", "-- ", "## "
"""The marks of a margin that begin an item of a list; all but the first may as well belong to a comment."""
_COMMENT_MARKS = frozenset("#/%;")
_REPEATED = frozenset("+->|")
_AT_PROMPT = compiled(rf"[#%][ \t]+{COMMAND}")
_CODE = compiled(r"[=(){}\[\];\"']|:[ \t]+\Z|[ \t]{2}\Z")


def ends_comment(text: str, place: Place, line: NextLine) -> bool:
    """Whether a comment of source code ends with the URL's line: the next line closes it, or lacks its mark.

    What looks like a comment may also be a command at the prompt of root; the next prompt, or the output, begins the
    next line.
    """
    if line.token.startswith("*/"):
        return True
    mark = _comment_at(text, place)
    goes_on = place.url[-1] in GOES_ON and not place.url.endswith("__")
    if not mark or (goes_on and not (line.rest and line.token.isalpha())):
        return False
    is_prompt = _AT_PROMPT.search(text, max(place.line, place.start - LOOK), place.start) is not None
    if (behind := _COMMENT_LINE.match(text, line.start)) and behind[1] == mark:
        # Code that was made a comment has the mark directly before it, prose has a blank between them.
        is_code = mark in "#%" and text[behind.end() : behind.end() + 1].isalpha()
        return not goes_on and (is_prompt or (is_code and text[place.start - 1].isspace()))
    is_short = place.end - place.line < SHORT and not goes_on
    return is_short or not (is_prompt or _may_be_rest(text, place, line, mark))


def _may_be_rest(text: str, place: Place, line: NextLine, mark: str) -> bool:
    """Whether a program that wraps lines may have put the rest of a comment into a line.

    It does not repeat the mark of a diff or a quotation. Otherwise more of the comment follows the rest, which is
    not indented, and the line below that has the mark again. No URL in the 31 comments of labelled mail
    goes on in a line without the mark.
    """
    if text[place.line] in _REPEATED and text[line.start] != text[place.line]:
        return True
    if not line.rest or line.rest.startswith("=") or _is_indented(text, line):
        return False
    below = _COMMENT_LINE.match(text, line.below)
    return below is not None and below[1] == mark


def _is_indented(text: str, line: NextLine) -> bool:
    """Whether more than one blank, or nothing but blanks, stands before the text of a line."""
    lead = text[line.start : line.resume]
    return lead.isspace() or lead.endswith(("  ", "\t"))


def ends_item(text: str, place: Place, line: NextLine) -> bool:
    """Whether the URL's line and the next one begin with the same mark of a list, for sure if both hold URLs."""
    if not place.margin or (mark := place.margin[-1]) not in {_ITEM, *_ITEMS_OR_COMMENTS}:
        return False
    return (mark == _ITEM or "://" in line.rest) and mark in margin_at(text, line.resume, line.start, below=place.line)


def _comment_at(text: str, place: Place) -> str:
    """The mark of the comment in which the URL stands; "" if there is none."""
    low = max(place.line, place.start - LOOK)
    head = text[low : place.start]
    if _COMMENT_MARKS.isdisjoint(head):
        return ""
    found = _COMMENT_LINE.match(text, place.line, place.start)
    if found and (found.end() == place.start or text[found.end()] in " \t"):
        return found[1]
    found = _BEHIND_CODE.search(head)
    number = (found.lastindex or 0) if found else 0
    return found[number] if found and _CODE.search(head, 0, found.start(number)) else ""
