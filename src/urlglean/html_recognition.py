"""Tells a page of HTML by its first bytes, in a file or in a message that does not say what it is."""

from __future__ import annotations

import re

from urlglean.lazy import pattern

_ENOUGH = 1 << 16
"""How many bytes are looked at. Of a file, no fewer may be given (`sources.streams.HEAD`)."""
_MARKS_16 = (b"\xff\xfe", b"\xfe\xff")
_COMMENT = rb"<!--(?:[^-]++|-(?!->))*+"
# Prose that names a tag, such as "<html> begins a page", names no attributes and goes on in the same line.
_NO_PROSE = rb"(?=[ \t]*+(?:[\r\n<]|\Z))"
_REST_OF_TAG = rb"(?:>" + _NO_PROSE + rb"|\s(?:[^>=]*+=[^>]*+>|[^>]*+>" + _NO_PROSE + rb"))"
# What may stand before the first tag. Archivers of mail write the header of the message into comments.
_FRONT = pattern(
    rb"(?:\s++|" + _COMMENT + rb"-->)++|(?P<xml><\?xml\s[^>]*+>)|<\?xml-[^>]*+>|"
    # A document type may hold declarations of its own in square brackets.
    rb"(?P<html><!doctype\s++html\b(?:[^>\[]*+>" + _NO_PROSE + rb"|[^>\[]*+\[))|<!doctype\s[^>]*+>",
    re.IGNORECASE,
)
_ROOT = pattern(rb"<html" + _REST_OF_TAG, re.IGNORECASE)
_BEGINNING = pattern(
    rb"<(?:head|body|frameset|meta|base|link|nextid)"
    + _REST_OF_TAG
    # The first pages, of 1991, had a header.
    + rb"|(?:<header>\s*+)?<title>[^<]*+</title\s*+>",
    re.IGNORECASE,
)
_HIDDEN = pattern(_COMMENT + rb"(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*+>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = pattern(rb"<(/?)([a-z][^\s/>]*+)", re.IGNORECASE)
_ELEMENTS = frozenset(
    b"a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote "
    b"body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl "
    b"dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr "
    b"html i iframe image img input ins isindex kbd keygen label legend li link listing main map mark marquee menu "
    b"meta meter nav nextid nobr noembed noframes noscript object ol optgroup option output p param picture "
    b"plaintext pre progress q rp rt ruby s samp script section select slot small source span strike strong style "
    b"sub summary sup table tbody td template textarea tfoot th thead time title tr track tt u ul "
    b"var video wbr xmp".split()
)
"""All elements of the HTML Standard (section 4), and the obsolete ones (16.2; RFC 1866 5.2.6)."""
_WITHOUT_END = frozenset(b"area base br col dd dt hr img input li link meta option p param source td th tr wbr".split())
_LEAST_MARKUP = 2_000
"""A piece of HTML has a tag in so many octets, or it is a text with a tag in its first line: a guess."""


_EUDORA = pattern(rb"\s{0,8}<x-html>" + _NO_PROSE, re.IGNORECASE)


def is_of_eudora(octets: bytes) -> bool:
    """Whether a body is HTML as Eudora stores it in its mailboxes, whatever the Content-Type of the message was."""
    return _EUDORA.match(octets) is not None


def is_html(octets: bytes) -> bool:
    """Whether something begins as a page of HTML or XHTML does, or surely is a piece of one.

    A page is recognised by its document type, or by an element that occurs only at its beginning. Other XML is not
    HTML. Of something long, the first bytes are enough.
    """
    head, whole = octets[:_ENOUGH], len(octets) < _ENOUGH
    if head.startswith(_MARKS_16):
        head = head[2:].replace(b"\0", b"")
    at, seen = len(head) - len(head.removeprefix(b"\xef\xbb\xbf")), set[str]()
    while front := _FRONT.match(head, at):
        at = front.end()
        seen.add(front.lastgroup or "")
    if "html" in seen or not head.startswith(b"<", at):
        return "html" in seen
    if _ROOT.match(head, at):
        return True
    return "xml" not in seen and (_BEGINNING.match(head, at) is not None or _is_piece(head[at:], whole=whole))


def _is_piece(text: bytes, *, whole: bool) -> bool:
    """Whether a text is surely a piece of HTML: it begins and ends with a tag, and all its tags are those of HTML.

    So `<http://host/>` and `<URL:http://host/>`, which a reader of HTML would take for tags and not show, are text.
    """
    if not whole:
        text = text[: text.rfind(b"<")]
    elif not text.rstrip().endswith(b">"):
        return False
    text = _HIDDEN.sub(b"", text)
    tags = _tags(text)
    if b"<?" in text or not tags or tags[0][0] or len(tags) * _LEAST_MARKUP < len(text):
        return False
    first, ended = tags[0][1], {name for end, name in tags if end}
    may_go_on = first in _WITHOUT_END or not whole
    return _are_of_html(tags) and (first in ended or (may_go_on and bool(ended)))


def is_marked_up(text: bytes) -> bool:
    """Whether a text surely has tags of HTML in it, and no others. Of something long, the first bytes are enough.

    One of them must be an end tag or a line break, because prose may name other tags.
    """
    tags = _tags(text if len(text) < _ENOUGH else text[: text.rfind(b"<", 0, _ENOUGH)])
    return any(is_end or name == b"br" for is_end, name in tags) and _are_of_html(tags)


def _tags(text: bytes) -> list[tuple[bool, bytes]]:
    """Whether each tag in a text is an end tag, and its name in lower case."""
    return [(bool(end), name.lower()) for end, name in _TAG.findall(text)]


def _are_of_html(tags: list[tuple[bool, bytes]]) -> bool:
    return all(name in _ELEMENTS for _, name in tags)
