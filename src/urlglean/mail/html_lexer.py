"""Divides HTML into tags and texts, as the tokenizer of the HTML Standard does (13.2.5), in linear time.

No tree is built. A parser that builds one looks at all open elements at many tags, compares each attribute of a tag
with all before it, and opens formatting elements anew in every block. 1 MB can take it minutes, or gigabytes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from html import escape, unescape
from html.entities import html5

from urlglean.expressions import compiled

BLANKS = " \t\n\r\f"
"""White space (HTML Standard 13.2.5; the Infra Standard's ASCII whitespace)."""
_BLANK, _NO_BLANK = r"[\t\n\f\r ]", r"[^\t\n\f\r >"
# A name may begin with "=". A value that stands without quotation marks may hold them, and slashes.
_ATTRIBUTE_NAME = rf"{_NO_BLANK}/]{_NO_BLANK}/=]*+"
_EQUALS = rf"{_BLANK}*+={_BLANK}*+"
_BARE = rf"{_NO_BLANK}\"']{_NO_BLANK}]*+"
# The last value is one whose quotation mark is never closed: the page ends in it.
_VALUE = rf"(?:\"[^\"]*+\"|'[^']*+'|{_BARE}|[\"'][\s\S]*+)"
_WRITTEN = rf"(?:[\t\n\f\r /]++|{_ATTRIBUTE_NAME}(?:{_EQUALS}{_VALUE}?+)?+)*+"
_END_OF_NAME = r"(?=[\t\n\f\r />])"
_RAW = "style|title|textarea|xmp|plaintext"
"""Elements whose content is text, up to their end tag (13.2.5.2-5); script is one more, with a rule of its own.

To a browser that shows frames, the content of iframe, noembed and noframes is such text too, which it does not show.
Here it is read as by all others: it holds the links of old pages (HTML 4.01 16.4.1, 16.5).

One whose tag ends in "/>" is taken for empty, as in XHTML and in SVG. To HTML, the rest of the page is its content.
"""
# Behind a value without quotation marks, the slash belongs to the value.
_EMPTY = r"(?:(?<=[\"'\t\n\f\r ]/>)|(?<=(?i:<script)/>)|(?<=(?i:<style|<title)/>))"
_TEXT = r"(?:[^<]++|<(?![A-Za-z/!?])|</\Z)*+"
_RAW_TEXT = rf"(?:[^<]++|<(?!/(?i:\7){_END_OF_NAME}))*+"
# Behind "<!--" in a script, up to "-->", a script within it ends with an end tag of its own (13.2.5.18-31). Scripts
# that write scripts are so hidden from browsers of before 1996.
_SCRIPT_TAG = rf"(?i:script){_END_OF_NAME}"
_WITHIN_HIDDEN = rf"<{_SCRIPT_TAG}(?:[^<-]++|-(?!->)|<(?!/{_SCRIPT_TAG}))*+(?:</)?+"
_HIDDEN = rf"<!(?=--)(?:[^<-]++|-(?!->)|<(?!/?{_SCRIPT_TAG})|{_WITHIN_HIDDEN})*+(?:-->)?+"
_SCRIPT_TEXT = rf"(?:[^<]++|<(?!/{_SCRIPT_TAG}|!--)|{_HIDDEN})*+"
# The form of most tags and of the text behind them, which the second part of the pattern reads as well, but in twice
# the time: not an element with raw text, values in double quotes or in none, and no "<" in the text.
_NOT_RAW = r"(?![Pp][Ll]|[Ss][CcTt]|[Tt][EeIi]|[Xx][Mm])"
_PLAIN_VALUE = rf"(?<!{_BLANK}|/)=(?:\"[^\"]*+\"|{_NO_BLANK}\"'=]++)(?={_BLANK}|>)"
_PLAIN_WRITTEN = rf"[^\"'>=]*+(?:{_PLAIN_VALUE}[^\"'>=]*+)*+"
# Groups that capture stand in no possessive group: Python 3.11 may raise SystemError there.
_FRONT = (
    rf"<(/?)({_NOT_RAW}[A-Za-z]{_NO_BLANK}/]*+)({_PLAIN_WRITTEN})>([^<]*+)(?!<[^A-Za-z/!?]|</?\Z)|"
    r"(?:<(?:"
    rf"(/?)((?<=<)(?=[PSTXpstx])((?i:(script)|{_RAW})){_END_OF_NAME}|[A-Za-z]{_NO_BLANK}/]*+)({_WRITTEN})(?:>|(\Z))"
)
_COMMENT = r"|!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z))"
_BACK = (
    r"|[/!?][^>]*+>?"
    rf"))?((?(7)(?:(?!{_EMPTY})(?(8){_SCRIPT_TEXT}|{_RAW_TEXT})|{_EMPTY}{_TEXT})|{_TEXT}))"
)
_TOKEN = compiled(_FRONT + _COMMENT + _BACK)
_TOKEN_OF_OLD = compiled(_FRONT + _BACK)
"""The same in a browser of the time of old pages, behind the beginning of a comment that nothing closes: to it, the
comment ends at the first angle. Those of today hide the rest of the page."""
_EMPTY_AT = compiled(_EMPTY)
_CLOSED_VALUE = rf"(?:\"[^\"]*+\"|'[^']*+'|{_BARE})"
_QUOTATION_MARKS = ('"', "'")
_VERBATIM = frozenset({"script", *_RAW.split("|")}) - {"title", "textarea"}
"""The elements in whose content references are not replaced."""
_FIRST_LINE_END_DROPPED = frozenset({"pre", "listing", "textarea"})
# A URL in angle brackets (RFC 1738 appendix) whose brackets nobody escaped. Browsers take it for a tag and hide it.
# Behind `URL:`, any scheme is one. Elements with a prefix have no "//", and only some have a name of a scheme.
_URL_AS_TAG = compiled(
    r"(?:url:\s*+)?(?:[a-z][a-z0-9+.-]{1,20}://|(?:mailto|news|sips?|xmpp|cid|mid):[^@\s>]+@)[\w\[/]"
    r"|news:[a-z][a-z0-9+_-]*\.[a-z0-9]|urn:[a-z0-9-]+:\S|tel:\+?[0-9]|magnet:\?"
    r"|url:\s*+[a-z][a-z0-9+.-]{1,20}:[\w/\[]",
    re.IGNORECASE,
)
# `unescape` raises for a number of thousands of digits. One of so many is no character.
_ZEROS = compiled(r"(&#[xX]?)0{8,}+")
_LONG_NUMBER = compiled(r"&#(?:[0-9]{20,}+|[xX][0-9A-Fa-f]{20,}+);?+")
# A reference to a control is an error, but means it (13.2.5.80); `unescape` drops it.
_CONTROL = compiled(
    r"&#(?:0*+([1-8]|11|1[4-9]|2[0-9]|3[01]|127)(?![0-9])|[xX]0*+([1-8BbEeFf]|1[0-9A-Fa-f]|7[Ff])(?![0-9A-Fa-f]));?+"
)
_REFERENCE_IN_VALUE = compiled(r"&(?:#[0-9]++|#[xX][0-9A-Fa-f]++|[A-Za-z][A-Za-z0-9]*+)[;=]?+")


# A comment or a processing instruction holds no section (XML 1.0 2.5, 2.6). The latter ends at the first ">", as the
# tokenizer of HTML reads it (13.2.5.41), because the page is read by that. One that nothing closes goes on to the end
# of the page, so that the page is searched for its end only once.
_CDATA = compiled(r"<!--.*?(?:-->|\Z)|<\?[^>]*+(?:>|\Z)|<!\[CDATA\[(?:(?P<text>.*?)\]\]>|(?P<unclosed>.*+))", re.DOTALL)


def with_plain_cdata(xhtml: str) -> str:
    """A page of XHTML with the text of its CDATA sections escaped, as text of HTML is (XML 1.0 2.7).

    Behind a section that nothing closes, which is an error, the page is read as if none began.
    """
    return _CDATA.sub(_without_section, xhtml)


def _without_section(found: re.Match[str]) -> str:
    if (unclosed := found["unclosed"]) is not None:
        return unclosed
    return found.group() if found["text"] is None else escape(found["text"], quote=False)


def tokens(html: str) -> Iterator[tuple[int, str, str, str]]:
    """Yield the tags of a page in order, each with the text behind it.

    Returns:
        Tuples of step, name, attributes and text. The step is 1 for a start tag, -1 for an end tag, and 0 for what is
        neither: the beginning of the page, comments, declarations, URLs in angle brackets; these have no name. The name
        is in lower case, the attributes are as they are written. In the text, references are replaced by the characters
        that they mean.
    """
    if "\r" in html:
        html = html.replace("\r\n", "\n").replace("\r", "\n")  # 13.2.3.5
    html = html.replace("\0", "")
    for found in _matches(html):
        end, name, written, text, other_end, other, raw, _, other_written, cut, other_text = found.groups()
        if not name:
            if not other or cut is not None:
                yield 0, "", "", _text(other_text)
                continue
            if raw:
                is_empty = _EMPTY_AT.match(html, found.start(11)) is not None
                yield from _raw_element(other.lower(), other_written, other_text, is_empty=is_empty)
                continue
            end, name, written, text = other_end, other, other_written, other_text
        tag = name.lower()
        if "&" in text:
            text = _text(text)
        if ":" in tag and not end and _URL_AS_TAG.match(tag + written):
            yield 0, "", "", f"<{name}{_value(written)}>{text}"
        elif end:
            yield -1, tag, written, text
        else:
            yield 1, tag, written, text.removeprefix("\n") if tag in _FIRST_LINE_END_DROPPED else text  # 13.2.6.4.7


def _matches(html: str) -> Iterator[re.Match[str]]:
    """The matches of tokens, together all of a page."""
    closed = max(html.rfind("-->"), html.rfind("--!>"))
    if html.find("<!--", closed + 1) < 0:
        yield from _TOKEN.finditer(html)
        return
    begin = 0
    for found in _TOKEN.finditer(html):
        if found.start() > closed and html.startswith("<!--", found.start()):
            break
        yield found
        begin = found.end()
    yield from _TOKEN_OF_OLD.finditer(html, begin)


def _raw_element(tag: str, written: str, text: str, *, is_empty: bool) -> Iterator[tuple[int, str, str, str]]:
    """The start tag of an element with raw text, with its content; or, if it is empty, both its tags."""
    if is_empty:  # the text stands behind it
        yield 1, tag, written, ""
        yield -1, tag, "", _text(text)
        return
    if tag in _FIRST_LINE_END_DROPPED:
        text = text.removeprefix("\n")
    yield 1, tag, written, text if tag in _VERBATIM else _text(text)


def attributes_of(written: str, names: Collection[str]) -> dict[str, str]:
    """The attributes of a tag that have these names, in lower case; of several with one name, the first (13.2.5.33)."""
    found: dict[str, str] = {}
    lowered = written.lower()
    for name in names:
        if name in lowered and (attribute := _first(name).match(written)):
            found[name] = _value(attribute[1] or "")
    return found


@lru_cache(maxsize=1 << 6)
def _first(name: str) -> re.Pattern[str]:
    """The pattern of a tag's attributes up to the first one of this name, whose value is its group."""
    # Without regard to the case of ASCII letters only: IGNORECASE would take U+017F for an "s".
    in_any_case = "".join(f"[{char}{char.upper()}]" if char.isalpha() else re.escape(char) for char in name)
    named = rf"{in_any_case}(?!{_NO_BLANK}/=])"
    others = rf"(?:[\t\n\f\r />]++|(?!{named}){_ATTRIBUTE_NAME}(?:{_EQUALS}{_CLOSED_VALUE}?+)?+)*+"
    return compiled(rf"{others}{named}(?:{_EQUALS}({_CLOSED_VALUE})?)?")


def _value(written: str) -> str:
    """The value of an attribute, without quotation marks, with its references replaced."""
    value = written[1:-1] if written[:1] in _QUOTATION_MARKS else written
    return _REFERENCE_IN_VALUE.sub(_referred, value) if "&" in value else value


def _text(text: str) -> str:
    """A text with its references replaced by the characters that they mean."""
    text = text.replace("&nbsp;", "\xa0")  # the most common one
    if "&" not in text:
        return text
    if "&#" in text:
        text = _LONG_NUMBER.sub("\ufffd", _ZEROS.sub(r"\g<1>0", text))
        text = _CONTROL.sub(_control, text)
    return unescape(text)


def _control(found: re.Match[str]) -> str:
    return chr(int(found[1]) if found[1] else int(found[2], 16))


def _referred(found: re.Match[str]) -> str:
    """What a reference in a value means. The beginning of another word is no reference (13.2.5.73)."""
    reference = found[0]
    is_one = reference[1] == "#" or reference[1:] in html5
    return _text(reference) if is_one else reference
