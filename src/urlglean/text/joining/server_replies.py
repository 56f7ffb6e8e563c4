"""What a mail server replied, as a report of mail that was not delivered tells it. No URL goes on in its next line.

Postfix fills the lines with words up to column 79, and divides none (its `line_wrap.c`). In the field that also holds
the reply (RFC 3464 2.3.6), a line is folded at white space (RFC 5322 2.2.3).
"""

from __future__ import annotations

from urlglean.expressions import compiled

_LONGEST = 2000
"""So many code points before a URL are searched for the beginning of a reply."""

_MARKS = ("said:", "talk to me:", "iagnostic-")
"""One of them stands in the beginning of each reply."""

_BEGINNING = compiled(
    r"<[^<>\s]{1,320}+>(?: \([^()]{1,400}+\))?+: host \S++ (?:said|refused to talk to me):|(?i:Diagnostic-Code:) "
)


def is_in_reply(text: str, line: int, at: int, lead: str) -> bool:
    """Whether a URL stands in the reply of a server.

    Args:
        text: the whole text.
        line: where the URL's line begins.
        at: where the URL begins in it.
        lead: what stands before the text of the next line.
    """
    low = max(0, at - _LONGEST)
    if not lead[-1:].isspace() or not any(text.rfind(mark, low, at) >= 0 for mark in _MARKS):
        return False
    while line > low and text.startswith(lead, line):
        line = max(low, text.rfind("\n", low, line - 1) + 1)
    reply = text[line + len(lead.rstrip(" \t")) : at].replace(f"\n{lead}", " ")
    return _BEGINNING.match(" ".join(reply.split())) is not None
