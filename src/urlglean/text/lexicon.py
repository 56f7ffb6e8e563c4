"""Which schemes a scan looks for, and what must stand behind their colons. Guesses about prose, in tables.

Inside `<URL:...>` any scheme is taken at its word; everywhere else a word before a colon is more often English.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from urlglean.lazy import pattern

# Schemes that stand in text without "//", each with what must follow its colon: "good news: the" is prose.
# An address's local part has at most 64 octets (RFC 5321 4.5.3.1.1), a message-id stays within a line of 250.
LONGEST_LOCAL_PART = 250
_ADDRESS = rf"[^\s<>\"@]{{1,{LONGEST_LOCAL_PART}}}@[^\s<>\"@]"
# In news a line may end before the "@" of a message-id, which has a digit then.
_ARTICLE = (
    rf"{_ADDRESS}|(?=[^\s<>\"@0-9]{{0,{LONGEST_LOCAL_PART}}}[0-9])[^\s<>\"@]{{1,{LONGEST_LOCAL_PART}}}"
    r"[ \t]{0,8}(?:\r\n|\n|\r)[ \t>|:]{0,80}@[a-z0-9]"
)
_NEWSGROUP = r"[a-z0-9][a-z0-9+_-]*\.[a-z0-9]|[a-z*.]{0,80}\*"
WITHOUT_SLASHES = {
    scheme: pattern(behind, re.IGNORECASE)
    for scheme, behind in {
        "mailto": rf"{_ADDRESS}|\?[a-z]+=",
        "news": rf"{_NEWSGROUP}|{_ARTICLE}",
        "snews": rf"{_NEWSGROUP}|{_ARTICLE}",
        "mid": _ADDRESS,
        "cid": _ADDRESS,
        "urn": r"[a-z0-9][a-z0-9-]{1,31}:[^\s<>\"]",
        # "Tel:0171 ..." in a signature is no URL: a global number (RFC 3966 5.1.4), the scheme in lower case.
        "tel": r"(?-i:(?<=tel:))\+(?:[0-9().-]|%20){3}",
        "magnet": r"\?[a-z]{2}(?:\.[0-9]{1,3})?=[^\s<>\"]",
        "sip": _ADDRESS,
        "sips": _ADDRESS,
        "xmpp": _ADDRESS,
        "data": r"(?:[a-z]+/[a-z0-9.+-]+)?(?:;[a-z0-9=-]{1,80}){0,8},",
        "geo": r"-?[0-9]{1,3}(?:\.[0-9]+)?,-?[0-9]",
        "file": r"/[^\s/<>\"]",
    }.items()
}

# Schemes that are known to stand before "//"; any other needs a host that looks like one.
WITH_SLASHES = frozenset({
    *("http", "https", "shttp", "ftp", "ftps", "sftp", "tftp", "gopher", "gophers", "telnet", "tn3270", "rlogin"),
    *("news", "snews", "nntp", "nntps", "wais", "prospero", "file", "nfs", "afs", "afp", "smb", "cifs", "z39.50r"),
    *("z39.50s", "ws", "wss", "ldap", "ldaps", "rtsp", "rtspu", "mms", "irc", "ircs", "git", "svn", "cvs", "bzr", "hg"),
    *("ssh", "rsync", "imap", "imaps", "pop", "dict", "finger", "whois", "vnc", "rdp", "webcal", "feed", "xmpp", "dav"),
    *("davs", "ipp", "ipps", "dns", "mysql", "postgresql", "mongodb", "redis", "amqp", "chrome", "resource", "about"),
})  # fmt: skip

GLUED = ("https", "http", "gopher", "telnet", "nntp", "news", "ftp")
"""Schemes that everybody knows: one of them right behind a word it is glued to is what was meant."""

SPLIT = tuple(scheme for scheme in GLUED if scheme not in WITHOUT_SLASHES)
"""Schemes whose "//" may have been moved to the next line inside a wrapper; others may stand without one."""

URL_AHEAD = rf"(?:(?:{'|'.join(sorted(WITH_SLASHES)).replace('.', '[.]')})://|mailto:|s?news:)[a-z0-9\[]"
"""The beginning of another URL, for patterns that ignore case."""

AROUND = (
    *("view-source", "feed", "blob", "filesystem", "jar", "jdbc", "r2dbc"),
    *("scm:git", "scm:svn", "scm:hg", "scm:cvs"),
)
"""Schemes, and what goes with them, that hold another URL with its scheme: right before one they are part of it."""

HOLDS_ONE = pattern(rf"(?:{'|'.join(AROUND)}):(?=[a-z][a-z0-9+.-]*+://)", re.IGNORECASE)
"""What stands before the URL that one of those holds."""

SCHEME = r"[a-z][a-z0-9+.-]{1,20}"
"""The pattern of a scheme before "://" in prose (RFC 3986 3.1), in lower case: one letter alone is a drive's."""

# Underscores are none of a host's, but people use them, and are to be told.
_LABEL = "[a-z0-9_-]+"
TOP = "[a-z]{2,}"
"""The pattern of the last label of a host's name, in lower case."""

FIRST_LABEL = "(?:www[0-9]{0,2}|ftp[0-9]?)"
"""The pattern of the label that tells a host's name without a scheme, in lower case."""

_PLAUSIBLE_HOST = pattern(
    rf"""//(?:[^\s/@<>"]*@)?
    (?:localhost|\[[0-9a-f:.]+\]|(?:{_LABEL}\.)+(?:{TOP}|[0-9]{{1,3}}))
    (?![a-z0-9-])""",
    re.IGNORECASE | re.VERBOSE,
)
_SOMETHING = pattern(r"//[^\s<>\"]")
# Whoever asks for a scheme knows it: anything that closes nothing.
_OF_OWN = pattern(r"//[^\s<>\"]|(?!//)[^\s<>\"'.,;:!)\]}|`]")


def is_followed(text: str, scheme: str, at: int, own: AbstractSet[str] = frozenset()) -> bool:
    """Whether what stands at `at`, behind the scheme's colon, may go on a URL of it; `own` are the reader's schemes."""
    without = WITHOUT_SLASHES.get(scheme)
    if without is not None and without.match(text, at):
        return True
    behind = _SOMETHING if scheme in WITH_SLASHES else _PLAUSIBLE_HOST
    if behind.match(text, at):
        return True
    return scheme in own and _OF_OWN.match(text, at) is not None
