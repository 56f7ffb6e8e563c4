"""Which URLs may be opened by a click: a guess about what is safe, kept in one table.

A mail is written by strangers. A URL of `file`, `javascript` or `data` reads or runs something on the reader's own
machine; those of `telnet`, `tel` or `sip` start a program or a call; a `mailto` can name a file to attach. None of them
is in the table, and whatever is not in it is never opened without asking.
"""

from __future__ import annotations

from urlglean.expressions import compiled

OPENABLE = frozenset({"ftp", "ftps", "gopher", "http", "https", "news", "nntp"})
"""Schemes that only fetch a document or an article to be shown. In lower case."""

LONGEST = 2083
"""Characters of a URL that may be a link: VTE and iTerm2 take no more (the OSC 8 text of E. Koblinger)."""

_TARGET = compiled(r"([A-Za-z][A-Za-z0-9+.-]*+):[\x21-\x7e]++")


def may_open(url: str) -> bool:
    """Whether a URL may be opened without asking: printable ASCII without blanks, of a scheme of `OPENABLE`."""
    found = _TARGET.fullmatch(url)
    return found is not None and found[1].lower() in OPENABLE


def may_link(url: str, *, valid: bool) -> bool:
    """Whether a URL may be the target of a link on a terminal: a valid one that `may_open`, and is not too long."""
    return valid and len(url) <= LONGEST and may_open(url)
