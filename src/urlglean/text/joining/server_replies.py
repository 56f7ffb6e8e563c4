"""What a mail server replied, as a report of mail that was not delivered tells it. No URL goes on in its next line.

Postfix fills the lines with words up to column 79, and divides none (its `line_wrap.c`). In the field that also holds
the reply (RFC 3464 2.3.6), a line is folded at white space (RFC 5322 2.2.3).
"""

from __future__ import annotations

from urlglean.expressions import compiled

_LONGEST = 2000
"""So many code points before a URL are searched for the beginning of a reply."""

_MARKS = ("said:", "me:", "iagnostic-")
"""One of them stands in the beginning of each reply, and a line may end before it."""

_BEGINNING = compiled(
    r"\s*+(?:<[^<>\s]{1,320}+>(?:\s++\([^()]{1,400}+\))?+:\s++(?:delivery\s++temporarily\s++suspended:\s++)?+"
    r"host\s++\S++\s++(?:said|refused\s++to\s++talk\s++to\s++me):"
    r"|(?i:Diagnostic-Code:))"
)


def is_in_reply(text: str, at: int, lead: str) -> bool:
    """Whether a URL stands in the reply of a server.

    Args:
        text: the whole text.
        at: where the URL begins in its line.
        lead: what stands before the text of the next line, as before all lines of the reply but the first.
    """
    low = max(0, at - _LONGEST)
    if not lead[-1:].isspace() or not any(text.rfind(mark, low, at) >= 0 for mark in _MARKS):
        return False
    reply = text[low:at].replace(f"\n{lead}", " ").rpartition("\n")[2]
    return _BEGINNING.match(reply, len(lead.rstrip(" \t"))) is not None
