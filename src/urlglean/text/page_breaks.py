"""Page breaks in RFCs and drafts: blank lines, a footer, a form feed, a header, blank lines.

RFC 1543 3 and its successors prescribe this layout, with 58 lines on a page: a short page has many blank lines. A page
break may divide a URL in the references.
"""

from __future__ import annotations

import re

from urlglean.lazy import pattern
from urlglean.text.quote_prefix import BREAK

# Somebody may quote the text.
_MARKS = r"(?:[ \t]*+[>|]){0,20}+"
_PAGE_BREAK = pattern(
    # Only one part of the pattern can match a run of blanks, and it is possessive: even many blanks are read only once.
    rf"""(?:[ \t]*+{BREAK}{_MARKS}){{1,58}}+             # the end of the line, blank lines
    [^\r\n\f]{{0,120}}\[Page[ ][0-9ivxlc]{{1,6}}\]     # the footer
    (?:[ \t]*+(?:{BREAK}{_MARKS}|\f|\^L)){{1,58}}+
    [^\r\n\f]{{0,120}}[ ][0-9]{{4}}                     # the header, which ends in the year
    (?:[ \t]*+{BREAK}{_MARKS}){{1,12}}+[ \t]*+""",
    re.VERBOSE,
)


def page_break(text: str, at: int) -> int | None:
    """The position behind a page break that begins at the line end `at`; None if there is no page break."""
    found = _PAGE_BREAK.match(text, at)
    return found.end() if found else None
