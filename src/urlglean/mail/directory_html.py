"""Reads values of calendars and vCards that are HTML: X-ALT-DESC of Outlook, DESCRIPTION of Google, and the like."""

from __future__ import annotations

import re

from msgspec.structs import replace

from urlglean.bounds import Bounds
from urlglean.html_recognition import is_marked_up
from urlglean.lazy import pattern
from urlglean.mail.directory_text import as_meant, unfolded, without_backslashes
from urlglean.mail.html import Page, read
from urlglean.mail.html_links import Link

# A property whose value holds "<", as no URI does: the page that an ATTACH refers to is not in its value. A parameter
# in quotation marks may hold colons (RFC 5545 3.1).
_PROPERTY = pattern(r"^((?:[^\r\n\":]++|\"[^\r\n\"]*+\")++:)([^\r\n<]*+<[^\r\n]*+)", re.MULTILINE)
_OF_HTML = pattern(r";fmttype=\"?text/html(?![\w.+-])", re.IGNORECASE)  # RFC 5545 3.2.8


def as_shown(text: str, bounds: Bounds) -> Page:
    """A calendar or vCard as `directory_text.as_meant` gives it, but with the visible text of values that are HTML.

    A value is HTML if its FMTTYPE says so, or if all tags in it are surely those of HTML.

    Args:
        text: what is written.
        bounds: limits, such as that on the links of all values together.

    Returns:
        The text, and the links of these values.
    """
    if "<" not in text:
        return Page(as_meant(text), ())
    written = unfolded(text)
    pieces: list[str] = []
    links: list[Link] = []
    at, line, more, overlong = 0, 1, False, False
    for found in _PROPERTY.finditer(written):
        value = without_backslashes(found[2])
        if _OF_HTML.search(found[1]) or is_marked_up(value.encode("utf-8", "replace")):
            before = without_backslashes(written[at : found.start(2)])
            page = read(value, replace(bounds, links=bounds.links - len(links)))
            line += before.count("\n")
            links += [link._replace(line=line + link.line - 1) for link in page.links]
            more, overlong = more or page.more, overlong or page.overlong
            # Without the blank the name of the property would stand before a scheme.
            pieces += (before, " ", page.text)
            line += page.text.count("\n")
            at = found.end()
    pieces.append(without_backslashes(written[at:]))
    return Page("".join(pieces), tuple(links), more, overlong)
