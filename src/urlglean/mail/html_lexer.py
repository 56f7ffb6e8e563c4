"""Divides HTML into tags and texts, as the tokenizer of the HTML Standard does (13.2.5), in linear time.

No tree is built. A parser that builds one looks at all open elements at many tags, compares each attribute of a tag
with all before it, and opens formatting elements anew in every block. 1 MB can take it minutes, or gigabytes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from html import unescape
from html.entities import html5

_BLANK, _NO_BLANK = r"[\t\n\f\r ]", r"[^\t\n\f\r >"
# A name may begin with "=". A value that stands without quotation marks may hold them, and slashes.
_ATTRIBUTE_NAME = rf"{_NO_BLANK}/]{_NO_BLANK}/=]*+"
_EQUALS = rf"{_BLANK}*+={_BLANK}*+"
_BARE = rf"{_NO_BLANK}\"']{_NO_BLANK}]*+"
# The last value is one whose quotation mark is never closed: the page ends in it.
_VALUE = rf"(?:\"[^\"]*+\"|'[^']*+'|{_BARE}|[\"'][\s\S]*+)"
_WRITTEN = rf"(?:[\t\n\f\r /]++|{_ATTRIBUTE_NAME}(?:{_EQUALS}{_VALUE}?+)?+)*+"
_END_OF_NAME = r"(?=[\t\n\f\r />])"
_RAW = "script|style|title|textarea|xmp|iframe|noembed|noframes|plaintext"
"""Elements whose content is text, up to their end tag (13.2.5.2-5).

One whose tag ends in "/>" is taken for empty, as in XHTML and in SVG. To HTML, the rest of the page is its content.
"""
# Behind a value without quotation marks, the slash belongs to the value.
_EMPTY = r"(?:(?<=[\"'\t\n\f\r ]/>)|(?<=(?i:<script)/>)|(?<=(?i:<style|<title)/>))"
_TEXT = r"(?:[^<]++|<(?![A-Za-z/!?])|</\Z)*+"
_RAW_TEXT = rf"(?:[^<]++|<(?!/(?i:\3){_END_OF_NAME}))*+"
# Groups that capture stand in no possessive group: Python 3.11 may raise SystemError there.
_TOKEN = re.compile(
    r"(?:<(?:"
    rf"(/?)((?<=<)(?=[INPSTXinpstx])((?i:{_RAW})){_END_OF_NAME}|[A-Za-z]{_NO_BLANK}/]*+)({_WRITTEN})(?:>|(\Z))"
    r"|!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z))"
    r"|[/!?][^>]*+>?"
    rf"))?((?(3)(?:(?!{_EMPTY}){_RAW_TEXT}|{_EMPTY}{_TEXT})|{_TEXT}))"
)
_EMPTY_AT = re.compile(_EMPTY)
_ATTRIBUTES = re.compile(rf"({_ATTRIBUTE_NAME})(?:{_EQUALS}(?:\"([^\"]*+)\"|'([^']*+)'|({_BARE}))?)?")
_VERBATIM = frozenset(_RAW.split("|")) - {"title", "textarea"}
"""The elements in whose content references are not replaced."""
_FIRST_LINE_END_DROPPED = frozenset({"pre", "listing", "textarea"})
# `unescape` raises for a number of thousands of digits. One of so many is no character.
_ZEROS = re.compile(r"(&#[xX]?)0{8,}+")
_LONG_NUMBER = re.compile(r"&#(?:[0-9]{20,}+|[xX][0-9A-Fa-f]{20,}+);?+")
# A reference to a control is an error, but means it (13.2.5.80); `unescape` drops it.
_CONTROL = re.compile(
    r"&#0*+(?:([1-8]|11|1[4-9]|2[0-9]|3[01]|127)(?![0-9])|[xX]0*+([1-8BbEeFf]|1[0-9A-Fa-f]|7[Ff])(?![0-9A-Fa-f]));?+"
)
_REFERENCE_IN_VALUE = re.compile(r"&(?:#[0-9]++|#[xX][0-9A-Fa-f]++|[A-Za-z][A-Za-z0-9]*+)[;=]?+")


def tokens(html: str) -> Iterator[tuple[int, str, str, str]]:
    """Yield the tags of a page in order, each with the text behind it.

    Returns:
        Tuples of step, name, attributes and text. The step is 1 for a start tag, -1 for an end tag, and 0 for what is
        neither: the beginning of the page, comments, declarations; these have no name. The name is in lower case, the
        attributes are as they are written. In the text, references are replaced by the characters that they mean.
    """
    if "\r" in html:
        html = html.replace("\r\n", "\n").replace("\r", "\n")  # 13.2.3.5
    html = html.replace("\0", "")
    for found in _TOKEN.finditer(html):
        end, name, raw, written, cut, text = found.groups()
        step, tag = 0, ""
        if name and cut is None:
            step, tag = -1 if end else 1, name.lower()
            if tag in _FIRST_LINE_END_DROPPED and not end:
                text = text.removeprefix("\n")  # 13.2.6.4.7
        is_empty = bool(raw) and step > 0 and _EMPTY_AT.match(html, found.start(6)) is not None
        if "&" in text and not (raw and tag in _VERBATIM and not is_empty):
            text = _text(text)
        if is_empty:  # the text stands behind it
            yield step, tag, written, ""
            step, written = -1, ""
        yield step, tag, written or "", text


def attributes_of(written: str, names: Collection[str]) -> dict[str, str]:
    """The attributes of a tag that have these names, in lower case; of several with one name, the first (13.2.5.33)."""
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTES.findall(written):
        if (lowered := name.lower()) in names and lowered not in found:
            value = double or single or bare
            found[lowered] = _REFERENCE_IN_VALUE.sub(_referred, value) if "&" in value else value
    return found


def _text(text: str) -> str:
    """A text with its references replaced by the characters that they mean."""
    if "&#" in text:
        text = _LONG_NUMBER.sub("\ufffd", _ZEROS.sub(r"\g<1>0", text))
        text = _CONTROL.sub(_control, text)
    return unescape(text)


def _control(found: re.Match[str]) -> str:
    return chr(int(found[1]) if found[1] else int(found[2], 16))


def _referred(found: re.Match[str]) -> str:
    """What a reference in a value means. A name without ";" before "=" or a letter is no reference (13.2.5.73)."""
    reference = found[0]
    is_one = reference[1] == "#" or reference[-1] == ";" or reference[1:] in html5
    return _text(reference) if is_one else reference
